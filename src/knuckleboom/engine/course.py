# SPDX-License-Identifier: BSD-3-Clause
"""The power side of an exchange: where its rows go over the step, its small steps, and the forces it hands over.

    hold, linear, quadratic   rates from the last exchanges         interpolated   what the mechanics just did
    reduced                   w(α) = w⁰ + α H (a + Y λ̄(α)),  λ̄ the mean force so far          [Peiret 2018, eqs 2, 6]
    published                 the same with the force λ of the moment, as printed

Between the ends of small steps rates are straight lines, of which the Euler rules take their own end; the values that
the power side has are what its rule saw. By the reduced model rates follow from small step to small step, by the force
in its middle from the last two moments, at first from a small step ahead; the mechanics gets the very impulse that
drove it, so that both end with the same rates. Damping of the forces, ∂λ/∂w, is taken where the rates lead.
docs/theory/cosimulation.md
Validated by: validation/analytic/test_cosimulation.py
"""

import math

from knuckleboom.engine.evaluate import flow
from knuckleboom.engine.integrators import trapezoidal
from knuckleboom.engine.power_side import EULER, LINEARLY_IMPLICIT, place_inputs, small_step
from knuckleboom.hydraulics import stages as hydraulics
from knuckleboom.interface import stages as interface
from knuckleboom.interface.contract import CHAMBER_NODE
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.layout import OK
from knuckleboom.mechanics.rows.kinds import has_value
from knuckleboom.solvers import lu
from knuckleboom.solvers.vectors import copy, fill

POWER_FIRST, JACOBI, MECHANICS_FIRST = 0, 1, 2
ORDERS = {"power-first": POWER_FIRST, "jacobi": JACOBI, "mechanics-first": MECHANICS_FIRST}
MEAN, END = 0, 1
HANDED = {"mean": MEAN, "end": END}
FORCES, PRESSURES = 0, 1
VARIABLES = {"force-displacement": FORCES, "pressure-displacement": PRESSURES}
HOLD, LINEAR, QUADRATIC, INTERPOLATED, REDUCED, BY_PRESENT = 2, 3, 4, 5, 6, 7
COURSES = {
    "hold": HOLD, "linear": LINEAR, "quadratic": QUADRATIC, "interpolated": INTERPOLATED, "reduced": REDUCED,
    "published": BY_PRESENT,
}  # fmt: skip
ORDER, WHAT, SIDE, RULE = 0, 1, 2, 3  # columns of plan.course.exchange

RETURNS = 0.1
"""Part of what the two sides' values are apart that the next exchange takes back: little enough to leave the largest
stable step as it is, see docs/theory/cosimulation.md."""
LAST_STEP, STEP_BEFORE, LAST_ENERGY, ENERGY = 0, 1, 2, 3  # after those of the rows in state.exchange


@kernel
def chamber_forces(plan, oil, force):
    """The sum of the chambers' forces on each row that is exchanged. Writes force."""
    fill(0.0, force)
    index = plan.forces.chamber_index
    for i in range(plan.course.chamber.shape[0]):
        force[plan.course.chamber[i]] += oil.area[i] * oil.gauge[index[i, CHAMBER_NODE]]


@kernel
def lay_course(plan, h, exchange, work):
    """Rates of the rows over the step as polynomials of the fraction of it. Writes course.rate."""
    course, kind, count = work.course, plan.course.kind[0], plan.course.row.shape[0]
    before, earlier = exchange[4 * count + LAST_STEP], exchange[4 * count + STEP_BEFORE]
    late = 0.0 if plan.course.exchange[RULE] == trapezoidal.KIND else 0.5 * h
    for i in range(count):
        r, rate = plan.course.row[i], course.rate[i]
        apart = course.s[i] - late * course.w[i] - exchange[i] if has_value(plan.rows, r) else 0.0
        rate[0], rate[1], rate[2] = course.w[i] + RETURNS * apart / h, 0.0, 0.0
        if kind == INTERPOLATED:
            rate[0], rate[1] = course.w[i], work.rows.w[r] - course.w[i]
            if has_value(plan.rows, r):
                rate[0] += (work.rows.s[r] - late * work.rows.w[r] - exchange[i]) / h
                rate[0] -= 0.5 * (course.w[i] + work.rows.w[r])
        elif before > 0.0 and LINEAR <= kind <= QUADRATIC:
            slope = (course.w[i] - exchange[count + i]) / before
            rate[1] = h * slope
            if kind == QUADRATIC and earlier > 0.0:
                bend = (slope - (exchange[count + i] - exchange[2 * count + i]) / earlier) / (before + earlier)
                rate[1] += h * before * bend
                rate[2] = h * h * bend


