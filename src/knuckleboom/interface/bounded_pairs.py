# SPDX-License-Identifier: BSD-3-Clause
"""Contact between bodies by bounded impulses: what touches, its rows, and what is recorded of it.

Meetings are numbered after the contacts with the ground; forces act on b, and against them on a. The rows are those of
bounded.py. Validated by: validation/analytic/test_timestepping_pairs.py
"""

from knuckleboom.apart import apart_kernel
from knuckleboom.geometry.closest import across
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.geometry.spots import GAP, NORMAL, SHARE
from knuckleboom.interface import bounded
from knuckleboom.interface.contact import ACROSS, ALONG, ARM_NOW, CENTRE, LOAD, axes_of, keep_vector, vector
from knuckleboom.interface.contact import NORMAL as OUTWARD
from knuckleboom.interface.pairs import (
    ARM,
    BENDS,
    BREAKAWAY,
    COULOMB,
    POWER,
    RESTITUTION,
    SPOT,
    STATE,
    STIFFNESS,
    STRIBECK,
    find_spots,
    links_of,
    relative_velocity,
)
from knuckleboom.kernels import shared_kernel


@shared_kernel
def measure(plan_pairs, pair, motion, pairs):
    """Fill rates of the gaps of a pair, its axes, centre of pressure by depth, arm and slip. Writes pairs."""
    first, last = plan_pairs.index[pair, SPOT], plan_pairs.index[pair, SPOT] + pairs.spots[pair]
    load, x, y, z, nx, ny, nz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(first, last):
        p, n = vector(pairs.p, i, 0), vector(pairs.spot, i, NORMAL)
        pairs.w[i] = dot_of(n, relative_velocity(plan_pairs, pair, motion.V_WL, p))
        weight = pairs.spot[i, SHARE] * max(-pairs.spot[i, GAP], 0.0)
        load += weight
        x += weight * p[0]
        y += weight * p[1]
        z += weight * p[2]
        nx += weight * n[0]
        ny += weight * n[1]
        nz += weight * n[2]
    m, centre = vector(pairs.spot, first, NORMAL), vector(pairs.p, first, 0)
    square = nx * nx + ny * ny + nz * nz
    if square > 0.0:
        size, centre = square**0.5, (x / load, y / load, z / load)
        m = nx / size, ny / size, nz / size
    t = across(m)
    keep_vector(m, pair, OUTWARD, pairs.axes)
    keep_vector(t, pair, ALONG, pairs.axes)
    keep_vector(cross_of(m, t), pair, ACROSS, pairs.axes)
    keep_vector(centre, pair, CENTRE, pairs.pressed)
    pairs.pressed[pair, ARM_NOW] = plan_pairs.number[pair, ARM]
    v = relative_velocity(plan_pairs, pair, motion.V_WL, centre)
    keep_vector((dot_of(t, v), dot_of(cross_of(m, t), v), 0.0), pair, 0, pairs.slip)


@apart_kernel
def find(plan, work):
    """Find what touches, with rates of gaps; bristles rest, and powers are those of impulses. Writes work."""
    plan_pairs, pairs = plan.pairs, work.pairs
    find_spots(plan_pairs, work.motion, pairs)
    for pair in range(plan_pairs.index.shape[0]):
        for k in range(BENDS):
            work.oil.x_dot[plan_pairs.index[pair, STATE] + k] = 0.0
        power = plan_pairs.index[pair, POWER]
        work.oil.power[power] = work.oil.power[power + 1] = 0.0
    for place_of in range(pairs.count[0]):
        measure(plan_pairs, pairs.near[place_of], work.motion, pairs)


@apart_kernel
def hold(plan, work):
    """Find what touches, and let the mean forces of the last step act there. Writes work."""
    plan_pairs, pairs, motion, pressing = plan.pairs, work.pairs, work.motion, work.state.pressing
    find(plan, work)
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        met, (a, b) = plan.touch.index.shape[0] + pair, links_of(plan_pairs, pair)
        rub = bounded.held_wrench(met, vector(motion.p_OL, b, 0), pressing, pair, pairs.wrench)
        pairs.pressed[pair, LOAD] = pressing[bounded.KEPT * met + bounded.WEIGHT]
        along, side = dot_of(vector(pairs.axes, pair, ALONG), rub), dot_of(vector(pairs.axes, pair, ACROSS), rub)
        keep_vector((along, side, 0.0), pair, 0, pairs.force)
        for k in range(6):
            motion.wrench[a, k] += pairs.wrench[pair, k]
            motion.wrench[b, k] -= pairs.wrench[pair, k]


@shared_kernel
def has_impacts(plan_pairs, h, pairs):
    """Whether a spot closes within a step of h [s] fast enough for an impact."""
    found = False
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        first = plan_pairs.index[pair, SPOT]
        for i in range(first, first + pairs.spots[pair]):
            found = found or bounded.strikes(pairs.spot[i, GAP], pairs.w[i], h)
    return found


@shared_kernel
def collect(plan, h, phase, v, work):
    """Add the rows of all spots that touch or may in a step of h [s] that would end with velocities v. Writes work."""
    plan_pairs, pairs, impulse, number = plan.pairs, work.pairs, work.impulse, plan.pairs.number
    own = work.state.active.shape[0] - bounded.MODES * impulse.struck.shape[0]
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        met, first, spot = plan.touch.index.shape[0] + pair, impulse.count[0], plan_pairs.index[pair, SPOT]
        for i in range(spot, spot + pairs.spots[pair]):
            bounded.add_point(
                plan, h, phase, met, vector(pairs.p, i, 0), vector(pairs.spot, i, NORMAL), pairs.spot[i, GAP],
                number[pair, STIFFNESS] * pairs.spot[i, SHARE], number[pair, RESTITUTION],
                plan.touch.place.shape[0] + i, v, work,
            )  # fmt: skip
        if impulse.count[0] > first and number[pair, COULOMB] > 0.0:
            friction = 1.0, number[pair, COULOMB], number[pair, BREAKAWAY], number[pair, STRIBECK], number[pair, ARM]
            bounded.add_friction(
                plan, phase, met, first, axes_of(pairs, pair), friction, own + bounded.MODES * met, work
            )  # fmt: skip
