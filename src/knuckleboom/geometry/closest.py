# SPDX-License-Identifier: BSD-3-Clause
"""Closest points: of two segments, of a point or a segment and a box.

Segments are C + s d, |s| ≤ a with a unit vector d; boxes have their own axes. The squared distance of a segment's point
from a box is convex in s, with a slope that is linear between the planes of its faces: its root is found exactly.
Elementary geometry [Ericson 2005, sect. 5.1]; checked by tests/geometry/test_closest.py
"""

from knuckleboom.geometry.placed import HALF, axis_of, between, centre_of
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.kernels import kernel, shared_kernel

PARALLEL = 1e-16
"""|d_a × d_b|² below which two segments are taken as parallel."""


@kernel
def clamp(x, most):
    """Return x within ±most."""
    return min(max(x, -most), most)


@kernel
def across(d):
    """A unit vector across a unit vector d."""
    # with the axis that d is furthest from
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    if x <= y and x <= z:
        a, b, c = 0.0, -d[2], d[1]
    elif y <= z:
        a, b, c = d[2], 0.0, -d[0]
    else:
        a, b, c = -d[1], d[0], 0.0
    share = (a * a + b * b + c * c) ** -0.5
    return a * share, b * share, c * share


@shared_kernel
def closest_of_segments(apart, d_a, half_a, d_b, half_b):
    """Return where on two segments the closest points are [m]; `apart` goes from the centre of a to that of b."""
    b, c, f = dot_of(d_a, d_b), dot_of(d_a, apart), dot_of(d_b, apart)
    n = cross_of(d_a, d_b)
    turned = dot_of(n, n)
    s = clamp((c - b * f) / turned, half_a) if turned > PARALLEL else clamp(c, half_a)
    t = clamp(b * s - f, half_b)
    s = clamp(b * t + c, half_a)
    return s, t


@kernel
def in_axes(placed, box, p):
    """Components of a vector along the axes of a shape."""
    return (
        dot_of(p, axis_of(placed, box, 0)),
        dot_of(p, axis_of(placed, box, 1)),
        dot_of(p, axis_of(placed, box, 2)),
    )


@kernel
def from_axes(placed, box, x):
    """The vector that has components x along the axes of a shape."""
    e, f, g = axis_of(placed, box, 0), axis_of(placed, box, 1), axis_of(placed, box, 2)
    return (
        x[0] * e[0] + x[1] * f[0] + x[2] * g[0],
        x[0] * e[1] + x[1] * f[1] + x[2] * g[1],
        x[0] * e[2] + x[1] * f[2] + x[2] * g[2],
    )


@kernel
def excess(placed, box, k, x):
    """How far x along axis k is beyond the faces of a box, with its sign [m]; 0 between them."""
    return x - clamp(x, placed[box, HALF + k])


@kernel
def excess_of(placed, box, x):
    """How far a point is out of a box along each of its axes [m]."""
    return excess(placed, box, 0, x[0]), excess(placed, box, 1, x[1]), excess(placed, box, 2, x[2])


@kernel
def nearest_face(placed, box, x):
    """The axis of the face that a point inside a box is nearest to, and its depth there [m]; x along the axes."""
    face, least = 0, placed[box, HALF] - abs(x[0])
    for k in range(1, 3):
        depth = placed[box, HALF + k] - abs(x[k])
        if depth < least:
            face, least = k, depth
    return face, least


@kernel
def distance_slope(placed, box, x, d, s):
    """Half the slope of the squared distance of x + s d from a box, in s [m]."""
    slope = 0.0
    for k in range(3):
        slope += d[k] * excess(placed, box, k, x[k] + s * d[k])
    return slope


@kernel
def closest_of_segment(placed, box, x, d, half):
    """Return where on the segment x + s d, |s| ≤ half, along the axes of a box, it is closest to the box [m]."""
    low, high = -half, half
    at_low, at_high = distance_slope(placed, box, x, d, low), distance_slope(placed, box, x, d, high)
    if at_low >= 0.0:
        return low
    if at_high <= 0.0:
        return high
    for k in range(3):
        if d[k] != 0.0:
            for side in range(2):
                s = ((2 * side - 1) * placed[box, HALF + k] - x[k]) / d[k]
                if low < s < high:
                    slope = distance_slope(placed, box, x, d, s)
                    if slope <= 0.0:
                        low, at_low = s, slope
                    else:
                        high, at_high = s, slope
    return low - at_low * (high - low) / (at_high - at_low)


@kernel
def towards(placed, a, b):
    """The vector from the centre of shape a to that of b [m]."""
    return between(centre_of(placed, a), centre_of(placed, b))
