# SPDX-License-Identifier: BSD-3-Clause
"""One implicit step of the whole machine, positions as unknowns: index-3 augmented Lagrangian in Newton's iteration.

    v1 = v0 + (h − τ) a0 + τ a1,   q1 = q0 ⊕ ((h − τ) v0 + τ v1),   x1 = x0 + (h − τ) ẋ0 + τ ẋ1
    M a1 + bias + Φ_qᵀ λ = F(q1, v1, x1),   Φ(q1) = 0              [Naya 2011, eqs 5-16 and 17-26]

τ = h/2 is the trapezoidal rule (order 2, no damping), τ = h the implicit Euler rule (order 1, damps at once), which
takes the two half steps after a jump. Newton solves for δv = δq/τ with the exact tangent: inertia
(mechanics/derivatives.py), turning rows (mechanics/row_slopes.py), oil and interface (interface/exact_coupling.py),
loops with λ ← λ + δλ in every iteration. Velocities and accelerations are then projected onto their constraints with
the same factors [eqs 14, 15].
"""

from knuckleboom.engine import cointegrate, ringing
from knuckleboom.engine.evaluate import evaluate, evaluate_forces
from knuckleboom.hydraulics.network import SOURCE
from knuckleboom.interface import coupling, exact_coupling
from knuckleboom.kernels import kernel, outlined_kernel
from knuckleboom.layout import NOT_CONVERGED, OK, SINGULAR
from knuckleboom.mechanics import derivatives, kinematics, row_slopes, rows
from knuckleboom.solvers import lu
from knuckleboom.solvers.vectors import copy, fill

MOST = 30  # Newton iterations


@outlined_kernel
def begin(plan, work):
    """Fill what a step carries over: accelerations, rates, multipliers and powers. Return a status. Writes work."""
    status = evaluate(plan, work, True)
    if status == OK:
        copy(work.system.v_dot, work.state.rate_v)
        copy(work.oil.x_dot, work.state.rate_x)
        copy(work.system.multiplier, work.state.multiplier)
        copy(work.oil.power, work.state.power)
        ringing.forget(work.newton)
    return status


@kernel
def predict(links, h, tau, stage, newton, state):
    """Begin Newton with constant rates. Writes newton.u_q, state."""
    for j in range(state.v.shape[0]):
        state.v[j] = stage.v0[j] + h * state.rate_v[j]
        newton.u_q[j] = (h - tau) * stage.v0[j] + tau * state.v[j]
    for j in range(state.x.shape[0]):
        state.x[j] = stage.x0[j] + h * state.rate_x[j]
    kinematics.advance(links.index, stage.q0, newton.u_q, state.q)


@kernel
def wanted_accelerations(h, tau, stage, state, a):
    """a1 of the rule, from v1. Writes a."""
    for j in range(a.shape[0]):
        a[j] = (state.v[j] - stage.v0[j] - (h - tau) * state.rate_v[j]) / tau


@kernel
def residuals(plan, work, h, tau):
    """Fill what lacks: τ (F − M a − bias − Φ_qᵀ λ), −Φ/τ, and that of x. Writes newton."""
    table, newton, state, stage = plan.system, work.newton, work.state, work.stage
    nv = state.v.shape[0]
    for j in range(nv):
        newton.rhs[j] = tau * (work.system.effort[j] - work.system.bias[j])
    for r in range(state.multiplier.shape[0]):
        for e in range(table.path_first[r], table.path_first[r + 1]):
            newton.rhs[table.path_dof[e]] -= tau * work.system.phi[e] * state.multiplier[r]
        newton.rhs[nv + r] = -work.rows.s[r] / tau
    for i in range(state.x.shape[0]):
        newton.rate_x[i] = (h - tau) * state.rate_x[i] + tau * work.oil.x_dot[i] - (state.x[i] - stage.x0[i])


@kernel
def tangent(plan, work, tau):
    """Fill and factor the tangent at the state that was just evaluated. Return −1 or the bad row. Writes work."""
    table, newton, implicit = plan.system, work.newton, work.implicit
    nv, nloop = work.state.v.shape[0], work.state.multiplier.shape[0]
    J = newton.J
    derivatives.inverse_dynamics_slopes(plan.links, tau, work.motion, newton, J)
    row_slopes.geometric_stiffness(plan.rows, plan.newton, tau * tau, work.state.multiplier, work.motion, work.rows, J)

    # oil, eliminated circuit by circuit, and the rows' own slopes
    coupling.row_entries(plan.implicit, work.motion.S, work.rows.W, implicit.row_entry)
    exact_coupling.factor_oil(plan.oil, tau, work.oil, implicit)
    row_slopes.rate_slopes(
        plan.rows, plan.newton, plan.implicit, work.state.v, work.motion, work.rows, implicit.row_turn
    )
    exact_coupling.chamber_responses(plan.implicit, plan.forces, plan.oil, work.oil, implicit)
    exact_coupling.add_slopes(plan, tau, work.rows, implicit, J)

    for r in range(nloop):
        for e in range(table.path_first[r], table.path_first[r + 1]):
            J[table.path_dof[e], nv + r] = work.system.phi[e]
            J[nv + r, table.path_dof[e]] = work.system.phi[e]
        J[nv + r, nv + r] = -plan.newton.compliance[0]
    return lu.factor(nv + nloop, J)


