# SPDX-License-Identifier: BSD-3-Clause
"""Sequence valve: lets oil from a to b once the pressure at a is above its setting; b may then have any pressure.

    open by S(r),  r = (p_a − p_drain − setting)/override held within 0..1          S(r) = r²(3 − 2·r)
    check   from b to a, as check_valve                                             only with `free_flow`

Ports       none of its own; a (first consumer), b (second), drain (spring chamber, often a tank) name ports of others
Branches    sequence (flow from a to b positive), check (flow from b to a positive)
States      none (the poppet has no mass)   Power  dissipates Δp·Q ≥ 0
Unlike a relief valve it is drained apart, so that the pressure at b does not help to close it; a is kept above the
setting also while b takes oil at low pressure. Opened by the pressure of another port: unloading_valve.
ISO 1219    a square with one arrow, opened by the pressure at a, its spring drained by a dashed line; check beside it.
Validated by: validation/analytic/test_pressure_valves.py
"""

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.between import pushes
from knuckleboom.hydraulics.parts.built_in_check import BuiltInCheck
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import FlowAt, PressureDrop
from knuckleboom.symbol import Symbol, pressure_valve


class SequenceValve(BuiltInCheck, Orifice):
    """A valve that feeds b when a has reached a pressure, with free flow back if wanted."""

    SYMBOL = pressure_valve(opens=True, drained="drain", datum="{setting:bar} bar")

    drain: Port = param("port of the spring chamber, often a tank")
    setting: PressureDrop = param("pressure at a above that of the drain at which it begins to open", above=0)
    override: PressureDrop = param("rise above the setting until it is fully open", "5 bar", above=0)
    free_flow: FlowAt | None = param("flow back from b to a and its pressure drop; none: no check valve", None)

    def symbol(self) -> Symbol:
        free = self.free_flow is not None
        return pressure_valve(opens=True, drained="drain", free=free, datum="{setting:bar} bar")

    def expand(self, net: Net) -> None:
        by = pushes((self.a, 1.0), (self.drain, -1.0))
        net.opened(self.a, self.b, **self.size, by=by, setting=self.setting, full=self.override, name="sequence")
        if self.free_flow is not None:
            self.check(net, self.b, self.a, self.free_flow, self.transition)
