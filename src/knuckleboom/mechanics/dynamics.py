# SPDX-License-Identifier: BSD-3-Clause
"""Mass matrix and bias forces in joint coordinates: one pass from the leaves to the root.

    M = Rᵀ M_b R,   bias = Rᵀ (M_b Ṙ v + V ×* M_b V − f)           [Baharudin 2016, eqs 2.33-2.35]

R is the velocity transformation; its columns are the screws S of work. With all spatial inertias at the
common point O they add up along the tree without transformation, and each entry of M is one product per
pair of a velocity and its ancestor: M_jk = S_k · (I_c S_j)        [Featherstone 2008, §6.2].
A velocity that several links share, the attachments of a body, has such entries from each: they add up.
A spatial inertia is 10 numbers: m, h = m c (3), I about O (xx, yy, zz, xy, xz, yz).
"""

import numpy as np

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.kinematics import LINK_KIND, LINK_NV, LINK_PARENT, LINK_S, LINK_SHAPE, LINK_V
from knuckleboom.solvers.vectors import fill


@kernel
def is_empty(body, i):
    """Whether a link has neither mass nor, as a shaft does, inertia about its axis z: one between two coordinates of a
    joint.
    """
    return body[i, 0] == 0.0 and body[i, 6] == 0.0  # zz


@kernel
def spatial_inertia(body, i, R, p, link, C):
    """Spatial inertia about O, in world axes, of body[i], whose columns are in the axes of a link. Writes C[i]."""
    m = body[i, 0]
    if is_empty(body, i):
        fill(0.0, C[i])
        return
    r0, r1, r2 = R[link, 0], R[link, 1], R[link, 2]
    r3, r4, r5 = R[link, 3], R[link, 4], R[link, 5]
    r6, r7, r8 = R[link, 6], R[link, 7], R[link, 8]
    cx, cy, cz = body[i, 1], body[i, 2], body[i, 3]
    x = p[link, 0] + r0 * cx + r1 * cy + r2 * cz
    y = p[link, 1] + r3 * cx + r4 * cy + r5 * cz
    z = p[link, 2] + r6 * cx + r7 * cy + r8 * cz

    # T = R·J, then the upper half of T·Rᵀ
    jxx, jyy, jzz, jxy, jxz, jyz = body[i, 4], body[i, 5], body[i, 6], body[i, 7], body[i, 8], body[i, 9]
    t0, t1, t2 = r0 * jxx + r1 * jxy + r2 * jxz, r0 * jxy + r1 * jyy + r2 * jyz, r0 * jxz + r1 * jyz + r2 * jzz
    t3, t4, t5 = r3 * jxx + r4 * jxy + r5 * jxz, r3 * jxy + r4 * jyy + r5 * jyz, r3 * jxz + r4 * jyz + r5 * jzz
    t6, t7, t8 = r6 * jxx + r7 * jxy + r8 * jxz, r6 * jxy + r7 * jyy + r8 * jyz, r6 * jxz + r7 * jyz + r8 * jzz
    mx, my, mz = m * x, m * y, m * z
    C[i, 0] = m
    C[i, 1] = mx
    C[i, 2] = my
    C[i, 3] = mz
    C[i, 4] = t0 * r0 + t1 * r1 + t2 * r2 + my * y + mz * z
    C[i, 5] = t3 * r3 + t4 * r4 + t5 * r5 + mx * x + mz * z
    C[i, 6] = t6 * r6 + t7 * r7 + t8 * r8 + mx * x + my * y
    C[i, 7] = t0 * r3 + t1 * r4 + t2 * r5 - mx * y
    C[i, 8] = t0 * r6 + t1 * r7 + t2 * r8 - mx * z
    C[i, 9] = t3 * r6 + t4 * r7 + t5 * r8 - my * z


@kernel
def inertias(body, motion):
    """Fill the spatial inertia of every link; body is links.inertia. Writes motion.inertia."""
    fill(0.0, motion.inertia[0])
    for i in range(1, body.shape[0]):
        spatial_inertia(body, i, motion.R_WL, motion.p_OL, i, motion.inertia)


