# SPDX-License-Identifier: BSD-3-Clause
"""Flow control valve, two-way: an orifice and a compensator in front of it, so that the load hardly changes the flow.

    compensator   from a into the inner volume c, open by S(r),  r = (margin − (p_c − p_b))/band held within 0..1
    orifice       from c to b, Q = value·√((p_c − p_b)/(margin − band/2))            S(r) = r²(3 − 2·r)

Ports       none of its own; a (supply) and b (consumer) name ports of others
Branches    compensator, orifice (flow from a to b positive), check (flow from b to a positive; only with `free_flow`)
States      oil strain of the inner volume, from the start pressure
Power       each branch dissipates Δp·Q ≥ 0.
While it regulates, p_c − p_b lies between margin − band and margin: the flow is within `value` times the roots of
1 ± band/(2·margin − band), whatever p_a and p_b. It takes a drop of margin or more; with less the compensator is fully
open (`open_flow`). What the pump delivers beyond it must find a relief valve: bypass_flow_control does without.
ISO 1219    a throttle with an arrow across and an arrow on the line, in a square; a check valve beside it.
Validated by: validation/analytic/test_compensators.py
"""

from collections.abc import Iterator
from typing import Any

from knuckleboom.describe import Fault, Net, param
from knuckleboom.hydraulics.parts.between import Between, narrower, pushes
from knuckleboom.hydraulics.parts.built_in_check import BuiltInCheck
from knuckleboom.hydraulics.parts.inner_volume import InnerVolume
from knuckleboom.quantities import FlowAt, FlowRate, PressureDrop
from knuckleboom.symbol import Symbol, arc, arrow, box, check_beside, line


class FlowControl(BuiltInCheck, InnerVolume, Between):
    """A pressure-compensated flow control valve from a to b."""

    SYMBOL = Symbol(
        1.0, 1.5, {"a": (0.5, 0.0), "b": (0.5, 1.5)},
        box(0.0, 0.25) + line((0.5, 0.0), (0.5, 1.5)) + arc(0.15, 0.75, 0.25, -60.0, 60.0)
        + arc(0.85, 0.75, 0.25, 120.0, 240.0) + arrow((0.15, 0.4), (0.85, 1.1)) + arrow((0.5, 0.9), (0.5, 1.2)),
        "{value:l/min} l/min",
    )  # fmt: skip

    value: FlowRate = param("flow that it lets through", above=0)
    margin: PressureDrop = param("highest drop across its orifice", "8 bar", above=0)
    band: PressureDrop = param("fall of that drop until the compensator is fully open", "1 bar", above=0)
    open_flow: FlowAt | None = param("flow and its drop through the open compensator; default: value at band", None)
    free_flow: FlowAt | None = param("flow back from b to a and its pressure drop; none: no check valve", None)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "2 bar", above=0)

    def symbol(self) -> Symbol:
        if self.free_flow is None:
            return self.SYMBOL
        strokes = self.SYMBOL.strokes + check_beside(0.5, 1.5, 1.5, turned=True)
        return Symbol(1.75, 1.5, self.SYMBOL.ports, strokes, self.SYMBOL.datum)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from narrower(self, "band", "margin")

    def expand(self, net: Net) -> None:
        inner = self.inside(net)
        size: dict[str, Any] = {"flow": self.open_flow or (self.value, self.band), "transition": self.transition}
        by = pushes((inner, -1.0), (self.b, 1.0))
        net.opened(self.a, inner, **size, by=by, setting=-self.margin, full=self.band, name="compensator")
        metered = (self.value, self.margin - 0.5 * self.band)
        net.restrictor(inner, self.b, flow=metered, transition=self.transition, name="orifice")
        if self.free_flow is not None:
            self.check(net, self.b, self.a, self.free_flow, self.transition)
