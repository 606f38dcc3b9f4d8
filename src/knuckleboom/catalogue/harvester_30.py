# SPDX-License-Identifier: BSD-3-Clause
"""Harvester with 30 bodies: the machine on which speed is measured.

A generic machine of this class; not a maker's data. 19.0 t, 35 joint coordinates, four loops of 2 equations, 27
degrees of freedom:

    bodies  coordinates
      14        19       free front frame, rear frame on a vertical articulation hinge, 4 bogies, 8 wheels
       8         8       slew column, boom, jib, two telescopes, link, rotator, head
       8         8       cylinders lift, fold, tilt and steer: each a barrel on a hinge and a rod sliding in it

Axes: x forward, y left, z up. Crane hinges turn about −y, so that a positive angle lifts; articulation and slew turn
about z. Each cylinder lies in the plane of its hinge; its rod-end pin is the cut joint and adds 2 equations. The start
pose is assembled here: barrel angle and rod travel follow from the triangle hinge - foot - rod end.

Its four cylinders are on oil: two chambers each with their hoses, one 4/3 valve each (inputs `lift_valve`,
`fold_valve`, `tilt_valve`, `steer_valve`), a supply of 210 bar. Both frames stand on springs, slew and telescopes are
held, joints without a drive are damped. The lever sequence of 4 s has 14 steps and drives cylinders into their stops.

`bare_harvester` is the same machine without oil and springs, on which speed is compared with other programs: every
independent coordinate has an effort part, an input named after its joint (`slew_effort`; `base_effort_0` … `_5` on the
free frame) and zero by default, so that random efforts can be applied.
Validated by: validation/programs/test_harvester.py
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from knuckleboom.catalogue.case import Case
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Handle, Machine
from knuckleboom.mechanics.parts import Joint

Point2 = tuple[float, float]

# start pose, degrees and metres; sums to a link that hangs down (58 − 98 − 50 = −90)
ARTICULATION, SLEW, BOOM, JIB, LINK, ROTATOR, HEAD = 8.0, 25.0, 58.0, -98.0, -50.0, 20.0, 10.0
TELESCOPE_1, TELESCOPE_2 = 0.8, 0.6

# where hinges and slides sit on the part that carries them, m
ARTICULATION_AT = (-0.9, 0.0, 0.0)  # on the front frame
COLUMN_AT = (1.2, 0.0, 0.55)  # on the front frame
BOOM_AT = (-0.10, 0.0, 1.35)  # on the column
JIB_AT = (3.70, 0.0, 0.0)  # on the boom
TELESCOPE_1_AT = (0.30, 0.0, 0.0)  # on the jib
TELESCOPE_2_AT = (0.25, 0.0, 0.0)  # on the first telescope
LINK_AT = (2.00, 0.0, 0.0)  # on the second telescope
ROTATOR_AT = (0.35, 0.0, 0.0)  # on the link
HEAD_AT = (0.30, 0.0, 0.0)  # on the rotator
AXLE_FRONT, AXLE_REAR = 1.0, -1.9  # bogie hinge along the front and the rear frame
TRACK, AXLE_HEIGHT, WHEEL_BASE = 0.95, -0.44, 0.72  # half track; below the frame's origin; half bogie length
WHEEL_OUT, WHEEL_RADIUS, WHEEL_WIDTH = 0.20, 0.66, 0.60
GROUND_CLEARANCE = WHEEL_RADIUS - AXLE_HEIGHT  # height of the front frame's origin above the soil


@dataclass(frozen=True)
class Ram:
    """A cylinder as two bodies: foot on the carrier, end on the carried part, both in the plane of their hinge."""

    foot: Point2
    end: Point2
    closed: float  # pin to pin when retracted, m
    barrel_mass: float
    rod_mass: float
    bore: float  # diameters and travel, m
    rod: float
    stroke: float
    start: tuple[float, float]  # start pressures on the bore and the rod side that carry the weight, Pa


RAMS = {
    "lift": Ram((0.45, 0.30), (1.25, -0.18), 1.35, 95.0, 60.0, 0.125, 0.070, 1.00, (101e5, 20e5)),
    "fold": Ram((2.00, 0.30), (-0.40, 0.12), 1.25, 75.0, 48.0, 0.100, 0.056, 0.95, (20e5, 189.6e5)),
    "tilt": Ram((1.15, 0.18), (0.02, 0.20), 0.72, 20.0, 14.0, 0.063, 0.036, 0.55, (20e5, 68.2e5)),
    "steer": Ram((-0.10, 0.42), (-0.45, 0.40), 0.95, 45.0, 28.0, 0.080, 0.045, 0.65, (30e5, 43.9e5)),
}
SUPPLY = 210e5  # Pa
DEAD_A, DEAD_B = 1e-3, 0.5e-3  # dead volume and hose, m³
FRICTION = {"viscous": 3e3, "coulomb": 2e3, "friction_speed": 0.01}
STAND, STAND_DAMPING = 1.8e6, 6e4  # each spring under the front frame, N/m and N·s/m
WEIGHT, FRONT_SHARE, LEFT_SHARE = 186.4e3, 0.638, 0.529  # N, and who carries it in the start pose
HOLD, HOLD_DAMPING = 2e6, 2e4  # slew (per rad) and telescopes
LEVERS = {
    "lift_valve": {0.0: 0.0, 0.2: 0.6, 1.0: 0.0, 1.3: -0.8, 2.2: 1.0},
    "fold_valve": {0.0: 0.0, 0.4: -0.8, 1.2: 0.7, 2.4: -1.0},
    "tilt_valve": {0.0: 0.0, 0.3: 1.0, 1.6: -1.0, 3.0: 0.3},
    "steer_valve": {0.0: 0.0, 0.6: 0.8, 1.5: -1.0, 2.6: 1.0, 3.4: 0.0},
}
"""Times and spools of the work cycle: 14 steps after the start."""


def harvester_30() -> Case:
    """Return the harvester on its springs, all cylinders on oil, with a lever sequence of 4 s."""
    m = _machine()
    oil = m.oil("oil", mineral_oil(bulk=1.5e9))
    pump, tank = oil.pressure("pump", SUPPLY), oil.tank("tank")
    for name, ram in RAMS.items():
        cylinder = m.cylinder(
            name, f"{name}_barrel", m[f"{name}_rod"].at(ram.closed, 0.0, 0.0), bore=ram.bore, rod=ram.rod,
            stroke=ram.stroke, closed=ram.closed, oil=oil, dead_a=DEAD_A, dead_b=DEAD_B,
            pressure_a=ram.start[0], pressure_b=ram.start[1], **FRICTION,
        )  # fmt: skip
        m.valve_4_3(
            f"{name}_valve", P=pump, T=tank, A=cylinder.a, B=cylinder.b, flow=("100 l/min", "10 bar"),
            leak=2.5e-3, transition="1 bar",
        )  # fmt: skip
    _stand(m)
    _hold(m)
    return Case(
        machine=m,
        duration=4.0,
        step=1e-4,
        meaning="harvester of 30 bodies, 35 coordinates and 4 loops, its four cylinders on oil",
        inputs=LEVERS,
    )


def bare_harvester() -> Case:
    """Return the harvester in its start pose, without oil and ground, with an effort on each independent coordinate."""
    m = _machine()
    _efforts(m)
    return Case(machine=m, duration=1.0, step=1e-3, meaning="harvester without oil and ground: for measuring speed")


def _machine() -> Machine:
    m = Machine("harvester-30")
    front = _chassis(m)
    _crane(m, front)
    return m


def _stand(m: Machine) -> None:
    """Put both frames on upright springs at their bogies, and hold them sideways and lengthwise by level ones."""
    c, s = math.cos(math.radians(ARTICULATION)), math.sin(math.radians(ARTICULATION))
    for frame, end, along, share in (("front_frame", "front", AXLE_FRONT, FRONT_SHARE),
                                     ("rear_frame", "rear", AXLE_REAR, 1.0 - FRONT_SHARE)):  # fmt: skip
        for side, out, part in (("left", TRACK, LEFT_SHARE), ("right", -TRACK, 1.0 - LEFT_SHARE)):
            x, y = along, out
            if end == "rear":
                x, y = ARTICULATION_AT[0] + c * along - s * out, s * along + c * out
            spot, height = m[frame].at(along, out, AXLE_HEIGHT), AXLE_HEIGHT + GROUND_CLEARANCE
            weight = share * part * WEIGHT
            under, beside, ahead = (x, y, height - 1.0), (x, y + 2.0 * out, height), (x + 2.0, y, height)
            m.spring(f"stand_{end}_{side}", m.ground.at(under), spot, STAND, damping=STAND_DAMPING, preload=weight)
            m.spring(f"side_{end}_{side}", m.ground.at(beside), spot, STAND, damping=STAND_DAMPING)
            m.spring(f"length_{end}_{side}", m.ground.at(ahead), spot, STAND, damping=STAND_DAMPING)


def _hold(m: Machine) -> None:
    """Hold what the crane's operator holds otherwise, and damp what hangs or rolls."""
    for joint in m.of(Joint):
        if joint.name in ("slew", "telescope_1_slide", "telescope_2_slide"):
            m.joint_spring(f"{joint.name}_hold", joint.name, stiffness=HOLD, rest=joint.start[0], damping=HOLD_DAMPING)
        elif joint.name.startswith("bogie"):
            m.joint_spring(f"{joint.name}_hold", joint.name, stiffness=2e5, rest=joint.start[0], damping=4e3)
        elif joint.name.startswith("wheel"):
            m.joint_friction(f"{joint.name}_drag", joint.name, coulomb=0.0, viscous=500.0)
    m.joint_friction("rotator_drag", "rotator_bearing", coulomb=0.0, viscous=1e3)
    m.joint_friction("head_drag", "head_hinge", coulomb=0.0, viscous=2e3)


