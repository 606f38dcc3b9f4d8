# SPDX-License-Identifier: BSD-3-Clause
"""Where a thin disc touches the ground: its lowest point along the normal that the ground has below it.

    heading    h = a × ẑ/|…|,  ground H and ∇H: the mean of two samples at ± h L/3;   n = (−H_x, −H_y, 1)/|…|
    disc       q = C + o,  o and s of a rim of geometry/feature.py over that plane,  p below q on the plane
    axes       t₁ = a × n/|…| the way it rolls,   t₂ = n × t₁ to its left

a is the axle, C the centre of the disc. A disc nearly on its side, by less than ε, is a bowl, so that neither gap nor
force jumps; at any lean the rate of s on a plane is that of the disc's material at p along n. On a field x, y are first
those of the lowest point over level ground, then the foot of the perpendicular from q, in steps of a secant: without
them wheels that lie on rough ground have the plane of another place, and made up to 0.15 MJ out of nothing.
Own derivation; tested by tests/geometry/test_disc.py
"""

import math

from knuckleboom.geometry.feature import lowest
from knuckleboom.geometry.field import FIELD, FINENESS, KIND, area_of, height_of
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.kernels import kernel

SHOULDER = 0.3
"""ε, rad: on its side a disc of 0.66 m is 0.1 m thick to each side, much as its part of a wide tire is."""
LEAST_AHEAD = 1e-12
"""Of |a × n|²: below it the heading is any direction."""
FEET, LONGEST, ARRIVED, LOST = 2, 2.0, 1e-6, 4e-4
"""Steps to the foot of the perpendicular, the longest as a multiple of the way that is left; m², where they end, and
beyond which they have not come there.
"""
NEAR = 0.5
"""How far above the ground they are made, as a part of the field's spacing."""
THIRD = 1.0 / 3.0
UP = 0.0, 0.0, 1.0


@kernel
def touch_disc(plan_ground, C, a, r, reach):
    """Return the gap s [m] of a disc to the highest ground below, its area, the point p that touches, n, t₁ and t₂;
    the ground is that of two places ± reach [m] along the heading.
    """
    down, _ = lowest(r, a, UP, SHOULDER)
    share = reach / math.sqrt(max(1.0 - a[2] * a[2], SHOULDER * SHOULDER))
    x, y, s, out, q, n, g = C[0] + down[0], C[1] + down[1], 0.0, 0.0, C, UP, 0
    ahead_x, ahead_y = share * a[1], -share * a[0]
    last_x, last_y, square, part = 0.0, 0.0, 0.0, 1.0
    for _ in range(1 + FEET):
        H, by_x, by_y, g = ground_below(plan_ground, x, y, ahead_x, ahead_y)
        s, out, q, n = over_plane(C, a, r, x, y, H, by_x, by_y)
        # a plane is the same everywhere
        if plan_ground.index[g, KIND] != FIELD or s * plan_ground.number[g, FINENESS] > NEAR:
            square = 0.0
            break
        left_x, left_y = q[0] - out * n[0] - x, q[1] - out * n[1] - y
        if square > 0.0:  # a secant: what is left of the last way says how far to go of this one
            part = 1.0 / max((1.0 - (left_x * last_x + left_y * last_y) / square) / part, 1.0 / LONGEST)
        last_x, last_y, square = left_x, left_y, left_x * left_x + left_y * left_y
        if square < ARRIVED:
            break
        x, y = x + part * left_x, y + part * left_y
    if square > LOST:  # where the disc really is
        H, by_x, by_y, g = ground_below(plan_ground, q[0], q[1], ahead_x, ahead_y)
        n, thick = normal_of(by_x, by_y), s - out
        out = n[2] * (q[2] - H)
        s = out + thick
    p, t1 = (q[0] - out * n[0], q[1] - out * n[1], q[2] - out * n[2]), heading(a, n)
    return s, area_of(plan_ground, g, p[0], p[1]), p, n, t1, cross_of(n, t1)


@kernel
def ground_below(plan_ground, x, y, ahead_x, ahead_y):
    """Return H [m], ∂H/∂x and ∂H/∂y of the highest ground at x, y [m], means of two places ± ahead [m]; which it is."""
    H, by_x, by_y, found = -math.inf, 0.0, 0.0, 0
    for g in range(plan_ground.index.shape[0]):
        front, front_x, front_y = height_of(plan_ground, g, x + ahead_x, y + ahead_y)
        rear, rear_x, rear_y = height_of(plan_ground, g, x - ahead_x, y - ahead_y)
        mean = 0.5 * (front + rear)
        if mean > H:
            H, by_x, by_y, found = mean, 0.5 * (front_x + rear_x), 0.5 * (front_y + rear_y), g
    return H, by_x, by_y, found


@kernel
def normal_of(by_x, by_y):
    """Return the normal of ground with these slopes."""
    share = 1.0 / math.sqrt(1.0 + by_x * by_x + by_y * by_y)
    return -by_x * share, -by_y * share, share


@kernel
def over_plane(C, a, r, x, y, H, by_x, by_y):
    """Return the gap s [m] of a disc over the plane H + ∇H·… at x, y [m], how far its lowest point q is over that [m],
    q and the normal n.
    """
    n = normal_of(by_x, by_y)
    offset, below = lowest(r, a, n, SHOULDER)
    above = dot_of(n, (C[0] - x, C[1] - y, C[2] - H))
    return above - below, above + dot_of(n, offset), (C[0] + offset[0], C[1] + offset[1], C[2] + offset[2]), n


@kernel
def heading(a, n):
    """Return the direction along the ground in which a wheel rolls; of one on its side any."""
    t = cross_of(a, n)
    square = dot_of(t, t)
    if square < LEAST_AHEAD:
        t, square = (n[2], 0.0, -n[0]), n[2] * n[2] + n[0] * n[0]
    unit = 1.0 / math.sqrt(square)
    return unit * t[0], unit * t[1], unit * t[2]
