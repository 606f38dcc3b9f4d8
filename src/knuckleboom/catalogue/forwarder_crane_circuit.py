# SPDX-License-Identifier: BSD-3-Clause
"""Oil of the forwarder crane: one load-sensing pump, six compensated sections, five counterbalance valves.

    engine      that of the forwarder, 125 kW at 2000 rpm (597 N·m), 1.8 kg·m² with its pump; loading it is set to
                1650 rpm without load. The pump's corner, 402 N·m, is little over half its torque there: no limiter
    supply      load-sensing pump on its shaft, 100 cm³/rev (160 l/min at 1600 rpm), 20 bar above the highest load, cut
                off at 235 bar; relief at 255 bar
    sections    slew, lift, fold, telescope, rotator, grip: compensator, load check, 4/3 valve; five shuttles pass the
                highest load on to the pump
    holding     counterbalance valves on the cylinders: bore side of lift, both sides of fold and telescope, whose loads
                pull or press as the jib points; piloted from the other line. Behind hoses, with float centres
    motors      slew (rack and pinion as one motor) and rotator: closed centres, shock valves with suction brake them
    grip        closed centre; closed spools are tight, which stands for the pilot checks in rotator and grapple. Hoses
                along the jib belong to the chambers of rotator and grip
    return      line with filter and bypass to the tank, which a check valve before the cooler keeps at 3 bar

Validated by: validation/analytic/test_forwarder_crane.py
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from knuckleboom.catalogue.engines import FRICTION_SHARE, SHAFT, add_engine
from knuckleboom.catalogue.load_sensing import FLOATING, OVERLAP, LoadSensing, openings, shock_valves, standby_pressure
from knuckleboom.catalogue.rams import Ram, add_ram
from knuckleboom.describe import Place
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Handle, Machine

TANK = 3e5  # Pa, absolute: tank with its preload
ENGINE = {"power": 125e3, "rated": 2000.0, "setting": 1650.0, "inertia": 1.8}
RATED, RELIEF = 235e5, 255e5  # Pa
EDGE, EDGE_BAND = 10e5, 5e5  # Pa: of the compensators
SPOOL = {"frequency": "4 Hz", "damping": 1.0, "overlap": OVERLAP, "leak": 0.0, "ls_flow": ("2 l/min", "5 bar"),
         "ls_stroke": OVERLAP}  # fmt: skip
HOSE = {"diameter": "16 mm", "wall": "700 MPa", "pressure": TANK}
HOLDING = {"ratio": 1.5, "override": "200 bar", "full": "3 bar"}  # low ratio, wide band: lowering does not swing
FRICTION = {"viscous": 4e3, "coulomb": 800.0, "breakaway": 1200.0, "bristle_stiffness": 1e7, "bristle_damping": 5e4}
CUSHIONS = {"cushion_in": 0.04, "cushion_out": 0.04}  # m
SLEW_DISPLACEMENT = 1.6e-3  # m³/rad: 32 kNm at 200 bar
ROTATOR_DISPLACEMENT = 6.5e-5  # m³/rad: 1.3 kNm at 200 bar

ALONG_JIB = {"hose_a": "1 l", "hose_b": "1 l", "hose_bulk": "700 MPa"}  # 7 m of 13 mm
RAMS = {
    "lift": Ram(0.125, 0.075, 0.72, 1.08, CUSHIONS),
    "fold": Ram(0.110, 0.070, 0.72, 1.10, CUSHIONS),
    "telescope": Ram(0.063, 0.040, 1.70, 2.10, CUSHIONS),
    "grip": Ram(0.080, 0.050, 0.37, 0.605, ALONG_JIB),
}


def add(
    m: Machine, places: Mapping[str, tuple[Place, Place]], pressures: Mapping[str, tuple[float, float]], back: float
) -> None:
    """Add cylinders, motors and circuit; `pressures` are those of bore and rod sides at the start, Pa."""
    oil = m.oil(mineral_oil())
    each: dict[str, Any] = {"dead_a": "0.3 l", "dead_b": "0.3 l", **FRICTION}
    rams = {name: add_ram(m, oil, name, one, places[name], pressures[name], **each) for name, one in RAMS.items()}
    at_rest = {"pressure_a": back, "pressure_b": back}
    slew = m.motor(
        "slew_motor", "slew", SLEW_DISPLACEMENT, oil, dead_a="1 l", dead_b="1 l", coulomb=300.0, viscous=1500.0,
        friction_speed=0.02, **at_rest,
    )  # fmt: skip
    rotator = m.motor(
        "rotator_motor", "rotator_bearing", ROTATOR_DISPLACEMENT, oil, dead_a="1 l", dead_b="1 l", coulomb=20.0,
        viscous=60.0, friction_speed=0.05, **at_rest,
    )  # fmt: skip

    tank, line = oil.tank("tank", TANK), oil.volume("return_line", "2 l", TANK, wall="700 MPa")
    oil.filter("return_filter", line, tank, flow=("250 l/min", "0.5 bar"), bypass="1.5 bar",
               bypass_flow=("250 l/min", "2.5 bar"))  # fmt: skip
    supply = oil.volume("supply", "3 l", TANK + standby_pressure(RATED), wall="700 MPa")
    block = LoadSensing(
        oil, line, supply, gallery="0.15 l", spool=SPOOL, rest=TANK, edge=EDGE, band=EDGE_BAND, wide="4 bar",
        check=("100 l/min", "2 bar"),
    )  # fmt: skip

    block.section("slew", slew.a, slew.b, flow="50 l/min")
    shock_valves(
        oil, line, {"slew_shock_a": slew.a, "slew_shock_b": slew.b}, setting=170e5, flow=("60 l/min", 190e5),
        suction=("60 l/min", "2 bar"),
    )  # fmt: skip
    shock_valves(
        oil, line, {"rotator_shock_a": rotator.a, "rotator_shock_b": rotator.b}, setting=150e5,
        flow=("20 l/min", 170e5), suction=("30 l/min", "2 bar"),
    )  # fmt: skip
    lift, fold, telescope, grip = rams["lift"], rams["fold"], rams["telescope"], rams["grip"]
    rod_hose = oil.hose("lift_hose_b", lift.b, length="2.5 m", **HOSE)
    oil.anti_cavitation_valve("lift_suction", line, lift.b, flow=("100 l/min", "2 bar"), full="0.5 bar")
    bore_hose = _load_holding_hose(oil, "lift", lift.a, lift.b, length="2.5 m", flow="110 l/min", setting="270 bar")
    block.section("lift", bore_hose, rod_hose, flow="90 l/min", metering=openings({"PB": 0.5}), **FLOATING)
    for name, ram, length, flow in (("fold", fold, "4 m", "75 l/min"), ("telescope", telescope, "6 m", "40 l/min")):
        lines = [oil.junction(f"{name}_block_{side}", "0.1 l", TANK) for side in ("a", "b")]
        _counterbalance(oil, f"{name}_holding_a", ram.a, *lines, flow=flow, setting="270 bar")
        _counterbalance(oil, f"{name}_holding_b", ram.b, *reversed(lines), flow=flow, setting="270 bar")
        hoses = [
            oil.hose(f"{name}_hose_{side}", one, length=length, **HOSE)
            for side, one in zip(("a", "b"), lines, strict=True)
        ]
        block.section(name, *hoses, flow=flow, metering=openings({"PB": 0.6}), **FLOATING)
    block.section("rotator", rotator.a, rotator.b, flow="15 l/min")
    block.section("grip", grip.a, grip.b, flow="50 l/min", metering=openings({"PB": 0.6}))
    load = block.highest(volume="0.05 l", flow=("3 l/min", "5 bar"))
    dataclasses.replace(block, tank=tank).pump(
        load, displacement="100 cm3/rev", shaft=SHAFT, rated_speed="1600 rpm", friction_share=FRICTION_SHARE,
        cutoff=RATED, relief=RELIEF, flow="160 l/min", time_constant="30 ms",
    )  # fmt: skip
    add_engine(m, **ENGINE)


def _load_holding_hose(
    oil: Handle, name: str, port: Handle, pilot: Handle, *, length: str, flow: str, setting: str
) -> Handle:
    """Add block with counterbalance valve and hose of a bore side; return the hose."""
    near = oil.junction(f"{name}_block", "0.1 l", TANK)
    _counterbalance(oil, f"{name}_holding", port, near, pilot, flow=flow, setting=setting)
    hose: Handle = oil.hose(f"{name}_hose_a", near, length=length, **HOSE)
    return hose


def _counterbalance(
    oil: Handle, name: str, port: Handle, near: Handle, pilot: Handle, *, flow: str, setting: str
) -> None:
    oil.counterbalance_valve(
        name, port, near, x=pilot, setting=setting, flow=(flow, "60 bar"), free_flow=(flow, "6 bar"), **HOLDING
    )
