# SPDX-License-Identifier: BSD-3-Clause
"""Features of a shape that can touch the ground: balls and rims. A corner is a ball without radius.

    lowest point of a feature at C:   p = C + o,   x = (a·n) a − n,   σ = |x|
        ball  (a = 0)                 o = −r n                               n·p = n·C − r
        rim   of radius r about a     o = r x/σ,  r x/ε for σ < ε            n·p = n·C − r σ, − r (σ² + ε²)/2ε

σ is the sine of the angle between a rim's axis and the ground's normal. A rim that lies nearly flat, σ < ε, has no
lowest point: there it is the bottom of a shallow bowl, r ε/2 below its centre, which turns into the rim without a jump
of force. Everywhere the gap's rate is that of the body's material point at p: no energy comes of how p moves over it.

On a field the normal is that of the ground below the lowest point, then, near the ground, that at the foot of the
perpendicular from there, in three steps: a ball without friction on noise of 2 cm every 25 cm gains or loses up to 43 %
of its energy in 20 s without a step, 8 % with one, 3 % with two, 0.3 % with four.
Own derivation; checked by tests/geometry/test_feature.py
"""

import math

from knuckleboom.geometry.field import ALONG, FIELD, FINENESS, HEIGHT, KIND, NORMAL, height_of
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.kernels import kernel

CENTRE, RADIUS, AXIS = 0, 3, 4
"""Columns of a feature: its centre, its radius and the axis of a rim (0 of a ball), in the axes of its link."""
BOWL = 1e-3
"""ε, rad."""
FEET, NEAR = 3, 0.1
"""Steps to the foot of a perpendicular, and how near the ground they begin, as a part of the field's spacing."""


@kernel
def lowest(r, a, n, bowl):
    """Return the offset of a feature's lowest point from its centre, and how far below that is, both in m; bowl is ε
    [rad].
    """
    along = dot_of(a, n)
    x = along * a[0] - n[0], along * a[1] - n[1], along * a[2] - n[2]
    sine = math.sqrt(dot_of(x, x))
    if sine > bowl:
        share, below = r / sine, r * sine
    else:
        share, below = r / bowl, 0.5 * r * (sine * sine + bowl * bowl) / bowl
    return (share * x[0], share * x[1], share * x[2]), below


@kernel
def moved(r, a, n, p, bowl, turn, shift):
    """How the lowest point p of a feature moves with a small motion of its body [m]; the ground keeps its normal; bowl
    is ε [rad].
    """
    offset, _ = lowest(r, a, n, bowl)
    da = cross_of(turn, a)
    along, d_along = dot_of(a, n), dot_of(da, n)
    x = along * a[0] - n[0], along * a[1] - n[1], along * a[2] - n[2]
    sine = math.sqrt(dot_of(x, x))
    share, d_share = r / bowl, 0.0
    if sine > bowl:
        share, d_share = r / sine, r * along * d_along / (sine * sine * sine)
    dx, dy, dz = cross_of(turn, (p[0] - offset[0], p[1] - offset[1], p[2] - offset[2]))
    return (
        shift[0] + dx + share * (d_along * a[0] + along * da[0]) + d_share * x[0],
        shift[1] + dy + share * (d_along * a[1] + along * da[1]) + d_share * x[1],
        shift[2] + dz + share * (d_along * a[2] + along * da[2]) + d_share * x[2],
    )


@kernel
def gap_to_field(plan_ground, g, centre, r, a):
    """Return the gap of a feature in the world to field g [m], its lowest point and the normal there."""
    down, _ = lowest(r, a, (0.0, 0.0, 1.0), BOWL)
    x, y, spacing = centre[0] + down[0], centre[1] + down[1], 1.0 / plan_ground.number[g, FINENESS]
    gap, p, n = math.inf, centre, (0.0, 0.0, 1.0)
    for _ in range(1 + FEET):
        gap, p, n = gap_at(plan_ground, g, centre, r, a, x, y)
        if gap > NEAR * spacing:
            break
        # to the foot of the perpendicular, where p is inside
        way = min(max(gap, -spacing), 0.0)
        x, y = p[0] - way * n[0], p[1] - way * n[1]
    return gap, p, n


@kernel
def gap_at(plan_ground, g, centre, r, a, x, y):
    """Return the gap of a feature to the plane that touches field g over x, y, its lowest point and the normal."""
    h, by_x, by_y = height_of(plan_ground, g, x, y)
    share = 1.0 / math.sqrt(1.0 + by_x * by_x + by_y * by_y)
    n = -by_x * share, -by_y * share, share
    offset, below = lowest(r, a, n, BOWL)
    gap = dot_of(n, (centre[0] - x, centre[1] - y, centre[2] - h)) - below
    return gap, (centre[0] + offset[0], centre[1] + offset[1], centre[2] + offset[2]), n


@kernel
def gap_to(plan_ground, g, centre, r, a, origin):
    """Return the gap of a feature to ground g [m], its lowest point and the normal there; points relative to origin."""
    number = plan_ground.number
    if plan_ground.index[g, KIND] == FIELD:
        placed = centre[0] + origin[0], centre[1] + origin[1], centre[2] + origin[2]
        gap, q, n = gap_to_field(plan_ground, g, placed, r, a)
        return gap, (q[0] - origin[0], q[1] - origin[1], q[2] - origin[2]), n
    n = number[g, NORMAL], number[g, NORMAL + 1], number[g, NORMAL + 2]
    offset, below = lowest(r, a, n, BOWL)
    gap = dot_of(n, centre) - (number[g, HEIGHT] - dot_of(n, origin)) - below
    return gap, (centre[0] + offset[0], centre[1] + offset[1], centre[2] + offset[2]), n


@kernel
def axes_along(plan_ground, g, n):
    """Return two directions across a normal of ground g: as planned of a plane, of a field the first towards x."""
    number = plan_ground.number
    if plan_ground.index[g, KIND] == FIELD:
        share = 1.0 / math.sqrt(n[0] * n[0] + n[2] * n[2])
        along = share * n[2], 0.0, -share * n[0]
    else:
        along = number[g, ALONG], number[g, ALONG + 1], number[g, ALONG + 2]
    return along, cross_of(n, along)
