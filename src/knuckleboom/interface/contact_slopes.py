# SPDX-License-Identifier: BSD-3-Clause
"""The exact tangent of contact for Newton: how its wrench and its bristles change with pose, velocity and bends.

Everything that a contact does depends on the pose and the velocity of one link, so on a small motion δ of it and on a
change of its V, six numbers each, both at O:

    ds_i = W_i·δ,   dw_i = W_i·dV + dp_i·(n×ω),   dN_i = ∂N/∂s ds_i + ∂N/∂w dw_i,   dp_i = δx + δθ×(p_i + r n)
    dc = Σ (dN_i (p_i − c) + N_i dp_i)/N,     dρ = Σ (dN_i (ρ_i − ρ) + N_i (p_i − c)·(dp_i − dc)/ρ_i)/N
    dw = T·dV + dc·(t×ω),   dw₃ = ρ n·dω + dρ n·ω,   dλ = ∂λ/∂w dw + ∂λ/∂N dN + ∂λ/∂z dz,   dż = ∂ż/∂w dw + ∂ż/∂z dz
    dF = Σ (dN_i W_i + N_i (dp_i×n; 0)) + Σ (dλ T + λ (dc×t; 0)) + ((dλ₃ ρ + λ₃ dρ) n; 0)

For a velocity j of the chain δ = S_j and dV = S_j + τ_q ∂V/∂q_j, ∂V/∂q_j = ψ̇_j − V×S_j; screws beyond j turn with it,
which adds S_j ×* F to the rows of their velocities. Bristles are eliminated. The places are those of the pairs of M,
both halves. Own derivation; checked against differences in tests/engine/test_contact.py
"""

import numpy as np

from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.interface.contact import (
    ARM,
    ARM_NOW,
    CENTRE,
    FORCE_BY_N,
    FORCE_BY_W,
    FORCE_BY_Z,
    LOAD,
    RADIUS,
    RATE_BY_W,
    RATE_BY_Z,
    ROWS,
    SPOT,
    SPOTS,
    STATE,
    add_wrench,
    arm_of,
    axes_of,
    vector,
)
from knuckleboom.interface.contact_tangent import invert
from knuckleboom.interface.link_sums import LINK
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.derivatives import force_cross
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.kinematics import LINK_KIND, LINK_NV, LINK_PARENT, LINK_S, LINK_SHAPE, LINK_V
from knuckleboom.mechanics.rows.geometry import unit_vector

COMPONENTS = 12
"""Components of δ, then of dV."""


@kernel
def moved_point(p, n, radius, turn, shift):
    """How a point that touches moves with its body: dp = δx + δθ×(p + r n)."""
    x, y, z = cross_of(turn, (p[0] + radius * n[0], p[1] + radius * n[1], p[2] + radius * n[2]))
    return x + shift[0], y + shift[1], z + shift[2]


@kernel
def moved_load(plan_touch, c, n, omega, turn, shift, turning, shifting, touch):
    """Change of the load of contact c, of its centre times it, by δ = (turn, shift) and dV = (turning, shifting)."""
    first, radius = plan_touch.index[c, SPOT], plan_touch.number[c, RADIUS]
    load, x, y, z = 0.0, 0.0, 0.0, 0.0
    centre, about = vector(touch.pressed, c, CENTRE), cross_of(n, omega)
    for i in range(first, first + plan_touch.index[c, SPOTS]):
        p = vector(touch.p, i, 0)
        dp = moved_point(p, n, radius, turn, shift)
        dN = moved_normal(i, n, p, dp, about, turning, shifting, touch)
        N = touch.N[i]
        load += dN
        x += dN * (p[0] - centre[0]) + N * dp[0]
        y += dN * (p[1] - centre[1]) + N * dp[1]
        z += dN * (p[2] - centre[2]) + N * dp[2]
    return load, x, y, z


@kernel
def moved_normal(i, n, p, dp, about, turning, shifting, touch):
    """Change of the force of point i that moves by dp; `about` is n×ω."""
    m = cross_of(turning, p)
    dw = dot_of(n, shifting) + dot_of(n, m) + dot_of(dp, about)
    return touch.by_s[i] * dot_of(n, dp) + touch.by_w[i] * dw


