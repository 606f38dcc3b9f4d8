# SPDX-License-Identifier: BSD-3-Clause
"""Planar joint: b's place moves in the plane through a's place that is normal to the axis, and turns about the axis.

Coordinates x, y (m) in the plane and angle (rad) about the normal. With axis z they are along a's x and y; for another
axis the plan turns both places so that their z is the axis.
Validated by: validation/analytic/test_planar.py
"""

from typing import ClassVar

from knuckleboom.mechanics.parts.joint import Joint


class Planar(Joint):
    """Sliding on a plane: two travels in it and one angle about its normal."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = (("x", "length"), ("y", "length"), ("angle", "angle"))
