# SPDX-License-Identifier: BSD-3-Clause
"""Excavator of the 20 t class: undercarriage, slewing upper structure, boom, stick, bucket, and its hydraulics.

A generic machine of this class; not a maker's data. Lengths, masses, cylinders and pressures are rounded values inside
what data sheets of crawler excavators of 19 to 22 t give: boom 5.7 m, stick 2.9 m, bucket 1 m³ with a tip radius of
1.45 m, boom cylinders 120/85, stick 135/95, bucket 120/85 mm, 2 × 200 l/min at 343 bar, slewing at 11 rpm.

    bodies  coordinates
       2         7       undercarriage on a free joint, upper structure on the slewing ring
       5         5       boom, stick, rocker, link, bucket; the pin between link and bucket is cut: 2 loop equations

7 bodies, 12 joint coordinates, 10 degrees of freedom, 20.0 t. Axes: x forward, y left, z up; the slewing ring turns
about z, other pins about −y, so that a positive angle lifts, reaches out or opens the bucket. It stands on two tracks,
boxes of the undercarriage with their brakes on: they hold and slide, but do not turn. Teeth and shell of the bucket
touch the ground, teeth and its inside (`bucket_inside`) also tracks and cab. The oil is in excavator_circuit.py, what
it looks like in excavator_shapes.py.

Operator    `boom` (+ up), `stick` (+ in, digs), `bucket` (+ curls, digs), `slew` (+ left): levers, −1 to 1;
            `engine`, speed without load, rad/s
Soil        two inputs that the cycle scripts over time, wherever the bucket is: `load`, kg, what is in the bucket, with
            weight and inertia, 1 m³ that lay still before; `resistance`, N, force on the teeth that opens the bucket,
            square to the line from its pin to the teeth
Cycle       20 s: stick and bucket move as in digging, against these forces; lifts, slews by 90° to the left, dumps,
            slews back and lowers to where it began. The teeth cut level, 4 to 14 cm above the ground on which it
            stands, as in a bank: the bucket touches nothing. Pressures of the start pose carry the machine at rest, by
            virtual work (holding_pressures).
Validated by: validation/analytic/test_excavator.py, test_excavator_stands.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue import excavator_circuit, excavator_shapes, resting, standing_cylinder
from knuckleboom.catalogue.bucket_linkage import BucketLinkage
from knuckleboom.catalogue.excavator_circuit import RAMS
from knuckleboom.catalogue.solids import Solid, box
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.describe import Place
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.machine.over_time import ramps

Point = tuple[float, float]

# where pins are, m: (x, z) on the part that carries them
RING_HEIGHT = 1.05  # of the slewing ring above the ground
BOOM_AT: Point = (0.05, 0.80)  # on the upper structure, from the ring's centre
BOOM_LENGTH, STICK_LENGTH, TIP_RADIUS = 5.70, 2.92, 1.45
BOOM_FOOT, BOOM_EYE = (0.42, 0.14), (2.28, 0.74)  # of the boom cylinders: on the upper structure, on the boom
BOOM_SIDE = 0.42  # of each boom cylinder from the middle
STICK_FOOT, STICK_EYE = (3.10, 1.15), (-0.83, 0.30)  # of the stick cylinder: on the boom, on the stick
LINKAGE = BucketLinkage(
    foot=(0.55, 0.60), rocker_pin=(2.50, 0.03), bucket_pin=(STICK_LENGTH, 0.0), rocker=0.62, link=0.60,
    ear=(-0.04, 0.45),
)  # fmt: skip
TRACK_GAUGE = 2.2  # between the tracks' middles
TRACK: tuple[float, float, float] = (3.3, 0.60, 0.90)  # a box: length between the outer rollers, width, height
SINK = 0.005  # of level tracks into firm soil by the machine's weight

# start pose, degrees: the teeth are just above the ground, 7.2 m in front of the slewing axis
BOOM, STICK, BUCKET = 22.0, -81.0, -15.0
LOAD_AT, TEETH_AT = (0.70, 0.30), (TIP_RADIUS, 0.0)  # on the bucket, from its pin
SOIL, HEAPED, SOIL_SIZE = 1630.0, 2000.0, (1.1, 1.1, 0.85)  # kg of 1 m³, kg, m: bulk of 16 kN


SOLIDS = {
    "undercarriage": Solid(7150.0, (0.0, 0.0, 0.48), (4.0, 2.7, 0.9)),
    "upper": Solid(9600.0, (-0.85, 0.05, 0.65), (3.4, 2.5, 1.3)),  # 4 t of it is counterweight
    "boom_arm": Solid(1500.0, (2.65, 0.0, 0.42), (5.6, 0.5, 0.7)),
    "stick_arm": Solid(830.0, (0.95, 0.0, 0.08), (3.6, 0.35, 0.5)),
    "rocker": Solid(60.0, (0.31, 0.0, 0.0), (0.7, 0.35, 0.1)),
    "link": Solid(70.0, (0.30, 0.0, 0.0), (0.7, 0.3, 0.15)),
    "bucket_shell": Solid(790.0, (0.62, 0.0, 0.36), (1.2, 1.15, 1.0)),
}

# the work cycle: times in s, levers −1 to 1, linear between
CYCLE: dict[str, dict[float, float]] = {
    "stick": {0.5: 0.0, 0.9: 0.4, 4.6: 0.4, 4.9: 0.0, 10.0: 0.0, 10.4: -0.5, 11.6: -0.5, 12.0: 0.0,
              14.4: 0.0, 14.8: -0.4, 15.86: -0.4, 16.26: 0.0},
    "bucket": {0.5: 0.0, 0.9: 0.14, 2.5: 0.2, 3.4: 0.42, 5.4: 0.42, 5.7: 0.0, 9.7: 0.0, 10.1: -0.75, 11.3: -0.75,
               11.7: 0.0, 12.2: 0.0, 12.6: 0.35, 13.88: 0.35, 14.28: 0.0},
    "boom": {0.6: 0.0, 1.0: 0.17, 2.4: 0.17, 2.8: 0.0, 4.8: 0.0, 6.0: 0.5, 7.1: 0.5, 8.3: 0.0, 12.4: 0.0,
             13.8: -0.5, 14.97: -0.5, 16.37: 0.0},
    "slew": {5.2: 0.0, 7.2: 0.475, 7.4: 0.475, 9.4: 0.0, 12.0: 0.0, 14.0: -0.475, 14.36: -0.475, 16.36: 0.0},
    "resistance": {0.6: 0.0, 1.4: 45e3, 4.0: 60e3, 4.7: 0.0},
    "load": {1.0: 0.0, 4.6: SOIL, 10.2: SOIL, 11.3: 0.0},
}  # fmt: skip
DURATION = 20.0  # s
BACK = 15e5  # Pa, absolute: what is locked in on the side of a cylinder that carries nothing
BUCKET_WIDTH, TOOTH = 1.15, 0.03  # m; radius of the rounded edge of the teeth
SHELL: tuple[Point, ...] = ((0.14, -0.02), (0.20, 0.55), (0.50, 0.83), (0.90, 0.78), (1.20, 0.50))  # of the bucket
INSIDE: tuple[Point, Point] = ((0.67, 0.27), (0.94, 0.54))  # a box in the bucket: its centre, length and height
CAB, HOUSE = ((0.35, 0.78, 1.14), (1.75, 0.92, 1.60)), ((-1.0, 0.0, 0.85), (3.0, 2.5, 1.1))  # boxes on the upper part


def excavator() -> Case:
    """Return the excavator at rest with its teeth above the ground, and a cycle of 20 s."""
    m = Machine("excavator")
    add_mechanism(m)
    add_ground(m)
    excavator_circuit.add(m, cylinder_places(m), holding_pressures(m), BACK)
    excavator_shapes.add(m)
    return m.case(
        "dig",
        duration=DURATION,
        step=1e-3,
        meaning="excavator of 20 t with its hydraulics, on its tracks: a cycle of digging against scripted soil forces",
        inputs={name: ramps(points) for name, points in CYCLE.items()},
    )


def add_mechanism(m: Machine) -> None:
    """Bodies, joints, places of cylinders and forces."""
    for name, solid in SOLIDS.items():
        m.body(name, mass=solid.mass, com=solid.com, inertia=box(solid.mass, solid.size))
    linkage = LINKAGE.at(math.radians(BUCKET))
    rest = {"axis": "-y"}
    m.free("base", m.ground, "undercarriage")
    m.revolute("slewing", _on(m, "undercarriage", (0.0, RING_HEIGHT)), "upper", axis="z")
    m.revolute("boom_pin", _on(m, "upper", BOOM_AT), "boom_arm", start=math.radians(BOOM), **rest)
    m.revolute("stick_pin", _on(m, "boom_arm", (BOOM_LENGTH, 0.0)), "stick_arm", start=math.radians(STICK), **rest)
    m.revolute("rocker_pin", _on(m, "stick_arm", LINKAGE.rocker_pin), "rocker", start=linkage.rocker, **rest)
    m.revolute("link_pin", _on(m, "rocker", (LINKAGE.rocker, 0.0)), "link", start=linkage.link - linkage.rocker, **rest)
    m.revolute(
        "bucket_pin", _on(m, "stick_arm", LINKAGE.bucket_pin), "bucket_shell", start=math.radians(BUCKET), **rest
    )
    m.revolute("ear_pin", _on(m, "link", (LINKAGE.link, 0.0)), _on(m, "bucket_shell", LINKAGE.ear), cut=True, **rest)

    m["bucket_shell"].point("teeth", (TEETH_AT[0], 0.0, TEETH_AT[1]))
    m.payload("load", _on(m, "bucket_shell", LOAD_AT), most=HEAPED, box=SOIL_SIZE)
    m.force("resistance", "bucket_shell.teeth", "z", frame="body")


def add_ground(m: Machine) -> None:
    """Ground, and what touches it: tracks on which the machine is at rest, upper structure and bucket."""
    m.terrain("floor", material="soil")
    x, y, z = TRACK
    sides = {"track_left": 0.5 * TRACK_GAUGE, "track_right": -0.5 * TRACK_GAUGE}
    feet = [(a * x, side + b * y, 0.0) for side in sides.values() for a in (0.5, -0.5) for b in (0.5, -0.5)]
    stiffness = resting.weight(m) / SINK / len(feet)
    resting.rest(m, "base", feet, stiffness)
    for name, side in sides.items():
        m.contact(name, m["undercarriage"].at(0.0, side, 0.5 * z), box=TRACK, against=(), material="steel",
                  stiffness=stiffness)  # fmt: skip
    for name, (at, size) in (("cab", CAB), ("house", HOUSE)):
        m.contact(name, m["upper"].at(*at), box=size, against=(), material="steel")

    bucket, wide = "bucket_shell", 0.5 * BUCKET_WIDTH
    shell = tuple((point[0], y, point[1]) for point in SHELL for y in (wide, -wide))
    m.contact("shell", bucket, hull=shell, material="steel", depth="5 mm")
    reached = (*sides, "cab")
    (along, up), (length, high) = INSIDE
    m.contact("bucket_inside", _on(m, bucket, (along, up)), box=(length, BUCKET_WIDTH, high), against=reached,
              material="steel")  # fmt: skip
    m.contact("teeth", _on(m, bucket, (TEETH_AT[0] - TOOTH, TOOTH)), capsule=(TOOTH, BUCKET_WIDTH - 2.0 * TOOTH),
              axis="y", against=reached, material="steel", depth="5 mm")  # fmt: skip


def cylinder_places(m: Machine) -> dict[str, tuple[Place, Place]]:
    """Base and rod-end pin of each cylinder."""
    left, right = BOOM_SIDE, -BOOM_SIDE
    return {
        "boom_left": (_on(m, "upper", BOOM_FOOT, left), _on(m, "boom_arm", BOOM_EYE, left)),
        "boom_right": (_on(m, "upper", BOOM_FOOT, right), _on(m, "boom_arm", BOOM_EYE, right)),
        "stick_cylinder": (_on(m, "boom_arm", STICK_FOOT), _on(m, "stick_arm", STICK_EYE)),
        "bucket_cylinder": (_on(m, "stick_arm", LINKAGE.foot), _on(m, "rocker", (LINKAGE.rocker, 0.0))),
    }


def holding_forces(m: Machine) -> dict[str, float]:
    """Force of each cylinder in the start pose, N, positive where it pushes: virtual work, λ·∂s/∂q = ∂V/∂q."""
    pose, places, linkage = StartPose(m), cylinder_places(m), LINKAGE.at(math.radians(BUCKET))
    boom = pose.effort("boom_pin") / pose.lever("boom_pin", *places["boom_left"])
    stick = pose.effort("stick_pin") / pose.lever("stick_pin", *places["stick_cylinder"])
    weight = (
        pose.effort("bucket_pin")
        + linkage.rocker_rate * pose.effort("rocker_pin")
        + (linkage.link_rate - linkage.rocker_rate) * pose.effort("link_pin")
    )
    bucket = -weight / linkage.lever
    return {"boom_left": 0.5 * boom, "boom_right": 0.5 * boom, "stick_cylinder": stick, "bucket_cylinder": bucket}


def holding_pressures(m: Machine) -> dict[str, tuple[float, float]]:
    """Pressures of both sides that carry the start pose, Pa absolute; the side that carries nothing is at BACK.

    The tracks lean by their loads, and so does the slewing ring, off which the upper structure would turn.
    """
    turned = StartPose(m).effort("slewing") / excavator_circuit.SLEW_DISPLACEMENT
    pressures = {"slew_motor": (BACK + max(turned, 0.0), BACK + max(-turned, 0.0))}
    for name, force in holding_forces(m).items():
        pressures[name] = standing_cylinder.holding_pressures(force, RAMS[name].bore, RAMS[name].rod, BACK)
    return pressures


def _on(m: Machine, body: str, point: Point, y: float = 0.0) -> Place:
    """A place in the plane of the boom, or beside it."""
    return m.make_place(body, at=(point[0], y, point[1]))
