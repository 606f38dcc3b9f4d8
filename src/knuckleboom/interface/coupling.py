# SPDX-License-Identifier: BSD-3-Clause
"""The interface's tangent for linearly implicit steps: what oil, springs, friction and stops add to the mass they move.

    D = −τ ∂λ/∂w − τ² ∂λ/∂s − τ² ∂λ/∂e Z,   Z = E⁻¹ (∂ė/∂w + τ ∂ė/∂s)             one number for each row with slopes

Pressures and spools are eliminated circuit by circuit (hydraulics/circuits.py), so that the mechanics factors M + AᵀDA
only. With a chamber of area A on a volume V: ∂λ/∂e = A P, ∂ė/∂w = −A/V, ∂ė/∂s = −A ė/V. What one row does to another
through a shared circuit is left out of D: a W-method keeps its order with any tangent.

Two slopes look one step ahead: a volume takes the larger stiffness dp/de of now and of e + h ė, and a stop that is not
touched, but will be, its stiffness. Own derivation, as the shared study on the real-time step, §2 and §3; checked by
differences in tests/engine/test_coupling.py
"""

from knuckleboom.hydraulics import circuits
from knuckleboom.hydraulics.network import CAVITATING, NAYA, SOURCE
from knuckleboom.interface.elements import stop
from knuckleboom.interface.forces import CHAMBER_AREA, CHAMBER_NODE, CHAMBER_ROW, FORCE_ROW
from knuckleboom.kernels import kernel
from knuckleboom.laws.oil_cavitating import oil_cavitating
from knuckleboom.laws.oil_naya import oil_naya
from knuckleboom.solvers.vectors import fill


@kernel
def row_entries(table, S, W, entry):
    """Fill A of the rows with slopes; table is plan.implicit. Writes entry."""
    for k in range(table.row.shape[0]):
        r = table.row[k]
        for e in range(table.path_first[k], table.path_first[k + 1]):
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
def stiffnesses(table, h, x, oil, stiffness):
    """dp/de of all volumes, the larger of now and of one step of h [s] ahead; table is plan.oil. Writes stiffness."""
    number, first = table.node_number, table.node_first
    for i in range(first[NAYA], first[CAVITATING]):
        _, ahead = oil_naya(x[i] + h * oil.x_dot[i], number[i, 1], number[i, 2])
        stiffness[i] = max(oil.p_slope[i], ahead)
    for i in range(first[CAVITATING], first[SOURCE]):
        _, ahead = oil_cavitating(x[i] + h * oil.x_dot[i], number[i, 1], number[i, 2], number[i, 3])
        stiffness[i] = max(oil.p_slope[i], ahead)


@kernel
def row_slopes(table, forces, h, rows, by_s, by_w):
    """∂λ/∂s and ∂λ/∂w of the rows with slopes, with stops that will be touched. Writes by_s, by_w."""
    for k in range(table.row.shape[0]):
        by_s[k] = rows.stiffness[table.row[k]]
        by_w[k] = rows.damping[table.row[k]]
    number = forces.number
    for i in range(forces.first[stop.KIND], forces.first[stop.KIND + 1]):
        r = forces.index[i, FORCE_ROW]
        s, ahead = rows.s[r], rows.s[r] + h * rows.w[r]
        lower, upper = number[i, 0], number[i, 1]
        if lower <= s <= upper and (ahead < lower or ahead > upper):
            by_s[table.stiff[r]] -= number[i, 2]


@kernel
def responses(table, forces, plan_oil, tau, oil, implicit):
    """Fill Z of all chambers and D of all rows with slopes. Writes implicit."""
    Z, E, D = implicit.Z, implicit.E, implicit.row_D
    index, number = forces.chamber_index, forces.chamber_number
    fill(0.0, Z)
    for k in range(D.shape[0]):
        D[k] = -tau * implicit.row_w[k] - tau * tau * implicit.row_s[k]
    for i in range(index.shape[0]):
        node = index[i, CHAMBER_NODE]
        circuit = plan_oil.node_circuit[node]
        n = plan_oil.circuit_first[circuit + 1] - plan_oil.circuit_first[circuit]
        start = table.chamber_start[i]
        # ė = (ΣQ − A w)/V: its slopes with w and, through V, with s
        by_w = -number[i, CHAMBER_AREA] / oil.V[node]
        implicit.chamber_s[i] = by_w * oil.x_dot[node]
        Z[start + plan_oil.node_place[node]] = by_w + tau * implicit.chamber_s[i]
        circuits.solve(n, plan_oil.circuit_start[circuit], E, start, Z)
    for i in range(index.shape[0]):
        k = table.stiff[index[i, CHAMBER_ROW]]
        node = index[i, CHAMBER_NODE]
        by_strain = number[i, CHAMBER_AREA] * implicit.stiffness[node]
        # every chamber of the same row that is in the same circuit answers too
        for other in range(index.shape[0]):
            same_row = index[other, CHAMBER_ROW] == index[i, CHAMBER_ROW]
            if same_row and plan_oil.node_circuit[index[other, CHAMBER_NODE]] == plan_oil.node_circuit[node]:
                response = Z[table.chamber_start[other] + plan_oil.node_place[node]]
                D[k] -= tau * tau * by_strain * response
    for k in range(D.shape[0]):
        D[k] = max(D[k], 0.0)


