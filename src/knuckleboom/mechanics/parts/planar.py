# SPDX-License-Identifier: BSD-3-Clause
"""Planar joint: b's place moves in the plane through a's place that is normal to the axis, and turns about the axis.

Coordinates x, y (m) in the plane and angle (rad) about the normal. In the axes of a's place, x is along the coordinate
axis after the largest component of the axis (z → x, x → y, y → z), made square to it, and y = axis × x:

    axis        z      x      y      −z       −x       −y
    x, y      x, y   y, z   z, x   x, −y    y, −z    z, −x

For other directions put the joint on a frame, with the axis z.
Validated by: validation/analytic/test_planar.py
"""

from typing import ClassVar

from knuckleboom.mechanics.parts.joint import Joint


class Planar(Joint):
    """Sliding on a plane: two travels in it and one angle about its normal."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = (("x", "length"), ("y", "length"), ("angle", "angle"))
