# SPDX-License-Identifier: BSD-3-Clause
"""The interface's tangent for linearly implicit steps: what oil, springs, friction and stops add to the mass they move.

    D = −τ ∂λ/∂w − τ² ∂λ/∂s − τ² ∂λ/∂e Z,   Z = E⁻¹ (∂ė/∂w + τ ∂ė/∂s)             one number for each row with slopes

Pressures and spools are eliminated circuit by circuit (hydraulics/circuits.py), so that the mechanics factors M + AᵀDA
only. With a chamber of area A on a volume V: ∂λ/∂e = A P, ∂ė/∂w = −A/V, ∂ė/∂s = −A ė/V, or 0 for a motor, whose volume
does not grow. What one row does to another through a shared circuit is left out of D: a W-method keeps its order with
any tangent.

Two slopes look one explicit step ahead: a volume takes the larger stiffness dp/de of now and of e + h ė, and a stop
that is not touched, but will be, its stiffness. Own derivation, as the shared study on the real-time step, §2 and §3;
checked by differences in tests/engine/test_coupling.py
"""

import numpy as np

from knuckleboom.hydraulics import circuits
from knuckleboom.hydraulics.network import CAVITATING, NAYA, SOURCE
from knuckleboom.interface.elements import stop
from knuckleboom.interface.forces import CHAMBER_AREA, CHAMBER_GROWS, FORCE_ROW
from knuckleboom.kernels import kernel
from knuckleboom.laws.oil_cavitating import oil_cavitating
from knuckleboom.laws.oil_naya import oil_naya
from knuckleboom.solvers.vectors import fill

NODE, STIFF = 0, 1  # columns of table.chamber
ZERO, ONE = np.uintp(0), np.uintp(1)


@kernel
def row_entries(table, S, W, entry):
    """Fill A of the rows with slopes; table is plan.implicit. Writes entry."""
    for k in range(table.row.shape[0]):
        r = np.uintp(table.row[k])
        for e in range(np.uintp(table.path_first[k]), np.uintp(table.path_first[k + 1])):
            sign, j = table.path_sign[e], table.path_dof[e]
            if sign == 0.0:
                entry[e] = 1.0
                continue
            entry[e] = sign * (
                S[j, 0] * W[r, 0]
                + S[j, 1] * W[r, 1]
                + S[j, 2] * W[r, 2]
                + S[j, 3] * W[r, 3]
                + S[j, 4] * W[r, 4]
                + S[j, 5] * W[r, 5]
            )


@kernel
def stiffnesses(table, h, x, oil, ahead, stiffness):
    """Pressures after an explicit step of h [s], and dp/de of all volumes, the larger of now and then. Table is
    plan.oil. Writes ahead, stiffness.
    """
    number, first = table.node_number, table.node_first
    for i in range(first[NAYA], first[CAVITATING]):
        ahead[i], slope = oil_naya(x[i] + h * oil.x_dot[i], number[i, 1], number[i, 2])
        stiffness[i] = max(oil.p_slope[i], slope)
    for i in range(first[CAVITATING], first[SOURCE]):
        ahead[i], slope = oil_cavitating(x[i] + h * oil.x_dot[i], number[i, 1], number[i, 2], number[i, 3])
        stiffness[i] = max(oil.p_slope[i], slope)
    for i in range(first[SOURCE], first[SOURCE + 1]):
        ahead[i] = oil.p[i]


@kernel
def row_slopes(table, forces, h, rows, by_s, by_w):
    """∂λ/∂s and ∂λ/∂w of the rows with slopes, with stops that will be touched. Writes by_s, by_w."""
    for k in range(table.row.shape[0]):
        r = np.uintp(table.row[k])
        by_s[k] = rows.stiffness[r]
        by_w[k] = rows.damping[r]
    number = forces.number
    for i in range(forces.first[stop.KIND], forces.first[stop.KIND + 1]):
        r = np.uintp(forces.index[i, FORCE_ROW])
        s, ahead = rows.s[r], rows.s[r] + h * rows.w[r]
        lower, upper = number[i, 0], number[i, 1]
        if lower <= s <= upper and (ahead < lower or ahead > upper):
            by_s[np.uintp(table.stiff[r])] -= number[i, 2]


