# SPDX-License-Identifier: BSD-3-Clause
"""Shock valve: relief and anti-cavitation in one, at a working port.

    relief   from a to b, as relief_valve         check   from b to a, as check_valve

Ports       none of its own; a (guarded) and b (tank line) name ports of others
Branches    relief (flow from a to b positive), check (flow from b to a positive)
States      none (the poppets have no mass)      Power  dissipates Δp·Q ≥ 0
Guards a motor or cylinder whose valve is closed while the load moves on: oil over the setting gets out, and what is
missing on the other side is sucked in. Also called port relief with suction.
ISO 1219    a relief valve and a check valve in parallel.
Validated by: validation/analytic/test_pressure_valves.py
"""

from knuckleboom.describe import Net, param
from knuckleboom.hydraulics.parts.between import pushes
from knuckleboom.hydraulics.parts.built_in_check import BuiltInCheck
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import FlowAt, PressureDrop
from knuckleboom.symbol import pressure_valve


class ShockValve(BuiltInCheck, Orifice):
    """A relief valve from a to b that also lets oil be sucked from b to a."""

    SYMBOL = pressure_valve(opens=True, free=True, datum="{setting:bar} bar")

    setting: PressureDrop = param("pressure above that at b at which it begins to relieve", above=0)
    override: PressureDrop = param("rise above the setting until it is fully open", "10 bar", above=0)
    free_flow: FlowAt = param("flow from b to a and its pressure drop, through the open check")
    cracking: PressureDrop = param("pressure drop at which its check begins to open", "0.05 bar", least=0)
    full: PressureDrop = param("rise above cracking until its check is fully open", "0.2 bar", above=0)

    def expand(self, net: Net) -> None:
        by = pushes((self.a, 1.0), (self.b, -1.0))
        net.opened(self.a, self.b, **self.size, by=by, setting=self.setting, full=self.override, name="relief")
        self.check(net, self.b, self.a, self.free_flow, self.transition)