@kernel
def fill_component(plan_touch, c, component, V, touch, newton):
    """Column `component` of the slopes of contact c: of its wrench and of its bristles' rates. Writes newton."""
    index, number, wrench, slope = plan_touch.index, plan_touch.number, newton.touch_wrench, touch.slope
    link = index[c, LINK]
    n, t1, t2 = axes_of(number, c)
    omega = vector(V, link, 0)
    # components of δ and dV
    turn, shift = unit_vector(component), unit_vector(component - 3)
    turning, shifting = unit_vector(component - 6), unit_vector(component - 9)
    for k in range(6):
        wrench[0, k] = 0.0
    load, arm, centre = touch.pressed[c, LOAD], touch.pressed[c, ARM_NOW], vector(touch.pressed, c, CENTRE)
    for m in range(ROWS):
        newton.touch_rate[c, COMPONENTS * m + component] = 0.0
    if load > 0.0:
        dN_all, x, y, z = moved_load(plan_touch, c, n, omega, turn, shift, turning, shifting, touch)
        dc = x / load, y / load, z / load
        about, radius, d_arm = cross_of(n, omega), number[c, RADIUS], 0.0
        for i in range(index[c, SPOT], index[c, SPOT] + index[c, SPOTS]):
            N, p = touch.N[i], vector(touch.p, i, 0)
            dp = moved_point(p, n, radius, turn, shift)
            dN = moved_normal(i, n, p, dp, about, turning, shifting, touch)
            own = arm_of(number[c, ARM], touch.p, i, centre)
            r = p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]
            change = dp[0] - dc[0], dp[1] - dc[1], dp[2] - dc[2]
            d_arm += (dN * (own - arm) + N * dot_of(r, change) / own) / load
            add_wrench(dN, p, n, 0, wrench)
            m = cross_of(dp, n)
            for k in range(3):
                wrench[0, k] += N * m[k]
        shifted = cross_of(turning, centre)
        v = shifting[0] + shifted[0], shifting[1] + shifted[1], shifting[2] + shifted[2]
        w1 = dot_of(t1, v) + dot_of(dc, cross_of(t1, omega))
        w2 = dot_of(t2, v) + dot_of(dc, cross_of(t2, omega))
        w3 = arm * dot_of(n, turning) + d_arm * dot_of(n, omega)
        f1, f2, f3 = touch.force[c, 0], touch.force[c, 1], touch.force[c, 2]
        for m in range(ROWS):
            at = FORCE_BY_W + ROWS * m
            change = (
                slope[c, at] * w1 + slope[c, at + 1] * w2 + slope[c, at + 2] * w3 + slope[c, FORCE_BY_N + m] * dN_all
            )
            push_row(c, m, change, t1, t2, n, centre, arm, wrench)
            at = RATE_BY_W + ROWS * m
            rate = slope[c, at] * w1 + slope[c, at + 1] * w2 + slope[c, at + 2] * w3
            newton.touch_rate[c, COMPONENTS * m + component] = rate
        a, b = cross_of(dc, t1), cross_of(dc, t2)
        for k in range(3):
            wrench[0, k] += f1 * a[k] + f2 * b[k] + f3 * d_arm * n[k]
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
def fill_slopes(plan_touch, tau, V, touch, newton):
    """Fill the slopes of all contacts, bristles eliminated. Writes newton."""
    for c in range(plan_touch.index.shape[0]):
        n, t1, t2 = axes_of(plan_touch.number, c)
        centre, arm = vector(touch.pressed, c, CENTRE), touch.pressed[c, ARM_NOW]
        nine = invert(tau, touch.slope, c, RATE_BY_Z)
        for k in range(9):  # numbers of a 3×3 matrix
            newton.touch_solve[c, k] = nine[k]
        for component in range(COMPONENTS):
            fill_component(plan_touch, c, component, V, touch, newton)
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
def add_shared(plan, c, i, square, motion, touch, newton, J):
    """Add what contact c does through the screws of attachment i; `square` is τ τ_q. Writes J."""
    index, S, p, F, lean = plan.links.index, motion.S, motion.p_OL, touch.wrench, motion.lean
    first, place = plan.system.share_first, plan.newton.share_place
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


@shared_kernel
def add_slopes(plan, tau, tau_q, motion, touch, newton, J):
    """Add what all contacts do to the mechanics' matrix. Writes newton, J."""
    index, pair_first, place, S = plan.links.index, plan.system.pair_first, plan.newton.pair_place, motion.S
    fill_slopes(plan.touch, tau, motion.V_WL, touch, newton)
    for c in range(plan.touch.index.shape[0]):
        fill_columns(plan, c, tau, tau_q, motion, touch, newton)
        i = plan.touch.index[c, LINK]
        while i > 0:
            first, own = index[i, LINK_V], index[i, LINK_NV]
            if index[i, LINK_KIND] == deform.KIND:
                add_shared(plan, c, i, tau * tau_q, motion, touch, newton, J)
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


@shared_kernel
def eliminate(plan, weight, motion, touch, newton, residual, force):
    """Solve for the bristles as if nothing moved, and add weight·∂F/∂z of their corrections to the force. Writes
    newton, residual, force.
    """
    index, wrench = plan.links.index, newton.touch_wrench
    for c in range(plan.touch.index.shape[0]):
        solve_bristles(plan.touch, c, newton, residual)
        n, t1, t2 = axes_of(plan.touch.number, c)
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


@shared_kernel
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
