# SPDX-License-Identifier: BSD-3-Clause
"""Where two boxes touch: a patch of up to eight spots of a face on a face, or one spot of two edges.

The face of the one whose axis separates best, and the face of the other that looks at it, clipped by the planes of the
sides of the first [Sutherland 1974]. A corner of the patch is at a gap w over the face, and counts for how far the side
of the patch turns there, in quarters of a turn:

    share = α(after) − α(before),   α = 0 … 4 round the square |x| + |y| = 1 of directions,   Σ share = 4

1 at each corner of a rectangle, 0 where a side goes straight on, and what comes together adds up: so nothing jumps
where corners come and go. Own choice; checked by tests/geometry/test_box_pair.py
"""

import math

from knuckleboom.geometry.box_axes import (
    CORNERS,
    EDGES,
    FACES,
    edge_points,
    normal_of,
    relate,
    separate,
)
from knuckleboom.geometry.closest import in_axes
from knuckleboom.geometry.placed import HALF, axis_of, between, beyond, centre_of, next_axis
from knuckleboom.geometry.plane import dot_of
from knuckleboom.geometry.spots import MOST, NOTHING, OF_A, OF_B, keep_spot
from knuckleboom.kernels import kernel, shared_kernel

NUMBERS = 3
"""Of a corner: u, v in the face, w over it."""
ROOM = MOST * NUMBERS
"""Numbers of one polygon in the frame."""
TOGETHER = 1e-9
"""Corners of a patch that are closer are one, as a part of the face's size."""


@shared_kernel
def touch_boxes(placed, a, b, reach, first, spots, frame):
    """Two boxes. Return how many spots were kept. Writes spots and, to work in, frame."""
    relate(placed, a, b, frame)
    s, way = separate(placed, a, b, 0, reach, frame)
    if s > reach:
        return 0
    if way < EDGES:
        n = normal_of(placed, a, b, way, frame)
        if way < FACES:
            count = touch_face(placed, a, b, way, n, reach, 1.0, first, spots, frame)
        else:
            away = -n[0], -n[1], -n[2]
            count = touch_face(placed, b, a, way - FACES, away, reach, -1.0, first, spots, frame)
        return count if count > 0 else keep_corner(placed, a, b, way, n, s, first, spots)
    on_a, on_b, n, gap = edge_points(placed, a, b, way, frame)
    keep_spot(on_a, on_b, n, gap, 1.0, OF_A, first, spots)
    return 1


@kernel
def keep_corner(placed, a, b, way, n, s, first, spots):
    """One spot where no part of the face that looks at the other is over it: at the deepest corner. Writes spots."""
    if way < FACES:
        on_b = deepest_corner(placed, b, -1.0, n)
        keep_spot(beyond(on_b, -s, n), on_b, n, s, 1.0, OF_A, first, spots)
    else:
        on_a = deepest_corner(placed, a, 1.0, n)
        keep_spot(on_a, beyond(on_a, s, n), n, s, 1.0, OF_B, first, spots)
    return 1


@kernel
def deepest_corner(placed, box, sign, n):
    """The corner of a box that is farthest along ±n."""
    p = centre_of(placed, box)
    for k in range(3):
        axis = axis_of(placed, box, k)
        p = beyond(p, sign * math.copysign(placed[box, HALF + k], dot_of(axis, n)), axis)
    return p


@kernel
def keep_in_frame(at, u, v, w, frame):
    """Fill one corner. Writes frame."""
    frame[at], frame[at + 1], frame[at + 2] = u, v, w


@kernel
def project_face(placed, own, other, k, n, frame):
    """Fill the corners of the face of the other box that looks at face k of `own`, n out of it: along the next two axes
    of `own`, and over its face. Return the middle of the own face. Writes frame.
    """
    i = next_axis(k)
    j = next_axis(i)
    along = in_axes(placed, other, n)
    m = 0
    for c in range(1, 3):
        if abs(along[c]) > abs(along[m]):
            m = c
    middle = beyond(centre_of(placed, own), placed[own, HALF + k], n)
    facing = beyond(
        centre_of(placed, other), -math.copysign(placed[other, HALF + m], along[m]), axis_of(placed, other, m)
    )
    e_i, e_j = axis_of(placed, own, i), axis_of(placed, own, j)
    r = between(middle, facing)
    u, v, w = dot_of(r, e_i), dot_of(r, e_j), dot_of(r, n)
    p = next_axis(m)
    q = next_axis(p)
    d, f, a, b = axis_of(placed, other, p), axis_of(placed, other, q), placed[other, HALF + p], placed[other, HALF + q]
    du, dv, dw = a * dot_of(d, e_i), a * dot_of(d, e_j), a * dot_of(d, n)
    fu, fv, fw = b * dot_of(f, e_i), b * dot_of(f, e_j), b * dot_of(f, n)
    if du * fv < dv * fu:  # corners go round the own normal
        du, dv, dw = -du, -dv, -dw
    keep_in_frame(CORNERS, u + du + fu, v + dv + fv, w + dw + fw, frame)
    keep_in_frame(CORNERS + NUMBERS, u - du + fu, v - dv + fv, w - dw + fw, frame)
    keep_in_frame(CORNERS + 2 * NUMBERS, u - du - fu, v - dv - fv, w - dw - fw, frame)
    keep_in_frame(CORNERS + 3 * NUMBERS, u + du - fu, v + dv - fv, w + dw - fw, frame)
    return middle


