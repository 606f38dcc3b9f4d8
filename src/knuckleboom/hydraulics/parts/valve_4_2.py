# SPDX-License-Identifier: BSD-3-Clause
"""4/2 directional valve: at rest P feeds B and A goes to T, in the other position P feeds A and B goes to T.

    y is the spool, 0…1, which follows u; PA and BT are open at y = 1, PB and AT at y = 0: see directional.py

Ports       none of its own; P, T, A, B name ports of others
Branches    PA, PB (flow from P positive), AT, BT (flow to T positive)
States      spool, when time_constant > 0; spool and spool_rate with frequency          Input  the part's name, 0…1
Power       each edge dissipates Δp·Q ≥ 0.
On-off: inputs 0 and 1. Half-way all edges are closed over `overlap` of the stroke, or open together (underlap).
ISO 1219    two squares with crossed and parallel arrows, 4 ports, a spring.
Validated by: validation/analytic/test_directional.py
"""

from collections.abc import Mapping
from typing import ClassVar

from knuckleboom.hydraulics.parts.directional import FourWay, TwoPositions
from knuckleboom.symbol import FOUR, directional


class ValveFourTwo(TwoPositions, FourWay):
    """A 4/2 directional valve with a spring."""

    KIND: ClassVar[str] = "valve_4_2"
    SECTION: ClassVar[str] = "valves_4_2"
    SYMBOL = directional(
        FOUR,
        (("PA", "BT"), ("PB", "AT")),
        left=("solenoid",),
        right=("spring",),
        datum="{flow[0]:l/min} l/min at {flow[1]:bar} bar",
    )
    EDGES: ClassVar[Mapping[str, int]] = {"PA": 1, "PB": -1, "AT": -1, "BT": 1}
