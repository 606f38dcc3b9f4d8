# SPDX-License-Identifier: BSD-3-Clause
"""Co-simulation: mechanics in steps H, the power side in steps h, and rates and forces of rows exchanged every H.

    power side    w on its course, ẋ = h(x, s, w, u)  ->  λ, of which the mechanics gets the end value or the mean
    mechanics     v⁺ = v + H v̇(q, v, λ),   q⁺ = q ⊕ H v⁺,   Φ_q v̇ = −(Φ̇_q v + 2ω Φ̇ + ω² Φ),  ω ~ 1/H

What is exchanged are the rows on which chambers or elements with states act; all other forces belong to the mechanics.
By force and displacement the power side has all forces of these rows, by pressure and displacement only those of its
chambers. Nothing is repeated: who goes first (`order`) does not know what the other will do. The mechanics is
semi-implicit Euler; linearly implicit Euler, which differs only where forces of its own are stiff; or the trapezoidal
rule, iterated with the slopes of these forces. The power side keeps the values s that its rates add up to; what they
are apart from those of the mechanics returns over some exchanges (RETURNS of engine/course.py), so that no oil is lost.
With q⁺ = q ⊕ H v⁺ rates are half a step older than values, s − ½ H w is what they add up to. Another process can have
either side: engine/elsewhere.py.
docs/theory/cosimulation.md
Validated by: validation/analytic/test_cosimulation.py
"""


from knuckleboom.engine.control import hold_at
from knuckleboom.engine.course import (
    END,
    ENERGY,
    LAST_ENERGY,
    LAST_STEP,
    MECHANICS_FIRST,
    ORDER,
    POWER_FIRST,
    PRESSURES,
    REDUCED,
    RULE,
    SIDE,
    STEP_BEFORE,
    WHAT,
    advance_power,
    chamber_forces,
    evaluate_power,
)
from knuckleboom.engine.elsewhere import MECHANICS_ELSEWHERE, WHO, hand_forces, move_power
from knuckleboom.engine.evaluate import flow
from knuckleboom.engine.integrators import lie, semi_implicit_euler, trapezoidal
from knuckleboom.engine.motion import aim
from knuckleboom.hydraulics import stages as hydraulics
from knuckleboom.interface import coupling, row_space
from knuckleboom.interface import stages as interface
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.layout import NOT_CONVERGED, OK
from knuckleboom.mechanics import accelerations, kinematics
from knuckleboom.mechanics import stages as mechanics
from knuckleboom.mechanics.rows import driven
from knuckleboom.mechanics.rows.kinds import has_value
from knuckleboom.mechanics.stages import ALL
from knuckleboom.solvers.vectors import add_scaled, copy, fill

MECHANICS = {"semi-implicit-euler": semi_implicit_euler.KIND, "lie": lie.KIND, "trapezoidal": trapezoidal.KIND}
STABILISED, STABILISED_BY_TRAPEZOIDS = 0.5, 0.25
"""ω H of the loops' stabilisation: half the way back in each step."""
MIDDLE = 0.5  # where in the step the mechanics takes its inputs
MOST = 40  # iterations of the trapezoidal rule
CLOSE = 1e-11
"""Where these end: change of a velocity, as a part of 1 and of itself."""


@kernel
def take_out(plan, work):
    """Leave of the forces on exchanged rows what the mechanics has of them. Writes work.rows, course.force."""
    rows, plan_course = work.rows, plan.course
    if plan_course.exchange[SIDE] == PRESSURES:
        chamber_forces(plan, work.oil, work.course.force)
    for i in range(plan_course.row.shape[0]):
        r = plan_course.row[i]
        if plan_course.exchange[SIDE] == PRESSURES:
            rows.force[r] -= work.course.force[i]
        else:
            rows.force[r] = rows.stiffness[r] = rows.damping[r] = 0.0


@kernel
def stabilise(plan_system, omega, rows, gamma):
    """γ of the loops as the step requires. Writes gamma."""
    for r in range(gamma.shape[0]):
        gamma[r] = -(rows.bias[r] + 2.0 * omega * rows.w[r] + omega * omega * rows.s[r])


