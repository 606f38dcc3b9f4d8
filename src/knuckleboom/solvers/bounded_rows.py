# SPDX-License-Identifier: BSD-3-Clause
"""Rows whose impulses are bounded: a mixed complementarity problem in the space of rows.

Find impulses P with the rates w = A P + b, where A = W M⁻¹ Wᵀ and compliances on its diagonal are symmetric and
positive semidefinite. What w and P must fulfil depends on the kind of row:

    HELD        w = 0                                                    loops, drivers, joints
    BOUNDED     l ≤ P ≤ u;  w ≥ 0 where P = l,  w ≤ 0 where P = u,       contacts, end stops, dry friction
                w = 0 between;  a bound may be infinite
    PYRAMID     the same with the bounds ±μ P_n of its leader n          friction, each direction on its own
    CONE        this row and the next, CONE_SIDE, are a pair: |P| ≤ μ P_n, w = 0 inside, P against w on the rim

The leader is a HELD or BOUNDED row, or several BOUNDED ones one after the other, whose impulses are summed: the points
of a patch. Where that is negative the bound is 0. Friction couples P with its own
bounds: the problem is not that of a least energy, may have several solutions, and none where it jams [Stewart 2000].

Solvers are active_set.py, lemke.py and projected.py. All take the number of rows that count and the family `bounded`
(bounded_fields.py), and return −1 or the row that would not settle. Tolerances are relative to the terms of each row,
so that rows in rad and in m go together.
Validated by: tests/solvers/test_bounded_rows.py
"""

import math

from knuckleboom.kernels import kernel

HELD, BOUNDED, PYRAMID, CONE, CONE_SIDE = 0, 1, 2, 3, 4
"""Kinds of rows."""

TABLEAU_ROWS = (1, 2, 3, 9, 0)
"""Rows of Lemke's tableau that each kind needs at most."""

TOLERANCE = 1e-11
"""Largest residual of a row, over the sum of the sizes of the terms of its rate."""

STEP, SCALE = 0, 1
"""Rows of bounded.value that all solvers share: 1/A of a row, size of the terms of its rate."""


@kernel
def prepare(count, bounded):
    """Fill the steps by which residuals of rates become impulses, and begin to count. Writes bounded."""
    bounded.count[0] = bounded.count[1] = 0
    step = bounded.value[STEP]
    for i in range(count):
        step[i] = 1.0 / bounded.A[i, i] if bounded.A[i, i] > 0.0 else 1.0
    for i in range(count):
        if bounded.kind[i] == CONE:
            step[i] = min(step[i], step[i + 1])
            step[i + 1] = step[i]


@kernel
def respond(count, bounded):
    """w = A P + b, and the sizes of its terms. Writes bounded."""
    scale = bounded.value[SCALE]
    for i in range(count):
        total, size = bounded.b[i], abs(bounded.b[i])
        for j in range(count):
            term = bounded.A[i, j] * bounded.P[j]
            total += term
            size += abs(term)
        bounded.w[i] = total
        scale[i] = size


@kernel
def load(i, bounded):
    """Impulse of the leaders of a row of friction together."""
    total, first = 0.0, bounded.leader[i]
    for k in range(first, first + bounded.more[i] + 1):
        total += bounded.P[k]
    return total


@kernel
def most(i, bounded):
    """Largest impulse of a row of friction."""
    return bounded.friction[i] * max(load(i, bounded), 0.0)


@kernel
def residual(i, bounded):
    """By how much row i (of a cone, the pair) misses its condition, as an impulse: P − project(P − r w)."""
    P, w, kind, r = bounded.P[i], bounded.w[i], bounded.kind[i], bounded.value[STEP, i]
    if kind == HELD:
        return abs(r * w)
    if kind == BOUNDED:
        return abs(P - min(max(P - r * w, bounded.lower[i]), bounded.upper[i]))
    if kind == CONE_SIDE:
        return 0.0
    bound = most(i, bounded)
    if kind != CONE:
        return abs(P - min(max(P - r * w, -bound), bound))
    x, y = P - r * w, bounded.P[i + 1] - r * bounded.w[i + 1]
    size = math.hypot(x, y)
    share = 1.0 if size <= bound else bound / size
    return math.hypot(P - share * x, bounded.P[i + 1] - share * y)


@kernel
def allowance(i, bounded):
    """Residual that row i may have, as an impulse."""
    scale = bounded.value[SCALE, i]
    if bounded.kind[i] == CONE:
        scale = max(scale, bounded.value[SCALE, i + 1])
    return TOLERANCE * bounded.value[STEP, i] * scale


@kernel
def unsettled(count, bounded):
    """Return −1 where all rows fulfil their conditions, or the row that is furthest from it."""
    worst, most_over = -1, 1.0
    for i in range(count):
        missing, allowed = residual(i, bounded), allowance(i, bounded)
        if not missing + abs(bounded.w[i]) < math.inf:
            return i
        if missing <= allowed:
            continue
        over = missing / allowed if allowed > 0.0 else math.inf
        if worst < 0 or over > most_over:
            worst, most_over = i, over
    return worst
