# SPDX-License-Identifier: BSD-3-Clause
"""What a machine designer looks at first: which of many quantities of one kind are drawn when not all can be.

    rank 0     joints; the line that a pump delivers into, and the pump itself
         1     cylinders, motors, winches
         2     everything else
         3     springs and leakages, such as a stand's springs, as long as there is anything better

Within a rank the ones that change most come first. Kinds of parts are those of the circuit and the outline that are
kept with the results; a file without them has rank 2 throughout. Tested in tests/plots/test_overview.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from knuckleboom.results import Quantity, Results

FOREMOST, MOVER, OTHER, ASIDE = range(4)
MOVERS = ("cylinder", "motor", "winch")
TURNS = 3.0 * np.pi
"""An angle that goes farther than this, rad, turns on and on: beside it all others would be flat."""


def ranks(results: Results) -> dict[str, int]:
    """Return the ranks of parts and ports by name, as far as they differ from OTHER."""
    outline, oil = results.meta.get("outline") or {}, (results.meta.get("circuit") or {}).get("parts", ())
    found = {line["name"]: ASIDE for line in outline.get("lines", ()) if line["kind"] == "spring"}
    found |= {joint["name"]: FOREMOST for joint in outline.get("joints", ())}
    found |= {part["name"]: MOVER for part in oil if part["kind"].endswith(MOVERS)}
    for pump in (part for part in oil if part["kind"].endswith("pump")):
        found |= {pump["name"]: FOREMOST, pump["nets"]["b"]: FOREMOST}
    return found


def rank(path: str, known: dict[str, int]) -> int:
    """Return the rank of a quantity: that of its port, or of its part."""
    if path.endswith(".leak.flow"):
        return ASIDE
    return known.get(path.rpartition(".")[0], known.get(path.partition(".")[0], OTHER))


def first(results: Results, quantities: list[Quantity], most: int) -> list[Quantity]:
    """Keep at most so many quantities: those of the best rank, of these the ones that change most for their unit."""
    known = ranks(results)
    quantities = [one for one in quantities if rank(one.path, known) != ASIDE] or quantities
    if len(quantities) <= most:
        return quantities
    sizes = [float(np.ptp(quantity.values)) if len(quantity) else 0.0 for quantity in quantities]
    largest: dict[str, float] = {}
    for quantity, size in zip(quantities, sizes, strict=True):
        largest[quantity.unit] = max(largest.get(quantity.unit, 0.0), size)

    def order(place: int) -> tuple[Any, ...]:
        quantity = quantities[place]
        return rank(quantity.path, known), -sizes[place] / (largest[quantity.unit] or 1.0), -place

    kept = sorted(sorted(range(len(quantities)), key=order)[:most])
    return [quantities[place] for place in kept]


def lively(quantities: list[Quantity]) -> list[Quantity]:
    """Leave out what never changes, as long as something does."""
    return [quantity for quantity in quantities if len(quantity) and np.ptp(quantity.values)] or quantities


def turns_on(quantity: Quantity) -> bool:
    """Return whether an angle goes round and round."""
    return quantity.unit == "rad" and len(quantity) > 0 and float(np.ptp(quantity.values)) > TURNS


def apart(quantities: list[Quantity]) -> Iterator[list[Quantity]]:
    """Yield the quantities that share a plot well: angles that turn on and on are by themselves."""
    for turning in (False, True):
        members = [quantity for quantity in quantities if turns_on(quantity) == turning]
        if members:
            yield members
