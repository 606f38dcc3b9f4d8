# SPDX-License-Identifier: BSD-3-Clause
"""One linearly implicit step of the whole machine: bounded cost, stiff parts (oil, interface, loops) in its tangent.

    stage solve, τ = γ h:   u_q = τ (r_q + u_v),   M u_v = τ r_M + τ ∂F·u,   u_x = τ (r_x + ∂ẋ·u),   Φ_q u_v = τ r_Φ
    stage rates:            of the machine at y0 + Σ A_ij u_j, plus Σ C_ij u_j/h;       y1 = y0 + Σ m_i u_i

A W-method [Hairer Wanner 1996, IV.7] with the tableau of engine/integrators/fw2.py, lim.py or lie.py. The tangent has
the slopes of oil, springs, friction, stops and loops at the start of the step, nothing of how rows and masses turn but
for servos (interface/mean_power.py). Oil is eliminated circuit by circuit (interface/coupling.py), M + Aᵀ D A is
factored once with the loops inside the elimination order. Only the first stage builds M: a later one asks what the
first one's accelerations a lack to balance,

    r_M = F − M(q_i) a − bias − Φ_qᵀ λ + M0 z,   r_Φ = γ(q_i, v_i, a) + C λ + Φ_q0 z,   z = a + Σ C_ij u_vj/h

[own derivation]. A step that is_rough is one of the linearly implicit Euler method, whatever the tableau: of order 1
where order 2 would not help, docs/decisions/sudden_steps.md. Where two tests say that the slopes of the oil were wrong,
the oil is integrated once more (engine/oil_pass.py) or the step is made in two or four parts,
docs/decisions/corrected_steps.md. Tested in tests/engine/test_linearly_implicit.py
"""

import numpy as np

from knuckleboom.engine import oil_pass
from knuckleboom.engine.control import hold_at
from knuckleboom.engine.evaluate import evaluate
from knuckleboom.engine.motion import aim
from knuckleboom.hydraulics import circuits
from knuckleboom.interface import contact, coupling, forces, ground_tangent, mean_power, pair_tangent, pairs
from knuckleboom.kernels import kernel
from knuckleboom.layout import (
    CORRECTED_STEPS,
    MOST_ITERATIONS,
    OK,
    PARTED_STEPS,
    SINGULAR,
    UNRESOLVED_STEPS,
)
from knuckleboom.mechanics import accelerations, kinematics, payload, stiffening
from knuckleboom.mechanics.elements import ball
from knuckleboom.mechanics.rows import driven
from knuckleboom.mechanics.stages import INVERSE, SYSTEM
from knuckleboom.solvers.vectors import copy, fill

CRUSHED = 0.2  # of a volume, gone within a step
SHRUNK = 0.01  # of a volume: where more is gone within a step, halves do not help
FROM_AFAR, MISFITS, PISTON_MISFITS, SHRINKS = 0, 1, 2, 3  # entries of tableau.doubt
MISFIT, HOLD, SUDDEN = 0, 1, 2  # entries of plan.tableau.doubtful

# what became of a step
FINE, CORRECTED, LEFT, HALVE = 0, 1, 2, 3
AT_A_STOP, IN_HALVES = -1, -2
"""Statuses after which the step is made in parts: a stop is too sudden for its first stage, halves suit its oil."""
PARTS_AT_A_STOP = 4


@kernel
def smooth_pairs(plan):
    """Whether bodies meet by forces, which have slopes, and not by impulses."""
    return plan.pairs.index.shape[0] > 0 and plan.touch.held[0] == 0


@kernel
def keep_rates(plan_links, i, stage, state, system, x_dot, power, tableau):
    """Take the rates of an evaluation as those of stage i. Writes stage.u_q_dot, tableau."""
    copy(state.v, tableau.rate_q[i])
    for k in range(plan_links.balls.shape[0]):
        iv = plan_links.balls[k, 1]
        ball.rate(iv, stage.u_q, state.v, stage.u_q_dot)
        for j in range(iv, iv + ball.NV):
            tableau.rate_q[i, j] = stage.u_q_dot[j]
    for j in range(state.v.shape[0]):
        tableau.force[i, j] = system.effort[j] - system.bias[j]
    copy(x_dot, tableau.rate_x[i])
    copy(system.gamma, tableau.gamma[i])
    copy(power, tableau.power[i])


