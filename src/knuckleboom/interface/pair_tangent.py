# SPDX-License-Identifier: BSD-3-Clause
"""Contact between bodies in the tangent of linearly implicit steps, as contact_tangent.py has it for the ground.

    K = Σ_r D_r W_r W_rᵀ of a pair;   M̂_jk += ς_j ς_k S_j·K S_k   for any two velocities of the path between its links
    A x:   V = Σ ς_j S_j x_j along the path = V_b − V_a, then W_r·V          Aᵀ y:   f = Σ y_r W_r, then ς_j S_j·f

ς is +1 on the side of b and −1 on that of a; what both links hang on is on no path. So a pair that touches costs the
same whatever its number of spots, and one that does not costs nothing. The entries between two branches stand in L
whether they touch or not (`system.coupled`, plan/equations.py). Without them, each body its own block, a stack sways
nearly three times as far. W, S, spots and directions are those of the start of the step: bristles are solved for along
and across the normal there. Own derivation; checked in tests/engine/test_pairs.py
"""

import math

import numpy as np

from knuckleboom.apart import apart_kernel
from knuckleboom.geometry.spots import GAP, NORMAL, SHARE
from knuckleboom.interface.contact import (
    ACROSS,
    ALONG,
    ARM_NOW,
    CENTRE,
    ROWS,
    STRAIGHTENING,
    axes_of,
    keep_vector,
    vector,
)
from knuckleboom.interface.contact import NORMAL as OUTWARD
from knuckleboom.interface.contact_tangent import (
    BLOCK,
    BY_Z,
    FOLLOW,
    SOLVE,
    keep_row,
    patch_row,
    patch_slopes,
)
from knuckleboom.interface.elements import stop
from knuckleboom.interface.link_sums import add_products, along, times_K
from knuckleboom.interface.pairs import (
    BENDS,
    DAMPING,
    MASS,
    SPIN,
    SPOT,
    STATE,
    STIFFNESS,
    WAY,
    links_of,
    turn_in,
)
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.solvers.vectors import copy, fill_rows

MOTION, FORCE = 0, 1  # lines of tangent.pair_V


@kernel
def keep_rows(plan_pairs, pair, motion, pairs, tangent):
    """Keep the wrenches of the rows of a pair, and its directions in the axes of link a. Writes tangent."""
    W, first, r = tangent.pair_W, plan_pairs.index[pair, SPOT], patch_row(pairs.w.shape[0], pair)
    for i in range(first, first + pairs.spots[pair]):
        keep_row(vector(pairs.p, i, 0), vector(pairs.spot, i, NORMAL), i, W)
    m, t, u = axes_of(pairs, pair)
    centre, arm, (a, _) = vector(pairs.pressed, pair, CENTRE), pairs.pressed[pair, ARM_NOW], links_of(plan_pairs, pair)
    keep_row(centre, t, r, W)
    keep_row(centre, u, r + 1, W)
    for k in range(3):
        W[r + 2, k] = arm * m[k]
        W[r + 2, 3 + k] = 0.0
    keep_vector(turn_in(motion.R_WL, a, t), pair, ALONG, tangent.pair_turn)
    keep_vector(turn_in(motion.R_WL, a, u), pair, ACROSS, tangent.pair_turn)
    keep_vector(turn_in(motion.R_WL, a, m), pair, OUTWARD, tangent.pair_turn)


@shared_kernel
def sum_rows(plan_pairs, pair, tau, h, pairs, tangent):
    """Fill slopes of all rows of a pair, and K. Writes tangent."""
    number, W, K, patch = plan_pairs.number, tangent.pair_W, tangent.pair_K, tangent.pair_patch
    first, r = plan_pairs.index[pair, SPOT], patch_row(pairs.w.shape[0], pair)
    fill_rows(0.0, K)
    for i in range(first, first + pairs.spots[pair]):
        stiffness = number[pair, STIFFNESS] * pairs.spot[i, SHARE]
        ds, dw = stop.ahead(
            pairs.spot[i, GAP], pairs.w[i], h, 0.0, math.inf, stiffness, number[pair, DAMPING]
        )  # fmt: skip
        tangent.pair_s[i] = pairs.by_s[i] + ds
        tangent.pair_D[i] = max(-tau * (pairs.by_w[i] + dw) - tau * tau * tangent.pair_s[i], 0.0)
        if tangent.pair_D[i] > 0.0:
            add_products(tangent.pair_D[i], i, i, W, 0, K)
    patch_slopes(pair, tau, number[pair, MASS], pairs.slope, patch)
    for m in range(ROWS):
        for n in range(ROWS):
            add_products(patch[pair, BLOCK + ROWS * m + n], r + m, r + n, W, 0, K)


