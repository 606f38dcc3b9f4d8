# SPDX-License-Identifier: BSD-3-Clause
"""L D Lᵀ along random elimination trees, with loop multipliers and with a trunk, against numpy's dense solution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.plan.elimination import order_slots
from knuckleboom.solvers import tree_ldl

factor, solve = callable_kernel(tree_ldl.factor), callable_kernel(tree_ldl.solve)
EPS = np.finfo(float).eps
CONDITION = 1e6
seeds = st.integers(0, 2**32 - 1)


class Case:
    """A symmetric system in elimination order: velocities on a random tree, and loop rows between pairs of them."""

    def __init__(self, parents, pairs, seed, compliance=0.0):
        random = np.random.default_rng(seed)
        n, ancestors = len(parents), []
        for j, parent in enumerate(parents):
            ancestors.append([*(ancestors[parent] if parent >= 0 else []), j])
        # M = Rᵀ R has the pattern of a tree's mass matrix when R has one entry per velocity and ancestor
        R = np.zeros((n, n))
        for j, above in enumerate(ancestors):
            R[j, above] = random.normal(size=len(above))
            R[j, j] = random.uniform(1.0, 2.0)
        paths = [sorted(set(ancestors[i]) ^ set(ancestors[j])) for i, j in pairs]
        phi = np.zeros((len(paths), n))
        for row, velocities in zip(phi, paths, strict=True):
            row[velocities] = random.normal(size=len(velocities))

        self.order = order = order_slots(ancestors, paths, paths, [])
        size = n + len(paths)
        self.K = np.zeros((size, size))
        self.K[np.ix_(order.velocity_slot, order.velocity_slot)] = R.T @ R
        self.K[np.ix_(order.loop_slot, order.velocity_slot)] = phi
        self.K[np.ix_(order.velocity_slot, order.loop_slot)] = phi.T
        self.K[order.loop_slot, order.loop_slot] = -compliance
        self.b = random.normal(size=size)
        self.floor = np.zeros(size)

    def packed(self):
        """The entries of K where L keeps them; everything else of K must be zero."""
        order, rest = self.order, self.K.copy()
        L = np.zeros(len(order.ancestor))
        for k, (start, depth) in enumerate(zip(order.start, order.depth, strict=True)):
            chain = order.ancestor[start : start + depth + 1]
            L[start : start + depth + 1] = self.K[k, chain]
            rest[k, chain] = rest[chain, k] = 0.0
        assert not rest.any(), "the elimination tree leaves out an entry"
        return L

    def factored(self, trunk=None):
        order, L = self.order, self.packed()
        trunk = order.trunk if trunk is None else trunk
        places = order.ancestor.astype(np.uintp)
        return factor(order.start, order.depth, places, order.sign, self.floor, trunk, L), L

    def solved(self, trunk=None):
        status, L = self.factored(trunk)
        assert status == -1
        x = self.b.copy()
        solve(self.order.start, self.order.depth, self.order.ancestor.astype(np.uintp), L, x)
        return x


@st.composite
def trees(draw, trunk=False):
    """Parents of the velocities (−1 is the ground), and pairs of velocities that loops join."""
    size = draw(st.integers(7 if trunk else 1, 16))
    parents = [draw(st.integers(-1, j - 1)) for j in range(size)]
    if trunk:
        parents = [j - 1 for j in range(6)] + [max(5, parent) for parent in parents[6:]]
    low = 5 if trunk else 0
    ends = st.tuples(st.integers(low, size - 1), st.integers(low, size - 1)).filter(lambda pair: pair[0] != pair[1])
    return parents, draw(st.lists(ends, max_size=3)) if size > low + 1 else []


def assert_solved(case):
    condition = np.linalg.cond(case.K)
    assume(condition < CONDITION)
    exact = np.linalg.solve(case.K, case.b)
    # without pivoting the growth of a quasi-definite matrix is bounded by its condition too
    bound = 10 * len(exact) * EPS * condition**1.5 * np.linalg.norm(exact)
    assert np.linalg.norm(case.solved() - exact) <= bound


@pytest.mark.slow
@given(trees(), seeds)
def test_solution_is_that_of_numpy(tree, seed):
    assert_solved(Case(*tree, seed))


@given(trees(), seeds)
def test_solution_with_compliant_loops_is_that_of_numpy(tree, seed):
    assert_solved(Case(*tree, seed, compliance=1e-3))


@given(trees(trunk=True), seeds)
def test_solution_with_a_trunk_is_that_of_numpy(tree, seed):
    case = Case(*tree, seed)

    assert case.order.trunk == 6
    assert_solved(case)


@given(trees(trunk=True), seeds)
def test_trunk_only_changes_the_order_of_the_sums(tree, seed):
    case = Case(*tree, seed)
    condition = np.linalg.cond(case.K)
    assume(condition < CONDITION)

    bound = 10 * len(case.b) * EPS * condition**1.5
    assert np.linalg.norm(case.solved(trunk=6) - case.solved(trunk=0)) <= bound * np.linalg.norm(case.solved())


@given(trees(), seeds)
def test_factors_multiply_back_to_the_matrix(tree, seed):
    case = Case(*tree, seed)
    assume(np.linalg.cond(case.K) < CONDITION)
    status, packed = case.factored()
    order, size = case.order, len(case.b)
    L, D = np.eye(size), np.zeros(size)
    for k in range(size):
        row = packed[order.start[k] : order.start[k] + order.depth[k] + 1]
        L[k, order.ancestor[order.start[k] : order.start[k] + order.depth[k]]] = row[:-1]
        D[k] = row[-1]

    assert status == -1
    assert np.array_equal(np.sign(D), order.sign), "velocities have positive pivots, multipliers negative ones"
    # leaves first: K = Lᵀ D L; each entry is a sum of at most `size` products |L||D||L|
    bound = 4 * size * EPS * np.abs(L.T) @ np.abs(np.diag(D)) @ np.abs(L)
    assert (np.abs(L.T @ np.diag(D) @ L - case.K) <= bound).all()


@given(seeds)
def test_a_redundant_loop_row_is_lifted_and_moves_nothing(seed):
    case = Case([-1, 0, 0], [(1, 2), (1, 2)], seed)
    first, second = case.order.loop_slot
    case.K[second], case.K[:, second] = case.K[first], case.K[:, first]  # the same row twice
    case.b[second] = case.b[first]
    once = np.delete(np.arange(len(case.b)), second)
    assume(np.linalg.cond(case.K[np.ix_(once, once)]) < 1e3)
    case.floor[case.order.loop_slot] = 1e-12
    x = case.solved()

    # velocities are those of the machine with the row once, but for the lift times the multiplier
    exact = np.zeros(len(case.b))
    exact[once] = np.linalg.solve(case.K[np.ix_(once, once)], case.b[once])
    moved = case.order.velocity_slot
    assert x[moved] == pytest.approx(exact[moved], abs=1e-9)


def test_a_velocity_without_mass_is_named():
    case = Case([-1, 0, 1, 1], [], seed=1)
    slot = int(case.order.velocity_slot[3])
    case.K[slot], case.K[:, slot] = 0.0, 0.0

    assert case.factored()[0] == slot


def test_what_is_not_a_number_is_no_pivot():
    case = Case([-1, 0, 1], [], seed=1)
    case.K[0, 0] = np.nan

    assert case.factored()[0] == 0
