# SPDX-License-Identifier: BSD-3-Clause
"""Where every link is and how it moves: recursion from the root to the leaves.

Link 0 is the ground. All vectors are in world axes W; positions and spatial velocities refer to one common
point O that lies at the root body and is at rest at this instant, so that nothing is transformed on the way
along the tree [Baharudin 2016, eqs 2.25-2.30, with the reference point of §2.1.6 moved to O].

    p_OL, R_WL      origin and axes of link L
    V_WL = [ω; v_O]           V_L = V_P + S v
    A_WL = [α; a_O]           A_L = A_P + V_L × (S v)       bias: joint accelerations zero, ground at −g

A screw is a row of S: how one velocity moves one link. That of velocity k is row k, but where several links share a
velocity, the attachments of a body with shapes, each has rows of its own (docs/decisions/screws.md).

Indices read from a table are made unsigned: for signed ones Numba tests every access for a negative index.
Because the ground too accelerates by −g, gravity drops out of every difference A_b − A_a.
"""

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.elements import axes, ball, deform, slide, turn
from knuckleboom.solvers.sine import sines

LINK_KIND, LINK_PARENT, LINK_Q, LINK_V, LINK_ALIGNED, LINK_NV, LINK_S, LINK_SHAPE = 0, 1, 2, 3, 4, 5, 6, 7
"""Columns of links.index."""


@kernel
def set_origin(origin, q, p_WO, p_OL):
    """Put O at the root's position: a machine far from the world's origin loses no digits. Writes p_WO, p_OL."""
    for axis in range(3):
        p_WO[axis] = q[origin[axis]] if origin[axis] >= 0 else 0.0
        p_OL[0, axis] = -p_WO[axis]


@kernel
def poses(plan_links, q, motion):
    """Fill p_OL, R_WL and the screws S of all velocities from q. Writes motion."""
    set_origin(plan_links.origin, q, motion.p_WO, motion.p_OL)
    index, frame = plan_links.index, plan_links.frame
    R, p, S, angle, sine, cosine = motion.R_WL, motion.p_OL, motion.S, motion.angle, motion.sine, motion.cosine
    for i in range(angle.shape[0]):
        angle[i] = q[plan_links.turns[i]]
    sines(angle, sine, cosine)
    turned = 0
    for i in range(1, index.shape[0]):
        parent = np.uintp(index[i, LINK_PARENT])
        # joint frame F of this link, carried by the parent: R_WF = R_WP·R_PF, p_OF = p_OP + R_WP·p_PF
        aligned = index[i, LINK_ALIGNED] == 1  # parallel joint axes: R_PF = 1
        for k in range(3):
            a, b, c = R[parent, 3 * k], R[parent, 3 * k + 1], R[parent, 3 * k + 2]
            p[i, k] = p[parent, k] + a * frame[i, 9] + b * frame[i, 10] + c * frame[i, 11]
            if aligned:
                R[i, 3 * k], R[i, 3 * k + 1], R[i, 3 * k + 2] = a, b, c
            else:
                R[i, 3 * k] = a * frame[i, 0] + b * frame[i, 3] + c * frame[i, 6]
                R[i, 3 * k + 1] = a * frame[i, 1] + b * frame[i, 4] + c * frame[i, 7]
                R[i, 3 * k + 2] = a * frame[i, 2] + b * frame[i, 5] + c * frame[i, 8]

        kind, iq, iv = index[i, LINK_KIND], index[i, LINK_Q], index[i, LINK_V]
        if kind == turn.KIND:
            turn.place(i, sine[turned], cosine[turned], R)
            turned += 1
            turn.screws(i, np.uintp(iv), R, p, S)
        elif kind == slide.KIND:
            slide.place(i, np.uintp(iq), q, R, p)
            slide.screws(i, np.uintp(iv), R, p, S)
        elif kind == ball.KIND:
            ball.place(i, iq, q, R, p)
            ball.screws(i, iv, R, p, S)
        elif kind == axes.KIND:
            axes.place(i, iq, q, R)
            axes.screws(i, iv, R, p, S)
        else:
            count, first, screw = index[i, LINK_NV], index[i, LINK_SHAPE], index[i, LINK_S]
            deform.place(i, iq, count, first, screw, q, plan_links.shape, R, p, S, motion.lean)
    between = plan_links.between
    for d in range(between.shape[0]):
        of_b, of_a, k = between[d, 0], between[d, 1], S.shape[0] - between.shape[0] + d
        for m in range(6):
            S[k, m] = S[of_b, m] - S[of_a, m]