@kernel
def momentum(C, i, w0, w1, w2, u0, u1, u2):
    """Spatial inertia i times a motion (w; u): the moment about O and the force."""
    m, hx, hy, hz = C[i, 0], C[i, 1], C[i, 2], C[i, 3]
    n0 = C[i, 4] * w0 + C[i, 7] * w1 + C[i, 8] * w2 + hy * u2 - hz * u1
    n1 = C[i, 7] * w0 + C[i, 5] * w1 + C[i, 9] * w2 + hz * u0 - hx * u2
    n2 = C[i, 8] * w0 + C[i, 9] * w1 + C[i, 6] * w2 + hx * u1 - hy * u0
    f0 = m * u0 + w1 * hz - w2 * hy
    f1 = m * u1 + w2 * hx - w0 * hz
    f2 = m * u2 + w0 * hy - w1 * hx
    return n0, n1, n2, f0, f1, f2


@kernel
def along_screw(S, j, wrench):
    """What a wrench does along screw j."""
    return (
        S[j, 0] * wrench[0] + S[j, 1] * wrench[1] + S[j, 2] * wrench[2]
        + S[j, 3] * wrench[3] + S[j, 4] * wrench[4] + S[j, 5] * wrench[5]
    )  # fmt: skip


@kernel
def add_needed(C, i, V, A, link, f):
    """Add what the motion of a link needs for inertia i: I A + V ×* I V. Writes f[i]."""
    w0, w1, w2, u0, u1, u2 = V[link, 0], V[link, 1], V[link, 2], V[link, 3], V[link, 4], V[link, 5]
    n0, n1, n2, g0, g1, g2 = momentum(C, i, A[link, 0], A[link, 1], A[link, 2], A[link, 3], A[link, 4], A[link, 5])
    h0, h1, h2, l0, l1, l2 = momentum(C, i, w0, w1, w2, u0, u1, u2)
    f[i, 0] += n0 + w1 * h2 - w2 * h1 + u1 * l2 - u2 * l1
    f[i, 1] += n1 + w2 * h0 - w0 * h2 + u2 * l0 - u0 * l2
    f[i, 2] += n2 + w0 * h1 - w1 * h0 + u0 * l1 - u1 * l0
    f[i, 3] += g0 + w1 * l2 - w2 * l1
    f[i, 4] += g1 + w2 * l0 - w0 * l2
    f[i, 5] += g2 + w0 * l1 - w1 * l0


@kernel
def link_forces(body, motion):
    """Add to wrench (which holds minus the interface wrenches) what each link's own motion needs. Writes motion."""
    for i in range(1, body.shape[0]):
        if not is_empty(body, i):
            add_needed(motion.inertia, i, motion.V_WL, motion.A_WL, i, motion.wrench)


@kernel
def begin_shared(plan_links, plan_system, L, bias):
    """Begin what is summed up for the velocities that several links share: with their modal masses. Writes L, bias."""
    for k in range(plan_links.shared.shape[0]):
        bias[plan_links.shared[k]] = 0.0
        L[plan_system.shared_place[k]] = plan_links.modal[k]


@shared_kernel
def add_shared(plan_links, plan_system, i, motion, L, bias):
    """Add what link i, one of those that share velocities, does to mass matrix and bias forces. Writes L, bias."""
    index, C, S, f = plan_links.index, motion.inertia, motion.S, motion.wrench
    first, screws, address = plan_system.share_first, plan_system.share_screw, plan_system.share_address
    for m in range(index[i, LINK_NV]):
        j = index[i, LINK_S] + m
        s0, s1, s2, s3, s4, s5 = S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5]
        effort = s0 * f[i, 0] + s1 * f[i, 1] + s2 * f[i, 2] + s3 * f[i, 3] + s4 * f[i, 4] + s5 * f[i, 5]
        bias[index[i, LINK_V] + m] += effort
        n0, n1, n2, g0, g1, g2 = momentum(C, i, s0, s1, s2, s3, s4, s5)
        for e in range(first[index[i, LINK_SHAPE] + m], first[index[i, LINK_SHAPE] + m + 1]):
            k = screws[e]
            mass = S[k, 0] * n0 + S[k, 1] * n1 + S[k, 2] * n2 + S[k, 3] * g0 + S[k, 4] * g1 + S[k, 5] * g2
            L[address[e]] += mass


