# SPDX-License-Identifier: BSD-3-Clause
"""What the wrench of something that touches the ground does to Newton's matrix, from how it changes with its link.

    dF = G (δ; dV),   δ a small motion of the link and dV a change of its V, six numbers each, both at O

For a velocity j of the chain δ = S_j and dV = S_j + τ_q ∂V/∂q_j, ∂V/∂q_j = ψ̇_j − V×S_j; screws beyond j turn with it,
which adds S_j ×* F to the rows of their velocities. The places are those of the pairs of M, both halves. G is of
contact_slopes.py and tire_slopes.py. Own derivation; checked against differences in tests/engine/test_contact.py and
test_tire.py
"""

import numpy as np

from knuckleboom.interface.link_sums import along
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.derivatives import force_cross
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.kinematics import LINK_KIND, LINK_NV, LINK_PARENT, LINK_S, LINK_SHAPE, LINK_V

COMPONENTS = 12
"""Components of δ, then of dV."""


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
def asked(slope, c, k, j, tau, tau_q, V, link, S, psi_1):
    """Component k of −(τ τ_q ∂F/∂q_j + τ ∂F/∂v_j), F of line c of the slopes."""
    total = 0.0
    for e in range(6):
        total += tau * tau_q * slope[c, COMPONENTS * k + e] * S[j, e]
        total += tau * slope[c, COMPONENTS * k + 6 + e] * moved_velocity(j, e, tau_q, V, link, S, psi_1)
    return -total


@kernel
def fill_columns(index, link, c, F, slope, tau, tau_q, motion, newton):
    """What each screw of the chain of a link asks of it: for screws above, and for those of the same link or below,
    which turn with it. Writes newton.
    """
    S, V, column, turned = motion.S, motion.V_WL, newton.touch_column, newton.touch_turned
    i = link
    while i > 0:
        for j in range(index[i, LINK_S], index[i, LINK_S] + index[i, LINK_NV]):
            crossed = force_cross(
                S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5],
                F[c, 0], F[c, 1], F[c, 2], F[c, 3], F[c, 4], F[c, 5],
            )  # fmt: skip
            for k in range(6):
                column[j, k] = asked(slope, c, k, j, tau, tau_q, V, link, S, newton.psi_1)
                turned[j, k] = column[j, k] + tau * tau_q * crossed[k]
        i = index[i, LINK_PARENT]


@shared_kernel
def add_shared(plan, plan_newton, c, i, F, square, motion, newton, J):
    """Add what a wrench does through the screws of attachment i; `square` is τ τ_q. Writes J."""
    index, S, p, lean = plan.links.index, motion.S, motion.p_OL, motion.lean
    first, place = plan.system.share_first, plan_newton.share_place
    for m in range(index[i, LINK_NV]):
        j, line = index[i, LINK_S] + m, index[i, LINK_SHAPE] + m
        for pair in range(first[line], first[line + 1]):
            k, ancestor = plan.system.share_screw[pair], np.intp(plan.system.share_ancestor[pair])
            same = ancestor >= index[i, LINK_V]
            by_j = along(S, k, newton.touch_turned if same else newton.touch_column, j)
            by_k = along(S, j, newton.touch_turned, k)
            if same:
                by_j -= square * deform.along(i, k, j, p, S, lean, F, c)
                by_k -= square * deform.along(i, j, k, p, S, lean, F, c)
            J[place[pair, 1]] += by_j
            if ancestor != index[i, LINK_V] + m:
                J[place[pair, 0]] += by_k


@shared_kernel
def add_wrench(plan, plan_newton, link, c, F, slope, tau, tau_q, motion, newton, J):
    """Add what the wrench F[c] on a link does to the mechanics' matrix. Writes newton, J."""
    index, pair_first, place, S = plan.links.index, plan.system.pair_first, plan_newton.pair_place, motion.S
    fill_columns(index, link, c, F, slope, tau, tau_q, motion, newton)
    i = link
    while i > 0:
        first, own = index[i, LINK_V], index[i, LINK_NV]
        if index[i, LINK_KIND] == deform.KIND:
            add_shared(plan, plan_newton, c, i, F, tau * tau_q, motion, newton, J)
            own = 0
        for j in range(first, first + own):
            for pair in range(np.uintp(pair_first[j]), np.uintp(pair_first[j + 1])):
                ancestor, k = plan.system.pair_ancestor[pair], plan.system.pair_screw[pair]
                column = newton.touch_turned if ancestor >= first else newton.touch_column
                J[place[pair, 1]] += along(S, k, column, j)
                if ancestor != j:
                    J[place[pair, 0]] += along(S, j, newton.touch_turned, k)
        i = index[i, LINK_PARENT]


@shared_kernel
def push(plan, link, wrench, motion, force):
    """force += what wrench[0] on a link does. Writes force."""
    index, i = plan.links.index, link
    while i > 0:
        for m in range(index[i, LINK_NV]):
            force[index[i, LINK_V] + m] += along(motion.S, index[i, LINK_S] + m, wrench, 0)
        i = index[i, LINK_PARENT]


@shared_kernel
def move(plan, link, tau_q, v, motion, newton):
    """Fill δ and dV of a link for corrections v of the velocities. Writes newton.touch_moved."""
    index, S, moved, i = plan.links.index, motion.S, newton.touch_moved, link
    for e in range(COMPONENTS):
        moved[e] = 0.0
    while i > 0:
        for m in range(index[i, LINK_NV]):
            j, change = index[i, LINK_S] + m, v[index[i, LINK_V] + m]
            for e in range(6):
                moved[e] += tau_q * S[j, e] * change
                moved[6 + e] += moved_velocity(j, e, tau_q, motion.V_WL, link, S, newton.psi_1) * change
        i = index[i, LINK_PARENT]


@kernel
def rate_of(rate, c, row, moved):
    """Change of a rate for δ and dV: of row `row` of line c, COMPONENTS numbers each."""
    total = 0.0
    for e in range(COMPONENTS):
        total += rate[c, COMPONENTS * row + e] * moved[e]
    return total
