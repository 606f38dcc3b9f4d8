# SPDX-License-Identifier: BSD-3-Clause
"""Harvester with 30 bodies and its hydraulics, and a log on a slide in its head: on it speed is measured.

A generic machine of this class; not a maker's data. 18.9 t, six wheels, 35 joint coordinates, four loops of 2
equations, 27 degrees of freedom, as Table 4.1 of [Baharudin 2016] has them, with 180 generalised coordinates and 153
constraint equations of its 30 bodies:

    bodies  coordinates
      10        15       free front frame, rear frame on a vertical articulation hinge, 2 bogies, 6 wheels
       8         8       slew column, boom, jib, telescope, link and yoke (a cross that hangs), rotator, head
       8         8       cylinders lift, fold, tilt and steer: each a barrel on a hinge and a rod sliding in it
       4         4       two grip arms, saw bar, log that slides along the head

The thesis prints neither bodies nor joints; these are ours. The cuts are the rod-end pins of the four cylinders with
bodies, 2 equations each: lift_pin, fold_pin, tilt_pin, steer_pin. Telescope, grip and saw are massless cylinders.

Circuits    crane: load-sensing pump; steer, slew (motor), lift, fold, telescope. Lift and fold have compensators;
            lift, fold and telescope counterbalance valves; steer and slew shock valves.
            head: load-sensing pump; tilt, rotator (motor), grip, feed, saw. Two pumps, as large machines have, since
            the head feeds logs at high flow while the crane moves.
Feed        two motors of 540 cm³/rev on rollers of 0.2 m radius, without slip, as one `winch` on the log's slide.
Saw         its port A swings the bar out, slowly, and turns the chain, whose motor counts as an orifice; B swings back.
            The bar meets no wood: nothing resists it, and no log is parted.
Log         5 m; a body on a slide in the head, there from the start: at any grip it cannot fall out.
Ground      it stands on six tires with its brakes on and does not drive; head, arms, saw bar and log touch the ground,
            but for the arms also the cab (harvester_ground.py).
Inputs      steer_valve, slew_valve, lift_valve, fold_valve, telescope_valve, tilt_valve, rotator_valve, grip_valve,
            feed_valve, saw_valve: −1 … 1; positive is left, left, up, out, out, up, left, closed, forward, out.
Cycle       20 s: reach out, close the arms, saw bar out and in, feed 1 m, saw bar again, swing with the log, lower,
            open, and back: the movements of felling and cutting to length.

`bare_harvester` is the same machine without oil, ground, tires and friction, on which speed is compared with other
programs: every independent coordinate has an effort part, an input named after its joint (`slew_effort`;
`base_effort_0` … `_5` on the free frame) and zero by default; all of its angles start different, so that a mixed-up
index shows.
Validated by: validation/analytic/test_harvester_30.py, validation/programs/test_harvester.py
"""

from __future__ import annotations

import math

from knuckleboom.catalogue.harvester_ground import add_log_touch, add_saw_touch, add_touch, stand_on_tires
from knuckleboom.catalogue.harvester_oil import TANK, Circuit, crane_sections, grip_section, head_sections, ram_cylinder
from knuckleboom.catalogue.harvester_parts import (
    ARTICULATION_AT,
    DARK,
    LINK_AT,
    LINK_DRAG,
    LOG_AT,
    LOG_RADIUS,
    RAMS,
    STEEL,
    Start,
    add_arms,
    add_head,
    add_ram,
    add_rotator,
    chassis,
    crane,
    hanging,
    plan_view,
    stop_arms,
)
from knuckleboom.catalogue.solids import box, wheel
from knuckleboom.catalogue.standing_cylinder import holding_pressures
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Handle, Machine
from knuckleboom.machine.case import Case
from knuckleboom.mechanics.parts import Joint

BENT = Start(
    articulation=8.0, slew=25.0, boom=58.0, jib=-98.0, telescope=0.8, sway=3.0, roll=-4.0, rotator=20.0, tilt=10.0,
    arms=(-30.0, -33.0), saw=12.0, log=0.5, bogies=(1.0, -1.5), wheels=(22.0, 45.0, -34.0, -67.0, 51.0, -76.0),
)  # fmt: skip
"""Start pose of the bare machine: no two joints alike."""