@kernel
def add_own_slopes(plan, h, work):
    """Take the mechanics' own forces where a step of h [s] leads: their slopes join the mass in L. Writes work."""
    tangent, rows, D = work.tangent, work.rows, work.tangent.row_D
    coupling.row_slopes(plan.tangent, plan.forces, h, work.state, rows, tangent.row_s, tangent.row_w)
    for k in range(D.shape[0]):
        own, by_s = plan.course.own[k], tangent.row_s[k]
        D[k] = own * max(-h * tangent.row_w[k] - h * h * by_s, 0.0)
        tangent.row_rate[k] = own * h * by_s * rows.w[plan.tangent.row[k]]
    coupling.add_to_mass(plan.tangent, tangent.row_entry, D, work.system.L)
    coupling.add_rows(plan.tangent, tangent.row_entry, 1.0, tangent.row_rate, work.system.effort)


@kernel
def add_iteration(plan, h, omega, work):
    """Make the accelerations those of an iteration of the trapezoidal rule for a step of h [s]: with B what own forces
    change by, (M + B) a = F + B a₁ instead of M a = F, where a₁ = course.rule is what the rule has; loops likewise.
    Writes work.
    """
    tangent, D, system, a, half = work.tangent, work.tangent.row_D, work.system, work.course.rule, 0.5 * h
    coupling.row_slopes(plan.tangent, plan.forces, h, work.state, work.rows, tangent.row_s, tangent.row_w)
    coupling.times_rows(plan.tangent, tangent.row_entry, a, tangent.row_rate)
    for k in range(D.shape[0]):
        D[k] = plan.course.own[k] * max(-half * tangent.row_w[k] - half * half * tangent.row_s[k], 0.0)
        tangent.row_rate[k] *= D[k]
    coupling.add_to_mass(plan.tangent, tangent.row_entry, D, system.L)
    coupling.add_rows(plan.tangent, tangent.row_entry, 1.0, tangent.row_rate, system.effort)
    share = omega * h + omega * omega * half * half
    for r in range(system.gamma.shape[0]):
        rate = 0.0
        for e in range(plan.system.path_first[r], plan.system.path_first[r + 1]):
            rate += system.phi[e] * a[plan.system.path_dof[e]]
        system.gamma[r] = (system.gamma[r] + share * rate) / (1.0 + share)


@shared_kernel
def evaluate_alone(plan, h, iterating, work):
    """Accelerations of the mechanics without what it is handed, with the factors in L; of an iteration of the
    trapezoidal rule, where it is one. Return a status. Writes work.
    """
    rule = plan.course.exchange[RULE]
    mechanics.position(plan, work)
    mechanics.velocity(plan, work, ALL)
    status = flow(plan, work)
    if status != OK:
        return status
    interface.force(plan, work)
    hydraulics.power(plan, work)
    take_out(plan, work)
    mechanics.effort(plan, work)
    mechanics.inertia(plan, work, ALL)
    omega = (STABILISED_BY_TRAPEZOIDS if rule == trapezoidal.KIND else STABILISED) / h
    stabilise(plan.system, omega, work.rows, work.system.gamma)
    coupling.row_entries(plan.tangent, work.motion.S, work.rows.W, work.tangent.row_entry)
    if rule == lie.KIND:
        add_own_slopes(plan, h, work)
    elif iterating:
        add_iteration(plan, h, omega, work)
    return accelerations.accelerations(plan.system, plan.stiffened, work.system, work.state.fault)


@kernel
def keep_solution(work):
    """Keep accelerations and multipliers while system is used for others. Writes course."""
    copy(work.system.v_dot, work.course.v_dot)
    copy(work.system.multiplier, work.course.multiplier)


@kernel
def return_solution(work):
    """The reverse. Writes system."""
    copy(work.course.v_dot, work.system.v_dot)
    copy(work.course.multiplier, work.system.multiplier)


@kernel
def accelerate(plan, work):
    """Accelerations with what the mechanics is handed in course.handed, from those without it, in system.v_dot. Return
    a status. Writes work.
    """
    course, system = work.course, work.system
    keep_solution(work)
    status = row_space.respond(plan, course.handed, work)
    for j in range(course.v_dot.shape[0]):
        course.v_dot[j] += system.v_dot[j]
    for r in range(course.multiplier.shape[0]):
        system.multiplier[r] += course.multiplier[r]
    return status


@kernel
def lean_way(plan, work):
    """How much further the mechanics gets where forces act early in the step rather than late, as the power side has
    it: K⁻¹ Aᵀ ∫ (H/2 − t) λ dt. Return a status. Writes course.way.
    """
    course, system = work.course, work.system
    fill(0.0, course.way)
    words = plan.course.exchange
    if plan.course.kind[0] != REDUCED or words[WHAT] == END or words[ORDER] != POWER_FIRST:
        return OK
    keep_solution(work)
    status = row_space.respond(plan, course.lean, work)
    copy(system.v_dot, course.way)
    return_solution(work)
    return status


