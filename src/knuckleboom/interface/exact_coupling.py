# SPDX-License-Identifier: BSD-3-Clause
"""The interface's exact tangent for Newton: oil, springs, friction and stops in the matrix of the mechanics.

    J −= τ Aᵀ ∂λ/∂w A′ + τ τ_q Aᵀ ∂λ/∂s A + τ² Aᵀ ∂λ/∂e E⁻¹ (∂ė/∂w A′ + τ_q ∂ė/∂s A),   A′ = A + τ_q ∂w/∂q
                                                                                            [Naya 2011, eq. 26]

The oil's columns of eq. 26 are eliminated circuit by circuit, in strains instead of pressures (chain rule, ∂p = P′ ∂e).
Rows that share a circuit are coupled through it. Checked against differences in tests/engine/test_theta.py
"""

import numpy as np

from knuckleboom.hydraulics import circuits
from knuckleboom.hydraulics.oil_laws import SOURCE
from knuckleboom.interface import states
from knuckleboom.interface.contract import CHAMBER_NODE
from knuckleboom.interface.forces import CHAMBER_AREA, CHAMBER_ROW
from knuckleboom.interface.states import BY_Z, RATE_Z, REACH, ROWS, SINGLE_ROW, SINGLE_STATE, STATE
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.solvers.vectors import fill


@kernel
def add_product(plan_tangent, plan_newton, one, other, weight, turning, tangent, J):
    """J += A_oneᵀ (weight A_other + turning ∂w/∂q_other) for two rows with slopes. Writes J."""
    entry, turn, at = tangent.row_entry, tangent.row_turn, plan_newton.push_first[one, other]
    for e in range(plan_tangent.path_first[one], plan_tangent.path_first[one + 1]):
        for c in range(plan_tangent.path_first[other], plan_tangent.path_first[other + 1]):
            J[plan_newton.push_place[at]] += entry[e] * (weight * entry[c] + turning * turn[c])
            at += 1


@kernel
def factor_oil(plan_oil, tau, oil, tangent):
    """Fill and factor E by the exact slopes of the oil, and fill those of its spools. Writes tangent."""
    for i in range(plan_oil.node_first[SOURCE]):
        tangent.stiffness[i] = oil.p_slope[i]
    circuits.fill_slopes(plan_oil, tau, oil, oil.slope, tangent.stiffness, tangent.E)
    circuits.spool_slopes(plan_oil, oil, tangent.spool)
    circuits.add_steering(plan_oil, tau, oil, tangent.spool, tangent.stiffness, tangent.E)
    circuits.add_walls(plan_oil, tau, oil, tangent.E)
    circuits.factor(plan_oil, tangent.E)


@kernel
def chamber_responses(plan_tangent, plan_forces, plan_oil, tangent):
    """Fill Z = E⁻¹ ∂ė/∂w of all chambers. Writes tangent."""
    fill(0.0, tangent.Z)
    for i in range(plan_tangent.chamber_entry.shape[0]):
        tangent.Z[plan_tangent.chamber_entry[i]] = tangent.chamber_w[i]
    circuits.respond(plan_oil, plan_tangent.column_first, plan_tangent.response_first, tangent.E, tangent.Z)


@kernel
def add_slopes(plan, tau, tau_q, oil, rows, tangent, J):
    """Add everything the interface does to the mechanics' matrix. Writes tangent.row_w, J."""
    plan_tangent, plan_forces = plan.tangent, plan.forces
    mixed = tau * tau_q
    for k in range(plan_tangent.row.shape[0]):
        tangent.row_w[k] = rows.damping[plan_tangent.row[k]]
    states.soften(plan_forces, plan_tangent, tau, rows.single, tangent.row_w)
    states.prepare_blocks(plan_forces, tau, 0.0, rows.block, tangent.factor, tangent.follow)
    states.soften_blocks(plan_forces, plan_tangent, rows.block, tangent.follow, tangent.row_w)
    for k in range(plan_tangent.row.shape[0]):
        damping = tangent.row_w[k]
        weight = -tau * damping - mixed * rows.stiffness[plan_tangent.row[k]]
        add_product(plan_tangent, plan.newton, k, k, weight, -mixed * damping, tangent, J)
    add_blocks(plan, tau, mixed, rows, tangent, J)
    chambers = plan_forces.chamber_index
    for i in range(plan_tangent.chamber.shape[0]):
        node = chambers[i, CHAMBER_NODE]
        add_responses(plan, tau, tau_q, i, node, oil.push[i] * tangent.stiffness[node], tangent, J)
    for k in range(plan_tangent.setting.shape[0]):
        i, state = np.intp(plan_tangent.setting[k, 0]), np.intp(plan_tangent.setting[k, 1])
        if state < tangent.strain.shape[0]:
            add_responses(plan, tau, tau_q, i, state, by_setting(plan_forces, oil, i), tangent, J)


