# SPDX-License-Identifier: BSD-3-Clause
"""Oil that moves with the stroke: the column in a chamber of a cylinder, an inertia that follows a row.

    L = ± (s − s₀),  m = κ L,  ṁ = ± κ w      κ = ρ A of the chamber, s and w of the cylinder's row; + on the bore side

A column is a straight line on the link of the rod: from the piston, at p_b − reach·n, to its end of the barrel, along
∓n. It moves with the piston, as oil of constant density does that comes in at that end. Î is the inertia of 1 kg of it,
Î_e that of 1 kg at its end, where oil joins and leaves: κ L Î grows there, d(κ L Î) = κ Î_e dL. What joins has the
velocity of the barrel there, the rod's less w n, so that ṁ⁺ (Î_e V − μ) = ± κ w² (p_e × n; n) while it grows.

Newton's tangent: m Î turns with its link as any inertia, and so does that force; beside them for a velocity j of the
row, A its entries, and any k that moves the link

    ± κ S_k·(Î_e A + V ×* Î_e V) τ τ_q A_j,    while it grows also 2 κ |w| S_k·(p_e × n; n) (τ A_j + τ τ_q ∂w/∂q_j)

payload.py has the balance, and adds it to link and audit. Own derivation: docs/decisions/moving_oil.md. Tested in
tests/engine/test_moving_oil.py, validated by: validation/analytic/test_moving_oil.py
"""

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.dynamics import add_needed, along_screw
from knuckleboom.mechanics.rows.geometry import cross, direction, point, point_velocity
from knuckleboom.solvers.vectors import fill

LINK, ROW = 0, 4
"""Columns of plan_payload.index: those of payload.py that are read here."""
PIN, ALONG, REACH, PER_LENGTH, ZERO, SENSE = 0, 3, 6, 7, 8, 9
"""Columns of plan_payload.moving: p_b and n in the axes of the link, from piston to p_b, κ, s₀, +1 or −1."""


@kernel
def line_inertia(i, c0, c1, c2, n0, n1, n2, square, C):
    """Spatial inertia of 1 kg on a line along n about c, relative to O; `square` is length²/12. Writes C[i]."""
    C[i, 0] = 1.0
    C[i, 1], C[i, 2], C[i, 3] = c0, c1, c2
    C[i, 4] = c1 * c1 + c2 * c2 + square * (1.0 - n0 * n0)
    C[i, 5] = c0 * c0 + c2 * c2 + square * (1.0 - n1 * n1)
    C[i, 6] = c0 * c0 + c1 * c1 + square * (1.0 - n2 * n2)
    C[i, 7] = -c0 * c1 - square * n0 * n1
    C[i, 8] = -c0 * c2 - square * n0 * n2
    C[i, 9] = -c1 * c2 - square * n1 * n2


@kernel
def shape(plan_payload, i, column, rows, motion, payload):
    """Return mass and growth of a column, which is inertia i; fill Î, Î_e and the velocity of what joins. Writes
    payload.
    """
    number, link, r = plan_payload.moving, plan_payload.index[i, LINK], plan_payload.index[i, ROW]
    sense, w = number[column, SENSE], rows.w[r]
    length = max(sense * (rows.s[r] - number[column, ZERO]), 0.0)  # a stop may give a little
    n0, n1, n2 = direction(motion.R_WL, link, number, column, ALONG)
    x, y, z = point(motion.R_WL, motion.p_OL, link, number, column, PIN)
    middle, end = number[column, REACH] + sense * 0.5 * length, number[column, REACH] + sense * length
    line_inertia(
        i, x - middle * n0, y - middle * n1, z - middle * n2, n0, n1, n2, length * length / 12.0, payload.unit
    )  # fmt: skip
    x, y, z = x - end * n0, y - end * n1, z - end * n2
    line_inertia(i, x, y, z, n0, n1, n2, 0.0, payload.end)
    u0, u1, u2 = point_velocity(motion.V_WL, link, x, y, z)
    payload.comes[i, 0], payload.comes[i, 1], payload.comes[i, 2] = u0 - w * n0, u1 - w * n1, u2 - w * n2
    growth = number[column, PER_LENGTH] * sense * w if length > 0.0 else 0.0
    return number[column, PER_LENGTH] * length, growth


@shared_kernel
def add_growth(plan, tau, tau_q, motion, rows, payload, tangent, J):
    """Add what the rows of columns do to Newton's matrix through length and rate. Writes payload.moved, J."""
    plan_payload, plan_tangent, plan_newton, S = plan.payload, plan.tangent, plan.newton, motion.S
    index, number, loads, at = plan_payload.index, plan_payload.moving, plan_payload.number.shape[0], 0
    for column in range(number.shape[0]):
        i, k = loads + column, plan_newton.moving_row[column]
        r, link, needed = index[i, ROW], index[i, LINK], payload.moved
        per_length, sense, w = number[column, PER_LENGTH], number[column, SENSE], rows.w[index[i, ROW]]
        if sense * (rows.s[r] - number[column, ZERO]) <= 0.0:
            per_length = 0.0
        fill(0.0, needed[i])
        add_needed(payload.end, i, motion.V_WL, motion.A_WL, link, needed)
        n0, n1, n2 = direction(motion.R_WL, link, number, column, ALONG)
        m0, m1, m2 = cross(payload.end[i, 1], payload.end[i, 2], payload.end[i, 3], n0, n1, n2)
        stiffness, damping = per_length * sense, 2.0 * per_length * max(sense * w, 0.0)
        for c in range(plan_newton.moving_first[column], plan_newton.moving_first[column + 1]):
            j = plan_newton.moving_screw[c]
            by_s = stiffness * tau * tau_q * along_screw(S, j, needed[i])
            by_w = damping * tau * (
                S[j, 0] * m0 + S[j, 1] * m1 + S[j, 2] * m2 + S[j, 3] * n0 + S[j, 4] * n1 + S[j, 5] * n2
            )  # fmt: skip
            for e in range(plan_tangent.path_first[k], plan_tangent.path_first[k + 1]):
                change = tangent.row_entry[e] * (by_s + by_w) + tau_q * by_w * tangent.row_turn[e]
                J[plan_newton.moving_place[at]] += change
                at += 1
