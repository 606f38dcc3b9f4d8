# SPDX-License-Identifier: BSD-3-Clause
"""harvester-30, the machine of the speed benchmark, against Pinocchio and MuJoCo: all compute the same motion.

Rank on the ladder of evidence: another program (third). Accelerations under random efforts at a random admissible
velocity: Pinocchio to 1e-8; MuJoCo, whose loops are soft, to 1e-3 at its hardest setting (`solimp` 0.9999). After 0.1 s
of falling freely at 1 ms Pinocchio in an RK4 loop and we are at the same pose to 1e-8: with h = 1 ms and rates of a few
1/s RK4 errs by less than 1e-12, and its plain form, used on Pinocchio's quaternion, by h²·0.1 s·(0.2/s)³ = 1e-9.
Exudyn's trapezoidal rule errs by h²/12·0.1 s·(third derivative, 10 m/s³): its closing pins are where ours are to 1e-6.
"""

import numpy as np
import pytest

from knuckleboom.bench import speed
from knuckleboom.bench.ours import Ours
from knuckleboom.bench.peers.exudyn_model import ExudynModel
from knuckleboom.bench.peers.mujoco_model import MujocoModel
from knuckleboom.bench.peers.pinocchio_model import PinocchioModel
from knuckleboom.bench.peers.tree import read_tree
from knuckleboom.catalogue.harvester_30 import bare_harvester
from programs.agreement import TOLERANCE, columns_of, relative


@pytest.fixture(scope="module")
def ours():
    return Ours(bare_harvester().machine)


@pytest.fixture(scope="module")
def situation(ours):
    return speed.random_situation(ours)


@pytest.fixture(scope="module")
def tree(ours):
    return read_tree(ours.planned.machine, columns_of(ours.planned))


def test_accelerations_are_pinocchios(situation, tree):
    theirs = PinocchioModel(tree)
    theirs.set_state(situation.q, situation.v)
    assert relative(situation.accelerations, theirs.accelerations(situation.efforts)) < TOLERANCE


def test_accelerations_are_mujocos_as_far_as_its_loops_are_hard(situation, tree):
    theirs = MujocoModel(tree)
    theirs.set_state(situation.q, situation.v)
    assert relative(situation.accelerations, theirs.accelerations(situation.efforts)) < speed.CONVERGED


def test_motion_is_pinocchios(ours, situation, tree):
    theirs = PinocchioModel(tree)
    theirs.set_state(situation.q, situation.v)
    ours.start_from(situation.q, situation.v, {})

    ours.step(100, 1e-3)
    theirs.step(100, 1e-3)

    reached, _ = theirs.to_peer(np.array(ours.planned.work.state.q), np.array(ours.planned.work.state.v))
    assert reached == pytest.approx(theirs.q, abs=1e-8)
    assert theirs.constraint_error() < 1e-9


def test_motion_under_efforts_is_exudyns(ours, situation, tree):
    """All pins of the loops, which lie in every part of the machine; efforts on all joints but the free base."""
    base = tree.columns["base"][1]
    efforts = np.where(np.isin(np.arange(tree.nv), base), 0.0, situation.efforts)
    inputs = {name: value for name, value in situation.inputs.items() if not name.startswith("base_")}
    theirs = ExudynModel(tree, situation.q, situation.v, efforts)
    ours.start_from(situation.q, situation.v, inputs)

    ours.step(100, 1e-3)
    theirs.step(100, 1e-3)

    world = tree.poses(np.array(ours.planned.work.state.q))
    for loop, pin in zip(tree.loops, theirs.closing_points(), strict=True):
        assert (world[loop.node_a] @ loop.pose_a).p == pytest.approx(pin, abs=1e-6)
