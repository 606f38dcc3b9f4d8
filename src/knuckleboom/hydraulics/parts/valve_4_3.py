# SPDX-License-Identifier: BSD-3-Clause
"""4/3 directional valve: four metering edges opened by one spool.

    u > 0 opens P→A and B→T, u < 0 opens P→B and A→T;   y is the spool, −1…1
    time_constant τ:   τ·ẏ = u − y          frequency f, damping ζ:   ÿ = ω²·(u − y) − 2·ζ·ω·ẏ,  ω = 2π·f

Ports       none of its own; P, T, A, B name ports of others
Branches    PA, PB (flow from P positive), AT, BT (flow to T positive)
States      spool, when time_constant > 0; spool and spool_rate with frequency          Input  the part's name, −1…1
Power       each edge dissipates Δp·Q ≥ 0.
`flow` is that of one edge fully open at its pressure drop. `overlap` is the fraction of stroke before an edge opens;
`leak` the fraction of full opening that is left when it is closed. ISO 1219: 4 ports, 3 positions, closed centre.
"""

from collections.abc import Iterator
from typing import ClassVar

from knuckleboom.describe import Fault, Net, Part, Port, param
from knuckleboom.hydraulics.parts.following import follow, following_faults
from knuckleboom.quantities import FlowAt, Frequency, Number, PressureDrop, Time
from knuckleboom.symbol import FOUR, directional


class ValveFourThree(Part):
    """A proportional 4/3 valve with closed centre."""

    KIND: ClassVar[str] = "valve_4_3"
    SECTION: ClassVar[str] = "valves_4_3"
    SYMBOL = directional(
        FOUR, (("PA", "BT"), (), ("PB", "AT")), rails=True, datum="{flow[0]:l/min} l/min at {flow[1]:bar} bar"
    )

    P: Port = param("port of the pump")
    T: Port = param("port of the tank")
    A: Port = param("port that positive inputs feed")
    B: Port = param("port that negative inputs feed")
    flow: FlowAt = param("flow through one fully open edge, and its pressure drop")
    time_constant: Time = param("lag of the spool; 0: it follows at once", "20 ms", least=0)
    overlap: Number = param("fraction of stroke before an edge opens", 0.0, least=0, below=1)
    leak: Number = param("fraction of full opening left where an edge just closes", 1e-4, least=0, below=1)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "2 bar", above=0)
    frequency: Frequency | None = param("natural frequency of the spool; instead of time_constant", None, above=0)
    damping: Number = param("damping ratio of the spool, used with frequency", 0.8, least=0)

    def faults(self) -> Iterator[Fault]:
        yield from following_faults(self)
        for one, other in (("P", "A"), ("P", "B"), ("T", "A"), ("T", "B")):
            port = getattr(self, one)
            if port == getattr(self, other):
                yield Fault(
                    f"{one} and {other} are both joined to '{port}'.", "Join them to different ports.", field=other
                )

    def expand(self, net: Net) -> None:
        command = net.input(0.0, unit="1", meaning="spool command, -1 to 1")
        spool = follow(net, command, self.time_constant, self.frequency, self.damping, "spool")
        edges = (("PA", self.P, self.A, 1.0), ("PB", self.P, self.B, -1.0), ("AT", self.A, self.T, -1.0),
                 ("BT", self.B, self.T, 1.0))  # fmt: skip
        for name, a, b, gain in edges:
            opening = net.edge(spool, gain, self.overlap, self.leak)
            net.restrictor(a, b, flow=self.flow, opening=opening, transition=self.transition, name=name)
