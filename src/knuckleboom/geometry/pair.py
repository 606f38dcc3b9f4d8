# SPDX-License-Identifier: BSD-3-Clause
"""Where two shapes touch: the kernel of their kinds.

Spots up to a gap `reach` are kept, so that what comes near is seen before it touches. What comes out depends on the two
shapes alone, and spots come in the order of their geometry. Checked by tests/geometry/test_pair.py
"""

from knuckleboom.geometry.box_pair import touch_boxes
from knuckleboom.geometry.placed import BOX, CAPSULE, SPHERE
from knuckleboom.geometry.round_pairs import (
    touch_capsule_box,
    touch_capsules,
    touch_sphere_box,
    touch_sphere_capsule,
    touch_spheres,
)
from knuckleboom.geometry.spots import swap_sides
from knuckleboom.kernels import shared_kernel


@shared_kernel
def touch_ordered(kind_a, kind_b, placed, a, b, reach, first, spots, frame):
    """Two shapes whose kinds are in order. Return how many spots were kept. Writes spots and frame."""
    if kind_a == BOX:
        return touch_boxes(placed, a, b, reach, first, spots, frame)
    if kind_a == CAPSULE:
        if kind_b == BOX:
            return touch_capsule_box(placed, a, b, reach, first, spots, frame)
        return touch_capsules(placed, a, b, reach, first, spots)
    if kind_b == SPHERE:
        return touch_spheres(placed, a, b, reach, first, spots)
    if kind_b == CAPSULE:
        return touch_sphere_capsule(placed, a, b, reach, first, spots)
    return touch_sphere_box(placed, a, b, reach, first, spots)


@shared_kernel
def touch(kind_a, kind_b, placed, a, b, reach, first, spots, frame):
    """Fill the spots of shapes a and b from row `first` on, at most spots.MOST; return their number. Writes spots and,
    to work in, frame.
    """
    if kind_a <= kind_b:
        return touch_ordered(kind_a, kind_b, placed, a, b, reach, first, spots, frame)
    count = touch_ordered(kind_b, kind_a, placed, b, a, reach, first, spots, frame)
    swap_sides(first, count, spots)
    return count
