# SPDX-License-Identifier: BSD-3-Clause
"""One implicit step of the whole machine, positions as unknowns: index-3 augmented Lagrangian in Newton's iteration.

    v1 = v0 + h ((1 − γ) c0 + γ c1),   q1 = q0 ⊕ (h v0 + h² ((½ − β) c0 + β c1)),   x like v
    (1 − α_m) c1 + α_m c0 = (1 − α_f) v̇1 + α_f v̇0
    M v̇1 + bias + Φ_qᵀ λ = F(q1, v1, x1),   Φ(q1) = 0              [Naya 2011, eqs 5-16 and 17-26; Arnold Brüls 2007]

c are accelerations that the rule carries, v̇ those of the equations. The trapezoidal rule (α_m = α_f = 0, c = v̇; order
2, no damping) and the generalised-α rule (order 2, damps what is faster than the step) differ in four numbers. Beside
them is the implicit Euler rule, v1 = v0 + h v̇1 and q1 = q0 ⊕ h v1 (order 1, damps at once): it takes the two half
steps after a jump. Newton solves for δv with the exact tangent; v̇ moves by δv/τ, q by τ_q δv, where
τ = hγ (1 − α_f)/(1 − α_m) and τ_q = hβ/γ; both are h for implicit Euler. In it: inertia (mechanics/derivatives.py),
turning rows (mechanics/row_slopes.py), oil and interface (interface/exact_coupling.py), loops with λ ← λ + δλ in every
iteration. Velocities and accelerations are then projected onto their constraints with the same factors [eqs 14, 15].
docs/theory/index3.md derives it.
"""

import collections

from knuckleboom.engine import cointegrate, ringing
from knuckleboom.engine.control import hold_at
from knuckleboom.engine.evaluate import evaluate, evaluate_all
from knuckleboom.engine.motion import aim
from knuckleboom.engine.power_side import keep_rows
from knuckleboom.hydraulics import circuits
from knuckleboom.hydraulics.oil_laws import SOURCE
from knuckleboom.interface import (
    contact,
    coupling,
    exact_coupling,
    forces,
    ground_slopes,
    mean_power,
    pair_slopes,
    pairs,
)
from knuckleboom.kernels import kernel
from knuckleboom.layout import JUMP, NOT_CONVERGED, OK, SINGULAR
from knuckleboom.mechanics import derivatives, kinematics, moving_oil, natural, payload, row_slopes, stiffening
from knuckleboom.mechanics.rows import driven
from knuckleboom.mechanics.stages import INVERSE
from knuckleboom.solvers import lu, pattern_lu
from knuckleboom.solvers.vectors import copy, fill

MOST = 30  # Newton iterations
HALVINGS = 6
"""A step that Newton cannot make is halved up to this many times."""
CLOSED = 1e-6  # m, rad or 1: how far a row may be open before the last correction
TOUCHES = -1
"""Status after which a step is made in PARTS by the same rule: a contact is too sudden for it, by more than SUDDEN of
interface/elements/stop.py. At h √(k/m) = 0.5 rebounds are right to 0.9 % then, with 0.5 instead to 2.7 %, undivided
to 10 %."""
PARTS, SUDDEN = 4, 0.1

Rule = collections.namedtuple(
    "Rule", ("h", "gamma", "tau", "tau_q", "carried", "way", "start", "end", "before"), module=__name__
)
"""How a step of h combines: v̇1 moves by δv/τ and q by τ_q δv; v1 without c1 is v0 + carried c0, the increment of q
(h − τ_q) v0 + τ_q v1 + way c0; v̇1 = end (v1 − v0 − carried c0) + start c0 − before v̇0."""


