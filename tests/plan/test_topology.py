# SPDX-License-Identifier: BSD-3-Clause
"""The spanning tree: which joints it takes, which it cuts, and what it cannot do, said by name."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.machine.placement import rotation
from knuckleboom.mechanics.joints import JOINTS
from knuckleboom.plan.topology import build_topology, wanted_coordinates

SQUARE = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 0.0, 1.0)]


def square(kinds=("revolute",) * 4, settings=None):
    """A square of ground and three bodies, closed by joints j1 to j4 about y (or along x), with settings by joint."""
    machine = kb.Machine("square")
    bodies = [machine.ground, *(machine.body(name, mass=1.0, inertia=(1, 1, 1)) for name in ("left", "top", "right"))]
    for number, kind in enumerate(kinds):
        a, b = bodies[number], bodies[(number + 1) % 4]
        axis = {} if kind in ("spherical", "free", "fixed") else {"axis": "x" if kind == "prismatic" else "y"}
        at = SQUARE[number]
        getattr(machine, kind)(
            f"j{number + 1}", a.at(at), b.at(at), **axis, **(settings or {}).get(f"j{number + 1}", {})
        )
    return machine


def plan(machine):
    topology, problems = build_topology(machine, wanted_coordinates(machine))
    assert problems == []
    return topology


def cut(machine):
    return [joint.name for joint in plan(machine).cut]


def test_a_machine_without_loops_cuts_nothing():
    machine = kb.Machine("chain")
    carrier = machine.ground
    for name in ("one", "two", "three"):
        body = machine.body(name, mass=1.0, inertia=(1, 1, 1))
        machine.revolute(f"to_{name}", carrier, body)
        carrier = body

    topology = plan(machine)

    assert topology.cut == [] and list(topology.tree) == ["to_one", "to_two", "to_three"]


def test_a_loop_of_equal_joints_is_cut_far_from_the_ground():
    assert cut(square()) == ["j3"]


@pytest.mark.parametrize("marked", ["j1", "j2", "j3", "j4"])
def test_the_joint_that_is_marked_is_cut(marked):
    assert cut(square(settings={marked: {"cut": True}})) == [marked]


def test_a_mark_wins_over_a_start_value_and_over_the_kind():
    settings = {"j1": {"cut": True, "start": 0.1}}

    assert cut(square(("prismatic", "revolute", "revolute", "revolute"), settings)) == ["j1"]


@pytest.mark.parametrize("field", ["start", "speed"])
@pytest.mark.parametrize("missing", ["j1", "j2", "j3", "j4"])
def test_joints_with_a_start_or_a_speed_stay_in_the_tree(missing, field):
    settings = {name: {field: 0.0} for name in ("j1", "j2", "j3", "j4") if name != missing}

    assert cut(square(settings=settings)) == [missing]


@pytest.mark.parametrize("kind", ["joint_spring", "joint_stop", "joint_friction", "joint_servo", "effort"])
def test_a_joint_in_which_something_acts_stays_in_the_tree(kind):
    machine = square()
    words = {"joint_spring": {"stiffness": 1.0}, "joint_stop": {"lower": -1.0, "stiffness": 1e5},
             "joint_friction": {"coulomb": 1.0}, "joint_servo": {"gain": 1.0}, "effort": {}}  # fmt: skip
    getattr(machine, kind)("acting", "j3", **words[kind])

    assert "j3" in plan(machine).tree and len(cut(machine)) == 1


def test_both_joints_of_a_gear_stay_in_the_tree():
    machine = square()
    machine.gear("gear", "j3", "j2", ratio=-1.0)

    assert {"j2", "j3"} <= set(plan(machine).tree)


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("kind", ["prismatic", "fixed"])
def test_a_joint_that_would_leave_many_rows_is_kept(kind, place):
    kinds = ["revolute"] * 4
    kinds[place] = kind

    assert f"j{place + 1}" in plan(square(kinds)).tree


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("kind", ["cylindrical", "universal", "planar", "spherical"])
def test_a_joint_that_leaves_few_rows_is_cut(kind, place):
    kinds = ["revolute"] * 4
    kinds[place] = kind

    assert cut(square(kinds)) == [f"j{place + 1}"]


def test_the_order_of_kinds_is_that_of_the_rows_they_leave():
    ranks = sorted(JOINTS.values(), key=lambda kind: kind.rank)

    rows = [len(kind.cut) for kind in ranks]
    assert rows == sorted(rows, reverse=True)


def described(kind, backwards, start, speed):
    """A pendulum-like body by one joint, described from the ground to the body or from the body to the ground."""
    machine = kb.Machine("one body")
    body = machine.body("body", mass=2.0, com=(0.3, 0.1, -0.2), inertia=(0.2, 0.3, 0.25))
    places = [machine.ground.at(0.1, 0.2, 0.3, rpy=(0.2, 0.4, -0.1)), body.at(-0.1, 0.2, 0.1, rpy=(-0.3, 0.1, 0.5))]
    if backwards:
        places.reverse()
    getattr(machine, kind)("joint", *places, start=start, speed=speed)
    return machine


@pytest.mark.parametrize(
    ("kind", "start", "speed"),
    [
        ("revolute", (0.4,), (2.0,)),
        ("prismatic", (0.4,), (2.0,)),
        ("cylindrical", (0.4, -0.3), (2.0, 1.0)),
        ("universal", (0.4, -0.3), (2.0, 1.0)),
        ("planar", (0.4, -0.3, 0.2), (2.0, 1.0, -1.0)),
    ],
)
def test_a_joint_crossed_from_b_to_a_has_the_coordinates_of_its_description(kind, start, speed):
    """b seen from a is where the movements of the joint's card put it, worked out by hand."""
    machine = described(kind, True, start, speed)

    run = kb.simulate(machine, 0.1, step="1 ms")

    labels = [label for label, _ in machine.parts["joint"].COORDINATES]
    assert [run[f"joint.{label}"].values[0] for label in labels] == pytest.approx(start, abs=1e-15)
    assert [run[f"joint.{label}_rate"].values[0] for label in labels] == pytest.approx(speed, abs=1e-15)
    # the place on the body, carried by the body, stands where the joint says, seen from there to the ground
    R_a, p_a = placed(run, "body", machine.parts["joint"].a)
    R_b, p_b = turn(machine.parts["joint"].b.rpy), np.array(machine.parts["joint"].b.at)
    R_FM, p_FM = movement(kind, np.column_stack([run[f"joint.{label}"].values for label in labels]))
    assert np.abs(R_a @ R_FM - R_b).max() < 1e-12
    assert np.abs(p_a + np.einsum("tij,tj->ti", R_a, p_FM) - p_b).max() < 1e-12
    assert run.energy().relative_residual < 1e-9