@kernel
def add_tangent(plan, work, h, tau, rough):
    """Fill the slopes of oil and rows, and add what they do to M in L. Writes work."""
    tangent, tableau, system, oil = work.tangent, work.tableau, work.system, work.oil
    copy(system.phi, tableau.phi)
    for i in range(tangent.single.shape[0]):
        copy(work.rows.single[i], tangent.single[i])
    copy(work.rows.block, tangent.block)

    # slopes of oil and rows, then what they add to the mass
    coupling.row_entries(plan.tangent, work.motion.S, work.rows.W, tangent.row_entry)
    coupling.row_slopes(plan.tangent, plan.forces, h, work.state, work.rows, tangent.row_s, tangent.row_w)
    mean_power.turning(
        plan.forces, plan.tangent, work.state.u, work.state.x, work.state.z, tableau.rate_q[0], work.rows, tangent.turn
    )
    wary = rough or tableau.doubt[SHRINKS] > 0.0
    hold = circuits.conductances(
        plan.oil, h, rough, wary, oil, tangent.ahead, tangent.stiffness, tangent.conductance
    )  # fmt: skip
    tableau.doubt[FROM_AFAR] = hold > plan.tableau.doubtful[HOLD]
    if rough:
        circuits.ease_closing(
            plan.oil, h, oil, work.state.x, tangent.conductance, tangent.openness, tangent.stiffness
        )
    circuits.fill_slopes(plan.oil, tau, oil, tangent.conductance, tangent.stiffness, tangent.E)
    circuits.spool_slopes(plan.oil, oil, tangent.spool)
    circuits.add_steering(plan.oil, tau, oil, tangent.spool, tangent.stiffness, tangent.E)
    circuits.factor(plan.oil, tangent.E)
    forces.chamber_slopes(plan.forces, work.rows, oil, tangent.chamber_w, tangent.chamber_s)
    coupling.responses(plan.tangent, plan.forces, plan.oil, tau, oil, tangent)
    coupling.add_to_mass(plan.tangent, tangent.row_entry, tangent.row_D, system.L)
    coupling.add_cross(plan.tangent, tangent.row_entry, tangent.cross_D, system.L)
    if plan.touch.chain.shape[0] > 0:
        ground_tangent.add_to_mass(plan, tau, h, work, tangent)
    if smooth_pairs(plan):
        pair_tangent.add_to_mass(plan, tau, h, work, tangent)
    if plan.payload.index.shape[0] > 0:
        payload.add_to_mass(plan, work, tau)


@kernel
def solve_motion(plan, work, tau, i):
    """Increments of motion of stage i from its rates; multipliers' part is left in system.multiplier. Writes work."""
    plan_system, tangent, tableau, system = plan.system, work.tangent, work.tableau, work.system
    rhs, push, force, gamma = system.rhs, tableau.push, tableau.force[i], tableau.gamma[i]
    rate_q, u_q, u_v, u_x = tableau.rate_q[i], tableau.u_q[i], tableau.u_v[i], tableau.u_x[i]
    for j in range(push.shape[0]):
        push[j] = tau * force[j]
    coupling.eliminate_oil(plan.tangent, plan.forces, plan.oil, tau, rate_q, tableau.rate_x[i], tangent, u_x, push)
    if plan.touch.chain.shape[0] > 0:
        ground_tangent.eliminate(plan, tau, rate_q, tableau.rate_x[i], tangent, u_x, push)
    if smooth_pairs(plan):
        pair_tangent.eliminate(plan, tau, rate_q, tableau.rate_x[i], work.pairs, tangent, u_x, push)
    mean_power.add_turning(
        plan.forces, plan.tangent, tau, i, tableau.rate_q[0], rate_q, tangent.turn, tangent.row_entry,
        tableau.mean, push,
    )  # fmt: skip
    # keep_momentum needs the push without what stiffened rows add: that goes to a copy
    copy(push, system.bias)
    if plan.stiffened.row.shape[0] > 0:
        stiffening.add_to_force(plan.stiffened, plan_system, tableau.phi, gamma, tau, system.bias)
    for j in range(push.shape[0]):
        rhs[plan_system.velocity_slot[j]] = system.bias[j]
    for r in range(gamma.shape[0]):
        rhs[plan_system.loop_slot[r]] = tau * gamma[r]
    accelerations.solve_sparse(plan_system, system)
    for j in range(push.shape[0]):
        u_v[j] = rhs[plan_system.velocity_slot[j]]
        u_q[j] = tau * (rate_q[j] + u_v[j])
    for r in range(gamma.shape[0]):
        system.multiplier[r] = rhs[plan_system.loop_slot[r]] / tau