@kernel
def responses(table, forces, plan_oil, tau, oil, implicit):
    """Fill Z of all chambers and D of all rows with slopes. Writes implicit."""
    Z, E, D, chamber = implicit.Z, implicit.E, implicit.row_D, table.chamber
    fill(0.0, Z)
    for k in range(D.shape[0]):
        D[k] = -tau * implicit.row_w[k] - tau * tau * implicit.row_s[k]
    for i in range(chamber.shape[0]):
        node, area = chamber[i, NODE], forces.chamber_number[i, CHAMBER_AREA]
        circuit = plan_oil.node_circuit[node]
        n = plan_oil.circuit_first[circuit + 1] - plan_oil.circuit_first[circuit]
        start = table.chamber_start[i]
        # ė = (ΣQ − A w)/V: its slopes with w and, through V, with s
        by_w = -area / oil.V[node]
        implicit.chamber_s[i] = forces.chamber_number[i, CHAMBER_GROWS] * by_w * oil.x_dot[node]
        implicit.chamber_x[i] = area * implicit.stiffness[node]
        Z[start + plan_oil.node_place[node]] = by_w + tau * implicit.chamber_s[i]
        circuits.solve(n, plan_oil.circuit_start[circuit], E, start, Z)
    # every chamber of a row is moved by all of that row's chambers in its circuit
    for i in range(table.answer.shape[0]):
        moved = implicit.chamber_x[table.answer[i, 0]] * Z[table.answer[i, 2]]
        D[table.answer[i, 1]] -= tau * tau * moved
    for k in range(D.shape[0]):
        D[k] = max(D[k], 0.0)


@kernel
def add_to_mass(table, entry, D, L):
    """L += Aᵀ D A. Writes L."""
    pair = ZERO
    for k in range(D.shape[0]):
        first = np.uintp(table.path_first[k])
        for one in range(first, np.uintp(table.path_first[k + 1])):
            share = D[k] * entry[one]
            for other in range(first, one + ONE):
                L[table.pair_address[pair]] += share * entry[other]
                pair += ONE


@kernel
def times_rows(table, entry, values, result):
    """result = A values, for the rows with slopes. Writes result."""
    for k in range(table.row.shape[0]):
        total = 0.0
        for e in range(np.uintp(table.path_first[k]), np.uintp(table.path_first[k + 1])):
            total += entry[e] * values[table.path_dof[e]]
        result[k] = total


@kernel
def add_rows(table, entry, weight, values, result):
    """result += weight Aᵀ values, for the rows with slopes. Writes result."""
    for k in range(values.shape[0]):
        push = weight * values[k]
        for e in range(np.uintp(table.path_first[k]), np.uintp(table.path_first[k + 1])):
            result[table.path_dof[e]] += push * entry[e]


@kernel
def eliminate_oil(table, plan_oil, tau, rate_q, rate_x, implicit, u_x, force):
    """Solve for spools and strains as if no row moved; add what both do to the force. Writes implicit, u_x, force."""
    g, row_rate, chamber = implicit.strain, implicit.row_rate, table.chamber
    times_rows(table, implicit.row_entry, rate_q, row_rate)

    for i in range(g.shape[0], rate_x.shape[0]):
        u_x[i] = tau * rate_x[i]
    circuits.solve_spools(plan_oil, tau, u_x)
    for i in range(g.shape[0]):
        g[i] = rate_x[i]
    circuits.add_spools(plan_oil, u_x, implicit.spool, g)
    for i in range(chamber.shape[0]):
        g[chamber[i, NODE]] += tau * implicit.chamber_s[i] * row_rate[chamber[i, STIFF]]
    circuits.solve_all(plan_oil, implicit.E, u_x, g)

    # forces: of the rows' own change, and of the oil's
    for k in range(row_rate.shape[0]):
        row_rate[k] *= implicit.row_s[k]
    for i in range(chamber.shape[0]):
        row_rate[chamber[i, STIFF]] += implicit.chamber_x[i] * g[chamber[i, NODE]]
    add_rows(table, implicit.row_entry, tau * tau, row_rate, force)


@kernel
def restore_oil(table, tau, u_v, implicit, u_x):
    """Increments of the strains, now that the rows' motion is known. Writes implicit.row_rate, u_x."""
    times_rows(table, implicit.row_entry, u_v, implicit.row_rate)
    for i in range(implicit.strain.shape[0]):
        u_x[i] = tau * implicit.strain[i]
    for i in range(table.chamber.shape[0]):
        speed = tau * implicit.row_rate[table.chamber[i, STIFF]]
        for e in range(np.uintp(table.chamber_start[i]), np.uintp(table.chamber_start[i + 1])):
            u_x[table.response_node[e]] += speed * implicit.Z[e]