def _chassis(m: Machine) -> Handle:
    """Front frame, rear frame, bogies, wheels and the steering cylinder; returns the front frame."""
    front = m.body("front_frame", mass=5200.0, com=(0.35, 0.0, 0.45), inertia=_box(5200.0, (3.0, 1.6, 1.4)))
    m.free("base", m.ground, front, start=(0.0, 0.0, GROUND_CLEARANCE, 0.0, 0.0, 0.0))
    rear = m.body("rear_frame", mass=6200.0, com=(-1.7, 0.0, 0.50), inertia=_box(6200.0, (3.4, 1.9, 1.5)))
    m.revolute("articulation", front.at(ARTICULATION_AT), rear, axis="z", start=math.radians(ARTICULATION))
    front.shape("box", at=(0.3, 0.0, 0.3), size=(2.4, 1.2, 0.8))
    rear.shape("box", at=(-1.7, 0.0, 0.5), size=(3.2, 1.5, 1.2))

    turned = 1.0  # degrees; no two joints start alike, so that a mixed-up index shows
    for frame, end, along in ((front, "front", AXLE_FRONT), (rear, "rear", AXLE_REAR)):
        for side, out in (("left", 1.0), ("right", -1.0)):
            name = f"{end}_{side}"
            bogie = m.body(f"bogie_{name}", mass=350.0, inertia=_box(350.0, (1.7, 0.3, 0.4)))
            at = (along, out * TRACK, AXLE_HEIGHT)
            m.revolute(f"bogie_{name}_hinge", frame.at(at), bogie, axis="y", start=math.radians(turned))
            bogie.shape("box", at=(0.0, 0.0, 0.0), size=(1.6, 0.2, 0.3))
            turned = -1.5 * turned
            for number, ahead in ((1, WHEEL_BASE), (2, -WHEEL_BASE)):
                wheel = m.body(f"wheel_{name}_{number}", mass=330.0, inertia=_wheel(330.0))
                place = bogie.at((ahead, out * WHEEL_OUT, 0.0))
                start = math.radians(10.0 * turned * number)
                m.revolute(f"wheel_{name}_{number}_axle", place, wheel, axis="y", start=start)
                across = (math.radians(90.0), 0.0, 0.0)
                wheel.shape("cylinder", size=(WHEEL_RADIUS, WHEEL_WIDTH), rpy=across, colour="black")

    _add_ram(m, "steer", front, rear, hinge=_plan_view(ARTICULATION_AT), angle=ARTICULATION, level=True)
    return front


