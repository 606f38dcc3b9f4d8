# SPDX-License-Identifier: BSD-3-Clause
"""Ylinen's loaded cylinder: a mass on an upright guide, carried by one cylinder whose seals stick and slip.

The first two examples of [Ylinen 2014]: at rest under a constant load, then set in motion by the flow into its bore
side. The text that we have gives no numbers: all of these are our own, of the size of a small lifting cylinder.

    load        2000 kg on a guide along z
    cylinder    bore 80 mm, rod 45 mm, stroke 0.6 m, half extended
    seals       LuGre: 600 N sliding, 900 N to break away, 2 cm/s, 1e7 N/m, 3e4 N·s/m, 3000 N·s/m viscous
    oil         1.4 GPa; `feed` puts a given flow into the bore side, the rod side drains through `drain`

The start is at rest: p_a = p_0 + (m·g + A_b·(p_T − p_0))/A_a with the rod side at tank pressure, p_0 ambient, no
friction. The flow follows its input as a critically damped second order of 3 Hz, so that its rate is continuous.
Validated by: tests/bench/test_ylinen.py
"""

from __future__ import annotations

from knuckleboom.catalogue.standing_cylinder import areas, bore_pressure
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Handle, Machine
from knuckleboom.machine.case import Case

GRAVITY = 9.81  # m/s²
MASS = 2000.0  # kg
BORE, ROD, STROKE, CLOSED = 0.08, 0.045, 0.6, 0.7  # m
AREA_A, AREA_B = areas(BORE, ROD)
TANK = 1.0e5  # Pa
SEALS = {
    "coulomb": 600.0, "breakaway": 900.0, "stribeck_speed": 0.02, "bristle_stiffness": 1e7, "bristle_damping": 3e4,
    "viscous": 3000.0,
}  # fmt: skip
FLOW = "12 l/min"
FLOW_FREQUENCY = 3.0  # Hz
MOVES, STOPS = 0.5, 3.5  # s


def holding_pressure() -> float:
    """Pressure of the bore side that holds the load without friction, Pa absolute."""
    return bore_pressure(MASS * GRAVITY, BORE, ROD, TANK)


def loaded_cylinder(name: str = "ylinen-cylinder") -> tuple[Machine, Handle, Handle]:
    """Return the load on its cylinder, the rod side drained, the bore side closed; the oil; and the tank."""
    m = Machine(name, gravity=(0.0, 0.0, -GRAVITY))
    load = m.body("load", mass=MASS, inertia=(120.0, 120.0, 120.0))
    m.prismatic("guide", m.ground, load, axis="z", start=CLOSED + 0.5 * STROKE)
    oil = m.oil(mineral_oil())
    lift = m.cylinder(
        "lift", m.ground, load, bore=BORE, rod=ROD, stroke=STROKE, closed=CLOSED, oil=oil,
        pressure_a=holding_pressure(), pressure_b=TANK, **SEALS,
    )  # fmt: skip
    tank = oil.tank("tank", TANK)
    oil.restrictor("drain", lift.b, tank, flow=("20 l/min", "5 bar"))
    load.shape("box", size=(0.6, 0.6, 0.6), at=(0.0, 0.0, 0.3))
    return m, oil, tank


def ylinen_cylinder() -> Case:
    """Return the loaded cylinder at rest, and 4 s in which it is lifted by 0.12 m."""
    m, oil, tank = loaded_cylinder()
    oil.flow_source("feed", tank, "lift.a", 0.0, frequency=FLOW_FREQUENCY, damping=1.0)
    m.cite = "ylinen2014"
    return m.case(
        "published",
        duration=4.0,
        step=1e-4,
        meaning="loaded cylinder with seals that stick, at rest and then lifted by a given flow",
        inputs={"feed": {0.0: 0.0, MOVES: FLOW, STOPS: 0.0}},
        method={"coupling": "explicit"},
    )
