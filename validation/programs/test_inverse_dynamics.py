# SPDX-License-Identifier: BSD-3-Clause
"""Inverse dynamics undoes Pinocchio's forward dynamics on random trees, and is its rnea: efforts to 1e-8.

Rank on the ladder of evidence: another program (third), which reads the description by code of its own.
"""

import numpy as np
from hypothesis import given, settings

import knuckleboom as kb
from knuckleboom.bench.peers.pinocchio_model import PinocchioModel
from knuckleboom.bench.peers.tree import read_tree
from knuckleboom.plan import build
from programs.agreement import TOLERANCE, columns_of
from programs.random_machines import random_state, random_tree, seeds, structures


@settings(max_examples=30)
@given(structure=structures(), seed=seeds)
def test_efforts_come_back(structure, seed):
    random = np.random.default_rng(seed)
    machine = random_tree(structure, random)
    ours = build(machine)
    theirs = PinocchioModel(read_tree(machine, columns_of(ours)))
    q, v = random_state(machine, columns_of(ours), random)
    theirs.set_state(q, v)
    efforts = random.normal(size=len(v)) * 5.0
    v_dot = theirs.accelerations(efforts)

    found = kb.inverse_dynamics(machine, (q, v, v_dot)).values.values

    size = np.max(np.abs(theirs.mass_matrix()) @ np.abs(v_dot) + np.abs(theirs.bias())) + 1.0
    assert np.max(np.abs(found - efforts)) < TOLERANCE * size