def _crane(m: Machine, front: Handle) -> None:
    """Column, boom, jib, telescopes, link, rotator, head and the three cylinders between them."""
    column = m.body("column", mass=700.0, com=(0.0, 0.0, 0.65), inertia=_box(700.0, (0.6, 0.6, 1.4)))
    m.revolute("slew", front.at(COLUMN_AT), column, axis="z", start=math.radians(SLEW))
    boom = m.body("boom", mass=900.0, com=(1.75, 0.0, 0.06), inertia=_box(900.0, (3.8, 0.30, 0.40)))
    m.revolute("boom_hinge", column.at(BOOM_AT), boom, axis="-y", start=math.radians(BOOM))
    jib = m.body("jib", mass=550.0, com=(0.95, 0.0, 0.03), inertia=_box(550.0, (2.6, 0.26, 0.32)))
    m.revolute("jib_hinge", boom.at(JIB_AT), jib, axis="-y", start=math.radians(JIB))
    outer = m.body("telescope_1", mass=220.0, com=(1.0, 0.0, 0.0), inertia=_box(220.0, (2.1, 0.22, 0.26)))
    m.prismatic("telescope_1_slide", jib.at(TELESCOPE_1_AT), outer, axis="x", start=TELESCOPE_1)
    inner = m.body("telescope_2", mass=160.0, com=(1.0, 0.0, 0.0), inertia=_box(160.0, (2.1, 0.18, 0.22)))
    m.prismatic("telescope_2_slide", outer.at(TELESCOPE_2_AT), inner, axis="x", start=TELESCOPE_2)
    link = m.body("link", mass=60.0, com=(0.16, 0.0, 0.02), inertia=_box(60.0, (0.45, 0.25, 0.25)))
    m.revolute("link_hinge", inner.at(LINK_AT), link, axis="-y", start=math.radians(LINK))
    rotator = m.body("rotator", mass=90.0, com=(0.12, 0.0, 0.0), inertia=_box(90.0, (0.30, 0.28, 0.28)))
    m.revolute("rotator_bearing", link.at(ROTATOR_AT), rotator, axis="x", start=math.radians(ROTATOR))
    head = m.body("head", mass=500.0, com=(0.55, 0.04, 0.10), inertia=_box(500.0, (1.3, 0.9, 0.8)))
    m.revolute("head_hinge", rotator.at(HEAD_AT), head, axis="-y", start=math.radians(HEAD))

    for body, length, thick in ((boom, 3.7, 0.35), (jib, 2.2, 0.30), (outer, 2.1, 0.24), (inner, 2.0, 0.20)):
        body.shape("box", at=(0.5 * length, 0.0, 0.0), size=(length, thick, thick))
    column.shape("box", at=(0.0, 0.0, 0.65), size=(0.5, 0.5, 1.3))
    link.shape("box", at=(0.17, 0.0, 0.0), size=(0.35, 0.2, 0.2))
    rotator.shape("box", at=(0.15, 0.0, 0.0), size=(0.3, 0.28, 0.28))
    head.shape("box", at=(0.6, 0.0, 0.0), size=(1.2, 0.8, 0.6))

    _add_ram(m, "lift", column, boom, hinge=_side_view(BOOM_AT), angle=BOOM)
    _add_ram(m, "fold", boom, jib, hinge=_side_view(JIB_AT), angle=JIB)
    _add_ram(m, "tilt", inner, link, hinge=_side_view(LINK_AT), angle=LINK)


