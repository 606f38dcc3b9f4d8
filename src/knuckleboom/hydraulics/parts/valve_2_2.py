# SPDX-License-Identifier: BSD-3-Clause
"""2/2 directional valve: one edge from P to A that the spool opens, or closes.

    y is the spool, 0…1, which follows u: see directional.py           normally   closed: open at y = 1, open: at y = 0

Ports       none of its own; P and A name ports of others               Sign  Q > 0 flows from P to A
States      spool, when time_constant > 0; spool and spool_rate with frequency          Input  the part's name, 0…1
Power       dissipates (p_P − p_A)·Q ≥ 0.
Normally closed it opens in a straight line beyond `overlap`; normally open it closes as far before the end. On-off:
inputs 0 and 1; a proportional throttle: any between.
ISO 1219    two squares, 2 ports, a spring.
Validated by: validation/analytic/test_directional.py
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

from knuckleboom.describe import param
from knuckleboom.hydraulics.parts.directional import Directional, Points, TwoWay
from knuckleboom.symbol import Flows, Symbol, directional


def picture(switched: Flows, rest: Flows) -> Symbol:
    """Return the symbol of a valve by what its two positions join."""
    return directional(
        {"P": (0.5, 0.0), "A": (0.5, 1.0)}, (switched, rest), left=("solenoid",), right=("spring",),
        datum="{flow[0]:l/min} l/min at {flow[1]:bar} bar",
    )  # fmt: skip


class ValveTwoTwo(Directional, TwoWay):
    """A 2/2 directional valve with a spring, proportional or on-off."""

    KIND: ClassVar[str] = "valve_2_2"
    SECTION: ClassVar[str] = "valves_2_2"
    SYMBOL = picture(("PA",), ())
    EDGES: ClassVar[Mapping[str, int]] = {"PA": 1}
    RANGE: ClassVar[tuple[float, float]] = (0.0, 1.0)

    normally: Literal["closed", "open"] = param("whether it is closed or open at rest", "closed")

    def symbol(self) -> Symbol:
        return self.SYMBOL if self.normally == "closed" else picture((), ("PA",))

    def points(self, edge: str, end: int) -> Points | None:
        return None if self.normally == "closed" else ((0.0, 1.0), (1.0 - self.overlap, self.leak))
