# SPDX-License-Identifier: BSD-3-Clause
"""The exact tangent of contact for Newton: how its wrench and its bristles change with pose, velocity and bends.

Everything that a contact does depends on the pose and the velocity of one link, so on a small motion δ of it and on a
change of its V, six numbers each, both at O:

    ds_i = W_i·δ,   dw_i = W_i·dV + dp_i·(n×ω),   dN_i = ∂N/∂s ds_i + ∂N/∂w dw_i,   dp_i of geometry/feature.py
    dc = Σ (dG_i (p_i − c) + G_i dp_i)/G,     dρ = Σ (dG_i (ρ_i − ρ) + G_i (p_i − c)·(dp_i − dc)/ρ_i)/G
    dw = T·dV + dc·(t×ω),   dw₃ = ρ n·dω + dρ n·ω,   dλ = ∂λ/∂w dw + ∂λ/∂N dG + ∂λ/∂z dz,   dż = ∂ż/∂w dw + ∂ż/∂z dz
    dF = Σ (dN_i W_i + N_i (dp_i×n; 0)) + Σ (dλ T + λ (dc×t; 0)) + ((dλ₃ ρ + λ₃ dρ) n; 0)

On a height field normals turn as the body moves along: that is left out, N times the ground's curvature beside k.
Bristles are eliminated. link_slopes.py takes it to the matrix, ground_slopes.py calls. Own derivation; checked against
differences in tests/engine/test_contact.py
"""

import numpy as np

from knuckleboom.geometry.feature import AXIS, BOWL, RADIUS, moved
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.interface.contact import (
    ARM,
    ARM_NOW,
    CENTRE,
    FORCE_BY_N,
    FORCE_BY_W,
    FORCE_BY_Z,
    GRIP,
    LINK,
    RATE_BY_W,
    RATE_BY_Z,
    ROWS,
    SHARE,
    SPOT,
    SPOTS,
    STATE,
    add_wrench,
    arm_of,
    axes_of,
    turned,
    vector,
)
from knuckleboom.interface.contact_tangent import invert
from knuckleboom.interface.link_slopes import COMPONENTS, move, push, rate_of
from knuckleboom.interface.link_slopes import add_wrench as add_link
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.rows.geometry import unit_vector


@shared_kernel
def moved_point(plan_touch, i, link, motion, touch, turn, shift):
    """How point i moves with its body."""
    feature, which = plan_touch.place, touch.feature[i]
    axis = turned(feature, which, AXIS, motion.R_WL, link)
    return moved(feature[which, RADIUS], axis, vector(touch.n, i, 0), vector(touch.p, i, 0), BOWL, turn, shift)


@kernel
def moved_normal(i, dp, omega, turn, shift, turning, shifting, touch):
    """Change of the force of point i, which moves by dp, by δ = (turn, shift) and dV = (turning, shifting)."""
    n, p = vector(touch.n, i, 0), vector(touch.p, i, 0)
    ds = dot_of(n, shift) + dot_of(n, cross_of(turn, p))
    dw = dot_of(n, shifting) + dot_of(n, cross_of(turning, p)) + dot_of(dp, cross_of(n, omega))
    return touch.by_s[i] * ds + touch.by_w[i] * dw


@kernel
def moved_load(plan_touch, c, motion, turn, shift, turning, shifting, touch):
    """Change of what presses the patch of contact c, and of its centre times it."""
    first, law, link = plan_touch.index[c, SPOT], plan_touch.law, np.uintp(plan_touch.index[c, LINK])
    grip, x, y, z = 0.0, 0.0, 0.0, 0.0
    centre, omega = vector(touch.pressed, c, CENTRE), vector(motion.V_WL, link, 0)
    for i in range(first, first + plan_touch.index[c, SPOTS]):
        p, share = vector(touch.p, i, 0), law[touch.area[i], SHARE]
        dp = moved_point(plan_touch, i, link, motion, touch, turn, shift)
        dG = share * moved_normal(i, dp, omega, turn, shift, turning, shifting, touch)
        G = share * touch.N[i]
        grip += dG
        x += dG * (p[0] - centre[0]) + G * dp[0]
        y += dG * (p[1] - centre[1]) + G * dp[1]
        z += dG * (p[2] - centre[2]) + G * dp[2]
    return grip, x, y, z


