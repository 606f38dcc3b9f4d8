# SPDX-License-Identifier: BSD-3-Clause
"""What can be named as a shaft: a shaft of its own (shaft.py), or a coordinate of a joint (shaft_of.py).

With columns of oil (interface/parts/oil_column.py) they are what a held sum can add up.
"""

from typing import ClassVar

from knuckleboom.describe import Part


class Moving(Part):
    """Base of what has one coordinate and its rate, and no place in space."""

    SHARED: ClassVar[bool] = True


class Shafting(Moving):
    """Base of what engines, pumps, motors, springs and gears can be put on."""

    SECTION: ClassVar[str] = "shafts"
