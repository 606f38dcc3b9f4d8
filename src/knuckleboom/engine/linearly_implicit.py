# SPDX-License-Identifier: BSD-3-Clause
"""One linearly implicit step of the whole machine: bounded cost, stiff parts (oil, interface, loops) in its tangent.

    stage solve, τ = γ h:   u_q = τ (r_q + u_v),   M u_v = τ r_M + τ ∂F·u,   u_x = τ (r_x + ∂ẋ·u),   Φ_q u_v = τ r_Φ
    stage rates:            of the machine at y0 + Σ A_ij u_j, plus Σ C_ij u_j/h;       y1 = y0 + Σ m_i u_i

A W-method [Hairer Wanner 1996, IV.7] with the tableau of engine/integrators/fw2.py, lim.py or lie.py. The tangent has
the slopes of oil, springs, friction, stops and loops at the start of the step, nothing of how rows and masses turn but
for servos (interface/servos.py). Oil is eliminated circuit by circuit (interface/coupling.py), M + Aᵀ D A is factored
once with the loops inside the elimination order. Only the first stage builds M: a later one asks what the first one's
accelerations a lack to balance,

    r_M = F − M(q_i) a − bias − Φ_qᵀ λ + M0 z,   r_Φ = γ(q_i, v_i, a) + C λ + Φ_q0 z,   z = a + Σ C_ij u_vj/h

[own derivation]. A step that is_rough is one of the linearly implicit Euler method, whatever the tableau: of order 1
where order 2 would not help, docs/decisions/sudden_steps.md. Where two tests say that the slopes of the oil were wrong,
the oil is integrated once more (engine/oil_pass.py) or the step is made in two or four parts,
docs/decisions/corrected_steps.md. Tested in tests/engine/test_linearly_implicit.py
"""

import numpy as np

from knuckleboom.engine import oil_pass
from knuckleboom.engine.evaluate import FORCES, SYSTEM, evaluate
from knuckleboom.hydraulics import circuits
from knuckleboom.interface import coupling, forces, servos
from knuckleboom.kernels import kernel
from knuckleboom.layout import OK, SINGULAR
from knuckleboom.mechanics import accelerations, kinematics, rows, stiffening
from knuckleboom.mechanics.elements import ball
from knuckleboom.solvers.vectors import copy, fill

CRUSHED = 0.2  # of a volume, gone within a step
SHRUNK = 0.01  # of a volume: where more is gone within a step, halves do not help
FROM_AFAR, MISFITS, PISTON_MISFITS, SHRINKS = 0, 1, 2, 3  # entries of implicit.doubt
MISFIT, HOLD, SUDDEN = 0, 1, 2  # entries of plan.implicit.doubtful

# what became of a step
FINE, CORRECTED, LEFT, HALVE = 0, 1, 2, 3
AT_A_STOP = -1
"""Status of a first stage after which the step is to be made in parts: a stop is too sudden for it."""


@kernel
def keep_rates(links, i, stage, state, system, x_dot, power, implicit):
    """Take the rates of an evaluation as those of stage i. Writes stage.u_q_dot, implicit."""
    copy(state.v, implicit.rate_q[i])
    for k in range(links.balls.shape[0]):
        iv = links.balls[k, 1]
        ball.rate(iv, stage.u_q, state.v, stage.u_q_dot)
        for j in range(iv, iv + ball.NV):
            implicit.rate_q[i, j] = stage.u_q_dot[j]
    for j in range(state.v.shape[0]):
        implicit.force[i, j] = system.effort[j] - system.bias[j]
    copy(x_dot, implicit.rate_x[i])
    copy(system.gamma, implicit.gamma[i])
    copy(power, implicit.power[i])