@kernel
def fill_component(plan_touch, c, component, motion, touch, newton):
    """Column `component` of the slopes of contact c: of its wrench and of its bristles' rates. Writes newton."""
    index, law, wrench, slope = plan_touch.index, plan_touch.law, newton.touch_wrench, touch.slope
    link = np.uintp(index[c, LINK])
    m, t1, t2 = axes_of(touch, c)
    omega = vector(motion.V_WL, link, 0)
    # components of δ and dV
    turn, shift = unit_vector(component), unit_vector(component - 3)
    turning, shifting = unit_vector(component - 6), unit_vector(component - 9)
    for k in range(6):
        wrench[0, k] = 0.0
    grip, arm, centre = touch.pressed[c, GRIP], touch.pressed[c, ARM_NOW], vector(touch.pressed, c, CENTRE)
    for k in range(ROWS):
        newton.touch_rate[c, COMPONENTS * k + component] = 0.0
    if grip > 0.0:
        dG_all, x, y, z = moved_load(plan_touch, c, motion, turn, shift, turning, shifting, touch)
        dc, d_arm = (x / grip, y / grip, z / grip), 0.0
        for i in range(index[c, SPOT], index[c, SPOT] + index[c, SPOTS]):
            N, p, share = touch.N[i], vector(touch.p, i, 0), law[touch.area[i], SHARE]
            dp = moved_point(plan_touch, i, link, motion, touch, turn, shift)
            dN = moved_normal(i, dp, omega, turn, shift, turning, shifting, touch)
            own = arm_of(plan_touch.number[c, ARM], touch.p, i, centre)
            r = p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]
            change = dp[0] - dc[0], dp[1] - dc[1], dp[2] - dc[2]
            d_arm += share * (dN * (own - arm) + N * dot_of(r, change) / own) / grip
            n = vector(touch.n, i, 0)
            add_wrench(dN, p, n, 0, wrench)
            lever = cross_of(dp, n)
            for k in range(3):
                wrench[0, k] += N * lever[k]
        shifted = cross_of(turning, centre)
        v = shifting[0] + shifted[0], shifting[1] + shifted[1], shifting[2] + shifted[2]
        w1 = dot_of(t1, v) + dot_of(dc, cross_of(t1, omega))
        w2 = dot_of(t2, v) + dot_of(dc, cross_of(t2, omega))
        w3 = arm * dot_of(m, turning) + d_arm * dot_of(m, omega)
        f1, f2, f3 = touch.force[c, 0], touch.force[c, 1], touch.force[c, 2]
        for k in range(ROWS):
            at = FORCE_BY_W + ROWS * k
            change = (
                slope[c, at] * w1 + slope[c, at + 1] * w2 + slope[c, at + 2] * w3 + slope[c, FORCE_BY_N + k] * dG_all
            )
            push_row(c, k, change, t1, t2, m, centre, arm, wrench)
            at = RATE_BY_W + ROWS * k
            rate = slope[c, at] * w1 + slope[c, at + 1] * w2 + slope[c, at + 2] * w3
            newton.touch_rate[c, COMPONENTS * k + component] = rate
        a, b = cross_of(dc, t1), cross_of(dc, t2)
        for k in range(3):
            wrench[0, k] += f1 * a[k] + f2 * b[k] + f3 * d_arm * m[k]
    for k in range(6):
        newton.touch_slope[c, COMPONENTS * k + component] = wrench[0, k]


@kernel
def push_row(c, m, force, t1, t2, n, centre, arm, wrench):
    """Add the wrench of a force on row m of the patch of contact c. Writes wrench."""
    if m == 0:
        add_wrench(force, centre, t1, 0, wrench)
    elif m == 1:
        add_wrench(force, centre, t2, 0, wrench)
    else:
        for k in range(3):
            wrench[0, k] += force * arm * n[k]


