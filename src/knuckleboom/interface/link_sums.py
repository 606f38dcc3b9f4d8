# SPDX-License-Identifier: BSD-3-Clause
"""Sums over the links on which something touches the ground: what it adds to their mass, their velocities, wrenches.

    K_l = Σ_r D_r W_r W_rᵀ,   summed down the tree like inertia:   M̂_jk += S_k·K_l S_j     pairs of M, nothing else
    A x:   V_l = Σ S x along the chain, then W_r·V_l          Aᵀ y:   f_l = Σ y_r W_r, summed down the tree, S_j·f_l

A row of contact with the ground couples velocities of one chain, which M couples already: L gets no new entry, whatever
touches. K is its upper half, row by row. S are those of the start of the step. plan.touch.chain has the links, from the
leaves to the root. Own derivation; checked in tests/engine/test_contact.py and test_tire.py
"""

import numpy as np

from knuckleboom.geometry.plane import cross_of
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.kinematics import LINK_KIND, LINK_NV, LINK_PARENT, LINK_S, LINK_SHAPE, LINK_V


@kernel
def velocity_at(V, link, p):
    """Velocity of the material point of a link at p, which is relative to O."""
    turned = cross_of((V[link, 0], V[link, 1], V[link, 2]), p)
    return V[link, 3] + turned[0], V[link, 4] + turned[1], V[link, 5] + turned[2]


@kernel
def add_force(p, F, link, f):
    """The wrench of a link gets that of a force F at p. Writes f."""
    m = cross_of(p, F)
    for k in range(3):
        f[link, k] += m[k]
        f[link, 3 + k] += F[k]


@kernel
def add_products(weight, one, other, W, link, K):
    """K of a link += weight (W_one W_otherᵀ), the upper half. Writes K."""
    at = 0
    for a in range(6):
        for b in range(a, 6):
            K[link, at] += weight * W[one, a] * W[other, b]
            at += 1


@kernel
def add_at_point(p, x, y, z, link, K):
    """K of a link += Σ D W Wᵀ of forces at p, from B = Σ D f fᵀ by its rows x, y, z: p̃ B p̃ᵀ, p̃ B and B. Writes K."""
    # columns of p̃ B, B being symmetric, then rows of p̃ B p̃ᵀ
    a, b, c = cross_of(p, x), cross_of(p, y), cross_of(p, z)
    d = cross_of(p, (a[0], b[0], c[0]))
    e = cross_of(p, (a[1], b[1], c[1]))
    f = cross_of(p, (a[2], b[2], c[2]))
    rows = (
        d[0], d[1], d[2], a[0], b[0], c[0],
        e[1], e[2], a[1], b[1], c[1],
        f[2], a[2], b[2], c[2],
        x[0], x[1], x[2], y[1], y[2], z[2],
    )  # fmt: skip
    for at in range(21):  # numbers of the upper half
        K[link, at] += rows[at]


@kernel
def add_about_axis(weight, a, link, K):
    """K of a link += weight (a; 0)(a; 0)ᵀ. Writes K."""
    # places of rows 0, 1 and 2 in the upper half
    K[link, 0] += weight * a[0] * a[0]
    K[link, 1] += weight * a[0] * a[1]
    K[link, 2] += weight * a[0] * a[2]
    K[link, 6] += weight * a[1] * a[1]
    K[link, 7] += weight * a[1] * a[2]
    K[link, 11] += weight * a[2] * a[2]


@kernel
def times_K(K, link, S, j, result):
    """result = K S_j, K its upper half row by row. Writes result."""
    at = 0
    for a in range(6):
        result[a] = 0.0
    for a in range(6):
        for b in range(a, 6):
            result[a] += K[link, at] * S[j, b]
            if b > a:
                result[b] += K[link, at] * S[j, a]
            at += 1


@shared_kernel
def add_shared(plan_system, index, i, tangent, L):
    """Add what touches beyond attachment i to M in L. Writes tangent, L."""
    S, moved, first = tangent.touch_S, tangent.touch_moved, plan_system.share_first
    for m in range(index[i, LINK_NV]):
        times_K(tangent.touch_K, i, S, index[i, LINK_S] + m, moved)
        for pair in range(first[index[i, LINK_SHAPE] + m], first[index[i, LINK_SHAPE] + m + 1]):
            k, share = plan_system.share_screw[pair], 0.0
            for e in range(6):
                share += S[k, e] * moved[e]
            L[plan_system.share_address[pair]] += share


@shared_kernel
def add_K(plan, tangent, L):
    """Sum K down the tree, and add what it does to M in L. Writes tangent, L."""
    index, plan_system = plan.links.index, plan.system
    S, K, moved = tangent.touch_S, tangent.touch_K, tangent.touch_moved
    for place in range(plan.touch.chain.shape[0]):
        i = plan.touch.chain[place]
        iv, own = index[i, LINK_V], index[i, LINK_NV]
        if index[i, LINK_KIND] == deform.KIND:
            add_shared(plan_system, index, i, tangent, L)
            own = 0
        for j in range(iv, iv + own):
            times_K(K, i, S, j, moved)
            for pair in range(np.uintp(plan_system.pair_first[j]), np.uintp(plan_system.pair_first[j + 1])):
                k, share = plan_system.pair_screw[pair], 0.0
                for e in range(6):
                    share += S[k, e] * moved[e]
                L[plan_system.pair_address[pair]] += share
        parent = index[i, LINK_PARENT]
        for k in range(K.shape[1]):
            K[parent, k] += K[i, k]


@shared_kernel
def move_links(plan, values, tangent):
    """Velocities of the links at velocities `values` of the machine. Writes tangent."""
    index, S, V = plan.links.index, tangent.touch_S, tangent.touch_V
    for k in range(6):
        V[0, k] = 0.0
    count = plan.touch.chain.shape[0]
    for place in range(count):
        i = plan.touch.chain[count - 1 - place]  # from the root to the leaves
        for k in range(6):
            V[i, k] = V[index[i, LINK_PARENT], k]
            for m in range(index[i, LINK_NV]):
                V[i, k] += S[index[i, LINK_S] + m, k] * values[index[i, LINK_V] + m]


@kernel
def along(W, r, V, link):
    """W_r·V of a link."""
    total = 0.0
    for k in range(6):
        total += W[r, k] * V[link, k]
    return total


@shared_kernel
def spread_wrenches(plan, weight, tangent, force):
    """force += weight Aᵀ y, from the wrenches that were summed for each link. Writes tangent, force."""
    index, S, f = plan.links.index, tangent.touch_S, tangent.touch_f
    for place in range(plan.touch.chain.shape[0]):
        i = plan.touch.chain[place]
        for m in range(index[i, LINK_NV]):
            force[index[i, LINK_V] + m] += weight * along(S, index[i, LINK_S] + m, f, i)
        for k in range(6):
            f[index[i, LINK_PARENT], k] += f[i, k]


@shared_kernel
def take_from_bodies(plan_index, body, given, wrench):
    """Take from what each body's motion needs what touches gives it; column `body` has it. Writes wrench."""
    for c in range(plan_index.shape[0]):
        for k in range(6):
            wrench[plan_index[c, body], k] -= given[c, k]
