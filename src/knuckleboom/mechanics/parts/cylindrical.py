# SPDX-License-Identifier: BSD-3-Clause
"""Cylindrical joint: b slides along and turns about one axis, independently.

Coordinates travel (m) along +axis, then angle (rad) right-handed about it. A barrel and its rod are joined by one.
Validated by: validation/analytic/test_cylindrical.py
"""

from typing import ClassVar

from knuckleboom.mechanics.parts.joint import Joint


class Cylindrical(Joint):
    """A sleeve on a shaft: travel along and angle about the same axis."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = (("travel", "length"), ("angle", "angle"))
