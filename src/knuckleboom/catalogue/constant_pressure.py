# SPDX-License-Identifier: BSD-3-Clause
"""Supply of constant pressure for functions that are throttled: a pressure-compensated pump with its relief valve.

Validated by: validation/analytic/test_concrete_sprayer.py, test_mobile_crane.py
"""

from __future__ import annotations

from typing import Any

from knuckleboom.catalogue.load_sensing import TANK, standby_pressure
from knuckleboom.machine import Handle

BAND, EFFICIENCY = 15e5, 0.93  # Pa below the cut-off at which the pump has its full flow; volumetric


def constant_pressure(
    oil: Handle, name: str, *, rated: float, size: str, displacement: str, **pump: Any
) -> tuple[Handle, Handle]:  # fmt: skip
    """Add tank, pump, supply line of some size and relief valve, at rest; return supply and tank.

    `pump` says at least its speed, or its shaft with the rated speed.
    """
    tank = oil.tank(f"{name}_tank", TANK)
    standby = standby_pressure(rated, margin=rated, band=BAND, efficiency=EFFICIENCY)
    supply = oil.junction(f"{name}_supply", size, TANK + standby)
    oil.pressure_compensated_pump(
        f"{name}_pump", tank, supply, displacement=displacement, cutoff=rated, band=BAND,
        volumetric_efficiency=EFFICIENCY, mechanical_efficiency=0.9, rated_pressure=rated, time_constant="30 ms",
        **pump,
    )  # fmt: skip
    oil.relief_valve(
        f"{name}_relief", supply, tank, flow=("60 l/min", rated + 35e5), setting=rated + 15e5, override="20 bar"
    )
    return supply, tank
