# SPDX-License-Identifier: BSD-3-Clause
"""Filter: a loss in proportion to the flow, with a bypass that opens when it clogs.

    Q = flow/drop·Δp through the element, from `flow`: [60 l/min, 0.5 bar]
    bypass: an orifice that opens from `bypass` and is fully open at the drop of `bypass_flow`

Ports       none of its own; a (dirty side) and b (clean side) name ports of others     Sign  Q > 0 flows from a to b
Branches    the element (`<name>.flow`), and `<name>.bypass` where there is one
States      none                            Power  dissipates (p_a − p_b)·Q ≥ 0
Validated by: validation/analytic/test_filter.py            ISO 1219: a rhomb with a broken line, a check beside it
The element's flow is laminar (fine pores). A clogged one has a smaller `flow`. The bypass only opens from a to b.
"""

from collections.abc import Iterator

from knuckleboom.describe import Fault, Net, Port, param
from knuckleboom.hydraulics.parts.between import Between
from knuckleboom.quantities import FlowAt, PressureDrop
from knuckleboom.symbol import Symbol, check_beside, line
from knuckleboom.units import format_si


class Filter(Between):
    """A filter, with or without a bypass."""

    SYMBOL = Symbol(
        1.0, 1.5, {"a": (0.5, 0.0), "b": (0.5, 1.5)},
        line((0.5, 0.25), (1.0, 0.75), (0.5, 1.25), (0.0, 0.75), (0.5, 0.25)) + line((0.5, 0.0), (0.5, 0.25))
        + line((0.0, 0.75), (1.0, 0.75), dashed=True) + line((0.5, 1.25), (0.5, 1.5)),
        datum="{flow[0]:l/min} l/min at {flow[1]:bar} bar",
    )  # fmt: skip

    a: Port = param("port on the dirty side")
    b: Port = param("port on the clean side")
    flow: FlowAt = param("flow through the element and its pressure drop")
    bypass: PressureDrop | None = param("pressure drop that begins to open the bypass; none: no bypass", None, above=0)
    bypass_flow: FlowAt | None = param("flow through the bypass and its pressure drop when fully open", None)

    def symbol(self) -> Symbol:
        if self.bypass is None:
            return self.SYMBOL
        strokes = self.SYMBOL.strokes + check_beside(0.5, 1.5, 1.5)
        return Symbol(1.75, 1.5, self.SYMBOL.ports, strokes, self.SYMBOL.datum)

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        if (self.bypass is None) != (self.bypass_flow is None):
            given, missing = ("bypass", "bypass_flow") if self.bypass_flow is None else ("bypass_flow", "bypass")
            fix = "Give both: bypass: 2 bar, bypass_flow: [60 l/min, 3 bar]"
            yield Fault(f"{given} is given without {missing}.", fix, field=given)
        elif self.bypass is not None and self.bypass_flow is not None and self.bypass_flow[1] <= self.bypass:
            rule = f"its bypass opens from {format_si(self.bypass, 'Pa')} to {format_si(self.bypass_flow[1], 'Pa')}."
            yield Fault(rule, "Give bypass_flow at a pressure drop above bypass.", field="bypass_flow")

    def expand(self, net: Net) -> None:
        net.laminar(self.a, self.b, conductance=self.flow[0] / self.flow[1], name="flow")
        if self.bypass is not None and self.bypass_flow is not None:
            net.opened(
                self.a, self.b, flow=self.bypass_flow, by={self.a: 1.0, self.b: -1.0},
                setting=self.bypass, full=self.bypass_flow[1] - self.bypass, name="bypass",
            )  # fmt: skip