@kernel
def rule_of(numbers, h, euler):
    """The rule of a step from plan.newton.rule, or that of the implicit Euler rule."""
    if euler:
        return Rule(h, 1.0, h, h, 0.0, 0.0, 0.0, 1.0 / h, 0.0)
    alpha_m, alpha_f, beta, gamma = numbers[0], numbers[1], numbers[2], numbers[3]
    tau = h * gamma * (1.0 - alpha_f) / (1.0 - alpha_m)
    start, before = alpha_m / (1.0 - alpha_f), alpha_f / (1.0 - alpha_f)
    tau_q, way = h * beta / gamma, h * h * (0.5 - beta / gamma)
    return Rule(h, gamma, tau, tau_q, h * (1.0 - gamma), way, start, 1.0 / tau, before)


@kernel
def begin(plan, work, due):
    """Fill what a step carries over, accelerations, rates, multipliers and powers, where an input jumps or controllers
    wrote. Return a status. Writes work.
    """
    if due == 0:
        return OK
    status = evaluate_all(plan, work)
    if status == OK:
        copy(work.system.v_dot, work.state.rate_v)
        copy(work.oil.x_dot, work.state.rate_x)
        copy(work.system.v_dot, work.state.true_v)
        copy(work.oil.x_dot, work.state.true_x)
        copy(work.system.multiplier, work.state.multiplier)
        copy(work.oil.power, work.state.power)
        ringing.forget(work.newton)
    return status


@kernel
def predict(plan_links, rule, euler, stage, newton, state):
    """Begin Newton with constant rates; but with constant strains where the implicit Euler rule takes what is faster
    than the step. Writes newton.u_q, state.
    """
    for j in range(state.v.shape[0]):
        state.v[j] = stage.v0[j] + rule.h * state.rate_v[j]
        newton.u_q[j] = (rule.h - rule.tau_q) * stage.v0[j] + rule.tau_q * state.v[j] + rule.way * state.rate_v[j]
    for j in range(state.x.shape[0]):
        state.x[j] = stage.x0[j] if euler else stage.x0[j] + rule.h * state.rate_x[j]
    kinematics.advance(plan_links.index, stage.q0, newton.u_q, state.q)


@kernel
def wanted(rule, y0, y, carried, before, result):
    """The rates at the end of the step by the rule, from the values there. Writes result."""
    for j in range(y.shape[0]):
        moved = y[j] - y0[j] - rule.carried * carried[j]
        result[j] = rule.end * moved + rule.start * carried[j] - rule.before * before[j]


@kernel
def carry_rates(rule, y0, y, carried):
    """What the rule carries on: c1 from the values at the end. Writes carried."""
    for j in range(y.shape[0]):
        carried[j] = (y[j] - y0[j] - rule.carried * carried[j]) / (rule.gamma * rule.h)


@kernel
def residuals(plan, work, rule):
    """Fill what lacks: τ (F − M a − bias − Φ_qᵀ λ), −Φ/τ_q, and that of x. Return the largest |Φ|. Writes newton."""
    plan_system, newton, state = plan.system, work.newton, work.state
    nv, opening = state.v.shape[0], 0.0
    for j in range(nv):
        newton.rhs[j] = rule.tau * (work.system.effort[j] - work.system.bias[j])
    for r in range(state.multiplier.shape[0]):
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            newton.rhs[plan_system.path_dof[e]] -= rule.tau * work.system.phi[e] * state.multiplier[r]
        newton.rhs[nv + r] = -work.rows.s[r] / rule.tau_q
        opening = max(opening, abs(work.rows.s[r]))
    wanted(rule, work.stage.x0, state.x, state.rate_x, state.true_x, newton.rate_x)
    for i in range(state.x.shape[0]):
        newton.rate_x[i] = rule.tau * (work.oil.x_dot[i] - newton.rate_x[i])
    return opening


