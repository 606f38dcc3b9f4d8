# SPDX-License-Identifier: BSD-3-Clause
"""Random loops of full rank against Pinocchio's constraintDynamics: accelerations to 1e-8.

Rank on the ladder of evidence: another program (third). The pose is closed by construction; velocities are projected on
the loop with Pinocchio's own Jacobian, so that neither our assembly nor our Jacobian is trusted. Of full rank means:
all equations of the cut joint are independent and J M⁻¹ Jᵀ, the matrix both programs solve with, has a condition below
1e6. Spatial loops close by a ball, a pin or rigidly; planar loops are a cylinder across a hinge, whose pin adds 2
equations by structure.
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


def condition(model: PinocchioModel, equations: int) -> float:
    """Condition of J M⁻¹ Jᵀ on its `equations` independent rows; a pin's redundant ones do not count."""
    inverse_root = np.linalg.inv(np.linalg.cholesky(model.mass_matrix()))
    sizes = np.linalg.svd(model.loop_jacobian() @ inverse_root.T, compute_uv=False)
    return float((sizes[0] / sizes[equations - 1]) ** 2) if sizes[equations - 1] > 0.0 else np.inf


def compare(case: LoopCase, enforcement: str, random: np.random.Generator) -> None:
    """Assert that our accelerations are Pinocchio's at the closed pose with a random admissible velocity."""
    add_efforts(case.machine, random)
    ours = build(case.machine, enforcement=enforcement)
    tree = read_tree(case.machine, columns_of(ours))
    theirs = PinocchioModel(tree, mu=1e-10, accuracy=1e-14, iterations=50)
    q, _ = tree.start()
    theirs.set_state(q, np.zeros(tree.nv))
    assume(tree.nv > case.equations and condition(theirs, case.equations) < WORST_CONDITION)
    free = np.linalg.svd(theirs.loop_jacobian())[2][case.equations :].T
    v = free @ random.normal(size=free.shape[1])

    ours.set_state(q, v)
    theirs.set_state(q, v)

    assert ours.loop_equations == case.equations
    assert relative(ours.accelerations(), theirs.accelerations(efforts_of(ours))) < TOLERANCE


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    structure=structures(kinds=MOVING, least=3), closing=st.sampled_from(sorted(CLOSING_JOINTS)), seed=seeds,
    data=st.data(),
)  # fmt: skip
def test_spatial_loops(structure, closing, seed, data):
    ends = data.draw(st.lists(st.integers(0, len(structure)), min_size=2, max_size=2, unique=True), label="ends")
    random = np.random.default_rng(seed)
    compare(random_loop(structure, closing, (ends[0], ends[1]), random), "lagrange", random)


@pytest.mark.slow
@pytest.mark.parametrize("enforcement", ["lagrange", "augmented"])
@settings(max_examples=60, deadline=None, derandomize=True)
@given(links=st.integers(1, 4), seed=seeds)
def test_cylinders_across_a_hinge(enforcement, links, seed):
    random = np.random.default_rng(seed)
    compare(random_ram(random, links), enforcement, random)
