# SPDX-License-Identifier: BSD-3-Clause
"""Pressure reducing valve: lets oil from a to b until the pressure at b has reached its setting, and no further.

    reducing    open by S(r),  r = (setting − (p_b − p_drain))/band held within 0..1     S(r) = r²(3 − 2·r)
    relieving   from b to the drain, open by S(r),  r = (p_b − p_drain − setting − relief)/band      only with `relief`

Ports       none of its own; a (supply), b (reduced) and drain (spring chamber, often a tank) name ports of others
Branches    reducing (flow from a to b positive), relieving (from b to the drain)
States      none (the spool has no mass)    Power  dissipates Δp·Q ≥ 0
Fully open while p_b − p_drain is below setting − band, closed at the setting: with more flow the reduced pressure is
lower by up to `band`. Without `relief` a load that pushes oil back into b raises the pressure there; with it the valve
lets that oil out (reducing-relieving, 3-way). Oil can flow back from b to a only while it is open.
ISO 1219    a square with one arrow in line, open at rest, closed by the pressure at b.
Validated by: validation/analytic/test_pressure_valves.py
"""

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.between import pushes
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import pressure_valve


class ReducingValve(Orifice):
    """A pressure reducing valve from a to b, relieving to its drain if wanted."""

    SYMBOL = pressure_valve(opens=False, sensed="b", drained="drain", datum="{setting:bar} bar")

    drain: Port = param("port of the spring chamber, often a tank")
    setting: PressureDrop = param("pressure at b above that of the drain at which it is closed", above=0)
    band: PressureDrop = param("fall below the setting until it is fully open", "5 bar", above=0)
    relief: PressureDrop | None = param("rise above the setting at which it lets oil out to the drain", None, least=0)

    def expand(self, net: Net) -> None:
        by = pushes((self.b, -1.0), (self.drain, 1.0))
        net.opened(self.a, self.b, **self.size, by=by, setting=-self.setting, full=self.band, name="reducing")
        if self.relief is not None:
            by = pushes((self.b, 1.0), (self.drain, -1.0))
            opens = self.setting + self.relief
            net.opened(self.b, self.drain, **self.size, by=by, setting=opens, full=self.band, name="relieving")