@kernel
def factor(plan, work):
    """Factor Newton's matrix in place, all of it or on its pattern. Return −1 or the bad row. Writes newton.J."""
    plan_system, J, n = plan.system, work.newton.J, work.newton.rhs.shape[0]
    if plan.newton.whole[0] == 1:
        return lu.factor(n, J.reshape((n, n)))
    half = J.shape[0] // 2
    slot = pattern_lu.factor(plan_system.slot_start, plan_system.slot_depth, plan_system.target, J[:half], J[half:])
    if slot >= 0:
        for j in range(plan_system.velocity_slot.shape[0]):
            if plan_system.velocity_slot[j] == slot:
                return j
        for r in range(plan_system.loop_slot.shape[0]):
            if plan_system.loop_slot[r] == slot:
                return plan_system.velocity_slot.shape[0] + r
    return slot


@kernel
def solve(plan, work):
    """Solve with the factors of Newton's matrix: velocities, then multipliers. Writes newton.rhs, system.rhs."""
    plan_system, J, rhs, permuted = plan.system, work.newton.J, work.newton.rhs, work.system.rhs
    n, nv = rhs.shape[0], work.state.v.shape[0]
    if plan.stiffened.row.shape[0] > 0:
        stiffening.add_to_force(plan.stiffened, plan_system, work.system.phi, rhs[nv:], 1.0, rhs)
    if plan.newton.whole[0] == 1:
        lu.solve(n, J.reshape((n, n)), rhs)
        return
    for j in range(nv):
        permuted[plan_system.velocity_slot[j]] = rhs[j]
    for r in range(n - nv):
        permuted[plan_system.loop_slot[r]] = rhs[nv + r]
    half = J.shape[0] // 2
    start, depth, ancestor = plan_system.slot_start, plan_system.slot_depth, plan_system.slot_ancestor
    pattern_lu.solve(start, depth, ancestor, J[:half], J[half:], permuted)
    for j in range(nv):
        rhs[j] = permuted[plan_system.velocity_slot[j]]
    for r in range(n - nv):
        rhs[nv + r] = permuted[plan_system.loop_slot[r]]


@kernel
def build_tangent(plan, work, rule):
    """Fill and factor the tangent at the state that was just evaluated. Return −1 or the bad row. Writes work."""
    plan_system, newton, tangent, plan_newton = plan.system, work.newton, work.tangent, plan.newton
    J, phi, multiplier = newton.J, work.system.phi, work.state.multiplier
    tau, tau_q = rule.tau, rule.tau_q
    fill(0.0, J)
    if plan.natural.mass.shape[0] > 0:
        natural.put_tangent(plan.natural, plan_newton, tau * tau_q, multiplier, J)
    else:
        derivatives.inverse_dynamics_slopes(
            plan.links, plan_system, plan.payload, plan_newton, tau, tau_q, work.state.v, work.system.a, work.payload,
            work.motion, newton, J,
        )  # fmt: skip
        if plan.payload.index.shape[0] > 0:
            payload.add_direction(plan, tau * tau_q, work.motion, work.payload, J)
    if plan.stiffened.row.shape[0] > 0:
        stiffening.add_to_tangent(plan.stiffened, plan_newton.square_place, phi, J)
    row_slopes.geometric_stiffness(plan.rows, plan_newton, tau * tau_q, multiplier, work.motion, work.rows, J)

    # oil, eliminated circuit by circuit, and the rows' own slopes
    coupling.row_entries(plan.tangent, work.motion.S, work.rows.W, tangent.row_entry)
    exact_coupling.factor_oil(plan.oil, tau, work.oil, tangent)
    forces.chamber_slopes(plan.forces, work.rows, work.oil, tangent.chamber_w, tangent.chamber_s)
    row_slopes.rate_slopes(plan.rows, plan_newton, plan.tangent, work.state.v, work.motion, work.rows, tangent.row_turn)
    exact_coupling.chamber_responses(plan.tangent, plan.forces, plan.oil, tangent)
    exact_coupling.add_slopes(plan, tau, tau_q, work.oil, work.rows, tangent, J)
    if plan.payload.moving.shape[0] > 0:
        moving_oil.add_growth(plan, tau, tau_q, work.motion, work.rows, work.payload, tangent, J)
    if plan.touch.chain.shape[0] > 0:
        ground_slopes.add_slopes(plan, plan_newton, tau, tau_q, work, newton, J)
    if plan.pairs.index.shape[0] > 0:
        pair_slopes.add_slopes(plan, plan_newton, tau, tau_q, work, newton, J)

    for e in range(phi.shape[0]):
        J[plan_newton.path_place[e, 0]] += phi[e]
        J[plan_newton.path_place[e, 1]] += phi[e]
    for r in range(multiplier.shape[0]):
        J[plan_newton.loop_place[r]] = -plan_newton.compliance[0]
    return factor(plan, work)


