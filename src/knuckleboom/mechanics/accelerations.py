# SPDX-License-Identifier: BSD-3-Clause
"""Accelerations of the mechanism with its loops closed.

    ⎡ M   Φ_qᵀ ⎤ ⎡ v̇ ⎤   ⎡ Q − Φ_qᵀ λ* ⎤        γ = −(Φ̇_q v + 2ξω Φ̇ + ω² Φ)
    ⎣ Φ_q  −C  ⎦ ⎣ δλ ⎦ = ⎣ γ            ⎦

One system serves all three enforcements: they differ in the compliance C and in how often it is solved.

    lagrange     C = 0, λ* = 0; a pivot far below the rows' Φ_q diag(M)⁻¹ Φ_qᵀ is lifted to that part of it (`dense`:
                 its row is left out), which tolerates redundant rows; solved once, or twice (refined) when rows are
                 redundant
    penalty      C = 1/α, λ* = 0, solved once: (M + α Φ_qᵀΦ_q) v̇ = Q + α Φ_qᵀ γ       [Baharudin 2016, eq. 2.36]
    augmented    C = 1/α, λ* ← λ* + δλ until |Φ_q v̇ − γ| = |δλ|/α is small            [Baharudin 2016, eq. 2.23]

The stabilising terms 2ξω, ω² are Baumgarte's; in (2.36) they are part of the penalty. Selectable, as their comparison
is one of the results we publish: `sparse` (loops inside the elimination order; solvers/tree_ldl.py for joint
coordinates, pattern_ldl.py for those of bodies), `dense` (solvers/cholesky.py with the Schur complement of the loops),
and for penalty and augmented `conjugate-gradients` (solvers/conjugate_gradients.py), which factor nothing.
"""

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.layout import ENFORCEMENT, FACTORISATION, NOT_CONVERGED, OK, SINGULAR
from knuckleboom.mechanics import stiffening
from knuckleboom.mechanics.rows.kinds import OF_ROWS, OF_ROWS_END, OF_VELOCITIES, OF_VELOCITIES_END, WITH_WRENCH
from knuckleboom.solvers import cholesky, conjugate_gradients, pattern_ldl, tree_ldl
from knuckleboom.solvers.vectors import fill

LAGRANGE, PENALTY, AUGMENTED = 0, 1, 2
SPARSE, DENSE, GRADIENTS = 0, 1, 2
LEAST_ENTRY = 1e-6  # m² or 1: keeps the pivot of a row without any entry away from zero
ENFORCEMENTS = {"lagrange": LAGRANGE, "penalty": PENALTY, "augmented": AUGMENTED, "index3": LAGRANGE}
FACTORISATIONS = {"sparse": SPARSE, "dense": DENSE, "conjugate-gradients": GRADIENTS}
EXACT, MOST_PER_VELOCITY = 1e-13, 20  # conjugate gradients end at this part of the right-hand side, or fail


@kernel
def loop_jacobian(plan_rows, plan_system, S, W, phi):
    """Fill Φ_q on the path of each loop row. Writes phi."""
    first = plan_rows.first
    for r in range(first[OF_ROWS], first[OF_ROWS_END]):
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            of = plan_system.path_row[e]
            if of < 0:
                phi[e] = plan_system.path_sign[e]  # of a coordinate
                continue
            j, total = plan_system.path_screw[e], 0.0
            for k in range(6):
                total += S[j, k] * W[of, k]
            phi[e] = plan_system.path_sign[e] * total
    for r in range(first[WITH_WRENCH]):
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            j = plan_system.path_screw[e]
            phi[e] = plan_system.path_sign[e] * (
                S[j, 0] * W[r, 0]
                + S[j, 1] * W[r, 1]
                + S[j, 2] * W[r, 2]
                + S[j, 3] * W[r, 3]
                + S[j, 4] * W[r, 4]
                + S[j, 5] * W[r, 5]
            )
    for e in range(plan_system.path_first[first[OF_VELOCITIES]], plan_system.path_first[first[OF_VELOCITIES_END]]):
        phi[e] = plan_system.path_sign[e]


@kernel
def loop_rates(plan_system, rows, gamma):
    """Fill γ = −(Φ̇_q v + 2ξω Φ̇ + ω² Φ). Writes gamma."""
    for r in range(plan_system.loop_slot.shape[0]):
        gamma[r] = -(rows.bias[r] + plan_system.damping[0] * rows.w[r] + plan_system.stiffness[0] * rows.s[r])


