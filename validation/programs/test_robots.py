# SPDX-License-Identifier: BSD-3-Clause
"""Robots imported from URDF and MJCF against MuJoCo, which reads the same files: accelerations to 1e-8.

Rank on the ladder of evidence: another program (third). Nothing of our reading is trusted: MuJoCo compiles the file
itself, and coordinates are matched by the joints' names. Efforts act on all coordinates. Loops and gears are held
exactly with MuJoCo's own M, J and J̇v (programs/mujoco_robot.py); against MuJoCo's own soft solution we agree as far as
its loops are hard. A moving link without mass is a carrier of 1e-12 of the carried mass here and in MuJoCo one of
its lightest bodies, which is not felt at 1e-8.
"""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.plan import Planned, build
from programs.agreement import TOLERANCE, relative
from programs.mujoco_robot import Array, MujocoRobot
from programs.random_machines import seeds, structures
from programs.random_robots import URDF_KINDS, random_mjcf, random_urdf

ROBOTS = Path(__file__).parents[1] / "data" / "robots"
FILES = {"arm.urdf": 1.0, "walker.xml": 0.25, "gripper.xml": 0.4}
"""Each with how far from its own pose it is put, rad or m: as far as its loops can still be closed."""
LIGHTEST = 1e-13  # kg and kg·m²
SOFT = 1e-3  # of the largest acceleration, with the hardest loops that MuJoCo has


PLANAR = {"_TX": 0, "_TY": 1, "_RZ": 2}
"""A planar joint of URDF is three joints in MuJoCo, with these endings."""


class Pair:
    """A robot in both programs."""

    def __init__(self, path: Path) -> None:
        self.theirs = MujocoRobot(path, LIGHTEST)
        machine = kb.import_robot(path).machine
        model = self.theirs.model
        for number in range(model.njnt):
            name, first = joint_of(machine, model.joint(number).name)
            for index in range(width(model, number)[1]):
                machine.effort(f"push_{number}_{index}", name, first + index)
        self.ours: Planned = build(machine)

    def accelerations(self, q: Array, v: Array, effort: Array) -> Array:
        """Ours, in MuJoCo's order."""
        model, ours = self.theirs.model, self.ours
        state_q, state_v = np.array(ours.work.state.q), np.zeros(ours.topology.nv)
        inputs = {signal.part: place for place, signal in enumerate(ours.layout.inputs)}
        places: list[int] = []
        for number in range(model.njnt):
            name, index = joint_of(ours.machine, model.joint(number).name)
            (nq, nv), (all_q, all_v) = width(model, number), ours.joint_columns(name)
            cq, cv = all_q[index : index + nq], all_v[index : index + nv]
            first, dof = model.jnt_qposadr[number], model.jnt_dofadr[number]
            state_q[cq], state_v[cv] = q[first : first + nq], v[dof : dof + nv]
            places += cv
            for place in range(nv):
                ours.work.state.u[inputs[f"push_{number}_{place}"]] = effort[dof + place]
            if f"{name}_shaft" in ours.machine.parts:
                # the flywheel of an armature turns with its joint
                (rotor_q,), (rotor_v,) = ours.joint_columns(f"{name}_shaft")
                start = ours.topology.q_start
                state_q[rotor_q] = start[rotor_q] + q[first] - start[cq[0]]
                state_v[rotor_v] = v[dof]
        ours.set_state(state_q, state_v)
        return ours.accelerations()[places]


def joint_of(machine: kb.Machine, name: str) -> tuple[str, int]:
    """Return what a joint of MuJoCo is in the machine: a joint, renamed if a body has its name, and a coordinate."""
    if name not in machine.parts and name[-3:] in PLANAR:
        return name[:-3], PLANAR[name[-3:]]
    return (f"{name}_joint" if f"{name}_joint" in machine.parts else name), 0


def width(model, number: int) -> tuple[int, int]:
    """Return the numbers of a joint's coordinates and velocities."""
    return {0: (7, 6), 1: (4, 3)}.get(int(model.jnt_type[number]), (1, 1))


def differences(pair: Pair, random: np.random.Generator, reach: float) -> tuple[float, float]:
    """Return how far our accelerations are from the exact and from the soft ones at a random state."""
    q, v = pair.theirs.random_state(random, reach)
    effort = random.normal(size=len(v)) * 5.0
    ours = pair.accelerations(q, v, effort)
    exact, soft = pair.theirs.accelerations(q, v, effort), pair.theirs.soft_accelerations(q, v, effort)
    return relative(ours, exact), relative(ours, soft)


@pytest.fixture(scope="module", params=FILES)
def case(request):
    return Pair(ROBOTS / request.param), FILES[request.param]


@pytest.mark.parametrize("seed", range(10))
def test_accelerations_are_mujocos(case, seed):
    pair, reach = case
    exact, soft = differences(pair, np.random.default_rng(seed), reach)
    assert exact < TOLERANCE
    assert soft < SOFT


@settings(max_examples=25, deadline=None, derandomize=True)
@given(structure=structures(kinds=URDF_KINDS, least=2, most=7), seed=seeds)
def test_random_urdf(tmp_path_factory, structure, seed):
    random = np.random.default_rng(seed)
    path = tmp_path_factory.mktemp("robot") / "robot.urdf"
    path.write_text(random_urdf(structure, random))
    exact, _ = differences(Pair(path), random, 1.5)
    assert exact < TOLERANCE


@st.composite
def joint_lists(draw: st.DrawFn) -> list[tuple[tuple[str, ...], int]]:
    """Joints (0 to 3, at most one a ball, which comes last) and carrier of each body in turn; the first moves."""
    drawn = []
    for number in range(draw(st.integers(1, 5))):
        kinds = draw(st.lists(st.sampled_from(("hinge", "slide")), min_size=not number, max_size=2))
        kinds += ["ball"] if draw(st.booleans()) else []
        drawn.append((tuple(kinds), draw(st.integers(0, number))))
    return drawn


@settings(max_examples=25, deadline=None, derandomize=True)
@given(structure=joint_lists(), seed=seeds)
def test_random_mjcf(tmp_path_factory, structure, seed):
    random = np.random.default_rng(seed)
    path = tmp_path_factory.mktemp("robot") / "robot.xml"
    path.write_text(random_mjcf(structure, random))
    exact, _ = differences(Pair(path), random, 1.5)
    assert exact < TOLERANCE
