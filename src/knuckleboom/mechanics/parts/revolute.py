# SPDX-License-Identifier: BSD-3-Clause
"""Revolute joint: b turns about the common axis.

Coordinate  angle (rad), right-handed from a to b about the axis; zero when the places' axes coincide.
Limits      none of its own; add a joint_stop, joint_friction or joint_spring.
Validated by: validation/analytic/test_pendulum.py
"""

from typing import ClassVar

from knuckleboom.mechanics.parts.joint import Joint


class Revolute(Joint):
    """A pin: one angle about the axis."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = (("angle", "angle"),)
