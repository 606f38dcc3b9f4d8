# SPDX-License-Identifier: BSD-3-Clause
"""States of elements in implicit steps: each belongs to the rows of its element alone, and is eliminated there.

    δz (1 − τ ∂ż/∂z) = r + τ ∂ż/∂w δw      ⇒      ∂λ/∂w grows by ∂λ/∂z τ ∂ż/∂w/(1 − τ ∂ż/∂z)

`slopes` are rows.single and rows.block, now or at the start of the step. An element with one row and one state is
straight-line code, others are blocks, in which 1 − τ ∂ż/∂z is a small matrix. Newton has all of a block; a linearly
implicit step the symmetric part of what its own rows do to each other: a W-method keeps its order with any tangent. Own
derivation; checked against differences in tests/engine/test_theta.py
"""

import math

from knuckleboom.kernels import kernel, shared_kernel

SINGLE_ROW, SINGLE_STATE = 0, 1  # columns of plan_forces.single
ROWS, REACH, STATES, STATE, ROW_FIRST, NUMBER, FACTOR, FOLLOW, CROSS = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Columns of plan_forces.block: rows that it acts on, these and those that it reads, states; its first state; where its
rows begin in plan_forces.block_row, its slopes in rows.block, its factors and columns in tangent.factor and .follow,
its pairs of rows in plan_tangent.cross."""
BY_Z, RATE_Z, RATE_W = 0, 1, 2  # columns of rows.single: ∂λ/∂z, ∂ż/∂z, ∂ż/∂w


@kernel
def follow(tau, slopes, b):
    """How far state b follows its row: δz/δw [s]."""
    return tau * slopes[b, RATE_W] / (1.0 - tau * slopes[b, RATE_Z])


@kernel
def soften(plan_forces, plan_tangent, tau, slopes, damping):
    """Add to ∂λ/∂w of the rows with slopes what states do there. Writes damping."""
    for b in range(plan_forces.single.shape[0]):
        k = plan_tangent.stiff[plan_forces.single[b, SINGLE_ROW]]
        damping[k] += slopes[b, BY_Z] * follow(tau, slopes, b)


# --- elements with several rows or states -----------------------------------------------------------------------------


@kernel
def slopes_at(plan_forces, b):
    """Where by_s, by_w, by_z, rate_z, rate_s, rate_w of block b begin in rows.block: contract.BLOCKS."""
    block = plan_forces.block
    rows, reach, states, by_s = block[b, ROWS], block[b, REACH], block[b, STATES], block[b, NUMBER]
    by_z = by_s + 2 * rows * reach
    rate_s = by_z + rows * states + states * states
    return by_s, by_s + rows * reach, by_z, by_z + rows * states, rate_s, rate_s + states * reach


@kernel
def stiff_row(plan_forces, plan_tangent, b, place):
    """The number among rows with slopes of one of block b's rows."""
    return plan_tangent.stiff[plan_forces.block_row[plan_forces.block[b, ROW_FIRST] + place]]


@shared_kernel
def factor_block(plan_forces, tau, slopes, b, factor):
    """Factor 1 − τ ∂ż/∂z of block b, without pivots: states that fade have large ones. Writes factor."""
    n, at = plan_forces.block[b, STATES], plan_forces.block[b, FACTOR]
    _, _, _, rate_z, _, _ = slopes_at(plan_forces, b)
    for i in range(n):
        for j in range(n):
            factor[at + n * i + j] = -tau * slopes[rate_z + n * i + j]
        factor[at + n * i + i] += 1.0
    for k in range(n):
        for i in range(k + 1, n):
            share = factor[at + n * i + k] / factor[at + n * k + k]
            factor[at + n * i + k] = share
            for j in range(k + 1, n):
                factor[at + n * i + j] -= share * factor[at + n * k + j]


@shared_kernel
def solve_block(plan_forces, factor, b, first, values):
    """Solve with the factors of block b, in place of its values from `first` on. Writes values."""
    n, at = plan_forces.block[b, STATES], plan_forces.block[b, FACTOR]
    for i in range(n):
        for j in range(i):
            values[first + i] -= factor[at + n * i + j] * values[first + j]
    for step in range(n):
        i = n - 1 - step
        for j in range(i + 1, n):
            values[first + i] -= factor[at + n * i + j] * values[first + j]
        values[first + i] /= factor[at + n * i + i]


@shared_kernel
def prepare_blocks(plan_forces, tau, tau_s, slopes, factor, follow):
    """Factor all blocks, and fill how far their states follow the rows: by rates, with τ_s of what values do, and by
    values [s]. Writes factor, follow.
    """
    for b in range(plan_forces.block.shape[0]):
        reach, n, at = plan_forces.block[b, REACH], plan_forces.block[b, STATES], plan_forces.block[b, FOLLOW]
        _, _, _, _, rate_s, rate_w = slopes_at(plan_forces, b)
        factor_block(plan_forces, tau, slopes, b, factor)
        for place in range(reach):
            by_rate, by_value = at + n * place, at + n * (reach + place)
            for i in range(n):
                by_s = slopes[rate_s + reach * i + place]
                follow[by_rate + i] = tau * (slopes[rate_w + reach * i + place] + tau_s * by_s)
                follow[by_value + i] = tau * by_s
            solve_block(plan_forces, factor, b, by_rate, follow)
            solve_block(plan_forces, factor, b, by_value, follow)