@kernel
def correct(plan, work, rule, wary):
    """Solve for the corrections, apply them, and return their sizes in q and in pressure; if `wary`, apply as much of
    them as keeps each valve that pressures open within sight of where it opens. Writes work.
    """
    newton, state, tangent = work.newton, work.state, work.tangent
    nv, nloop, volumes = state.v.shape[0], state.multiplier.shape[0], plan.oil.node_first[SOURCE]
    exact_coupling.eliminate(plan, rule.tau, work.rows, work.oil.x_dot, tangent, newton.rate_x)
    exact_coupling.push_by_states(plan, rule.tau, newton.rate_x, work.oil, work.rows, tangent, newton.rhs)
    grounded, paired = plan.touch.chain.shape[0] > 0, plan.pairs.index.shape[0] > 0
    if grounded:
        ground_slopes.eliminate(plan, rule.tau, work, newton, newton.rate_x, newton.rhs)
    if paired:
        pair_slopes.eliminate(plan, plan.newton, rule.tau, work, newton, newton.rate_x, newton.rhs)
    if plan.payload.index.shape[0] > 0:
        payload.eliminate(plan, rule.tau, work.motion, work.payload, newton.rate_x, newton.rhs)
    solve(plan, work)
    # strains and bristles follow the rows
    exact_coupling.add_motion(plan, rule.tau, rule.tau_q, newton.rhs, work.rows, tangent, newton.rate_x)
    if grounded:
        ground_slopes.add_motion(plan, rule.tau, rule.tau_q, newton.rhs, work, newton, newton.rate_x)
    if paired:
        pair_slopes.add_motion(plan, plan.newton, rule.tau, rule.tau_q, newton.rhs, work, newton, newton.rate_x)
    pressure, share = 0.0, 1.0
    copy(work.oil.p, tangent.ahead)
    for i in range(volumes):
        change = tangent.stiffness[i] * newton.rate_x[i]
        pressure = max(pressure, abs(change))
        tangent.ahead[i] += change
    if wary:
        share = circuits.share_in_sight(plan.oil, work.oil.p, tangent.ahead)

    size = 0.0
    for j in range(nv):
        size = max(size, abs(rule.tau_q * newton.rhs[j]))
        state.v[j] += share * newton.rhs[j]
        newton.u_q[j] += share * rule.tau_q * newton.rhs[j]
    for r in range(nloop):
        state.multiplier[r] += share * newton.rhs[nv + r] / rule.tau
    for i in range(state.x.shape[0]):
        state.x[i] += share * newton.rate_x[i]
    for i in range(plan.forces.scaled.shape[0]):
        size = max(size, abs(newton.rate_x[plan.forces.scaled[i]]) / plan.forces.scale[i])
    return size, pressure


@kernel
def add_closing(plan_system, phi, u, rate):
    """rate += Φ_q u of the loop rows. Writes rate."""
    for r in range(plan_system.loop_slot.shape[0]):
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            rate[r] += phi[e] * u[plan_system.path_dof[e]]


