# SPDX-License-Identifier: BSD-3-Clause
"""What the harvesters share: a six-wheeled articulated chassis, a crane with one telescope, cylinders as two bodies.

A generic machine of the 19 t class; not a maker's data. Sizes, masses and bores are typical of the class: crane reach
9 m, lifting moment about 200 kN·m, head 0.9 t, wheels 1.3 m in front (two bogies) and 1.5 m behind.

Axes: x forward, y left, z up, in every body while all angles are zero. Crane hinges turn about −y, so that a positive
angle lifts; articulation, slew and rotator turn about z. All hang straight in the start pose: the link's angle is that
which brings it upright. A cylinder as two bodies lies in the plane of its hinge; barrel angle and rod travel follow
from the triangle hinge - foot - rod end, its rod-end pin is the cut joint and adds 2 loop equations.
Validated by: tests/catalogue/test_harvesters.py, validation/analytic/test_harvester_30.py
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from knuckleboom.catalogue.solids import box, wheel
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.describe import Place
from knuckleboom.machine import Handle, Machine

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]

# where hinges and slides sit on the part that carries them, m
ARTICULATION_AT = (-0.9, 0.0, 0.0)  # on the front frame
COLUMN_AT = (1.2, 0.0, 0.55)  # on the front frame
BOOM_AT = (-0.10, 0.0, 1.35)  # on the column
JIB_AT = (4.00, 0.0, 0.0)  # on the boom
TELESCOPE_AT = (0.30, 0.0, 0.0)  # on the jib
LINK_AT = (2.60, 0.0, 0.0)  # on the telescope
HEAD_AT = (0.0, 0.0, -0.80)  # on the rotator's lower half, which carries the head
FRONT_AXLE, REAR_AXLE = 1.0, -1.9  # along the front and the rear frame
TRACK, AXLE_HEIGHT = 0.95, -0.44  # half track; below the frame's origin
FRONT_WHEEL, REAR_WHEEL, WIDTH = 0.66, 0.75, 0.60  # radii and width of the wheels
WHEEL_BASE, WHEEL_OUT = 0.72, 0.20  # half length of a bogie; wheel beside it
HEIGHT = FRONT_WHEEL - AXLE_HEIGHT  # of the front frame's origin above the soil
LOG_AT = (0.0, 0.0, -0.38)  # axis of a log in the head, along the head's x
LOG_RADIUS = 0.14
ARM_AT = (0.35, 0.16, -0.15)  # hinge of the left grip arm on the head
ARM_PIN = 0.18  # its cylinder's pin above the hinge
ARM_STOP = {"stiffness": 1e5, "damping": 2.0}  # arms that press on a log, N·m/rad and s/rad
LINK_DRAG = 2.5e3  # N·m·s/rad, of the brakes of what hangs
GREEN, DARK, STEEL, GLASS, TYRE = "#3d7a37", "#3a3f44", "#9aa3ab", "#9fc6d6", "#23262a"


@dataclass(frozen=True)
class Ram:
    """A cylinder between two hinged parts: foot on the carrier, end on the carried part, in the plane of the hinge."""

    foot: Point2
    end: Point2
    closed: float  # pin to pin when retracted, m
    barrel_mass: float
    rod_mass: float
    bore: float  # diameters and travel, m
    rod: float
    stroke: float


RAMS = {
    "lift": Ram((0.45, 0.30), (1.25, -0.18), 1.20, 95.0, 60.0, 0.125, 0.070, 1.05),
    "fold": Ram((2.20, -0.30), (0.55, -0.10), 1.27, 90.0, 58.0, 0.140, 0.080, 1.00),
    "tilt": Ram((0.10, -0.11), (-0.183, 0.170), 0.58, 18.0, 11.0, 0.063, 0.036, 0.34),
    # stops at 35.4° to either side; a longer one would reach its dead centre
    "steer": Ram((-0.10, 0.42), (-0.45, 0.40), 0.95, 45.0, 28.0, 0.080, 0.045, 0.493),
}
HINGES = {"lift": "boom_hinge", "fold": "jib_hinge", "tilt": "head_hinge", "steer": "articulation"}
"""The joint that each of them moves."""


@dataclass(frozen=True)
class Start:
    """A start pose, in degrees and m; `sway` is how far the hanging link is from upright."""

    articulation: float = 0.0
    slew: float = 0.0
    boom: float = 55.0
    jib: float = -100.0
    telescope: float = 0.6
    sway: float = 0.0
    roll: float = 0.0
    rotator: float = 90.0
    tilt: float = 0.0
    arms: Point2 = (-30.0, -30.0)  # left and right, 0: hanging down
    saw: float = 0.0
    log: float | None = None  # None: balanced
    bogies: Point2 = (0.0, 0.0)
    wheels: tuple[float, ...] = (0.0,) * 6


def chassis(m: Machine, start: Start) -> tuple[Handle, Handle]:
    """Add front frame on a free joint, rear frame, two bogies and six wheels; return both frames."""
    front = m.body("front_frame", mass=5600.0, com=(0.30, 0.0, 0.55), inertia=box(5600.0, (3.0, 1.8, 1.8)))
    m.free("base", m.ground, front, start=(0.0, 0.0, HEIGHT, 0.0, 0.0, 0.0))
    rear = m.body("rear_frame", mass=6000.0, com=(-1.7, 0.0, 0.50), inertia=box(6000.0, (3.2, 1.9, 1.5)))
    m.revolute("articulation", front.at(ARTICULATION_AT), rear, axis="z", start=math.radians(start.articulation))

    turns = iter(start.wheels)
    for side, out, turned in (("left", 1.0, start.bogies[0]), ("right", -1.0, start.bogies[1])):
        bogie = m.body(f"bogie_{side}", mass=420.0, inertia=box(420.0, (1.7, 0.3, 0.4)))
        m.revolute(
            f"bogie_{side}_hinge", front.at(FRONT_AXLE, out * TRACK, AXLE_HEIGHT), bogie, axis="y",
            start=math.radians(turned),
        )  # fmt: skip
        bogie.shape("box", size=(1.6, 0.2, 0.3), colour=DARK)
        for number, ahead in ((1, WHEEL_BASE), (2, -WHEEL_BASE)):
            _wheel(m, f"wheel_{side}_{number}", bogie.at(ahead, out * WHEEL_OUT, 0.0), FRONT_WHEEL, 330.0, next(turns))
    for side, out in (("left", 1.0), ("right", -1.0)):
        place = rear.at(REAR_AXLE, out * (TRACK + WHEEL_OUT), REAR_WHEEL - HEIGHT)
        _wheel(m, f"wheel_{side}_rear", place, REAR_WHEEL, 480.0, next(turns))
    _look_of_frames(front, rear)
    return front, rear


def _wheel(m: Machine, name: str, place: Place, radius: float, mass: float, turned: float) -> None:
    body = m.body(name, mass=mass, inertia=wheel(mass, radius, WIDTH))
    m.revolute(f"{name}_axle", place, body, axis="y", start=math.radians(turned))
    across = (math.radians(90.0), 0.0, 0.0)
    body.shape("cylinder", size=(radius, WIDTH), rpy=across, colour=TYRE)
    body.shape("cylinder", size=(0.45 * radius, WIDTH + 0.02), rpy=across, colour=STEEL)
    body.shape("box", size=(1.6 * radius, WIDTH + 0.03, 0.06), colour=STEEL)


def _look_of_frames(front: Handle, rear: Handle) -> None:
    front.shape("box", at=(0.35, 0.0, 0.15), size=(2.5, 1.0, 0.5), colour=DARK)
    front.shape("box", at=(1.0, 0.0, AXLE_HEIGHT + 0.05), size=(0.4, 1.8, 0.3), colour=DARK)
    front.shape("box", at=(-0.15, 0.0, 0.85), size=(1.35, 1.5, 0.9), colour=GREEN)
    front.shape("box", at=(-0.12, 0.0, 1.72), size=(1.25, 1.44, 0.85), colour=GLASS)
    front.shape("box", at=(-0.15, 0.0, 2.19), size=(1.5, 1.56, 0.1), colour=GREEN)
    for x in (-0.74, 0.50):
        for y in (-0.70, 0.70):
            front.shape("box", at=(x, y, 1.72), size=(0.07, 0.07, 0.87), colour=GREEN)
    front.shape("cylinder", at=COLUMN_AT[:2] + (0.45,), size=(0.42, 0.25), colour=STEEL)
    rear.shape("box", at=(-1.55, 0.0, 0.05), size=(2.9, 0.9, 0.5), colour=DARK)
    rear.shape("box", at=(-1.75, 0.0, 0.80), size=(2.6, 1.5, 1.05), colour=GREEN)
    rear.shape("box", at=(-1.15, 0.0, 1.40), size=(1.0, 1.2, 0.2), colour=GREEN)
    rear.shape("box", at=(-3.08, 0.0, 0.75), size=(0.06, 1.2, 0.75), colour=DARK)
    rear.shape("cylinder", at=(-2.4, 0.45, 1.55), size=(0.06, 0.6), colour=DARK)
    rear.shape("box", at=(REAR_AXLE, 0.0, REAR_WHEEL - HEIGHT), size=(0.35, 1.9, 0.35), colour=DARK)


def crane(m: Machine, front: Handle, start: Start) -> Handle:
    """Add column, boom, jib, telescope and the cylinders lift and fold; return the telescope."""
    column = m.body("column", mass=700.0, com=(0.0, 0.0, 0.65), inertia=box(700.0, (0.6, 0.6, 1.4)))
    m.revolute("slew", front.at(COLUMN_AT), column, axis="z", start=math.radians(start.slew))
    boom = m.body("boom", mass=900.0, com=(1.85, 0.0, 0.06), inertia=box(900.0, (4.1, 0.30, 0.40)))
    m.revolute("boom_hinge", column.at(BOOM_AT), boom, axis="-y", start=math.radians(start.boom))
    jib = m.body("jib", mass=500.0, com=(1.15, 0.0, 0.03), inertia=box(500.0, (2.6, 0.26, 0.32)))
    m.revolute("jib_hinge", boom.at(JIB_AT), jib, axis="-y", start=math.radians(start.jib))
    telescope = m.body("telescope", mass=250.0, com=(1.25, 0.0, 0.0), inertia=box(250.0, (2.6, 0.20, 0.24)))
    m.prismatic("telescope_slide", jib.at(TELESCOPE_AT), telescope, axis="x", start=start.telescope)

    column.shape("box", at=(0.0, 0.0, 0.65), size=(0.5, 0.5, 1.1), colour=GREEN)
    for side in (-0.21, 0.21):
        column.shape("box", at=(BOOM_AT[0], side, 1.25), size=(0.35, 0.06, 0.5), colour=GREEN)
        column.shape("box", at=(0.33, side, 0.30), size=(0.4, 0.06, 0.22), colour=GREEN)
    boom.shape("box", at=(2.0, 0.0, 0.08), size=(4.1, 0.26, 0.30), colour=GREEN)
    boom.shape("box", at=(3.9, 0.0, 0.0), size=(0.4, 0.34, 0.36), colour=GREEN)
    boom.shape("box", at=(1.25, 0.0, -0.12), size=(0.3, 0.20, 0.24), colour=GREEN)
    boom.shape("box", at=(2.20, 0.0, -0.18), size=(0.3, 0.20, 0.34), colour=GREEN)
    jib.shape("box", at=(1.35, 0.0, 0.0), size=(2.7, 0.26, 0.28), colour=GREEN)
    jib.shape("box", at=(0.52, 0.0, -0.10), size=(0.3, 0.20, 0.20), colour=GREEN)
    telescope.shape("box", at=(1.3, 0.0, 0.0), size=(2.6, 0.20, 0.22), colour=STEEL)
    telescope.shape("box", at=(2.56, 0.0, 0.0), size=(0.2, 0.26, 0.26), colour=GREEN)

    add_ram(m, "lift", column, boom, hinge=side_view(BOOM_AT), angle=start.boom)
    add_ram(m, "fold", boom, jib, hinge=side_view(JIB_AT), angle=start.jib)
    return telescope


def hanging(start: Start) -> float:
    """Angle of the link's hinge, degrees, that brings the link upright, give or take the sway."""
    return start.sway - start.boom - start.jib


