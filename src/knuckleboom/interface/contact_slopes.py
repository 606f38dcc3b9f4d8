# SPDX-License-Identifier: BSD-3-Clause
"""The exact tangent of contact for Newton: how its wrench and its bristles change with pose, velocity and bends.

Everything that a contact does depends on the pose and the velocity of one link, so on a small motion δ of it and on a
change of its V, six numbers each, both at O:

    ds_i = W_i·δ,   dw_i = W_i·dV + dp_i·(n×ω),   dN_i = ∂N/∂s ds_i + ∂N/∂w dw_i,   dp_i of geometry/feature.py
    dc = Σ (dG_i (p_i − c) + G_i dp_i)/G,     dρ = Σ (dG_i (ρ_i − ρ) + G_i (p_i − c)·(dp_i − dc)/ρ_i)/G
    dw = T·dV + dc·(t×ω),   dw₃ = ρ n·dω + dρ n·ω,   dλ = ∂λ/∂w dw + ∂λ/∂N dG + ∂λ/∂z dz,   dż = ∂ż/∂w dw + ∂ż/∂z dz
    dF = Σ (dN_i W_i + N_i (dp_i×n; 0)) + Σ (dλ T + λ (dc×t; 0)) + ((dλ₃ ρ + λ₃ dρ) n; 0)

For a velocity j of the chain δ = S_j and dV = S_j + τ_q ∂V/∂q_j, ∂V/∂q_j = ψ̇_j − V×S_j; screws beyond j turn with it,
which adds S_j ×* F to the rows of their velocities. On a height field normals turn as the body moves along: that is
left out, N times the ground's curvature beside k. Bristles are eliminated. The places are those of the pairs of M,
both halves. Own derivation; checked against differences in tests/engine/test_contact.py
"""

import numpy as np

from knuckleboom.apart import apart_kernel
from knuckleboom.geometry.feature import AXIS, RADIUS, moved
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
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.derivatives import force_cross
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.kinematics import LINK_KIND, LINK_NV, LINK_PARENT, LINK_S, LINK_SHAPE, LINK_V
from knuckleboom.mechanics.rows.geometry import unit_vector

COMPONENTS = 12
"""Components of δ, then of dV."""


@shared_kernel
def moved_point(plan_touch, i, link, motion, touch, turn, shift):
    """How point i moves with its body."""
    feature, which = plan_touch.place, touch.feature[i]
    axis = turned(feature, which, AXIS, motion.R_WL, link)
    return moved(feature[which, RADIUS], axis, vector(touch.n, i, 0), vector(touch.p, i, 0), turn, shift)


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


@kernel
def moved_velocity(j, k, tau_q, V, link, S, psi_1):
    """Component k of what velocity j does to V of a link: S_j + τ_q (ψ̇_j − V×S_j)."""
    w0, w1, w2, u0, u1, u2 = V[link, 0], V[link, 1], V[link, 2], V[link, 3], V[link, 4], V[link, 5]
    s0, s1, s2, s3, s4, s5 = S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5]
    # V × S_j, component by component
    if k == 0:
        crossed = w1 * s2 - w2 * s1
    elif k == 1:
        crossed = w2 * s0 - w0 * s2
    elif k == 2:
        crossed = w0 * s1 - w1 * s0
    elif k == 3:
        crossed = w1 * s5 - w2 * s4 + u1 * s2 - u2 * s1
    elif k == 4:
        crossed = w2 * s3 - w0 * s5 + u2 * s0 - u0 * s2
    else:
        crossed = w0 * s4 - w1 * s3 + u0 * s1 - u1 * s0
    return S[j, k] + tau_q * (psi_1[j, k] - crossed)


@kernel
def fill_columns(plan, c, tau, tau_q, motion, touch, newton):
    """What each screw of the chain of contact c does to what is asked of its link: for screws above, and for those of
    the same link or below, which turn with it. Writes newton.
    """
    index, S, V, F = plan.links.index, motion.S, motion.V_WL, touch.wrench
    link = plan.touch.index[c, LINK]
    i, column, turned, slope = link, newton.touch_column, newton.touch_turned, newton.touch_slope
    while i > 0:
        for j in range(index[i, LINK_S], index[i, LINK_S] + index[i, LINK_NV]):
            for k in range(6):
                total = 0.0
                for e in range(6):
                    total += tau * tau_q * slope[c, COMPONENTS * k + e] * S[j, e]
                    by_v = moved_velocity(j, e, tau_q, V, link, S, newton.psi_1)
                    total += tau * slope[c, COMPONENTS * k + 6 + e] * by_v
                column[j, k] = -total
            crossed = force_cross(
                S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5],
                F[c, 0], F[c, 1], F[c, 2], F[c, 3], F[c, 4], F[c, 5],
            )  # fmt: skip
            for k in range(6):
                turned[j, k] = column[j, k] + tau * tau_q * crossed[k]
        i = index[i, LINK_PARENT]


