# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every joint: its pose is a rotation, its screws are the derivative of its pose, it may be crossed
either way, and forward dynamics undoes inverse dynamics.
"""

from __future__ import annotations

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.engine.run import advance_once, evaluate_many, system_once
from knuckleboom.layout import OK
from knuckleboom.mechanics.elements import ball
from knuckleboom.mechanics.joints import JOINTS
from knuckleboom.mechanics.parts import PARTS, Joint

EPS = 1e-5  # rad or m; central differences then err by some 1e-10
BY_KIND = {part.KIND: part for part in PARTS}
MOVING = [kind for kind in JOINTS if JOINTS[kind].movements]
ONE_WAY = [kind for kind in MOVING if any(movement == ball.KIND for movement, _ in JOINTS[kind].movements)]


def add_joint(machine, kind, a, b, random, **settings):
    """A joint about any axis; universal joints have a second one."""
    axis = random.normal(size=3)
    if kind == "universal":
        settings["second_axis"] = np.cross(axis, random.normal(size=3))
    return getattr(machine, kind)("joint", a, b, axis=axis, **settings)


def place(body, random):
    return body.at(random.normal(size=3), rpy=random.uniform(-1.5, 1.5, size=3))


def chain(kind, random):
    """Two bodies with the joint between them, the first on a hinge, with an effort on every coordinate."""
    m = kb.Machine(kind, gravity=random.normal(size=3) * 5.0)
    one = m.body("one", mass=2.0, com=random.normal(size=3), inertia=(0.5, 0.6, 0.7))
    two = m.body("two", mass=3.0, com=random.normal(size=3), inertia=(0.9, 0.8, 0.7))
    m.revolute("hinge", m.ground, one, axis=random.normal(size=3))
    joint = add_joint(m, kind, place(one, random), place(two, random), random)
    m.effort("effort_hinge", "hinge")
    for index in range(len(joint.part.COORDINATES)):
        m.effort(f"effort_{index}", "joint", index)
    planned = kb.build(m)
    move(planned, random.uniform(-1.5, 1.5, size=planned.topology.nv))
    planned.work.state.v[:] = random.normal(size=planned.topology.nv)
    return planned


def move(planned, u):
    advance_once(planned.plan.links.index, planned.work.state.q.copy(), u, planned.work.state.q)


def last_pose(planned):
    """Axes and origin in the world of the last link."""
    assert system_once(planned.plan, planned.work) == OK
    motion = planned.work.motion
    return motion.R_WL[-1].reshape(3, 3).copy(), motion.p_WO + motion.p_OL[-1]


@pytest.mark.parametrize("kind", JOINTS)
def test_every_kind_is_a_part_with_one_coordinate_per_velocity(kind):
    part = BY_KIND[kind]

    assert issubclass(part, Joint)
    velocities = sum(ball.NV if movement == ball.KIND else 1 for movement, _ in JOINTS[kind].movements)
    assert len(part.COORDINATES) == velocities
    assert velocities + len(JOINTS[kind].cut) == 6, "what a joint frees and what it holds are all six"


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("seed", range(5))
def test_pose_is_a_rotation(kind, seed):
    R, _ = last_pose(chain(kind, np.random.default_rng(seed)))

    assert np.abs(R @ R.T - np.eye(3)).max() < 1e-14
    assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("seed", range(5))
def test_screws_are_the_derivative_of_the_pose(kind, seed):
    planned = chain(kind, np.random.default_rng(seed))
    start = planned.work.state.q.copy()
    R, p = last_pose(planned)
    S, p_OL = planned.work.motion.S.copy(), planned.work.motion.p_OL[-1].copy()
    for screw, unit in zip(S, np.eye(len(S)), strict=True):
        poses = []
        for step in (-EPS, EPS):
            planned.work.state.q[:] = start
            move(planned, step * unit)
            poses.append(last_pose(planned))
        spin = (poses[1][0] - poses[0][0]) / (2 * EPS) @ R.T  # the skew matrix of ω
        omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        velocity = (poses[1][1] - poses[0][1]) / (2 * EPS)

        assert screw[:3] == pytest.approx(omega, abs=1e-9)
        assert screw[3:] + np.cross(screw[:3], p_OL) == pytest.approx(velocity, abs=1e-9)


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("seed", range(5))
def test_forward_dynamics_undoes_inverse_dynamics(kind, seed):
    random = np.random.default_rng(100 + seed)
    planned = chain(kind, random)
    planned.work.state.u[:] = 0.0
    wanted = random.normal(size=planned.topology.nv)
    M = planned.mass_matrix()
    effort = M @ wanted + planned.bias()

    # each input is the effort on one velocity: found by asking which
    names = [signal.part for signal in planned.layout.inputs]
    hinge, joint = (planned.joint_columns(name)[1] for name in ("hinge", "joint"))
    target = {"effort_hinge": hinge[0]} | {f"effort_{index}": v for index, v in enumerate(joint)}
    planned.work.state.u[:] = [effort[target[name]] for name in names]

    assert evaluate_many(planned.plan, planned.work, 1) == OK
    bound = 1e-14 * np.linalg.cond(M) * np.abs(wanted).max() + 1e-13
    assert planned.work.system.v_dot == pytest.approx(wanted, abs=10 * bound)


def floating_pair(kind, seed, held, twin=None):
    """Two bodies joined by the joint, thrown into the air; the free joint holds the body `held`.

    Held by the first the tree crosses the joint from a to b, by the second from b to a. `twin` is the run of the other
    machine, from which the second body's start is taken.
    """
    random = np.random.default_rng(seed)
    m = kb.Machine(kind)
    one = m.body("one", mass=2.0, com=random.normal(size=3) * 0.3, inertia=(0.5, 0.6, 0.7))
    two = m.body("two", mass=3.0, com=random.normal(size=3) * 0.3, inertia=(0.9, 0.8, 0.7))
    size = len(JOINTS[kind].movements)
    start, speed = random.uniform(-1.0, 1.0, size=size), random.normal(size=size)
    add_joint(m, kind, place(one, random), place(two, random), random, start=start, speed=speed)
    state = {"start": random.uniform(-1.0, 1.0, size=6), "speed": random.normal(size=6)}
    if twin is not None:
        turn, spin = (twin[f"two.{what}"].values[0] for what in ("orientation", "angular_velocity"))
        vector = 2.0 * np.arccos(turn[0]) * turn[1:] / np.linalg.norm(turn[1:])
        state["start"] = (*twin["two.position"].values[0], *vector)
        state["speed"] = (*twin["two.velocity"].values[0], *(rotation(turn).T @ spin))
    m.free("float", m.ground, m[held], **state)
    return m


def rotation(quaternion):
    w, x, y, z = quaternion
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + 2.0 * w * K + 2.0 * K @ K


@pytest.mark.parametrize("kind", [kind for kind in MOVING if kind not in ONE_WAY])
@pytest.mark.parametrize("seed", range(2))
def test_crossed_backwards_it_gives_the_same_motion(kind, seed):
    forwards = kb.simulate(floating_pair(kind, seed, "one"), 0.2, step=1e-3)
    backwards = kb.simulate(floating_pair(kind, seed, "two", forwards), 0.2, step=1e-3)

    # RK4 errs by about (h·rate)⁴ per second, 1e-11 at rates of some 1/s
    for path in ("one.position", "two.position", "one.velocity", "two.angular_velocity"):
        assert backwards[path].values == pytest.approx(forwards[path].values, abs=1e-9)
    for label, _ in BY_KIND[kind].COORDINATES:
        for path in (f"joint.{label}", f"joint.{label}_rate"):
            assert backwards[path].values == pytest.approx(forwards[path].values, abs=1e-9)


@pytest.mark.parametrize("kind", ONE_WAY)
def test_joints_with_a_quaternion_say_that_they_must_be_crossed_forwards(kind):
    m = kb.Machine(kind)
    body = m.body("body", mass=1.0, inertia=(1.0, 1.0, 1.0))
    getattr(m, kind)("joint", body, m.ground)

    with pytest.raises(kb.MachineError, match="Swap its a and b"):
        kb.build(m)
