# SPDX-License-Identifier: BSD-3-Clause
"""Where spheres, capsules and boxes touch each other, if at least one of the two is round.

A sphere touches in one spot: on the line from its centre to the closest point of the other, or, with its centre inside
a box, through the nearest face. A capsule touches in up to three: at the closest place s* of its axis, and at both ends
of the part of the axis that is beside the other, s₀ to s₁, by the shares

    g m + 1 − g,     g m (s* − s₀)/ℓ,     g m (s₁ − s*)/ℓ,     ℓ = s₁ − s₀,   m = ½ + ½ min(ℓ/r, 1)
    g = 2 (d_a·d_b)² − 1, at least 0, of two capsules; g = 1 at a box

so that a log lies on two others, and which end is the closest may change without a jump. Where the axis of a capsule
goes through a box, the separating axes of box_axes.py say which way is out.
Own choice of spots; checked by tests/geometry/test_round_pairs.py
"""

from knuckleboom.geometry.box_axes import EDGES, FACES, edge_points, relate, separate
from knuckleboom.geometry.closest import (
    across,
    clamp,
    closest_of_segment,
    closest_of_segments,
    excess,
    excess_of,
    from_axes,
    in_axes,
    nearest_face,
    towards,
)
from knuckleboom.geometry.placed import HALF, LENGTHWISE, RADIUS, axis_of, between, beyond, centre_of
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.geometry.spots import NOTHING, OF_B, OF_LINE, keep_round, keep_spot
from knuckleboom.kernels import kernel, shared_kernel

LENGTH = HALF + LENGTHWISE
PARALLEL = 0.05
"""Component of a capsule's axis across an edge of a box up to which it may lie along that edge."""
UP = (0.0, 0.0, 1.0)


@kernel
def touch_spheres(placed, a, b, reach, first, spots):
    """Two spheres. Return how many spots were kept. Writes spots."""
    radii = placed[a, RADIUS] + placed[b, RADIUS]
    return keep_round(centre_of(placed, a), centre_of(placed, b), radii, UP, reach, 1.0, OF_LINE, first, spots)


@kernel
def touch_sphere_capsule(placed, a, b, reach, first, spots):
    """A sphere a and a capsule b. Return how many spots were kept. Writes spots."""
    d, radii = axis_of(placed, b, LENGTHWISE), placed[a, RADIUS] + placed[b, RADIUS]
    t = clamp(-dot_of(towards(placed, a, b), d), placed[b, LENGTH])
    on_b = beyond(centre_of(placed, b), t, d)
    return keep_round(centre_of(placed, a), on_b, radii, across(d), reach, 1.0, OF_LINE, first, spots)


@kernel
def shares_of(s, low, high, radius, alike):
    """What the closest place s of an axis counts for, and both ends of the part beside the other; `alike` is g."""
    length = high - low
    if length <= 0.0:
        return 1.0, 0.0, 0.0
    both = alike * (0.5 + 0.5 * min(length / radius, 1.0))
    return both + 1.0 - alike, both * clamp((s - low) / length, 1.0), both * clamp((high - s) / length, 1.0)


@shared_kernel
def touch_capsules(placed, a, b, reach, first, spots):
    """Two capsules. Return how many spots were kept. Writes spots."""
    apart, c_a, c_b = towards(placed, a, b), centre_of(placed, a), centre_of(placed, b)
    d_a, d_b = axis_of(placed, a, LENGTHWISE), axis_of(placed, b, LENGTHWISE)
    half_a, half_b = placed[a, LENGTH], placed[b, LENGTH]
    radii, radius = placed[a, RADIUS] + placed[b, RADIUS], min(placed[a, RADIUS], placed[b, RADIUS])
    s, t = closest_of_segments(apart, d_a, half_a, d_b, half_b)
    otherwise = crossing_normal(d_a, d_b, apart)
    # ends of the part of a that is beside b
    same, c, f = dot_of(d_a, d_b), dot_of(d_a, apart), dot_of(d_b, apart)
    low, high = max(c - half_b * abs(same), -half_a), min(c + half_b * abs(same), half_a)
    share, at_low, at_high = shares_of(s, low, high, radius, max(2.0 * same * same - 1.0, 0.0))
    count = keep_round(beyond(c_a, s, d_a), beyond(c_b, t, d_b), radii, otherwise, reach, share, OF_LINE, first, spots)
    if count == 0:
        return 0
    if at_low > NOTHING:
        on_b = beyond(c_b, clamp(same * low - f, half_b), d_b)
        on_a = beyond(c_a, low, d_a)
        count += keep_round(on_a, on_b, radii, otherwise, reach, at_low, OF_LINE, first + count, spots)
    if at_high > NOTHING:
        on_b = beyond(c_b, clamp(same * high - f, half_b), d_b)
        on_a = beyond(c_a, high, d_a)
        count += keep_round(on_a, on_b, radii, otherwise, reach, at_high, OF_LINE, first + count, spots)
    return count


@kernel
def crossing_normal(d_a, d_b, apart):
    """The normal of two axes that meet: across both, from the one centre to the other."""
    x, y, z = cross_of(d_a, d_b)
    size = x * x + y * y + z * z
    if size <= 0.0:
        return across(d_a)
    share = size**-0.5 if dot_of((x, y, z), apart) >= 0.0 else -(size**-0.5)
    return share * x, share * y, share * z


