# SPDX-License-Identifier: BSD-3-Clause
"""A gear between joint coordinates: s = q_b − ratio·q_a − offset, w = v_b − ratio·v_a. No wrench.

Gears, and driven coordinates: the same coordinate twice and ratio 0. Index: q of a, q of b, v of a, v of b.
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import HELD, VELOCITIES, Index, RowKind, Terms
from knuckleboom.mechanics.rows.geometry import OFFSET, RATIO, ROW_A, ROW_B, ROW_C, ROW_D

ROW = RowKind(HELD, VELOCITIES, columns=("ratio", "offset"), unit="rad")


@kernel
def position(r, index, number, q, s):
    """s. Writes s."""
    s[r] = q[index[r, ROW_B]] - number[r, RATIO] * q[index[r, ROW_A]] - number[r, OFFSET]


@kernel
def velocity(r, index, number, v, w, bias):
    """w; A is constant. Writes w, bias."""
    w[r] = v[index[r, ROW_D]] - number[r, RATIO] * v[index[r, ROW_C]]
    bias[r] = 0.0


@kernel
def accelerate(r, index, number, a, bias):
    """Add A a to the bias. Writes bias."""
    bias[r] += a[index[r, ROW_D]] - number[r, RATIO] * a[index[r, ROW_C]]


def touched(index: Index, given: Terms) -> list[tuple[int, float]]:
    """Velocities with their coefficients."""
    qa, qb, va, vb = index
    return [(vb, 1.0)] if qa == qb else [(va, -float(given["ratio"])), (vb, 1.0)]
