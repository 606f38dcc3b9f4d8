# SPDX-License-Identifier: BSD-3-Clause
"""An arm of two links on two cylinders, as in the example of Peiret, González, Kövecses and Teichmann 2018.

Their fig. 1 shows "a 2D model of a hydraulically actuated mechanism" with two links and two actuators, which "fast
actuation laws" move [Peiret 2018]; no number is printed. **All numbers here are our own**:

    links       inner 2.5 m, 300 kg; outer 1.5 m, 100 kg; uniform rods; start at 35° and −55° from the horizontal
    lift        80/45 × 600 mm, from (0.35, −0.75) on the ground to (0.71, −0.1) on the inner link
    fold        63/45 × 600 mm, from (1.35, 0.25) on the inner link to (−0.42, 0.05), behind the hinge; its extension
                folds the outer link inwards
    oil         1.4 GPa, constant; 0.1 l of dead volume on each side
    valves      4/3 without lag, overlap or leak: 20 and 12 l/min at 35 bar through an edge that is fully open; 210 bar,
                tank line at 5 bar
    `free`      3 s, steps of both spools to 0.6, 0, −0.6 and 0; the pressures stay between 5 and 205 bar

It is at rest at the start, with 80 bar on the rod sides and what carries the links on the bore sides. There and with
shut valves its coupled frequencies, by kb.modes, are 87.9 and 212.9 rad/s.

**Lightly damped**: shut valves leave only the cylinders' viscous friction, `damping` in N·s/m of each, by default 3000,
which is 0.4 % and 1.7 % of critical. How long the steps of a co-simulation may be depends on it; 1e5 gives 12 % and
56 %. The stiffer variant, `peiret_arm(outer_mass=15.0, dead_volume=20e-6)`, has 123 and 563 rad/s, 0.5 % and 4 %.

Axes: x forward, z up, the pin at the origin; both hinges turn about −y. There is no plane for the tip to touch.
Validated by: validation/analytic/test_peiret_arm.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.side_view import Point, bar
from knuckleboom.catalogue.standing_cylinder import AMBIENT, areas
from knuckleboom.hydraulics.parts.fluids import constant
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

GRAVITY = 9.81  # m/s²
INNER, OUTER, INNER_MASS = 2.5, 1.5, 300.0  # m, m, kg
INNER_ANGLE, OUTER_ANGLE = math.radians(35.0), math.radians(-55.0)  # from the horizontal
FOOT, LIFT_EYE = (0.35, -0.75), (0.71, -0.1)  # m, on the ground and on the inner link
FOLD_FOOT, FOLD_EYE = (1.35, 0.25), (-0.42, 0.05)  # m, on the inner and on the outer link
LIFT, FOLD = (0.080, 0.045), (0.063, 0.045)  # m: bore and rod
STROKE, LIFT_CLOSED, FOLD_CLOSED = 0.6, 0.81, 0.91  # m
PUMP, TANK, ROD_SIDE = "210 bar", "5 bar", 80e5
LIGHT = 3000.0  # N·s/m
SPOOLS = {
    "lift_valve": {0.0: 0.0, 0.2: 0.6, 1.0: 0.0, 1.4: -0.6, 2.2: 0.0},
    "fold_valve": {0.0: 0.0, 0.3: -0.6, 1.2: 0.0, 1.5: 0.6, 2.4: 0.0},
}


def _turned(point: Point, angle: float, origin: Point = (0.0, 0.0)) -> Point:
    """Where a point of a turned link is."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return origin[0] + cosine * point[0] - sine * point[1], origin[1] + sine * point[0] + cosine * point[1]


def _arm(about: Point, foot: Point, eye: Point) -> float:
    """Lever of the force from foot to eye about a point, m; positive lifts."""
    along = (eye[0] - foot[0], eye[1] - foot[1])
    out = (eye[0] - about[0], eye[1] - about[1])
    return (out[0] * along[1] - out[1] * along[0]) / math.hypot(*along)


