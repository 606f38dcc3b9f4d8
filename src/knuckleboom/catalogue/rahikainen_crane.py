# SPDX-License-Identifier: BSD-3-Clause
"""Hydraulic crane with the actuator of Rahikainen, González, Naya, Sopanen and Mikkola 2020, on a boom of our own.

Theirs, as the defaults of Project Chrono's hydraulic actuator repeat them [Rahikainen 2020]:

    pump 7.6 MPa, tank 0.1 MPa; oil 1500 MPa, hose 150 MPa, cylinder 31 500 MPa; piston 80 mm, rod 35 mm
    valve: −45° at 35 Hz, a lag of 1/(2π·35 Hz); flow proportional to the pressure drop below 2 bar

Ours: a boom of 3.5 m and 150 kg with 120 kg at its tip, the cylinder's places and stroke of 0.5 m, hoses of 0.2 l, a
viscous friction of 5000 N·s/m, a valve of 24 l/min at 35 bar. Below the limit our orifice is a smooth odd cubic, theirs
another one. The start is at rest: the closed valve's edges leak a little and alike, so that p_a + p_b = p_P + p_T, and
the force of the cylinder gives the rest.
Validated by: validation/literature/test_rahikainen_2020.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.lifting_boom import GRAVITY, LiftingBoom
from knuckleboom.catalogue.standing_cylinder import AMBIENT, areas
from knuckleboom.hydraulics.parts.fluids import constant
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

BOOM = LiftingBoom(
    length=3.5, mass=150.0, centre=1.6, load=120.0, foot=(0.3, -0.7), eye=(0.9, -0.1), angle=math.radians(10.0)
)  # fmt: skip
BORE, ROD, STROKE, EXTENDED = 0.08, 0.035, 0.5, 0.15  # m
AREA_A, AREA_B = areas(BORE, ROD)
PUMP, TANK = 7.6e6, 0.1e6  # Pa
LAG = 1.0 / (2.0 * math.pi * 35.0)  # s
SPOOL = {0.0: 0.0, 0.5: 0.6, 1.5: 0.0, 2.0: -0.5, 3.0: 0.0}


def holding_pressures() -> tuple[float, float]:
    """Pressures of the bore and the rod side that carry the boom, Pa absolute; see the card."""
    pushed = BOOM.holding_force + AREA_B * (PUMP + TANK) + AMBIENT * (AREA_A - AREA_B)
    bore_side = pushed / (AREA_A + AREA_B)
    return bore_side, PUMP + TANK - bore_side


def rahikainen_crane() -> Case:
    """Return the crane at rest, and 4 s in which the spool lifts, rests, lowers and rests."""
    bore_side, rod_side = holding_pressures()
    m = Machine("rahikainen-crane", gravity=(0.0, 0.0, -GRAVITY))
    boom = BOOM.add(m)
    boom.point_mass("load", BOOM.load, (BOOM.length, 0.0, 0.0))
    boom.shape("sphere", size=0.2, at=(BOOM.length, 0.0, 0.0), colour="orange")
    oil = m.oil(constant(bulk="1500 MPa"))
    lift = m.cylinder(
        "lift", "ground.foot", "boom.eye", bore=BORE, rod=ROD, stroke=STROKE, closed=BOOM.pins - EXTENDED, oil=oil,
        hose_a="0.2 l", hose_b="0.2 l", hose_bulk="150 MPa", barrel_bulk="31500 MPa", pressure_a=bore_side,
        pressure_b=rod_side, viscous=5000.0,
    )  # fmt: skip
    pump, tank = oil.pressure("pump", PUMP), oil.tank("tank", TANK)
    m.valve_4_3(
        "valve", P=pump, T=tank, A=lift.a, B=lift.b, flow=("24 l/min", "35 bar"), time_constant=LAG, transition="2 bar"
    )  # fmt: skip
    m.cite = "rahikainen2020"
    return m.case(
        "published",
        duration=4.0,
        step=1e-4,
        meaning="crane with the cylinder, oil and valve of Rahikainen et al. 2020",
        inputs={"valve": SPOOL},
        method={"coupling": "explicit"},
    )
