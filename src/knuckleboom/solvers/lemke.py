# SPDX-License-Identifier: BSD-3-Clause
"""Bounded rows by Lemke's pivoting: exact and slow, the oracle of the other solvers and the way out of their cycles.

The problem of bounded_rows.py becomes s = M z + q ≥ 0, z ≥ 0, sᵀ z = 0 [Lemke 1965], with for each row

    HELD        its impulse, which is pivoted into the basis first and stays there
    BOUNDED     P = l + z,  s = w;  with two bounds  s = w + v  and  v ⟂ u − P
    PYRAMID     P = β₊ − β₋,  s = ±w + λ  and  λ ⟂ μ P_n − β₊ − β₋                       [Stewart Trinkle 1996]
    CONE        P = Σ β_k d_k in SIDES directions d_k,  s_k = d_k·w + λ  and  λ ⟂ μ P_n − Σ β_k

The matrix is copositive, so that Lemke ends at a solution or on a ray. Ties are broken lexicographically, so that it
does not cycle. Rows are scaled to a diagonal of 1. The impulses are found once more by a linear solution with the modes
of the last basis, which takes the rounding of many pivots away; of a cone, whose polygon is only near it, by rounds.
The leader of friction must not have a negative impulse here.
Validated by: tests/solvers/test_bounded_rows.py
"""

import math

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.solvers.bounded_rounds import FREE, LOWER, SECTORS, UPPER, iterate
from knuckleboom.solvers.bounded_rows import BOUNDED, CONE, CONE_SIDE, HELD, PYRAMID, prepare, respond, unsettled

SIDES = 8
PIVOTS_PER_ROW = 20
"""Most pivots, over the rows of the tableau."""

SMALL, ROUNDING = 1e-11, 1e-13
"""Size of an entry that counts as zero, where diagonals are 1; the same over the largest of its column."""

CLOSE, NEAR = 1e-10, 1e-7
"""Difference of ratios that counts as none; the same for the covering variable, which ends the path."""

ROUNDS = 12
"""Rounds after the pivots."""

# rows of bounded.variable: what is basic in each row, nonbasic in each column, the row that each variable belongs to
BASIC, NONBASIC, OWNER = 0, 1, 2

# rows of bounded.value
SIZE, FIRST, WEIGHT = 2, 3, 4


@kernel
def holds(i, bounded):
    """Has row i no bound?"""
    free = bounded.lower[i] == -math.inf and bounded.upper[i] == math.inf
    return bounded.kind[i] == HELD or (bounded.kind[i] == BOUNDED and free)


@kernel
def place_variables(count, bounded):
    """Count the variables, with the first one of each row, and scale the rows. Return the number. Writes bounded."""
    size, first, owner = bounded.value[SIZE], bounded.value[FIRST], bounded.variable[OWNER]
    total = 0
    for i in range(count):
        size[i] = math.sqrt(1.0 / bounded.A[i, i]) if bounded.A[i, i] > 0.0 else 1.0
        kind, many = bounded.kind[i], 1
        if kind == BOUNDED and bounded.lower[i] > -math.inf and bounded.upper[i] < math.inf:
            many = 2
        elif kind == PYRAMID:
            many = 2 + 1
        elif kind == CONE:
            many = SIDES + 1
        elif kind == CONE_SIDE:
            many = 0
            size[i] = size[i - 1] = min(size[i], size[i - 1])
        first[i] = total
        for k in range(total, total + many):
            owner[k] = i
        total += many
    return total


@kernel
def share(k, axis, bounded):
    """How much of the impulse of its row (axis 0) or of the next one (axis 1) variable k is; a multiplier has none."""
    i = bounded.variable[OWNER, k]
    kind, place, size = bounded.kind[i], k - int(bounded.value[FIRST, i]), bounded.value[SIZE, i]
    if kind == CONE:
        if place == SIDES:
            return 0.0
        angle = 2.0 * math.pi * place / SIDES
        return size * (math.cos(angle) if axis == 0 else math.sin(angle))
    if axis == 1:
        return 0.0
    if kind == PYRAMID:
        return size if place == 0 else (-size if place == 1 else 0.0)
    if place == 1:
        return 0.0
    return -size if bounded.lower[i] == -math.inf and not holds(i, bounded) else size


@kernel
def at_start(i, bounded):
    """Impulse of row i where its variables are zero."""
    if bounded.kind[i] != BOUNDED or holds(i, bounded):
        return 0.0
    return bounded.lower[i] if bounded.lower[i] > -math.inf else bounded.upper[i]


