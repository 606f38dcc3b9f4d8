# SPDX-License-Identifier: BSD-3-Clause
"""The unit in which a quantity of results is drawn."""

from knuckleboom.results import Quantity
from knuckleboom.units import readable


def shown(quantity: Quantity) -> tuple[str, float]:
    """Return unit and factor for one quantity; one that was converted by `.to()` stays as its reader asked."""
    return readable(quantity.unit) if quantity.unit == quantity.signal.unit else (quantity.unit, 1.0)