@shared_kernel
def fill_slopes(plan_touch, tau, motion, touch, newton):
    """Fill the slopes of all contacts, bristles eliminated. Writes newton."""
    for c in range(plan_touch.index.shape[0]):
        n, t1, t2 = axes_of(touch, c)
        centre, arm = vector(touch.pressed, c, CENTRE), touch.pressed[c, ARM_NOW]
        nine = invert(tau, touch.slope, c, RATE_BY_Z)
        for k in range(9):  # numbers of a 3×3 matrix
            newton.touch_solve[c, k] = nine[k]
        for component in range(COMPONENTS):
            fill_component(plan_touch, c, component, motion, touch, newton)
            # what bristles that follow add
            for k in range(6):
                newton.touch_wrench[0, k] = 0.0
            for m in range(ROWS):
                force = 0.0
                for s in range(ROWS):
                    force += touch.slope[c, FORCE_BY_Z + ROWS * m + s] * followed(c, s, component, newton)
                push_row(c, m, tau * force, t1, t2, n, centre, arm, newton.touch_wrench)
            for k in range(6):
                newton.touch_slope[c, COMPONENTS * k + component] += newton.touch_wrench[0, k]


@kernel
def followed(c, s, component, newton):
    """Y ∂ż of state s of contact c, by one component of δ or dV."""
    total = 0.0
    for k in range(ROWS):
        total += newton.touch_solve[c, ROWS * s + k] * newton.touch_rate[c, COMPONENTS * k + component]
    return total


@shared_kernel
def add_slopes(plan, plan_newton, tau, tau_q, motion, touch, newton, J):
    """Add what all contacts do to the mechanics' matrix. Writes newton, J."""
    fill_slopes(plan.touch, tau, motion, touch, newton)
    for c in range(plan.touch.index.shape[0]):
        link = plan.touch.index[c, LINK]
        add_link(plan, plan_newton, link, c, touch.wrench, newton.touch_slope, tau, tau_q, motion, newton, J)


@kernel
def solve_bristles(plan_touch, c, newton, residual):
    """Residuals of the bristles of contact c into their corrections as if nothing moved. Writes residual."""
    state, Y = plan_touch.index[c, STATE], newton.touch_solve
    a, b, d = residual[state], residual[state + 1], residual[state + 2]
    for m in range(ROWS):
        at = ROWS * m
        residual[state + m] = Y[c, at] * a + Y[c, at + 1] * b + Y[c, at + 2] * d


@shared_kernel
def eliminate(plan, weight, motion, touch, newton, residual, force):
    """Solve for the bristles as if nothing moved, and add weight·∂F/∂z of their corrections to the force. Writes
    newton, residual, force.
    """
    wrench = newton.touch_wrench
    for c in range(plan.touch.index.shape[0]):
        solve_bristles(plan.touch, c, newton, residual)
        n, t1, t2 = axes_of(touch, c)
        centre, arm, state = vector(touch.pressed, c, CENTRE), touch.pressed[c, ARM_NOW], plan.touch.index[c, STATE]
        for k in range(6):
            wrench[0, k] = 0.0
        for m in range(ROWS):
            change, at = 0.0, FORCE_BY_Z + ROWS * m
            for s in range(ROWS):
                change += touch.slope[c, at + s] * residual[state + s]
            push_row(c, m, weight * change, t1, t2, n, centre, arm, wrench)
        push(plan, plan.touch.index[c, LINK], wrench, motion, force)


@shared_kernel
def add_motion(plan, tau, tau_q, v, motion, newton, x):
    """x += what the corrections v of the velocities do to bristles. Writes newton, x."""
    for c in range(plan.touch.index.shape[0]):
        state, Y = plan.touch.index[c, STATE], newton.touch_solve
        move(plan, plan.touch.index[c, LINK], tau_q, v, motion, newton)
        for k in range(ROWS):
            rate = tau * rate_of(newton.touch_rate, c, k, newton.touch_moved)
            for s in range(ROWS):
                x[state + s] += Y[c, ROWS * s + k] * rate
