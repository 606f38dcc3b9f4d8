# SPDX-License-Identifier: BSD-3-Clause
"""The interface's exact tangent for Newton: oil, springs, friction and stops in the dense matrix of the mechanics.

    J += Aᵀ (−τ ∂λ/∂w − τ² ∂λ/∂s) A − τ² Aᵀ ∂λ/∂e Z A,   Z = E⁻¹ (∂ė/∂w + τ ∂ė/∂s)         [Naya 2011, eq. 26]

The oil's columns of eq. 26 are eliminated circuit by circuit, in strains instead of pressures (chain rule, ∂p = P′ ∂e).
Rows that share a circuit are coupled through it. Checked against differences in tests/engine/test_theta.py
"""

from knuckleboom.hydraulics import circuits
from knuckleboom.hydraulics.network import SOURCE
from knuckleboom.interface.forces import CHAMBER_AREA, CHAMBER_NODE, CHAMBER_ROW
from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import fill


@kernel
def add_product(table, one, other, weight, entry, J):
    """J += weight·A_oneᵀ A_other for two rows with slopes. Writes J."""
    for e in range(table.path_first[one], table.path_first[one + 1]):
        for c in range(table.path_first[other], table.path_first[other + 1]):
            J[table.path_dof[e], table.path_dof[c]] += weight * entry[e] * entry[c]


@kernel
def chamber_responses(table, forces, plan_oil, tau, oil, implicit):
    """Fill Z of all chambers. Writes implicit."""
    fill(0.0, implicit.Z)
    for i in range(forces.chamber_index.shape[0]):
        node = forces.chamber_index[i, CHAMBER_NODE]
        circuit = plan_oil.node_circuit[node]
        n = plan_oil.circuit_first[circuit + 1] - plan_oil.circuit_first[circuit]
        start, by_w = table.chamber_start[i], -forces.chamber_number[i, CHAMBER_AREA] / oil.V[node]
        implicit.chamber_s[i] = by_w * oil.x_dot[node]
        implicit.Z[start + plan_oil.node_place[node]] = by_w + tau * implicit.chamber_s[i]
        circuits.solve(n, plan_oil.circuit_start[circuit], implicit.E, start, implicit.Z)


@kernel
def add_slopes(plan, tau, rows, implicit, J):
    """Add everything the interface does to the mechanics' matrix. Writes J."""
    table, forces, plan_oil = plan.implicit, plan.forces, plan.oil
    for k in range(table.row.shape[0]):
        r = table.row[k]
        weight = -tau * rows.damping[r] - tau * tau * rows.stiffness[r]
        add_product(table, k, k, weight, implicit.row_entry, J)
    chambers = forces.chamber_index
    for i in range(chambers.shape[0]):
        node, row = chambers[i, CHAMBER_NODE], table.stiff[chambers[i, CHAMBER_ROW]]
        by_strain = forces.chamber_number[i, CHAMBER_AREA] * implicit.stiffness[node]
        for other in range(chambers.shape[0]):
            if plan_oil.node_circuit[chambers[other, CHAMBER_NODE]] == plan_oil.node_circuit[node]:
                response = implicit.Z[table.chamber_start[other] + plan_oil.node_place[node]]
                weight = -tau * tau * by_strain * response
                add_product(table, row, table.stiff[chambers[other, CHAMBER_ROW]], weight, implicit.row_entry, J)


@kernel
def push_by_strains(plan, weight, strains, implicit, force):
    """force += weight·Aᵀ ∂λ/∂e strains. Writes force."""
    table, forces = plan.implicit, plan.forces
    for i in range(forces.chamber_index.shape[0]):
        node, k = forces.chamber_index[i, CHAMBER_NODE], table.stiff[forces.chamber_index[i, CHAMBER_ROW]]
        push = weight * forces.chamber_number[i, CHAMBER_AREA] * implicit.stiffness[node] * strains[node]
        for e in range(table.path_first[k], table.path_first[k + 1]):
            force[table.path_dof[e]] += push * implicit.row_entry[e]


@kernel
def eliminate(plan, tau, nu, scratch, implicit, residual):
    """Turn the residual of x into its correction as if no row moved. Writes scratch, residual."""
    oil_table = plan.oil
    for i in range(oil_table.lag_state.shape[0]):
        state = oil_table.lag_state[i]
        residual[state] /= 1.0 + tau / oil_table.lag_time[i]
    # spools move oil: their corrections, times τ, add to the residuals of the strains
    fill(0.0, implicit.strain)
    circuits.add_spools(oil_table, nu, residual, implicit.spool, implicit.strain)
    for i in range(oil_table.node_first[SOURCE]):
        implicit.strain[i] = residual[i] + tau * implicit.strain[i]
    for c in range(oil_table.circuit_start.shape[0]):
        first = oil_table.circuit_first[c]
        n = oil_table.circuit_first[c + 1] - first
        for k in range(n):
            scratch[first + k] = implicit.strain[oil_table.circuit_node[first + k]]
        circuits.solve(n, oil_table.circuit_start[c], implicit.E, first, scratch)
        for k in range(n):
            residual[oil_table.circuit_node[first + k]] = scratch[first + k]
