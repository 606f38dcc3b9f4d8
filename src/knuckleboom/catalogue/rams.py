# SPDX-License-Identifier: BSD-3-Clause
"""Cylinders of the catalogue's circuits as tables: sizes of each, and how one becomes a cylinder of a machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knuckleboom.describe import Place
from knuckleboom.machine import Handle, Machine


@dataclass(frozen=True)
class Ram:
    """A cylinder: diameters of bore and rod, stroke, and pin to pin when retracted, m; settings of its own."""

    bore: float
    rod: float
    stroke: float
    closed: float
    settings: Mapping[str, Any] = field(default_factory=dict)


def add_ram(
    m: Machine,
    oil: Handle,
    name: str,
    ram: Ram,
    places: tuple[Place, Place],
    pressures: tuple[float, float],
    **settings: Any,
) -> Handle:
    """Add a cylinder between two places; `pressures` are those of bore and rod sides at the start, Pa."""
    cylinder: Handle = m.cylinder(
        name, *places, bore=ram.bore, rod=ram.rod, stroke=ram.stroke, closed=ram.closed, oil=oil,
        pressure_a=pressures[0], pressure_b=pressures[1], **settings, **ram.settings,
    )  # fmt: skip
    return cylinder
