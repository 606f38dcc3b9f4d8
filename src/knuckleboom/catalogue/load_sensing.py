# SPDX-License-Identifier: BSD-3-Clause
"""Load-sensing block as mobile machines have it: pump, relief valve, and a section for each function.

    pump     keeps MARGIN above the highest load, cut off at its rated pressure; relief valve on the supply line
    section  pressure compensator → gallery → 4/3 valve with its load-sensing line; the compensator keeps EDGE across
             the metering edge, so that the lever says the flow whatever the load
    shuttles pass the highest of the sensed pressures on to the pump

Each section's valve is named `<function>_valve`, which is the operator's input, −1 to 1. `flow` of a section is that at
full lever and 10 bar across the edge. A closed centre is tight, as with pilot checks in the working ports; a float
centre leaves holding to a counterbalance valve.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from knuckleboom.machine import Handle

TANK = 1.5e5  # Pa, of the return line
MARGIN, BAND = 20e5, 4e5  # Pa: of the pump above the load, and how far below it full flow is
EDGE, EDGE_BAND = 12e5, 6e5  # Pa: across a metering edge, and the compensator's band below it
EFFICIENCY = 0.95  # volumetric, of the pump at its rated pressure
OVERLAP, CENTRE = 0.1, 0.1  # of the spools' strokes: without flow to either side, and until a float centre has closed


def standby_pressure(
    rated: float, *, margin: float = MARGIN, band: float = BAND, efficiency: float = EFFICIENCY
) -> float:  # fmt: skip
    """Pressure above the tank's at which a pump just covers its own leakage, Pa: no load is sensed, nothing flows.

    r²(3 − 2r) D n = (1 − η) D n Δp/p_rated,   Δp = margin − band·r               solved for r by repetition
    """
    r = 0.0
    for _ in range(50):  # each takes two thirds of the digits left, or more
        leaking = (1.0 - efficiency) * (margin - band * r) / rated
        r = math.sqrt(leaking / (3.0 - 2.0 * r))
    return margin - band * r


@dataclass
class LoadSensing:
    """The block in the making: add sections, then the pump."""

    oil: Handle
    tank: Handle
    rated: float  # Pa, cut-off of the pump; the relief valve opens 15 bar above
    supply_size: float  # m³, pump line with its hose
    gallery_size: float  # m³, of each section
    sensing_size: float  # m³, of each load-sensing line
    sensing_flow: tuple[str, str]  # through the sensing edges of valves and shuttles, and the pressure drop
    sensed: list[Handle] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.supply = self.oil.junction("supply", self.supply_size, TANK + standby_pressure(self.rated))

    def section(
        self, name: str, a: Any, b: Any, *, flow: str, frequency: str, float_centre: bool = False, share_b: float = 1.0,
    ) -> None:  # fmt: skip
        """Add a function with its working ports.

        With `float_centre` they are joined to the tank at rest; `share_b` is how far the edge to b opens at full lever,
        as for a cylinder that should come in no faster than it goes out.
        """
        centre = {"centre": "float", "centre_opening": 0.6, "centre_width": CENTRE} if float_centre else {"leak": 0.0}
        metering = {} if share_b == 1.0 else {"metering": {"PB": [[-1.0, share_b], [-OVERLAP, 0.0], [1.0, 0.0]]}}
        gallery = self.oil.junction(f"{name}_gallery", self.gallery_size, TANK + EDGE)
        sensing = self.oil.junction(f"{name}_sensing", self.sensing_size, TANK)
        self.oil.pressure_compensator(
            f"{name}_compensator", self.supply, gallery, LS=sensing, flow=(flow, "8 bar"), margin=EDGE, band=EDGE_BAND
        )
        self.oil.valve_4_3(
            f"{name}_valve", P=gallery, T=self.tank, A=a, B=b, LS=sensing, flow=(flow, "10 bar"), frequency=frequency,
            damping=1.0, overlap=OVERLAP, ls_flow=self.sensing_flow, **centre, **metering,
        )  # fmt: skip
        self.sensed.append(sensing)

    def pump(self, *, displacement: str, speed: str) -> None:
        """Add the shuttles, the pump and its relief valve."""
        highest = self.sensed[0]
        for number, sensing in enumerate(self.sensed[1:], 1):
            highest = self.oil.shuttle_valve(
                f"shuttle_{number}", highest, sensing, volume=self.sensing_size, pressure=TANK, flow=self.sensing_flow
            )
        self.oil.load_sensing_pump(
            "pump", self.tank, self.supply, displacement=displacement, speed=speed, ls=highest, cutoff=self.rated,
            volumetric_efficiency=EFFICIENCY, mechanical_efficiency=0.93, rated_pressure=self.rated, margin=MARGIN,
            margin_band=BAND, time_constant="30 ms",
        )  # fmt: skip
        self.oil.relief_valve(
            "relief", self.supply, self.tank, flow=("100 l/min", self.rated + 35e5), setting=self.rated + 15e5,
            override="20 bar",
        )  # fmt: skip