@kernel
def restore_states(plan, work, tau, i):
    """Increments of the states of stage i from those of its motion. Writes work."""
    tangent, u_v, u_x = work.tangent, work.tableau.u_v[i], work.tableau.u_x[i]
    coupling.restore_oil(plan.tangent, plan.forces, plan.oil, tau, u_v, tangent, u_x)
    if plan.touch.chain.shape[0] > 0:
        ground_tangent.restore(plan, u_v, tangent, u_x)
    if smooth_pairs(plan):
        pair_tangent.restore(plan, u_v, work.pairs, tangent, u_x)


@kernel
def keep_momentum(plan, tau, multiplier, u_v, met, tangent, tableau, momentum, closing):
    """M0 u_v and Φ_q0 u_v of the stage just solved: its right-hand side without what rows and loops took of it,
    (M0 + Aᵀ D A) u_v + τ Φ_qᵀ λ = push, which is cheaper than a product with M0. Writes tangent, momentum, closing.
    """
    plan_system, row_rate = plan.system, tangent.row_rate
    copy(tableau.push, momentum)
    coupling.weigh_rows(plan.tangent, tangent.row_D, tangent.cross_D, tangent.row_kept, row_rate)
    coupling.add_rows(plan.tangent, tangent.row_entry, -1.0, row_rate, momentum)
    if plan.touch.chain.shape[0] > 0:
        ground_tangent.take_from_momentum(plan, tangent, momentum)
    if plan.pairs.index.shape[0] > 0:
        pair_tangent.take_from_momentum(plan, met, tangent, momentum)
    if plan.payload.index.shape[0] > 0:
        payload.take_from_momentum(plan, tangent, u_v, momentum)
    for r in range(closing.shape[0]):
        total, impulse = 0.0, tau * multiplier[r]
        for e in range(np.uintp(plan_system.path_first[r]), np.uintp(plan_system.path_first[r + 1])):
            j = plan_system.path_dof[e]
            total += tableau.phi[e] * u_v[j]
            momentum[j] -= tableau.phi[e] * impulse
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
def move_state(weights, count, plan_links, stage, tableau, state):
    """state = y0 + Σ weights_j u_j. Writes stage.u_q, state."""
    combine(weights, count, tableau.u_q, stage.u_q)
    kinematics.advance(plan_links.index, stage.q0, stage.u_q, state.q)
    combine(weights, count, tableau.u_v, state.v)
    combine(weights, count, tableau.u_x, state.x)
    for j in range(state.v.shape[0]):
        state.v[j] += stage.v0[j]
    for j in range(state.x.shape[0]):
        state.x[j] += stage.x0[j]