def add_rotator(m: Machine, above: Place, start: Start) -> Handle:
    """Add the rotator's lower half with the frame that carries the head; return it."""
    rotator = m.body("rotator", mass=130.0, com=(0.0, 0.0, -0.35), inertia=box(130.0, (0.45, 0.40, 0.80)))
    m.revolute("rotator_bearing", above, rotator, axis="z", start=math.radians(start.rotator))
    rotator.shape("cylinder", at=(0.0, 0.0, -0.06), size=(0.18, 0.12), colour=STEEL)
    rotator.shape("box", at=(0.02, 0.0, -0.15), size=(0.45, 0.50, 0.06), colour=GREEN)
    for side in (-0.22, 0.22):
        rotator.shape("box", at=(0.0, side, -0.48), size=(0.16, 0.05, 0.70), colour=GREEN)
    return rotator


def add_head(m: Machine, rotator: Handle, start: Start, *, beside: float = 0.0) -> Handle:
    """Add the head without its arms, and the cylinder that tilts it; return it. `beside` is a moment m·y that the head
    balances, kg·m.
    """
    mass = 800.0
    head = m.body("head", mass=mass, com=(0.0, -beside / mass, -0.22), inertia=box(mass, (1.4, 0.8, 0.7)))
    m.revolute("head_hinge", rotator.at(HEAD_AT), head, axis="-y", start=math.radians(start.tilt))
    head.shape("box", at=(0.05, 0.0, -0.06), size=(1.3, 0.30, 0.24), colour=GREEN)
    head.shape("box", at=(-0.55, 0.26, -0.28), size=(0.16, 0.30, 0.55), colour=GREEN)
    for side in (-1.0, 1.0):
        head.shape("box", at=(0.05, side * 0.20, -0.10), size=(0.5, 0.10, 0.26), colour=GREEN)
        head.shape("cylinder", at=(0.0, side * 0.27, -0.38), size=(0.12, 0.28), colour=DARK)
    add_ram(m, "tilt", rotator, head, hinge=side_view(HEAD_AT), angle=start.tilt)
    return head