@apart_kernel
def add_to_mass(plan, tau, h, work, tangent):
    """Keep rows and slopes of the start of the step, and add what they do to M in L. Writes work, tangent."""
    plan_pairs, pairs, L = plan.pairs, work.pairs, work.system.L
    S, moved = tangent.pair_S, tangent.pair_V[MOTION]
    for j in range(S.shape[0]):
        copy(work.motion.S[j], S[j])
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        keep_rows(plan_pairs, pair, work.motion, pairs, tangent)
        sum_rows(plan_pairs, pair, tau, h, pairs, tangent)
        way = plan_pairs.index[pair, WAY]
        first, place = plan_pairs.way_first[way], plan_pairs.way_start[way]
        for e in range(first, plan_pairs.way_first[way + 1]):
            times_K(tangent.pair_K, 0, S, plan_pairs.way_screw[e], moved)
            for f in range(first, e + 1):
                share = plan_pairs.way_sign[e] * plan_pairs.way_sign[f]
                L[plan_pairs.way_address[place]] += share * along(S, plan_pairs.way_screw[f], tangent.pair_V, MOTION)
                place += 1


@shared_kernel
def row_rates(plan_pairs, pair, values, pairs, tangent):
    """Rates of the rows of a pair at velocities `values`. Writes tangent."""
    S, V, rate, way = tangent.pair_S, tangent.pair_V, tangent.pair_rate, plan_pairs.index[pair, WAY]
    for k in range(6):
        V[MOTION, k] = 0.0
    for e in range(np.uintp(plan_pairs.way_first[way]), np.uintp(plan_pairs.way_first[way + 1])):
        moved, j = plan_pairs.way_sign[e] * values[plan_pairs.way_dof[e]], plan_pairs.way_screw[e]
        for k in range(6):
            V[MOTION, k] += moved * S[j, k]
    first, r = plan_pairs.index[pair, SPOT], patch_row(pairs.w.shape[0], pair)
    for i in range(first, first + pairs.spots[pair]):
        rate[i] = along(tangent.pair_W, i, V, MOTION)
    for m in range(ROWS):
        rate[r + m] = along(tangent.pair_W, r + m, V, MOTION)


@shared_kernel
def add_wrench(plan_pairs, pair, weight, values, pairs, tangent, force):
    """force += weight Aᵀ values, of the rows of a pair. Writes tangent, force."""
    S, f, W, way = tangent.pair_S, tangent.pair_V, tangent.pair_W, plan_pairs.index[pair, WAY]
    first, r = plan_pairs.index[pair, SPOT], patch_row(pairs.w.shape[0], pair)
    for k in range(6):
        f[FORCE, k] = 0.0
        for i in range(first, first + pairs.spots[pair]):
            f[FORCE, k] += values[i] * W[i, k]
        for m in range(ROWS):
            f[FORCE, k] += values[r + m] * W[r + m, k]
    for e in range(np.uintp(plan_pairs.way_first[way]), np.uintp(plan_pairs.way_first[way + 1])):
        pushed = along(S, plan_pairs.way_screw[e], f, FORCE)
        force[plan_pairs.way_dof[e]] += weight * plan_pairs.way_sign[e] * pushed


@kernel
def component(turn, pair, at, x, state):
    """Of the bend x of a pair, what is along a direction."""
    return turn[pair, at] * x[state] + turn[pair, at + 1] * x[state + 1] + turn[pair, at + 2] * x[state + 2]


@kernel
def add_bend(turn, pair, at, amount, state, x):
    """x += an amount along a direction. Writes x."""
    for k in range(ROWS):
        x[state + k] += amount * turn[pair, at + k]


