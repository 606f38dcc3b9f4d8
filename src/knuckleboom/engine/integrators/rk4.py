# SPDX-License-Identifier: BSD-3-Clause
"""Classical Runge-Kutta method: order 4, four stages, explicit, fixed step.   [Hairer Norsett Wanner 1993, II.1]

q advances by increments in velocity space from the start of the step, so that quaternions stay on their sphere
(Munthe-Kaas form, [Hairer Lubich Wanner 2006, IV.8]). Stable for h|λ| < 2.8 on the negative axis, 2.8 on the imaginary:
stiff oil needs a step of a fraction of a millisecond. Order measured in validation/analytic/test_integrator_order.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.elements import ball
from knuckleboom.solvers.vectors import add_scaled, fill

KIND = 0
ORDER = 4
STAGES = 4
NODES = (0.0, 0.5, 0.5, 1.0)  # where in the step each stage is
SIXTH = 1.0 / 6.0


@kernel
def begin(stage):
    """Clear the sums. Writes stage."""
    fill(0.0, stage.u_q)
    fill(0.0, stage.sum_q)
    fill(0.0, stage.sum_v)
    fill(0.0, stage.sum_x)
    fill(0.0, stage.sum_power)


@kernel
def after_stage(number, h, plan_links, v_dot, x_dot, power, state, stage):
    """Use the rates of one stage: move the state to the next stage, or to the end of the step. Writes state, stage."""
    weight = h * SIXTH if number == 0 or number == 3 else 2.0 * h * SIXTH  # 1/6, 1/3, 1/3, 1/6
    ahead = 0.5 * h if number < 2 else h
    last = number == 3  # the fourth stage
    move_coordinates(weight, ahead, last, plan_links, state, stage)
    accumulate(weight, ahead, last, v_dot, stage.v0, stage.sum_v, state.v)
    accumulate(weight, ahead, last, x_dot, stage.x0, stage.sum_x, state.x)
    add_scaled(stage.sum_power, weight, power, stage.sum_power)
    if last:
        add_scaled(state.energy, 1.0, stage.sum_power, state.energy)


@kernel
def accumulate(weight, ahead, last, rate, base, total, value):
    """Add a stage to the sum; value = base + ahead·rate for the next stage, base + sum at last. Writes total, value."""
    for i in range(rate.shape[0]):
        total[i] += weight * rate[i]
        value[i] = base[i] + (total[i] if last else ahead * rate[i])


@kernel
def move_coordinates(weight, ahead, last, plan_links, state, stage):
    """The same for q: angles and travels add up, quaternions move by the exponential map. Writes state.q, stage."""
    q, v, total, u = state.q, state.v, stage.sum_q, stage.u_q
    for i in range(plan_links.scalars.shape[0]):
        iq, iv = plan_links.scalars[i, 0], plan_links.scalars[i, 1]
        total[iv] += weight * v[iv]
        q[iq] = stage.q0[iq] + (total[iv] if last else ahead * v[iv])
    for i in range(plan_links.balls.shape[0]):
        iq, iv = plan_links.balls[i, 0], plan_links.balls[i, 1]
        ball.rate(iv, u, v, stage.u_q_dot)
        for k in range(iv, iv + ball.NV):
            total[k] += weight * stage.u_q_dot[k]
            u[k] = total[k] if last else ahead * stage.u_q_dot[k]
        ball.advance(iq, iv, stage.q0, u, q)
