# SPDX-License-Identifier: BSD-3-Clause
"""Dense Cholesky factorisation A = L Lᵀ of a small positive definite matrix, lower half, row by row.

Plain and without blocking: at the sizes of a machine (up to about 100) the matrix lies in the first cache.
Validated by: tests/solvers/test_cholesky.py
"""

import math

from knuckleboom.kernels import kernel

LEFT_OUT = 1e150  # a pivot by which everything becomes zero; its square is still a number


@kernel
def factor(n, floor, A):
    """Factor the leading n×n block in place. Return −1, or the first row without a positive pivot. Writes A.

    A row whose squared pivot is below floor[i] > 0 is redundant and left out: its part of every solution is zero.
    """
    for i in range(n):
        for j in range(i):
            total = A[i, j]
            for k in range(j):
                total -= A[i, k] * A[j, k]
            A[i, j] = total / A[j, j]
        total = A[i, i]
        for k in range(i):
            total -= A[i, k] * A[i, k]
        if not total > floor[i]:
            if not floor[i] > 0.0:
                return i
            A[i, i] = LEFT_OUT
            continue
        A[i, i] = math.sqrt(total)
    return -1


@kernel
def forward(n, L, b):
    """Solve L y = b in place. Writes b."""
    for i in range(n):
        total = b[i]
        for k in range(i):
            total -= L[i, k] * b[k]
        b[i] = total / L[i, i]


@kernel
def backward(n, L, b):
    """Solve Lᵀ x = b in place. Writes b."""
    for i in range(n - 1, -1, -1):
        total = b[i]
        for k in range(i + 1, n):
            total -= L[k, i] * b[k]
        b[i] = total / L[i, i]
