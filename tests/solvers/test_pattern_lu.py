# SPDX-License-Identifier: BSD-3-Clause
"""L U on sparse patterns against numpy's dense solution, and against L D Lᵀ where the matrix is symmetric.

Rank: another program.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from free_bodies import FreeBodies, packed, trees_with_rods
from kernel_call import callable_kernel
from knuckleboom.solvers import pattern_ldl, pattern_lu

factor, solve = callable_kernel(pattern_lu.factor), callable_kernel(pattern_lu.solve)
factor_ldl = callable_kernel(pattern_ldl.factor)
EPS = np.finfo(float).eps
seeds = st.integers(0, 2**32 - 1)


def factored(order, K):
    lower, upper = packed(order, K)
    return factor(order.start, order.depth, order.target, lower, upper), lower, upper


def solved(order, lower, upper, b):
    x = b.copy()
    solve(order.start, order.depth, order.ancestor.astype(np.uintp), lower, upper, x)
    return x


def tangent(case, share):
    """The matrix of the motion and a random part of that share on the same entries, as slopes of forces add."""
    K = case.matrix()
    random = np.random.default_rng(len(K))
    slots = case.order.velocity_slot
    K[np.ix_(slots, slots)] += share * random.normal(size=(len(slots),) * 2) * (case.M != 0.0)
    K[np.ix_(slots, case.order.loop_slot)] += share * random.normal(size=case.phi.T.shape) * (case.phi.T != 0.0)
    return K


@pytest.mark.slow
@given(trees_with_rods(), seeds, st.sampled_from((0.0, 0.05)))
def test_solution_is_that_of_numpy(tree, seed, share):
    case = FreeBodies(*tree, seed)
    K = tangent(case, share)
    assume(np.linalg.cond(K) < 1e6)
    status, lower, upper = factored(case.order, K)
    x = solved(case.order, lower, upper, case.b)

    assert status == -1
    # as full matrices K = U' L', columns of U' scaled by the pivots; the bound of any L U: |K x − b| ≤ c n ε |L||U||x|
    slots = np.repeat(np.arange(len(K)), case.order.depth + 1)
    U, V = np.eye(len(K)), np.zeros_like(K)
    V[slots, case.order.ancestor] = lower
    off = slots != case.order.ancestor
    U[case.order.ancestor[off], slots[off]] = upper[off]
    size = np.abs(U) @ np.abs(V)
    assert (np.abs(U @ V - K) <= 4 * len(K) * EPS * size).all()
    assert (np.abs(K @ x - case.b) <= 4 * len(K) * EPS * size @ np.abs(x)).all()


def test_a_tangent_of_a_chain_is_solved_as_by_numpy():
    case = FreeBodies([-1, 0, 1, 2, 1, 4], [(3, 5)], seed=2)
    K = tangent(case, 0.05)
    status, lower, upper = factored(case.order, K)

    assert status == -1
    assert solved(case.order, lower, upper, case.b) == pytest.approx(np.linalg.solve(K, case.b), rel=1e-8, abs=1e-9)


@pytest.mark.slow
@given(trees_with_rods(), seeds)
def test_a_symmetric_matrix_has_the_same_pivots_as_with_ldl(tree, seed):
    case = FreeBodies(*tree, seed)
    order, K = case.order, case.matrix()
    assume(np.linalg.cond(K) < 1e6)
    status, lower, upper = factored(order, K)
    L = packed(order, K)[0]
    factor_ldl(order.start, order.depth, order.target, order.sign, np.zeros(len(K)), L)
    off = np.repeat(np.arange(len(K)), order.depth + 1) != order.ancestor

    assert status == -1
    assert lower[~off] == pytest.approx(L[~off], rel=1e-6)
    assert upper[off] == pytest.approx(L[off], rel=1e-6, abs=1e-6 * np.abs(L[off]).max())


def test_the_diagonal_of_upper_is_not_used():
    case = FreeBodies([-1, 0], [], seed=4)
    order, K = case.order, case.matrix()
    lower, upper = packed(order, K)
    upper[order.start + order.depth] = np.nan
    status = factor(order.start, order.depth, order.target, lower, upper)

    assert status == -1
    assert solved(order, lower, upper, case.b) == pytest.approx(np.linalg.solve(K, case.b), rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("bad", [0.0, np.nan])
def test_the_row_without_a_pivot_is_named(bad):
    case = FreeBodies([-1, 0], [], seed=1)
    last = len(case.b) - 1
    K = case.matrix()
    K[last, last] = bad

    assert factored(case.order, K)[0] == last
