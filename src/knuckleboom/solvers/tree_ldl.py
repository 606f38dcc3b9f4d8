# SPDX-License-Identifier: BSD-3-Clause
"""L D Lᵀ of a symmetric matrix whose elimination tree is known, from the leaves to the root, without fill search.

Row k holds its entries with all its ancestors in the elimination tree, root first, then its diagonal: the entry
(k, i) is at start[k] + depth[i], so assembly and updates are contiguous and nothing is looked up. For the mass
matrix of a tree this is the branch-sparse LTL of [Featherstone 2008, §6.5]; a loop multiplier is one more node,
above the velocities of its loop and below their common ancestors, so that fill stays on the loop's path and its
pivot −Φ M⁻¹ Φᵀ is negative: no pivoting is needed. The order is chosen in plan/elimination.py.

Indices are unsigned here: for signed ones Numba would test every access for a negative index, at twice the time.
"""

import numpy as np

from knuckleboom.kernels import kernel

ONE = np.uintp(1)


@kernel
def factor(start, depth, ancestor, sign, floor, L):
    """Factor in place; sign[k] is the sign a pivot must have. Return −1, or the first bad row. Writes L.

    A pivot whose size is below floor[k] > 0 is lifted to that: the way out for redundant rows.
    """
    for k in range(depth.shape[0] - 1, -1, -1):
        s = np.uintp(start[k])
        pivot = L[s + np.uintp(depth[k])]
        if not pivot * sign[k] > floor[k]:
            if not floor[k] > 0.0:
                return k
            pivot = sign[k] * floor[k]
            L[s + np.uintp(depth[k])] = pivot
        inverse = 1.0 / pivot
        for place in range(depth[k] - 1, -1, -1):
            m = np.uintp(place)
            entry = L[s + m]
            if entry != 0.0:
                scaled = entry * inverse
                t = np.uintp(start[ancestor[s + m]])
                for e in range(m + ONE):
                    L[t + e] -= scaled * L[s + e]
                L[s + m] = scaled
    return -1


@kernel
def solve(start, depth, ancestor, L, b):
    """Solve L D Lᵀ x = b in place. Writes b."""
    for k in range(depth.shape[0] - 1, -1, -1):
        s, n = np.uintp(start[k]), np.uintp(depth[k])
        value = b[k]
        for m in range(n):
            b[ancestor[s + m]] -= L[s + m] * value
        b[k] = value / L[s + n]
    for k in range(depth.shape[0]):
        s = np.uintp(start[k])
        value = b[k]
        for m in range(np.uintp(depth[k])):
            value -= L[s + m] * b[ancestor[s + m]]
        b[k] = value
