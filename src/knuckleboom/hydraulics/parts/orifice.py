# SPDX-License-Identifier: BSD-3-Clause
"""What restrictors, checks and pressure valves share: two ports and a size, an area with cd or a flow at a drop.

    Q = cd·area·√(2·Δp/ρ)                       [Merritt 1967], or Q/√Δp from `flow`

Below `transition` the root is replaced by a smooth curve, so that the slope stays finite at Δp = 0.
"""

from collections.abc import Iterator
from typing import Any

from knuckleboom.describe import Fault, param
from knuckleboom.hydraulics.parts.between import Between
from knuckleboom.quantities import Area, FlowAt, Number, PressureDrop


class Orifice(Between):
    """Base of the parts that are one orifice between two ports."""

    area: Area | None = param("opening area; or give flow", None, above=0)
    cd: Number = param("discharge coefficient, used with area", 0.67, above=0, most=1)
    flow: FlowAt | None = param("flow and its pressure drop when open; or give area", None)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "2 bar", above=0)

    @property
    def size(self) -> dict[str, Any]:
        """The size of the orifice, in the words of `Net`."""
        return {"area": self.area, "cd": self.cd, "flow": self.flow, "transition": self.transition}

    def faults(self) -> Iterator[Fault]:
        if (self.area is None) == (self.flow is None):
            given = "neither area nor flow" if self.area is None else "both area and flow"
            yield Fault(
                f"it has {given}.",
                "Give one of them: area: 12 mm2   or   flow: [60 l/min, 35 bar]",
                field="a" if self.area is None else "flow",
            )
        yield from super().faults()
