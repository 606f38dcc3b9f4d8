# SPDX-License-Identifier: BSD-3-Clause
"""Inverse against forward dynamics on random machines to 1e-9, and what a motion is refused for.

Forward dynamics factors the matrix of the whole machine; the inverse multiplies M and projects on the loops' null
space: a second formulation. Tolerances are relative to the forces at work.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.analysis.mechanism import Mechanism
from knuckleboom.catalogue import NAMES
from knuckleboom.catalogue.harvester_30 import bare_harvester
from knuckleboom.mechanics.parts import Body
from knuckleboom.methods import Method
from knuckleboom.plan import build
from programs.agreement import columns_of, efforts_of
from programs.random_machines import (
    CLOSING_JOINTS,
    add_efforts,
    random_loop,
    random_ram,
    random_state,
    random_tree,
    seeds,
    structures,
)

TOLERANCE = 1e-9
MOVING = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free")


def scale_of(planned, v_dot):
    return float(np.max(np.abs(planned.mass_matrix()) @ np.abs(v_dot) + np.abs(planned.bias()))) + 1.0


def without_efforts(planned):
    return dict.fromkeys((signal.part for signal in planned.layout.inputs), 0.0)


@pytest.mark.slow
@settings(max_examples=40)
@given(structure=structures(), seed=seeds)
def test_trees(structure, seed):
    """The efforts that were put in come out, for every kind of joint, at speed."""
    random = np.random.default_rng(seed)
    machine = random_tree(structure, random)
    add_efforts(machine, random)
    forward = build(machine)
    q, v = random_state(machine, columns_of(forward), random)
    forward.set_state(q, v)
    v_dot = forward.accelerations()

    found = kb.inverse_dynamics(machine, (q, v, v_dot), inputs=without_efforts(forward))

    assert found.values.values == pytest.approx(efforts_of(forward), abs=TOLERANCE * scale_of(forward, v_dot))


def compare_loop(machine, random):
    """Efforts in the independent coordinates come out again; in all coordinates, what they do to the loop's freedom."""
    plain = Mechanism(machine)
    basis = plain.basis()
    size = np.linalg.svd(plain.jacobian(), compute_uv=False)
    assume(size[-1] > 1e-3 * size[0] and len(basis.independent))
    chosen = [plain.coordinates[i] for i in basis.independent]
    wanted = random.normal(size=len(chosen)) * 5.0
    for number, (coordinate, value) in enumerate(zip(chosen, wanted, strict=True)):
        columns = plain.planned.topology.tree[coordinate.joint].v
        machine.effort(f"e{number}", coordinate.joint, columns.index(coordinate.v), float(value))
    forward = build(machine, replace(Method.choose(), stabilisation=0.0))
    q = forward.work.state.q.copy()
    v = plain.velocities(basis, random.normal(size=len(chosen)))
    forward.set_state(q, v)
    v_dot = forward.accelerations()
    inputs = without_efforts(forward)

    found = kb.inverse_dynamics(machine, (q, v, v_dot), inputs=inputs, actuators=[c.path for c in chosen])

    limit = TOLERANCE * scale_of(forward, v_dot) * max(1.0, float(np.abs(basis.T).max()))
    assert found.values.values == pytest.approx(wanted, abs=limit)
    every = kb.inverse_dynamics(machine, (q, v, v_dot), inputs=inputs, actuators=[c.path for c in plain.coordinates])
    assert basis.T.T @ every.values.values == pytest.approx(wanted, abs=limit)
    assert np.linalg.norm(every.values.values) <= np.linalg.norm(wanted) * (1.0 + 1e-6)


