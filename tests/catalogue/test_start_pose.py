# SPDX-License-Identifier: BSD-3-Clause
"""Start poses agree with the plan's, efforts hold a machine at rest, and levers are slopes."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.catalogue.solids import box
from knuckleboom.catalogue.start_pose import StartPose


def slewed():
    """A frame with a slewed, lifted arm and a slide on it."""
    m = kb.Machine("slewed")
    frame = m.body("frame", mass=2000.0, com=(0.1, 0.05, 0.4), inertia=box(2000.0, (3.0, 2.0, 0.5)))
    m.fixed("base", m.ground.at(0.0, 0.0, 0.5), frame)
    column = m.body("column", mass=300.0, com=(0.2, 0.0, 0.3), inertia=box(300.0, (0.5, 0.5, 0.8)))
    m.revolute("slew", frame.at(0.4, 0.2, 0.5), column.at(0.0, 0.0, 0.0, rpy=(0.0, 0.0, 0.3)), start=0.5)
    arm = m.body("arm", mass=400.0, com=(1.0, 0.0, 0.1), inertia=box(400.0, (2.0, 0.2, 0.2)))
    m.revolute("lift", column.at(0.3, 0.0, 0.6), arm, axis="-y", start=0.4)
    slide = m.body("slide", mass=100.0, com=(0.5, 0.0, 0.0), inertia=box(100.0, (1.0, 0.1, 0.1)))
    slide.point_mass("weight", 50.0, (1.0, 0.0, 0.0))
    m.prismatic("push", arm.at(1.0, 0.0, 0.0), slide, axis=(2.0, 0.0, 0.0), start=0.7)
    for joint in ("slew", "lift", "push"):
        m.effort(f"{joint}_effort", joint)
    return m


def held(m):
    """The machine with efforts that hold its joints, by virtual work."""
    pose = StartPose(m)
    return {f"{joint}_effort": pose.effort(joint) for joint in ("slew", "lift", "push")}


def test_poses_are_those_of_the_plan():
    m = slewed()
    pose, run = StartPose(m), kb.simulate(m, "1 ms", step="1 ms")
    for body in ("frame", "column", "arm", "slide"):
        assert pose.bodies[body].p == pytest.approx(run[f"{body}.position"].values[0], abs=1e-12)


def test_efforts_hold_it_at_rest():
    """Weights by virtual work: nothing accelerates, for 10 ms nothing moves by 1e-9 m."""
    m = slewed()
    run = kb.simulate(m, "10 ms", step="1 ms", inputs=held(m), coupling="realtime")
    for body in ("column", "slide"):
        assert float(np.ptp(run[f"{body}.position"].values, axis=0).max()) < 1e-9


def test_lever_is_the_slope_of_the_length():
    """∂s/∂q by central differences of the start angle."""

    def length(turn):
        m = slewed()
        lift = m.part("lift")
        m.put(type(lift)(**{**{key: getattr(lift, key) for key in lift.model_fields_set}, "start": 0.4 + turn}))
        pose = StartPose(m)
        places = m["column"].at(0.5, 0.0, 0.1), m["arm"].at(0.8, 0.0, 0.2)
        return pose.distance(*places), pose.lever("lift", *places)

    difference = (length(1e-5)[0] - length(-1e-5)[0]) / 2e-5
    assert length(0.0)[1] == pytest.approx(difference, rel=1e-8)