YOKE_AT, ROTATOR_AT = (0.0, 0.0, -0.25), (0.0, 0.0, -0.20)  # on the link, on the yoke
SAW_AT, SAW_LENGTH, SAW_PIN = (-0.60, 0.30, -0.05), 0.75, 0.10  # on the head; the bar; its cylinder's pin above it
SAW_MASS = 25.0  # kg, of the bar with its drive
LOG_LENGTH, LOG_DENSITY = 5.0, 850.0  # m, kg/m³ of fresh wood
FEED_TRAVEL, FEED_ROLLER = 2.0, 0.2  # m: of the log each way; radius of the feed rollers
LEVERS = {
    "lift_valve": {0.0: 0.0, 0.5: -0.3, 2.5: 0.0, 9.2: 0.4, 11.2: 0.0, 12.6: -0.35, 13.8: 0.0, 15.5: 0.35, 17.2: 0.0},
    "fold_valve": {0.0: 0.0, 0.7: 0.35, 2.4: 0.0, 9.5: -0.3, 11.1: 0.0},
    "telescope_valve": {0.0: 0.0, 0.9: 0.6, 2.2: 0.0, 9.8: -0.55, 11.2: 0.0},
    "slew_valve": {0.0: 0.0, 10.0: 0.5, 12.6: 0.0, 15.8: -0.5, 18.15: 0.0},
    "rotator_valve": {0.0: 0.0, 10.2: -0.5, 11.4: 0.0, 16.0: 0.5, 17.2: 0.0},
    "tilt_valve": {0.0: 0.0, 1.0: 0.4, 1.8: 0.0, 6.4: -0.33, 7.0: 0.0},
    "grip_valve": {0.0: 0.0, 2.6: 0.8, 3.7: 0.0, 14.2: -0.5, 14.8: 0.0},
    "feed_valve": {0.0: 0.0, 6.2: 0.4, 6.9: 0.0, 14.8: -0.4, 15.5: 0.0},
    "saw_valve": {0.0: 0.0, 4.0: 1.0, 5.0: -0.4, 5.35: 0.0, 7.6: 1.0, 8.6: -0.4, 8.95: 0.0},
    "steer_valve": {0.0: 0.0, 17.4: 0.4, 18.0: 0.0, 18.4: -0.4, 19.0: 0.0},
}
"""Times [s] and spools of the work cycle."""


def harvester_30() -> Case:
    """Return the harvester on its tires with a log in its open arms, and a work cycle of 20 s."""
    m = mechanism(Start())
    stop_arms(m)
    for joint in ("link_hinge", "yoke_hinge"):
        m.joint_friction(f"{joint}_drag", joint, coulomb=0.0, viscous=LINK_DRAG)
    m.joint_stop("log_ends", "log_slide", lower=-FEED_TRAVEL, upper=FEED_TRAVEL, stiffness=1e6, damping=1.0)
    _circuits(m)
    stand_on_tires(m)
    add_touch(m)
    add_saw_touch(m, SAW_LENGTH)
    add_log_touch(m, m["log"], LOG_LENGTH)
    m.cite = "baharudin2016"
    return m.case(
        "work",
        duration=20.0,
        step=1e-3,
        meaning="harvester of 30 bodies and 8 loop equations with its hydraulics, on tires; its log is on a slide",
        inputs=LEVERS,
    )


def bare_harvester() -> Case:
    """Return the harvester in a bent pose, without oil and ground, with an effort on each independent coordinate."""
    m = mechanism(BENT)
    _efforts(m)
    return m.case("run", duration=1.0, step=1e-3, meaning="harvester without oil and ground: for measuring speed")


def mechanism(start: Start) -> Machine:
    """Return all bodies and joints, without oil and ground."""
    m = Machine("harvester-30")
    front, rear = chassis(m, start)
    add_ram(m, "steer", front, rear, hinge=plan_view(ARTICULATION_AT), angle=start.articulation, level=True)
    telescope = crane(m, front, start)
    link = m.body("link", mass=45.0, com=(0.0, 0.0, -0.12), inertia=box(45.0, (0.20, 0.25, 0.30)))
    m.revolute("link_hinge", telescope.at(LINK_AT), link, axis="-y", start=math.radians(hanging(start)))
    yoke = m.body("yoke", mass=60.0, com=(0.0, 0.0, -0.10), inertia=box(60.0, (0.25, 0.25, 0.25)))
    m.revolute("yoke_hinge", link.at(YOKE_AT), yoke, axis="x", start=math.radians(start.roll))
    link.shape("box", at=(0.0, 0.0, -0.12), size=(0.12, 0.20, 0.30), colour=STEEL)
    yoke.shape("box", at=(0.0, 0.0, -0.05), size=(0.20, 0.12, 0.16), colour=STEEL)
    yoke.shape("cylinder", at=(0.0, 0.0, -0.14), size=(0.16, 0.12), colour=DARK)
    head = add_head(m, add_rotator(m, yoke.at(ROTATOR_AT), start), start, beside=SAW_MASS * SAW_AT[1])
    add_arms(m, head, start)
    _saw(m, head, start)
    _log(m, head, start)
    return m


