# SPDX-License-Identifier: BSD-3-Clause
"""Exact slopes of inverse dynamics, M v̇ + bias, with joint positions and velocities.

For a velocity j on the link L with parent P, in spatial vectors at the common point O, full accelerations A:

    ψ̇ = V_P × S_j,   ψ̈ = A_P × S_j + V_P × ψ̇,   χ = 2 ψ̇ + (V_L − V_P) × S_j
    2B ψ = V ×* I ψ − I (V × ψ) + ψ ×* I V             of each link; I, B and the wrench F are summed over subtrees

    ∂τ_k/∂q_j = S_k·(I ψ̈ + 2B ψ̇ + S_j ×* F)   k above j         S_k·(I ψ̈ + 2B ψ̇)   k on the same link or below
    ∂τ_k/∂v_j = S_k·(I χ + 2B S_j)             in both cases; I, B, F of the deeper of the two links

A shape (elements/deform.py) has ψ̇ = Ṡ, ψ̈ = S̈ and χ = 2 Ṡ, and on the same link S_k·(…) + ∂_kS_j·F; a velocity that
several links share gets the sum of what it does in each.

q moves by increments in velocity space, so that a ball is a joint like any other. Own derivation, with the result of
[Singh Russell Wensing 2022]; checked against differences in tests/engine/test_tangents.py
"""

import numpy as np

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.dynamics import add_needed, momentum
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.kinematics import LINK_KIND, LINK_NV, LINK_PARENT, LINK_S, LINK_SHAPE, LINK_V
from knuckleboom.mechanics.payload import add_turning
from knuckleboom.mechanics.rows.geometry import cross
from knuckleboom.solvers.vectors import fill, fill_rows


@kernel
def motion_cross(a, i, b, j, k, result):
    """Spatial cross product of motions a[i] × b[j]. Writes result[k]."""
    w0, w1, w2, u0, u1, u2 = a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5]
    x0, x1, x2, y0, y1, y2 = b[j, 0], b[j, 1], b[j, 2], b[j, 3], b[j, 4], b[j, 5]
    result[k, 0] = w1 * x2 - w2 * x1
    result[k, 1] = w2 * x0 - w0 * x2
    result[k, 2] = w0 * x1 - w1 * x0
    result[k, 3] = w1 * y2 - w2 * y1 + u1 * x2 - u2 * x1
    result[k, 4] = w2 * y0 - w0 * y2 + u2 * x0 - u0 * x2
    result[k, 5] = w0 * y1 - w1 * y0 + u0 * x1 - u1 * x0


@kernel
def force_cross(w0, w1, w2, u0, u1, u2, n0, n1, n2, f0, f1, f2):
    """Spatial cross product of a motion (w; u) with a wrench (n; f)."""
    return (
        w1 * n2 - w2 * n1 + u1 * f2 - u2 * f1,
        w2 * n0 - w0 * n2 + u2 * f0 - u0 * f2,
        w0 * n1 - w1 * n0 + u0 * f1 - u1 * f0,
        w1 * f2 - w2 * f1,
        w2 * f0 - w0 * f2,
        w0 * f1 - w1 * f0,
    )