@kernel
def by_setting(plan_forces, oil, i):
    """∂λ/∂setting of a chamber [N·m], with what friction takes."""
    share = oil.push[i] / oil.area[i] if oil.area[i] != 0.0 else 1.0
    return share * plan_forces.chamber_number[i, CHAMBER_AREA] * oil.gauge[plan_forces.chamber_index[i, CHAMBER_NODE]]


@kernel
def add_responses(plan, tau, tau_q, i, state, slope, tangent, J):
    """Add what all rows do to the force of chamber i through a state of its circuit, ∂λ/∂state = slope. Writes J."""
    plan_tangent, plan_oil, chambers = plan.tangent, plan.oil, plan.forces.chamber_index
    row, c = plan_tangent.stiff[chambers[i, CHAMBER_ROW]], plan_oil.state_circuit[state]
    first, width = plan_tangent.column_first[c], plan_tangent.column_first[c + 1] - plan_tangent.column_first[c]
    entry = plan_tangent.response_first[c] + plan_oil.state_place[state] * width
    for column in range(width):
        other = plan_tangent.column[first + column]
        answer = -tau * tau * slope * tangent.Z[entry + column]
        weight = answer * (1.0 + tau_q * tangent.chamber_s[other])
        moved = plan_tangent.stiff[chambers[other, CHAMBER_ROW]]
        add_product(plan_tangent, plan.newton, row, moved, weight, answer * tau_q, tangent, J)


@shared_kernel
def add_blocks(plan, tau, mixed, rows, tangent, J):
    """Add what the rows of an element with several rows or states do to each other, and through states what their
    values do; `mixed` is τ τ_q. Writes J.
    """
    plan_tangent, plan_forces = plan.tangent, plan.forces
    for b in range(plan_forces.block.shape[0]):
        reach = plan_forces.block[b, REACH]
        by_s, by_w, _, _, _, _ = states.slopes_at(plan_forces, b)
        for row in range(plan_forces.block[b, ROWS]):
            for column in range(reach):
                value = states.through_states(plan_forces, rows.block, tangent.follow, b, row, reach + column)
                rate = 0.0
                if column != row:
                    rate = rows.block[by_w + reach * row + column]
                    rate += states.through_states(plan_forces, rows.block, tangent.follow, b, row, column)
                    value += rows.block[by_s + reach * row + column]
                one = states.stiff_row(plan_forces, plan_tangent, b, row)
                other = states.stiff_row(plan_forces, plan_tangent, b, column)
                weight = -tau * rate - mixed * value
                add_product(plan_tangent, plan.newton, one, other, weight, -mixed * rate, tangent, J)


@kernel
def push_on(plan_tangent, k, push, tangent, force):
    """force += A_kᵀ push for a row with slopes. Writes force."""
    for e in range(plan_tangent.path_first[k], plan_tangent.path_first[k + 1]):
        force[plan_tangent.path_dof[e]] += push * tangent.row_entry[e]


@kernel
def push_by_states(plan, weight, x, oil, rows, tangent, force):
    """force += weight·Aᵀ ∂λ/∂x x, of strains and elements' states. Writes force."""
    plan_tangent, plan_forces = plan.tangent, plan.forces
    chambers = plan_forces.chamber_index
    for i in range(plan_tangent.chamber.shape[0]):
        node, k = chambers[i, CHAMBER_NODE], plan_tangent.stiff[chambers[i, CHAMBER_ROW]]
        push_on(plan_tangent, k, weight * oil.push[i] * tangent.stiffness[node] * x[node], tangent, force)
    for s in range(plan_tangent.setting.shape[0]):
        i = plan_tangent.setting[s, 0]
        k, change = plan_tangent.stiff[chambers[i, CHAMBER_ROW]], x[plan_tangent.setting[s, 1]]
        push_on(plan_tangent, k, weight * by_setting(plan_forces, oil, i) * change, tangent, force)
    for b in range(plan_forces.single.shape[0]):
        k, state = plan_tangent.stiff[plan_forces.single[b, SINGLE_ROW]], plan_forces.single[b, SINGLE_STATE]
        push_on(plan_tangent, k, weight * rows.single[b, BY_Z] * x[state], tangent, force)
    if plan_forces.block.shape[0] > 0:
        fill(0.0, tangent.row_kept)
        states.push_by_blocks(plan_forces, plan_tangent, weight, rows.block, x, tangent.row_kept)
        for k in range(tangent.row_kept.shape[0]):
            push_on(plan_tangent, k, tangent.row_kept[k], tangent, force)


