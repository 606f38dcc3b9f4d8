# SPDX-License-Identifier: BSD-3-Clause
"""Rows with coefficients: s = Σ c_i s_i − offset, and so w and the bias. No wrench: it acts through these rows.

Gears between joints that are cut and gear stages, s_b − ratio·s_a, and held sums of n shafts or columns of oil. The
rows (Row.of) have a wrench or are coordinates; where they are volumes its value is in m³. Index: first place and end in
plan.rows.term and plan.rows.weight.
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import HELD, ROWS, RowKind
from knuckleboom.mechanics.rows.geometry import OFFSET, ROW_A, ROW_B, TERM_ROW, TERM_VELOCITY, no_wrench

ROW = RowKind(HELD, ROWS, columns=("offset",), unit="rad")


@kernel
def weighted(r, index, term, weight, values):
    """Σ c_i values_i."""
    first = index[r, ROW_A]
    total = weight[first] * values[term[first, TERM_ROW]]
    for t in range(first + 1, index[r, ROW_B]):
        total += weight[t] * values[term[t, TERM_ROW]]
    return total


@kernel
def position(r, index, number, term, weight, s, W):
    """s; W is zero. Writes s, W."""
    s[r] = weighted(r, index, term, weight, s) - number[r, OFFSET]
    no_wrench(r, W)


@kernel
def velocity(r, index, term, weight, w, bias):
    """w and the bias. Writes w, bias."""
    w[r] = weighted(r, index, term, weight, w)
    bias[r] = weighted(r, index, term, weight, bias)


@kernel
def accelerate(r, index, term, weight, a, bias):
    """Add A a of coordinates to the bias; what has a wrench moves with its links. Writes bias."""
    for t in range(index[r, ROW_A], index[r, ROW_B]):
        if term[t, TERM_VELOCITY] >= 0:
            bias[r] += weight[t] * a[term[t, TERM_VELOCITY]]