@shared_kernel
def through_states(plan_forces, slopes, follow, b, row, column):
    """∂λ/∂z times how far states follow: of a row of block b by one of the columns of `follow`."""
    n, at, total = plan_forces.block[b, STATES], plan_forces.block[b, FOLLOW], 0.0
    _, _, by_z, _, _, _ = slopes_at(plan_forces, b)
    for i in range(n):
        total += slopes[by_z + n * row + i] * follow[at + n * column + i]
    return total


@shared_kernel
def soften_blocks(plan_forces, plan_tangent, slopes, follow, damping):
    """Add to ∂λ/∂w of the rows with slopes what states of blocks do there. Writes damping."""
    for b in range(plan_forces.block.shape[0]):
        for row in range(plan_forces.block[b, ROWS]):
            k = stiff_row(plan_forces, plan_tangent, b, row)
            damping[k] += through_states(plan_forces, slopes, follow, b, row, row)


@shared_kernel
def cross_rows(plan_forces, tau, slopes, follow, cross_s, cross_D):
    """What rows of a block do to each other, the symmetric part: ∂λ/∂s and D. Writes cross_s, cross_D."""
    for b in range(plan_forces.block.shape[0]):
        count, reach, c = plan_forces.block[b, ROWS], plan_forces.block[b, REACH], plan_forces.block[b, CROSS]
        by_s, by_w, _, _, _, _ = slopes_at(plan_forces, b)
        for one in range(count):
            for other in range(one):
                there, back = reach * one + other, reach * other + one
                cross_s[c] = 0.5 * (slopes[by_s + there] + slopes[by_s + back])
                rates = slopes[by_w + there] + slopes[by_w + back]
                rates += through_states(plan_forces, slopes, follow, b, one, other)
                rates += through_states(plan_forces, slopes, follow, b, other, one)
                cross_D[c] = -0.5 * tau * rates - tau * tau * cross_s[c]
                c += 1


@shared_kernel
def limit_cross(plan_forces, plan_tangent, D, cross_D):
    """Keep what one block adds from being negative in any direction: |D_ij| (m − 1) ≤ √(D_i D_j). Writes cross_D."""
    for b in range(plan_forces.block.shape[0]):
        count, c = plan_forces.block[b, ROWS], plan_forces.block[b, CROSS]
        for one in range(count):
            for other in range(one):
                first = D[stiff_row(plan_forces, plan_tangent, b, one)]
                most = math.sqrt(first * D[stiff_row(plan_forces, plan_tangent, b, other)]) / (count - 1)
                cross_D[c] = min(max(cross_D[c], -most), most)
                c += 1


@shared_kernel
def solve_states(plan_forces, plan_tangent, tau, slopes, factor, row_rate, rate_x, u_x):
    """Increments of the states of blocks as if no row moved, but for the known rates row_rate. Writes u_x."""
    for b in range(plan_forces.block.shape[0]):
        reach, n, state = plan_forces.block[b, REACH], plan_forces.block[b, STATES], plan_forces.block[b, STATE]
        _, _, _, _, rate_s, _ = slopes_at(plan_forces, b)
        for i in range(n):
            total = 0.0
            for place in range(reach):
                k = stiff_row(plan_forces, plan_tangent, b, place)
                total += slopes[rate_s + reach * i + place] * row_rate[k]
            u_x[state + i] = tau * (rate_x[state + i] + tau * total)
        solve_block(plan_forces, factor, b, state, u_x)


@shared_kernel
def push_by_blocks(plan_forces, plan_tangent, weight, slopes, x, push):
    """push += weight ∂λ/∂z x of the rows with slopes, of the states of blocks. Writes push."""
    for b in range(plan_forces.block.shape[0]):
        n, state = plan_forces.block[b, STATES], plan_forces.block[b, STATE]
        _, _, by_z, _, _, _ = slopes_at(plan_forces, b)
        for row in range(plan_forces.block[b, ROWS]):
            total = 0.0
            for i in range(n):
                total += slopes[by_z + n * row + i] * x[state + i]
            push[stiff_row(plan_forces, plan_tangent, b, row)] += weight * total


@shared_kernel
def follow_rows(plan_forces, plan_tangent, follow, values, rates, u_x):
    """Add to the states of blocks what the rows with slopes do: their rates, and their values. Writes u_x."""
    for b in range(plan_forces.block.shape[0]):
        reach, n, state = plan_forces.block[b, REACH], plan_forces.block[b, STATES], plan_forces.block[b, STATE]
        at = plan_forces.block[b, FOLLOW]
        for place in range(reach):
            k = stiff_row(plan_forces, plan_tangent, b, place)
            for i in range(n):
                u_x[state + i] += follow[at + n * place + i] * rates[k]
                u_x[state + i] += follow[at + n * (reach + place) + i] * values[k]
