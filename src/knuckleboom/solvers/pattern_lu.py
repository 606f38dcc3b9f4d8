# SPDX-License-Identifier: BSD-3-Clause
"""L U of a matrix that is not symmetric, on a symmetric fixed pattern, without exchange of rows: Newton's tangent.

The tables are those of pattern_ldl.py (plan/pattern.py). The entry (i, j) stands at the pattern's address of i and j,
in `lower` when i ≥ j and in `upper` when i < j; the diagonal of `upper` is not used. The tangent is the quasi-definite
matrix of the motion and a part that vanishes with the step, so its pivots exist when the step is not too long; unlike
there, they may have either sign.
Validated by: tests/solvers/test_pattern_lu.py
"""

import numpy as np

from knuckleboom.kernels import kernel

ZERO, ONE = np.uintp(0), np.uintp(1)


@kernel
def factor(start, depth, target, lower, upper):
    """Factor in place. Return −1, or the first row without a pivot. Writes lower, upper."""
    u = ZERO
    for k in range(depth.shape[0] - 1, -1, -1):
        s = np.uintp(start[k])
        diagonal = s + np.uintp(depth[k])
        pivot = lower[diagonal]
        if not abs(pivot) > 0.0:
            return k
        inverse = 1.0 / pivot
        m = diagonal - s
        while m > ZERO:
            m -= ONE
            # what row k takes off row m, and column k off column m
            from_row, from_column = upper[s + m] * inverse, lower[s + m] * inverse
            for e in range(m):
                t = np.uintp(target[u + e])
                lower[t] -= from_row * lower[s + e]
                upper[t] -= from_column * upper[s + e]
            lower[np.uintp(target[u + m])] -= from_row * lower[s + m]
            upper[s + m] = from_row
            u += m + ONE
    return -1


@kernel
def solve(start, depth, column, lower, upper, b):
    """Solve with the factors in place. Writes b."""
    for k in range(b.shape[0] - 1, -1, -1):
        value = b[k]
        s = np.uintp(start[k])
        for e in range(s, s + np.uintp(depth[k])):
            b[column[e]] -= upper[e] * value
    for k in range(b.shape[0]):
        s = np.uintp(start[k])
        diagonal = s + np.uintp(depth[k])
        value = b[k]
        for e in range(s, diagonal):
            value -= lower[e] * b[column[e]]
        b[k] = value / lower[diagonal]
