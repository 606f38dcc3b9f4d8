# SPDX-License-Identifier: BSD-3-Clause
"""Forwarder crane: pillar, boom, jib with a double telescope, rotator and grapple, on a forwarder that is parked.

A generic machine of this class; not a maker's data. Sizes are typical of cranes that load forwarders of 12 t: reach
9.85 m, telescope 3.4 m, up to 150 kNm of gross lift, 32 kNm of slewing, 160 l/min at 235 bar, lift cylinder 125/75,
jib 110/70, telescope 63/40, grip 80/50 mm, 1.9 t with a grapple of 0.3 m².

    14 bodies, 16 joints, 19 coordinates, 5 equations, 14 degrees of freedom
    bodies  coordinates
       2         7       base (free, on four feet), pillar (slews about z)
       4         4       boom, rocker, knuckle link, jib; the pin of link and jib is cut: a four-bar (2 equations)
       2         2       extensions; one cylinder pushes the first, a chain takes the second along (1 equation)
       3         3       link and rotator, which swing on crossed pins at the tip; grapple, which turns below it
       3         3       arms and coupler, whose right pin is cut: a four-bar that keeps the arms alike (2 equations)

Axes: x forward, y left, z up. Pins of the boom turn about −y, so that a positive angle lifts or reaches out; arms close
at positive angles. Linkages in closed form: bucket_linkage.py, that of the knuckle upside down. The oil is in
forwarder_crane_circuit.py, what it looks like in forwarder_crane_shapes.py.

Operator    `slew_valve` (+ left), `lift_valve` (+ up), `fold_valve` (+ out), `telescope_valve` (+ out),
            `rotator_valve` (+ left), `grip_valve` (+ close), −1 to 1; `engine`, speed without load, rad/s
Log         nothing is gripped or set down. `log`, kg, is a log of 4 m across the closed arms, with
            weight and inertia, which lay still before; the case `load` scripts it over time, wherever the grapple is
Cases       load  20 s: reaches out and down, closes, lifts a log of 600 kg, slews in by 90°, lowers, opens
            hold  5 s with all levers at rest, from the equilibrium
The base is the forwarder as one body of 10 t; it stands on two stabilisers beside the crane and on its bogies, each a
ball on the ground as stiff as makes all sink alike: it sways, slides and tips over. Tips of the arms, frame and cab
touch the ground, too. Pressures of the start pose carry the crane, by virtual work.
Validated by: validation/analytic/test_forwarder_crane.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue import forwarder_crane_circuit, forwarder_crane_shapes, standing_cylinder
from knuckleboom.catalogue.bucket_linkage import BucketLinkage
from knuckleboom.catalogue.forwarder_crane_circuit import RAMS
from knuckleboom.catalogue.resting import frame_loads
from knuckleboom.catalogue.solids import Solid, box
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.describe import Place
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.machine.over_time import ramps

Point = tuple[float, float]

# where pins are, m: (x, z) on the part that carries them
BEARING = 1.75  # height of the slewing bearing above the ground
BOOM_AT: Point = (-0.05, 1.45)  # on the pillar
BOOM_LENGTH, EXTENSION = 3.60, 2.40  # of the boom; from an extension's rear end to its tip
LIFT_FOOT, LIFT_EYE = (0.15, 0.115), (0.51, -0.10)  # on the pillar, on the boom
KNUCKLE = BucketLinkage(  # in the boom's plane with z down: its angle folds the jib in
    foot=(BOOM_LENGTH - 1.90, 0.30), rocker_pin=(BOOM_LENGTH - 0.35, 0.10), bucket_pin=(BOOM_LENGTH, 0.0), rocker=0.48,
    link=0.55, ear=(0.2954, 0.0521),
)  # fmt: skip
INSIDE, STEPPED = 0.30, 0.20  # rear end of each extension from that of what it slides in, retracted
TELESCOPE_FOOT, TELESCOPE_EYE = (0.25, 0.24), (2.05, 0.24)  # on the jib, on the first extension
LINK, HOUSING = 0.16, 0.30  # from the tip to the rotator's pin, from there to the bearing
ARM_PIN = (0.35, -0.30)  # (y, z) on the grapple, left
EAR, EAR_LEAN = 0.18, math.radians(17.5)  # of the arms, for the cylinder: from the pin, outwards at half open
TIE = 0.12  # of the arms, for the coupler: above the left pin, below the right one
COUPLER = BucketLinkage(  # seen from behind: the right arm drives, the left one follows
    foot=(0.0, 0.0), rocker_pin=(-ARM_PIN[0], 0.0), bucket_pin=(ARM_PIN[0], 0.0), rocker=TIE,
    link=2.0 * math.hypot(ARM_PIN[0], TIE), ear=(0.0, -TIE),
)  # fmt: skip
GRIPPED = (0.0, 0.0, -0.85)  # centre of a log in the closed grapple

# start pose: degrees, and the travel of each extension, m; arms are half open, where they are alike
BOOM, JIB, OUT = 35.0, -75.0, 0.40
FEET = {
    "stabiliser_left": (0.90, 1.35), "stabiliser_right": (0.90, -1.35), "bogie_left": (-2.40, 1.0),
    "bogie_right": (-2.40, -1.0),
}  # fmt: skip
"""(x, y) of what the base stands on, m."""
FOOT, SINK = 0.20, 0.005  # m: radius; how deep all feet stand
FRAME, CAB = ((-2.0, 0.0, 0.95), (5.2, 0.7, 0.30)), ((-0.20, 0.80, 1.20), (1.10, 0.84, 1.50))  # on base and pillar
BACK = 10e5  # Pa, absolute: locked in at rest on the side of grip cylinder and motors that carries nothing
SWING_DRAG = 400.0  # N·m·s/rad, of the brakes in the crossed pins: a sixth of critical


SOLIDS = {
    "base": Solid(10e3, (-1.90, 0.0, 1.0), (5.2, 2.4, 1.4)),
    "pillar": Solid(380.0, (0.0, 0.0, 0.70), (0.4, 0.4, 1.6)),
    "boom": Solid(520.0, (1.75, 0.0, 0.03), (3.8, 0.25, 0.35)),
    "rocker": Solid(35.0, (0.24, 0.0, 0.0), (0.55, 0.25, 0.10)),
    "knuckle_link": Solid(32.0, (0.275, 0.0, 0.0), (0.65, 0.20, 0.10)),
    "jib": Solid(310.0, (1.15, 0.0, 0.03), (2.7, 0.22, 0.30)),
    "extension_1": Solid(140.0, (1.15, 0.0, 0.0), (2.4, 0.16, 0.22)),
    "extension_2": Solid(105.0, (1.25, 0.0, 0.0), (2.4, 0.12, 0.17)),
    "link": Solid(35.0, (0.0, 0.0, -0.08), (0.20, 0.20, 0.25)),
    "rotator": Solid(65.0, (0.0, 0.0, -0.17), (0.25, 0.25, 0.30)),
    "grapple": Solid(115.0, (0.0, 0.0, -0.18), (0.45, 0.75, 0.30)),
    "arm_left": Solid(68.0, (0.0, 0.10, -0.36), (0.40, 0.25, 0.85)),
    "arm_right": Solid(68.0, (0.0, -0.10, -0.36), (0.40, 0.25, 0.85)),
    "coupler": Solid(12.0, (0.0, -math.hypot(ARM_PIN[0], TIE), 0.0), (0.06, 0.75, 0.06)),
}

LOG, LARGEST, LOG_SIZE = 600.0, 1500.0, (4.0, 0.45, 0.45)  # kg, kg, m
CYCLE: dict[str, dict[float, float]] = {
    # times, s, and levers −1 to 1, linear between
    "fold_valve": {0.4: 0.0, 0.9: 0.6, 2.4: 0.6, 2.9: 0.0, 8.2: 0.0, 8.8: -0.5, 11.4: -0.5, 12.0: 0.0},
    "telescope_valve": {0.6: 0.0, 1.1: 0.6, 2.9: 0.6, 3.4: 0.0, 9.0: 0.0, 9.5: -0.55, 12.0: -0.55, 12.5: 0.0},
    "lift_valve": {1.6: 0.0, 2.2: -0.6, 4.5: -0.6, 5.1: 0.0, 6.9: 0.0, 7.6: 0.6, 9.9: 0.6, 10.6: 0.0,
                   14.2: 0.0, 14.8: -0.4, 15.9: -0.4, 16.5: 0.0},
    "rotator_valve": {3.0: 0.0, 3.3: 0.5, 3.9: 0.5, 4.2: 0.0, 11.0: 0.0, 11.4: -0.5, 12.0: -0.5, 12.4: 0.0},
    "grip_valve": {0.5: 0.0, 0.8: -0.6, 1.4: -0.6, 1.7: 0.0, 5.2: 0.0, 5.5: 0.7, 6.5: 0.7, 6.8: 0.0,
                   16.9: 0.0, 17.2: -0.7, 18.2: -0.7, 18.5: 0.0},
    "slew_valve": {8.6: 0.0, 9.6: 0.75, 12.7: 0.75, 13.9: 0.0},
    "log": {6.9: 0.0, 7.9: LOG, 17.1: LOG, 17.9: 0.0},
}  # fmt: skip


def forwarder_crane() -> Case:
    """Return the crane at rest with its grapple half open, and its cases; that of loading is the first."""
    m = Machine("forwarder-crane")
    _boom(m)
    _grapple(m)
    _ground(m)
    forwarder_crane_circuit.add(m, cylinder_places(m), holding_pressures(m), BACK)
    forwarder_crane_shapes.add(m)
    load = m.case(
        "load",
        duration=20.0,
        step=1e-3,
        meaning="forwarder crane of 14 bodies with its hydraulics: a cycle of loading; the log is a scripted mass",
        inputs={name: ramps(points) for name, points in CYCLE.items()},
    )
    m.case("hold", duration=5.0, step=1e-3, start="equilibrium", meaning="levers at rest: five valves hold the crane")
    return load


def _body(m: Machine, name: str) -> None:
    solid = SOLIDS[name]
    m.body(name, mass=solid.mass, com=solid.com, inertia=box(solid.mass, solid.size))


def _boom(m: Machine) -> None:
    """Base, pillar, boom, knuckle and telescope."""
    for name in SOLIDS:
        _body(m, name)
    knuckle, pin = KNUCKLE.at(math.radians(-JIB)), {"axis": "-y"}
    m.free("mount", m.ground, "base", start=(0.0, 0.0, -SINK, 0.0, 0.0, 0.0))
    m.revolute("slew", _on(m, "base", (0.0, BEARING)), "pillar", axis="z")
    m.revolute("boom_hinge", _on(m, "pillar", BOOM_AT), "boom", start=math.radians(BOOM), **pin)
    m.revolute("rocker_pin", _on(m, "boom", _down(KNUCKLE.rocker_pin)), "rocker", start=-knuckle.rocker, **pin)
    m.revolute(
        "link_pin", _on(m, "rocker", (KNUCKLE.rocker, 0.0)), "knuckle_link", start=knuckle.rocker - knuckle.link, **pin
    )
    m.revolute("jib_hinge", _on(m, "boom", KNUCKLE.bucket_pin), "jib", start=math.radians(JIB), **pin)
    m.revolute(
        "ear_pin", _on(m, "knuckle_link", (KNUCKLE.link, 0.0)), _on(m, "jib", _down(KNUCKLE.ear)), cut=True, **pin
    )
    m.prismatic("telescope_1_slide", _on(m, "jib", (INSIDE, 0.0)), "extension_1", axis="x", start=OUT)
    m.prismatic("telescope_2_slide", _on(m, "extension_1", (STEPPED, 0.0)), "extension_2", axis="x", start=OUT)
    m.gear("chain", "telescope_1_slide", "telescope_2_slide", ratio=1.0)


def _grapple(m: Machine) -> None:
    """What hangs at the tip, plumb, with half open arms."""
    m["extension_2"].point("tip", (EXTENSION, 0.0, 0.0))
    m.revolute("tip_pin", "extension_2.tip", "link", axis="-y", start=math.radians(-BOOM - JIB))
    m.revolute("rotator_pin", m["link"].at(0.0, 0.0, -LINK), "rotator", axis="x")
    m.revolute("rotator_bearing", m["rotator"].at(0.0, 0.0, -HOUSING), "grapple", axis="z")
    for joint in ("tip_pin", "rotator_pin"):
        m.joint_friction(f"{joint}_brake", joint, coulomb=0.0, viscous=SWING_DRAG)
    (y, z), tie = ARM_PIN, COUPLER.at(0.0)
    m.revolute("arm_left_pin", m["grapple"].at(0.0, y, z), "arm_left", axis="-x")
    m.revolute("arm_right_pin", m["grapple"].at(0.0, -y, z), "arm_right", axis="x")
    m.revolute("coupler_left_pin", m["arm_left"].at(0.0, 0.0, TIE), "coupler", axis="-x", start=tie.link)
    m.revolute(
        "coupler_right_pin", m["coupler"].at(0.0, -COUPLER.link, 0.0), m["arm_right"].at(0.0, 0.0, -TIE), axis="-x",
        cut=True,
    )  # fmt: skip
    m["grapple"].point("log", GRIPPED)
    m.payload("log", "grapple.log", most=LARGEST, box=LOG_SIZE)


def _ground(m: Machine) -> None:
    """Ground, feet that sink alike, and what else may touch it."""
    m.terrain("floor", material="soil")
    for name, load in feet_loads(m).items():
        x, y = FEET[name]
        m.contact(name, m["base"].at(x, y, FOOT), sphere=FOOT, against=(), material="steel", stiffness=load / SINK)
    for name, body, (at, size) in (("frame", "base", FRAME), ("cab", "pillar", CAB)):
        m.contact(name, m[body].at(*at), box=size, against=(), material="steel", depth="5 mm")
    for side, out in (("left", 1.0), ("right", -1.0)):
        m.contact(f"tip_{side}", m[f"arm_{side}"].at(0.0, -0.05 * out, -0.79), capsule=(0.04, 0.30), axis="x",
                  against=(), material="steel", depth="1 cm")  # fmt: skip


def feet_loads(m: Machine) -> dict[str, float]:
    """Load of each foot at the start, N."""
    return dict(zip(FEET, frame_loads(StartPose(m), list(FEET.values())), strict=True))


def cylinder_places(m: Machine) -> dict[str, tuple[Place, Place]]:
    """Base and rod-end pin of each cylinder."""
    out, up = EAR * math.sin(EAR_LEAN), EAR * math.cos(EAR_LEAN)
    return {
        "lift": (_on(m, "pillar", LIFT_FOOT), _on(m, "boom", LIFT_EYE)),
        "fold": (_on(m, "boom", _down(KNUCKLE.foot)), _on(m, "rocker", (KNUCKLE.rocker, 0.0))),
        "telescope": (_on(m, "jib", TELESCOPE_FOOT), _on(m, "extension_1", TELESCOPE_EYE)),
        "grip": (m["arm_left"].at(0.0, out, up), m["arm_right"].at(0.0, -out, up)),
    }


def holding_forces(m: Machine) -> dict[str, float]:
    """Force of each cylinder in the start pose, N, positive where it pushes: virtual work, λ·∂s/∂q = ∂V/∂q."""
    pose, places, knuckle = StartPose(m), cylinder_places(m), KNUCKLE.at(math.radians(-JIB))
    lift = pose.effort("boom_hinge") / pose.lever("boom_hinge", *places["lift"])
    # a positive angle of the jib is a negative one of the linkage, and so are those of rocker and link
    fold = (
        pose.effort("jib_hinge")
        + knuckle.rocker_rate * pose.effort("rocker_pin")
        + (knuckle.link_rate - knuckle.rocker_rate) * pose.effort("link_pin")
    ) / knuckle.lever
    telescope = pose.effort("telescope_1_slide") + pose.effort("telescope_2_slide")
    # half open, both arms turn alike and the coupler does not turn in space
    arms = pose.effort("arm_left_pin") + pose.effort("arm_right_pin") - pose.effort("coupler_left_pin")
    grip = arms / (2.0 * EAR * math.cos(EAR_LEAN))
    return {"lift": lift, "fold": fold, "telescope": telescope, "grip": grip}


def holding_pressures(m: Machine) -> dict[str, tuple[float, float]]:
    """Pressures of bore and rod side that carry the start pose, Pa absolute."""
    tank = forwarder_crane_circuit.TANK
    return {
        name: standing_cylinder.holding_pressures(
            force, RAMS[name].bore, RAMS[name].rod, BACK if name == "grip" else tank
        )
        for name, force in holding_forces(m).items()
    }


def _down(point: Point) -> Point:
    """A point of the knuckle's plane, which has z down, on the body."""
    return point[0], -point[1]


def _on(m: Machine, body: str, point: Point) -> Place:
    """A place in the plane of the boom."""
    return m.make_place(body, at=(point[0], 0.0, point[1]))
