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

ZERO, ONE, TWO, THREE, FOUR, FIVE = (np.uintp(i) for i in range(6))
TRUNK = 6  # velocities of a free base


@kernel
def eliminate_trunk(s, inverse, L):
    """Take a row's first six entries, which start at s, out of the trunk's triangle at the start of L. Writes L."""
    x0, x1, x2 = L[s], L[s + ONE], L[s + TWO]
    x3, x4, x5 = L[s + THREE], L[s + FOUR], L[s + FIVE]
    y0, y1, y2, y3, y4, y5 = x0 * inverse, x1 * inverse, x2 * inverse, x3 * inverse, x4 * inverse, x5 * inverse
    # rows of one to six entries follow each other: they start at 0, 1, 3, 6, 10 and 15
    L[0] -= y0 * x0
    L[1] -= y1 * x0
    L[2] -= y1 * x1
    L[3] -= y2 * x0
    L[4] -= y2 * x1
    L[5] -= y2 * x2
    L[6] -= y3 * x0
    L[7] -= y3 * x1
    L[8] -= y3 * x2
    L[9] -= y3 * x3
    L[10] -= y4 * x0
    L[11] -= y4 * x1
    L[12] -= y4 * x2
    L[13] -= y4 * x3
    L[14] -= y4 * x4
    L[15] -= y5 * x0
    L[16] -= y5 * x1
    L[17] -= y5 * x2
    L[18] -= y5 * x3
    L[19] -= y5 * x4
    L[20] -= y5 * x5
    L[s], L[s + ONE], L[s + TWO] = y0, y1, y2
    L[s + THREE], L[s + FOUR], L[s + FIVE] = y3, y4, y5


@kernel
def factor(start, depth, ancestor, sign, floor, trunk, L):
    """Factor in place; sign[k] is the sign a pivot must have. Return −1, or the first bad row. Writes L.

    A pivot whose size is below floor[k] > 0 is lifted to that: the way out for redundant rows. trunk is 6 when the
    first six slots are one chain from which all others hang (a free base, a long arm), else 0.
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
        low = trunk if k >= trunk else 0
        for place in range(depth[k] - 1, low - 1, -1):
            m = np.uintp(place)
            entry = L[s + m]
            if entry != 0.0:
                scaled = entry * inverse
                t = np.uintp(start[ancestor[s + m]])
                # rows are short: two entries at a time, read before written, beat Numba's own loop by a quarter
                e = ZERO
                while e < m:
                    x, x_next, y, y_next = L[s + e], L[s + e + ONE], L[t + e], L[t + e + ONE]
                    L[t + e] = y - scaled * x
                    L[t + e + ONE] = y_next - scaled * x_next
                    e += TWO
                if e == m:
                    L[t + e] -= scaled * L[s + e]
                L[s + m] = scaled
        if low > 0:
            eliminate_trunk(s, inverse, L)
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