@kernel
def correct(plan, work, tau):
    """Solve for the corrections, apply them, and return their sizes in q and in pressure. Writes work."""
    newton, state, implicit = work.newton, work.state, work.implicit
    nv, nloop, volumes = state.v.shape[0], state.multiplier.shape[0], plan.oil.node_first[SOURCE]
    exact_coupling.eliminate(plan, tau, work.oil.x_dot, implicit, newton.rate_x)
    exact_coupling.push_by_strains(plan, tau, newton.rate_x, implicit, newton.rhs)
    lu.solve(nv + nloop, newton.J, newton.rhs)

    size = 0.0
    for j in range(nv):
        state.v[j] += newton.rhs[j]
        newton.u_q[j] += tau * newton.rhs[j]
        size = max(size, abs(tau * newton.rhs[j]))
    for r in range(nloop):
        state.multiplier[r] += newton.rhs[nv + r] / tau

    # strains follow the rows
    exact_coupling.add_motion(plan, tau, newton.rhs, implicit, newton.rate_x)
    pressure = 0.0
    for i in range(state.x.shape[0]):
        state.x[i] += newton.rate_x[i]
        if i < volumes:
            pressure = max(pressure, abs(implicit.stiffness[i] * newton.rate_x[i]))
    return size, pressure


@kernel
def project(work):
    """Take v1 and a1 onto their constraints with the last factors, from the rows just evaluated. Writes work.

    λ follows a1: before, both are of order 1 only, as v1 has an error of order 2 that a1 divides by h.
    """
    newton, state, a = work.newton, work.state, work.implicit.a
    nv, nloop = state.v.shape[0], state.multiplier.shape[0]
    fill(0.0, newton.rhs)
    for r in range(nloop):
        newton.rhs[nv + r] = -work.rows.w[r]
    lu.solve(nv + nloop, newton.J, newton.rhs)
    for j in range(nv):
        state.v[j] += newton.rhs[j]
    fill(0.0, newton.rhs)
    for r in range(nloop):
        newton.rhs[nv + r] = -work.rows.bias[r]
    lu.solve(nv + nloop, newton.J, newton.rhs)
    for j in range(nv):
        a[j] += newton.rhs[j]
    for r in range(nloop):
        state.multiplier[r] += newton.rhs[nv + r]


@kernel
def keep_rates(state, newton):
    """Keep what the step carries over, in case it must be made anew. Writes newton."""
    copy(state.rate_v, newton.rate_v0)
    copy(state.rate_x, newton.rate_x0)
    copy(state.multiplier, newton.multiplier0)
    copy(state.power, newton.power0)


@kernel
def take_back_rates(newton, state):
    """Return to what the failed step began with. Writes state."""
    copy(newton.rate_v0, state.rate_v)
    copy(newton.rate_x0, state.rate_x)
    copy(newton.multiplier0, state.multiplier)
    copy(newton.power0, state.power)


@kernel
def step(plan, work, h, tau):
    """One step of size h with the weight τ on its end. Return a status. Writes work.

    Passes of one loop, so that the evaluation is compiled once: where oil is integrated apart, first one for the rows
    of the start (the last step left those of its last iteration); then Newton's iterations; with loops a last one for
    the projections.
    """
    state, stage, newton, a = work.state, work.stage, work.newton, work.implicit.a
    apart, loops, converged = plan.newton.power[0] >= 0, state.multiplier.shape[0] > 0, False
    if not apart:
        predict(plan.links, h, tau, stage, newton, state)
    for number in range(-1 if apart else 0, MOST + 1):
        wanted_accelerations(h, tau, stage, state, a)
        for sweep in range(2 if apart and not converged else 1):
            status = evaluate_forces(plan, work)
            if status == OK and apart and sweep == 0 and number >= 0 and not converged:
                status = cointegrate.advance(plan, work, h, tau / h)
            if status != OK:
                return status
        if number < 0:
            cointegrate.keep_rows(work.rows, newton.row_s0, newton.row_w0)
            predict(plan.links, h, tau, stage, newton, state)
            continue
        if converged:
            project(work)
            break

        residuals(plan, work, h, tau)
        if apart:
            fill(0.0, newton.rate_x)
        bad = tangent(plan, work, tau)
        if bad >= 0:
            state.fault[0] = bad
            return SINGULAR
        size, pressure = correct(plan, work, tau)
        kinematics.advance(plan.links.index, stage.q0, newton.u_q, state.q)
        newton.count[0] += 1.0
        converged = size < plan.newton.tolerance[0] and pressure < plan.newton.tolerance[1]
        if converged and not loops:
            wanted_accelerations(h, tau, stage, state, a)
            break
    if not converged:
        return NOT_CONVERGED

    rows.driver_powers(plan.rows, work.rows, state.multiplier, work.oil.power)
    for i in range(state.energy.shape[0]):
        state.energy[i] += (h - tau) * state.power[i] + tau * work.oil.power[i]
    copy(work.oil.power, state.power)
    copy(a, state.rate_v)
    for i in range(state.x.shape[0]):
        state.rate_x[i] = (state.x[i] - stage.x0[i] - (h - tau) * state.rate_x[i]) / tau
    newton.count[1] += 1.0
    return OK
