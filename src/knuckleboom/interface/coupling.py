# SPDX-License-Identifier: BSD-3-Clause
"""The interface's tangent for linearly implicit steps: what oil, springs, friction and stops add to the mass they move.

    D = −τ ∂λ/∂w − τ² ∂λ/∂s − τ² ∂λ/∂e Z,   Z = E⁻¹ (∂ė/∂w + τ ∂ė/∂s)             one number for each row with slopes

Pressures and spools are eliminated circuit by circuit (hydraulics/circuits.py), so that the mechanics factors M + AᵀDA
only. With a chamber of area A on a volume V: ∂λ/∂e = A P, ∂ė/∂w = −A/V, ∂ė/∂s = −(A ė + A′w)/V, or 0 for a motor, whose
volume does not grow. States of elements are eliminated by themselves (interface/states.py). What one row does to
another through a shared circuit is left out of D: a W-method keeps its order with any tangent.

Two slopes look one explicit step ahead: a volume takes the larger stiffness dp/de of now and of e + h ė, over the part
of it that is left then, and a stop that will be touched or left is as stiff as elements/stop.py says. Own derivation;
checked by differences in tests/engine/test_coupling.py, measured in docs/decisions/realtime_slopes.md
"""

import numpy as np

from knuckleboom.hydraulics import circuits
from knuckleboom.hydraulics.oil_laws import SOURCE, strain_pressures
from knuckleboom.interface import states
from knuckleboom.interface.forces import look_ahead
from knuckleboom.interface.states import BY_Z, RATE_Z, SINGLE_ROW, SINGLE_STATE
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.solvers.vectors import copy, fill

NODE, STIFF = 0, 1  # columns of plan_tangent.chamber
ZERO, ONE = np.uintp(0), np.uintp(1)


@kernel
def row_entries(plan_tangent, S, W, entry):
    """Fill A of the rows with slopes. Writes entry."""
    for k in range(plan_tangent.row.shape[0]):
        r = np.uintp(plan_tangent.row[k])
        for e in range(np.uintp(plan_tangent.path_first[k]), np.uintp(plan_tangent.path_first[k + 1])):
            sign, j = plan_tangent.path_sign[e], plan_tangent.path_screw[e]
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
def stiffnesses(plan_oil, h, x, oil, scratch, ahead, stiffness):
    """Pressures after an explicit step of h [s], and dp/de of all volumes, the larger of now and then, more where they
    shrink. Writes scratch, ahead, stiffness.
    """
    volumes = plan_oil.node_first[SOURCE]
    for i in range(volumes):
        scratch[i] = x[i] + h * oil.x_dot[i]
    strain_pressures(plan_oil, scratch, ahead, stiffness)
    for i in range(volumes):
        left = min(max(1.0 + h * oil.growth[i] / oil.room[i], 0.1), 1.0)  # of the volume
        stiffness[i] = max(oil.p_slope[i], stiffness[i]) / left
    for i in range(volumes, plan_oil.node_first[SOURCE + 1]):
        ahead[i] = oil.p[i]


@kernel
def row_slopes(plan_tangent, plan_forces, h, state, rows, by_s, by_w):
    """∂λ/∂s and ∂λ/∂w of the rows with slopes, with what elements look ahead to. Writes by_s, by_w."""
    for k in range(plan_tangent.row.shape[0]):
        r = np.uintp(plan_tangent.row[k])
        by_s[k] = rows.stiffness[r]
        by_w[k] = rows.damping[r]
    look_ahead(plan_forces, plan_tangent, h, state.u, state.x, state.z, rows, by_s, by_w)