@kernel
def is_multiplier(k, bounded):
    """Is variable k the one of a bound, λ or v?"""
    i = bounded.variable[OWNER, k]
    place, kind = k - int(bounded.value[FIRST, i]), bounded.kind[i]
    return place == (SIDES if kind == CONE else 2 if kind == PYRAMID else 1)


@shared_kernel
def fill_tableau(count, m, bounded):
    """Basic variables as functions of the others: columns z, then the covering variable, then 1. Writes bounded."""
    T, owner, A, size = bounded.tableau, bounded.variable[OWNER], bounded.A, bounded.value[SIZE]
    for k in range(m):
        i = owner[k]
        for c in range(m + 2):
            T[k, c] = 0.0
        T[k, m] = 0.0 if holds(i, bounded) else 1.0
        bounded.variable[BASIC, k], bounded.variable[NONBASIC, k] = m + k, k
        if is_multiplier(k, bounded):
            continue
        pair = 2 if bounded.kind[i] == CONE else 1
        for axis in range(pair):
            row, own = i + axis, share(k, axis, bounded)
            constant = bounded.b[row]
            for j in range(count):
                constant += A[row, j] * at_start(j, bounded)
            T[k, m + 1] += own * constant
            for c in range(m):
                if not is_multiplier(c, bounded):
                    j, total = owner[c], A[row, owner[c]] * share(c, 0, bounded)
                    if bounded.kind[j] == CONE:
                        total += A[row, j + 1] * share(c, 1, bounded)
                    T[k, c] += own * total
    bounded.variable[NONBASIC, m] = 2 * m

    for k in range(m):
        if not is_multiplier(k, bounded):
            continue
        i, first = owner[k], int(bounded.value[FIRST, owner[k]])
        for c in range(first, k):
            T[c, k] = 1.0
            T[k, c] = -1.0
        if bounded.kind[i] == BOUNDED:
            T[k, m + 1] = (bounded.upper[i] - bounded.lower[i]) / size[i]
            continue
        mu = bounded.friction[i] / size[i]
        for leader in range(bounded.leader[i], bounded.leader[i] + bounded.more[i] + 1):
            T[k, m + 1] += mu * at_start(leader, bounded)
            T[k, int(bounded.value[FIRST, leader])] = mu * share(int(bounded.value[FIRST, leader]), 0, bounded)


@kernel
def exchange(r, c, m, bounded):
    """Make the basic variable of row r nonbasic and that of column c basic. Writes bounded."""
    T, basic, nonbasic = bounded.tableau, bounded.variable[BASIC], bounded.variable[NONBASIC]
    inverse = 1.0 / T[r, c]
    T[r, c] = -1.0
    for j in range(m + 2):
        T[r, j] *= -inverse
    for i in range(m):
        if i != r:
            entry = T[i, c]
            if entry != 0.0:
                T[i, c] = 0.0
                for j in range(m + 2):
                    T[i, j] += entry * T[r, j]
    basic[r], nonbasic[c] = nonbasic[c], basic[r]


@kernel
def hold_rows(m, bounded):
    """Pivot the impulses of rows without a bound into the basis, but for redundant ones. Writes bounded."""
    T, largest = bounded.tableau, 0.0
    for k in range(m):
        largest = max(largest, abs(T[k, m + 1]))
    for k in range(m):
        if holds(bounded.variable[OWNER, k], bounded) and T[k, k] > SMALL:
            exchange(k, k, m, bounded)
    # what rounding left of rates that held rows make zero
    for k in range(m):
        if abs(T[k, m + 1]) <= ROUNDING * largest:
            T[k, m + 1] = 0.0


@kernel
def place_of(variable, m, bounded):
    """Column of a nonbasic variable, or m + 1."""
    for c in range(m + 1):
        if bounded.variable[NONBASIC, c] == variable:
            return c
    return m + 1


@kernel
def precedes(r, best, column, m, bounded):
    """Is row r before row `best` in lexicographic order, of the columns of the first basis over that of the pivot?"""
    T, basic, owner = bounded.tableau, bounded.variable[BASIC], bounded.variable[OWNER]
    for k in range(m):
        if holds(owner[k], bounded):
            continue
        c = place_of(m + k, m, bounded)
        if c <= m:
            one, other = -T[r, c], -T[best, c]
        else:
            one = 1.0 if basic[r] == m + k else 0.0
            other = 1.0 if basic[best] == m + k else 0.0
        one /= -T[r, column]
        other /= -T[best, column]
        if abs(one - other) > CLOSE * (abs(one) + abs(other)):
            return one < other
    return False


