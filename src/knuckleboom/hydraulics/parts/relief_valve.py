# SPDX-License-Identifier: BSD-3-Clause
"""Relief valve: lets oil out of a once the pressure there is above its setting, and keeps it from rising much further.

    Q = k·√Δp·r²·(3 − 2·r),   r = (Δp − setting)/override held within 0..1,   Δp = p_a − p_b,   k from flow or area

Ports       none of its own; a (guarded) and b (often a tank) name ports of others     Sign  Q > 0 flows from a to b
States      none (the poppet has no mass)   Power  dissipates (p_a − p_b)·Q ≥ 0
Direct-acting: the pressure at b helps to close it. Closed below the setting, an orifice of full size above setting +
override; `flow` is a catalogue's pair, the flow and its pressure drop when fully open. With a pilot stage and a vent:
pilot_relief_valve; with suction from b: shock_valve.
ISO 1219    a square with one arrow beside the line, held by a spring, opened by the pressure at a.
Validated by: validation/analytic/test_relief_valve.py
"""

from knuckleboom.describe import Net, param
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import PressureDrop
from knuckleboom.symbol import pressure_valve


class ReliefValve(Orifice):
    """A direct-acting pressure relief valve from a to b."""

    SYMBOL = pressure_valve(opens=True, datum="{setting:bar} bar")

    setting: PressureDrop = param("pressure above that at b at which it begins to open", above=0)
    override: PressureDrop = param("rise above the setting until it is fully open", "10 bar", above=0)

    def expand(self, net: Net) -> None:
        net.opened(
            self.a, self.b, **self.size, by={self.a: 1.0, self.b: -1.0}, setting=self.setting, full=self.override
        )  # fmt: skip