def _saw(m: Machine, head: Handle, start: Start) -> None:
    """Add the saw bar at the rear of the head; a positive angle swings it into the log."""
    saw = m.body("saw", mass=SAW_MASS, com=(0.0, 0.0, -0.15), inertia=box(SAW_MASS, (0.05, 0.12, SAW_LENGTH)))
    m.revolute("saw_hinge", head.at(SAW_AT), saw, axis="-x", start=math.radians(start.saw))
    saw.shape("box", at=(0.0, 0.0, -0.5 * SAW_LENGTH), size=(0.02, 0.09, SAW_LENGTH), colour=STEEL)
    saw.shape("box", at=(0.0, 0.0, 0.05), size=(0.06, 0.08, 0.14), colour=DARK)


def _log(m: Machine, head: Handle, start: Start) -> None:
    """Add the log; it lies so in the head that all that hangs on the link is balanced, unless the pose says where."""
    mass = LOG_DENSITY * math.pi * LOG_RADIUS**2 * LOG_LENGTH
    across, along, _ = wheel(mass, LOG_RADIUS, LOG_LENGTH)
    travel = start.log
    if travel is None:
        pose = StartPose(m)
        head_pose = pose.bodies["head"]
        rest, centre = pose.weight(pose.beyond("link_hinge"))
        travel = -rest * float((centre - head_pose.p) @ head_pose.R[:, 0]) / mass
    log = m.body("log", mass=mass, inertia=(along, across, across))
    m.prismatic("log_slide", head.at(LOG_AT), log, axis="x", start=travel)
    lying = (0.0, math.radians(90.0), 0.0)
    log.shape("cylinder", size=(LOG_RADIUS, LOG_LENGTH), rpy=lying, colour="#8a5a33")
    log.shape("cylinder", size=(0.95 * LOG_RADIUS, LOG_LENGTH + 0.01), rpy=lying, colour="#dcb583")


def _circuits(m: Machine) -> None:
    """Two pumps, one tank."""
    oil = m.oil("oil", mineral_oil(bulk=1.5e9))
    tank = oil.tank("tank", TANK)

    crane_pump = Circuit(oil, tank, "crane")
    steer = ram_cylinder(m, oil, "steer", dead="0.6 l", other=10e5)
    crane_pump.section("steer", steer.b, steer.a, "60 l/min")
    crane_pump.shocks("steer", steer.b, steer.a, 200e5, "60 l/min")
    crane_sections(m, crane_pump)
    crane_pump.finish(displacement="145 cm3/rev", flow="250 l/min")

    head_pump = Circuit(oil, tank, "head")
    head_sections(m, head_pump)
    grip_section(m, head_pump)
    _feed(m, head_pump)
    _sawing(m, head_pump)
    head_pump.finish(displacement="165 cm3/rev", flow="280 l/min")


def _feed(m: Machine, c: Circuit) -> None:
    """The motors of the two feed rollers: a winch is a motor with a drum on a slide, here the rollers on the log."""
    feed = m.winch(
        "feed", "log_slide", displacement="1080 cm3/rev", drum=FEED_ROLLER, oil=c.oil, dead_a="1 l", dead_b="1 l",
        pressure_a=10e5, pressure_b=10e5, viscous=600.0, coulomb=2e3, friction_speed=0.03,
    )  # fmt: skip
    c.section("feed", feed.b, feed.a, "200 l/min")
    c.shocks("feed", feed.a, feed.b, 190e5, "200 l/min")


def _sawing(m: Machine, c: Circuit) -> None:
    """The bar's cylinder, and the chain's motor as an orifice beside it; the way out is throttled by the spool."""
    bore, rod = 0.032, 0.020  # m
    a, b = holding_pressures(0.0, bore, rod, TANK)  # the bar hangs
    bar = m.cylinder(
        "saw_cylinder", m["head"].at(SAW_AT[0], SAW_AT[1] - 0.28, SAW_AT[2] + SAW_PIN), m["saw"].at(0.0, 0.0, SAW_PIN),
        bore=bore, rod=rod, stroke=0.10, closed=0.279, oil=c.oil, dead_a="0.4 l", dead_b="0.2 l", pressure_a=a,
        pressure_b=b, viscous=1e3, coulomb=100.0,
    )  # fmt: skip
    c.oil.restrictor("saw_chain", bar.a, c.tank, flow=("90 l/min", "180 bar"))
    c.section("saw", bar.a, bar.b, "85 l/min", metering={"BT": ((0.0, 0.0), (1.0, 0.02))})


def _efforts(m: Machine) -> None:
    """Give every coordinate an input, except the cylinders' own, which the loops make dependent."""
    dependent = {f"{ram}_{joint}" for ram in RAMS for joint in ("foot", "stroke", "pin")}
    for joint in m.of(Joint):
        if joint.name in dependent:
            continue
        several = len(joint.COORDINATES) > 1
        for index in range(len(joint.COORDINATES)):
            m.effort(f"{joint.name}_effort_{index}" if several else f"{joint.name}_effort", joint.name, index)