@kernel
def build_matrix(plan, work, h, tau, rough):
    """Turn M and the loops in L into the factored matrix of the step. Return a status. Writes work."""
    implicit, system, oil = work.implicit, work.system, work.oil
    copy(system.phi, implicit.phi)
    for i in range(implicit.bristle.shape[0]):
        copy(work.rows.bristle[i], implicit.bristle[i])

    # slopes of oil and rows, then what they add to the mass
    coupling.row_entries(plan.implicit, work.motion.S, work.rows.W, implicit.row_entry)
    coupling.row_slopes(plan.implicit, plan.forces, h, work.rows, implicit.row_s, implicit.row_w)
    servos.turning(plan.forces, plan.implicit, work.rows.bias, implicit.rate_q[0], implicit.turn)
    wary = rough or implicit.doubt[SHRINKS] > 0.0
    hold = circuits.conductances(
        plan.oil, h, rough, wary, oil, implicit.ahead, implicit.stiffness, implicit.conductance
    )  # fmt: skip
    implicit.doubt[FROM_AFAR] = hold > plan.implicit.doubtful[HOLD]
    if rough:
        circuits.ease_closing(
            plan.oil, h, oil, work.state.x, implicit.conductance, implicit.openness, implicit.stiffness
        )
    circuits.fill_slopes(plan.oil, tau, oil, implicit.conductance, implicit.stiffness, implicit.E)
    circuits.spool_slopes(plan.oil, oil, implicit.spool)
    circuits.add_steering(plan.oil, tau, oil, implicit.spool, implicit.stiffness, implicit.E)
    circuits.factor(plan.oil, implicit.E)
    forces.chamber_slopes(plan.forces, work.rows, oil, implicit.chamber_w, implicit.chamber_s)
    coupling.responses(plan.implicit, plan.forces, plan.oil, tau, oil, implicit)
    coupling.add_to_mass(plan.implicit, implicit.row_entry, implicit.row_D, system.L)
    bad = accelerations.factor_sparse(plan.system, system)
    if bad >= 0:
        work.state.fault[0] = bad
        return SINGULAR
    return OK


@kernel
def solve_stage(plan, work, tau, i):
    """Increments of stage i from its rates; the multipliers' part is left in system.multiplier. Writes work."""
    table, implicit, system = plan.system, work.implicit, work.system
    rhs, push, force, gamma = system.rhs, implicit.push, implicit.force[i], implicit.gamma[i]
    rate_q, u_q, u_v, u_x = implicit.rate_q[i], implicit.u_q[i], implicit.u_v[i], implicit.u_x[i]
    for j in range(push.shape[0]):
        push[j] = tau * force[j]
    coupling.eliminate_oil(plan.implicit, plan.forces, plan.oil, tau, rate_q, implicit.rate_x[i], implicit, u_x, push)
    servos.add_turning(
        plan.forces, plan.implicit, tau, i, implicit.rate_q[0], rate_q, implicit.turn, implicit.row_entry,
        implicit.servo, push,
    )  # fmt: skip
    # keep_momentum needs the push without what stiffened rows add: that goes to a copy
    copy(push, system.bias)
    if plan.stiffened.row.shape[0] > 0:
        stiffening.add_to_force(plan.stiffened, table, implicit.phi, gamma, tau, system.bias)
    for j in range(push.shape[0]):
        rhs[table.velocity_slot[j]] = system.bias[j]
    for r in range(gamma.shape[0]):
        rhs[table.loop_slot[r]] = tau * gamma[r]
    accelerations.solve_sparse(table, system)
    for j in range(push.shape[0]):
        u_v[j] = rhs[table.velocity_slot[j]]
        u_q[j] = tau * (rate_q[j] + u_v[j])
    for r in range(gamma.shape[0]):
        system.multiplier[r] = rhs[table.loop_slot[r]] / tau
    coupling.restore_oil(plan.implicit, plan.forces, plan.oil, tau, u_v, implicit, u_x)


@kernel
def keep_momentum(plan, tau, multiplier, u_v, implicit, momentum, closing):
    """M0 u_v and Φ_q0 u_v of the stage just solved: its right-hand side without what rows and loops took of it,
    (M0 + Aᵀ D A) u_v + τ Φ_qᵀ λ = push, which is cheaper than a product with M0. Writes implicit, momentum, closing.
    """
    table, row_rate = plan.system, implicit.row_rate
    copy(implicit.push, momentum)
    for k in range(row_rate.shape[0]):
        row_rate[k] *= implicit.row_D[k]
    coupling.add_rows(plan.implicit, implicit.row_entry, -1.0, row_rate, momentum)
    for r in range(closing.shape[0]):
        total, impulse = 0.0, tau * multiplier[r]
        for e in range(np.uintp(table.path_first[r]), np.uintp(table.path_first[r + 1])):
            j = table.path_dof[e]
            total += implicit.phi[e] * u_v[j]
            momentum[j] -= implicit.phi[e] * impulse
        closing[r] = total


@kernel
def combine(weights, count, values, result):
    """result = Σ weights_j values_j over the first stages. Writes result."""
    fill(0.0, result)
    for j in range(count):
        if weights[j] != 0.0:
            for k in range(result.shape[0]):
                result[k] += weights[j] * values[j, k]


@kernel
def move_state(weights, count, links, stage, implicit, state):
    """state = y0 + Σ weights_j u_j. Writes stage.u_q, state."""
    combine(weights, count, implicit.u_q, stage.u_q)
    kinematics.advance(links.index, stage.q0, stage.u_q, state.q)
    combine(weights, count, implicit.u_v, state.v)
    combine(weights, count, implicit.u_x, state.x)
    for j in range(state.v.shape[0]):
        state.v[j] += stage.v0[j]
    for j in range(state.x.shape[0]):
        state.x[j] += stage.x0[j]


