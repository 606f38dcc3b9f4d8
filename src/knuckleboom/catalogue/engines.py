# SPDX-License-Identifier: BSD-3-Clause
"""Diesel engine on the shaft of a machine's pumps: flywheel, governor with droop, a full-load curve of its class.

    torque over that at rated speed     0.6    1.0    1.25   1.17   1.0    0.85      turbocharged, 25 % torque rise
    speed over rated speed              0.4    0.55   0.70   0.85   1.0    1.10      idle at 0.45, stalls at 0.3

A generic shape, as data sheets of turbocharged off-road engines of 75 to 200 kW have it; not a maker's data. Droop is
5 %, a mechanical governor's 3 to 8 %; what the engine takes when nothing is injected is a tenth of its rated torque.
At the start the shaft turns as fast as the governor keeps it against its pumps, which are swung back to where they
cover their leakage: nothing accelerates.
Validated by: validation/analytic/test_engines.py
"""

from __future__ import annotations

import math
from typing import Any

from knuckleboom.hydraulics.parts import PressureCompensatedPump
from knuckleboom.hydraulics.parts.pumping import ROUND
from knuckleboom.machine import Machine

SHAFT, ENGINE = "engine_shaft", "engine"
RPM = 2.0 * math.pi / 60.0  # rad/s
CURVE = ((0.40, 0.60), (0.55, 1.0), (0.70, 1.25), (0.85, 1.17), (1.0, 1.0), (1.10, 0.85))
IDLE, STALL, DROOP, DRAG = 0.45, 0.30, 0.05, 0.10
FRICTION_SHARE = 0.5
"""Of the torque that pumps lose at their rated point: half by dry friction, which goes with pressure and setting."""


def add_engine(m: Machine, *, power: float, rated: float, setting: float, inertia: float) -> None:
    """Add shaft and engine for the pumps that are there, whose ports have their pressures at the start.

    `power` is that at the rated speed, W; `rated` and `setting`, the speed without load, are in rpm; `inertia` is that
    of flywheel, crank and pumps, kg·m².
    """
    speed, wanted = rated * RPM, setting * RPM
    torque = power / speed
    pumps = [pump for pump in m.of(PressureCompensatedPump) if pump.shaft == SHAFT]
    constant, viscous = sum(standing_torque(m, pump) for pump in pumps), sum(pump.shaft_viscous for pump in pumps)
    gain = torque / (DROOP * speed)
    m.shaft(SHAFT, inertia=inertia, speed=(gain * wanted - constant) / (gain + viscous))
    m.engine_droop(
        ENGINE, SHAFT, torque=[(share * speed, of * torque) for share, of in CURVE], rated_speed=speed, setting=wanted,
        idle=IDLE * speed, droop=DROOP, stall=STALL * speed, drag=DRAG * torque,
    )  # fmt: skip


def standing_torque(m: Machine, pump: PressureCompensatedPump) -> float:
    """Torque of oil and dry friction at the start, N·m: D·x·Δp with the setting that the pressures leave."""

    def drop(high: str, low: str) -> float:
        at: list[Any] = [m.part(port) for port in (high, low)]
        return float(at[0].pressure - at[1].pressure)

    x = 1.0
    for high, low, at, band in pump.limits():
        r = min(max((at - drop(high, low)) / band, 0.0), 1.0)
        x *= r * r * (3.0 - 2.0 * r)
    oil = pump.displacement * x * drop(pump.b, pump.a)
    rounded = ROUND * pump.displacement * (pump.rated_pressure or 0.0)
    return oil + pump.dry_friction * (math.hypot(oil, rounded) - rounded)