@kernel
def move(plan_links, h, v_dot, way, stage, state):
    """The step by accelerations, velocities first. Writes stage.u_q, state."""
    add_scaled(stage.v0, h, v_dot, state.v)
    add_scaled(way, h, state.v, stage.u_q)
    kinematics.advance(plan_links.index, stage.q0, stage.u_q, state.q)


@kernel
def move_by_trapezoids(plan, h, work):
    """The step by the trapezoidal rule, from the accelerations at its start in course.v_dot. Return a status. Writes
    work.
    """
    state, stage, course = work.state, work.stage, work.course
    copy(course.v_dot, stage.sum_v)
    move(plan.links, h, course.v_dot, course.way, stage, state)
    for _ in range(MOST):
        course.count[0] += 1.0
        for j in range(state.v.shape[0]):
            course.rule[j] = 2.0 * (state.v[j] - stage.v0[j]) / h - stage.sum_v[j]
        status = evaluate_alone(plan, h, True, work)
        if status == OK:
            status = accelerate(plan, work)
        if status != OK:
            return status
        change = 0.0
        for j in range(state.v.shape[0]):
            before = state.v[j]
            state.v[j] = stage.v0[j] + 0.5 * h * (stage.sum_v[j] + course.v_dot[j])
            stage.u_q[j] = course.way[j] + 0.5 * h * (stage.v0[j] + state.v[j])
            change = max(change, abs(state.v[j] - before) / (1.0 + abs(state.v[j])))
        kinematics.advance(plan.links.index, stage.q0, stage.u_q, state.q)
        if change < CLOSE:
            return OK
    return NOT_CONVERGED


@kernel
def add_own_energies(plan, weight, power, energy):
    """Add the mechanics' own powers, but for those of drivers, with a weight [s]. Writes energy."""
    for k in range(energy.shape[0] - plan.rows.driven.shape[0]):
        energy[k] += weight * plan.course.own_power[k] * power[k]


@kernel
def add_driver_energies(plan, h, work):
    """Energies of drivers, whose forces are known at the start of steps: the last step's were those of its start, this
    takes half of their change after it, so that both ends count alike. Writes course.power, state.
    """
    power, energy, last = work.course.power, work.state.energy, work.state.power
    before = work.state.exchange[4 * plan.course.row.shape[0] + LAST_STEP]
    driven.driver_powers(plan.rows, work.rows, work.system.multiplier, power)
    for k in range(energy.shape[0] - plan.rows.driven.shape[0], energy.shape[0]):
        energy[k] += h * power[k] + 0.5 * before * (power[k] - last[k])
    copy(power, last)


@kernel
def move_mechanics(plan, work, schedule, k):
    """The mechanics' step with what it is handed, from its accelerations without that in system.v_dot. Return a status.
    Writes work.
    """
    h = schedule.sizes[k]
    status = lean_way(plan, work)
    if status == OK:
        status = accelerate(plan, work)
    if status != OK:
        return status
    add_own_energies(plan, 0.5 * h, work.course.power, work.state.energy)
    add_driver_energies(plan, h, work)
    # the power side may have moved the inputs on
    hold_at(MIDDLE, schedule.inputs[k], work.state.u, work.state.signal)
    aim(1.0, h, schedule.motions[k], schedule.motions[k + 1], work.rows.target)
    if plan.course.exchange[RULE] == trapezoidal.KIND:
        return move_by_trapezoids(plan, h, work)
    move(plan.links, h, work.course.v_dot, work.course.way, work.stage, work.state)
    return OK


@kernel
def arrive(plan, h, work):
    """The mechanics where its step has led, with the energies of its own forces there. Return a status. Writes work."""
    mechanics.position(plan, work)
    mechanics.velocity(plan, work, ALL)
    status = flow(plan, work)
    interface.force(plan, work)
    hydraulics.power(plan, work)
    add_own_energies(plan, 0.5 * h, work.oil.power, work.state.energy)
    return status


# --- an exchange ---


@kernel
def keep_rates(plan, rows, s, w):
    """Keep values and rates of the rows that are exchanged. Writes s, w."""
    for i in range(plan.course.row.shape[0]):
        s[i], w[i] = rows.s[plan.course.row[i]], rows.w[plan.course.row[i]]