@kernel
def loop_system(plan_system, rows, system):
    """Put Φ_q and the compliance into L beside the mass matrix, and fill γ. Writes system."""
    L, phi, compliance = system.L, system.phi, system.compliance
    nloop = plan_system.loop_slot.shape[0]
    mean = 0.0
    for r in range(nloop):
        scale = 0.0
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            L[plan_system.path_address[e]] += phi[e]
            scale += (phi[e] * phi[e] + LEAST_ENTRY) / L[plan_system.path_diagonal[e]]
        compliance[r] = scale
        mean += scale / nloop
    fill(0.0, system.floor)
    for r in range(nloop):
        # a redundant row may have no entries at all at this pose: the mean keeps its pivot away from zero
        system.floor[plan_system.loop_slot[r]] = plan_system.regularisation[0] * (compliance[r] + mean)
        compliance[r] = 0.0 if plan_system.method[ENFORCEMENT] == LAGRANGE else 1.0 / plan_system.penalty[0]
        L[plan_system.loop_address[r]] = -compliance[r]
    loop_rates(plan_system, rows, system.gamma)


@kernel
def factor_dense(plan_system, plan_stiffened, system):
    """Copy M out of L, factor it, and factor the loops' Schur complement. Return −1 or the bad slot. Writes system."""
    n, nloop = plan_system.velocity_slot.shape[0], plan_system.loop_slot.shape[0]
    M, Y, schur = system.dense_M, system.dense_Y, system.dense_schur
    for j in range(n):
        for k in range(j):
            M[j, k] = 0.0
        for e in range(plan_system.pair_first[j], plan_system.pair_first[j + 1]):
            M[j, plan_system.pair_ancestor[e]] = system.L[plan_system.pair_address[e]]
    square = plan_stiffened.square
    for e in range(square.shape[0]):
        j, k = plan_system.path_dof[square[e, stiffening.FIRST]], plan_system.path_dof[square[e, stiffening.SECOND]]
        M[max(j, k), min(j, k)] = system.L[square[e, stiffening.ADDRESS]]
    fill(0.0, system.dense_y)
    bad = cholesky.factor(n, system.dense_y, M)
    if bad >= 0:
        return plan_system.velocity_slot[bad]

    for r in range(nloop):
        for j in range(n):
            Y[r, j] = 0.0
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            Y[r, plan_system.path_dof[e]] += system.phi[e]
        cholesky.forward(n, M, Y[r])
        for k in range(r + 1):
            total = 0.0
            for j in range(n):
                total += Y[r, j] * Y[k, j]
            schur[r, k] = total
        schur[r, r] += system.compliance[r]
        system.dense_z[r] = system.floor[plan_system.loop_slot[r]]
    bad = cholesky.factor(nloop, system.dense_z, schur)
    return plan_system.loop_slot[bad] if bad >= 0 else -1


@kernel
def solve_dense(plan_system, system):
    """Solve the system with the dense factors; rhs is in elimination order. Writes system.rhs."""
    n, nloop = plan_system.velocity_slot.shape[0], plan_system.loop_slot.shape[0]
    y, z, Y, rhs = system.dense_y, system.dense_z, system.dense_Y, system.rhs
    for j in range(n):
        y[j] = rhs[plan_system.velocity_slot[j]]
    cholesky.forward(n, system.dense_M, y)
    for r in range(nloop):
        total = -rhs[plan_system.loop_slot[r]]
        for j in range(n):
            total += Y[r, j] * y[j]
        z[r] = total
    cholesky.forward(nloop, system.dense_schur, z)
    cholesky.backward(nloop, system.dense_schur, z)
    for r in range(nloop):
        for j in range(n):
            y[j] -= Y[r, j] * z[r]
        rhs[plan_system.loop_slot[r]] = z[r]
    cholesky.backward(n, system.dense_M, y)
    for j in range(n):
        rhs[plan_system.velocity_slot[j]] = y[j]


@kernel
def factor_sparse(plan_system, system):
    """Factor what stands in L. Return −1 or the bad slot. Writes system.L."""
    start, depth, ancestor = plan_system.slot_start, plan_system.slot_depth, plan_system.slot_ancestor
    if plan_system.target.shape[0] > 0:
        return pattern_ldl.factor(start, depth, plan_system.target, plan_system.slot_sign, system.floor, system.L)
    return tree_ldl.factor(start, depth, ancestor, plan_system.slot_sign, system.floor, plan_system.trunk[0], system.L)


