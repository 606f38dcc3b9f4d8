# SPDX-License-Identifier: BSD-3-Clause
"""Pilot-operated relief valve: a main stage held shut by oil that a small pilot valve lets out above its setting.

    orifice  from a into the pilot chamber c     pilot   from c to b, opens from p_c − p_b = setting to + pilot_override
    main     from a to b, opens from p_a − p_c = spring to 2·spring           vent   an orifice from c to the vent

Ports       none of its own; a (guarded), b (often a tank) and vent name ports of others
Branches    main, orifice, pilot, vent (flow from a towards b positive)
States      oil strain of the pilot chamber, from the start pressure
Power       each branch dissipates Δp·Q ≥ 0.
Flatter than a direct-acting valve: the main stage is fully open 2·spring above the pilot's pressure. Oil let out of the
vent, as by a 2/2 valve to the tank, takes the pilot pressure away and unloads the pump at about the spring's pressure.
ISO 1219    a relief valve whose spring side has a pilot valve, and a dashed line to the vent.
Validated by: validation/analytic/test_pressure_valves.py
"""

from typing import Any

from knuckleboom.describe import Net, Port, param
from knuckleboom.hydraulics.parts.inner_volume import InnerVolume
from knuckleboom.hydraulics.parts.orifice import Orifice
from knuckleboom.quantities import FlowAt, PressureDrop
from knuckleboom.symbol import pressure_valve


class PilotReliefValve(InnerVolume, Orifice):
    """A two-stage relief valve from a to b that can be unloaded by its vent."""

    SYMBOL = pressure_valve(opens=True, behind=("vent",), datum="{setting:bar} bar")

    setting: PressureDrop = param("pressure above that at b at which its pilot begins to open", above=0)
    spring: PressureDrop = param("pressure drop at which the main stage begins to open", "4 bar", above=0)
    pilot_override: PressureDrop = param("rise above the setting until the pilot is fully open", "5 bar", above=0)
    pilot_flow: FlowAt = param("flow through its orifice, its open pilot and its vent, and the pressure drop",
                               ("1 l/min", "4 bar"))  # fmt: skip
    vent: Port | None = param("port that oil of the pilot chamber can be let out at", None)

    def expand(self, net: Net) -> None:
        chamber = self.inside(net, "pilot_chamber")
        small: dict[str, Any] = {"flow": self.pilot_flow, "transition": self.transition}
        net.opened(
            self.a, self.b, **self.size, by={self.a: 1.0, chamber: -1.0}, setting=self.spring, full=self.spring,
            name="main",
        )  # fmt: skip
        net.restrictor(self.a, chamber, **small, name="orifice")
        net.opened(
            chamber, self.b, **small, by={chamber: 1.0, self.b: -1.0}, setting=self.setting, full=self.pilot_override,
            name="pilot",
        )  # fmt: skip
        if self.vent is not None:
            net.restrictor(chamber, self.vent, **small, name="vent")
