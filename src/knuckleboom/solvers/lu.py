# SPDX-License-Identifier: BSD-3-Clause
"""Dense L U of a small matrix without exchange of rows, for systems whose leading blocks are regular.

Validated by: tests/solvers/test_lu.py
"""

from knuckleboom.kernels import kernel


@kernel
def factor(n, A):
    """Factor the leading n×n block in place. Return −1, or the first row without a pivot. Writes A."""
    for k in range(n):
        pivot = A[k, k]
        if not abs(pivot) > 0.0:
            return k
        inverse = 1.0 / pivot
        for i in range(k + 1, n):
            share = A[i, k] * inverse
            A[i, k] = share
            if share != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= share * A[k, j]
    return -1


@kernel
def solve(n, A, b):
    """Solve with the factors in place. Writes b."""
    for i in range(n):
        total = b[i]
        for j in range(i):
            total -= A[i, j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= A[i, j] * b[j]
        b[i] = total / A[i, i]