def add_arms(m: Machine, head: Handle, start: Start) -> tuple[Handle, Handle]:
    """Add the grip arms, left and right; a positive angle closes them. Return them."""
    arms = []
    for side, out, axis, angle in (("left", 1.0, "-x", start.arms[0]), ("right", -1.0, "x", start.arms[1])):
        arm = m.body(f"grip_{side}", mass=45.0, com=(0.0, 0.02 * out, -0.15), inertia=box(45.0, (0.10, 0.15, 0.60)))
        m.revolute(f"grip_{side}_hinge", head.at(ARM_AT[0], out * ARM_AT[1], ARM_AT[2]), arm, axis=axis,
                   start=math.radians(angle))  # fmt: skip
        arm.shape("box", at=(0.0, 0.0, 0.09), size=(0.08, 0.07, 0.22), colour=DARK)
        for y, z, roll, length in ((0.05, -0.14, 20.0, 0.34), (0.05, -0.36, -25.0, 0.24), (-0.06, -0.49, -65.0, 0.18)):
            turn = (math.radians(out * roll), 0.0, 0.0)
            arm.shape("box", at=(0.0, out * y, z), size=(0.10, 0.05, length), rpy=turn, colour=DARK)
        arms.append(arm)
    return arms[0], arms[1]


def stop_arms(m: Machine) -> None:
    """Stop the arms where they would touch a log."""
    for side in ("left", "right"):
        m.joint_stop(f"grip_{side}_contact", f"grip_{side}_hinge", upper=gripped(), **ARM_STOP)


