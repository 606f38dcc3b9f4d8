# SPDX-License-Identifier: BSD-3-Clause
"""In which unit a quantity is shown in the cabin: one table for gauges, charts, limits and sliders.

    shown = factor·SI + offset                    Shown("bar gauge", 1e-5, -1.01325) for an absolute pressure

An absolute pressure is shown as gauge pressure; its zero is the machine's ambient pressure. A difference of pressures
is in plain bar. Without a known ambient pressure, as of results alone, absolute pressures say that they are absolute.
Tested in tests/cabin/test_shown_units.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from knuckleboom.units import readable

GAUGE, ABSOLUTE = "bar gauge", "bar absolute"
BAR = 1e-5
OWN = {
    "m": ("m", 1.0), "rad": ("°", 180.0 / math.pi), "rad/s": ("°/s", 180.0 / math.pi),
    "rad/s^2": ("°/s²", 180.0 / math.pi),
}  # fmt: skip
"""Units that an operator reads otherwise than a plot has them."""
SHAFT = ("1/min", 30.0 / math.pi)
"""The speed of a shaft that is set by hand."""


class Shown(NamedTuple):
    """A unit for people: its name, and how it is found from SI."""

    unit: str
    factor: float
    offset: float = 0.0


def shown_in(unit: str, meaning: str, ambient: float | None) -> Shown:
    """Return the unit in which a quantity is shown; `meaning` says whether a pressure is an absolute one."""
    if unit == "Pa" and meaning.startswith("absolute pressure"):
        return Shown(ABSOLUTE, BAR) if ambient is None else Shown(GAUGE, BAR, -BAR * ambient)
    name, factor = OWN.get(unit) or readable(unit)
    return Shown(name.replace("*", "·").replace("^2", "²").replace("^3", "³"), factor)


def with_shown(found: Iterable[Mapping[str, Any]], ambient: float | None) -> list[dict[str, Any]]:
    """Return signals or inputs with the unit in which each is shown under the key `shown`."""
    return [{**one, "shown": list(shown_in(one["unit"], one["meaning"], ambient))} for one in found]


def input_shown(one: Mapping[str, Any], ambient: float | None) -> dict[str, Any]:
    """Return an input with the unit of its slider: a shaft turns in 1/min."""
    found = Shown(*SHAFT) if one["unit"] == "rad/s" else shown_in(one["unit"], one["meaning"], ambient)
    return {**one, "shown": list(found)}