@kernel
def responses(plan_tangent, plan_forces, plan_oil, tau, oil, tangent):
    """Fill Z of all chambers and D of all rows with slopes. Writes tangent."""
    Z, E, D, chamber = tangent.Z, tangent.E, tangent.row_D, plan_tangent.chamber
    fill(0.0, Z)
    states.soften(plan_forces, plan_tangent, tau, tangent.single, tangent.row_w)
    if plan_forces.block.shape[0] > 0:
        states.prepare_blocks(plan_forces, tau, tau, tangent.block, tangent.factor, tangent.follow)
        states.soften_blocks(plan_forces, plan_tangent, tangent.block, tangent.follow, tangent.row_w)
        states.cross_rows(plan_forces, tau, tangent.block, tangent.follow, tangent.cross_s, tangent.cross_D)
    for k in range(D.shape[0]):
        D[k] = -tau * tangent.row_w[k] - tau * tau * tangent.row_s[k]
    for i in range(chamber.shape[0]):
        tangent.chamber_x[i] = oil.push[i] * tangent.stiffness[chamber[i, NODE]]
        Z[plan_tangent.chamber_entry[i]] = tangent.chamber_w[i] * (1.0 + tau * tangent.chamber_s[i])
    circuits.respond(plan_oil, plan_tangent.column_first, plan_tangent.response_first, E, Z)
    # every chamber of a row is moved by all of that row's chambers in its circuit
    for i in range(plan_tangent.answer.shape[0]):
        moved = tangent.chamber_x[plan_tangent.answer[i, 0]] * Z[plan_tangent.answer[i, 2]]
        D[plan_tangent.answer[i, 1]] -= tau * tau * moved
    for k in range(D.shape[0]):
        D[k] = max(D[k], 0.0)
    if plan_forces.block.shape[0] > 0:
        states.limit_cross(plan_forces, plan_tangent, D, tangent.cross_D)


@kernel
def weigh_rows(plan_tangent, own, cross, kept, values):
    """values = D values of the rows with slopes; D is `own` on its diagonal, `cross` beside it. Writes kept, values."""
    if cross.shape[0] > 0:
        copy(values, kept)
    for k in range(values.shape[0]):
        values[k] *= own[k]
    for c in range(cross.shape[0]):
        one, other = plan_tangent.cross[c, 0], plan_tangent.cross[c, 1]
        values[one] += cross[c] * kept[other]
        values[other] += cross[c] * kept[one]


@shared_kernel
def add_cross(plan_tangent, entry, cross_D, L):
    """L += A_iᵀ D_ij A_j + A_jᵀ D_ij A_i of all pairs of rows of one element. Writes L."""
    place = 0
    for c in range(cross_D.shape[0]):
        one, other = plan_tangent.cross[c, 0], plan_tangent.cross[c, 1]
        for e in range(plan_tangent.path_first[one], plan_tangent.path_first[one + 1]):
            for f in range(plan_tangent.path_first[other], plan_tangent.path_first[other + 1]):
                share = cross_D[c] * entry[e] * entry[f]
                # of M only one half is kept: a velocity with itself has both products
                both = 2.0 if plan_tangent.path_dof[e] == plan_tangent.path_dof[f] else 1.0
                L[plan_tangent.cross_address[place]] += both * share
                place += 1


@kernel
def add_to_mass(plan_tangent, entry, D, L):
    """L += Aᵀ D A, but for what rows of one element do to each other. Writes L."""
    pair = ZERO
    for k in range(D.shape[0]):
        first = np.uintp(plan_tangent.path_first[k])
        for one in range(first, np.uintp(plan_tangent.path_first[k + 1])):
            share = D[k] * entry[one]
            for other in range(first, one + ONE):
                L[plan_tangent.pair_address[pair]] += share * entry[other]
                pair += ONE


@kernel
def times_rows(plan_tangent, entry, values, result):
    """result = A values, for the rows with slopes. Writes result."""
    for k in range(plan_tangent.row.shape[0]):
        total = 0.0
        for e in range(np.uintp(plan_tangent.path_first[k]), np.uintp(plan_tangent.path_first[k + 1])):
            total += entry[e] * values[plan_tangent.path_dof[e]]
        result[k] = total