@kernel
def project(plan, work, rate, moved, multiplier):
    """Take velocities or accelerations onto their constraints with the last factors; `rate` is by how much they miss
    them, and is used up. Twice, as the factors are those of the last iteration. Writes work, rate, moved, multiplier.
    """
    newton = work.newton
    nv, nloop = work.state.v.shape[0], work.state.multiplier.shape[0]
    for _ in range(2):
        fill(0.0, newton.rhs)
        for r in range(nloop):
            newton.rhs[nv + r] = -rate[r]
        solve(plan, work)
        add_closing(plan.system, work.system.phi, newton.rhs, rate)
        for j in range(nv):
            moved[j] += newton.rhs[j]
        for r in range(nloop):
            multiplier[r] += newton.rhs[nv + r]


@kernel
def drop_self_stress(plan, work):
    """Take from λ what moves nothing, because rows are redundant, with the last factors. Writes work.

    Such a part grows in every step by what redundant rows disagree by before Newton converges, over the compliance c,
    and nothing takes it back; it would stiffen the tangent until that is all there is. y of W x + Φ_qᵀ y = Φ_qᵀ λ,
    Φ_q x = c y is λ without it, and short of the rest by a part of the order of c; a second pass makes that c².
    """
    plan_system, newton, state, kept = plan.system, work.newton, work.state, work.system.multiplier
    nv, nloop = state.v.shape[0], state.multiplier.shape[0]
    fill(0.0, kept)
    for _ in range(2):
        fill(0.0, newton.rhs)
        for r in range(nloop):
            for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
                newton.rhs[plan_system.path_dof[e]] += work.system.phi[e] * (state.multiplier[r] - kept[r])
        solve(plan, work)
        for r in range(nloop):
            kept[r] += newton.rhs[nv + r]
    copy(kept, state.multiplier)


@kernel
def suddenness(plan, work, h):
    """The largest of interface/elements/stop.py, of all contacts."""
    most = contact.suddenness(plan.touch, h, work.touch)
    if plan.pairs.index.shape[0] > 0:
        most = max(most, pairs.suddenness(plan.pairs, h, work.pairs))
    return most


