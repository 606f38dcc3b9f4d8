# SPDX-License-Identifier: BSD-3-Clause
"""Prismatic joint: b slides along the common axis.

Coordinate  travel (m), positive when b's place moves along +axis from a's place; axes stay parallel.
Limits      none of its own; add a joint_stop, joint_friction or joint_spring.
Validated by: validation/analytic/test_spring_mass.py
"""

from typing import ClassVar

from knuckleboom.mechanics.parts.joint import Joint


class Prismatic(Joint):
    """A slide: one travel along the axis."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = (("travel", "length"),)