@kernel
def add_rows(plan_tangent, entry, weight, values, result):
    """result += weight Aᵀ values, for the rows with slopes. Writes result."""
    for k in range(values.shape[0]):
        push = weight * values[k]
        for e in range(np.uintp(plan_tangent.path_first[k]), np.uintp(plan_tangent.path_first[k + 1])):
            result[plan_tangent.path_dof[e]] += push * entry[e]


@kernel
def eliminate_oil(plan_tangent, plan_forces, plan_oil, tau, rate_q, rate_x, tangent, u_x, force):
    """Solve for spools, strains and elements' states as if no row moved; add what they do to the force. Writes tangent,
    u_x, force.
    """
    g, row_rate, chamber = tangent.strain, tangent.row_rate, plan_tangent.chamber
    times_rows(plan_tangent, tangent.row_entry, rate_q, row_rate)

    for i in range(g.shape[0], rate_x.shape[0]):
        u_x[i] = tau * rate_x[i]
    circuits.solve_spools(plan_oil, tau, u_x)
    for i in range(g.shape[0]):
        g[i] = rate_x[i]
    circuits.add_spools(plan_oil, u_x, tangent.spool, g)
    for i in range(chamber.shape[0]):
        by_s = tangent.chamber_w[i] * tangent.chamber_s[i]
        g[chamber[i, NODE]] += tau * by_s * row_rate[chamber[i, STIFF]]
    circuits.solve_all(plan_oil, tangent.E, u_x, g)

    # forces: of the rows' own change, and of the oil's
    states.solve_states(plan_forces, plan_tangent, tau, tangent.block, tangent.factor, row_rate, rate_x, u_x)
    weigh_rows(plan_tangent, tangent.row_s, tangent.cross_s, tangent.row_kept, row_rate)
    states.push_by_blocks(plan_forces, plan_tangent, 1.0 / tau, tangent.block, u_x, row_rate)
    for i in range(chamber.shape[0]):
        row_rate[chamber[i, STIFF]] += tangent.chamber_x[i] * g[chamber[i, NODE]]
    for b in range(plan_forces.single.shape[0]):
        k, state = plan_tangent.stiff[plan_forces.single[b, SINGLE_ROW]], plan_forces.single[b, SINGLE_STATE]
        u_x[state] = tau * rate_x[state] / (1.0 - tau * tangent.single[b, RATE_Z])
        row_rate[k] += tangent.single[b, BY_Z] * u_x[state] / tau
    add_rows(plan_tangent, tangent.row_entry, tau * tau, row_rate, force)


@kernel
def restore_oil(plan_tangent, plan_forces, plan_oil, tau, u_v, tangent, u_x):
    """Increments of strains and elements' states, now that the rows' motion is known. Writes tangent, u_x."""
    times_rows(plan_tangent, tangent.row_entry, u_v, tangent.row_rate)
    for i in range(tangent.strain.shape[0]):
        u_x[i] = tau * tangent.strain[i]
    columns, responses = plan_tangent.column_first, plan_tangent.response_first
    for column in range(plan_tangent.column.shape[0]):
        tangent.speed[column] = tangent.row_rate[plan_tangent.chamber[plan_tangent.column[column], STIFF]]
    circuits.follow(plan_oil, columns, responses, tau, tangent.speed, tangent.Z, u_x)
    for b in range(plan_forces.single.shape[0]):
        speed = tangent.row_rate[plan_tangent.stiff[plan_forces.single[b, SINGLE_ROW]]]
        u_x[plan_forces.single[b, SINGLE_STATE]] += states.follow(tau, tangent.single, b) * speed
    if plan_forces.block.shape[0] > 0:
        # what values do is in the columns of rates
        fill(0.0, tangent.row_kept)
        states.follow_rows(plan_forces, plan_tangent, tangent.follow, tangent.row_kept, tangent.row_rate, u_x)
