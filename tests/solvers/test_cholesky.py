# SPDX-License-Identifier: BSD-3-Clause
"""Dense Cholesky against numpy, and what happens without a positive pivot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.solvers import cholesky

factor, forward, backward = (callable_kernel(f) for f in (cholesky.factor, cholesky.forward, cholesky.backward))
EPS = np.finfo(float).eps
sizes = st.integers(1, 30)
seeds = st.integers(0, 2**32 - 1)


def definite(n, random):
    """A positive definite matrix with eigenvalues between 1e-3 and 1e3."""
    Q = np.linalg.qr(random.normal(size=(n, n)))[0]
    return (Q * 10.0 ** random.uniform(-3.0, 3.0, size=n)) @ Q.T


def symmetric(lower):
    return np.tril(lower) + np.tril(lower, -1).T


@pytest.mark.slow
@given(sizes, seeds)
def test_factor_multiplies_back_to_the_matrix(n, seed):
    A = symmetric(definite(n, np.random.default_rng(seed)))
    L = A.copy()

    assert factor(n, np.zeros(n), L) == -1

    # backward error of Cholesky: (n + 1)·eps·‖A‖ (Higham, Accuracy and Stability), with a factor for the norm
    assert np.abs(np.tril(L) @ np.tril(L).T - A).max() <= 4 * (n + 1) * EPS * np.linalg.norm(A)
    assert np.array_equal(np.triu(L, 1), np.triu(A, 1)), "the upper half is not touched"


@pytest.mark.slow
@given(sizes, seeds)
def test_solution_is_that_of_numpy(n, seed):
    random = np.random.default_rng(seed)
    A, b = symmetric(definite(n, random)), random.normal(size=n)
    L, x = A.copy(), b.copy()
    factor(n, np.zeros(n), L)
    forward(n, L, x)
    backward(n, L, x)

    exact = np.linalg.solve(A, b)
    assert np.linalg.norm(x - exact) <= 10 * n * EPS * np.linalg.cond(A) * np.linalg.norm(exact)


@given(st.integers(2, 12), seeds)
def test_only_the_leading_block_is_factored(n, seed):
    A = symmetric(definite(n, np.random.default_rng(seed)))
    whole, block = A.copy(), A[:-1, :-1].copy()
    factor(n - 1, np.zeros(n), whole)
    factor(n - 1, np.zeros(n), block)

    assert np.array_equal(whole[:-1, :-1], block)
    assert np.array_equal(whole[-1], A[-1])


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan])
def test_first_row_without_a_positive_pivot_is_named(bad):
    A = np.diag([4.0, 9.0, bad, 1.0])

    assert factor(4, np.zeros(4), A) == 2


@given(st.integers(2, 12), seeds)
def test_a_redundant_row_is_left_out_of_the_solution(n, seed):
    """A row that is a sum of others: its part is zero, and the rest is the solution without it."""
    random = np.random.default_rng(seed)
    B = np.linalg.qr(random.normal(size=(n + 1, n)))[0]
    row = int(random.integers(1, n))
    weights = random.normal(size=row)
    B[:, row] = B[:, :row] @ weights
    A, b = symmetric(B.T @ B), random.normal(size=n)
    b[row] = b[:row] @ weights
    L, x = A.copy(), b.copy()
    kept = np.delete(np.arange(n), row)

    assert factor(n, np.full(n, 1e-12), L) == -1
    forward(n, L, x)
    backward(n, L, x)

    assert abs(x[row]) < 1e-100
    assert x[kept] == pytest.approx(np.linalg.solve(A[np.ix_(kept, kept)], b[kept]), abs=1e-9)