@kernel
def solve_bends(plan_pairs, pair, tau, rate_x, tangent, u_x):
    """Solve for the bristles of a pair as if nothing moved; return what they bend along, across and about. Writes u_x.
    """
    state, turn, patch = plan_pairs.index[pair, STATE], tangent.pair_turn, tangent.pair_patch
    one, two = component(turn, pair, ALONG, rate_x, state), component(turn, pair, ACROSS, rate_x, state)
    three, out = rate_x[state + SPIN], component(turn, pair, OUTWARD, rate_x, state)
    a, b, c = SOLVE, SOLVE + ROWS, SOLVE + 2 * ROWS
    u1 = tau * (patch[pair, a] * one + patch[pair, a + 1] * two + patch[pair, a + 2] * three)
    u2 = tau * (patch[pair, b] * one + patch[pair, b + 1] * two + patch[pair, b + 2] * three)
    u3 = tau * (patch[pair, c] * one + patch[pair, c + 1] * two + patch[pair, c + 2] * three)
    for k in range(ROWS):
        u_x[state + k] = 0.0
    add_bend(turn, pair, ALONG, u1, state, u_x)
    add_bend(turn, pair, ACROSS, u2, state, u_x)
    add_bend(turn, pair, OUTWARD, tau * out / (1.0 + tau / STRAIGHTENING), state, u_x)
    u_x[state + SPIN] = u3
    return u1, u2, u3


@apart_kernel
def eliminate(plan, tau, rate_q, rate_x, pairs, tangent, u_x, force):
    """Solve for bristles as if nothing moved, and add what they and the known motion do to the force. Writes tangent,
    u_x, force.
    """
    plan_pairs, rate, patch = plan.pairs, tangent.pair_rate, tangent.pair_patch
    for pair in range(plan_pairs.index.shape[0]):
        if pairs.spots[pair] == 0:
            state = plan_pairs.index[pair, STATE]
            for k in range(BENDS):
                u_x[state + k] = tau * rate_x[state + k] / (1.0 + tau / STRAIGHTENING)
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        row_rates(plan_pairs, pair, rate_q, pairs, tangent)
        first, r = plan_pairs.index[pair, SPOT], patch_row(pairs.w.shape[0], pair)
        for i in range(first, first + pairs.spots[pair]):
            rate[i] *= tangent.pair_s[i]
        u1, u2, u3 = solve_bends(plan_pairs, pair, tau, rate_x, tangent, u_x)
        for m in range(ROWS):
            at = BY_Z + ROWS * m
            rate[r + m] = (patch[pair, at] * u1 + patch[pair, at + 1] * u2 + patch[pair, at + 2] * u3) / tau
        add_wrench(plan_pairs, pair, tau * tau, rate, pairs, tangent, force)


@apart_kernel
def restore(plan, u_v, pairs, tangent, u_x):
    """Let bristles follow, now that the motion is known. Writes tangent, u_x."""
    plan_pairs, rate, patch, turn = plan.pairs, tangent.pair_rate, tangent.pair_patch, tangent.pair_turn
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        row_rates(plan_pairs, pair, u_v, pairs, tangent)
        state, r = plan_pairs.index[pair, STATE], patch_row(pairs.w.shape[0], pair)
        for m in range(ROWS):
            at, bend = FOLLOW + ROWS * m, 0.0
            for n in range(ROWS):
                bend += patch[pair, at + n] * rate[r + n]
            if m == 2:
                u_x[state + SPIN] += bend
            else:
                add_bend(turn, pair, ROWS * m, bend, state, u_x)


@apart_kernel
def take_from_momentum(plan, pairs, tangent, momentum):
    """momentum −= Aᵀ D A u_v, from the rates that `restore` left. Writes tangent, momentum."""
    plan_pairs, rate, patch = plan.pairs, tangent.pair_rate, tangent.pair_patch
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        first, r = plan_pairs.index[pair, SPOT], patch_row(pairs.w.shape[0], pair)
        for i in range(first, first + pairs.spots[pair]):
            rate[i] *= tangent.pair_D[i]
        a, b, c = rate[r], rate[r + 1], rate[r + 2]
        for m in range(ROWS):
            at = BLOCK + ROWS * m
            rate[r + m] = patch[pair, at] * a + patch[pair, at + 1] * b + patch[pair, at + 2] * c
        add_wrench(plan_pairs, pair, -1.0, rate, pairs, tangent, momentum)
