# SPDX-License-Identifier: BSD-3-Clause
"""Points of a sphere or of a box that touch a plane: the lowest point of the one, the corners of the other.

    corner i of a box at C with the half edges e₀, e₁, e₂:   b = C ± e₀ ± e₁ ± e₂       the sign of e_k is bit k of i
    point that touches:   p = b − r n,      gap:   s = n·p − height,      s < 0 overlaps

A sphere is a box without edges and with a radius r. b is fixed in the body, so that ds = (p×n; n)·δ for any small
motion δ of the body: the rate of s is that of the material point at p, and nothing of how n or p turn is left out.
Elementary geometry; checked by tests/geometry/test_plane.py
"""

from knuckleboom.kernels import kernel

CORNERS, AXES = 8, 3
CENTRE, EDGES, RADIUS = 0, 3, 12
"""Columns of a shape: its centre, its three half edges one after the other, its radius; in the axes of its link."""


@kernel
def corner(number, shape, which):
    """Return a corner of a shape [m] in the axes of its link; for a sphere its centre."""
    x, y, z = number[shape, CENTRE], number[shape, CENTRE + 1], number[shape, CENTRE + 2]
    for edge in range(AXES):
        sign = 1.0 if (which >> edge) & 1 == 1 else -1.0
        at = EDGES + AXES * edge
        x += sign * number[shape, at]
        y += sign * number[shape, at + 1]
        z += sign * number[shape, at + 2]
    return x, y, z


@kernel
def cross_of(a, b):
    """Return a × b of two vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def dot_of(a, b):
    """Return a·b of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