def gripped() -> float:
    """Angle of a grip arm that touches the log, rad: y cos θ − z sin θ = radius, from its hinge."""
    y, z = ARM_AT[1] - LOG_AT[1], ARM_AT[2] - LOG_AT[2]
    return math.acos(LOG_RADIUS / math.hypot(y, z)) - math.atan2(z, y)


def add_ram(
    m: Machine, name: str, carrier: Handle, carried: Handle, *, hinge: Point2, angle: float, level: bool = False
) -> None:  # fmt: skip
    """Add barrel and rod between two hinged parts; in plan view (`level`) or in side view."""
    axis, ram = "z" if level else "-y", RAMS[name]

    def place(point: Point2) -> Point3:
        return (point[0], point[1], 0.0) if level else (point[0], 0.0, point[1])

    # rod-end pin in the carrier's plane, then the line from the foot to it
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    along = hinge[0] + c * ram.end[0] - s * ram.end[1] - ram.foot[0]
    across = hinge[1] + s * ram.end[0] + c * ram.end[1] - ram.foot[1]
    aim, distance = math.atan2(across, along), math.hypot(along, across)

    length = 0.9 * ram.closed  # of the tube and of the rod in it; the eyes take the rest
    thick = 1.2 * ram.bore
    barrel = m.body(
        f"{name}_barrel", mass=ram.barrel_mass, com=(0.45 * ram.closed, 0.0, 0.0),
        inertia=box(ram.barrel_mass, (length, thick, thick)),
    )  # fmt: skip
    m.revolute(f"{name}_foot", carrier.at(place(ram.foot)), barrel, axis=axis, start=aim)
    rod = m.body(
        f"{name}_rod", mass=ram.rod_mass, com=(0.55 * ram.closed, 0.0, 0.0),
        inertia=box(ram.rod_mass, (length, ram.rod, ram.rod)),
    )  # fmt: skip
    m.prismatic(f"{name}_stroke", barrel, rod, axis="x", start=distance - ram.closed)
    m.revolute(f"{name}_pin", rod.at(ram.closed, 0.0, 0.0), carried.at(place(ram.end)), axis=axis, cut=True)
    lying = (0.0, math.radians(90.0), 0.0)
    barrel.shape("cylinder", at=(0.5 * length, 0.0, 0.0), size=(0.5 * thick, length), rpy=lying, colour=DARK)
    rod.shape("cylinder", at=(ram.closed - 0.5 * length, 0.0, 0.0), size=(0.5 * ram.rod, length), rpy=lying,
              colour="#d5dade")  # fmt: skip


def holding_force(m: Machine, name: str) -> float:
    """Force of a cylinder of two bodies that carries the weight in the start pose, N."""
    foot, end = m[f"{name}_barrel"].at(0.0, 0.0, 0.0), m[f"{name}_rod"].at(RAMS[name].closed, 0.0, 0.0)
    return StartPose(m).ram_force(HINGES[name], name, foot, end)


def side_view(at: Point3) -> Point2:
    """A point of the x-z plane."""
    return at[0], at[2]


def plan_view(at: Point3) -> Point2:
    """A point of the x-y plane."""
    return at[0], at[1]