@kernel
def predict(plan, alpha, small, h, course):
    """Rates of the rows at a fraction α of the step of h [s], at the end of a small one. Writes course.speed, .drive,
    .force_before, .speed_before, .matrix.

    Of the reduced model they follow from those at its start, or by the force of the moment from those at the start of
    the step; the damping of forces is taken where the rates lead. course.drive is the force by which they do.
    """
    count, rate, speed, kind = plan.course.row.shape[0], course.rate, course.speed, plan.course.kind[0]
    if kind < REDUCED:
        for i in range(count):
            speed[i] = rate[i, 0] + alpha * (rate[i, 1] + alpha * rate[i, 2])
        return
    whole = kind == BY_PRESENT
    long, late = (alpha * h, 1.0) if whole else (small, 0.5)
    # forces in the middle of the small step, from the last two moments; damping then takes half of the new rates
    for j in range(count):
        force, w = course.force[j], speed[j]
        if not whole:
            force += 0.5 * (force - course.force_before[j])
            w = 0.5 * w + 0.5 * (w - course.speed_before[j])
        course.drive[j] = force + course.damping[j] * w
    for i in range(count):
        total = course.free[i]
        for j in range(count):
            total += course.Y[i, j] * course.drive[j]
            course.matrix[i, j] = late * long * course.Y[i, j] * course.damping[j]
        course.matrix[i, i] += 1.0
        course.next[i] = (rate[i, 0] if whole else speed[i]) + long * total
    lu.factor(count, course.matrix)
    lu.solve(count, course.matrix, course.next)
    for i in range(count):
        course.drive[i] -= late * course.damping[i] * course.next[i]
    copy(course.force, course.force_before)
    copy(speed, course.speed_before)
    copy(course.next, speed)


@shared_kernel
def evaluate_power(plan, work):
    """The power side where its rows are, and the forces that the reduced model and the mechanics get. Return a status.
    Writes work.
    """
    course, plan_course = work.course, plan.course
    status = flow(plan, work)
    interface.force(plan, work)
    hydraulics.power(plan, work)
    if plan_course.exchange[SIDE] == PRESSURES:
        chamber_forces(plan, work.oil, course.force)
        fill(0.0, course.damping)
        return status
    for i in range(plan_course.row.shape[0]):
        course.force[i] = work.rows.force[plan_course.row[i]]
        course.damping[i] = max(-work.rows.damping[plan_course.row[i]], 0.0)
    return status


@kernel
def gather(plan, weight, work):
    """Add force, work and powers of this moment with a weight [s]. Writes course, state.energy."""
    course, energy, own = work.course, work.state.energy, plan.course.own_power
    for i in range(course.force.shape[0]):
        course.mean[i] += weight * course.force[i]
        course.work[i] += weight * course.force[i] * work.rows.w[plan.course.row[i]]
    for k in range(energy.shape[0]):
        energy[k] += weight * (1.0 - own[k]) * work.oil.power[k]


@kernel
def put_rows(plan, exchange, speed, rows):
    """Put the rows where the power side has them. Writes rows."""
    for i in range(plan.course.row.shape[0]):
        r = plan.course.row[i]
        rows.w[r] = speed[i]
        if has_value(plan.rows, r):
            rows.s[r] = exchange[i]


