# SPDX-License-Identifier: BSD-3-Clause
"""Rounds of bounded rows: solve for the impulses with given modes, revise the modes, repeat until nothing is wrong.

Each round is a linear solution. Rows without a bound are factored as L D Lᵀ; a redundant row gets a least pivot, so
that it takes no impulse where it agrees with the others and a very large one, which drives rows to their bounds, where
it does not. What slides has the impulse ±μ P_n; by the factor that leaves one unknown for each such leader n. A pair of
a cone that slips is turned into the direction d of its impulse and the direction e across, and

    P_d = μ P_n,     w_e + (s/μ P_n) P_e = 0,     s = −w_d                     Newton's step for the angle of d

so that a slip is a compliance, and the matrix stays symmetric; in the round in which it begins to slip P_e = 0.

LOWER, FREE and UPPER say which bound a BOUNDED or PYRAMID row is at; of a CONE 0 sticks and k ≥ 1 slips with an impulse
in the direction (k − 1)/SECTORS of a turn. Modes of HELD and CONE_SIDE have no meaning.
Validated by: tests/solvers/test_bounded_rows.py
"""

import math

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.solvers import pivoted_lu
from knuckleboom.solvers.bounded_rows import (
    BOUNDED,
    CONE,
    CONE_SIDE,
    HELD,
    PYRAMID,
    STEP,
    allowance,
    load,
    most,
    respond,
    unsettled,
)

LOWER, FREE, UPPER = -1, 0, 1
SECTORS = 1 << 20

REDUNDANT, LIFTED = 1e-11, 1e-8
"""Pivot below which a row is redundant, and what it becomes, over its diagonal."""

# rows of bounded.value (0 and 1 belong to bounded_rows.py) and of bounded.place
COSINE, SINE, SLIP, SHARE, FREE_RATE, SOLUTION, RIGHT = 2, 3, 4, 5, 6, 7, 8
ROW, POSITION, LEADING, LAST = 0, 1, 2, 3


@kernel
def turn(i, count, bounded):
    """Turn pair i, i + 1 of the matrix and of the free rates into the direction in which it slips. Writes bounded."""
    c, sine, j = bounded.value[COSINE, i], bounded.value[SINE, i], i + 1
    matrix, free_rate = bounded.matrix, bounded.value[FREE_RATE]
    for k in range(count):
        matrix[i, k], matrix[j, k] = c * matrix[i, k] + sine * matrix[j, k], c * matrix[j, k] - sine * matrix[i, k]
    for k in range(count):
        matrix[k, i], matrix[k, j] = c * matrix[k, i] + sine * matrix[k, j], c * matrix[k, j] - sine * matrix[k, i]
    free_rate[i], free_rate[j] = c * free_rate[i] + sine * free_rate[j], c * free_rate[j] - sine * free_rate[i]


@kernel
def turn_back(count, modes, bounded):
    """P of the pairs that slip in their own directions again. Writes bounded."""
    for i in range(count):
        if bounded.kind[i] == CONE and modes[i] != 0:
            c, s, along, across = bounded.value[COSINE, i], bounded.value[SINE, i], bounded.P[i], bounded.P[i + 1]
            bounded.P[i], bounded.P[i + 1] = c * along - s * across, s * along + c * across


@kernel
def at_bound(i, mode, bounded):
    """Impulse of a BOUNDED row at its bound."""
    return bounded.lower[i] if mode == LOWER else bounded.upper[i]


@kernel
def set_free(i, free, bounded):
    """Note that row i has no bound. Return how many there are. Writes bounded."""
    bounded.place[ROW, free] = i
    bounded.place[POSITION, i] = free
    return free + 1


@kernel
def is_coupled(i, bounded):
    """Whether a leader of a row of friction is free."""
    first, found = bounded.leader[i], False
    for k in range(first, first + bounded.more[i] + 1):
        found = found or bounded.place[POSITION, k] >= 0
    return found


@kernel
def place_friction(i, modes, free, bounded):
    """Say what row i of friction is in this round. Return how many rows are free. Writes bounded."""
    P, share, kind, j = bounded.P, bounded.value[SHARE], bounded.kind[i], i + 1
    coupled = is_coupled(i, bounded)
    before = most(i, bounded)  # of the round before, where the leader is free
    slides = modes[i] != 0
    if not coupled and before == 0.0:
        P[i] = 0.0
        if kind == CONE:
            P[j] = 0.0
        return free
    if not slides:
        free = set_free(i, free, bounded)
        return set_free(j, free, bounded) if kind == CONE else free
    side = -1.0 if kind == PYRAMID and modes[i] == LOWER else 1.0
    P[i] = side * before
    if coupled:
        share[i] = side * bounded.friction[i]
    if kind == CONE:
        P[j] = 0.0
        if bounded.value[SLIP, i] > 0.0 and before > 0.0:
            bounded.matrix[j, j] += bounded.value[SLIP, i] / before
            return set_free(j, free, bounded)
    return free


