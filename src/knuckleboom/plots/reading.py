# SPDX-License-Identifier: BSD-3-Clause
"""Units in which people read: each SI unit of a record, what it is shown in, and how many of those make one SI unit.

Pressures stay absolute (1e5 Pa are shown as 1 bar). A unit that is not listed is shown as it is.
"""

import math

from knuckleboom import units
from knuckleboom.results import Quantity

READ_IN: dict[str, tuple[str, float]] = {
    "Pa": ("bar", 1e-5),
    "m": ("mm", 1e3),
    "rad": ("deg", 180.0 / math.pi),
    "rad/s": ("deg/s", 180.0 / math.pi),
    "rad/s^2": ("deg/s²", 180.0 / math.pi),
    "m^3": ("l", 1e3),
    "m^3/s": ("l/min", 6e4),
    "N": ("kN", 1e-3),
    "N*m": ("kN·m", 1e-3),
    "J": ("kJ", 1e-3),
    "W": ("kW", 1e-3),
    "m/s^2": ("m/s²", 1.0),
    "1": ("", 1.0),
}


def readable(unit: str) -> tuple[str, float]:
    """Return the unit people read for an SI unit, and the factor from SI to it."""
    return READ_IN.get(units.canonical(unit), (unit, 1.0))


def shown(quantity: Quantity) -> tuple[str, float]:
    """Return unit and factor for one quantity; one that was converted by `.to()` stays as its reader asked."""
    return readable(quantity.unit) if quantity.unit == quantity.signal.unit else (quantity.unit, 1.0)
