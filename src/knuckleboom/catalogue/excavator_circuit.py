# SPDX-License-Identifier: BSD-3-Clause
"""Oil of the excavator: one load-sensing pump, four sections with compensators and shuttles, and what guards the loads.

    engine      120 kW at 1900 rpm (603 N·m), as such machines have; flywheel, crank and pumps 2.2 kg·m². Set to
                1990 rpm without load, it turns at the rated speed under nine tenths of its torque
    supply      load-sensing pump on its shaft, 220 cm³/rev (418 l/min at 1900 rpm), 20 bar above the highest load, cut
                off at 343 bar; relief at 350 bar. One pump stands for the two of such machines. At its corner it would
                take 240 kW: its torque limiter keeps the oil's torque below 540 N·m, with friction 0.97 of the engine's
    sections    for each: compensator, 4/3 valve with closed centre; shuttles pass on the highest load
    boom        both cylinders behind a load-holding (counterbalance) valve each, opened by the pressure that lowers
    guards      port reliefs with suction on both lines of boom, stick and bucket
    slew        motor with its gear as one displacement, 15 l per turn of the ring; port reliefs from 260 bar on
                accelerate and, with the valve closed, brake it; suction keeps the other side filled

The return line is kept 2 bar above ambient by its check valve, so that suction has something to draw on: `tank`.
Validated by: validation/analytic/test_excavator.py
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from knuckleboom.catalogue.engines import FRICTION_SHARE, SHAFT, add_engine
from knuckleboom.catalogue.load_sensing import LoadSensing, openings, shock_valves
from knuckleboom.catalogue.rams import Ram, add_ram
from knuckleboom.describe import Place
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Machine

TANK = 3e5  # Pa, absolute: tank with the preloaded return line
ENGINE = {"power": 120e3, "rated": 1900.0, "setting": 1990.0, "inertia": 2.2}
PUMP = {"displacement": "220 cm3/rev", "shaft": SHAFT, "rated_speed": "1900 rpm", "volumetric_efficiency": 0.95,
        "mechanical_efficiency": 0.95, "friction_share": FRICTION_SHARE, "rated_pressure": "343 bar",
        "time_constant": "30 ms", "torque_limit": "540 N*m"}  # fmt: skip
MARGIN, BAND, CUTOFF, RELIEF = 20e5, 10e5, 343e5, 350e5  # Pa: of the pump, and of the relief valve beside it
COMPENSATED, COMPENSATOR_BAND = 10e5, 4e5  # Pa: highest drop across a metering edge, and the compensator's band below
PORT_RELIEF = 370e5  # Pa: of boom, stick and bucket
SLEW_RELIEF = 260e5  # Pa: where the port reliefs of the motor begin to open
SLEW_DISPLACEMENT = 15e-3 / (2.0 * math.pi)  # m³/rad of the ring: motor times gear
OVERLAP = 0.08  # of the spools, fraction of stroke
SPOOL = {"time_constant": "50 ms", "overlap": OVERLAP, "leak": 0.0, "ls_stroke": OVERLAP,
         "ls_flow": ("1 l/min", "5 bar")}  # fmt: skip
FRICTION = {"coulomb": 3e3, "viscous": 6e3, "friction_speed": 0.01}  # N, N·s/m, m/s: of each cylinder
CUSHION = {"cushion_in": 0.05, "cushion_out": 0.05}  # m
SUCTION: dict[str, Any] = {"suction": ("300 l/min", "2 bar"), "cracking": "0.1 bar"}  # of the valves that guard ports
DEAD = 1.5e-3  # m³, of each chamber with its hose

RAMS = {
    "boom_left": Ram(0.120, 0.085, 1.26, 1.78),
    "boom_right": Ram(0.120, 0.085, 1.26, 1.78),
    "stick_cylinder": Ram(0.135, 0.095, 1.48, 2.09),
    "bucket_cylinder": Ram(0.120, 0.085, 1.05, 1.50),
}


def add(
    m: Machine, places: Mapping[str, tuple[Place, Place]], pressures: Mapping[str, tuple[float, float]], back: float
) -> None:
    """Add cylinders, slew motor and circuit; `pressures` are those of both sides at the start, Pa."""
    oil = m.oil(mineral_oil())
    each: dict[str, Any] = {"dead_a": DEAD, "dead_b": DEAD, **FRICTION, **CUSHION}
    ram = {name: add_ram(m, oil, name, one, places[name], pressures[name], **each) for name, one in RAMS.items()}
    left, right = pressures["slew_motor"]
    motor = m.motor(
        "slew_motor", "slewing", SLEW_DISPLACEMENT, oil, dead_a="1.5 l", dead_b="1.5 l", pressure_a=left,
        pressure_b=right, coulomb=2e3, friction_speed=0.02, volumetric_efficiency=0.96, mechanical_efficiency=0.93,
        rated_pressure=SLEW_RELIEF, rated_speed="11 rpm",
    )  # fmt: skip
    tank = oil.tank("tank", TANK)
    supply = oil.volume("supply", "5 l", TANK + MARGIN, wall="300 MPa")

    # boom: one line to both holding valves, one to both rod sides
    lift, lower = oil.junction("boom_lift", "1 l", back), oil.junction("boom_lower", "1 l", back)
    for side in ("left", "right"):
        cylinder = ram[f"boom_{side}"]
        oil.counterbalance_valve(
            f"holding_{side}", cylinder.a, lift, flow=("250 l/min", "20 bar"), x=lower, setting=PORT_RELIEF, ratio=8.0,
            override="100 bar", free_flow=("250 l/min", "4 bar"), vent=tank,
        )  # fmt: skip
        oil.restrictor(f"rod_line_{side}", lower, cylinder.b, flow=("150 l/min", "3 bar"))

    stick, bucket = ram["stick_cylinder"], ram["bucket_cylinder"]
    block = LoadSensing(
        oil, tank, supply, gallery="0.5 l", spool=SPOOL, rest=TANK, edge=COMPENSATED, band=COMPENSATOR_BAND,
        wide="11 bar", valve="{}",
    )  # fmt: skip
    for name, a, b, flow, shares in (
        ("boom", lift, lower, "380 l/min", {"PB": 0.60, "AT": 0.30, "BT": 0.8}),
        ("slew", motor.a, motor.b, "200 l/min", {}),
        ("stick", stick.a, stick.b, "340 l/min", {"PB": 0.7, "AT": 0.8, "BT": 0.30}),
        ("bucket", bucket.a, bucket.b, "260 l/min", {"PB": 0.7, "AT": 0.8, "BT": 0.35}),
    ):
        load = oil.junction(f"{name}_load", "0.1 l", TANK)
        drop = COMPENSATED - 0.5 * COMPENSATOR_BAND
        block.section(name, a, b, flow=flow, drop=drop, sensing=load, metering=openings(shares, OVERLAP))
    line = {"pressure": TANK, "flow": ("5 l/min", "5 bar"), "full": "1 bar"}
    first = oil.shuttle_valve("shuttle_1", *block.loads[:2], volume="50 cm3", **line)
    second = oil.shuttle_valve("shuttle_2", *block.loads[2:], volume="50 cm3", **line)
    highest = oil.shuttle_valve("sensing", first, second, volume="0.1 l", **line)
    oil.load_sensing_pump("pump", tank, supply, ls=highest, margin=MARGIN, margin_band=BAND, cutoff=CUTOFF, **PUMP)
    add_engine(m, **ENGINE)
    oil.relief_valve("relief", supply, tank, flow=("420 l/min", "380 bar"), setting=RELIEF, override="25 bar")

    for name, port, setting in (
        ("stick_in", stick.a, PORT_RELIEF), ("stick_out", stick.b, PORT_RELIEF), ("bucket_in", bucket.a, PORT_RELIEF),
        ("bucket_out", bucket.b, PORT_RELIEF), ("boom_up", lift, PORT_RELIEF), ("boom_down", lower, PORT_RELIEF),
        ("slew_left", motor.a, SLEW_RELIEF), ("slew_right", motor.b, SLEW_RELIEF),
    ):  # fmt: skip
        full = ("200 l/min", setting + 50e5)
        shock_valves(oil, tank, {f"{name}_guard": port}, setting=setting, flow=full, override=50e5, **SUCTION)