@shared_kernel
def keep_at_box(p, radius, placed, box, reach, share, row, spots):
    """Keep the spot of a round thing about p and a box, if within reach. Return how many were kept. Writes spots."""
    x = in_axes(placed, box, between(centre_of(placed, box), p))
    out = excess_of(placed, box, x)
    if out[0] != 0.0 or out[1] != 0.0 or out[2] != 0.0:
        on_box = beyond(p, -1.0, from_axes(placed, box, out))
        return keep_round(p, on_box, radius, UP, reach, share, OF_B, row, spots)
    face, depth = nearest_face(placed, box, x)
    keep_at_face(p, radius, placed, box, face, x[face] >= 0.0, -depth, share, row, spots)
    return 1


@kernel
def keep_at_face(p, radius, placed, box, face, upper, height, share, row, spots):
    """Keep the spot of a round thing about p, which is at a height over a face of a box. Writes spots."""
    m = axis_of(placed, box, face)
    n = (-m[0], -m[1], -m[2]) if upper else m
    keep_spot(p, beyond(p, height, n), n, height - radius, share, OF_B, row, spots)


@kernel
def touch_sphere_box(placed, a, b, reach, first, spots):
    """A sphere a and a box b. Return how many spots were kept. Writes spots."""
    return keep_at_box(centre_of(placed, a), placed[a, RADIUS], placed, b, reach, 1.0, first, spots)


@shared_kernel
def part_over(placed, box, x, d, half, s, face, radius):
    """Return the ends of the part of an axis x + s d that is over a face of a box, with s in it."""
    low, high = -half, half
    for k in range(3):
        if k != face and d[k] != 0.0:
            # what lies along an edge may be outside of it
            along = max(1.0 - (d[k] / PARALLEL) * (d[k] / PARALLEL), 0.0)
            most = placed[box, HALF + k] + abs(excess(placed, box, k, x[k] + s * d[k])) + radius * along * along
            one, other = (-most - x[k]) / d[k], (most - x[k]) / d[k]
            low, high = max(low, min(one, other)), min(high, max(one, other))
    return min(low, s), max(high, s)


@shared_kernel
def touch_capsule_box(placed, a, b, reach, first, spots, frame):
    """A capsule a and a box b. Return how many spots were kept. Writes spots and, to work in, frame."""
    centre, axis = centre_of(placed, a), axis_of(placed, a, LENGTHWISE)
    half, radius = placed[a, LENGTH], placed[a, RADIUS]
    x, d = in_axes(placed, b, between(centre_of(placed, b), centre)), in_axes(placed, b, axis)
    s = closest_of_segment(placed, b, x, d, half)
    out = excess_of(placed, b, (x[0] + s * d[0], x[1] + s * d[1], x[2] + s * d[2]))
    if out[0] == 0.0 and out[1] == 0.0 and out[2] == 0.0:
        return touch_pierced_box(placed, a, b, x, d, s, first, spots, frame)
    face = 0
    for k in range(1, 3):
        if abs(out[k]) > abs(out[face]):
            face = k
    low, high = part_over(placed, b, x, d, half, s, face, radius)
    share, at_low, at_high = shares_of(s, low, high, radius, 1.0)
    count = keep_at_box(beyond(centre, s, axis), radius, placed, b, reach, share, first, spots)
    if count == 0:
        return 0
    if at_low > NOTHING:
        count += keep_at_box(beyond(centre, low, axis), radius, placed, b, reach, at_low, first + count, spots)
    if at_high > NOTHING:
        count += keep_at_box(beyond(centre, high, axis), radius, placed, b, reach, at_high, first + count, spots)
    return count


@shared_kernel
def touch_pierced_box(placed, a, b, x, d, s, first, spots, frame):
    """A capsule a whose axis x + s d pierces a box b at s. Return how many spots were kept. Writes spots, frame."""
    centre, axis = centre_of(placed, a), axis_of(placed, a, LENGTHWISE)
    half, radius = placed[a, LENGTH], placed[a, RADIUS]
    relate(placed, a, b, frame)
    _, way = separate(placed, a, b, FACES, 0.0, frame)
    if way >= EDGES:
        on_a, on_b, n, gap = edge_points(placed, a, b, way, frame)
        keep_spot(on_a, on_b, n, gap - radius, 1.0, OF_B, first, spots)
        return 1
    face = way - FACES
    upper = x[face] >= 0.0
    sign = 1.0 if upper else -1.0
    low, high = part_over(placed, b, x, d, half, s, face, 0.0)
    below, above = sign * (x[face] + low * d[face]), sign * (x[face] + high * d[face])
    top = placed[b, HALF + face]
    if below == above:
        keep_at_face(centre, radius, placed, b, face, upper, below - top, 1.0, first, spots)
        return 1
    share, _, _ = shares_of(low, low, high, radius, 1.0)
    keep_at_face(beyond(centre, low, axis), radius, placed, b, face, upper, below - top, share, first, spots)
    keep_at_face(beyond(centre, high, axis), radius, placed, b, face, upper, above - top, share, first + 1, spots)
    return 2