@kernel
def solve_sparse(plan_system, system):
    """Solve with the factors in L; rhs is in elimination order. Writes system.rhs."""
    tree_ldl.solve(plan_system.slot_start, plan_system.slot_depth, plan_system.slot_ancestor, system.L, system.rhs)


@kernel
def prepare_gradients(plan_system, system):
    """Factor the bodies' own blocks, the preconditioner. Return −1 or the bad slot. Writes system."""
    bad = conjugate_gradients.prepare(plan_system, system.L, system.phi, system.compliance, system.block)
    return plan_system.velocity_slot[bad] if bad >= 0 else -1


@kernel
def solve_gradients(plan_system, system):
    """Solve by conjugate gradients, from the last accelerations on; rhs is in elimination order. Return whether they
    ended. Writes system.
    """
    rhs, push, phi, nloop = system.rhs, system.push, system.phi, plan_system.loop_slot.shape[0]
    for j in range(push.shape[0]):
        push[j] = rhs[plan_system.velocity_slot[j]]
    for r in range(nloop):
        pull = rhs[plan_system.loop_slot[r]] / system.compliance[r]
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            push[plan_system.path_dof[e]] += pull * phi[e]
    x, most = system.v_dot, MOST_PER_VELOCITY * push.shape[0]
    for j in range(x.shape[0]):
        if not np.isfinite(x[j]):
            x[j] = 0.0
    count = conjugate_gradients.solve(
        plan_system, system.L, phi, system.compliance, system.block, EXACT, most, push, system.vectors, x
    )
    for r in range(nloop):
        rate = -rhs[plan_system.loop_slot[r]]
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            rate += phi[e] * x[plan_system.path_dof[e]]
        rhs[plan_system.loop_slot[r]] = rate / system.compliance[r]
    for j in range(x.shape[0]):
        rhs[plan_system.velocity_slot[j]] = x[j]
    return count >= 0


@kernel
def accelerations(plan_system, plan_stiffened, system, fault):
    """Fill v̇ and the multipliers from M, Φ_q, efforts and bias forces; stiffened is plan.stiffened. Return a
    status. Writes system, fault.
    """
    factorisation = plan_system.method[FACTORISATION]
    if factorisation == DENSE:
        bad = factor_dense(plan_system, plan_stiffened, system)
    elif factorisation == SPARSE:
        bad = factor_sparse(plan_system, system)
    else:
        bad = prepare_gradients(plan_system, system)
    if bad >= 0:
        fault[0] = bad
        return SINGULAR
    return solve(plan_system, plan_stiffened, system, fault)


@kernel
def solve(plan_system, plan_stiffened, system, fault):
    """The same with the factors that accelerations() has left. Return a status. Writes system, fault."""
    factorisation = plan_system.method[FACTORISATION]
    nloop, rhs = plan_system.loop_slot.shape[0], system.rhs
    if plan_stiffened.row.shape[0] > 0:
        stiffening.add_to_force(plan_stiffened, plan_system, system.phi, system.gamma, -1.0, system.bias)
    for r in range(nloop):
        system.multiplier[r] = 0.0
    for sweep in range(plan_system.sweeps[0]):
        for j in range(plan_system.velocity_slot.shape[0]):
            rhs[plan_system.velocity_slot[j]] = system.effort[j] - system.bias[j]
        for r in range(nloop):
            rhs[plan_system.loop_slot[r]] = system.gamma[r]
            if sweep > 0:
                for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
                    rhs[plan_system.velocity_slot[plan_system.path_dof[e]]] -= system.phi[e] * system.multiplier[r]
        if factorisation == DENSE:
            solve_dense(plan_system, system)
        elif factorisation == SPARSE:
            solve_sparse(plan_system, system)
        elif not solve_gradients(plan_system, system):
            fault[0] = -1
            return NOT_CONVERGED

        worst = 0.0
        for r in range(nloop):
            correction = rhs[plan_system.loop_slot[r]]
            system.multiplier[r] += correction
            worst = max(worst, abs(correction) * system.compliance[r])
        if plan_system.method[ENFORCEMENT] == AUGMENTED and worst <= plan_system.tolerance[0]:
            break

    for j in range(plan_system.velocity_slot.shape[0]):
        system.v_dot[j] = rhs[plan_system.velocity_slot[j]]
    return OK