def _add_ram(
    m: Machine, name: str, carrier: Handle, carried: Handle, *,
    hinge: Point2, angle: float, level: bool = False,
) -> None:  # fmt: skip
    """Add barrel and rod between two hinged parts; in plan view (`level`) or in side view."""
    axis, ram = "z" if level else "-y", RAMS[name]

    def place(point: Point2) -> tuple[float, float, float]:
        return (point[0], point[1], 0.0) if level else (point[0], 0.0, point[1])

    # rod-end pin in the carrier's plane, then the line from the foot to it
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    along = hinge[0] + c * ram.end[0] - s * ram.end[1] - ram.foot[0]
    across = hinge[1] + s * ram.end[0] + c * ram.end[1] - ram.foot[1]
    aim, distance = math.atan2(across, along), math.hypot(along, across)

    length = 0.9 * ram.closed  # of the tube and of the rod in it; the eyes take the rest
    thick = 0.12
    barrel = m.body(
        f"{name}_barrel", mass=ram.barrel_mass, com=(0.45 * ram.closed, 0.0, 0.0),
        inertia=_box(ram.barrel_mass, (length, thick, thick)),
    )  # fmt: skip
    m.revolute(f"{name}_foot", carrier.at(place(ram.foot)), barrel, axis=axis, start=aim)
    rod = m.body(
        f"{name}_rod", mass=ram.rod_mass, com=(0.55 * ram.closed, 0.0, 0.0),
        inertia=_box(ram.rod_mass, (length, 0.6 * thick, 0.6 * thick)),
    )  # fmt: skip
    m.prismatic(f"{name}_stroke", barrel, rod, axis="x", start=distance - ram.closed)
    m.revolute(f"{name}_pin", rod.at((ram.closed, 0.0, 0.0)), carried.at(place(ram.end)), axis=axis, cut=True)
    barrel.shape("box", at=(0.5 * length, 0.0, 0.0), size=(length, thick, thick))
    rod.shape("box", at=(ram.closed - 0.5 * length, 0.0, 0.0), size=(length, 0.6 * thick, 0.6 * thick))


