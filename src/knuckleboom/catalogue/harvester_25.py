# SPDX-License-Identifier: BSD-3-Clause
"""Harvester with 25 bodies and its hydraulics: the smaller one of [Baharudin 2016], publication III.

A generic machine of this class; not a maker's data. 18.5 t, six wheels. Its table 1 has 25 bodies, 29 joints, 31 joint
coordinates and 7 loop equations, and prints neither bodies nor joints; these are ours:

    bodies  coordinates
      10        15       free front frame, rear frame on a vertical articulation hinge, 2 bogies, 6 wheels
       7         8       slew column, boom, jib, telescope, link on a universal joint, rotator, head
       6         6       cylinders lift, fold and tilt: each a barrel on a hinge and a rod sliding in it
       2         2       two grip arms

25 joints make the tree, 4 close it: the rod-end pins lift_pin, fold_pin and tilt_pin with 2 equations each, and the
gear of the grip arms, whose toothed roots mesh, with 1, which is 7. Its table says 23 degrees of freedom, which do not
follow from 31 − 7: ours has 24. Steering, telescope and grip are massless cylinders. It has no saw, no feed, no log and
no tree: its arms close on joint stops, as on a stem of 0.28 m. It stands on six tires with its brakes on and does not
drive; head and arms touch the ground, the head also the cab. What it shares with harvester-30 is in harvester_parts.py,
harvester_oil.py and harvester_ground.py.

Circuits    crane: load-sensing pump; steer (two cylinders, crossed), slew (motor), lift, fold, telescope.
            head: load-sensing pump; tilt, rotator (motor), grip.
Inputs      steer_valve, slew_valve, lift_valve, fold_valve, telescope_valve, tilt_valve, rotator_valve, grip_valve:
            −1 … 1; positive is left, left, up, out, out, up, left, closed.
Cycle       16 s: reach out with the head tilted up, close the arms, tilt down, swing, open, and back: the movements
            with which a tree is gripped and laid down, without one.
Validated by: validation/analytic/test_harvester_25.py, tests/catalogue/test_harvesters.py
"""

from __future__ import annotations

import math
from dataclasses import replace

from knuckleboom.catalogue.harvester_ground import add_touch, stand_on_tires
from knuckleboom.catalogue.harvester_oil import (
    FRICTION,
    TANK,
    Circuit,
    crane_sections,
    grip_section,
    head_sections,
    join,
)
from knuckleboom.catalogue.harvester_parts import (
    DARK,
    LINK_AT,
    LINK_DRAG,
    RAMS,
    STEEL,
    Start,
    add_arms,
    add_head,
    add_rotator,
    chassis,
    crane,
    hanging,
    stop_arms,
)
from knuckleboom.catalogue.solids import box
from knuckleboom.catalogue.standing_cylinder import holding_pressures
from knuckleboom.catalogue.start_pose import StartPose
from knuckleboom.hydraulics.parts.fluids import mineral_oil
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case

ROTATOR_AT = (0.0, 0.0, -0.45)  # on the link
LEVERS = {
    "lift_valve": {0.0: 0.0, 0.5: -0.3, 2.5: 0.0, 6.0: 0.4, 7.6: 0.0, 9.8: -0.3, 10.8: 0.0, 11.9: 0.3, 13.5: 0.0},
    "fold_valve": {0.0: 0.0, 0.7: 0.35, 2.4: 0.0, 6.2: -0.3, 7.8: 0.0},
    "telescope_valve": {0.0: 0.0, 0.9: 0.6, 2.2: 0.0, 6.6: -0.55, 8.0: 0.0},
    "tilt_valve": {0.0: 0.0, 1.0: 0.8, 2.6: 0.0, 4.6: -0.5, 6.0: 0.0},
    "grip_valve": {0.0: 0.0, 3.0: 0.8, 4.1: 0.0, 11.0: -0.5, 11.6: 0.0},
    "slew_valve": {0.0: 0.0, 7.0: 0.5, 9.4: 0.0, 12.3: -0.5, 14.65: 0.0},
    "rotator_valve": {0.0: 0.0, 7.2: 0.5, 8.2: 0.0, 12.6: -0.5, 13.6: 0.0},
    "steer_valve": {0.0: 0.0, 13.6: 0.4, 14.2: 0.0, 14.6: -0.4, 15.2: 0.0},
}
"""Times [s] and spools of the work cycle."""


