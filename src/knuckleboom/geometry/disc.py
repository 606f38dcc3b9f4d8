# SPDX-License-Identifier: BSD-3-Clause
"""Where a thin disc touches the ground: its lowest point over the plane that the ground has there.

    down       P = C + r (a_z a − ẑ)/|…|,   heading  a × ẑ/|…|         the lowest point of the disc over level ground
    plane      H and ∇H, the mean of two samples at P ± L/3 along the heading;   n = (−H_x, −H_y, 1)/|…|
    disc       γ = n·a,  e = (γ a − n)/√(1 − γ²),  q = C + r e,  s = n·(q − (P_x, P_y, H)),  p = q − s n
    axes       t₁ = a × n/|…| the way it rolls,   t₂ = n × t₁ to its left

a is the axle, C the centre of the disc. On a plane the rate of s is that of the disc's material at p along n. A disc on
its side has no lowest point: 1 − γ² is at least 1e-3, so that the point moves to the centre there.
Own derivation; tested by tests/geometry/test_disc.py
"""

import math

from knuckleboom.geometry.field import area_of, height_of
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.kernels import kernel

LEAST_LEAN = 1e-3
"""Of 1 − γ²: from 1.8° off its side on."""
LEAST_AHEAD = 1e-12
"""Of 1 − γ²: below it the heading is any direction."""
THIRD = 1.0 / 3.0


@kernel
def lowest_point(C, a, r):
    """Return x and y [m] of the lowest point of a disc over level ground, and of the direction in which it heads."""
    share = 1.0 / math.sqrt(max(1.0 - a[2] * a[2], LEAST_LEAN))
    out = r * a[2] * share
    return C[0] + out * a[0], C[1] + out * a[1], a[1] * share, -a[0] * share


@kernel
def ground_below(plan_ground, x, y, ahead_x, ahead_y):
    """Return H [m], ∂H/∂x and ∂H/∂y of the highest ground at x, y [m], means of two places ± ahead [m]; its area."""
    H, by_x, by_y, found = -math.inf, 0.0, 0.0, 0
    for g in range(plan_ground.index.shape[0]):
        front, front_x, front_y = height_of(plan_ground, g, x + ahead_x, y + ahead_y)
        rear, rear_x, rear_y = height_of(plan_ground, g, x - ahead_x, y - ahead_y)
        mean = 0.5 * (front + rear)
        if mean > H:
            H, by_x, by_y, found = mean, 0.5 * (front_x + rear_x), 0.5 * (front_y + rear_y), g
    return H, by_x, by_y, area_of(plan_ground, found, x, y)


@kernel
def disc_on_plane(C, a, r, x, y, H, by_x, by_y):
    """Return the gap s [m] of a disc over the plane H + ∇H·… at x, y [m], the point p that touches, n, t₁ and t₂."""
    share = 1.0 / math.sqrt(1.0 + by_x * by_x + by_y * by_y)
    n = (-by_x * share, -by_y * share, share)
    gamma, t = dot_of(n, a), cross_of(a, n)
    square = dot_of(t, t)
    out = r / math.sqrt(max(square, LEAST_LEAN))
    q = (C[0] + out * (gamma * a[0] - n[0]), C[1] + out * (gamma * a[1] - n[1]), C[2] + out * (gamma * a[2] - n[2]))
    s = dot_of(n, (q[0] - x, q[1] - y, q[2] - H))
    if square < LEAST_AHEAD:
        t, square = (n[2], 0.0, -n[0]), n[2] * n[2] + n[0] * n[0]
    unit = 1.0 / math.sqrt(square)
    t1 = (unit * t[0], unit * t[1], unit * t[2])
    return s, (q[0] - s * n[0], q[1] - s * n[1], q[2] - s * n[2]), n, t1, cross_of(n, t1)
