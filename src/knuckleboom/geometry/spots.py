# SPDX-License-Identifier: BSD-3-Clause
"""Spots: where two shapes a and b touch, or are about to, as rows of numbers.

    A, B      points of the two without their radii: ends and points of axes, corners, points of faces and edges
    NORMAL    n, a unit vector from a to b        GAP   s = n·(B − A) − r_a − r_b, below 0 where they overlap
    SHARE     how much of the stiffness of one corner it stands for: 1 of a corner or a sphere
    HOLDER    with whose axes n turns: OF_A, OF_B, or with the line from A to B (OF_LINE)

All spots of a pair lie on its surfaces as they are now. Shares change smoothly where spots come together or part, so
that the force does not jump when their number does. Own choice; checked by tests/geometry/test_pair.py
"""

import math

from knuckleboom.geometry.placed import between
from knuckleboom.geometry.plane import dot_of
from knuckleboom.kernels import kernel, shared_kernel

A, B, NORMAL, GAP, SHARE, HOLDER = 0, 3, 6, 9, 10, 11
COLUMNS = 12
OF_A, OF_B, OF_LINE = 0, 1, 2
MOST = 8
"""Spots of a pair."""
NOTHING = 1e-9
"""A share that is left out."""


@kernel
def keep_spot(a, b, n, gap, share, holder, row, spots):
    """Fill one row. Writes spots."""
    for k in range(3):
        spots[row, A + k] = a[k]
        spots[row, B + k] = b[k]
        spots[row, NORMAL + k] = n[k]
    spots[row, GAP] = gap
    spots[row, SHARE] = share
    spots[row, HOLDER] = holder


@shared_kernel
def keep_round(a, b, radii, otherwise, reach, share, holder, row, spots):
    """Keep the spot of two round things around points a and b, whose radii add up, if its gap is within reach; the
    normal is `otherwise` where the points coincide. Return how many were kept. Writes spots.
    """
    d = between(a, b)
    distance = math.sqrt(dot_of(d, d))
    if distance - radii > reach:
        return 0
    n = otherwise
    if distance > 0.0:
        n = d[0] / distance, d[1] / distance, d[2] / distance
    keep_spot(a, b, n, distance - radii, share, holder, row, spots)
    return 1


@kernel
def swap_sides(first, count, spots):
    """Let spots be those of b and a. Writes spots."""
    for row in range(first, first + count):
        for k in range(3):
            kept = spots[row, A + k]
            spots[row, A + k] = spots[row, B + k]
            spots[row, B + k] = kept
            spots[row, NORMAL + k] = -spots[row, NORMAL + k]
        if spots[row, HOLDER] != OF_LINE:
            spots[row, HOLDER] = OF_A + OF_B - spots[row, HOLDER]