@kernel
def lay_line(plan, small, work):
    """A straight line from the rates of the last moment to those in course.speed, or the end of it that the rule takes:
    so the rows arrive where what it sees adds up to. Writes course.
    """
    course, rule = work.course, plan.course.integrator[0]
    for i in range(plan.course.row.shape[0]):
        r = plan.course.row[i]
        before, after = work.rows.w[r], course.speed[i]
        course.row_s0[r] = work.rows.s[r]
        course.row_w0[r] = after if rule == LINEARLY_IMPLICIT else before
        course.row_w1[r] = before if rule == EULER else after
        course.row_s1[r] = course.row_s0[r] + 0.5 * small * (course.row_w0[r] + course.row_w1[r])


@kernel
def advance_part(plan, h, part, parts, work):
    """One small step of the power side of h [s] in parts, and its forces at the end. Return a status. Writes work."""
    course, exchange, small = work.course, work.state.exchange, h / parts
    predict(plan, (part + 1) / parts, small, h, course)
    lay_line(plan, small, work)
    for i in range(plan.course.row.shape[0]):
        r = plan.course.row[i]
        exchange[i] = course.row_s1[r] if has_value(plan.rows, r) else exchange[i]
    place_inputs(part / parts, course.u_start, course.u_end, course.u0)
    place_inputs((part + 1) / parts, course.u_start, course.u_end, course.u1)
    status = small_step(plan, work, small, 0.0, 1.0, 0.5)
    if status != OK:
        return status
    put_rows(plan, exchange, course.speed, work.rows)
    copy(course.u1, work.state.u)
    return evaluate_power(plan, work)


@kernel
def look_ahead(plan, h, parts, work):
    """Make the first small step once to know where forces go, and return: the moment before is set so that the force in
    the middle is the mean of both ends. Without it each exchange would act h/2 late in its first part. Return a status.
    Writes work.
    """
    course, exchange = work.course, work.state.exchange
    copy(work.state.x, course.x_first)
    status = advance_part(plan, h, 0, parts, work)
    if status != OK:
        return status
    for i in range(plan.course.row.shape[0]):
        course.force_before[i] = 2.0 * course.force_before[i] - course.force[i]
        course.speed_before[i] = 2.0 * course.speed_before[i] - course.speed[i]
        course.speed[i] = course.rate[i, 0]
        exchange[i] = course.row_s0[plan.course.row[i]] if has_value(plan.rows, plan.course.row[i]) else exchange[i]
    copy(course.x_first, work.state.x)
    copy(course.u_start, work.state.u)
    put_rows(plan, exchange, course.speed, work.rows)
    return evaluate_power(plan, work)


@kernel
def advance_power(plan, h, work):
    """Integrate the power side over the step of h [s] on its course; course.mean has its forces. Return a status.
    Writes work.
    """
    course, rows, exchange, count = work.course, work.rows, work.state.exchange, plan.course.row.shape[0]
    lay_course(plan, h, exchange, work)
    parts = max(1, math.ceil(h / plan.course.step[0] - 1e-9))  # 1e-9: rounding of the ratio
    small = h / parts
    fill(0.0, course.mean)
    fill(0.0, course.impulse)
    fill(0.0, course.lean)
    fill(0.0, course.work)
    for i in range(count):
        course.speed[i] = course.rate[i, 0]
    put_rows(plan, exchange, course.speed, rows)
    copy(course.u_start, work.state.u)
    status = evaluate_power(plan, work)
    copy(course.force, course.force_before)
    copy(course.speed, course.speed_before)
    if status == OK and plan.course.kind[0] == REDUCED:
        status = look_ahead(plan, h, parts, work)
    for part in range(parts):
        if status != OK:
            return status
        gather(plan, 0.5 * small, work)
        status = advance_part(plan, h, part, parts, work)
        if plan.course.kind[0] == REDUCED:
            for i in range(count):
                course.impulse[i] += small * course.drive[i]
                course.lean[i] += small * (0.5 * h - (part + 0.5) * small) * course.drive[i]
        gather(plan, 0.5 * small, work)
    # the mean is that which drove the reduced model: then both end with the same rates
    for i in range(count):
        total = course.impulse[i] if plan.course.kind[0] == REDUCED else course.mean[i]
        course.mean[i] = course.force[i] if plan.course.exchange[WHAT] == END else total / h
    return status
