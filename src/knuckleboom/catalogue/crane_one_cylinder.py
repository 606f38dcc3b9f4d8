# SPDX-License-Identifier: BSD-3-Clause
"""Crane with one cylinder and a whole load-sensing circuit; not a maker's data, all numbers are our own.

    boom        4 m, 300 kg, with 500 kg hanging from its tip; lift cylinder 90/50 × 600 mm
    supply      load-sensing pump, 45 cm³/rev at 1500 rpm, 20 bar above the load, cut off at 200 bar; relief at 210 bar
    valve       4/3 proportional with a spool of 4 Hz, 30 l/min at 10 bar, floating centre, load-sensing port
    lines       hoses of 3 m to both chambers; a counterbalance valve stands on the bore side, piloted from the rod side

Lever (`valve`) up: pump → hose → check of the counterbalance valve → bore side. Lever in the middle: the hoses float,
the counterbalance valve holds the load. Lever down: pump → rod side, whose pressure opens the counterbalance valve.
The start is at rest, with the pressure that carries the load; the case lifts, holds and lowers.
Validated by: tests/catalogue/test_oil_machines.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.lifting_boom import GRAVITY, LiftingBoom
from knuckleboom.catalogue.load_sensing import BAND, EFFICIENCY, MARGIN, TANK, standby_pressure
from knuckleboom.catalogue.standing_cylinder import bore_pressure
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

BOOM = LiftingBoom(
    length=4.0, mass=300.0, centre=1.8, load=500.0, foot=(0.35, -0.8), eye=(1.3, -0.12), angle=math.radians(15.0)
)  # fmt: skip
SLING = 1.2  # m, from the tip to the centre of the hanging load
BORE, ROD, STROKE, EXTENDED = 0.09, 0.05, 0.6, 0.2  # m
RATED = 200e5  # Pa, of the pump
LEVER = {0.0: 0.0, 0.5: 0.6, 2.5: 0.0, 3.5: -0.4, 5.5: 0.0}


def holding_pressure() -> float:
    """Pressure of the bore side that carries boom and load without friction, Pa absolute."""
    return bore_pressure(BOOM.holding_force, BORE, ROD, TANK)


def crane_one_cylinder() -> Case:
    """Return the crane at rest with its load hanging, and 6.5 s in which the lever goes up, rests and goes down."""
    m = Machine("crane-one-cylinder", gravity=(0.0, 0.0, -GRAVITY))
    BOOM.add(m)
    load = m.body("load", mass=BOOM.load, com=(0.0, 0.0, -SLING), inertia=(30.0, 30.0, 30.0))
    m.revolute("shackle", "boom.tip", load, axis="y", start=BOOM.angle)
    m.joint_friction("shackle_drag", "shackle", coulomb=0.0, viscous=100.0)
    load.shape("box", size=(0.6, 0.6, 0.6), at=(0.0, 0.0, -SLING), colour="orange")

    oil = m.oil(mineral_oil())
    lift = m.cylinder(
        "lift", "ground.foot", "boom.eye", bore=BORE, rod=ROD, stroke=STROKE, closed=BOOM.pins - EXTENDED, oil=oil,
        pressure_a=holding_pressure(), pressure_b=TANK, coulomb=400.0, breakaway=600.0, bristle_stiffness=1e7,
        bristle_damping=2e4, viscous=2500.0, cushion_in="3 cm", cushion_out="3 cm",
    )  # fmt: skip
    tank = oil.tank("tank", TANK)
    supply = oil.junction("supply", "0.5 l", TANK + standby_pressure(RATED))
    sensing = oil.junction("sensing", "20 cm3", TANK)
    oil.load_sensing_pump(
        "pump", tank, supply, displacement="45 cm3/rev", speed="1500 rpm", ls=sensing, cutoff="200 bar",
        volumetric_efficiency=EFFICIENCY, mechanical_efficiency=0.93, rated_pressure=RATED, margin=MARGIN,
        margin_band=BAND,
    )  # fmt: skip
    oil.relief_valve("relief", supply, tank, flow=("80 l/min", "230 bar"), setting="210 bar", override="20 bar")

    # bore side: valve, hose, block on the cylinder with the counterbalance valve
    block = oil.junction("block", "50 cm3", TANK)
    hose = {"length": "3 m", "diameter": "12 mm", "wall": "600 MPa", "pressure": TANK}
    bore_hose = oil.hose("bore_hose", block, **hose)
    oil.counterbalance_valve(
        "holding", lift.a, block, flow=("60 l/min", "20 bar"), x=lift.b, setting="90 bar", ratio=2.0,
        override="100 bar", free_flow=("60 l/min", "5 bar"),
    )  # fmt: skip
    rod_hose = oil.hose("rod_hose", lift.b, **hose)
    oil.valve_4_3(
        "valve", P=supply, T=tank, A=bore_hose, B=rod_hose, LS=sensing, flow=("30 l/min", "10 bar"), frequency="4 Hz",
        damping=1.0, centre="float", centre_opening=0.2, overlap=0.1, centre_width=0.1,
    )  # fmt: skip
    return m.case(
        "lift",
        duration=6.5,
        step=1e-3,
        meaning="crane with a hanging load, lift cylinder on hoses, counterbalance valve, 4/3 valve and sensing pump",
        inputs={"valve": LEVER},
        # its hoses and blocks are stiffer than explicit steps of 0.1 ms
    )
