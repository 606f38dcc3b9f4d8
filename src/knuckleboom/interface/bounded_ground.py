# SPDX-License-Identifier: BSD-3-Clause
"""Contact with the ground by bounded impulses: what touches, its rows, and what is recorded of it.

Meetings are numbered as contacts are. The rows are those of bounded.py. Validated by:
validation/analytic/test_timestepping.py
"""

import math

import numpy as np

from knuckleboom.apart import apart_kernel
from knuckleboom.geometry.feature import axes_along
from knuckleboom.geometry.field import FIELD, KIND
from knuckleboom.geometry.plane import dot_of
from knuckleboom.interface import bounded
from knuckleboom.interface.contact import (
    ACROSS,
    ALONG,
    ARM,
    ARM_NOW,
    BREAKAWAY,
    CENTRE,
    COULOMB,
    GRIP,
    GROUND,
    LINK,
    LOAD,
    NORMAL,
    POWER,
    RESTITUTION,
    ROWS,
    SHARE,
    SPOT,
    SPOTS,
    STATE,
    STIFFNESS,
    STRIBECK,
    axes_of,
    find_spots,
    keep_vector,
    vector,
)
from knuckleboom.interface.link_sums import velocity_at
from knuckleboom.kernels import shared_kernel


@shared_kernel
def measure(plan, c, motion, touch):
    """Fill rates of the gaps of contact c, its axes, centre of pressure by depth, arm and slip. Writes touch."""
    index, law, link = plan.touch.index, plan.touch.law, np.uintp(plan.touch.index[c, LINK])
    first, last = index[c, SPOT], index[c, SPOT] + index[c, SPOTS]
    grip, x, y, z, nx, ny, nz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(first, last):
        p, n = vector(touch.p, i, 0), vector(touch.n, i, 0)
        touch.w[i] = dot_of(n, velocity_at(motion.V_WL, link, p))
        G = law[touch.area[i], STIFFNESS] * law[touch.area[i], SHARE] * max(-touch.s[i], 0.0)
        grip += G
        x += G * p[0]
        y += G * p[1]
        z += G * p[2]
        nx += G * n[0]
        ny += G * n[1]
        nz += G * n[2]
    centre, normal = vector(touch.p, first, 0), vector(touch.n, first, 0)
    if grip > 0.0:
        centre = x / grip, y / grip, z / grip
        if plan.ground.index[index[c, GROUND], KIND] == FIELD:
            share = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
            normal = share * nx, share * ny, share * nz
    along, across = axes_along(plan.ground, index[c, GROUND], normal)
    keep_vector(normal, c, NORMAL, touch.axes)
    keep_vector(along, c, ALONG, touch.axes)
    keep_vector(across, c, ACROSS, touch.axes)
    keep_vector(centre, c, CENTRE, touch.pressed)
    touch.pressed[c, ARM_NOW] = plan.touch.number[c, ARM]
    v = velocity_at(motion.V_WL, link, centre)
    touch.slip[c, 0], touch.slip[c, 1] = dot_of(along, v), dot_of(across, v)
    touch.slip[c, 2] = 0.0


@apart_kernel
def find(plan, work):
    """Find what touches, with rates of gaps; bristles rest, and powers are those of impulses. Writes work."""
    index = plan.touch.index
    for c in range(index.shape[0]):
        find_spots(plan, c, work.motion, work.touch)
        measure(plan, c, work.motion, work.touch)
        for k in range(ROWS):
            work.oil.x_dot[index[c, STATE] + k] = 0.0
        work.oil.power[index[c, POWER]] = work.oil.power[index[c, POWER] + 1] = 0.0


@apart_kernel
def hold(plan, work):
    """Find what touches, and let the mean forces of the last step act. Writes work."""
    index, touch, motion, pressing = plan.touch.index, work.touch, work.motion, work.state.pressing
    find(plan, work)
    for c in range(index.shape[0]):
        link = index[c, LINK]
        rub = bounded.held_wrench(c, vector(motion.p_OL, link, 0), pressing, c, touch.wrench)
        touch.pressed[c, LOAD] = touch.pressed[c, GRIP] = pressing[bounded.KEPT * c + bounded.WEIGHT]
        touch.force[c, 0] = dot_of(vector(touch.axes, c, ALONG), rub)
        touch.force[c, 1] = dot_of(vector(touch.axes, c, ACROSS), rub)
        touch.force[c, 2] = 0.0
        for k in range(6):
            motion.wrench[link, k] -= touch.wrench[c, k]


@shared_kernel
def has_impacts(h, touch):
    """Whether a point reaches the ground within a step of h [s] fast enough for an impact."""
    found = False
    for i in range(touch.s.shape[0]):
        found = found or bounded.strikes(touch.s[i], touch.w[i], h)
    return found


@shared_kernel
def collect(plan, h, phase, v, work):
    """Add the rows of all points that touch or may in a step of h [s] that would end with velocities v. Writes work."""
    touch, impulse, index, law, number = work.touch, work.impulse, plan.touch.index, plan.touch.law, plan.touch.number
    own = work.state.active.shape[0] - bounded.MODES * impulse.struck.shape[0]
    for c in range(index.shape[0]):
        first, share, total = impulse.count[0], 0.0, 0.0
        for i in range(index[c, SPOT], index[c, SPOT] + index[c, SPOTS]):
            area, before = touch.area[i], impulse.count[0]
            bounded.add_point(
                plan, h, phase, c, vector(touch.p, i, 0), vector(touch.n, i, 0), touch.s[i], law[area, STIFFNESS],
                law[area, RESTITUTION], touch.feature[i], v, work,
            )  # fmt: skip
            if impulse.count[0] > before:
                weight = law[area, STIFFNESS] * max(-touch.s[i], 0.0)
                total += weight
                share += weight * law[area, SHARE]
        if impulse.count[0] > first and number[c, COULOMB] > 0.0:
            share = share / total if total > 0.0 else law[touch.area[index[c, SPOT]], SHARE]
            friction = share, number[c, COULOMB], number[c, BREAKAWAY], number[c, STRIBECK], number[c, ARM]
            bounded.add_friction(plan, phase, c, first, axes_of(touch, c), friction, own + bounded.MODES * c, work)