@kernel
def lean_on_first(plan, work, h, i):
    """Rates of a later stage: add the first one's accelerations, and what earlier stages ask for. Writes tableau."""
    plan_system, tableau, system, fresh = plan.system, work.tableau, work.system, plan.tableau.fresh[i] == 1
    force, gamma, rate_q, rate_x = tableau.force[i], tableau.gamma[i], tableau.rate_q[i], tableau.rate_x[i]
    if fresh:
        for r in range(gamma.shape[0]):
            lam = tableau.lam[r]
            gamma[r] += system.compliance[r] * lam
            for e in range(np.uintp(plan_system.path_first[r]), np.uintp(plan_system.path_first[r + 1])):
                force[plan_system.path_dof[e]] -= system.phi[e] * lam
    else:
        copy(tableau.force[0], force)
        copy(tableau.gamma[0], gamma)
        copy(tableau.rate_q[0], rate_q)
        copy(tableau.rate_x[0], rate_x)

    # M0 z and Φ_q0 z, and the other rates
    for j in range(i):
        lean, share = plan.tableau.lean[i, j] / h, plan.tableau.C[i, j] / h
        if lean != 0.0:
            for k in range(force.shape[0]):
                force[k] += lean * tableau.momentum[j, k]
            for r in range(gamma.shape[0]):
                gamma[r] += lean * tableau.closing[j, r]
        for k in range(rate_q.shape[0]):
            rate_q[k] += share * tableau.u_q[j, k]
        for k in range(rate_x.shape[0]):
            rate_x[k] += share * tableau.u_x[j, k]


@kernel
def is_rough(plan, work, h):
    """Look one explicit step ahead, and tell whether something is too sudden for order 2 to help: then the linearly
    implicit Euler method makes the step, which damps better. Writes work.tangent, work.tableau.
    """
    oil, tangent, tableau, x = work.oil, work.tangent, work.tableau, work.state.x
    coupling.stiffnesses(plan.oil, h, x, oil, tangent.strain, tangent.ahead, tangent.stiffness)
    circuits.opennesses(plan.oil, h, oil, tangent.stiffness, tangent.openness)
    for i in range(tangent.stiffness.shape[0]):
        if h * oil.growth[i] < -SHRUNK * oil.room[i]:
            tableau.doubt[SHRINKS] = 1.0
        crushed = h * oil.growth[i] < -CRUSHED * oil.room[i]
        if crushed or circuits.is_held_apart(i, h, oil, x, tangent.stiffness, tangent.openness):
            return True
    return False


@kernel
def find_misfits(plan, tau, i, tangent, tableau):
    """How far the strain rates of stage i are from what the tangent expected there, as pressures at the end of a step.

        μ = m_i τ ρ P/E,   ρ = f(Y_i) − f(y0) − Σ_j A_ij (u_j/τ − r_j)          stage j was solved: J u_j = u_j/τ − r_j

    rate_x of stage i must still be f(Y_i). Writes tableau.
    """
    chamber, A, misfit, most = plan.tangent.chamber, plan.tableau.A[i], tableau.misfit, plan.tableau.doubtful[MISFIT]
    for n in range(misfit.shape[0]):
        rest = tableau.rate_x[i, n] - tableau.rate_x[0, n]
        for j in range(i):
            rest -= A[j] * (tableau.u_x[j, n] / tau - tableau.rate_x[j, n])
        # in E stands the inverse of the pivot
        misfit[n] = abs(plan.tableau.m[i] * tau * rest * tangent.stiffness[n] * tangent.E[plan.oil.diagonal[n]])
        if misfit[n] > most:
            tableau.doubt[MISFITS] = 1.0
    for c in range(chamber.shape[0]):
        if misfit[chamber[c, coupling.NODE]] > most:
            tableau.doubt[PISTON_MISFITS] = 1.0


