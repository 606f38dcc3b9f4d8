# SPDX-License-Identifier: BSD-3-Clause
"""Bounded rows by projected Gauss-Seidel: row by row, the impulse that makes its rate zero, moved into its bounds.

    P_i ← project(P_i − ω w_i/A_ii)          a pair of a cone: both by the larger eigenvalue of its block, to the disc

It is the iteration P = prox(P − r w) of augmented Lagrangians with the latest impulses in it [Pfeiffer 2006]. It has no
factor and no modes that could cycle, and takes redundant rows as they are. It settles by a constant factor a sweep,
which is near 1 where rows share much of the mass they move and have little compliance: problems that are badly
conditioned are left unsettled after SWEEPS. Cold start; the modes go out only. See bounded_rows.py for the problem.
Validated by: tests/solvers/test_bounded_rows.py
"""

import math

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.solvers.bounded_rounds import FREE, LOWER, UPPER, write_modes
from knuckleboom.solvers.bounded_rows import (
    BOUNDED,
    CONE,
    CONE_SIDE,
    HELD,
    PYRAMID,
    allowance,
    most,
    prepare,
    respond,
    unsettled,
)

SWEEPS = 20000
"""Most sweeps."""

BETWEEN = 8
"""Sweeps between looks at what is unsettled."""

RELAXATION, DAMPING = 1.3, 0.8
"""ω at first, and by what it is multiplied after each tenth of the sweeps: friction may cycle with a large one."""

DISC = 2
"""Row of bounded.value: step of pairs."""


@kernel
def add(i, change, count, bounded):
    """Change impulse i, and all rates with it. Writes bounded."""
    bounded.P[i] += change
    for k in range(count):
        bounded.w[k] += bounded.A[k, i] * change


@kernel
def add_to_pair(i, count, relaxation, bounded):
    """Move a pair against its rates and into its disc. Writes bounded."""
    P, w, bound, r = bounded.P, bounded.w, most(i, bounded), relaxation * bounded.value[DISC, i]
    x, y = P[i] - r * w[i], P[i + 1] - r * w[i + 1]
    size = math.hypot(x, y)
    share = 1.0 if size <= bound else bound / size
    along, across = share * x - P[i], share * y - P[i + 1]
    add(i, along, count, bounded)
    add(i + 1, across, count, bounded)


@shared_kernel
def sweep(count, relaxation, bounded):
    """One sweep over all rows. Writes bounded."""
    P, w = bounded.P, bounded.w
    for i in range(count):
        kind, diagonal = bounded.kind[i], bounded.A[i, i]
        if kind == CONE:
            add_to_pair(i, count, relaxation, bounded)
        if kind in (CONE, CONE_SIDE) or not diagonal > 0.0:
            continue
        low, high = bounded.lower[i], bounded.upper[i]
        if kind == HELD:
            low, high = -math.inf, math.inf
        elif kind == PYRAMID:
            high = most(i, bounded)
            low = -high
        add(i, min(max(P[i] - relaxation * w[i] / diagonal, low), high) - P[i], count, bounded)


@kernel
def begin(count, bounded):
    """Impulses as near to zero as bounds allow, and the steps of pairs. Writes bounded."""
    A = bounded.A
    for i in range(count):
        bounded.P[i] = 0.0
        if bounded.kind[i] == BOUNDED:
            bounded.P[i] = min(max(0.0, bounded.lower[i]), bounded.upper[i])
        if bounded.kind[i] == CONE:
            half = 0.5 * (A[i, i] - A[i + 1, i + 1])
            largest = 0.5 * (A[i, i] + A[i + 1, i + 1]) + math.hypot(half, A[i, i + 1])
            bounded.value[DISC, i] = 1.0 / largest if largest > 0.0 else 1.0


@kernel
def read_modes(count, bounded, modes):
    """Modes of the impulses. Writes modes."""
    for i in range(count):
        kind, slack = bounded.kind[i], allowance(i, bounded)
        low, high = bounded.lower[i], bounded.upper[i]
        modes[i] = FREE
        if kind in (HELD, CONE_SIDE):
            continue
        if kind == CONE:
            modes[i] = 1 if math.hypot(bounded.P[i], bounded.P[i + 1]) >= most(i, bounded) - slack else 0
            continue
        if kind == PYRAMID:
            high = most(i, bounded)
            low = -high
        if bounded.P[i] <= low + slack and bounded.w[i] >= 0.0:
            modes[i] = LOWER
        elif bounded.P[i] >= high - slack and bounded.w[i] <= 0.0:
            modes[i] = UPPER
    write_modes(count, bounded, modes)


@shared_kernel
def solve(count, bounded, modes):
    """Find P and w of the first `count` rows. Return −1, or the row that would not settle. Writes bounded, modes."""
    prepare(count, bounded)
    begin(count, bounded)
    row, relaxation = -1, RELAXATION
    tenth = SWEEPS // 10  # as DAMPING says
    for done in range(0, SWEEPS, BETWEEN):
        respond(count, bounded)
        row = unsettled(count, bounded)
        bounded.count[0] = done
        if row < 0 or not abs(bounded.w[row]) < math.inf:
            break
        for _ in range(BETWEEN):
            sweep(count, relaxation, bounded)
        if done % tenth == tenth - BETWEEN:
            relaxation *= DAMPING
    read_modes(count, bounded, modes)
    return row
