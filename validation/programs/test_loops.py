# SPDX-License-Identifier: BSD-3-Clause
"""Random loops of full rank against Pinocchio's constraintDynamics: accelerations to 1e-8.

Rank on the ladder of evidence: another program (third). The pose is closed by construction; velocities are projected on
the loop with Pinocchio's own Jacobian, so that neither our assembly nor our Jacobian is trusted. Loops with a condition
of the constraint rows above 1e6 are left out. Spatial loops close by a ball, a pin or rigidly; planar loops are a
cylinder across a hinge, whose pin adds 2 equations by structure.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from knuckleboom.bench.peers.pinocchio_model import PinocchioModel
from knuckleboom.bench.peers.tree import read_tree
from knuckleboom.plan import build
from programs.agreement import TOLERANCE, columns_of, efforts_of, relative
from programs.random_machines import (
    CLOSING_JOINTS,
    LoopCase,
    add_efforts,
    random_loop,
    random_ram,
    seeds,
    structures,
)

WORST_CONDITION = 1e6
MOVING = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free")


def compare(case: LoopCase, enforcement: str, random: np.random.Generator) -> None:
    """Assert that our accelerations are Pinocchio's at the closed pose with a random admissible velocity."""
    add_efforts(case.machine, random)
    ours = build(case.machine, enforcement=enforcement)
    tree = read_tree(case.machine, columns_of(ours))
    theirs = PinocchioModel(tree, mu=1e-10, accuracy=1e-14, iterations=50)
    q, _ = tree.start()
    theirs.set_state(q, np.zeros(tree.nv))
    _, sizes, directions = np.linalg.svd(theirs.loop_jacobian())
    assume(tree.nv > case.equations and sizes[case.equations - 1] * WORST_CONDITION > sizes[0])
    free = directions[case.equations :].T
    v = free @ random.normal(size=free.shape[1])

    ours.set_state(q, v)
    theirs.set_state(q, v)

    assert ours.loop_equations == case.equations
    assert relative(ours.accelerations(), theirs.accelerations(efforts_of(ours))) < TOLERANCE


@settings(max_examples=100, deadline=None)
@given(
    structure=structures(kinds=MOVING, least=3), closing=st.sampled_from(sorted(CLOSING_JOINTS)), seed=seeds,
    data=st.data(),
)  # fmt: skip
def test_spatial_loops(structure, closing, seed, data):
    ends = data.draw(st.lists(st.integers(0, len(structure)), min_size=2, max_size=2, unique=True), label="ends")
    random = np.random.default_rng(seed)
    compare(random_loop(structure, closing, (ends[0], ends[1]), random), "lagrange", random)


@pytest.mark.parametrize("enforcement", ["lagrange", "augmented"])
@settings(max_examples=60, deadline=None)
@given(links=st.integers(1, 4), seed=seeds)
def test_cylinders_across_a_hinge(enforcement, links, seed):
    random = np.random.default_rng(seed)
    compare(random_ram(random, links), enforcement, random)
