# SPDX-License-Identifier: BSD-3-Clause
"""Elimination with exchange of rows against numpy."""

import numpy as np
import pytest

from kernel_call import callable_kernel
from knuckleboom.solvers import pivoted_lu

solve = callable_kernel(pivoted_lu.solve)


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_solution_is_that_of_numpy(n):
    for seed in range(20):
        random = np.random.default_rng([n, seed])
        A, b = random.normal(size=(n + 2, n + 2)), random.normal(size=n + 2)
        A[0, 0] = 0.0 if n > 1 else A[0, 0]  # needs an exchange
        exact = np.linalg.solve(A[:n, :n], b[:n])
        used, x = A.copy(), b.copy()
        assert solve(n, used, x) == -1
        assert x[:n] == pytest.approx(exact, rel=1e-9, abs=1e-9 * np.abs(exact).max())
        assert np.array_equal(x[n:], b[n:])
        assert np.array_equal(used[n:], A[n:])


def test_a_column_without_a_pivot_is_named():
    A = np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 1.0], [3.0, 6.0, 5.0]])
    assert solve(3, A, np.ones(3)) == 1
