# SPDX-License-Identifier: BSD-3-Clause
"""What can be named as a shaft: a shaft of its own (shaft.py), or a coordinate of a joint (shaft_of.py)."""

from typing import ClassVar

from knuckleboom.describe import Part


class Shafting(Part):
    """Base of what engines, pumps, motors, springs and gears can be put on."""

    SECTION: ClassVar[str] = "shafts"
    SHARED: ClassVar[bool] = True
