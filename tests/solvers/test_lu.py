# SPDX-License-Identifier: BSD-3-Clause
"""L U without exchange of rows solves what NumPy solves, and names the row at which it cannot go on."""

import numpy as np
import pytest

from kernel_call import callable_kernel
from knuckleboom.solvers import lu

factor, solve = callable_kernel(lu.factor), callable_kernel(lu.solve)


@pytest.mark.parametrize("n", [1, 2, 7, 43])
def test_solution_is_that_of_numpy(n):
    random = np.random.default_rng(n)
    # an indefinite system as Newton has it: a definite block, loop rows, a small negative block
    loops = n // 4
    A = random.normal(size=(n, n))
    A[: n - loops, : n - loops] += 3.0 * n * np.eye(n - loops)
    A[n - loops :, n - loops :] = -1e-9 * np.eye(loops)
    b = random.normal(size=n)
    factors, x = A.copy(), b.copy()

    assert factor(n, factors) == -1
    solve(n, factors, x)

    assert x == pytest.approx(np.linalg.solve(A, b), rel=1e-9, abs=1e-12)


def test_only_the_leading_block_is_used():
    A = np.full((3, 3), 7.0)
    A[:2, :2] = [[2.0, 1.0], [1.0, 3.0]]
    b = np.array([3.0, 4.0, 9.0])

    assert factor(2, A) == -1
    solve(2, A, b)

    assert b == pytest.approx([1.0, 1.0, 9.0])


@pytest.mark.parametrize("bad", [0.0, np.nan])
def test_the_row_without_a_pivot_is_named(bad):
    A = np.diag([1.0, bad, 2.0])
    assert factor(3, A) == 1
