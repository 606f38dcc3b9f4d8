# SPDX-License-Identifier: BSD-3-Clause
"""6/3 directional valve with open centre: a through path C→D that closes with the stroke, while P feeds A or B.

    u > 0 opens P→A and B→T, u < 0 opens P→B and A→T, both close C→D;   y is the spool, −1…1: see directional.py

Ports       none of its own; P (feed), T, A, B, C (through path in), D (through path out) name ports of others
Branches    PA, PB (from behind the load check), AT, BT (flow to T positive), CD, check (flow from P positive)
States      oil strain behind the load check, from the start pressure; spool, when time_constant > 0; spool and
            spool_rate with frequency                                                   Input  the part's name, −1…1
Power       each edge dissipates Δp·Q ≥ 0.
A constant pump feeds C, and by D the C of the next section, at last the tank. In the centre its oil goes through at low
pressure; with the stroke CD closes smoothly until `closes`, the pressure at P rises, and when it is above the
load's the load check opens: how the lever feels depends on the load and on the tables of `metering`, also of CD. Join P
to the same line as C: parallel; to the D of the section before: tandem (that one has priority). `check_flow` is that
of the load check.
ISO 1219    three squares in a row, 6 ports; the through path straight in the middle one, a check valve in the feed.
Validated by: validation/analytic/test_directional.py
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.built_in_check import BuiltInCheck
from knuckleboom.hydraulics.parts.directional import Directional, FourWay, Points, centred
from knuckleboom.hydraulics.parts.inner_volume import InnerVolume
from knuckleboom.quantities import FlowAt, Number
from knuckleboom.symbol import directional


class ValveSixThree(InnerVolume, BuiltInCheck, Directional, FourWay):
    """An open-centre 6/3 directional valve with a load check."""

    KIND: ClassVar[str] = "valve_6_3"
    SECTION: ClassVar[str] = "valves_6_3"
    SYMBOL = directional(
        {"P": (0.25, 0.0), "C": (0.75, 0.0), "T": (1.25, 0.0), "A": (0.25, 1.0), "D": (0.75, 1.0), "B": (1.25, 1.0)},
        (("PA", "BT"), ("CD",), ("PB", "AT")), rails=True, width=1.5,
        datum="{flow[0]:l/min} l/min at {flow[1]:bar} bar",
    )  # fmt: skip
    EDGES: ClassVar[Mapping[str, int]] = {"PA": 1, "PB": -1, "AT": -1, "BT": 1, "CD": 0}

    C: Port = param("port at the inlet of the through path")
    D: Port = param("port at the outlet of the through path: the next section's C, or a tank")
    closes: Number = param("fraction of stroke at which the through path has closed", 0.8, above=0, most=1)
    check_flow: FlowAt | None = param("flow through the open load check and its drop; default: as `flow`", None)

    def centre_paths(self) -> Mapping[str, float]:
        return {"CD": 1.0}

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from self.centre_faults("the centre")
        if "CD" in self.metering and "closes" in self.model_fields_set:
            rule = "it has both closes and a table of CD in metering."
            yield Fault(rule, "Give one of them; the table says where the through path closes.", field="closes")

    def points(self, edge: str, end: int) -> Points | None:
        return centred(0, 1.0, self.closes, self.leak) if edge == "CD" else None

    def expand(self, net: Net) -> None:
        fed = self.inside(net)
        self.check(net, self.P, fed, self.check_flow or self.flow, self.transition)
        self.meter(net, self.move(net), {"P": fed})
