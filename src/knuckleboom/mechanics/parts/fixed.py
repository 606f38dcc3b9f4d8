# SPDX-License-Identifier: BSD-3-Clause
"""Fixed joint: holds b's place to a's place, origin and axes. No coordinates, no states; the axis has no effect.

Validated by: validation/analytic/test_fixed.py
"""

from typing import ClassVar

from knuckleboom.mechanics.parts.joint import Joint


class Fixed(Joint):
    """Two bodies welded together where their places coincide."""

    COORDINATES: ClassVar[tuple[tuple[str, str], ...]] = ()
