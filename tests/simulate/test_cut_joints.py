# SPDX-License-Identifier: BSD-3-Clause
"""A joint that was cut has the coordinates and rates that it has in the tree of the same machine cut elsewhere.

For every kind: a body is carried by an arm through a joint of that kind, and is free of the ground by another; one of
the two is in the tree and the other is cut. Rank: second formulation in our own code (in the tree, the coordinate is a
state; cut, it comes from poses). Tolerance: what Baumgarte's stabilisation leaves over 0.2 s.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.mechanics.joints import JOINTS
from knuckleboom.simulation.cut_joints import continuous, matrices, quaternions

STEP, DURATION, TOLERANCE = 5e-4, 0.2, 2e-7

# start and speed of the joint; the free side joint takes what remains
STARTS = {
    "revolute": (0.3, 2.0),
    "prismatic": (0.1, 1.0),
    "cylindrical": ((0.1, 0.3), (1.0, 2.0)),
    "universal": ((0.3, -0.2), (2.0, 1.0)),
    "planar": ((0.1, -0.2, 0.3), (1.0, 0.5, 2.0)),
    "spherical": ((0.3, -0.2, 0.1), (1.0, 2.0, -1.0)),
    "free": ((0.1, 0.2, -0.1, 0.3, -0.2, 0.1), (1.0, 0.5, -0.5, 1.0, 2.0, -1.0)),
    "fixed": ((), ()),
}


def carried(kind, cut, swapped=False):
    """A turning arm, and a body on it by a joint of this kind that is also free of the ground: one of both is cut."""
    machine = kb.Machine("carried")
    arm = machine.body("arm", mass=5.0, com=(0.5, 0, 0), inertia=(0.3, 0.5, 0.6))
    load = machine.body("load", mass=2.0, com=(0.1, 0.2, 0.0), inertia=(0.2, 0.3, 0.25))
    machine.revolute("shoulder", machine.ground, arm, axis="y", start=0.2, speed=1.0)
    start, speed = STARTS[kind]
    places = [arm.at(1.0, 0.1, 0.0, rpy=(0.2, 0.1, 0.3)), load.at(0.0, 0.0, -0.2, rpy=(-0.1, 0.3, 0.2))]
    if swapped:
        places.reverse()
    getattr(machine, kind)("joint", *places, **({} if kind == "fixed" else {"start": start, "speed": speed}), cut=cut)
    machine.free("around", machine.ground, load, cut=not cut)
    return machine


def test_every_kind_of_joint_is_tried():
    assert STARTS.keys() == JOINTS.keys()


def pose_of_load(machine):
    """Start and speed of the free joint that go with the pose which the tree gives the load."""
    run = kb.simulate(machine, STEP, step=STEP)
    first = {what: run[f"around.{what}"].values[0] for what in ("position", "velocity", "orientation")}
    w, *axis = first["orientation"]
    size = np.linalg.norm(axis)
    turned = np.asarray(axis) * (2.0 * np.arctan2(size, w) / size if size > 0.0 else 2.0)
    return (*first["position"], *turned), (*first["velocity"], *run["around.angular_velocity"].values[0])


def both(kind, swapped=False):
    """The same motion with the joint in the tree and with it cut."""
    in_tree, cut = carried(kind, False, swapped), carried(kind, True, swapped)
    start, speed = pose_of_load(in_tree)
    around = cut.parts["around"]
    cut.parts["around"] = around.model_copy(update={"start": start, "speed": speed})
    words = {"step": STEP, "record": 4 * STEP}
    return kb.simulate(in_tree, DURATION, **words), kb.simulate(cut, DURATION, **words)


NOTHING = {"spherical": ["joint.reaction_moment"]}
"""What a joint cannot hold."""


@pytest.mark.parametrize("kind", [kind for kind in JOINTS if kind not in ("fixed", "free")])
def test_a_cut_joint_has_the_coordinates_of_the_tree(kind):
    tree, cut = both(kind)

    shared = [path for path in tree if path.startswith("joint.") and "acceleration" not in path]
    assert shared and all(path in cut for path in shared)
    assert "joint.residual" in cut and "joint.residual" not in tree
    for path in shared:
        assert cut[path].unit == tree[path].unit
        size = max(1.0, np.abs(tree[path].values).max())
        assert cut[path].values == pytest.approx(tree[path].values, abs=TOLERANCE * size)
        assert np.ptp(tree[path].values) > 0.01 or path in NOTHING.get(kind, ())


@pytest.mark.parametrize("kind", [kind for kind in JOINTS if kind not in ("fixed", "free", "spherical")])
def test_a_cut_joint_described_from_the_load_to_the_arm(kind):
    tree, cut = both(kind, swapped=True)

    for path in [path for path in tree if path.startswith("joint.") and "acceleration" not in path]:
        assert cut[path].values == pytest.approx(tree[path].values, abs=TOLERANCE)


def test_a_free_joint_that_is_cut_has_the_coordinates_of_the_tree():
    """The free joint of these machines holds nothing: it is cut where the other joint is in the tree."""
    tree, cut = both("revolute")

    for path in ("position", "velocity", "orientation", "angular_velocity"):
        assert tree[f"around.{path}"].values == pytest.approx(cut[f"around.{path}"].values, abs=TOLERANCE)


def test_a_fixed_joint_that_is_cut_has_no_coordinates():
    _, cut = both("fixed")

    names = [path for path in cut if path.startswith("joint.")]
    reactions = ["joint.reaction_force", "joint.reaction_moment"]
    assert names == ["joint.residual", "joint.residual_rate", "joint.multiplier", *reactions]
    assert np.abs(cut["joint.residual"].values).max() < TOLERANCE


def spinner(start, speed):
    """A wheel that is free in the tree, on an axle that is cut."""
    machine = kb.Machine("spinner", gravity=(0, 0, 0))
    wheel = machine.body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1))
    machine.revolute("axle", machine.ground, wheel, start=start, speed=speed, cut=True)
    machine.free("around", machine.ground, wheel, start=(0, 0, 0, 0, 0, start), speed=(0, 0, 0, 0, 0, speed))
    return machine


@pytest.mark.parametrize("start", [0.0, 3.0, 4.0, -20.0, 100.0])
@pytest.mark.parametrize("speed", [0.5, -30.0, 300.0])
def test_angles_are_continuous_over_many_turns_between_records_and_begin_at_their_start(start, speed):
    run = kb.simulate(spinner(start, speed), 1.0, step="1 ms", record="50 ms")

    assert run["axle.angle"].values == pytest.approx(start + speed * run.time, abs=1e-6)
    assert run["axle.angle_rate"].values == pytest.approx(np.full(21, speed), rel=1e-9)


def test_quaternions_of_matrices_are_the_reverse_of_matrices_of_quaternions():
    wanted = np.random.default_rng(1).normal(size=(200, 4))
    wanted[:8] = [*np.eye(4), (1, 1, 0, 0), (0, 1, 1, 0), (0, 0, 1, -1), (1, 0, 0, 1)]
    wanted /= np.linalg.norm(wanted, axis=1)[:, None]

    found = quaternions(matrices(wanted))

    assert found[0, 0] >= 0.0
    assert np.all(np.einsum("ti,ti->t", found[1:], found[:-1]) >= 0.0)
    assert np.abs(np.einsum("ti,ti->t", found, wanted)) == pytest.approx(np.ones(200), abs=1e-14)


def test_an_angle_follows_its_rate_between_records():
    time = np.linspace(0.0, 10.0, 21)
    angle, rate = 2.0 + 3.0 * time**2, 6.0 * time

    found = continuous(np.arctan2(np.sin(angle), np.cos(angle)), rate, time, 2.0)

    assert found == pytest.approx(angle, abs=1e-9)
