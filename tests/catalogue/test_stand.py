# SPDX-License-Identifier: BSD-3-Clause
"""The stand carries a machine at rest, and start poses agree with the plan's."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue.solids import box
from knuckleboom.catalogue.stand import stand
from knuckleboom.catalogue.start_pose import StartPose

SINK = 0.01  # m


def standing(*, on_stand=True):
    """A frame with a slewed, lifted arm and a slide on it: lopsided, so that each foot has a load of its own."""
    m = kb.Machine("standing")
    frame = m.body("frame", mass=2000.0, com=(0.1, 0.05, 0.4), inertia=box(2000.0, (3.0, 2.0, 0.5)))
    m.free("base", m.ground, frame, start=(0.0, 0.0, 0.5, 0.0, 0.0, 0.0))
    column = m.body("column", mass=300.0, com=(0.2, 0.0, 0.3), inertia=box(300.0, (0.5, 0.5, 0.8)))
    m.revolute("slew", frame.at(0.4, 0.2, 0.5), column.at(0.0, 0.0, 0.0, rpy=(0.0, 0.0, 0.3)), start=0.5)
    arm = m.body("arm", mass=400.0, com=(1.0, 0.0, 0.1), inertia=box(400.0, (2.0, 0.2, 0.2)))
    m.revolute("lift", column.at(0.3, 0.0, 0.6), arm, axis="-y", start=0.4)
    slide = m.body("slide", mass=100.0, com=(0.5, 0.0, 0.0), inertia=box(100.0, (1.0, 0.1, 0.1)))
    slide.point_mass("weight", 50.0, (1.0, 0.0, 0.0))
    m.prismatic("push", arm.at(1.0, 0.0, 0.0), slide, axis=(2.0, 0.0, 0.0), start=0.7)
    for joint in ("slew", "lift", "push"):
        m.effort(f"{joint}_effort", joint)
    if on_stand:
        ends, sides = {"front": 1.0, "rear": -1.0}, {"left": 1.0, "right": -1.0}
        feet = {f"{end}_{side}": frame.at(ends[end], sides[side], -0.5) for end in ends for side in sides}
        beside = (frame.at(1.0, 0.0, -0.5), frame.at(-1.0, 0.0, -0.5))
        stand(m, feet, beside=beside, ahead=frame.at(0.0, 0.0, -0.5), sink=SINK)
    return m


def held(m):
    """The machine with efforts that hold its joints, by virtual work."""
    pose = StartPose(m)
    return {f"{joint}_effort": pose.effort(joint) for joint in ("slew", "lift", "push")}


def test_poses_are_those_of_the_plan():
    m = standing()
    pose, run = StartPose(m), kb.simulate(m, "1 ms", step="1 ms")
    for body in ("frame", "column", "arm", "slide"):
        assert pose.bodies[body].p == pytest.approx(run[f"{body}.position"].values[0], abs=1e-12)


def test_seven_springs_carry_it_at_rest():
    """Weights by virtual work, loads by moments: nothing accelerates, for 10 ms nothing moves by 1e-9 m."""
    m = standing()
    run = kb.simulate(m, "10 ms", step="1 ms", inputs=held(m), coupling="realtime")
    assert sum(part.KIND == "spring" for part in m.parts.values()) == 7
    for body in ("frame", "slide"):
        assert float(np.ptp(run[f"{body}.position"].values, axis=0).max()) < 1e-9


def test_it_sinks_by_its_weight():
    """Taken off its preloads the machine settles `sink` lower: W = n·k·sink."""
    m = standing()
    springs = [part for part in m.parts.values() if part.name.startswith("stand_") and part.preload]
    weight = -m.gravity[2] * StartPose(m).weight()[0]
    assert sum(part.preload for part in springs) == pytest.approx(weight, rel=1e-12)
    assert sum(part.stiffness for part in springs) * SINK == pytest.approx(weight, rel=1e-12)


def test_lever_is_the_slope_of_the_length():
    """∂s/∂q by central differences of the start angle."""

    def length(turn):
        m = standing(on_stand=False)
        lift = m.part("lift")
        m.put(type(lift)(**{**{key: getattr(lift, key) for key in lift.model_fields_set}, "start": 0.4 + turn}))
        pose = StartPose(m)
        places = m["column"].at(0.5, 0.0, 0.1), m["arm"].at(0.8, 0.0, 0.2)
        return pose.distance(*places), pose.lever("lift", *places)

    difference = (length(1e-5)[0] - length(-1e-5)[0]) / 2e-5
    assert length(0.0)[1] == pytest.approx(difference, rel=1e-8)


def test_a_foot_that_leans_on_an_axis_swings_freely_about_it():
    """A trailer on an upright hinge: its springs carry it at rest, and keep their length while it swings by 40°."""
    m = kb.Machine("articulated")
    front = m.body("front", mass=1000.0, com=(1.0, 0.0, 0.0), inertia=box(1000.0, (2.0, 1.0, 0.5)))
    m.free("base", m.ground, front, start=(0.0, 0.0, 0.5, 0.0, 0.0, 0.0))
    rear = m.body("rear", mass=1500.0, com=(-1.2, 0.0, 0.0), inertia=box(1500.0, (2.0, 1.0, 0.5)))
    m.revolute("articulation", front, rear, axis="z", start=0.0)
    ends, sides = {"front": 1.5, "rear": -1.5}, {"left": 0.8, "right": -0.8}
    feet = {f"{end}_{side}": m[end].at(ends[end], sides[side], 0.0) for end in ends for side in sides}
    axis = (0.0, 0.0, -4.0)
    stand(
        m, feet, beside=(front.at(1.5, 0.0, 0.0), front.at(0.0, 0.0, 0.0)), ahead=front.at(1.5, 0.0, 0.0),
        leaning={"rear_left": axis, "rear_right": axis},
    )  # fmt: skip

    assert np.abs(kb.build(m).accelerations()).max() < 1e-9

    m.driver("swing", "articulation", times=[0.0, 2.0], values=[0.0, np.radians(40.0)])
    run = kb.simulate(m, "4 s", step="1 ms", record="10 ms", coupling="realtime")
    # the front frame gives way by some mm to what the leaning springs push; an upright one would be 0.4 m longer
    assert np.ptp(run["stand_rear_left.length"].values) < 5e-3
    assert np.degrees(run["articulation.angle"].at(4.0)) == pytest.approx(40.0, abs=1e-3)
