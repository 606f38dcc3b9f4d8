# SPDX-License-Identifier: BSD-3-Clause
"""L D Lᵀ of a symmetric matrix on a fixed sparse pattern, for systems too large for a row per ancestor.

Row k holds only its depth[k] entries that are not zero, from start[k] on, with their slots ascending, and its diagonal
last. Where each product of two entries of a row is taken off was listed once, in the order in which the factor meets
them (plan/pattern.py), so nothing is searched and the list is read from one end to the other. The matrix is
quasi-definite, velocities + and multipliers −, and the order keeps every pivot so: no pivoting [Vanderbei 1995]. It is
solved as a tree is (tree_ldl.solve).

For machines in relative coordinates tree_ldl.py is faster: it needs no list. For a matrix that is not symmetric there
is pattern_lu.py, on the same tables. Indices are unsigned, as in tree_ldl.py.
Validated by: tests/solvers/test_pattern_ldl.py
"""

import numpy as np

from knuckleboom.kernels import kernel

ZERO, ONE = np.uintp(0), np.uintp(1)


@kernel
def factor(start, depth, target, sign, floor, L):
    """Factor in place; sign[k] is the sign a pivot must have. Return −1, or the first bad row. Writes L.

    A pivot whose size is below floor[k] > 0 is lifted to that: the way out for redundant rows.
    """
    u = ZERO
    for k in range(sign.shape[0] - 1, -1, -1):
        s = np.uintp(start[k])
        diagonal = s + np.uintp(depth[k])
        pivot = L[diagonal]
        if not pivot * sign[k] > floor[k]:
            if not floor[k] > 0.0:
                return k
            pivot = sign[k] * floor[k]
            L[diagonal] = pivot
        inverse = 1.0 / pivot
        m = diagonal - s
        while m > ZERO:
            count = m
            m -= ONE
            entry = L[s + m]
            if entry != 0.0:
                scaled = entry * inverse
                for e in range(count):
                    L[np.uintp(target[u + e])] -= scaled * L[s + e]
                L[s + m] = scaled
            u += count
    return -1
