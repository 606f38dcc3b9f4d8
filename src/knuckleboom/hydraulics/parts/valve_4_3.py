# SPDX-License-Identifier: BSD-3-Clause
"""4/3 directional valve: four metering edges opened by one spool, and a centre.

    u > 0 opens P→A and B→T, u < 0 opens P→B and A→T;   y is the spool, −1…1, which follows u: see directional.py
    centre         joins, at y = 0            paths
    closed         nothing
    open           P, A, B, T                 PA, PB, AT, BT
    float          A, B, T                    AT, BT
    regenerative   P, A, B                    PA, PB
    tandem         P, T                       PT

Ports       none of its own; P, T, A, B and LS name ports of others
Branches    PA, PB (flow from P positive), AT, BT (flow to T positive); tandem PT; with LS: A_LS, B_LS, LS_T
States      spool, when time_constant > 0; spool and spool_rate with frequency          Input  the part's name, −1…1
Power       each edge dissipates Δp·Q ≥ 0.
`flow` is that of one edge fully open at its pressure drop. `overlap` is the fraction of stroke before an edge opens;
`leak` the fraction of full opening that is left when it is closed. The centre's paths are open by `centre_opening` at
y = 0 and closed at `centre_width` of the stroke on the side where they are not wanted: an overlap of at least that much
keeps P from reaching T on the way. A table of `metering` for one of them has its opening in the centre, too.
LS is joined to the working port that is fed, in the centre to T; it needs a volume, the load-sensing line,
and changes over within `ls_stroke`. On-off: inputs −1, 0, 1 (directional.py).
ISO 1219    three squares in a row with the paths as arrows, 4 ports at the middle one.
Validated by: validation/analytic/test_valve_4_3.py, test_directional.py and test_metering_table.py there
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.between import joined_twice
from knuckleboom.hydraulics.parts.directional import Directional, FourWay, Points, centred
from knuckleboom.quantities import FlowAt, Number
from knuckleboom.symbol import FOUR, Places, Symbol, directional, pilot

CENTRES: dict[str, tuple[str, ...]] = {
    "closed": (), "open": ("PA", "PB", "AT", "BT"), "float": ("AT", "BT"), "regenerative": ("PA", "PB"),
    "tandem": ("PT",),
}  # fmt: skip


SENSING: Places = {
    "LS": pilot(0.25, 0.0), "P": (0.75, 0.0), "T": (1.25, 0.0), "A": (0.75, 1.0), "B": (1.25, 1.0),
}  # fmt: skip
DATUM = "{flow[0]:l/min} l/min at {flow[1]:bar} bar"


def picture(centre: str, *, sensing: bool) -> Symbol:
    """Return the symbol of a valve with a centre, and with a load-sensing port or without."""
    joined = tuple(port for port in FOUR if any(port in path for path in CENTRES[centre]))
    if not sensing:
        return directional(FOUR, (("PA", "BT"), (joined,) if joined else (), ("PB", "AT")), rails=True, datum=DATUM)
    drained = ((*joined, "LS"),) if "T" in joined else (*((joined,) if joined else ()), ("LS", "T"))
    positions = (("PA", "BT", ("A", "LS")), drained, ("PB", "AT", ("B", "LS")))
    return directional(SENSING, positions, width=1.5, rails=True, datum=DATUM)


class ValveFourThree(Directional, FourWay):
    """A 4/3 directional valve, proportional or on-off, with any of five centres."""

    KIND: ClassVar[str] = "valve_4_3"
    SECTION: ClassVar[str] = "valves_4_3"
    SYMBOL = picture("closed", sensing=True)
    EDGES: ClassVar[Mapping[str, int]] = {"PA": 1, "PB": -1, "AT": -1, "BT": 1}

    centre: Literal["closed", "open", "float", "regenerative", "tandem"] = param("what the centre joins", "closed")
    centre_opening: Number = param("opening of the centre's paths at the centre", 1.0, above=0, most=1)
    centre_width: Number = param("fraction of stroke at which the centre's paths have closed", 0.1, above=0, most=1)
    LS: Port | None = param("port of the load-sensing line", None)
    ls_flow: FlowAt = param("flow into the load-sensing line, and its pressure drop", ("2 l/min", "5 bar"))
    ls_stroke: Number = param("fraction of stroke at which LS has changed over", 0.05, above=0, most=1)

    def symbol(self) -> Symbol:
        return picture(self.centre, sensing=self.LS is not None)

    def edges(self) -> Mapping[str, int]:
        return {**self.EDGES, "PT": 0} if self.centre == "tandem" else self.EDGES

    def points(self, edge: str, end: int) -> Points | None:
        if edge not in CENTRES[self.centre]:
            return None
        return centred(end, self.centre_opening, self.centre_width, self.leak)

    def centre_paths(self) -> Mapping[str, float]:
        return dict.fromkeys(CENTRES[self.centre], self.centre_opening)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from self.centre_faults(f"centre: {self.centre}")
        yield from joined_twice(self, ("LS", "A"), ("LS", "B"), ("LS", "T"))
        for setting in ("centre_opening", "centre_width"):
            if self.centre == "closed" and setting in self.model_fields_set:
                yield Fault(f"{setting} has no effect with a closed centre.", "Add centre: float", field=setting)
            elif setting in self.model_fields_set and self.centre_paths().keys() <= self.metering.keys():
                rule = f"{setting} has no effect: metering has a table of every path of the centre."
                yield Fault(rule, "Leave it out; the tables say how far the centre is open.", field=setting)
        for setting in ("ls_flow", "ls_stroke"):
            if self.LS is None and setting in self.model_fields_set:
                yield Fault(f"{setting} has no effect without LS.", "Join LS to a volume.", field=setting)

    def expand(self, net: Net) -> None:
        spool = self.move(net)
        self.meter(net, spool, {})
        if self.LS is None:
            return
        half, full = 0.5 * self.ls_stroke, self.ls_stroke
        ways = (
            ("A_LS", self.A, self.LS, ((half, 0.0), (full, 1.0))),
            ("B_LS", self.B, self.LS, ((-full, 1.0), (-half, 0.0))),
            ("LS_T", self.LS, self.T, centred(0, 1.0, half, 0.0)),
        )
        for name, a, b, points in ways:
            opening = net.table(spool, points)
            net.restrictor(a, b, flow=self.ls_flow, opening=opening, transition=self.transition, name=name)
