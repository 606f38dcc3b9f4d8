# SPDX-License-Identifier: BSD-3-Clause
"""Free joint: b moves freely relative to a; for vehicles, loads on the ground and flying bodies.

`start` is (x, y, z) of b's place in a's axes and a rotation vector (3 angles, in a's axes). `speed` is the velocity of
b's place in a's axes, then the angular velocity ω of b relative to a in b's axes. Orientation is a unit quaternion. The
axis has no effect.
Validated by: validation/analytic/test_free_body.py
"""

from typing import ClassVar

from knuckleboom.mechanics.parts.joint import Joint


class Free(Joint):
    """Six degrees of freedom."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = (
        ("x", "length"), ("y", "length"), ("z", "length"), ("rx", "angle"), ("ry", "angle"), ("rz", "angle"),
    )  # fmt: skip
    SPATIAL: ClassVar[bool] = True