@shared_kernel
def shape_rates(index, i, v, v_dot, motion, newton):
    """Fill ψ̇ = Ṡ, ψ̈ = S̈ and χ = 2 Ṡ of the screws of attachment i. Writes newton."""
    S, lean, V, A, parent = motion.S, motion.lean, motion.V_WL, motion.A_WL, index[i, LINK_PARENT]
    px, py, pz = motion.p_OL[i, 0], motion.p_OL[i, 1], motion.p_OL[i, 2]
    # w, d and l of the shapes' motion, and what v̇ does to them
    tilt, wx, wy, wz, dx, dy, dz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    tilt_dot, ax, ay, az, bx, by, bz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for m in range(index[i, LINK_NV]):
        s, rate, gain = index[i, LINK_S] + m, v[index[i, LINK_V] + m], v_dot[index[i, LINK_V] + m]
        cx, cy, cz = cross(px, py, pz, S[s, 0], S[s, 1], S[s, 2])
        tilt += lean[s] * rate
        wx += S[s, 0] * rate
        wy += S[s, 1] * rate
        wz += S[s, 2] * rate
        dx += (S[s, 3] - cx) * rate
        dy += (S[s, 4] - cy) * rate
        dz += (S[s, 5] - cz) * rate
        tilt_dot += lean[s] * gain
        ax += S[s, 0] * gain
        ay += S[s, 1] * gain
        az += S[s, 2] * gain
        bx += (S[s, 3] - cx) * gain
        by += (S[s, 4] - cy) * gain
        bz += (S[s, 5] - cz) * gain
    ax, ay, az = ax - tilt * wx, ay - tilt * wy, az - tilt * wz
    tilt_dot += 0.5 * (wx * wx + wy * wy + wz * wz - tilt * tilt)

    for m in range(index[i, LINK_NV]):
        j = index[i, LINK_S] + m
        x, y, z, own = S[j, 0], S[j, 1], S[j, 2], lean[j]
        own_dot = 0.5 * (wx * x + wy * y + wz * z - tilt * own)
        # in the parent's axes: ṫ = ½ (w×t − l t − lean w), ẗ likewise
        cx, cy, cz = cross(wx, wy, wz, x, y, z)
        tx = 0.5 * (cx - tilt * x - own * wx)
        ty = 0.5 * (cy - tilt * y - own * wy)
        tz = 0.5 * (cz - tilt * z - own * wz)
        cx, cy, cz = cross(ax, ay, az, x, y, z)
        ex, ey, ez = cross(wx, wy, wz, tx, ty, tz)
        hx = 0.5 * (cx + ex - tilt_dot * x - tilt * tx - own_dot * wx - own * ax)
        hy = 0.5 * (cy + ey - tilt_dot * y - tilt * ty - own_dot * wy - own * ay)
        hz = 0.5 * (cz + ez - tilt_dot * z - tilt * tz - own_dot * wz - own * az)
        rate, change = newton.chi, newton.psi_2
        # of the moving part: d×t + p×ṫ, then ḋ×t + 2 d×ṫ + p×ẗ
        cx, cy, cz = cross(dx, dy, dz, x, y, z)
        ex, ey, ez = cross(px, py, pz, tx, ty, tz)
        rate[j, 0], rate[j, 1], rate[j, 2] = tx, ty, tz
        rate[j, 3], rate[j, 4], rate[j, 5] = cx + ex, cy + ey, cz + ez
        cx, cy, cz = cross(bx, by, bz, x, y, z)
        ex, ey, ez = cross(dx, dy, dz, tx, ty, tz)
        gx, gy, gz = cross(px, py, pz, hx, hy, hz)
        change[j, 0], change[j, 1], change[j, 2] = hx, hy, hz
        change[j, 3], change[j, 4], change[j, 5] = cx + 2.0 * ex + gx, cy + 2.0 * ey + gy, cz + 2.0 * ez + gz

        # carried by the parent: Ṡ = V×S + ·, S̈ = A×S + V×(Ṡ + ·) + ··
        mixed = newton.mixed
        motion_cross(V, parent, S, j, j, newton.psi_1)
        for k in range(6):
            newton.psi_1[j, k] += rate[j, k]
            mixed[0, k] = newton.psi_1[j, k] + rate[j, k]
        motion_cross(V, parent, mixed, 0, 1, mixed)
        for k in range(6):
            change[j, k] += mixed[1, k]
        motion_cross(A, parent, S, j, 1, mixed)
        for k in range(6):
            change[j, k] += mixed[1, k]
            newton.chi[j, k] = 2.0 * newton.psi_1[j, k]


@kernel
def screw_rates(index, v, v_dot, motion, newton):
    """Fill ψ̇, ψ̈ and χ of all screws, from full accelerations. Writes newton."""
    V, A, S = motion.V_WL, motion.A_WL, motion.S
    for i in range(1, index.shape[0]):
        if index[i, LINK_KIND] == deform.KIND:
            shape_rates(index, i, v, v_dot, motion, newton)
            continue
        parent, iv = index[i, LINK_PARENT], index[i, LINK_V]
        for j in range(iv, iv + index[i, LINK_NV]):
            motion_cross(V, parent, S, j, j, newton.psi_1)
            motion_cross(V, parent, newton.psi_1, j, j, newton.psi_2)
            motion_cross(A, parent, S, j, j, newton.chi)
            for k in range(6):
                newton.psi_2[j, k] += newton.chi[j, k]
            motion_cross(V, i, S, j, j, newton.chi)
            for k in range(6):
                newton.chi[j, k] += newton.psi_1[j, k]  # 2ψ̇ + (V_L − V_P)×S = ψ̇ + V_L×S


