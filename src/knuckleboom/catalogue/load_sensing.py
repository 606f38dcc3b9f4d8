# SPDX-License-Identifier: BSD-3-Clause
"""Load-sensing block as mobile machines have it: a section for each function, shuttles, pump and relief valve.

    pump     keeps its margin above the highest load and is cut off at its highest pressure; relief valve beside it
    section  pressure compensator → gallery → 4/3 valve with its load-sensing line; the compensator keeps `edge` across
             the metering edge, so that the lever says the flow whatever the load
    shuttles pass the highest of the sensed pressures on to the pump

What the sections of a machine have in common is said once, in its `LoadSensing`; the numbers here are typical of small
machines. Closed spools are tight, which stands for pilot checks or load checks; a float centre leaves holding to a
counterbalance valve. With `check` each section has its load check, gallery → check → feed → valve: no load can press
oil back into the supply, however low that is.
Validated by: validation/analytic/test_concrete_sprayer.py, test_mine_loader.py, test_harvester_30.py,
test_forwarder_crane.py
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knuckleboom.machine import Handle

TANK = 1.5e5  # Pa, of the return line
MARGIN, BAND = 20e5, 4e5  # Pa: of the pump above the load, and how far below it full flow is
EDGE, EDGE_BAND = 12e5, 6e5  # Pa: across a metering edge, and the compensator's band below it
EFFICIENCY = 0.95  # volumetric, of the pump at its rated pressure
OVERLAP, CENTRE = 0.1, 0.1  # of the spools' strokes: without flow to either side, and until a float centre has closed
FLOATING: dict[str, Any] = {"centre": "float", "centre_opening": 0.6, "centre_width": CENTRE}


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


def openings(shares: Mapping[str, float], overlap: float = OVERLAP) -> dict[str, list[tuple[float, float]]]:
    """Metering of edges that open less than fully: straight from the overlap to a share of the full opening."""
    ends = {"PA": 1.0, "BT": 1.0, "PB": -1.0, "AT": -1.0}  # the lever that opens an edge
    return {edge: sorted([(ends[edge] * overlap, 0.0), (ends[edge], most)]) for edge, most in shares.items()}


def shock_valves(
    oil: Handle, tank: Handle, ports: Mapping[str, Handle], *, setting: float, flow: tuple[str, float],
    suction: tuple[str, str], override: float = 20e5, **valve: Any,
) -> None:  # fmt: skip
    """Guard working ports, by names of the valves: let oil out above the setting, and in where it is missing.

    Its size is given by `flow` with a pressure drop, that of its check by `suction`.
    """
    for name, port in ports.items():
        oil.shock_valve(
            name, port, tank, flow=flow, setting=setting, override=override, free_flow=suction, full="1 bar", **valve
        )


@dataclass
class LoadSensing:
    """The block in the making: add sections, then shuttles, then the pump."""

    oil: Handle
    tank: Handle
    supply: Handle
    gallery: str  # size of each gallery
    spool: Mapping[str, Any]  # settings that all spools have
    rest: float = TANK  # Pa, of the tank, and of sensing lines while nothing is asked for
    edge: float = EDGE  # Pa, kept across a metering edge
    band: float = EDGE_BAND  # Pa, of the compensators
    wide: str = "8 bar"  # drop of an open compensator at its section's flow
    valve: str = "{}_valve"  # name of a section's valve, which is the operator's input, −1 to 1
    check: tuple[str, str] | None = None  # flow and drop of the load check of every section; none: without
    loads: list[Handle] = field(default_factory=list)

    def section(
        self, name: str, a: Handle, b: Handle, *, flow: str, drop: float | str = "10 bar",
        sensing: Handle | None = None, compensated: bool = True, **spool: Any,
    ) -> Handle:  # fmt: skip
        """Add a function with its working ports; return its load-sensing line, `<name>_sensing` if none is given.

        `flow` is that at full lever with `drop` across the metering edge; `spool` are settings of this spool alone.
        """
        inlet = self.supply
        if compensated:
            inlet = self.oil.junction(f"{name}_gallery", self.gallery, self.rest + self.edge)
        heard: Handle = sensing or self.oil.junction(f"{name}_sensing", "0.1 l", self.rest)
        if compensated:
            self.oil.pressure_compensator(
                f"{name}_compensator", self.supply, inlet, LS=heard, flow=(flow, self.wide), margin=self.edge,
                band=self.band,
            )  # fmt: skip
        if self.check:
            gallery, inlet = inlet, self.oil.junction(f"{name}_feed", self.gallery, self.rest + self.edge)
            self.oil.check_valve(f"{name}_check", gallery, inlet, flow=self.check)
        self.oil.valve_4_3(
            self.valve.format(name),
            P=inlet,
            T=self.tank,
            A=a,
            B=b,
            LS=heard,
            flow=(flow, drop),
            **{**self.spool, **spool},
        )
        self.loads.append(heard)
        return heard

    def highest(self, names: str = "shuttle_{}", *, in_pairs: bool = False, **shuttle: Any) -> Handle:
        """Add the shuttles between the loads, one after the other or two by two; return the highest load."""
        heard, count = list(self.loads), 0
        while len(heard) > 1:
            count += 1
            one, other, *rest = heard
            higher = self.oil.shuttle_valve(names.format(count), one, other, pressure=self.rest, **shuttle)
            heard = [*rest, higher] if in_pairs else [higher, *rest]
        return heard[0]

    def pump(
        self, load: Handle, *, displacement: float | str, cutoff: float, relief: float, flow: str, prefix: str = "",
        rated: float | None = None, **pump: Any,
    ) -> None:  # fmt: skip
        """Add the pump that listens to a load, and its relief valve, which passes `flow` 20 bar above its setting.

        `pump` says at least its speed, or its shaft with the rated speed.
        """
        self.oil.load_sensing_pump(
            f"{prefix}pump", self.tank, self.supply, displacement=displacement, ls=load, cutoff=cutoff,
            volumetric_efficiency=EFFICIENCY, mechanical_efficiency=0.93, rated_pressure=rated or cutoff,
            margin=MARGIN, margin_band=BAND, **pump,
        )  # fmt: skip
        self.oil.relief_valve(
            f"{prefix}relief", self.supply, self.tank, flow=(flow, relief + 20e5), setting=relief, override="20 bar"
        )