@kernel
def leaving_row(column, m, bounded):
    """Row whose basic variable becomes zero first when that of the column grows, or −1 on a ray."""
    T, basic, owner = bounded.tableau, bounded.variable[BASIC], bounded.variable[OWNER]
    largest = 0.0
    for r in range(m):
        largest = max(largest, abs(T[r, column]))
    best, least, covering = -1, math.inf, -1
    for r in range(m):
        if holds(owner[r], bounded) or not T[r, column] < -max(SMALL, ROUNDING * largest):
            continue
        ratio = max(T[r, m + 1], 0.0) / -T[r, column]
        margin = CLOSE * (abs(ratio) + abs(least)) if best >= 0 else 0.0
        if best < 0 or ratio < least - margin:
            best, least = r, ratio
        elif ratio <= least + margin and precedes(r, best, column, m, bounded):
            best, least = r, min(ratio, least)
        if basic[r] == 2 * m:
            covering = r
    # the covering variable goes first: its row may be last only by the rounding of the pivots before
    if covering >= 0 and max(T[covering, m + 1], 0.0) <= -T[covering, column] * least * (1.0 + NEAR):
        return covering
    return best


@kernel
def pivot(m, bounded):
    """Lemke's path. Return −1 at a solution, or a row where it ends on a ray. Writes bounded."""
    T, basic, owner = bounded.tableau, bounded.variable[BASIC], bounded.variable[OWNER]
    first = -1
    for r in range(m):
        if not holds(owner[r], bounded) and T[r, m + 1] < 0.0 and (first < 0 or T[r, m + 1] <= T[first, m + 1]):
            first = r  # of equal ones the last is the least in lexicographic order
    if first < 0:
        return -1
    leaves = basic[first]
    exchange(first, m, m, bounded)
    for done in range(PIVOTS_PER_ROW * m):
        bounded.count[1] = done + 1
        enters = leaves - m if leaves >= m else leaves + m
        column = place_of(enters, m, bounded)
        r = leaving_row(column, m, bounded)
        if r < 0:
            return owner[enters % m]
        leaves = basic[r]
        exchange(r, column, m, bounded)
        if leaves == 2 * m:
            return -1
    return owner[leaves % m]


@kernel
def read_solution(count, m, bounded, modes):
    """Impulses and modes of the last basis. Writes bounded, modes."""
    T, basic, owner, size = bounded.tableau, bounded.variable[BASIC], bounded.variable[OWNER], bounded.value[SIZE]
    for i in range(count):
        bounded.P[i] = at_start(i, bounded)
        modes[i] = FREE
    # variables that are not basic are zero
    for k in range(m):
        i, kind = owner[k], bounded.kind[owner[k]]
        c = place_of(k, m, bounded)
        if kind == BOUNDED and not holds(i, bounded):
            if is_multiplier(k, bounded):
                modes[i] = UPPER if c > m else modes[i]
            elif c <= m:
                modes[i] = LOWER if bounded.lower[i] > -math.inf else UPPER
        elif kind in (PYRAMID, CONE) and is_multiplier(k, bounded):
            modes[i] = 1 if c > m else 0
    for r in range(m):
        if basic[r] < m:
            k = basic[r]
            i = owner[k]
            bounded.P[i] += share(k, 0, bounded) * T[r, m + 1]
            if bounded.kind[i] == CONE:
                bounded.P[i + 1] += share(k, 1, bounded) * T[r, m + 1]
    respond(count, bounded)
    for i in range(count):
        if modes[i] == 0 or bounded.kind[i] not in (PYRAMID, CONE):
            continue
        if bounded.kind[i] == PYRAMID:
            modes[i] = UPPER if bounded.P[i] - size[i] * size[i] * bounded.w[i] > 0.0 else LOWER
        else:
            x = bounded.P[i] - size[i] * size[i] * bounded.w[i]
            y = bounded.P[i + 1] - size[i] * size[i] * bounded.w[i + 1]
            modes[i] = 1 + round(math.atan2(y, x) / (2.0 * math.pi) * SECTORS) % SECTORS


@shared_kernel
def settle(count, bounded, modes):
    """Pivots, then a few rounds. Return −1, or the row that would not settle. Writes bounded, modes."""
    m = place_variables(count, bounded)
    fill_tableau(count, m, bounded)
    hold_rows(m, bounded)
    pivot(m, bounded)
    read_solution(count, m, bounded, modes)
    row = unsettled(count, bounded)
    return iterate(count, ROUNDS, ROUNDS, bounded, modes) if row >= 0 else row


@kernel
def solve(count, bounded, modes):
    """Find P and w of the first `count` rows. Return −1, or the row that would not settle. Writes bounded, modes."""
    prepare(count, bounded)
    return settle(count, bounded, modes)
