# SPDX-License-Identifier: BSD-3-Clause
"""Bounded rows by an active set: rounds from the modes of the step before, and other solvers where they would not end.

At first all rows are revised at once, after ALL_AT_ONCE rounds the first wrong one only (least index), which ends
cycles of problems without friction and with a positive definite A [Murty 1974]. A problem that still changes after
ROUNDS is one for lemke.py. With cones that only begins the rounds anew, near a solution; where these do not settle
either, compliances that shrink from problem to problem lead there, and at last the sweeps of projected.py.

See bounded_rows.py for the problem and bounded_rounds.py for the modes, which come in from the step before and go out
for the next; all zero is a cold start.
Validated by: tests/solvers/test_bounded_rows.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.solvers import lemke, projected
from knuckleboom.solvers.bounded_rounds import iterate
from knuckleboom.solvers.bounded_rows import CONE, prepare

ALL_AT_ONCE, ROUNDS = 20, 40
"""Rounds in which all rows are revised, and rounds altogether."""

SOFT, STIFFER, HARD = 0.1, 0.3, 1e-7
"""Compliance over the diagonal in the first problem, over that of the last one, and of the last."""

DIAGONAL = 9
"""Row of bounded.value."""


@kernel
def has_cones(count, bounded):
    """Is a row of friction a cone?"""
    cones = 0
    for i in range(count):
        cones += bounded.kind[i] == CONE
    return cones > 0


@kernel
def harden(count, bounded, modes):
    """Solve with large compliances, then from there with smaller and smaller ones. Return −1, or the row that would not
    settle. Writes bounded, modes.
    """
    diagonal, softness = bounded.value[DIAGONAL], SOFT
    for i in range(count):
        diagonal[i] = bounded.A[i, i]
        modes[i] = 0
    while softness > HARD:
        for i in range(count):
            bounded.A[i, i] = (1.0 + softness) * diagonal[i]
        iterate(count, ROUNDS, ROUNDS, bounded, modes)
        softness *= STIFFER
    for i in range(count):
        bounded.A[i, i] = diagonal[i]
    return iterate(count, ROUNDS, ROUNDS, bounded, modes)


@kernel
def solve(count, bounded, modes):
    """Find P and w of the first `count` rows. Return −1, or the row that would not settle. Writes bounded, modes."""
    prepare(count, bounded)
    row = iterate(count, ROUNDS, ALL_AT_ONCE, bounded, modes)
    if row >= 0:
        row = lemke.settle(count, bounded, modes)
    if row >= 0 and has_cones(count, bounded):
        row = harden(count, bounded, modes)
        if row >= 0 and projected.solve(count, bounded, modes) >= 0:
            row = iterate(count, ROUNDS, ROUNDS, bounded, modes)
        elif row >= 0:
            row = -1
    return row