def _efforts(m: Machine) -> None:
    """Give every coordinate an input, except the cylinders' own, which the loops make dependent."""
    dependent = {f"{ram}_{joint}" for ram in RAMS for joint in ("foot", "stroke", "pin")}
    for joint in m.of(Joint):
        if joint.name in dependent:
            continue
        several = len(joint.COORDINATES) > 1
        for index in range(len(joint.COORDINATES)):
            m.effort(f"{joint.name}_effort_{index}" if several else f"{joint.name}_effort", joint.name, index)


def _side_view(at: tuple[float, float, float]) -> Point2:
    return at[0], at[2]


def _plan_view(at: tuple[float, float, float]) -> Point2:
    return at[0], at[1]


def _box(mass: float, size: tuple[float, float, float]) -> tuple[float, float, float]:
    """Inertia of a uniform box about its centre: m/12·(b² + c²), …"""
    x, y, z = (mass / 12.0 * side * side for side in size)
    return y + z, x + z, x + y


def _wheel(mass: float) -> tuple[float, float, float]:
    """Inertia of a uniform disc that turns about y: m·r²/2 about its axle, m·(3r² + w²)/12 across."""
    across = mass / 12.0 * (3.0 * WHEEL_RADIUS**2 + WHEEL_WIDTH**2)
    return across, 0.5 * mass * WHEEL_RADIUS**2, across