@shared_kernel
def clip(count, source, target, which, sign, most, frame):
    """Cut a polygon off where ±u or ±v is above `most`; return its number of corners. Writes frame."""
    kept = 0
    if count == 0:
        return 0
    last = source + NUMBERS * (count - 1)
    before = sign * frame[last + which] - most
    for c in range(count):
        here = source + NUMBERS * c
        out = sign * frame[here + which] - most
        if (before > 0.0) != (out > 0.0):
            part = before / (before - out)
            for k in range(NUMBERS):
                frame[target + NUMBERS * kept + k] = frame[last + k] + part * (frame[here + k] - frame[last + k])
            kept += 1
        if out <= 0.0:
            for k in range(NUMBERS):
                frame[target + NUMBERS * kept + k] = frame[here + k]
            kept += 1
        last, before = here, out
    return kept


@kernel
def is_at(one, other, near, frame):
    """Whether two corners are nearer than that to each other along the face."""
    return max(abs(frame[other] - frame[one]), abs(frame[other + 1] - frame[one + 1])) <= near


@kernel
def join_corners(count, at, near, frame):
    """Leave out corners of a polygon that are at the one before; return how many stay. Writes frame."""
    kept = 0
    for c in range(count):
        here, last = at + NUMBERS * c, at + NUMBERS * (kept - 1)
        first = kept > 0 and c == count - 1 and is_at(at, here, near, frame)
        if not first and (kept == 0 or not is_at(last, here, near, frame)):
            for k in range(NUMBERS):
                frame[at + NUMBERS * kept + k] = frame[here + k]
            kept += 1
    return kept


@kernel
def heading(one, other, frame):
    """The direction of a side of a patch, 0 to 4 round the square |x| + |y| = 1."""
    x, y = frame[other] - frame[one], frame[other + 1] - frame[one + 1]
    part = y / (abs(x) + abs(y))
    if x < 0.0:
        return 2.0 - part
    return part if y >= 0.0 else part + 4.0  # a whole turn


@kernel
def turn_of(before, after):
    """How far a side turns at a corner, 0 to 4."""
    # a whole turn is 4; a patch is convex, so that less than 0 is rounding
    turn = after - before
    if turn < -0.5:
        turn += 4.0
    return max(turn, 0.0) if turn < 3.0 else 0.0


@shared_kernel
def touch_face(placed, own, other, k, n, reach, sign, first, spots, frame):
    """The patch on face k of `own`, n out of it; with a sign of −1 `own` is b. Return how many spots were kept. Writes
    spots, frame.
    """
    middle = project_face(placed, own, other, k, n, frame)
    i = next_axis(k)
    j = next_axis(i)
    one, two = CORNERS, CORNERS + ROOM
    count = clip(4, one, two, 0, 1.0, placed[own, HALF + i], frame)  # corners of a face
    count = clip(count, two, one, 0, -1.0, placed[own, HALF + i], frame)
    count = clip(count, one, two, 1, 1.0, placed[own, HALF + j], frame)
    count = clip(count, two, one, 1, -1.0, placed[own, HALF + j], frame)
    if count == 0:
        return 0
    count = join_corners(count, one, TOGETHER * (placed[own, HALF + i] + placed[own, HALF + j]), frame)
    e_i, e_j, kept = axis_of(placed, own, i), axis_of(placed, own, j), 0
    before = heading(one + NUMBERS * (count - 1), one, frame) if count > 1 else 0.0
    for c in range(count):
        at = one + NUMBERS * c
        w, share = frame[at + 2], 4.0  # of all corners
        if count > 1:
            after = heading(at, at + NUMBERS if c < count - 1 else one, frame)
            share = turn_of(before, after)
            before = after
        if w <= reach and share > NOTHING:
            on_own = beyond(beyond(middle, frame[at], e_i), frame[at + 1], e_j)
            on_other = beyond(on_own, w, n)
            if sign > 0.0:
                keep_spot(on_own, on_other, n, w, share, OF_A, first + kept, spots)
            else:
                keep_spot(on_other, on_own, (-n[0], -n[1], -n[2]), w, share, OF_B, first + kept, spots)
            kept += 1
    return kept
