# SPDX-License-Identifier: BSD-3-Clause
"""Flow control valve, three-way: an orifice to b, and a bypass to T that takes what the pump delivers beyond it.

    orifice   from a to b, Q = value·√((p_a − p_b)/(margin + band/2))
    bypass    from a to T, open by S(r),  r = (p_a − p_b − margin)/band held within 0..1          S(r) = r²(3 − 2·r)

Ports       none of its own; a (pump), b (consumer) and T (tank) name ports of others
Branches    orifice (flow from a to b positive), bypass (flow from a to T positive)
States      none (the spool has no mass)    Power  each branch dissipates Δp·Q ≥ 0
The pump works at the load's pressure plus margin, not at a relief valve's: one consumer per pump. While it regulates,
the flow to b is within `value` times the roots of 1 ± band/(2·margin + band). It needs a volume at a, the pump's line.
ISO 1219    a throttle with an arrow across, in a square with a third line to the tank.
Validated by: validation/analytic/test_compensators.py
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.between import Between, joined_twice, pushes
from knuckleboom.quantities import FlowAt, FlowRate, PressureDrop
from knuckleboom.symbol import Symbol, arc, arrow, box, line


class BypassFlowControl(Between):
    """A flow control valve from a to b that lets the rest of the pump's flow to T."""

    SYMBOL = Symbol(
        1.5, 1.5, {"a": (0.5, 0.0), "b": (0.5, 1.5), "T": (1.5, 0.5)},
        box(0.0, 0.25) + line((0.5, 0.0), (0.5, 1.5)) + arc(0.15, 0.9, 0.25, -60.0, 60.0)
        + arc(0.85, 0.9, 0.25, 120.0, 240.0) + arrow((0.15, 0.55), (0.85, 1.2)) + arrow((0.5, 0.5), (1.0, 0.5))
        + line((1.0, 0.5), (1.5, 0.5)),
        "{value:l/min} l/min",
    )  # fmt: skip

    T: Port = param("port that the rest flows to, often a tank")
    value: FlowRate = param("flow that it lets through to b", above=0)
    bypass_flow: FlowAt = param("flow through the open bypass, and its pressure drop")
    margin: PressureDrop = param("drop across its orifice at which the bypass begins to open", "8 bar", above=0)
    band: PressureDrop = param("rise of that drop until the bypass is fully open", "1 bar", above=0)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "2 bar", above=0)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from joined_twice(self, ("a", "T"))

    def expand(self, net: Net) -> None:
        metered = (self.value, self.margin + 0.5 * self.band)
        net.restrictor(self.a, self.b, flow=metered, transition=self.transition, name="orifice")
        net.opened(
            self.a, self.T, flow=self.bypass_flow, by=pushes((self.a, 1.0), (self.b, -1.0)), setting=self.margin,
            full=self.band, transition=self.transition, name="bypass",
        )  # fmt: skip