@kernel
def velocities(plan_links, v, motion):
    """Fill V_WL and the bias accelerations A_WL from v. Writes motion."""
    index = plan_links.index
    S, V, A = motion.S, motion.V_WL, motion.A_WL
    for i in range(1, index.shape[0]):
        parent, iv, screw = np.uintp(index[i, LINK_PARENT]), np.uintp(index[i, LINK_V]), np.uintp(index[i, LINK_S])
        # joint rate as a screw J = S v
        rate = v[iv]
        j0, j1, j2 = rate * S[screw, 0], rate * S[screw, 1], rate * S[screw, 2]
        j3, j4, j5 = rate * S[screw, 3], rate * S[screw, 4], rate * S[screw, 5]
        if index[i, LINK_NV] > 1:
            for m in range(1, index[i, LINK_NV]):
                rate, k = v[index[i, LINK_V] + m], index[i, LINK_S] + m
                j0 += rate * S[k, 0]
                j1 += rate * S[k, 1]
                j2 += rate * S[k, 2]
                j3 += rate * S[k, 3]
                j4 += rate * S[k, 4]
                j5 += rate * S[k, 5]

        w0, w1, w2 = V[parent, 0], V[parent, 1], V[parent, 2]
        u0, u1, u2 = V[parent, 3], V[parent, 4], V[parent, 5]
        V[i, 0] = w0 + j0
        V[i, 1] = w1 + j1
        V[i, 2] = w2 + j2
        V[i, 3] = u0 + j3
        V[i, 4] = u1 + j4
        V[i, 5] = u2 + j5

        # V × J with the parent's V, since J × J = 0
        A[i, 0] = A[parent, 0] + w1 * j2 - w2 * j1
        A[i, 1] = A[parent, 1] + w2 * j0 - w0 * j2
        A[i, 2] = A[parent, 2] + w0 * j1 - w1 * j0
        A[i, 3] = A[parent, 3] + w1 * j5 - w2 * j4 + u1 * j2 - u2 * j1
        A[i, 4] = A[parent, 4] + w2 * j3 - w0 * j5 + u2 * j0 - u0 * j2
        A[i, 5] = A[parent, 5] + w0 * j4 - w1 * j3 + u0 * j1 - u1 * j0
        if index[i, LINK_KIND] == deform.KIND:
            deform.add_bias(
                i, index[i, LINK_V], index[i, LINK_NV], index[i, LINK_S], v, motion.p_OL, S, motion.lean, A
            )  # fmt: skip


@kernel
def full_accelerations(index, v_dot, motion):
    """Turn A_WL from bias into full accelerations (ground still at −g) by adding S v̇ along the tree. Writes motion."""
    # the bias of a link already holds its parent's bias: carry only the joint part, kept in wrench meanwhile
    A, S, joint = motion.A_WL, motion.S, motion.wrench
    for k in range(6):
        joint[0, k] = 0.0
    for i in range(1, index.shape[0]):
        parent, iv, screw = np.uintp(index[i, LINK_PARENT]), np.uintp(index[i, LINK_V]), np.uintp(index[i, LINK_S])
        for k in range(6):
            joint[i, k] = joint[parent, k] + S[screw, k] * v_dot[iv]
        if index[i, LINK_NV] > 1:
            for m in range(1, index[i, LINK_NV]):
                for k in range(6):
                    joint[i, k] += S[index[i, LINK_S] + m, k] * v_dot[index[i, LINK_V] + m]
        for k in range(6):
            A[i, k] += joint[i, k]


@kernel
def advance(index, q0, u, q):
    """q = q0 ⊕ u for all joints, with u in velocity space; index is that of the links. Writes q."""
    for i in range(1, index.shape[0]):
        kind, iq, iv = index[i, LINK_KIND], index[i, LINK_Q], index[i, LINK_V]
        if kind == turn.KIND:
            turn.advance(np.uintp(iq), np.uintp(iv), q0, u, q)
        elif kind == slide.KIND:
            slide.advance(np.uintp(iq), np.uintp(iv), q0, u, q)
        elif kind == ball.KIND:
            ball.advance(iq, iv, q0, u, q)
        elif kind == axes.KIND:
            axes.advance(iq, iv, q0, u, q)
        else:
            deform.advance(iq, iv, index[i, LINK_NV], q0, u, q)
