# SPDX-License-Identifier: BSD-3-Clause
"""The interface's exact tangent for Newton: oil, springs, friction and stops in the matrix of the mechanics.

    J −= τ Aᵀ ∂λ/∂w A′ + τ τ_q Aᵀ ∂λ/∂s A + τ² Aᵀ ∂λ/∂e E⁻¹ (∂ė/∂w A′ + τ_q ∂ė/∂s A),   A′ = A + τ_q ∂w/∂q
                                                                                            [Naya 2011, eq. 26]

The oil's columns of eq. 26 are eliminated circuit by circuit, in strains instead of pressures (chain rule, ∂p = P′ ∂e).
Rows that share a circuit are coupled through it. Checked against differences in tests/engine/test_theta.py
"""

from knuckleboom.hydraulics import circuits
from knuckleboom.hydraulics.network import SOURCE
from knuckleboom.interface.forces import CHAMBER_AREA, CHAMBER_GROWS, CHAMBER_NODE, CHAMBER_ROW
from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import fill


@kernel
def add_product(table, newton, one, other, weight, turning, implicit, J):
    """J += A_oneᵀ (weight A_other + turning ∂w/∂q_other) for two rows with slopes; newton is plan.newton. Writes J."""
    entry, turn, at = implicit.row_entry, implicit.row_turn, newton.push_first[one, other]
    for e in range(table.path_first[one], table.path_first[one + 1]):
        for c in range(table.path_first[other], table.path_first[other + 1]):
            J[newton.push_place[at]] += entry[e] * (weight * entry[c] + turning * turn[c])
            at += 1


@kernel
def factor_oil(plan_oil, tau, oil, implicit):
    """Fill and factor E by the exact slopes of the oil, and fill those of its spools. Writes implicit."""
    for i in range(plan_oil.node_first[SOURCE]):
        implicit.stiffness[i] = oil.p_slope[i]
    circuits.fill_slopes(plan_oil, tau, oil, implicit.stiffness, implicit.E)
    circuits.factor(plan_oil, implicit.E)
    circuits.spool_slopes(plan_oil, oil, implicit.spool)


@kernel
def chamber_responses(table, forces, plan_oil, oil, implicit):
    """Fill Z = E⁻¹ ∂ė/∂w of all chambers, and ∂ė/∂s over ∂ė/∂w: ė of its volume, 0 for a motor. Writes implicit."""
    fill(0.0, implicit.Z)
    for i in range(forces.chamber_index.shape[0]):
        node = forces.chamber_index[i, CHAMBER_NODE]
        circuit = plan_oil.node_circuit[node]
        n = plan_oil.circuit_first[circuit + 1] - plan_oil.circuit_first[circuit]
        start = table.chamber_start[i]
        implicit.chamber_s[i] = forces.chamber_number[i, CHAMBER_GROWS] * oil.x_dot[node]
        implicit.Z[start + plan_oil.node_place[node]] = -forces.chamber_number[i, CHAMBER_AREA] / oil.V[node]
        circuits.solve(n, plan_oil.circuit_start[circuit], implicit.E, start, implicit.Z)


@kernel
def add_slopes(plan, tau, tau_q, rows, implicit, J):
    """Add everything the interface does to the mechanics' matrix. Writes J."""
    table, forces, plan_oil = plan.implicit, plan.forces, plan.oil
    mixed = tau * tau_q
    for k in range(table.row.shape[0]):
        r = table.row[k]
        weight = -tau * rows.damping[r] - mixed * rows.stiffness[r]
        add_product(table, plan.newton, k, k, weight, -mixed * rows.damping[r], implicit, J)
    chambers = forces.chamber_index
    for i in range(chambers.shape[0]):
        node, row = chambers[i, CHAMBER_NODE], table.stiff[chambers[i, CHAMBER_ROW]]
        by_strain = forces.chamber_number[i, CHAMBER_AREA] * implicit.stiffness[node]
        for other in range(chambers.shape[0]):
            if plan_oil.node_circuit[chambers[other, CHAMBER_NODE]] == plan_oil.node_circuit[node]:
                answer = -tau * tau * by_strain * implicit.Z[table.chamber_start[other] + plan_oil.node_place[node]]
                weight = answer * (1.0 + tau_q * implicit.chamber_s[other])
                moved = table.stiff[chambers[other, CHAMBER_ROW]]
                add_product(table, plan.newton, row, moved, weight, answer * tau_q, implicit, J)


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
def eliminate(plan, tau, scratch, implicit, residual):
    """Turn the residual of x into its correction as if no row moved. Writes scratch, implicit, residual."""
    oil_table = plan.oil
    circuits.solve_spools(oil_table, tau, residual)
    # spools move oil: their corrections, times τ, add to the residuals of the strains
    fill(0.0, implicit.strain)
    circuits.add_spools(oil_table, residual, implicit.spool, implicit.strain)
    for i in range(oil_table.node_first[SOURCE]):
        implicit.strain[i] = residual[i] + tau * implicit.strain[i]
    circuits.solve_all(oil_table, implicit.E, scratch, implicit.strain)
    for i in range(oil_table.node_first[SOURCE]):
        residual[i] = implicit.strain[i]


@kernel
def add_motion(plan, tau, tau_q, v, implicit, strains):
    """strains += τ Z (A′ + τ_q ė A) v for the corrections v of the velocities. Writes strains."""
    table, chambers, oil_table = plan.implicit, plan.forces.chamber_index, plan.oil
    for i in range(chambers.shape[0]):
        k = table.stiff[chambers[i, CHAMBER_ROW]]
        speed = 0.0
        for e in range(table.path_first[k], table.path_first[k + 1]):
            by_v = implicit.row_entry[e] * (1.0 + tau_q * implicit.chamber_s[i]) + tau_q * implicit.row_turn[e]
            speed += by_v * v[table.path_dof[e]]
        circuit = oil_table.node_circuit[chambers[i, CHAMBER_NODE]]
        first, start = oil_table.circuit_first[circuit], table.chamber_start[i]
        for n in range(oil_table.circuit_first[circuit + 1] - first):
            strains[oil_table.circuit_node[first + n]] += tau * speed * implicit.Z[start + n]
