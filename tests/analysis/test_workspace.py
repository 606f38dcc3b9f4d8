# SPDX-License-Identifier: BSD-3-Clause
"""Work spaces against closed forms: a planar arm, a rocker that cannot turn fully, a boom on a cylinder."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import four_bar
from references.linkages import FourBar

UPPER, LOWER = 0.7, 0.4


def arm():
    """Two links in the x-z plane, shoulder and elbow about −y, so that positive angles lift."""
    machine = kb.Machine("arm")
    upper = machine.body("upper", mass=2.0, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1))
    lower = machine.body("lower", mass=1.0, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1))
    lower.point("tip", (LOWER, 0, 0))
    machine.revolute("shoulder", machine.ground, upper, axis="-y")
    machine.revolute("elbow", upper.at(UPPER, 0, 0), lower, axis="-y")
    return machine


def tip(shoulder, elbow):
    x = UPPER * np.cos(shoulder) + LOWER * np.cos(shoulder + elbow)
    z = UPPER * np.sin(shoulder) + LOWER * np.sin(shoulder + elbow)
    return np.stack([x, 0.0 * x, z], axis=-1)


def test_every_place_of_an_arm():
    space = kb.workspace(arm(), "lower.tip", {"shoulder": ("0 deg", "90 deg", 7), "elbow": (0.0, 2.0, 5)})
    shoulder, elbow = np.meshgrid(np.linspace(0.0, math.pi / 2, 7), np.linspace(0.0, 2.0, 5), indexing="ij")
    assert space.positions.values == pytest.approx(tip(shoulder, elbow), abs=1e-12)
    assert space.positions.dims == ("shoulder", "elbow", "xyz")
    assert (len(space.points), space.open, space.beyond) == (35, 0, 0)
    assert space.reach() == pytest.approx(UPPER + LOWER)
    assert space.extents["y"] == (0.0, 0.0)
    assert "of 35 poses" in str(space) and "area" in str(space)


def test_area_and_volume():
    """A quarter of a disc of radius R has the area πR²/4; turned about z it is a half ball of volume 2πR³/3."""
    machine = kb.Machine("crane")
    post = machine.body("post", mass=1.0, inertia=(1, 1, 1))
    boom = machine.body("boom", mass=1.0, inertia=(1, 1, 1))
    boom.point("tip", (1.0, 0, 0))
    machine.revolute("slew", machine.ground, post, axis="z")
    machine.revolute("foot", post, boom, axis="-y")
    machine.prismatic("out", boom, machine.body("end", mass=1.0, inertia=(1, 1, 1)), axis="x")
    side = kb.workspace(machine, "end", {"foot": (0.0, "90 deg", 91), "out": (0.0, 1.0, 2)})
    assert (side.dimension, side.volume) == (2, 0.0)
    assert side.area == pytest.approx(math.pi / 4.0, rel=1e-4)
    space = kb.workspace(machine, "boom.tip", {"slew": (0.0, "360 deg", 49), "foot": (0.0, "90 deg", 13)})
    assert space.dimension == 3
    assert space.volume == pytest.approx(2.0 * math.pi / 3.0, rel=2e-2)


def test_a_crank_that_cannot_turn_fully():
    """Poses with |p − D| > b + c do not close and are counted; the others lie on the rocker's circle."""
    model = FourBar(a=0.5, b=0.4, c=0.4, d=0.5)
    machine = four_bar(model, 0.6, 0.0)
    machine["rocker"].point("tip", (model.c, 0, 0))
    angles = np.linspace(0.4, 3.0, 53)
    gap = np.hypot(model.d - model.a * np.cos(angles), model.a * np.sin(angles))

    space = kb.workspace(machine, "rocker.tip", {"main": (0.4, 3.0, 53)})

    assert space.open == int(np.sum(gap > model.b + model.c))
    reached = np.isfinite(space.positions.values).all(axis=1)
    assert np.array_equal(reached, gap <= model.b + model.c)
    _, rocker = model.angles(angles[reached])
    exact = np.stack([model.d + model.c * np.cos(rocker), model.c * np.sin(rocker)], axis=1)
    assert space.points[:, :2] == pytest.approx(exact, abs=1e-8)


def boom():
    machine = kb.Machine("boom")
    body = machine.body("boom", mass=200.0, com=(0.5, 0, 0), inertia=(0.1, 16.7, 16.7))
    body.point("tip", (1.5, 0, 0))
    machine.revolute("foot", machine.ground, body, axis="-y", start="30 deg")
    oil = machine.oil(kb.fluids.naya())
    machine.cylinder(
        "lift", machine.ground.at(0.6, 0, -0.3), body.at(0.5, 0, 0),
        bore="91 mm", rod="50 mm", stroke="200 mm", closed="0.5 m", oil=oil,
    )  # fmt: skip
    return machine


def angle_of(length):
    """Law of cosines in the triangle foot, base pin, rod pin."""
    base, arm, tilt = math.hypot(0.6, 0.3), 0.5, math.atan2(-0.3, 0.6)
    return tilt + np.arccos((base**2 + arm**2 - length**2) / (2.0 * base * arm))


def test_the_stroke_of_a_cylinder_gives_the_range():
    space = kb.workspace(boom(), "boom.tip", count=9)
    angles = angle_of(np.linspace(0.5, 0.7, 9))
    exact = 1.5 * np.stack([np.cos(angles), 0.0 * angles, np.sin(angles)], axis=1)
    assert space.positions.dims == ("lift", "xyz")
    assert space.points == pytest.approx(exact, abs=1e-8)


def test_poses_beyond_a_stroke_are_left_out():
    space = kb.workspace(boom(), "boom.tip", {"foot": ("0 deg", "60 deg", 61)})
    angles = np.linspace(0.0, math.pi / 3.0, 61)
    inside = (angles >= angle_of(0.5)) & (angles <= angle_of(0.7))
    assert space.beyond == int(np.sum(~inside))
    assert len(space.points) == int(np.sum(inside))


def test_stops_give_ranges():
    machine = arm()
    machine.joint_stop("a", "shoulder", lower=0.0, upper=1.0, stiffness=1e5)
    machine.joint_stop("b", "elbow", lower="0 deg", upper="90 deg", stiffness=1e5)
    space = kb.workspace(machine, "lower.tip", count=4)
    assert space.positions.dims == ("shoulder.angle", "elbow.angle", "xyz")
    assert len(space.points) == 16


def test_what_is_wrong_is_said():
    with pytest.raises(kb.MachineError, match="nothing gives a range"):
        kb.workspace(arm(), "lower.tip")
    with pytest.raises(kb.MachineError, match=r"Closest names: 'lower\.tip'"):
        kb.workspace(arm(), "lower.tp")
    with pytest.raises(kb.MachineError) as caught:
        kb.workspace(arm(), "lower.tip", {"shoulder": 1.0, "elbow": (0.0, "3 m", 4)})
    assert len(caught.value.problems) == 2
    with pytest.raises(kb.MachineError, match="'shulder' is neither a joint"):
        kb.workspace(arm(), "lower.tip", {"shulder": (0.0, 1.0)})
    with pytest.raises(kb.MachineError, match="None of the 3 poses can be reached"):
        kb.workspace(boom(), "boom.tip", {"foot": ("100 deg", "120 deg", 3)})


def test_its_picture_has_labels():
    figure = kb.workspace(arm(), "lower.tip", {"shoulder": (0.0, 1.0, 4), "elbow": (0.0, 1.0, 4)}).plot()
    assert [(ax.get_xlabel(), ax.get_ylabel()) for ax in figure.axes] == [("x [m]", "z [m]")]