def turn(rpy):
    return np.array(rotation(rpy))


def placed(run, body, place):
    """Axes and origin of a place over time, from the recorded pose of its body."""
    w, x, y, z = run[f"{body}.orientation"].values.T
    R = np.array([
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]).transpose(2, 0, 1)  # fmt: skip
    return R @ turn(place.rpy), run[f"{body}.position"].values + R @ np.array(place.at)


def movement(kind, q):
    """Pose of M in F with the axis along z (and x for the second of a universal joint), from the joint's card."""
    zero, one = np.zeros(len(q)), np.ones(len(q))

    def about(angle, axis):
        c, s = np.cos(angle), np.sin(angle)
        rows = [[c, -s, zero], [s, c, zero], [zero, zero, one]] if axis == "z" else [
            [one, zero, zero], [zero, c, -s], [zero, s, c]]  # fmt: skip
        return np.array(rows).transpose(2, 0, 1)

    still = np.broadcast_to(np.eye(3), (len(q), 3, 3))
    match kind:
        case "revolute":
            return about(q[:, 0], "z"), np.zeros((len(q), 3))
        case "prismatic":
            return still, np.column_stack([zero, zero, q[:, 0]])
        case "cylindrical":
            return about(q[:, 1], "z"), np.column_stack([zero, zero, q[:, 0]])
        case "universal":
            return about(q[:, 0], "z") @ about(q[:, 1], "x"), np.zeros((len(q), 3))
        case "planar":
            return about(q[:, 2], "z"), np.column_stack([q[:, 0], q[:, 1], zero])
    raise AssertionError(kind)


@pytest.mark.parametrize("kind", ["spherical", "free"])
def test_an_orientation_crossed_backwards_is_a_named_problem(kind):
    machine = kb.Machine("ball")
    body = machine.body("body", mass=1.0, inertia=(1, 1, 1))
    getattr(machine, kind)("joint", body, machine.ground)

    with pytest.raises(kb.MachineError) as caught:
        kb.build(machine)

    assert str(caught.value) == (
        f"1 problem in machine 'ball'\n\n1. {kind} 'joint': the way from the ground crosses it from b to a.\n"
        "   Swap its a and b: its orientation is that of b relative to a."
    )


def test_a_part_that_acts_in_a_cut_joint_is_a_named_problem():
    machine = square(settings={"j2": {"cut": True}})
    machine.joint_spring("spring", "j2", stiffness=1.0)
    machine.effort("motor", "j2")

    with pytest.raises(kb.MachineError) as caught:
        kb.build(machine)

    rules = {problem.part: problem.rule for problem in caught.value.problems}
    assert rules == {
        "spring": "joint_spring 'spring' acts in joint 'j2', which closes a loop and has no coordinate.",
        "motor": "effort 'motor' acts in joint 'j2', which closes a loop and has no coordinate.",
    }
    assert {problem.fix for problem in caught.value.problems} == {"Mark another joint of the loop with cut: true."}


def test_bodies_joined_by_fixed_joints_share_a_link_with_their_masses_added():
    machine = kb.Machine("welded")
    one = machine.body("one", mass=2.0, com=(1, 0, 0), inertia=(0.1, 0.2, 0.3))
    two = machine.body("two", mass=3.0, com=(0, 1, 0), inertia=(0.3, 0.2, 0.1))
    machine.revolute("pin", machine.ground, one, axis="y")
    machine.fixed("weld", one.at(1, 0, 0), two)

    topology = plan(machine)

    assert topology.bodies["one"].link == topology.bodies["two"].link == 1
    assert topology.links[1].inertia.mass == 5.0
    centre = (2.0 * np.array([1, 0, 0]) + 3.0 * np.array([1, 1, 0])) / 5.0
    frame = topology.bodies["one"]
    assert topology.links[1].inertia.moment / 5.0 == pytest.approx(frame.p + frame.R @ centre, abs=1e-15)
