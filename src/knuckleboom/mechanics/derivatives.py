# SPDX-License-Identifier: BSD-3-Clause
"""Exact slopes of inverse dynamics, M v̇ + bias, with joint positions and velocities.

For a velocity j on the link L with parent P, in spatial vectors at the common point O, full accelerations A:

    ψ̇ = V_P × S_j,   ψ̈ = A_P × S_j + V_P × ψ̇,   χ = 2 ψ̇ + (V_L − V_P) × S_j
    2B ψ = V ×* I ψ − I (V × ψ) + ψ ×* I V             of each link; I, B and the wrench F are summed over subtrees

    ∂τ_k/∂q_j = S_k·(I ψ̈ + 2B ψ̇ + S_j ×* F)   k above j         S_k·(I ψ̈ + 2B ψ̇)   k on the same link or below
    ∂τ_k/∂v_j = S_k·(I χ + 2B S_j)             in both cases; I, B, F of the deeper of the two links

q moves by increments in velocity space, so that a ball is a joint like any other. Own derivation, with the result of
[Singh Russell Wensing 2022]; checked against differences in tests/engine/test_tangents.py
"""

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.dynamics import add_needed, momentum
from knuckleboom.mechanics.kinematics import LINK_NV, LINK_PARENT, LINK_V
from knuckleboom.mechanics.payload import add_turning
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


@kernel
def screw_rates(index, motion, newton):
    """Fill ψ̇, ψ̈ and χ of all velocities, from full accelerations. Writes newton."""
    V, A, S = motion.V_WL, motion.A_WL, motion.S
    for i in range(1, index.shape[0]):
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
    """What velocity j on link i does to the wrench of its subtree: seen from above, and from the same link.

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
def inverse_dynamics_slopes(plan_links, plan_system, plan_payload, place, tau, tau_q, payload, motion, newton, J):
    """Add M + τ ∂/∂v + τ τ_q ∂/∂q of M v̇ + bias to J, from full accelerations and single inertias; system is
    plan.system, place where its pairs stand in J. Writes motion, newton, J.
    """
    index, S, C, B, F = plan_links.index, motion.S, motion.inertia, newton.B, newton.wrench
    left, same, above = newton.left, newton.same, newton.above
    fill_rows(0.0, F)
    fill(0.0, B[0])
    for i in range(1, index.shape[0]):
        add_needed(C, i, motion.V_WL, motion.A_WL, i, F)
    screw_rates(index, motion, newton)
    turning(motion, newton)
    if plan_payload.index.shape[0] > 0:
        add_turning(plan_payload, motion, payload, newton)

    for i in range(index.shape[0] - 1, 0, -1):
        iv = index[i, LINK_V]
        for j in range(iv, iv + index[i, LINK_NV]):
            columns(i, j, tau, tau_q, motion, newton)
            # rows of S_jᵀ I and S_jᵀ 2B: what other velocities do to this one
            n0, n1, n2, f0, f1, f2 = momentum(C, i, S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5])
            left[0, 0], left[0, 1], left[0, 2], left[0, 3], left[0, 4], left[0, 5] = n0, n1, n2, f0, f1, f2
            for e in range(6):
                left[1, e] = 0.0
                for m in range(6):
                    left[1, e] += S[j, m] * B[i, 6 * m + e]
            for pair in range(np.uintp(plan_system.pair_first[j]), np.uintp(plan_system.pair_first[j + 1])):
                k = plan_system.pair_ancestor[pair]
                by_j, by_k = 0.0, 0.0
                for e in range(6):
                    by_j += S[k, e] * (same[e] if k >= iv else above[e])
                    by_k += left[0, e] * (S[k, e] + tau * (newton.chi[k, e] + tau_q * newton.psi_2[k, e]))
                    by_k += left[1, e] * tau * (S[k, e] + tau_q * newton.psi_1[k, e])
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
