# SPDX-License-Identifier: BSD-3-Clause
"""The power side on its own, in smaller steps, while the mechanics moves as Newton's iteration has it.

Within a step of the mechanics the rates of the rows go in a straight line, shifted so that the rows arrive
where they are at its end: no oil is lost. Inputs go in a straight line too. Strains and spools are integrated along
them by the forward Euler rule, by RK4 or by the trapezoidal rule, in steps of their own [Naya 2011, §5: multi-rate
integration]. The Euler rule takes rows at the start of its step, inputs in the middle: so a ramp is not late.
Order measured in validation/analytic/test_integrator_order.py
"""

import math

from knuckleboom.engine.evaluate import flow
from knuckleboom.hydraulics.oil_laws import SOURCE
from knuckleboom.interface import exact_coupling
from knuckleboom.kernels import kernel
from knuckleboom.layout import NOT_CONVERGED, OK
from knuckleboom.mechanics.rows.kinds import has_value
from knuckleboom.solvers.vectors import copy

EULER, RK4, TRAPEZOIDAL = 0, 1, 2
POWER_INTEGRATORS = {"euler": EULER, "rk4": RK4, "trapezoidal": TRAPEZOIDAL}
MOST = 30  # Newton iterations of one small step
SIXTH = 1.0 / 6.0


@kernel
def keep_rows(rows, s, w):
    """Keep values and rates of all rows. Writes s, w."""
    copy(rows.s, s)
    copy(rows.w, w)


@kernel
def place_rows(plan_rows, moving, fraction, h, newton, rows):
    """Put the rows that move oil or states of elements where they are at a fraction of the step h [s]; some have only a
    rate. Writes rows.
    """
    for r in moving:
        way, gain = newton.row_s1[r] - newton.row_s0[r], newton.row_w1[r] - newton.row_w0[r]
        if not has_value(plan_rows, r):
            rows.w[r] = newton.row_w0[r] + fraction * gain
            continue
        rows.w[r] = way / h + (fraction - 0.5) * gain
        rows.s[r] = newton.row_s0[r] + fraction * way + 0.5 * h * fraction * (fraction - 1.0) * gain


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
    place_rows(plan.rows, plan.tangent.row, fraction, whole, work.newton, work.rows)
    place_inputs(moment, work.newton.u0, work.newton.u1, work.state.u)
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
    x, rate, start, total = work.state.x, work.oil.x_dot, work.newton.x_start, work.newton.x_sum
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
    x, rate, start, first = work.state.x, work.oil.x_dot, work.newton.x_start, work.newton.x_sum
    tangent, residual, tau = work.tangent, work.newton.rate_x, share * h
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
        if pressure < plan.newton.tolerance[1]:
            return OK
    return NOT_CONVERGED


@kernel
def advance(plan, work, h, share):
    """Integrate the power side over the mechanics' step h [s], up to the given rows; inputs are left as at its end.
    Return a status. Writes work.

    `share` is the weight on the end: 1/2, or 1 in the steps after a jump, which are damped here too.
    """
    newton = work.newton
    keep_rows(work.rows, newton.row_s1, newton.row_w1)
    copy(work.stage.x0, work.state.x)
    kind = plan.newton.power[0]
    count = max(1, math.ceil(h / plan.newton.power_step[0] - 1e-9))  # 1e-9: rounding of the ratio
    width, status = 1.0 / count, OK
    for i in range(count):
        if kind == EULER:
            status = euler(plan, work, h, i * width, width)
        elif kind == RK4:
            status = rk4(plan, work, h, i * width, width)
        else:
            status = trapezoidal(plan, work, h, i * width, width, share)
        if status != OK:
            break
    copy(newton.row_s1, work.rows.s)
    copy(newton.row_w1, work.rows.w)
    copy(newton.u1, work.state.u)
    return status
