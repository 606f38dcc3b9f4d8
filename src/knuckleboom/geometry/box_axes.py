# SPDX-License-Identifier: BSD-3-Clause
"""Two boxes by their 15 separating axes: how far they are apart or overlap, along which axis, and where edges cross.

    along L:   s = |T·L| − Σ a_k |a_k·L| − Σ b_k |b_k·L|,     T = C_b − C_a          apart where s > 0 for any L
    L          a_0 a_1 a_2   b_0 b_1 b_2   a_i × b_j, made a unit vector             the axis taken: the largest s

The axes of faces come first, and a pair of edges must be 5 % better than a face, so that what lies flat touches by
faces. Edges with |a_i × b_j|² below 1e-8 are left out: they are parallel, and a face says the same. The printed sums of
publication III, eqs. 26-27, lack absolute values, and one axis suffices to keep boxes apart [Gottschalk 1996].
Checked by tests/geometry/test_box_axes.py and validation/programs/test_boxes_of_coal.py
"""

import math

from knuckleboom.geometry.closest import closest_of_segments, in_axes, towards
from knuckleboom.geometry.placed import HALF, D, axis_of, between, beyond, centre_of, next_axis
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.kernels import kernel, shared_kernel

ROTATION, SIZE, APART_A, APART_B = 0, 9, 18, 21
"""Columns of the frame: a_i·b_j row by row, their absolute values, C_b − C_a in the axes of a and in those of b."""
CORNERS = 24
"""Where the frame has room for corners, box_pair.py."""
COLUMNS = 72
FACES, EDGES = 3, 6
"""First axis of b; first pair of edges, 3 i + j from there."""
BETTER = 0.05
"""By how much a pair of edges must be better than a face."""
PARALLEL = 1e-8
"""|a_i × b_j|² below which edges are parallel."""


@shared_kernel
def relate(placed, a, b, frame):
    """Fill how b lies to a. Writes frame."""
    T = towards(placed, a, b)
    frame[APART_A], frame[APART_A + 1], frame[APART_A + 2] = in_axes(placed, a, T)
    frame[APART_B], frame[APART_B + 1], frame[APART_B + 2] = in_axes(placed, b, T)
    for i in range(3):
        row = in_axes(placed, b, axis_of(placed, a, i))
        for j in range(3):
            frame[ROTATION + D * i + j] = row[j]
            frame[SIZE + D * i + j] = abs(row[j])


@kernel
def along_a(placed, a, b, i, frame):
    """s along axis i of a."""
    R, half = SIZE + D * i, HALF
    width = placed[b, half] * frame[R] + placed[b, half + 1] * frame[R + 1] + placed[b, half + 2] * frame[R + 2]
    return abs(frame[APART_A + i]) - placed[a, half + i] - width


@kernel
def along_b(placed, a, b, j, frame):
    """s along axis j of b."""
    R, half = SIZE + j, HALF
    width = placed[a, half] * frame[R] + placed[a, half + 1] * frame[R + D] + placed[a, half + 2] * frame[R + 2 * D]
    return abs(frame[APART_B + j]) - placed[b, half + j] - width


@kernel
def along_edges(placed, a, b, i, j, frame):
    """s along a_i × b_j; −inf where they are parallel."""
    i1, j1 = next_axis(i), next_axis(j)
    i2, j2 = next_axis(i1), next_axis(j1)
    r1, r2 = frame[ROTATION + D * i1 + j], frame[ROTATION + D * i2 + j]
    square = r1 * r1 + r2 * r2
    if square < PARALLEL:
        return -math.inf
    size_a = placed[a, HALF + i1] * abs(r2) + placed[a, HALF + i2] * abs(r1)
    size_b = placed[b, HALF + j1] * frame[SIZE + D * i + j2] + placed[b, HALF + j2] * frame[SIZE + D * i + j1]
    apart = abs(frame[APART_A + i2] * r1 - frame[APART_A + i1] * r2)
    return (apart - size_a - size_b) / math.sqrt(square)


@shared_kernel
def separate(placed, a, b, first, reach, frame):
    """Return the largest s [m], with what edges must be better by, and its axis; axes of faces from `first` on. What is
    farther apart than reach along one axis is not looked at further.
    """
    best, way = -math.inf, first
    for k in range(first, FACES):
        s = along_a(placed, a, b, k, frame)
        if s > best:
            best, way = s, k
    if best > reach:
        return best, way
    for k in range(3):
        s = along_b(placed, a, b, k, frame)
        if s > best:
            best, way = s, FACES + k
    if best > reach:
        return best, way
    least = best + BETTER * abs(best)
    for i in range(3):
        for j in range(3):
            s = along_edges(placed, a, b, i, j, frame)
            if s > least:
                best, way, least = s, EDGES + D * i + j, s
                if best > reach:
                    return best, way
    return best, way


@shared_kernel
def normal_of(placed, a, b, way, frame):
    """The unit vector along an axis, from a to b."""
    if way < FACES:
        n, ahead = axis_of(placed, a, way), frame[APART_A + way] >= 0.0
    elif way < EDGES:
        n, ahead = axis_of(placed, b, way - FACES), frame[APART_B + way - FACES] >= 0.0
    else:
        i, j = (way - EDGES) // D, (way - EDGES) % D
        x, y, z = cross_of(axis_of(placed, a, i), axis_of(placed, b, j))
        share = 1.0 / math.sqrt(x * x + y * y + z * z)
        n = share * x, share * y, share * z
        ahead = dot_of(n, towards(placed, a, b)) >= 0.0
    if ahead:
        return n
    return -n[0], -n[1], -n[2]


@kernel
def edge_centre(placed, box, k, n, sign):
    """The middle of the edge along axis k that is farthest along ±n."""
    p = centre_of(placed, box)
    for m in range(3):
        if m != k:
            axis = axis_of(placed, box, m)
            side = sign if dot_of(axis, n) >= 0.0 else -sign
            p = beyond(p, side * placed[box, HALF + m], axis)
    return p


@shared_kernel
def edge_points(placed, a, b, way, frame):
    """The closest points of two edges, the normal from a to b, and s [m]."""
    i, j = (way - EDGES) // D, (way - EDGES) % D
    n = normal_of(placed, a, b, way, frame)
    on_a, on_b = edge_centre(placed, a, i, n, 1.0), edge_centre(placed, b, j, n, -1.0)
    d_a, d_b = axis_of(placed, a, i), axis_of(placed, b, j)
    s, t = closest_of_segments(between(on_a, on_b), d_a, placed[a, HALF + i], d_b, placed[b, HALF + j])
    on_a, on_b = beyond(on_a, s, d_a), beyond(on_b, t, d_b)
    return on_a, on_b, n, dot_of(n, between(on_a, on_b))
