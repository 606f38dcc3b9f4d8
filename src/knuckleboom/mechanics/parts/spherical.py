# SPDX-License-Identifier: BSD-3-Clause
"""Spherical joint: b turns freely about a's place.

Orientation is kept as a unit quaternion, advanced by the exponential map. `start` is a rotation vector (3 angles, axis
times angle, in a's axes); `speed` is the angular velocity ω of b relative to a, in b's axes. The axis has no effect.
Validated by: validation/analytic/test_heavy_top.py
"""

from typing import ClassVar

from knuckleboom.mechanics.parts.joint import Joint


class Spherical(Joint):
    """A ball: three rotations, none of them singular."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = (("rx", "angle"), ("ry", "angle"), ("rz", "angle"))
    SPATIAL: ClassVar[bool] = True