def holding_forces(outer_mass: float) -> tuple[float, float]:
    """Forces of lift and fold that hold the arm at the start, N: moments about the pin and about the hinge."""
    hinge = _turned((INNER, 0.0), INNER_ANGLE)
    outer_out = 0.5 * OUTER * math.cos(OUTER_ANGLE)
    both = GRAVITY * (0.5 * INNER_MASS * hinge[0] + outer_mass * (hinge[0] + outer_out))
    lever = _arm((0.0, 0.0), FOOT, _turned(LIFT_EYE, INNER_ANGLE))
    fold_lever = _arm(hinge, _turned(FOLD_FOOT, INNER_ANGLE), _turned(FOLD_EYE, OUTER_ANGLE, hinge))
    return both / lever, GRAVITY * outer_mass * outer_out / fold_lever


def holding_pressure(force: float, bore: float, rod: float) -> float:
    """Pressure of a bore side that gives a force, Pa absolute."""
    area_a, area_b = areas(bore, rod)
    return (force + area_b * ROD_SIDE + AMBIENT * (area_a - area_b)) / area_a


def _links(m: Machine, outer_mass: float) -> None:
    """Add both links with their hinges, places and looks."""
    inner, outer = (
        m.body(name, mass=mass, com=(0.5 * length, 0.0, 0.0), inertia=_rod(mass, length))
        for name, mass, length in (("inner", INNER_MASS, INNER), ("outer", outer_mass, OUTER))
    )
    m.ground.point("foot", (FOOT[0], 0.0, FOOT[1]))
    inner.point("eye", (LIFT_EYE[0], 0.0, LIFT_EYE[1]))
    inner.point("foot", (FOLD_FOOT[0], 0.0, FOLD_FOOT[1]))
    inner.point("tip", (INNER, 0.0, 0.0))
    outer.point("eye", (FOLD_EYE[0], 0.0, FOLD_EYE[1]))
    outer.point("tip", (OUTER, 0.0, 0.0))
    m.revolute("pin", m.ground, inner, axis="-y", start=INNER_ANGLE)
    m.revolute("hinge", "inner.tip", outer, axis="-y", start=OUTER_ANGLE - INNER_ANGLE)

    bar(inner, (0.0, 0.0), (INNER, 0.0), 0.16, 0.12, "orange")
    bar(inner, (FOLD_FOOT[0], 0.0), FOLD_FOOT, 0.1, 0.08, "orange")
    bar(outer, (0.0, 0.0), (OUTER, 0.0), 0.12, 0.1, "steelblue")
    bar(outer, (0.0, 0.0), FOLD_EYE, 0.1, 0.08, "steelblue")


def _rod(mass: float, length: float) -> tuple[float, float, float]:
    """Inertia of a uniform rod along x; about itself it has next to nothing, and never turns that way."""
    across = mass * length**2 / 12.0
    return 0.01 * across, across, across


def peiret_arm(*, damping: float = LIGHT, outer_mass: float = 100.0, dead_volume: float = 1e-4) -> Case:
    """Return the arm at rest, and 3 s of steps; N·s/m of each cylinder, kg, m³ on each side of both pistons."""
    m = Machine("peiret-arm", gravity=(0.0, 0.0, -GRAVITY))
    _links(m, outer_mass)
    oil = m.oil(constant(bulk="1.4 GPa"))
    pump, tank = oil.pressure("pump", PUMP), oil.tank("tank", TANK)
    lifting, folding = holding_forces(outer_mass)
    for name, places, (bore, rod), closed, force, flow in (
        ("lift", ("ground.foot", "inner.eye"), LIFT, LIFT_CLOSED, lifting, "20 l/min"),
        ("fold", ("inner.foot", "outer.eye"), FOLD, FOLD_CLOSED, folding, "12 l/min"),
    ):
        cylinder = m.cylinder(
            name, *places, bore=bore, rod=rod, stroke=STROKE, closed=closed, oil=oil, dead_a=dead_volume,
            dead_b=dead_volume, pressure_a=holding_pressure(force, bore, rod), pressure_b=ROD_SIDE, viscous=damping,
        )  # fmt: skip
        m.valve_4_3(
            f"{name}_valve", P=pump, T=tank, A=cylinder.a, B=cylinder.b, flow=(flow, "35 bar"), time_constant=0.0,
            leak=0.0,
        )  # fmt: skip
    m.cite = "peiret2018"
    return m.case(
        "free",
        duration=3.0,
        step=1e-3,
        meaning="arm of two links on two cylinders, lightly damped; steps of both spools",
        inputs=dict(SPOOLS),
        method={"coupling": "unified"},
    )
