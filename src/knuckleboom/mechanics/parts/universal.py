# SPDX-License-Identifier: BSD-3-Clause
"""Universal joint (Cardan, Hooke): b turns about an axis fixed in a, then about a second axis fixed in b.

    R_ab = R(axis, angle_1) · R(second_axis, angle_2)

Coordinates angle_1 (rad) about `axis`, fixed in a; angle_2 (rad) about `second_axis`, fixed in b. At zero coordinates
both are given in the common axes and must be perpendicular. The second axis defaults to the next one: x→y, y→z, z→x.
Limits: regular at all angles as a tree joint; the two angles lose meaning as shaft angles near angle_2 = ±90°.
Validated by: validation/analytic/test_universal.py
"""

import math
from collections.abc import Iterator
from typing import ClassVar

from knuckleboom.describe import Fault, param
from knuckleboom.mechanics.parts.joint import Joint, vector, zero_axis
from knuckleboom.quantities import Axis, show

NEXT = {"x": "y", "y": "z", "z": "x"}
PERPENDICULAR = 1e-6
"""Largest cosine between the two axes that still counts as a right angle; typed vectors have about that many digits."""


class Universal(Joint):
    """A cross: an angle about the first axis, then one about a second axis perpendicular to it."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = (("angle_1", "angle"), ("angle_2", "angle"))

    second_axis: Axis | None = param("axis fixed in b, perpendicular to axis; default: x→y, y→z, z→x", None)

    @property
    def second(self) -> tuple[float, float, float]:
        """The second axis as three numbers, with the default filled in; (0, 0, 0) when it has to be given."""
        if self.second_axis is not None:
            return vector(self.second_axis)
        if isinstance(self.axis, str):
            return vector(NEXT[self.axis.lstrip("-")])
        return 0.0, 0.0, 0.0

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        if self.second_axis is None and not isinstance(self.axis, str):
            yield Fault(
                f"axis is {show(self.axis)}, which has no default second_axis.",
                "Give second_axis as well, perpendicular to axis.",
                field="axis",
            )
            return
        yield from zero_axis("second_axis", self.second)

        first, second = vector(self.axis), self.second
        size = math.hypot(*first) * math.hypot(*second)
        along = sum(x * y for x, y in zip(first, second, strict=True))
        if size > 0.0 and abs(along) > PERPENDICULAR * size:
            degrees = math.degrees(math.acos(max(-1.0, min(1.0, along / size))))
            yield Fault(
                f"axis and second_axis are {degrees:.4g} degrees apart; they must be perpendicular.",
                "Leave second_axis out for the next axis (x→y, y→z, z→x), or give one at 90 degrees.",
                field="second_axis",
            )