@kernel
def add_to_mass(table, entry, D, L):
    """L += Aᵀ D A. Writes L."""
    for k in range(table.row.shape[0]):
        for pair in range(table.pair_first[k], table.pair_first[k + 1]):
            one, other = table.pair_entry[pair, 0], table.pair_entry[pair, 1]
            L[table.pair_address[pair]] += D[k] * entry[one] * entry[other]


@kernel
def times_rows(table, entry, values, result):
    """result = A values, for the rows with slopes. Writes result."""
    for k in range(table.row.shape[0]):
        total = 0.0
        for e in range(table.path_first[k], table.path_first[k + 1]):
            total += entry[e] * values[table.path_dof[e]]
        result[k] = total


@kernel
def eliminate_oil(plan, tau, rate_q, rate_x, work, u_x, force):
    """Solve for spools and for strains as if no row moved; add what both do to the force. Writes work, u_x, force."""
    table, chambers, oil_table = plan.implicit, plan.forces, plan.oil
    implicit = work.implicit
    volumes = oil_table.node_first[SOURCE]
    times_rows(table, implicit.row_entry, rate_q, implicit.row_rate)

    # spools follow inputs, nothing in the circuit moves them
    for i in range(oil_table.lag_state.shape[0]):
        state = oil_table.lag_state[i]
        u_x[state] = tau * rate_x[state] / (1.0 + tau / oil_table.lag_time[i])
    g = implicit.strain
    for i in range(volumes):
        g[i] = rate_x[i]
    circuits.add_spools(oil_table, work.state.u.shape[0], u_x, implicit.spool, g)
    for i in range(chambers.chamber_index.shape[0]):
        node, k = chambers.chamber_index[i, CHAMBER_NODE], table.stiff[chambers.chamber_index[i, CHAMBER_ROW]]
        g[node] += tau * implicit.chamber_s[i] * implicit.row_rate[k]
    solve_circuits(oil_table, implicit.E, u_x, g)

    # forces: of the rows' own change, and of the oil's
    for k in range(table.row.shape[0]):
        implicit.row_rate[k] *= implicit.row_s[k]
    for i in range(chambers.chamber_index.shape[0]):
        node, k = chambers.chamber_index[i, CHAMBER_NODE], table.stiff[chambers.chamber_index[i, CHAMBER_ROW]]
        implicit.row_rate[k] += chambers.chamber_number[i, CHAMBER_AREA] * implicit.stiffness[node] * g[node]
    for k in range(table.row.shape[0]):
        push = tau * tau * implicit.row_rate[k]
        for e in range(table.path_first[k], table.path_first[k + 1]):
            force[table.path_dof[e]] += push * implicit.row_entry[e]


@kernel
def solve_circuits(oil_table, E, scratch, g):
    """g = E⁻¹ g, circuit by circuit; scratch has room for all volumes. Writes scratch, g."""
    for c in range(oil_table.circuit_start.shape[0]):
        first = oil_table.circuit_first[c]
        n = oil_table.circuit_first[c + 1] - first
        for k in range(n):
            scratch[first + k] = g[oil_table.circuit_node[first + k]]
        circuits.solve(n, oil_table.circuit_start[c], E, first, scratch)
        for k in range(n):
            g[oil_table.circuit_node[first + k]] = scratch[first + k]


@kernel
def restore_oil(plan, tau, u_v, implicit, u_x):
    """Increments of the strains, now that the rows' motion is known. Writes implicit.row_rate, u_x."""
    table, chambers, oil_table = plan.implicit, plan.forces, plan.oil
    times_rows(table, implicit.row_entry, u_v, implicit.row_rate)
    for i in range(oil_table.node_first[SOURCE]):
        u_x[i] = tau * implicit.strain[i]
    for i in range(chambers.chamber_index.shape[0]):
        circuit = oil_table.node_circuit[chambers.chamber_index[i, CHAMBER_NODE]]
        first, start = oil_table.circuit_first[circuit], table.chamber_start[i]
        speed = tau * implicit.row_rate[table.stiff[chambers.chamber_index[i, CHAMBER_ROW]]]
        for k in range(oil_table.circuit_first[circuit + 1] - first):
            u_x[oil_table.circuit_node[first + k]] += speed * implicit.Z[start + k]