@kernel
def turning(motion, newton):
    """Fill 2B of every link as a 6×6 matrix, row by row. Writes newton.B."""
    V, C, B = motion.V_WL, motion.inertia, newton.B
    for i in range(1, B.shape[0]):
        w0, w1, w2, u0, u1, u2 = V[i, 0], V[i, 1], V[i, 2], V[i, 3], V[i, 4], V[i, 5]
        h0, h1, h2, l0, l1, l2 = momentum(C, i, w0, w1, w2, u0, u1, u2)
        for k in range(6):
            e0, e1, e2 = 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0
            d0, d1, d2 = 1.0 if k == 3 else 0.0, 1.0 if k == 4 else 0.0, 1.0 if k == 5 else 0.0  # the moving part
            # V ×* I ψ
            n0, n1, n2, f0, f1, f2 = momentum(C, i, e0, e1, e2, d0, d1, d2)
            a0, a1, a2, a3, a4, a5 = force_cross(w0, w1, w2, u0, u1, u2, n0, n1, n2, f0, f1, f2)
            # I (V × ψ)
            c0, c1, c2 = w1 * e2 - w2 * e1, w2 * e0 - w0 * e2, w0 * e1 - w1 * e0
            c3 = w1 * d2 - w2 * d1 + u1 * e2 - u2 * e1
            c4 = w2 * d0 - w0 * d2 + u2 * e0 - u0 * e2
            c5 = w0 * d1 - w1 * d0 + u0 * e1 - u1 * e0
            b0, b1, b2, b3, b4, b5 = momentum(C, i, c0, c1, c2, c3, c4, c5)
            # ψ ×* I V
            g0, g1, g2, g3, g4, g5 = force_cross(e0, e1, e2, d0, d1, d2, h0, h1, h2, l0, l1, l2)
            B[i, k] = a0 - b0 + g0
            B[i, 6 + k] = a1 - b1 + g1
            B[i, 12 + k] = a2 - b2 + g2
            B[i, 18 + k] = a3 - b3 + g3
            B[i, 24 + k] = a4 - b4 + g4
            B[i, 30 + k] = a5 - b5 + g5


@kernel
def transformed(B, i, a, j, k):
    """Component k of B[i] a[j]."""
    total = 0.0
    for m in range(6):
        total += B[i, 6 * k + m] * a[j, m]
    return total


@kernel
def columns(i, j, tau, tau_q, motion, newton):
    """What velocity j on link i does to the wrench of its subtree: for screws above, and for those of the same link.

    M and its slopes together: I S + τ (I χ + 2B S) + τ τ_q (I ψ̈ + 2B ψ̇), and S ×* F above. Writes newton.
    """
    C, S, F = motion.inertia, motion.S, newton.wrench
    chi, psi_1, psi_2 = newton.chi, newton.psi_1, newton.psi_2
    for k in range(6):
        newton.mixed[0, k] = S[j, k] + tau * (chi[j, k] + tau_q * psi_2[j, k])
        newton.mixed[1, k] = tau * (S[j, k] + tau_q * psi_1[j, k])
    m = newton.mixed
    n0, n1, n2, f0, f1, f2 = momentum(C, i, m[0, 0], m[0, 1], m[0, 2], m[0, 3], m[0, 4], m[0, 5])
    same = newton.same
    same[0], same[1], same[2], same[3], same[4], same[5] = n0, n1, n2, f0, f1, f2
    g0, g1, g2, g3, g4, g5 = force_cross(
        S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5], F[i, 0], F[i, 1], F[i, 2], F[i, 3], F[i, 4], F[i, 5]
    )
    for k in range(6):
        same[k] += transformed(newton.B, i, m, 1, k)
    above, square = newton.above, tau * tau_q
    above[0], above[1], above[2] = same[0] + square * g0, same[1] + square * g1, same[2] + square * g2
    above[3], above[4], above[5] = same[3] + square * g3, same[4] + square * g4, same[5] + square * g5


@kernel
def left_rows(i, j, motion, newton):
    """Rows of S_jᵀ I and S_jᵀ 2B of link i: what other velocities do to this one. Writes newton."""
    S, left = motion.S, newton.left
    n0, n1, n2, f0, f1, f2 = momentum(motion.inertia, i, S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5])
    left[0, 0], left[0, 1], left[0, 2], left[0, 3], left[0, 4], left[0, 5] = n0, n1, n2, f0, f1, f2
    for e in range(6):
        left[1, e] = 0.0
        for m in range(6):
            left[1, e] += S[j, m] * newton.B[i, 6 * m + e]


