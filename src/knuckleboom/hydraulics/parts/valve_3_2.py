# SPDX-License-Identifier: BSD-3-Clause
"""3/2 directional valve: joins A to T at rest and to P in the other position, or the other way round.

    y is the spool, 0…1, which follows u: see directional.py           normally   closed: A–T at rest, open: P–A at rest

Ports       none of its own; P, T, A name ports of others
Branches    PA (flow from P positive), AT (flow to T positive)
States      spool, when time_constant > 0; spool and spool_rate with frequency          Input  the part's name, 0…1
Power       each edge dissipates Δp·Q ≥ 0.
On-off: inputs 0 and 1. Half-way both edges are closed over `overlap` of the stroke, or open together (underlap).
ISO 1219    two squares, 3 ports, a spring.
Validated by: validation/analytic/test_directional.py
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

from knuckleboom.describe import param
from knuckleboom.hydraulics.parts.directional import ThreeWay, TwoPositions
from knuckleboom.symbol import THREE, Flows, Symbol, directional


def picture(switched: Flows, rest: Flows) -> Symbol:
    """Return the symbol of a valve by what its two positions join."""
    return directional(
        THREE, (switched, rest), left=("solenoid",), right=("spring",),
        datum="{flow[0]:l/min} l/min at {flow[1]:bar} bar",
    )  # fmt: skip


class ValveThreeTwo(TwoPositions, ThreeWay):
    """A 3/2 directional valve with a spring."""

    KIND: ClassVar[str] = "valve_3_2"
    SECTION: ClassVar[str] = "valves_3_2"
    SYMBOL = picture(("PA",), ("AT",))
    EDGES: ClassVar[Mapping[str, int]] = {"PA": 1, "AT": -1}

    normally: Literal["closed", "open"] = param("whether P is closed or open to A at rest", "closed")

    def symbol(self) -> Symbol:
        return self.SYMBOL if self.normally == "closed" else picture(("AT",), ("PA",))

    def edges(self) -> Mapping[str, int]:
        return self.EDGES if self.normally == "closed" else {edge: -end for edge, end in self.EDGES.items()}
