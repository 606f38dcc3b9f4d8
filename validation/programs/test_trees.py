# SPDX-License-Identifier: BSD-3-Clause
"""Random trees against MuJoCo and Pinocchio: mass matrix, bias forces and accelerations to 1e-8.

Rank on the ladder of evidence: another program (third). Both read the description by code of their own
(bench/peers/tree.py), which shares nothing with our plan.
"""

import numpy as np
import pytest
from hypothesis import given, settings

from knuckleboom.bench.peers.mujoco_model import MujocoModel
from knuckleboom.bench.peers.pinocchio_model import PinocchioModel
from knuckleboom.bench.peers.tree import read_tree
from knuckleboom.plan import build
from programs.agreement import TOLERANCE, columns_of, efforts_of, relative
from programs.random_machines import add_efforts, random_state, random_tree, seeds, structures

PEERS = {"MuJoCo": MujocoModel, "Pinocchio": PinocchioModel}


@pytest.mark.slow
@pytest.mark.parametrize("peer", PEERS)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(structure=structures(), seed=seeds)
def test_mass_matrix_and_bias(peer, structure, seed):
    random = np.random.default_rng(seed)
    machine = random_tree(structure, random)
    ours = build(machine)
    theirs = PEERS[peer](read_tree(machine, columns_of(ours)))
    q, v = random_state(machine, columns_of(ours), random)

    ours.set_state(q, v)
    theirs.set_state(q, v)

    assert relative(ours.mass_matrix(), theirs.mass_matrix()) < TOLERANCE
    assert relative(ours.bias(), theirs.bias()) < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
@pytest.mark.parametrize("peer", PEERS)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(structure=structures(), seed=seeds)
def test_accelerations_under_efforts(peer, factorisation, structure, seed):
    random = np.random.default_rng(seed)
    machine = random_tree(structure, random)
    add_efforts(machine, random)
    ours = build(machine, factorisation=factorisation)
    theirs = PEERS[peer](read_tree(machine, columns_of(ours)))
    q, v = random_state(machine, columns_of(ours), random)

    ours.set_state(q, v)
    theirs.set_state(q, v)

    assert relative(ours.accelerations(), theirs.accelerations(efforts_of(ours))) < TOLERANCE
