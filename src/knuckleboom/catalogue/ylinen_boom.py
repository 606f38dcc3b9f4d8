# SPDX-License-Identifier: BSD-3-Clause
"""Ylinen's lifting boom: a boom with a carriage at its tip, lifted by one cylinder that a given flow extends.

The third example of [Ylinen 2014] compares this cylinder with a driven constraint and with a length-controlled rod of
reduced stiffness: `knuckleboom bench ylinen`. The text that we have gives no numbers: all of these are our own.

    boom        5 m, 250 kg with its centre at 2.4 m; 300 kg at its tip; starts at 20°
    cylinder    bore 80 mm, rod 45 mm, stroke 0.7 m, from (0.4, −0.9) on the ground to (1.2, −0.1) on the boom, m
    barrel      18 kg, 0.9 m from its pin on; the bore begins at 0.2 m
    rod         13 kg from the piston to its pin; the oil's mass follows the stroke, as the paper says under eq. 4
    seals, oil and flow source as in ylinen_cylinder.py

The start is at rest, with the pressure that carries all this and the rod side at tank pressure. With θ the angle of the
cylinder's line, h = ds/dφ, and masses at ξ along the line, of which rod and oil go out with it:

    force·h = g·cos φ·(m·c + M·L) + g·cos θ·(dθ/dφ)·Σ m·ξ + g·sin θ·h·Σ m (rod, oil)

Validated by: tests/bench/test_ylinen.py, tests/catalogue/test_oil_machines.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.lifting_boom import GRAVITY, LiftingBoom
from knuckleboom.catalogue.solids import box
from knuckleboom.catalogue.standing_cylinder import areas, bore_pressure
from knuckleboom.catalogue.ylinen_cylinder import BORE, FLOW_FREQUENCY, ROD, SEALS, TANK
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

BOOM = LiftingBoom(
    length=5.0, mass=250.0, centre=2.4, load=300.0, foot=(0.4, -0.9), eye=(1.2, -0.1), angle=math.radians(20.0)
)  # fmt: skip
STROKE, EXTENDED = 0.7, 0.15  # m: travel, and how much of it the start has used
CLOSED = BOOM.pins - EXTENDED  # m
BASE, BARREL, THICK = 0.2, 0.9, 0.09  # m: from the foot to the bottom of the bore, and to its end; outer diameter
REACH = CLOSED - BASE  # m: the rod, from the piston to its pin
BARREL_MASS, ROD_MASS = 18.0, 13.0  # kg
FLOW = "20 l/min"
MOVES, STOPS = 0.5, 2.5  # s


def holding_force() -> float:
    """Force of the cylinder that holds boom, cylinder and oil at the start, N."""
    density, (area_a, area_b) = mineral_oil().density, areas(BORE, ROD)
    behind, before, piston = density * area_a * EXTENDED, density * area_b * (STROKE - EXTENDED), BASE + EXTENDED
    out = ROD_MASS + behind + before
    moment = 0.5 * BARREL_MASS * BARREL + ROD_MASS * (BOOM.pins - 0.5 * REACH)
    moment += 0.5 * (behind * (BASE + piston) + before * (piston + BARREL))
    theta, slope = BOOM.line(BOOM.angle)
    across = GRAVITY * math.cos(theta) * slope * moment / BOOM.reach(BOOM.angle)[1]
    return BOOM.holding_force + across + GRAVITY * math.sin(theta) * out


def holding_pressure() -> float:
    """Pressure of the bore side that holds boom, cylinder and oil without friction, Pa absolute."""
    return bore_pressure(holding_force(), BORE, ROD, TANK)


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
    sizes = (BARREL, THICK, THICK), (REACH, ROD, ROD)
    barrel = m.body("barrel", mass=BARREL_MASS, com=(0.5 * BARREL, 0.0, 0.0), inertia=box(BARREL_MASS, sizes[0]))
    rod = m.body("rod", mass=ROD_MASS, com=(-0.5 * REACH, 0.0, 0.0), inertia=box(ROD_MASS, sizes[1]))
    m.revolute("lift_base", "ground.foot", barrel, axis="-y", start=BOOM.line(BOOM.angle)[0])
    m.prismatic("lift_slide", barrel, rod, axis="x", start=BOOM.pins)
    m.revolute("lift_head", rod, "boom.eye", axis="-y", cut=True)
    for body, size, colour in ((barrel, sizes[0], "grey"), (rod, sizes[1], "lightgrey")):
        body.shape("box", size=size, at=body.com, colour=colour)
    lift = m.cylinder(
        "lift", barrel, rod, bore=BORE, rod=ROD, stroke=STROKE, closed=CLOSED, oil=oil, oil_mass=True, base=BASE,
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