@shared_kernel
def place_rows(count, modes, bounded):
    """Sort rows into free ones, fixed ones and those that slide with a leader. Return the number of free ones. Writes
    bounded.
    """
    kind, P, matrix, free_rate = bounded.kind, bounded.P, bounded.matrix, bounded.value[FREE_RATE]
    for i in range(count):
        for j in range(count):
            matrix[i, j] = bounded.A[i, j]
        free_rate[i] = bounded.b[i]
        bounded.place[POSITION, i] = -1
        bounded.value[SHARE, i] = 0.0
    for i in range(count):
        if kind[i] == CONE and modes[i] != 0:
            turn(i, count, bounded)

    free = 0
    for i in range(count):
        if kind[i] == HELD or (kind[i] == BOUNDED and modes[i] == FREE):
            free = set_free(i, free, bounded)
        elif kind[i] == BOUNDED:
            P[i] = at_bound(i, modes[i], bounded)
    for i in range(count):
        if kind[i] in (PYRAMID, CONE):
            free = place_friction(i, modes, free, bounded)
    return free


@kernel
def factor(n, bounded):
    """L D Lᵀ of the free rows, L below the diagonal and D on it; redundant rows get a least pivot. Writes bounded."""
    row, matrix, L = bounded.place[ROW], bounded.matrix, bounded.factor
    for i in range(n):
        for j in range(i + 1):
            L[i, j] = matrix[row[i], row[j]]
        for j in range(i):
            total = L[i, j]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            L[i, j] = total  # L D of this row until its end
        pivot = whole = L[i, i]
        for j in range(i):
            scaled = L[i, j] / L[j, j]
            pivot -= scaled * L[i, j]
            L[i, j] = scaled
        if not pivot > REDUNDANT * whole:
            pivot = LIFTED * whole if whole > 0.0 else 1.0
        L[i, i] = pivot