@kernel
def lean_on_first(plan, work, h, i):
    """Rates of a later stage: add the first one's accelerations, and what earlier stages ask for. Writes implicit."""
    table, implicit, system, fresh = plan.system, work.implicit, work.system, plan.implicit.fresh[i] == 1
    force, gamma, rate_q, rate_x = implicit.force[i], implicit.gamma[i], implicit.rate_q[i], implicit.rate_x[i]
    if fresh:
        for r in range(gamma.shape[0]):
            lam = implicit.lam[r]
            gamma[r] += system.compliance[r] * lam
            for e in range(np.uintp(table.path_first[r]), np.uintp(table.path_first[r + 1])):
                force[table.path_dof[e]] -= system.phi[e] * lam
    else:
        copy(implicit.force[0], force)
        copy(implicit.gamma[0], gamma)
        copy(implicit.rate_q[0], rate_q)
        copy(implicit.rate_x[0], rate_x)

    # M0 z and Φ_q0 z, and the other rates
    for j in range(i):
        lean, share = plan.implicit.lean[i, j] / h, plan.implicit.C[i, j] / h
        if lean != 0.0:
            for k in range(force.shape[0]):
                force[k] += lean * implicit.momentum[j, k]
            for r in range(gamma.shape[0]):
                gamma[r] += lean * implicit.closing[j, r]
        for k in range(rate_q.shape[0]):
            rate_q[k] += share * implicit.u_q[j, k]
        for k in range(rate_x.shape[0]):
            rate_x[k] += share * implicit.u_x[j, k]


@kernel
def is_rough(plan, work, h):
    """Look one explicit step ahead, and tell whether something is too sudden for order 2 to help: then the linearly
    implicit Euler method makes the step, which damps better. Writes work.implicit.
    """
    oil, implicit, x = work.oil, work.implicit, work.state.x
    coupling.stiffnesses(plan.oil, h, x, oil, implicit.strain, implicit.ahead, implicit.stiffness)
    circuits.opennesses(plan.oil, h, oil, implicit.stiffness, implicit.openness)
    for i in range(implicit.stiffness.shape[0]):
        if h * oil.growth[i] < -SHRUNK * oil.room[i]:
            implicit.doubt[SHRINKS] = 1.0
        crushed = h * oil.growth[i] < -CRUSHED * oil.room[i]
        if crushed or circuits.is_held_apart(i, h, oil, x, implicit.stiffness, implicit.openness):
            return True
    return False


@kernel
def find_misfits(plan, tau, i, implicit):
    """How far the strain rates of stage i are from what the tangent expected there, as pressures at the end of a step.

        μ = m_i τ ρ P/E,   ρ = f(Y_i) − f(y0) − Σ_j A_ij (u_j/τ − r_j)          stage j was solved: J u_j = u_j/τ − r_j

    rate_x of stage i must still be f(Y_i). Writes implicit.
    """
    table, A, misfit, most = plan.implicit, plan.implicit.A[i], implicit.misfit, plan.implicit.doubtful[MISFIT]
    for n in range(misfit.shape[0]):
        rest = implicit.rate_x[i, n] - implicit.rate_x[0, n]
        for j in range(i):
            rest -= A[j] * (implicit.u_x[j, n] / tau - implicit.rate_x[j, n])
        # in E stands the inverse of the pivot
        misfit[n] = abs(table.m[i] * tau * rest * implicit.stiffness[n] * implicit.E[plan.oil.diagonal[n]])
        if misfit[n] > most:
            implicit.doubt[MISFITS] = 1.0
    for c in range(table.chamber.shape[0]):
        if misfit[table.chamber[c, coupling.NODE]] > most:
            implicit.doubt[PISTON_MISFITS] = 1.0


