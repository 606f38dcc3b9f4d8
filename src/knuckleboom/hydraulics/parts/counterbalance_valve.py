# SPDX-License-Identifier: BSD-3-Clause
"""Counterbalance valve: holds a load at a until the load's or the pilot's pressure opens it; free from b to a.

    open by S(r),  r = (p_a + ratio·p_x − (1 + ratio)·p_s − setting)/override held within 0..1        S(r) = r²(3 − 2·r)
    p_s = p_b, or that of the vent          check   from b to a, as check_valve

Ports       none of its own; a (load), b (valve), x (pilot, takes no flow) and vent name ports of others
Branches    counterbalance (flow from a to b positive), check (flow from b to a positive)
States      none (the poppet has no mass)   Power  dissipates Δp·Q ≥ 0
Also called over-centre or brake valve. Set it to 1.3 times the highest load pressure: without pilot it opens at
p_a − p_b = setting, and a pilot pressure lowers that by `ratio` times as much: p_a =
setting − ratio·p_x + (1 + ratio)·p_b.
Pressure at b counts 1 + ratio times against opening, unless the spring chamber is vented (give `vent`, often a tank).
A pair, each piloted from the other line, brakes a load in both directions: docs/parts.md has one.
ISO 1219    a relief valve with a second, dashed pilot line from x, and a check valve beside it.
Validated by: validation/analytic/test_counterbalance_valve.py
"""

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.between import pushes
from knuckleboom.hydraulics.parts.built_in_check import BuiltInCheck
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import FlowAt, Number, PressureDrop
from knuckleboom.symbol import pressure_valve


class CounterbalanceValve(BuiltInCheck, Orifice):
    """A load-holding valve at a that a pilot pressure helps to open, with free flow to the load."""

    SYMBOL = pressure_valve(opens=True, pilots=("x",), drained="vent", free=True, datum="{setting:bar} bar")

    x: Port = param("port of the pilot pressure, often the other line of the cylinder")
    setting: PressureDrop = param("pressure at a above that at b at which it opens without pilot", above=0)
    ratio: Number = param("pilot ratio: area of the pilot over that of the load", 4.0, least=0)
    override: PressureDrop = param("rise above the setting until it is fully open", "30 bar", above=0)
    free_flow: FlowAt = param("flow from b to a and its pressure drop, through the open check")
    vent: Port | None = param("port that the spring chamber is vented to; default: b", None)

    def expand(self, net: Net) -> None:
        spring = self.vent or self.b
        by = pushes((self.a, 1.0), (self.x, self.ratio), (spring, -1.0 - self.ratio))
        net.opened(self.a, self.b, **self.size, by=by, setting=self.setting, full=self.override, name="counterbalance")
        self.check(net, self.b, self.a, self.free_flow, self.transition)