@kernel
def product(a, i, b, j):
    """a[i]·b[j] of six numbers."""
    total = 0.0
    for k in range(6):
        total += a[i, k] * b[j, k]
    return total


@shared_kernel
def add_shared(plan, plan_newton, c, i, square, motion, touch, newton, J):
    """Add what contact c does through the screws of attachment i; `square` is τ τ_q. Writes J."""
    index, S, p, F, lean = plan.links.index, motion.S, motion.p_OL, touch.wrench, motion.lean
    first, place = plan.system.share_first, plan_newton.share_place
    for m in range(index[i, LINK_NV]):
        j, line = index[i, LINK_S] + m, index[i, LINK_SHAPE] + m
        for pair in range(first[line], first[line + 1]):
            k, ancestor = plan.system.share_screw[pair], np.intp(plan.system.share_ancestor[pair])
            same = ancestor >= index[i, LINK_V]
            by_j = product(S, k, newton.touch_turned if same else newton.touch_column, j)
            by_k = product(S, j, newton.touch_turned, k)
            if same:
                by_j -= square * deform.along(i, k, j, p, S, lean, F, c)
                by_k -= square * deform.along(i, j, k, p, S, lean, F, c)
            J[place[pair, 1]] += by_j
            if ancestor != index[i, LINK_V] + m:
                J[place[pair, 0]] += by_k


@apart_kernel
def add_slopes(plan, plan_newton, tau, tau_q, motion, touch, newton, J):
    """Add what all contacts do to the mechanics' matrix. Writes newton, J."""
    index, pair_first, place, S = plan.links.index, plan.system.pair_first, plan_newton.pair_place, motion.S
    fill_slopes(plan.touch, tau, motion, touch, newton)
    for c in range(plan.touch.index.shape[0]):
        fill_columns(plan, c, tau, tau_q, motion, touch, newton)
        i = plan.touch.index[c, LINK]
        while i > 0:
            first, own = index[i, LINK_V], index[i, LINK_NV]
            if index[i, LINK_KIND] == deform.KIND:
                add_shared(plan, plan_newton, c, i, tau * tau_q, motion, touch, newton, J)
                own = 0
            for j in range(first, first + own):
                for pair in range(np.uintp(pair_first[j]), np.uintp(pair_first[j + 1])):
                    ancestor, k = plan.system.pair_ancestor[pair], plan.system.pair_screw[pair]
                    column = newton.touch_turned if ancestor >= first else newton.touch_column
                    J[place[pair, 1]] += product(S, k, column, j)
                    if ancestor != j:
                        J[place[pair, 0]] += product(S, j, newton.touch_turned, k)
            i = index[i, LINK_PARENT]


@kernel
def solve_bristles(plan_touch, c, newton, residual):
    """Residuals of the bristles of contact c into their corrections as if nothing moved. Writes residual."""
    state, Y = plan_touch.index[c, STATE], newton.touch_solve
    a, b, d = residual[state], residual[state + 1], residual[state + 2]
    for m in range(ROWS):
        at = ROWS * m
        residual[state + m] = Y[c, at] * a + Y[c, at + 1] * b + Y[c, at + 2] * d


@apart_kernel
def eliminate(plan, weight, motion, touch, newton, residual, force):
    """Solve for the bristles as if nothing moved, and add weight·∂F/∂z of their corrections to the force. Writes
    newton, residual, force.
    """
    index, wrench = plan.links.index, newton.touch_wrench
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
        i = plan.touch.index[c, LINK]
        while i > 0:
            for m in range(index[i, LINK_NV]):
                force[index[i, LINK_V] + m] += product(motion.S, index[i, LINK_S] + m, wrench, 0)
            i = index[i, LINK_PARENT]


@apart_kernel
def add_motion(plan, tau, tau_q, v, motion, newton, x):
    """x += what the corrections v of the velocities do to bristles. Writes x."""
    index, S = plan.links.index, motion.S
    for c in range(plan.touch.index.shape[0]):
        link, state = plan.touch.index[c, LINK], plan.touch.index[c, STATE]
        i = link
        while i > 0:
            for m in range(index[i, LINK_NV]):
                j, moved = index[i, LINK_S] + m, v[index[i, LINK_V] + m]
                for e in range(6):
                    by_v = moved_velocity(j, e, tau_q, motion.V_WL, link, S, newton.psi_1)
                    for s in range(ROWS):
                        rate = followed(c, s, 6 + e, newton) * by_v + followed(c, s, e, newton) * tau_q * S[j, e]
                        x[state + s] += tau * moved * rate
            i = index[i, LINK_PARENT]