def harvester_25() -> Case:
    """Return the harvester on its tires with open arms, and a work cycle of 16 s."""
    m = _mechanism(_balanced(Start(rotator=0.0)))
    stop_arms(m)
    for index, name in enumerate(("along", "across")):
        m.joint_friction(f"link_drag_{name}", "link_cross", index, coulomb=0.0, viscous=LINK_DRAG)
    _circuits(m)
    stand_on_tires(m)
    add_touch(m)
    m.cite = "baharudin2016"
    return m.case(
        "work",
        duration=16.0,
        step=1e-3,
        meaning="harvester of 25 bodies and 7 loop equations with its hydraulics, on tires; it moves without a tree",
        inputs=LEVERS,
    )


def _balanced(start: Start) -> Start:
    """The pose in which all that hangs on the link has its centre below the link's pin."""
    m = _mechanism(start)
    pose = StartPose(m)
    _, centre = pose.weight(pose.beyond("link_cross"))
    below = centre - pose.world(m["telescope"].at(LINK_AT))
    return replace(start, sway=start.sway - math.degrees(math.atan2(below[0], -below[2])))


def _mechanism(start: Start) -> Machine:
    """All bodies and joints."""
    m = Machine("harvester-25")
    front, _ = chassis(m, start)
    telescope = crane(m, front, start)
    link = m.body("link", mass=105.0, com=(0.0, 0.0, -0.22), inertia=box(105.0, (0.25, 0.25, 0.45)))
    m.universal(
        "link_cross", telescope.at(LINK_AT), link, axis="-y", second_axis="x", start=(math.radians(hanging(start)), 0.0)
    )
    link.shape("box", at=(0.0, 0.0, -0.15), size=(0.12, 0.20, 0.34), colour=STEEL)
    link.shape("cylinder", at=(0.0, 0.0, -0.38), size=(0.16, 0.14), colour=DARK)
    head = add_head(m, add_rotator(m, link.at(ROTATOR_AT), start), start)
    add_arms(m, head, start)
    m.gear("grip_gear", "grip_left_hinge", "grip_right_hinge", ratio=1.0)
    return m


def _circuits(m: Machine) -> None:
    """Two pumps, one tank."""
    oil = m.oil("oil", mineral_oil(bulk=1.5e9))
    tank = oil.tank("tank", TANK)

    crane_pump = Circuit(oil, tank, "crane")
    _steering(m, crane_pump)
    crane_sections(m, crane_pump)
    crane_pump.finish(displacement="145 cm3/rev", flow="250 l/min")

    head_pump = Circuit(oil, tank, "head")
    head_sections(m, head_pump)
    grip_section(m, head_pump)
    head_pump.finish(displacement="60 cm3/rev", flow="120 l/min")


def _steering(m: Machine, c: Circuit) -> None:
    """A cylinder on each side of the articulation, crossed: one pushes while the other pulls."""
    ram = RAMS["steer"]
    a, b = holding_pressures(0.0, ram.bore, ram.rod, 10e5)
    left, right = (
        m.cylinder(
            f"steer_{side}", m["front_frame"].at(ram.foot[0], out * ram.foot[1], 0.0),
            m["rear_frame"].at(ram.end[0], out * ram.end[1], 0.0), bore=ram.bore, rod=ram.rod, stroke=ram.stroke,
            closed=ram.closed, oil=c.oil, dead_a="0.6 l", dead_b="0.6 l", pressure_a=a, pressure_b=b, **FRICTION,
        )
        for side, out in (("left", 1.0), ("right", -1.0))
    )  # fmt: skip
    join(c.oil, "steer_hose_left", left.b, right.a)
    join(c.oil, "steer_hose_right", left.a, right.b)
    c.section("steer", left.b, left.a, "60 l/min")
    c.shocks("steer", left.b, left.a, 200e5, "60 l/min")
