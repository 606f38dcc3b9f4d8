# SPDX-License-Identifier: BSD-3-Clause
"""Shapes where they are: centre, axes, half lengths and radius, in one row of numbers, and the room they take up.

    points of a shape   C + x e₀ + y e₁ + z e₂ + r·(unit ball),   |x| ≤ a₀, |y| ≤ a₁, |z| ≤ a₂

A sphere has no half lengths, a capsule has one, along e₂, a box has no radius. The axes are unit vectors, also those
of a sphere. Elementary geometry; checked by tests/geometry/test_placed.py
"""

from knuckleboom.kernels import kernel

SPHERE, CAPSULE, BOX = 0, 1, 2
CENTRE, AXES, HALF, RADIUS = 0, 3, 12, 15
"""Columns of a shape."""
COLUMNS = 16
LOW, HIGH = 0, 3
"""Columns of its bounds."""
LENGTHWISE = 2
"""The axis along which a capsule is long."""
D = 3
"""Dimensions of space."""


@kernel
def axis_of(placed, i, k):
    """Axis k of shape i."""
    at = AXES + D * k
    return placed[i, at], placed[i, at + 1], placed[i, at + 2]


@kernel
def next_axis(k):
    """The axis after axis k, and round again."""
    return k + 1 if k < 2 else 0


@kernel
def centre_of(placed, i):
    """Centre of shape i [m]."""
    return placed[i, CENTRE], placed[i, CENTRE + 1], placed[i, CENTRE + 2]


@kernel
def beyond(p, distance, direction):
    """The point at a distance from p along a direction [m]."""
    return p[0] + distance * direction[0], p[1] + distance * direction[1], p[2] + distance * direction[2]


@kernel
def between(a, b):
    """b − a of two points [m]."""
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]


@kernel
def place(plan_shape, i, link, R, p, placed):
    """Put shape i, planned in the axes of its link, where the link is: R and p of the links, row by row. Writes
    placed.
    """
    for m in range(3):
        row = D * m
        centre = p[link, m]
        for n in range(3):
            centre += R[link, row + n] * plan_shape[i, CENTRE + n]
        placed[i, CENTRE + m] = centre
        for k in range(3):
            along = 0.0
            for n in range(3):
                along += R[link, row + n] * plan_shape[i, AXES + D * k + n]
            placed[i, AXES + D * k + m] = along
        placed[i, HALF + m] = plan_shape[i, HALF + m]
    placed[i, RADIUS] = plan_shape[i, RADIUS]


@kernel
def bound(placed, i, margin, bounds):
    """Fill the corners of the box along the world's axes around shape i, wider by a margin [m]. Writes bounds."""
    for m in range(3):
        reach = placed[i, RADIUS] + margin
        for k in range(3):
            reach += placed[i, HALF + k] * abs(placed[i, AXES + D * k + m])
        bounds[i, LOW + m] = placed[i, CENTRE + m] - reach
        bounds[i, HIGH + m] = placed[i, CENTRE + m] + reach