@kernel
def back_solve(n, L, x):
    """Solve with the factor in place. Writes x."""
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= L[i, k] * x[k]
        x[i] = total
    for i in range(n):
        x[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        value = x[i]
        for k in range(i):
            x[k] -= L[i, k] * value


@shared_kernel
def find_impulses(count, n, bounded):
    """Solve for the impulses of n free rows, with what slides. Return −1 or a leader without a solution. Writes
    bounded.
    """
    row, position, leading = bounded.place[ROW], bounded.place[POSITION], bounded.place[LEADING]
    share, x, small, column = bounded.value[SHARE], bounded.value[SOLUTION], bounded.small, bounded.column
    matrix, P, right = bounded.matrix, bounded.P, bounded.value[RIGHT]
    factor(n, bounded)
    for a in range(n):
        total = -bounded.value[FREE_RATE, row[a]]
        for j in range(count):
            if position[j] < 0 and share[j] == 0.0:
                total -= matrix[row[a], j] * P[j]
        x[a] = total
    back_solve(n, bounded.factor, x)

    # what an impulse of leaders does to the free rows by what slides with them
    leaders = 0
    for i in range(count):
        if share[i] != 0.0:
            leader, known = bounded.leader[i], -1
            for k in range(leaders):
                if leading[k] == leader:
                    known = k
            if known < 0:
                known = leaders
                leading[known] = leader
                bounded.place[LAST, known] = leader + bounded.more[i]
                leaders += 1
                for a in range(n):
                    column[known, a] = 0.0
            for a in range(n):
                column[known, a] += share[i] * matrix[row[a], i]
    for k in range(leaders):
        back_solve(n, bounded.factor, column[k])

    # (1 + leaders' rows of these columns) P_n = leaders' rows of the solution without them
    for k in range(leaders):
        for m in range(leaders):
            small[k, m] = 1.0 if k == m else 0.0
        right[k] = 0.0
        for i in range(leading[k], bounded.place[LAST, k] + 1):
            if position[i] < 0:
                right[k] += P[i]
                continue
            for m in range(leaders):
                small[k, m] += column[m, position[i]]
            right[k] += x[position[i]]
    bad = pivoted_lu.solve(leaders, small, right)
    if bad >= 0:
        return leading[bad]
    for k in range(leaders):
        for a in range(n):
            x[a] -= column[k, a] * right[k]
    for a in range(n):
        P[row[a]] = x[a]
    for i in range(count):
        if share[i] != 0.0:
            P[i] = share[i] * load(i, bounded)
    return -1


@kernel
def revised(i, mode, bounded):
    """Mode of a BOUNDED or PYRAMID row by its impulse and rate; it is kept where it is on the edge."""
    P, w, r, slack = bounded.P[i], bounded.w[i], bounded.value[STEP, i], allowance(i, bounded)
    low, high = bounded.lower[i], bounded.upper[i]
    if bounded.kind[i] == PYRAMID:
        high = most(i, bounded)
        low = -high
        if high == 0.0:
            P = 0.0
    trial = P - r * w
    if trial < low + (slack if mode == LOWER else -slack):
        return LOWER
    if trial > high - (slack if mode == UPPER else -slack):
        return UPPER
    return FREE


@kernel
def revise_cone(i, may_change, modes, bounded):
    """Let a pair stick, begin to slip, or slip in a better direction. Return how many of these it did. Writes modes,
    bounded.
    """
    j, bound, r = i + 1, most(i, bounded), bounded.value[STEP, i]
    c, s, slip = bounded.value[COSINE], bounded.value[SINE], bounded.value[SLIP]
    x, y = bounded.P[i] if bound > 0.0 else 0.0, bounded.P[j] if bound > 0.0 else 0.0
    if modes[i] != 0:
        speed = -(c[i] * bounded.w[i] + s[i] * bounded.w[j])
        if speed > 0.0 and bound > 0.0:
            size = math.hypot(x, y)
            moved = abs(c[i] * y - s[i] * x) / size
            fresh = not slip[i] > 0.0
            c[i], s[i], slip[i] = x / size, y / size, speed
            return 1 if fresh or moved > 0.0 else 0
    x -= r * bounded.w[i]
    y -= r * bounded.w[j]
    size = math.hypot(x, y)
    slips = size > bound + (allowance(i, bounded) if modes[i] == 0 else 0.0)
    if slips == (modes[i] != 0) and (not slips or bound == 0.0):
        if slips:
            c[i], s[i] = x / size, y / size
        return 0
    if not may_change:
        return 0
    modes[i] = 1 if slips else 0
    slip[i] = 0.0
    if slips:
        c[i], s[i] = x / size, y / size
    return 1


@shared_kernel
def revise(count, only_one, modes, bounded):
    """Revise the modes, or only the first wrong one. Return how many changed. Writes modes, bounded."""
    changes = 0
    for i in range(count):
        may_change = not only_one or changes == 0
        kind = bounded.kind[i]
        if kind == CONE:
            changes += revise_cone(i, may_change, modes, bounded)
        elif kind in (BOUNDED, PYRAMID):
            mode = revised(i, modes[i], bounded)
            if mode != modes[i] and may_change:
                modes[i] = mode
                changes += 1
    return changes


@kernel
def read_modes(count, modes, bounded):
    """Directions of what slipped in the step before. Writes bounded, modes."""
    for i in range(count):
        bounded.P[i] = 0.0
        bounded.value[SLIP, i] = 0.0
        if bounded.kind[i] == CONE and modes[i] != 0:
            angle = 2.0 * math.pi * (modes[i] - 1) / SECTORS
            bounded.value[COSINE, i], bounded.value[SINE, i] = math.cos(angle), math.sin(angle)
        elif bounded.kind[i] in (HELD, CONE_SIDE):
            modes[i] = 0


@kernel
def write_modes(count, bounded, modes):
    """Modes for the next step: where a leader carries nothing, friction would act against the rate. Writes modes."""
    for i in range(count):
        kind, P, w = bounded.kind[i], bounded.P, bounded.w
        if kind == PYRAMID and most(i, bounded) == 0.0:
            modes[i] = LOWER if w[i] > 0.0 else UPPER if w[i] < 0.0 else FREE
        elif kind == CONE:
            x, y = P[i], P[i + 1]
            if most(i, bounded) == 0.0:
                x, y = -w[i], -w[i + 1]
                modes[i] = 1 if abs(x) + abs(y) > 0.0 else 0
            if modes[i] != 0:
                modes[i] = 1 + round(math.atan2(y, x) / (2.0 * math.pi) * SECTORS) % SECTORS


@shared_kernel
def iterate(count, rounds, all_at_once, bounded, modes):
    """Find P and w of the first `count` rows. Return −1, or the row that would not settle. Writes bounded, modes.

    At first all rows are revised at once, after `all_at_once` rounds the first wrong one only.
    """
    read_modes(count, modes, bounded)
    row = -1
    for done in range(rounds):
        n = place_rows(count, modes, bounded)
        row = find_impulses(count, n, bounded)
        turn_back(count, modes, bounded)
        bounded.count[0] += 1
        if row >= 0:
            return row
        respond(count, bounded)
        row = unsettled(count, bounded)
        if row < 0:
            write_modes(count, bounded, modes)
            return row
        if revise(count, done >= all_at_once, modes, bounded) == 0:
            return row
    return row
