# SPDX-License-Identifier: BSD-3-Clause
"""Unloading valve: lets oil from a to b, often a tank, once the pressure at another port x is above its setting.

    open by S(r),  r = (p_x − p_drain − setting)/override held within 0..1          S(r) = r²(3 − 2·r)

Ports       none of its own; a, b, x (pilot, takes no flow) and drain name ports of others
Sign        Q > 0 flows from a to b         States  none (the poppet has no mass)
Power       dissipates (p_a − p_b)·Q ≥ 0
The usual use: a large pump behind a check valve is sent to the tank at no pressure while a small one, or an
accumulator, holds the pressure at x. Without hysteresis: between setting and setting + override it throttles.
ISO 1219    a square with one arrow, opened by a dashed pilot line from elsewhere.
Validated by: validation/analytic/test_pressure_valves.py
"""

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.between import pushes
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import pressure_valve


class UnloadingValve(Orifice):
    """A valve from a to b that the pressure of another port opens."""

    SYMBOL = pressure_valve(opens=True, sensed="x", drained="drain", datum="{setting:bar} bar")

    x: Port = param("port whose pressure opens it")
    setting: PressureDrop = param("pressure at x above that of the drain at which it begins to open", above=0)
    override: PressureDrop = param("rise above the setting until it is fully open", "5 bar", above=0)
    drain: Port | None = param("port of the spring chamber; default: b", None)

    def expand(self, net: Net) -> None:
        by = pushes((self.x, 1.0), (self.drain or self.b, -1.0))
        net.opened(self.a, self.b, **self.size, by=by, setting=self.setting, full=self.override)
