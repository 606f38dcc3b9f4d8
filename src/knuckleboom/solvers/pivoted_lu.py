# SPDX-License-Identifier: BSD-3-Clause
"""Dense elimination with exchange of rows, for a small matrix of any kind.

Validated by: tests/solvers/test_pivoted_lu.py
"""

from knuckleboom.kernels import kernel


@kernel
def solve(n, A, b):
    """Solve with the leading n×n block in place. Return −1, or the first column without a pivot. Writes A, b."""
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if not abs(A[best, k]) > 0.0:
            return k
        if best != k:
            for j in range(k, n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
            b[k], b[best] = b[best], b[k]
        for i in range(k + 1, n):
            share = A[i, k] / A[k, k]
            if share != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= share * A[k, j]
                b[i] -= share * b[k]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= A[i, j] * b[j]
        b[i] = total / A[i, i]
    return -1