@kernel
def stage(plan, work, h, i, whole):
    """Stage i of a step: evaluate where the method asks for it, the first one also factors the matrix; then solve. Of a
    rough step only the first one is solved, and powers are taken at its end. Return a status, AT_A_STOP only for a
    `whole` step. Writes work.
    """
    start, tableau = work.stage, work.tableau
    ends = i > 0 and tableau.rough[0] > 0.0
    if plan.tableau.fresh[i] == 1:
        if i == 0:
            fill(0.0, start.u_q)
        else:
            weights, count = (plan.tableau.whole, 1) if ends else (plan.tableau.A[i], i)
            move_state(weights, count, plan.links, start, tableau, work.state)
        # what touches is looked for at the start of a step, and kept for all of it
        work.pairs.mode[pairs.STEP], work.pairs.mode[pairs.KEPT] = h, min(i, 1)
        status = evaluate(plan, work, SYSTEM if i == 0 else INVERSE)
        work.pairs.mode[pairs.STEP], work.pairs.mode[pairs.KEPT] = 0.0, 0.0
        if status != OK:
            return status
        keep_rates(plan.links, i, start, work.state, work.system, work.oil.x_dot, work.oil.power, tableau)
    if ends:
        driven.driver_powers(plan.rows, work.rows, tableau.lam, tableau.power[i])
        return OK
    if i == 0:
        fill(0.0, tableau.doubt)
        for k in range(tableau.row_s0.shape[0]):
            tableau.row_s0[k] = work.rows.s[plan.tangent.row[k]]
        tableau.rough[0] = is_rough(plan, work, h)
        state = work.state
        most = forces.suddenness(plan.forces, h, state.u, state.x, state.z, work.rows)
        if plan.touch.index.shape[0] > 0:
            most = max(most, contact.suddenness(plan.touch, h, work.touch))
        if plan.pairs.index.shape[0] > 0:
            most = max(most, pairs.suddenness(plan.pairs, h, work.pairs))
        sudden = most > plan.tableau.doubtful[SUDDEN]
        if whole and sudden and tableau.rough[0] == 0.0 and tableau.doubt[SHRINKS] == 0.0:
            return AT_A_STOP
    rough = tableau.rough[0] > 0.0
    tau = h if rough else plan.tableau.gamma[0] * h
    if i == 0:
        add_tangent(plan, work, h, tau, rough)
        bad = accelerations.factor_sparse(plan.system, work.system)
        if bad >= 0:
            work.state.fault[0] = bad
            return SINGULAR
    else:
        if plan.tableau.fresh[i] == 1:
            find_misfits(plan, tau, i, work.tangent, tableau)
        lean_on_first(plan, work, h, i)
    solve_and_keep(plan, work, tau, i)
    return OK


@kernel
def solve_and_keep(plan, work, tau, i):
    """Solve stage i with the factors in L, and keep what later stages and the energies need of it. Writes work."""
    solve_motion(plan, work, tau, i)
    restore_states(plan, work, tau, i)
    keep_solution(plan, work, tau, i)


@kernel
def keep_solution(plan, work, tau, i):
    """Keep of the increments of stage i what later stages and the energies need. Writes work."""
    tangent, tableau, multiplier = work.tangent, work.tableau, work.system.multiplier
    mean_power.keep(
        plan.forces, plan.tangent, i, work.state.u, work.state.x, work.state.z, work.rows, tangent.row_rate,
        tableau.mean,
    )  # fmt: skip
    if i == 0:
        for j in range(work.system.a.shape[0]):
            work.system.a[j] = tableau.u_v[0, j] / tau
        copy(multiplier, tableau.lam)
    if plan.tableau.kept[i] == 1:
        keep_momentum(
            plan, tau, multiplier, tableau.u_v[i], work.pairs, tangent, tableau, tableau.momentum[i],
            tableau.closing[i],
        )  # fmt: skip
    if i > 0 and plan.tableau.fresh[i] == 1:
        for r in range(tableau.lam.shape[0]):
            multiplier[r] += tableau.lam[r]
    driven.driver_powers(plan.rows, work.rows, multiplier, tableau.power[i])


@kernel
def correct(plan, work, whole, part, parts, given):
    """Where a step is in doubt, integrate its oil once more. It is one of `parts` equal ones of the whole [s], `given`
    are the inputs over that. Return what became of it; HALVE, if it is the whole one and halves are better: then the
    state is of no use. Writes work.
    """
    tableau, doubt = work.tableau, work.tableau.doubt
    halves = parts == 1 and tableau.rough[0] == 0.0 and doubt[SHRINKS] == 0.0
    if halves and doubt[PISTON_MISFITS] > 0.0:
        return HALVE
    if doubt[FROM_AFAR] == 0.0 and doubt[MISFITS] == 0.0:
        return FINE
    oil_pass.keep_end(plan, work, whole / parts)
    if oil_pass.integrate(plan, work, whole, part, parts, given):
        return CORRECTED
    copy(tableau.x_end, work.state.x)
    return HALVE if halves else LEFT