@pytest.mark.slow
@settings(max_examples=25)
@given(
    structure=structures(MOVING, least=2, most=6),
    closing=st.sampled_from(sorted(CLOSING_JOINTS)),
    ends=st.tuples(st.integers(0, 6), st.integers(0, 6)),
    seed=seeds,
)
def test_loops(structure, closing, ends, seed):
    assume(max(ends) <= len(structure) and ends[0] != ends[1])
    random = np.random.default_rng(seed)
    machine = random_loop(structure, closing, ends, random).machine
    try:
        Mechanism(machine)
    except kb.MachineError:
        assume(False)  # a loop that cannot be assembled
    compare_loop(machine, random)


@settings(max_examples=15)
@given(seed=seeds, links=st.integers(1, 3))
def test_planar_loops(seed, links):
    random = np.random.default_rng(seed)
    compare_loop(random_ram(random, links).machine, random)


def pendulum():
    machine = kb.Machine("pendulum")
    rod = machine.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    machine.revolute("foot", machine.ground, rod, axis="y")
    return machine, rod


def test_a_run_gives_back_its_efforts():
    machine, _ = pendulum()
    machine.effort("motor", "foot", 0)
    run = kb.simulate(machine, "1 s", record="10 ms", inputs={"motor": lambda t: math.sin(9.0 * t)})

    found = kb.inverse_dynamics(machine, run, inputs={"motor": 0.0})

    assert found["foot.angle"].values == pytest.approx(np.sin(9.0 * run.time), abs=1e-9)
    assert found["foot.angle"].coords["unit"] == "N*m"


def test_one_instant_by_name():
    machine, _ = pendulum()
    found = kb.inverse_dynamics(machine, {"foot": (0.3, 2.0, -4.0)})
    exact = 0.67 * -4.0 - 2.0 * 9.81 * 0.5 * math.cos(0.3)
    assert float(found["foot"]) == pytest.approx(exact, rel=1e-9)
    assert "forces of 1 actuators" in str(found)
    with pytest.raises(kb.MachineError, match="Closest names: 'foot'"):
        found["fot"]


def test_motion_that_leaves_something_free():
    machine, rod = pendulum()
    tip = machine.body("tip", mass=1.0, inertia=(1, 1, 1))
    machine.revolute("wrist", rod.at(1, 0, 0), tip, axis="y")
    with pytest.raises(kb.MachineError, match=r"leaves 'wrist\.angle' free"):
        kb.inverse_dynamics(machine, {"foot": 0.0})
    with pytest.raises(kb.AnalysisError, match=r"cannot make this motion alone: .* would lack in 'foot\.angle'"):
        kb.inverse_dynamics(machine, {"foot": 0.0, "wrist": 0.0}, actuators=["wrist"])


def test_names_of_a_motion_are_checked_at_once():
    machine, _ = pendulum()
    with pytest.raises(kb.MachineError) as caught:
        kb.inverse_dynamics(machine, {"fot": 0.0, "foot.travel": 1.0})
    assert len(caught.value.problems) == 2
    with pytest.raises(kb.MachineError, match="has 3 columns"):
        kb.inverse_dynamics(machine, (np.zeros(3), np.zeros(1), np.zeros(1)))


def test_harvester_at_rest():
    """Held still, the base carries the whole weight, and the joints what they carry; loops and all, in one call."""
    machine = bare_harvester().machine
    planned = build(machine)
    zero = np.zeros(planned.topology.nv)
    mass = sum(body.mass + sum(lump.mass for lump in body.point_masses.values()) for body in machine.of(Body))

    found = kb.inverse_dynamics(machine, (planned.work.state.q.copy(), zero, zero))

    assert float(found["base.position.z"]) == pytest.approx(mass * 9.81, rel=1e-9)
    assert len(found.actuators) == planned.dof


def test_an_instant_is_three_numbers():
    machine = NAMES["four-bar"]().machine
    with pytest.raises(kb.MachineError, match="is not a value, a rate and an acceleration") as caught:
        kb.inverse_dynamics(machine, {"main": ("10 deg", 0.0, 0.0)})
    assert caught.value.problems[0].fix == "Give three numbers in SI."
