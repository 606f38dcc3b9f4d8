# SPDX-License-Identifier: BSD-3-Clause
"""Robots with inertias that no mass could have, or placeholders, against Pinocchio, which takes them as they are.

Rank on the ladder of evidence: another program (third). Pinocchio reads the same URDF files by itself; accelerations
agree to 1e-8 at random states and efforts. What is repaired here has no mass matrix there that could be inverted.
"""

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import knuckleboom as kb
from knuckleboom.mechanics.parts import Body, Joint
from knuckleboom.plan import build
from programs.agreement import TOLERANCE, relative

ROBOTS = Path(__file__).parents[1] / "data" / "robots"
KEPT = {"triangle.urdf": 3, "placeholders.urdf": 3, "negative.urdf": 2}
"""Files that are taken as given, with their joints that move."""


def theirs(model: pin.Model, q: dict[str, float], v: dict[str, float], effort: dict[str, float]) -> dict[str, float]:
    """Accelerations of Pinocchio by joint; a continuous joint has the cosine and sine of its angle."""
    state = np.zeros(model.nq)
    for name, value in q.items():
        joint = model.joints[model.getJointId(name)]
        state[joint.idx_q : joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
    order = [model.joints[model.getJointId(name)].idx_v for name in q]
    rates, torques = np.zeros(model.nv), np.zeros(model.nv)
    rates[order], torques[order] = list(v.values()), list(effort.values())
    found = pin.aba(model, model.createData(), state, rates, torques)
    return dict(zip(q, found[order], strict=True))


def ours(machine: kb.Machine, q: dict[str, float], v: dict[str, float], effort: dict[str, float]) -> dict[str, float]:
    for name, value in effort.items():
        machine.effort(f"push_{name}", name, value=value)
    planned = build(machine)
    state, rates, places = np.zeros(planned.topology.nq), np.zeros(planned.topology.nv), {}
    for name in q:
        (cq,), (cv,) = planned.joint_columns(name)
        state[cq], rates[cv], places[name] = q[name], v[name], cv
    planned.set_state(state, rates)
    found = planned.accelerations()
    return {name: float(found[place]) for name, place in places.items()}


def moving(machine: kb.Machine) -> list[str]:
    return [joint.name for joint in machine.of(Joint) if joint.COORDINATES]


@pytest.mark.parametrize(("file", "count"), KEPT.items())
def test_what_is_kept_moves_as_in_pinocchio(file, count):
    model = pin.buildModelFromUrdf(str(ROBOTS / file))
    random = np.random.default_rng(1)
    for _ in range(10):
        machine = kb.import_robot(ROBOTS / file).machine
        names = moving(machine)
        assert len(names) == count
        q, v, effort = (dict(zip(names, random.uniform(-2, 2, count), strict=True)) for _ in range(3))
        there, here = theirs(model, q, v, effort), ours(machine, q, v, effort)
        assert relative(*(np.array([found[name] for name in names]) for found in (here, there))) < TOLERANCE


def test_mass_and_centre_are_those_of_the_file():
    model = pin.buildModelFromUrdf(str(ROBOTS / "placeholders.urdf"))
    machine = kb.import_robot(ROBOTS / "placeholders.urdf").machine
    arm = machine.part("arm")
    assert [body.name for body in machine.of(Body)] == ["arm", "wheel", "flag"]
    assert arm.mass == pytest.approx(model.inertias[model.getJointId("shoulder")].mass, rel=1e-12)


def test_what_is_repaired_could_not_move_in_pinocchio_either():
    file = ROBOTS / "impossible.urdf"
    model = pin.buildModelFromUrdf(str(file))
    assert np.linalg.eigvalsh(pin.crba(model, model.createData(), pin.neutral(model)))[0] < 0.0
    imported = kb.import_robot(file)
    assert np.linalg.eigvalsh(build(imported.machine).mass_matrix())[0] > 0.0
    assert "inertia_as_given" not in imported.machine.to_yaml()


def test_mjcf_that_mujoco_refuses_is_the_same_robot():
    """With its sensor as given, the boom of triangle.xml is 0.01 kg and 1 kg·m² heavier than without."""
    mujoco, urdf = (kb.import_robot(ROBOTS / f"triangle.{ending}").machine for ending in ("xml", "urdf"))
    for name in ("column", "tool"):
        assert mujoco.part(name).inertia == pytest.approx(urdf.part(name).inertia, abs=1e-15)
    boom = mujoco.part("boom")
    assert boom.mass == pytest.approx(5.01)
    assert boom.inertia[0] == pytest.approx(0.9 + 1.0, abs=2e-3)
    assert boom.inertia_as_given is False, "with the sensor the sum of the other two moments is larger"