@kernel
def account(plan, h, work):
    """What the exchange made of the energy: work that the mechanics got, by its mean rates, less what the power side
    gave; rates of the rows at its end stand in rows. Writes state.exchange.
    """
    course, rows, count = work.course, work.rows, plan.course.row.shape[0]
    made = 0.0
    for i in range(count):
        way = 0.5 * h * (course.w[i] + rows.w[plan.course.row[i]])
        made += course.handed[i] * way - course.work[i]
    work.state.exchange[4 * count + LAST_ENERGY] = made
    work.state.exchange[4 * count + ENERGY] += made


@kernel
def remember(plan, h, course, exchange):
    """Rates, step and force of this exchange for the next ones. Writes exchange."""
    count = plan.course.row.shape[0]
    for i in range(count):
        exchange[2 * count + i] = exchange[count + i]
        exchange[count + i] = course.w[i]
        exchange[3 * count + i] = course.mean[i]
    exchange[4 * count + STEP_BEFORE] = exchange[4 * count + LAST_STEP]
    exchange[4 * count + LAST_STEP] = h


@kernel
def begin(plan, work, due):
    """Before the first exchange both sides have the same values, and rates and forces were what they are. Return a
    status. Writes work.
    """
    count, exchange = plan.course.row.shape[0], work.state.exchange
    if exchange[4 * count + LAST_STEP] > 0.0:
        return OK
    mechanics.position(plan, work)
    mechanics.velocity(plan, work, ALL)
    status = evaluate_power(plan, work)
    for i in range(count):
        r = plan.course.row[i]
        exchange[i] = work.rows.s[r] if has_value(plan.rows, r) else 0.0
        exchange[count + i] = exchange[2 * count + i] = work.rows.w[r]
        exchange[3 * count + i] = work.course.force[i]
    return status


@kernel
def fill_reduced(plan, work):
    """Effective terms of the reduced model, where it is the course. Return a status. Writes work."""
    if plan.course.kind[0] < REDUCED:
        return OK
    row_space.free_accelerations(plan, work)
    keep_solution(work)
    status = row_space.fill_row_space(plan, work)
    return_solution(work)
    return status


@kernel
def step_power(plan, h, work):
    """An exchange of the power side alone: another process has the mechanics. Return a status. Writes work."""
    course, state = work.course, work.state
    mechanics.position(plan, work)
    mechanics.velocity(plan, work, ALL)
    keep_rates(plan, work.rows, course.s, course.w)
    status = advance_power(plan, h, work)
    if status == OK:
        copy(course.mean, course.handed)
        status = hand_forces(plan, h, work)
    if status != OK:
        return status
    mechanics.position(plan, work)
    mechanics.velocity(plan, work, ALL)
    account(plan, h, work)
    remember(plan, h, course, state.exchange)
    copy(course.u_end, state.u)
    return status


@kernel
def step(plan, work, schedule, k, part, parts):
    """One exchange. Return a status. Writes work."""
    state, course, given, h = work.state, work.course, schedule.inputs[k], schedule.sizes[k]
    order, count = plan.course.exchange[ORDER], plan.course.row.shape[0]
    hold_at(0.0, given, state.u, state.signal)
    copy(state.u, course.u_start)
    hold_at(1.0, given, state.u, state.signal)
    copy(state.u, course.u_end)
    hold_at(MIDDLE, given, state.u, state.signal)
    aim(0.0, h, schedule.motions[k], schedule.motions[k + 1], work.rows.target)

    if plan.course.elsewhere[WHO] == MECHANICS_ELSEWHERE:
        return step_power(plan, h, work)
    status = evaluate_alone(plan, h, False, work)
    if status == OK:
        copy(work.oil.power, course.power)
        keep_rates(plan, work.rows, course.s, course.w)
        status = fill_reduced(plan, work)
    if status == OK and order != MECHANICS_FIRST:
        status = move_power(plan, h, work)
    if status != OK:
        return status

    if order == POWER_FIRST:
        copy(course.mean, course.handed)
    else:
        for i in range(count):
            course.handed[i] = state.exchange[3 * count + i]
    status = move_mechanics(plan, work, schedule, k)
    if status == OK:
        status = arrive(plan, h, work)
    if status != OK:
        return status
    if order == MECHANICS_FIRST:
        status = advance_power(plan, h, work)
    account(plan, h, work)
    remember(plan, h, course, state.exchange)
    copy(course.u_end, state.u)
    course.count[1] += 1.0
    return status
