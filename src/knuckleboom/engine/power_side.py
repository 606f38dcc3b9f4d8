# SPDX-License-Identifier: BSD-3-Clause
"""The power side on its own, in steps smaller than those of the mechanics, while its rows go along a given course.

Within a step the rates of the rows go in a straight line, shifted so that the rows arrive where they are at its end: no
oil is lost. As [Naya 2011, eq. 40] has it they are constant instead: the way over the step. Inputs go in a straight
line. Strains, spools and states of elements are integrated along them by the forward Euler rule, by RK4, by the
trapezoidal rule or by the linearly implicit Euler rule. The Euler rule takes rows at the start of its step, the
linearly implicit one at its end, both inputs in the middle: so a ramp is not late. Who says where the rows are:
engine/cointegrate.py and engine/cosimulate.py.
Order measured in validation/analytic/test_integrator_order.py
"""

from knuckleboom.engine.evaluate import flow
from knuckleboom.hydraulics.oil_laws import SOURCE
from knuckleboom.interface import exact_coupling
from knuckleboom.kernels import kernel
from knuckleboom.layout import NOT_CONVERGED, OK
from knuckleboom.mechanics.rows.kinds import has_value
from knuckleboom.solvers.vectors import copy

EULER, RK4, TRAPEZOIDAL, LINEARLY_IMPLICIT = 0, 1, 2, 3
POWER_INTEGRATORS = {"euler": EULER, "rk4": RK4, "trapezoidal": TRAPEZOIDAL, "lie": LINEARLY_IMPLICIT}
STRAIGHT, PUBLISHED = 0, 1
MOST = 30  # Newton iterations of one small step
SIXTH = 1.0 / 6.0


@kernel
def keep_rows(rows, s, w):
    """Keep values and rates of all rows. Writes s, w."""
    copy(rows.s, s)
    copy(rows.w, w)


@kernel
def place_rows(plan_rows, plan_course, fraction, h, course, rows):
    """Put the rows that move oil or states of elements where they are at a fraction of the step h [s]; some have only a
    rate. Writes rows.
    """
    constant = plan_course.kind[0] == PUBLISHED
    for k in range(plan_course.row.shape[0]):
        r = plan_course.row[k]
        way, gain = course.row_s1[r] - course.row_s0[r], course.row_w1[r] - course.row_w0[r]
        if not has_value(plan_rows, r):
            rows.w[r] = course.row_w0[r] + fraction * gain
            continue
        if constant:
            gain = 0.0
        rows.w[r] = way / h + (fraction - 0.5) * gain
        rows.s[r] = course.row_s0[r] + fraction * way + 0.5 * h * fraction * (fraction - 1.0) * gain


@kernel
def place_inputs(fraction, start, end, u):
    """Inputs at a fraction of the step. Writes u."""
    for i in range(u.shape[0]):
        u[i] = start[i] + fraction * (end[i] - start[i])


@kernel
def rates(plan, work, fraction, moment, whole):
    """Rates of the power side with the rows at a fraction of the whole step and the inputs at a moment of it, from
    state.x. Return a status. Writes work.
    """
    place_rows(plan.rows, plan.course, fraction, whole, work.course, work.rows)
    place_inputs(moment, work.course.u0, work.course.u1, work.state.u)
    return flow(plan, work)


@kernel
def euler(plan, work, whole, begin, width):
    """The forward Euler rule over a part `width` of the whole step [s] from `begin`. Return a status. Writes work."""
    h = width * whole
    status = rates(plan, work, begin, begin + 0.5 * width, whole)
    x, rate = work.state.x, work.oil.x_dot
    for i in range(x.shape[0]):
        x[i] += h * rate[i]
    return status


@kernel
def rk4(plan, work, whole, begin, width):
    """The same by the classical Runge-Kutta method. Return a status. Writes work."""
    h = width * whole
    x, rate, start, total = work.state.x, work.oil.x_dot, work.course.x_start, work.course.x_sum
    copy(x, start)
    copy(x, total)
    for number in range(4):
        node = 0.0 if number == 0 else 1.0 if number == 3 else 0.5  # 0, 1/2, 1/2, 1
        moment = begin + node * width
        status = rates(plan, work, moment, moment, whole)
        if status != OK:
            return status
        weight = h * SIXTH if number == 0 or number == 3 else 2.0 * h * SIXTH  # 1/6, 1/3, 1/3, 1/6
        ahead = 0.5 * h if number < 2 else h
        for i in range(x.shape[0]):
            total[i] += weight * rate[i]
            x[i] = total[i] if number == 3 else start[i] + ahead * rate[i]
    return OK


@kernel
def trapezoidal(plan, work, whole, begin, width, share):
    """The same by the trapezoidal rule, with Newton on the power side alone; a share of 1 on the end makes it the
    implicit Euler rule. Return a status. Writes work.
    """
    h = width * whole
    x, rate, start, first = work.state.x, work.oil.x_dot, work.course.x_start, work.course.x_sum
    tangent, residual, tau = work.tangent, work.course.residual, share * h
    status = rates(plan, work, begin, begin, whole)
    if status != OK:
        return status
    copy(x, start)
    copy(rate, first)
    for i in range(x.shape[0]):
        x[i] += h * rate[i]
    for _ in range(MOST):
        status = rates(plan, work, begin + width, begin + width, whole)
        if status != OK:
            return status
        for i in range(x.shape[0]):
            residual[i] = start[i] + (h - tau) * first[i] + tau * rate[i] - x[i]
        exact_coupling.factor_oil(plan.oil, tau, work.oil, tangent)
        exact_coupling.eliminate(plan, tau, work.rows, rate, tangent, residual)
        pressure = 0.0
        for i in range(x.shape[0]):
            x[i] += residual[i]
            if i < plan.oil.node_first[SOURCE]:
                pressure = max(pressure, abs(tangent.stiffness[i] * residual[i]))
        if pressure < plan.course.tolerance[0]:
            return OK
    return NOT_CONVERGED


@kernel
def linearly_implicit(plan, work, whole, begin, width):
    """The same by the linearly implicit Euler rule, rows at the end, inputs in the middle: one Newton iteration of the
    implicit one from the start. Return a status. Writes work.
    """
    h = width * whole
    x, rate, residual = work.state.x, work.oil.x_dot, work.course.residual
    status = rates(plan, work, begin + width, begin + 0.5 * width, whole)
    if status != OK:
        return status
    for i in range(x.shape[0]):
        residual[i] = h * rate[i]
    exact_coupling.factor_oil(plan.oil, h, work.oil, work.tangent)
    exact_coupling.eliminate(plan, h, work.rows, rate, work.tangent, residual)
    for i in range(x.shape[0]):
        x[i] += residual[i]
    return OK


@kernel
def small_step(plan, work, whole, begin, width, share):
    """One step of the power side over a part `width` of the whole step [s] from `begin`, by the plan's rule; share is
    the weight of the trapezoidal one on the end. Return a status. Writes work.
    """
    kind = plan.course.integrator[0]
    if kind == EULER:
        return euler(plan, work, whole, begin, width)
    if kind == RK4:
        return rk4(plan, work, whole, begin, width)
    if kind == LINEARLY_IMPLICIT:
        return linearly_implicit(plan, work, whole, begin, width)
    return trapezoidal(plan, work, whole, begin, width, share)
