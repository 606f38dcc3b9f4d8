# SPDX-License-Identifier: BSD-3-Clause
"""Ylinen's lifting boom: a boom with a carriage at its tip, lifted by one cylinder that a given flow extends.

The third example of [Ylinen 2014] compares this cylinder with a driven constraint and with a length-controlled rod of
reduced stiffness: `knuckleboom bench ylinen`. The text that we have gives no numbers: all of these are our own.

    boom        5 m, 250 kg with its centre at 2.4 m; 300 kg at its tip; starts at 20°
    cylinder    bore 80 mm, rod 45 mm, stroke 0.7 m, from (0.4, −0.9) on the ground to (1.2, −0.1) on the boom, m
    seals, oil and flow source as in ylinen_cylinder.py

The start is at rest, with the pressure that carries boom and carriage (lifting_boom.py) and the rod side at tank
pressure. Validated by: tests/bench/test_ylinen.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.lifting_boom import GRAVITY, LiftingBoom
from knuckleboom.catalogue.standing_cylinder import bore_pressure
from knuckleboom.catalogue.ylinen_cylinder import BORE, FLOW_FREQUENCY, ROD, SEALS, TANK
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

BOOM = LiftingBoom(
    length=5.0, mass=250.0, centre=2.4, load=300.0, foot=(0.4, -0.9), eye=(1.2, -0.1), angle=math.radians(20.0)
)  # fmt: skip
STROKE, EXTENDED = 0.7, 0.15  # m: travel, and how much of it the start has used
FLOW = "20 l/min"
MOVES, STOPS = 0.5, 2.5  # s


def holding_pressure() -> float:
    """Pressure of the bore side that holds the boom without friction, Pa absolute."""
    return bore_pressure(BOOM.holding_force, BORE, ROD, TANK)


def bare_boom(name: str = "ylinen-boom") -> Machine:
    """Return the boom with its carriage on its pin, without a cylinder."""
    m = Machine(name, gravity=(0.0, 0.0, -GRAVITY))
    boom = BOOM.add(m)
    boom.point_mass("carriage", BOOM.load, (BOOM.length, 0.0, 0.0))
    boom.shape("box", size=(0.8, 0.8, 1.0), at=(BOOM.length, 0.0, 0.4), colour="orange")
    return m


def ylinen_boom() -> Case:
    """Return the boom at rest on its cylinder, and 4 s in which the flow lifts it."""
    m = bare_boom()
    oil = m.oil(mineral_oil())
    lift = m.cylinder(
        "lift", "ground.foot", "boom.eye", bore=BORE, rod=ROD, stroke=STROKE, closed=BOOM.pins - EXTENDED, oil=oil,
        pressure_a=holding_pressure(), pressure_b=TANK, **SEALS,
    )  # fmt: skip
    tank = oil.tank("tank", TANK)
    oil.flow_source("feed", tank, lift.a, 0.0, frequency=FLOW_FREQUENCY, damping=1.0)
    oil.restrictor("drain", lift.b, tank, flow=("20 l/min", "5 bar"))
    m.cite = "ylinen2014"
    return m.case(
        "published",
        duration=4.0,
        step=1e-4,
        meaning="lifting boom with a carriage on one cylinder, which a given flow extends",
        inputs={"feed": {0.0: 0.0, MOVES: FLOW, STOPS: 0.0}},
        method={"coupling": "explicit"},
    )