@kernel
def newton_step(plan, work, h, euler, whole):
    """One step of size h by the rule of the plan, or by the implicit Euler rule; a `whole` one may return TOUCHES.
    Return a status. Writes work.

    Passes of one loop, so that the evaluation is compiled once: where oil is integrated apart or something may touch,
    first one of the start (the last step left that of its last iteration); then Newton's iterations; with loops two
    more for the projections: velocities first, as accelerations depend on them. λ follows the accelerations: before,
    both are of order 1 only, as v1 has an error of order 2 that v̇1 divides by h.
    """
    state, stage, newton, a = work.state, work.stage, work.newton, work.system.a
    rule = rule_of(plan.newton.rule, h, euler)
    apart, loops = plan.course.integrator[0] >= 0, state.multiplier.shape[0] > 0
    converged, projected, touching = False, False, plan.touch.index.shape[0] + plan.pairs.index.shape[0] > 0
    if not (apart or touching):
        predict(plan.links, rule, euler, stage, newton, state)
    for number in range(-1 if apart or touching else 0, MOST + 2):
        if not projected:
            wanted(rule, stage.v0, state.v, state.rate_v, state.true_v, a)
        for sweep in range(2 if apart and number >= 0 and not converged else 1):
            # features of bodies that touch are found where the step is expected to end, and kept from there on
            work.pairs.mode[pairs.KEPT] = min(max(number, 0) + sweep, 1)
            status = evaluate(plan, work, INVERSE)
            if status == OK and apart and sweep == 0 and number >= 0 and not converged:
                status = cointegrate.advance(plan, work, h, 1.0 if euler else 0.5)
            if status != OK:
                return status
        if number < 0:
            if whole and touching and suddenness(plan, work, h) > SUDDEN:
                return TOUCHES
            keep_rows(work.rows, work.course.row_s0, work.course.row_w0)
            predict(plan.links, rule, euler, stage, newton, state)
            continue
        if projected:
            project(plan, work, work.rows.bias, a, state.multiplier)
            if plan.system.sweeps[0] > 1:  # rows are redundant
                drop_self_stress(plan, work)
            break
        if converged:
            carry_rates(rule, stage.v0, state.v, state.rate_v)
            project(plan, work, work.rows.w, state.v, work.system.multiplier)
            projected = True
            continue

        if number == MOST:
            break  # two passes are kept for the projections
        opening = residuals(plan, work, rule)
        if apart:
            cointegrate.leave_bends(plan.touch.bends, work.course.bends, newton.rate_x)
        bad = build_tangent(plan, work, rule)
        if bad >= 0:
            state.fault[0] = bad
            return SINGULAR
        size, pressure = correct(plan, work, rule, euler)
        kinematics.advance(plan.links.index, stage.q0, newton.u_q, state.q)
        newton.count[0] += 1.0
        # contradictory rows would let the corrections vanish with loops open
        converged = size < plan.newton.tolerance[0] and pressure < plan.newton.tolerance[1] and opening < CLOSED
        if converged and not loops:
            wanted(rule, stage.v0, state.v, state.rate_v, state.true_v, a)
            carry_rates(rule, stage.v0, state.v, state.rate_v)
            break
    if not converged:
        return NOT_CONVERGED

    driven.driver_powers(plan.rows, work.rows, state.multiplier, work.oil.power)
    late = h if euler else 0.5 * h
    for i in range(state.energy.shape[0]):
        state.energy[i] += (h - late) * state.power[i] + late * work.oil.power[i]
    if euler:
        entry = work.tangent.row_entry
        mean_power.add_euler_work(
            plan.forces, plan.tangent, h, state.u, state.x, state.z, work.rows, entry, stage.v0, state.v, state.energy
        )
    copy(work.oil.power, state.power)
    copy(a, state.true_v)
    if euler or (rule.start == 0.0 and rule.before == 0.0):
        copy(a, state.rate_v)  # these rules carry the accelerations themselves, projected
    wanted(rule, stage.x0, state.x, state.rate_x, state.true_x, newton.rate_x)
    carry_rates(rule, stage.x0, state.x, state.rate_x)
    copy(newton.rate_x, state.true_x)
    newton.count[1] += 1.0
    return OK


# --- what the run loop asks for ---


@kernel
def first_parts(due):
    """A step after a jump is made of two of the implicit Euler rule."""
    return 2 if due & JUMP != 0 else 1


@kernel
def step(plan, work, schedule, k, part, parts):
    """One of so many equal parts of step k, by the plan's rule; several are of the implicit Euler rule, which takes
    what made Newton fail. Return a status. Writes work.
    """
    state, given, h = work.state, schedule.inputs[k], schedule.sizes[k]
    hold_at(part / parts, given, state.u, state.signal)
    copy(state.u, work.course.u0)
    hold_at((part + 1) / parts, given, state.u, state.signal)
    copy(state.u, work.course.u1)
    aim((part + 1) / parts, h, schedule.motions[k], schedule.motions[k + 1], work.rows.target)
    divided = work.newton.divided
    work.pairs.mode[pairs.STEP] = h / parts
    status = newton_step(plan, work, h / parts, parts > 1 and divided[0] == 0.0, parts == 1)
    work.pairs.mode[pairs.STEP], work.pairs.mode[pairs.KEPT] = 0.0, 0.0
    if status != OK:
        divided[0] = 1.0 if status == TOUCHES else 0.0
    return status


@kernel
def more_parts(status, parts, attempt):
    """A step in which something touches is made in some parts; one that Newton cannot make is halved some times."""
    if status == TOUCHES:
        return PARTS
    return 2 * parts if attempt <= HALVINGS else 0


@kernel
def carry(plan, work, parts):
    """Note what changes sides at every step. Writes work.newton."""
    work.newton.divided[0] = 0.0
    state, x0 = work.state, work.stage.x0 if parts == 1 else work.begun.x
    ringing.listen(x0, state.x, work.tangent.stiffness, state.time[0], work.newton)