@kernel
def mass_and_bias(plan_links, plan_system, motion, L, bias):
    """Fill the mass matrix entries of L, which is zero, and the bias forces; leaves wrench and inertia as sums over
    subtrees. Writes motion, L, bias.
    """
    index, C, S, f = plan_links.index, motion.inertia, motion.S, motion.wrench
    first, turning = plan_system.pair_first, plan_system.pair_turning
    screws, address = plan_system.pair_screw, plan_system.pair_address
    begin_shared(plan_links, plan_system, L, bias)
    for link in range(index.shape[0] - 1, 0, -1):
        i = np.uintp(link)
        iv, own = index[i, LINK_V], index[i, LINK_NV]
        if index[i, LINK_KIND] == deform.KIND:
            add_shared(plan_links, plan_system, link, motion, L, bias)
            own = 0
        for velocity in range(iv, iv + own):
            j = np.uintp(velocity)
            s0, s1, s2, s3, s4, s5 = S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5]
            bias[j] = s0 * f[i, 0] + s1 * f[i, 1] + s2 * f[i, 2] + s3 * f[i, 3] + s4 * f[i, 4] + s5 * f[i, 5]
            n0, n1, n2, g0, g1, g2 = momentum(C, i, s0, s1, s2, s3, s4, s5)
            for e in range(np.uintp(first[velocity]), np.uintp(turning[velocity])):
                k = screws[e]
                L[address[e]] = S[k, 3] * g0 + S[k, 4] * g1 + S[k, 5] * g2  # a slide has no turning part
            for e in range(np.uintp(turning[velocity]), np.uintp(first[velocity + 1])):
                k = screws[e]
                L[address[e]] = S[k, 0] * n0 + S[k, 1] * n1 + S[k, 2] * n2 + S[k, 3] * g0 + S[k, 4] * g1 + S[k, 5] * g2

        parent = np.uintp(index[i, LINK_PARENT])
        for k in range(10):  # a spatial inertia has 10 numbers
            C[parent, k] += C[i, k]
        for k in range(6):
            f[parent, k] += f[i, k]


@kernel
def bias_only(plan_links, motion, bias):
    """The bias forces alone; leaves wrench as sums over subtrees. Writes motion, bias."""
    index, S, f = plan_links.index, motion.S, motion.wrench
    for k in range(plan_links.shared.shape[0]):
        bias[plan_links.shared[k]] = 0.0
    for link in range(index.shape[0] - 1, 0, -1):
        i = np.uintp(link)
        for m in range(index[i, LINK_NV]):
            j, velocity = np.uintp(index[i, LINK_S] + m), np.uintp(index[i, LINK_V] + m)
            effort = (
                S[j, 0] * f[i, 0]
                + S[j, 1] * f[i, 1]
                + S[j, 2] * f[i, 2]
                + S[j, 3] * f[i, 3]
                + S[j, 4] * f[i, 4]
                + S[j, 5] * f[i, 5]
            )
            bias[velocity] = bias[velocity] + effort if index[i, LINK_KIND] == deform.KIND else effort
        parent = np.uintp(index[i, LINK_PARENT])
        for k in range(6):
            f[parent, k] += f[i, k]


@kernel
def add_modal(plan_links, a, bias):
    """Add what the modal masses need for accelerations a. Writes bias."""
    for k in range(plan_links.shared.shape[0]):
        bias[plan_links.shared[k]] += plan_links.modal[k] * a[plan_links.shared[k]]


@kernel
def energies(plan_links, v, motion):
    """Return the kinetic and the potential energy [J]; uses poses and velocities, and overwrites motion.inertia."""
    inertias(plan_links.inertia, motion)
    C, V = motion.inertia, motion.V_WL
    g, p_WO = plan_links.gravity, motion.p_WO
    kinetic = 0.0
    potential = 0.0
    for i in range(1, plan_links.inertia.shape[0]):
        w0, w1, w2, u0, u1, u2 = V[i, 0], V[i, 1], V[i, 2], V[i, 3], V[i, 4], V[i, 5]
        n0, n1, n2, f0, f1, f2 = momentum(C, i, w0, w1, w2, u0, u1, u2)
        kinetic += 0.5 * (n0 * w0 + n1 * w1 + n2 * w2 + f0 * u0 + f1 * u1 + f2 * u2)
        for axis in range(3):
            potential -= g[axis] * (C[i, 1 + axis] + C[i, 0] * p_WO[axis])
    for k in range(plan_links.shared.shape[0]):
        rate = v[plan_links.shared[k]]
        kinetic += 0.5 * plan_links.modal[k] * rate * rate
    return kinetic, potential