@kernel
def eliminate(plan, tau, rows, scratch, tangent, residual):
    """Turn the residual of x into its correction as if no row moved. Writes scratch, tangent, residual."""
    plan_oil, plan_forces, solved = plan.oil, plan.forces, tangent.strain.shape[0]
    circuits.solve_spools(plan_oil, tau, residual)
    # spools move oil: their corrections, times τ, add to the residuals of the strains
    fill(0.0, tangent.strain)
    circuits.add_spools(plan_oil, residual, tangent.spool, tangent.strain)
    for i in range(solved):
        tangent.strain[i] = residual[i] + tau * tangent.strain[i]
    circuits.solve_all(plan_oil, tangent.E, scratch, tangent.strain)
    for i in range(solved):
        residual[i] = tangent.strain[i]
    for b in range(plan_forces.single.shape[0]):
        residual[plan_forces.single[b, SINGLE_STATE]] /= 1.0 - tau * rows.single[b, RATE_Z]
    for b in range(plan_forces.block.shape[0]):
        states.factor_block(plan_forces, tau, rows.block, b, tangent.factor)
        states.solve_block(plan_forces, tangent.factor, b, plan_forces.block[b, STATE], residual)


@kernel
def speed_of(plan_tangent, k, tau_q, by_s, v, tangent):
    """(A′ + τ_q by_s A) v of a row with slopes."""
    speed = 0.0
    for e in range(plan_tangent.path_first[k], plan_tangent.path_first[k + 1]):
        by_v = tangent.row_entry[e] * (1.0 + tau_q * by_s) + tau_q * tangent.row_turn[e]
        speed += by_v * v[plan_tangent.path_dof[e]]
    return speed


@kernel
def along(plan_tangent, k, v, tangent):
    """A v of a row with slopes."""
    speed = 0.0
    for e in range(plan_tangent.path_first[k], plan_tangent.path_first[k + 1]):
        speed += tangent.row_entry[e] * v[plan_tangent.path_dof[e]]
    return speed


@kernel
def add_motion(plan, tau, tau_q, v, rows, tangent, x):
    """x += what the corrections v of the velocities do to strains, τ Z (A′ + τ_q ė A) v, and to states of elements.
    Writes tangent, x.
    """
    plan_tangent, plan_forces, plan_oil = plan.tangent, plan.forces, plan.oil
    chambers = plan_forces.chamber_index
    for column in range(plan_tangent.column.shape[0]):
        i = plan_tangent.column[column]
        row = plan_tangent.stiff[chambers[i, CHAMBER_ROW]]
        tangent.speed[column] = speed_of(plan_tangent, row, tau_q, tangent.chamber_s[i], v, tangent)
    circuits.follow(plan_oil, plan_tangent.column_first, plan_tangent.response_first, tau, tangent.speed, tangent.Z, x)
    for b in range(plan_forces.single.shape[0]):
        k, state = plan_tangent.stiff[plan_forces.single[b, SINGLE_ROW]], plan_forces.single[b, SINGLE_STATE]
        x[state] += states.follow(tau, rows.single, b) * speed_of(plan_tangent, k, tau_q, 0.0, v, tangent)
    if plan_forces.block.shape[0] > 0:
        for k in range(tangent.row_kept.shape[0]):
            tangent.row_rate[k] = speed_of(plan_tangent, k, tau_q, 0.0, v, tangent)
            tangent.row_kept[k] = tau_q * along(plan_tangent, k, v, tangent)
        states.follow_rows(plan_forces, plan_tangent, tangent.follow, tangent.row_kept, tangent.row_rate, x)