@kernel
def both_ways(k, hangs, tau, tau_q, motion, newton):
    """What a velocity does to the effort of screw k, by `columns`, and k to that of the velocity, by `left_rows`;
    `hangs` where k is on the same link.
    """
    S, left, same, above = motion.S, newton.left, newton.same, newton.above
    by_j, by_k = 0.0, 0.0
    for e in range(6):
        by_j += S[k, e] * (same[e] if hangs else above[e])
        by_k += left[0, e] * (S[k, e] + tau * (newton.chi[k, e] + tau_q * newton.psi_2[k, e]))
        by_k += left[1, e] * tau * (S[k, e] + tau_q * newton.psi_1[k, e])
    return by_j, by_k


@shared_kernel
def shared_slopes(plan_links, plan_system, i, place, tau, tau_q, motion, newton, J):
    """The same for the screws of attachment i; place is where the shared pairs stand in J. Writes newton, J."""
    index, S, lean, p = plan_links.index, motion.S, motion.lean, motion.p_OL
    for m in range(index[i, LINK_NV]):
        j, line, velocity = index[i, LINK_S] + m, index[i, LINK_SHAPE] + m, index[i, LINK_V] + m
        columns(i, j, tau, tau_q, motion, newton)
        left_rows(i, j, motion, newton)
        for pair in range(plan_system.share_first[line], plan_system.share_first[line + 1]):
            k, ancestor = plan_system.share_screw[pair], np.intp(plan_system.share_ancestor[pair])
            by_j, by_k = both_ways(k, ancestor >= index[i, LINK_V], tau, tau_q, motion, newton)
            if ancestor >= index[i, LINK_V]:
                by_j += tau * tau_q * deform.along(i, k, j, p, S, lean, newton.wrench, i)
                by_k += tau * tau_q * deform.along(i, j, k, p, S, lean, newton.wrench, i)
            J[place[pair, 1]] += by_j
            if ancestor != velocity:
                J[place[pair, 0]] += by_k


@kernel
def inverse_dynamics_slopes(
    plan_links, plan_system, plan_payload, plan_newton, tau, tau_q, v, v_dot, payload, motion, newton, J
):  # fmt: skip
    """Add M + τ ∂/∂v + τ τ_q ∂/∂q of M v̇ + bias to J, from full accelerations and single inertias. Writes motion,
    newton, J.
    """
    index, C, B, F, place = plan_links.index, motion.inertia, newton.B, newton.wrench, plan_newton.pair_place
    fill_rows(0.0, F)
    fill(0.0, B[0])
    for i in range(1, index.shape[0]):
        add_needed(C, i, motion.V_WL, motion.A_WL, i, F)
    screw_rates(index, v, v_dot, motion, newton)
    turning(motion, newton)
    if plan_payload.index.shape[0] > 0:
        add_turning(plan_payload, motion, payload, newton)
    for k in range(plan_links.shared.shape[0]):
        J[plan_newton.shared_place[k]] += plan_links.modal[k]

    for i in range(index.shape[0] - 1, 0, -1):
        iv, own = index[i, LINK_V], index[i, LINK_NV]
        if index[i, LINK_KIND] == deform.KIND:
            shared_slopes(plan_links, plan_system, i, plan_newton.share_place, tau, tau_q, motion, newton, J)
            own = 0
        for j in range(iv, iv + own):
            columns(i, j, tau, tau_q, motion, newton)
            left_rows(i, j, motion, newton)
            for pair in range(np.uintp(plan_system.pair_first[j]), np.uintp(plan_system.pair_first[j + 1])):
                k = plan_system.pair_ancestor[pair]
                by_j, by_k = both_ways(plan_system.pair_screw[pair], k >= iv, tau, tau_q, motion, newton)
                J[place[pair, 1]] += by_j
                if k != j:
                    J[place[pair, 0]] += by_k

        parent = np.uintp(index[i, LINK_PARENT])
        for k in range(10):  # a spatial inertia has 10 numbers
            C[parent, k] += C[i, k]
        for k in range(36):  # a 6×6 matrix
            B[parent, k] += B[i, k]
        for k in range(6):
            F[parent, k] += F[i, k]