@kernel
def finish(plan, work, whole, part, parts, given):
    """Put the stages together: the state and the energies at the end of the step, which is one of `parts` equal ones of
    the whole [s] with the inputs `given`. Return what became of it: nothing is to be used where that is HALVE. Writes
    work.

    The multipliers of drivers depend on all that the tangent has: their powers are weighed as the rates of v are. Of a
    rough step the powers at both ends count alike, if the method evaluates more than once; of servos see
    interface/mean_power.py.
    """
    plan_tableau, energy, power, h = plan.tableau, work.state.energy, work.tableau.power, whole / parts
    drivers, flows = energy.shape[0] - work.rows.target.shape[0], plan.oil.power_first[0]
    rough, count = work.tableau.rough[0] > 0.0, plan_tableau.stages[0]
    weights, used = (plan_tableau.whole if rough else plan_tableau.m), (1 if rough else count)
    move_state(weights, used, plan.links, work.stage, work.tableau, work.state)
    if plan.touch.index.shape[0] > 0:
        contact.limit_bends(plan.touch, work.state.x)
    if plan.pairs.index.shape[0] > 0:
        pairs.limit_bends(plan.pairs, work.motion, work.pairs, work.state.x)
    outcome = correct(plan, work, whole, part, parts, given)
    if outcome == HALVE:
        return outcome
    mean_power.mean_powers(plan.forces, plan_tableau, weights, used, rough, work.tableau.mean, power)
    evaluations = 0
    for i in range(count):
        evaluations += plan_tableau.fresh[i]
    for i in range(count):
        weight, b = plan_tableau.weight[i], plan_tableau.b[i]
        if rough:
            weight = b = plan_tableau.fresh[i] / evaluations
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
            energy[k] += work.tableau.flow_work[k]
    return outcome


# --- what the run loop asks for ---


@kernel
def begin(plan, work, due):
    """Nothing is carried over; counts of the step begin. Return a status. Writes work.tableau."""
    work.tableau.spent[0] = 0.0
    work.tableau.outcome[0] = FINE
    return OK


@kernel
def step(plan, work, schedule, k, part, parts):
    """One of so many equal parts of step k. Return a status. Writes work."""
    state, tableau, given, h = work.state, work.tableau, schedule.inputs[k], schedule.sizes[k]
    for i in range(plan.tableau.stages[0]):
        node, place = plan.tableau.node[i], plan.tableau.input[i]
        if i > 0 and tableau.rough[0] > 0.0:
            node = place = 1.0
        aim((part + node) / parts, h, schedule.motions[k], schedule.motions[k + 1], work.rows.target)
        hold_at((part + place) / parts, given, state.u, state.signal)
        status = stage(plan, work, h / parts, i, parts == 1)
        if status != OK:
            return status
    outcome = finish(plan, work, h, part, parts, given)
    if outcome == HALVE:
        return IN_HALVES
    tableau.outcome[0] = max(tableau.outcome[0], outcome)
    return OK


@kernel
def more_parts(status, parts, attempt):
    """Parts of a step that is too sudden at an end stop, or whose oil is better made in halves."""
    if status == AT_A_STOP:
        return PARTS_AT_A_STOP
    return 2 if status == IN_HALVES else 0


@kernel
def carry(plan, work, parts):
    """Count a step that was corrected, made in parts, or left though in doubt. Writes work.tableau."""
    count, outcome = work.tableau.count, work.tableau.outcome[0]
    if outcome == CORRECTED:
        count[CORRECTED_STEPS] += 1.0
    if parts > 1:
        count[PARTED_STEPS] += 1.0
    if outcome == LEFT:
        count[UNRESOLVED_STEPS] += 1.0
    count[MOST_ITERATIONS] = max(count[MOST_ITERATIONS], work.tableau.spent[0])