@kernel
def stage(plan, work, h, i, whole):
    """Stage i of a step: evaluate where the method asks for it, the first one also factors the matrix; then solve. Of a
    rough step only the first one is solved, and powers are taken at its end. Return a status, AT_A_STOP only for a
    `whole` step. Writes work.
    """
    start, implicit = work.stage, work.implicit
    ends = i > 0 and implicit.rough[0] > 0.0
    if plan.implicit.fresh[i] == 1:
        if i == 0:
            fill(0.0, start.u_q)
        else:
            weights, count = (plan.implicit.whole, 1) if ends else (plan.implicit.A[i], i)
            move_state(weights, count, plan.links, start, implicit, work.state)
        status = evaluate(plan, work, implicit.a, SYSTEM if i == 0 else FORCES)
        if status != OK:
            return status
        keep_rates(plan.links, i, start, work.state, work.system, work.oil.x_dot, work.oil.power, implicit)
    if ends:
        rows.driver_powers(plan.rows, work.rows, implicit.lam, implicit.power[i])
        return OK
    if i == 0:
        fill(0.0, implicit.doubt)
        for k in range(implicit.row_s0.shape[0]):
            implicit.row_s0[k] = work.rows.s[plan.implicit.row[k]]
        implicit.rough[0] = is_rough(plan, work, h)
        sudden = coupling.suddenness(plan.forces, h, work.rows) > plan.implicit.doubtful[SUDDEN]
        if whole and sudden and implicit.rough[0] == 0.0 and implicit.doubt[SHRINKS] == 0.0:
            return AT_A_STOP
    rough = implicit.rough[0] > 0.0
    tau = h if rough else plan.implicit.gamma[0] * h
    if i == 0:
        status = build_matrix(plan, work, h, tau, rough)
        if status != OK:
            return status
    else:
        if plan.implicit.fresh[i] == 1:
            find_misfits(plan, tau, i, implicit)
        lean_on_first(plan, work, h, i)
    solve_stage(plan, work, tau, i)
    servos.keep(
        plan.forces, plan.implicit, i, work.state.u, work.state.x, work.rows.w, implicit.row_rate, implicit.servo
    )

    multiplier = work.system.multiplier
    if i == 0:
        for j in range(implicit.a.shape[0]):
            implicit.a[j] = implicit.u_v[0, j] / tau
        copy(multiplier, implicit.lam)
    if plan.implicit.kept[i] == 1:
        keep_momentum(plan, tau, multiplier, implicit.u_v[i], implicit, implicit.momentum[i], implicit.closing[i])
    if i > 0 and plan.implicit.fresh[i] == 1:
        for r in range(implicit.lam.shape[0]):
            multiplier[r] += implicit.lam[r]
    rows.driver_powers(plan.rows, work.rows, multiplier, implicit.power[i])
    return OK


@kernel
def correct(plan, work, whole, part, parts, given):
    """Where a step is in doubt, integrate its oil once more. It is one of `parts` equal ones of the whole [s], `given`
    are the inputs over that. Return what became of it; HALVE, if it is the whole one and halves are better: then the
    state is of no use. Writes work.
    """
    implicit, doubt = work.implicit, work.implicit.doubt
    halves = parts == 1 and implicit.rough[0] == 0.0 and doubt[SHRINKS] == 0.0
    if halves and doubt[PISTON_MISFITS] > 0.0:
        return HALVE
    if doubt[FROM_AFAR] == 0.0 and doubt[MISFITS] == 0.0:
        return FINE
    oil_pass.keep_end(plan, work, whole / parts)
    if oil_pass.integrate(plan, work, whole, part, parts, given):
        return CORRECTED
    copy(implicit.x_end, work.state.x)
    return HALVE if halves else LEFT


@kernel
def finish(plan, work, whole, part, parts, given):
    """Put the stages together: the state and the energies at the end of the step, which is one of `parts` equal ones of
    the whole [s] with the inputs `given`. Return what became of it: nothing is to be used where that is HALVE. Writes
    work.

    The multipliers of drivers depend on all that the tangent has: their powers are weighed as the rates of v are. Of a
    rough step the powers at both ends count alike, if the method evaluates more than once. Servos: interface/servos.py.
    """
    table, energy, power, h = plan.implicit, work.state.energy, work.implicit.power, whole / parts
    drivers, rough, count = energy.shape[0] - work.rows.target.shape[0], work.implicit.rough[0] > 0.0, table.stages[0]
    weights, used, flows = (table.whole if rough else table.m), (1 if rough else count), plan.oil.power_first[0]
    move_state(weights, used, plan.links, work.stage, work.implicit, work.state)
    outcome = correct(plan, work, whole, part, parts, given)
    if outcome == HALVE:
        return outcome
    servos.mean_powers(plan.forces, table, weights, used, rough, work.implicit.servo, power)
    evaluations = 0
    for i in range(count):
        evaluations += table.fresh[i]
    for i in range(count):
        weight, b = table.weight[i], table.b[i]
        if rough:
            weight = b = table.fresh[i] / evaluations
        if weight != 0.0:
            for k in range(flows):
                energy[k] += h * weight * power[i, k]
            if outcome != CORRECTED:
                for k in range(flows, drivers):
                    energy[k] += h * weight * power[i, k]
        if b != 0.0:
            for k in range(drivers, energy.shape[0]):
                energy[k] += h * b * power[i, k]
    if outcome == CORRECTED:
        for k in range(flows, drivers):
            energy[k] += work.implicit.flow_work[k]
    return outcome
