# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients on rows against numpy's dense solution of the matrix put together. Rank: another program."""

from __future__ import annotations

import collections

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from free_bodies import FreeBodies, chain, trees_with_rods
from kernel_call import callable_kernel
from knuckleboom.solvers import conjugate_gradients as cg

multiply, prepare, solve = callable_kernel(cg.multiply), callable_kernel(cg.prepare), callable_kernel(cg.solve)
precondition = callable_kernel(cg.precondition)
seeds = st.integers(0, 2**32 - 1)


Table = collections.namedtuple(
    "Table", ("pair_first", "pair_ancestor", "pair_address", "path_first", "path_dof", "block_first"), module=__name__
)


class Rows:
    """The tables and entries of a case, and its matrix M + Φᵀ C⁻¹ Φ."""

    def __init__(self, case, stiffness=1e3, block=6):
        nv, nrow = len(case.M), len(case.phi)
        pairs = [(j, k) for j in range(nv) for k in range(j + 1) if case.M[j, k] != 0.0]
        self.pair_first = np.searchsorted([j for j, _ in pairs], np.arange(nv + 1))
        self.pair_ancestor = np.array([k for _, k in pairs], np.uintp)
        self.pair_address = np.arange(len(pairs)).astype(np.uintp)
        self.path_first = np.cumsum([0, *(len(row) for row in case.rows)])
        self.path_dof = np.array([v for row in case.rows for v in row], np.uintp)
        self.block_first = np.arange(nv) // block * block
        self.mass = np.array([case.M[pair] for pair in pairs])
        self.phi = np.array([case.phi[r, v] for r, row in enumerate(case.rows) for v in row])
        self.compliance = case.random.uniform(0.5, 2.0, nrow) / stiffness
        self.block = np.full((nv, block), np.nan)
        self.b = case.random.normal(size=nv)
        self.A = case.M + case.phi.T @ np.diag(1.0 / self.compliance) @ case.phi

    def multiplied(self, x):
        y = np.full(len(x), np.nan)
        multiply(self.table(), self.mass, self.phi, self.compliance, x, y)
        return y

    def table(self):
        return Table(*(getattr(self, name) for name in Table._fields))

    def prepared(self):
        return prepare(self.table(), self.mass, self.phi, self.compliance, self.block)

    def solved(self, tolerance=1e-12, most=10_000, start=None):
        assert self.prepared() == -1
        x = np.zeros(len(self.b)) if start is None else start.copy()
        vectors = np.full((cg.VECTORS, len(x)), np.nan)
        entries = (self.mass, self.phi, self.compliance, self.block)
        return solve(self.table(), *entries, tolerance, most, self.b, vectors, x), x


@pytest.mark.slow
@given(trees_with_rods(), seeds)
def test_the_product_is_that_of_the_matrix(tree, seed):
    rows = Rows(FreeBodies(*tree, seed))

    assert rows.multiplied(rows.b) == pytest.approx(rows.A @ rows.b, rel=1e-10, abs=1e-9)


@pytest.mark.slow
@given(trees_with_rods(), seeds, st.sampled_from((1, 2, 3, 6)))
def test_the_preconditioner_solves_with_the_diagonal_blocks(tree, seed, block):
    rows = Rows(FreeBodies(*tree, seed), block=block)
    same = rows.block_first[:, None] == rows.block_first
    z = rows.b.copy()

    assert rows.prepared() == -1
    precondition(rows.block_first, rows.block, z)
    assert np.where(same, rows.A, 0.0) @ z == pytest.approx(rows.b, rel=1e-7, abs=1e-7)


@pytest.mark.slow
@given(trees_with_rods(), seeds, st.sampled_from((1, 6)))
def test_the_solution_is_that_of_numpy(tree, seed, block):
    rows = Rows(FreeBodies(*tree, seed), block=block)
    iterations, x = rows.solved()
    exact = np.linalg.solve(rows.A, rows.b)
    error = x - exact

    assert iterations >= 0
    # the error's energy follows from the residual's, which rounding keeps above c ε |A||x|, by the condition at most
    assert error @ rows.A @ error <= (2e-12 * np.linalg.cond(rows.A)) ** 2 * (exact @ rows.A @ exact)


def test_a_body_without_joints_takes_one_iteration():
    """Its block is its whole matrix."""
    case = FreeBodies([-1], [], seed=1)
    case.rows, case.phi = [], case.phi[:0]

    assert Rows(case).solved()[0] == 1


def test_blocks_of_bodies_take_fewer_iterations_than_single_velocities():
    case = chain(20)

    assert Rows(case, block=6).solved(1e-8)[0] < Rows(case, block=1).solved(1e-8)[0]


def test_a_solution_to_start_from_takes_no_iteration():
    rows = Rows(chain(5))
    exact = rows.solved(1e-12)[1]

    assert rows.solved(1e-8, start=exact)[0] == 0


def test_nothing_that_pushes_moves_nothing():
    rows = Rows(chain(3))
    rows.b[:] = 0.0
    iterations, x = rows.solved()

    assert iterations == 0 and not x.any()


def test_too_few_iterations_are_told():
    assert Rows(chain(20)).solved(1e-10, most=3)[0] == -1


def test_a_velocity_without_mass_is_named():
    case = FreeBodies([-1, 0], [], seed=1)
    case.rows, case.phi = [], case.phi[:0]
    rows = Rows(case)
    rows.mass[rows.pair_first[7] : rows.pair_first[8]] = 0.0

    assert rows.prepared() == 7
