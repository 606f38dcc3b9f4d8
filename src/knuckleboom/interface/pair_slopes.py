# SPDX-License-Identifier: BSD-3-Clause
"""The exact tangent of contact between bodies for Newton, as contact_slopes.py has it for the ground.

The wrench F of a on b, and bends in the axes of a, follow from how b stands and moves relative to a. With a held, on a
small motion δ = (θ; d) of b and a change (α; b) of u = V_b − V_a, all at O, of spots whose features stay:

    dx_B = d + θ×x_B,   dn = 0, θ×n or what turns it along x_A x_B, as its holder says,   dp = (dx_B + (r_a − r_b) dn)/2
    ds = dn·(x_B − x_A) + n·dx_B,   dw = dn·u_p + n·(b + α×p + u_ω×dp),   dN = ∂N/∂s ds + ∂N/∂w dw
    dc, dρ as for the ground,   dm = (1 − m mᵀ) Σ (dN n + N dn)/|Σ N n|,   dt = −(t·dm) m for t along and across

The turn of t about m does nothing. For a velocity j of the path with its side ς_j, +1 for b and −1 for a,

    ∂F/∂q_j = ς_j G (S_j; ψ̇_j − V_b×S_j) + S_j ×* F on the side of a,   ∂F/∂v_j = ς_j G (0; S_j)

and what it does to velocity k is ς_k S_k·…, with ∂S_k/∂q_j where k turns with j. Bends are eliminated along t, m and
about m. Own derivation; checked against differences in tests/engine/test_pairs.py
"""

import math

from knuckleboom.apart import apart_kernel
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.geometry.spots import HOLDER, NORMAL, OF_A, OF_LINE
from knuckleboom.geometry.spots import A as ON_A
from knuckleboom.geometry.spots import B as ON_B
from knuckleboom.interface.contact import (
    ARM_NOW,
    CENTRE,
    FORCE_BY_N,
    FORCE_BY_W,
    FORCE_BY_Z,
    LOAD,
    RATE_BY_W,
    RATE_BY_Z,
    ROWS,
    STRAIGHTENING,
    add_wrench,
    arm_of,
    axes_of,
    keep_vector,
    vector,
)
from knuckleboom.interface.contact_slopes import push_row
from knuckleboom.interface.contact_tangent import invert
from knuckleboom.interface.link_slopes import COMPONENTS, asked, moved_velocity, rate_of
from knuckleboom.interface.link_sums import along
from knuckleboom.interface.pairs import (
    ARM,
    BENDS,
    COULOMB,
    SPIN,
    SPOT,
    STATE,
    WAY,
    links_of,
    radii_of,
    turn_in,
    turn_out,
)
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics.derivatives import force_cross
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.rows.geometry import unit_vector

APART = 2
"""Of the rates of a pair in newton.pair_rate: along, across, then along the normal; last is about it."""
MOVED, TURNED, CHANGED = 0, 3, 6
"""Columns of newton.pair_spot: dp, dn and dN of a spot."""


@kernel
def combined(x, a, y, b):
    """x a + y b of two vectors."""
    return x * a[0] + y * b[0], x * a[1] + y * b[1], x * a[2] + y * b[2]


@kernel
def velocity_between(plan_pairs, pair, V, p):
    """u_ω, and u of b at p."""
    a, b = links_of(plan_pairs, pair)
    omega = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1], V[b, 2] - V[a, 2]
    turned = cross_of(omega, p)
    return omega, (
        V[b, 3] - V[a, 3] + turned[0], V[b, 4] - V[a, 4] + turned[1], V[b, 5] - V[a, 5] + turned[2],
    )  # fmt: skip


@kernel
def moved_spot(plan_pairs, pair, i, turn, shift, pairs):
    """How spot i changes with a motion of b: dp, dn and ds."""
    x_a, x_b, n = vector(pairs.spot, i, ON_A), vector(pairs.spot, i, ON_B), vector(pairs.spot, i, NORMAL)
    dx, between, dn = combined(1.0, shift, 1.0, cross_of(turn, x_b)), combined(1.0, x_b, -1.0, x_a), (0.0, 0.0, 0.0)
    distance = math.sqrt(dot_of(between, between))
    if pairs.spot[i, HOLDER] == OF_LINE and distance > 0.0:
        dn = combined(1.0 / distance, dx, -dot_of(n, dx) / distance, n)
    elif pairs.spot[i, HOLDER] != OF_A:
        dn = cross_of(turn, n)
    r_a, r_b = radii_of(plan_pairs, pair)
    return combined(0.5, dx, 0.5 * (r_a - r_b), dn), dn, dot_of(dn, between) + dot_of(n, dx)


@shared_kernel
def press_changes(plan_pairs, pair, component, V, pairs, newton):
    """Fill how all spots change, dN, dp and dn, for one component of δ or of the change of u; return the change of the
    load, of its centre, of the mean arm and of the mean normal. Writes newton.
    """
    # components of δ and of the change of u
    turn, shift = unit_vector(component), unit_vector(component - 3)
    turning, shifting = unit_vector(component - 6), unit_vector(component - 9)
    first, kept = plan_pairs.index[pair, SPOT], newton.pair_spot
    last, centre, m = first + pairs.spots[pair], vector(pairs.pressed, pair, CENTRE), vector(pairs.axes, pair, 0)
    load, arm, d_load, d_arm = pairs.pressed[pair, LOAD], pairs.pressed[pair, ARM_NOW], 0.0, 0.0
    dc, total, change = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(first, last):
        p, n, N = vector(pairs.p, i, 0), vector(pairs.spot, i, NORMAL), pairs.N[i]
        dp, dn, ds = moved_spot(plan_pairs, pair, i, turn, shift, pairs)
        omega, v = velocity_between(plan_pairs, pair, V, p)
        dv = combined(1.0, combined(1.0, shifting, 1.0, cross_of(turning, p)), 1.0, cross_of(omega, dp))
        dN = pairs.by_s[i] * ds + pairs.by_w[i] * (dot_of(dn, v) + dot_of(n, dv))
        kept[i, CHANGED] = dN
        keep_vector(dp, i, MOVED, kept)
        keep_vector(dn, i, TURNED, kept)
        d_load += dN
        dc = combined(1.0, dc, 1.0, combined(dN, combined(1.0, p, -1.0, centre), N, dp))
        total = combined(1.0, total, N, n)
        change = combined(1.0, change, 1.0, combined(dN, n, N, dn))
    dc, size = combined(1.0 / load, dc, 0.0, dc), math.sqrt(dot_of(total, total))
    dm = (0.0, 0.0, 0.0)
    if size > 0.0:
        dm = combined(1.0 / size, change, -dot_of(m, change) / size, m)
    for i in range(first, last):
        p, dp = vector(pairs.p, i, 0), vector(kept, i, MOVED)
        own = arm_of(plan_pairs.number[pair, ARM], pairs.p, i, centre)
        further = dot_of(combined(1.0, p, -1.0, centre), combined(1.0, dp, -1.0, dc)) / own
        d_arm += (kept[i, CHANGED] * (own - arm) + pairs.N[i] * further) / load
    return d_load, dc, d_arm, dm


@kernel
def solved(solve, pair, tau, one, two, out, three):
    """(1 − τ ∂ż/∂z)⁻¹ of a pair times four numbers: along, across, along and about the normal."""
    return (
        solve[pair, 0] * one + solve[pair, 1] * two + solve[pair, 2] * three,
        solve[pair, 3] * one + solve[pair, 4] * two + solve[pair, 5] * three,
        out / (1.0 + tau / STRAIGHTENING),
        solve[pair, 6] * one + solve[pair, 7] * two + solve[pair, 8] * three,
    )


@shared_kernel
def add_bends(pair, weight, one, two, three, pairs, wrench):
    """Add weight·∂F/∂z of bends along, across and about the normal. Writes wrench."""
    m, t, u = axes_of(pairs, pair)
    centre, arm, slope = vector(pairs.pressed, pair, CENTRE), pairs.pressed[pair, ARM_NOW], pairs.slope
    for k in range(ROWS):
        at = FORCE_BY_Z + ROWS * k
        change = slope[pair, at] * one + slope[pair, at + 1] * two + slope[pair, at + 2] * three
        push_row(pair, k, weight * change, t, u, m, centre, arm, wrench)


@kernel
def by_slope(slope, pair, at, k, x):
    """Row k of a 3×3 matrix of slopes times a vector."""
    at += ROWS * k
    return slope[pair, at] * x[0] + slope[pair, at + 1] * x[1] + slope[pair, at + 2] * x[2]


@shared_kernel
def rub_changes(plan_pairs, pair, component, motion, x, x_dot, d_load, dc, d_arm, dm, pairs, newton):
    """Add the change of friction of a pair to newton.touch_wrench, and fill that of its bends' rates. Writes newton."""
    state, slope, wrench, rates = plan_pairs.index[pair, STATE], pairs.slope, newton.touch_wrench, newton.pair_rate
    turning, shifting = unit_vector(component - 6), unit_vector(component - 9)  # of the change of u
    m, t, u = axes_of(pairs, pair)
    centre, arm, (a, _) = vector(pairs.pressed, pair, CENTRE), pairs.pressed[pair, ARM_NOW], links_of(plan_pairs, pair)
    omega, v = velocity_between(plan_pairs, pair, motion.V_WL, centre)
    # t and u lean by e1 and e2 towards m, and m against them
    e1, e2 = -dot_of(t, dm), -dot_of(u, dm)
    dv = combined(1.0, combined(1.0, shifting, 1.0, cross_of(turning, centre)), 1.0, cross_of(omega, dc))
    w = (
        dot_of(t, dv) + e1 * dot_of(m, v),
        dot_of(u, dv) + e2 * dot_of(m, v),
        d_arm * dot_of(m, omega) + arm * (dot_of(dm, omega) + dot_of(m, turning)),
    )
    bend = turn_out(motion.R_WL, a, (x[state], x[state + 1], x[state + 2]))
    bending = turn_out(motion.R_WL, a, (x_dot[state], x_dot[state + 1], x_dot[state + 2]))
    out, z = dot_of(m, bend), (e1 * dot_of(m, bend), e2 * dot_of(m, bend), 0.0)
    f1, f2, f3 = pairs.force[pair, 0], pairs.force[pair, 1], pairs.force[pair, 2]
    for k in range(ROWS):
        change = by_slope(slope, pair, FORCE_BY_W, k, w) + by_slope(slope, pair, FORCE_BY_Z, k, z)
        push_row(pair, k, change + slope[pair, FORCE_BY_N + k] * d_load, t, u, m, centre, arm, wrench)
        rate = by_slope(slope, pair, RATE_BY_W, k, w) + by_slope(slope, pair, RATE_BY_Z, k, z)
        rates[pair, COMPONENTS * (k if k < APART else SPIN) + component] = rate
    along = -out / STRAIGHTENING
    rates[pair, component] -= along * e1
    rates[pair, COMPONENTS + component] -= along * e2
    fades = (e1 * dot_of(t, bend) + e2 * dot_of(u, bend)) / STRAIGHTENING
    rates[pair, COMPONENTS * APART + component] = e1 * dot_of(t, bending) + e2 * dot_of(u, bending) + fades
    # levers and directions of the forces that are there
    force, leant = combined(f1, t, f2, u), f1 * e1 + f2 * e2
    lever, more = cross_of(dc, force), cross_of(centre, m)
    for k in range(ROWS):
        wrench[0, k] += lever[k] + leant * more[k] + f3 * (d_arm * m[k] + arm * dm[k])
        wrench[0, 3 + k] += leant * m[k]


@shared_kernel
def fill_slopes(plan_pairs, pair, tau, motion, x, x_dot, pairs, newton):
    """Fill the slopes of a pair that presses, bends eliminated. Writes newton."""
    wrench, rates, kept = newton.touch_wrench, newton.pair_rate, newton.pair_spot
    first = plan_pairs.index[pair, SPOT]
    for component in range(COMPONENTS):
        d_load, dc, d_arm, dm = press_changes(plan_pairs, pair, component, motion.V_WL, pairs, newton)
        for k in range(6):
            wrench[0, k] = 0.0
        for i in range(first, first + pairs.spots[pair]):
            p, n = vector(pairs.p, i, 0), vector(pairs.spot, i, NORMAL)
            dp, dn = vector(kept, i, MOVED), vector(kept, i, TURNED)
            add_wrench(kept[i, CHANGED], p, n, 0, wrench)
            add_wrench(pairs.N[i], p, dn, 0, wrench)
            lever = cross_of(dp, n)
            for k in range(3):
                wrench[0, k] += pairs.N[i] * lever[k]
        for k in range(BENDS):
            rates[pair, COMPONENTS * k + component] = 0.0
        if plan_pairs.number[pair, COULOMB] > 0.0:
            rub_changes(plan_pairs, pair, component, motion, x, x_dot, d_load, dc, d_arm, dm, pairs, newton)
        one, two, _, three = solved(
            newton.pair_solve, pair, tau, rates[pair, component], rates[pair, COMPONENTS + component], 0.0,
            rates[pair, COMPONENTS * SPIN + component],
        )  # fmt: skip
        add_bends(pair, tau, one, two, three, pairs, wrench)
        for k in range(6):
            newton.pair_slope[pair, COMPONENTS * k + component] = wrench[0, k]


@shared_kernel
def add_way(plan, plan_newton, pair, tau, tau_q, motion, pairs, newton, J):
    """Add what a pair does to velocities of its path. Writes newton, J."""
    way, S, F = plan.pairs.index[pair, WAY], motion.S, pairs.wrench
    first, last, place = plan_newton.route_first[way], plan_newton.route_first[way + 1], plan_newton.route_start[way]
    screw, sign, (_, b) = plan_newton.route_screw, plan_newton.route_sign, links_of(plan.pairs, pair)
    column, turned, square = newton.pair_column, newton.pair_turned, tau * tau_q
    for e in range(first, last):
        j = screw[e]
        crossed = force_cross(
            S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5],
            F[pair, 0], F[pair, 1], F[pair, 2], F[pair, 3], F[pair, 4], F[pair, 5],
        )  # fmt: skip
        for k in range(6):
            column[j, k] = asked(newton.pair_slope, pair, k, j, tau, tau_q, motion.V_WL, b, S, newton.psi_1)
            turned[j, k] = square * crossed[k]
    for e in range(first, last):
        for f in range(first, last):
            j, k = screw[f], screw[e]
            share = sign[e] * sign[f] * along(S, k, column, j)
            share += sign[e] * plan_newton.route_turn[place] * along(S, k, turned, j)
            link = plan_newton.route_shape[place]
            if link > 0:
                share -= square * sign[e] * deform.along(link, k, j, motion.p_OL, S, motion.lean, F, pair)
            J[plan_newton.route_place[place]] += share
            place += 1


@apart_kernel
def add_slopes(plan, plan_newton, tau, tau_q, work, newton, J):
    """Add what all pairs that touch do to the mechanics' matrix. Writes newton, J."""
    pairs = work.pairs
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        nine = invert(tau, pairs.slope, pair, RATE_BY_Z)
        for k in range(ROWS * ROWS):
            newton.pair_solve[pair, k] = nine[k]
        if pairs.pressed[pair, LOAD] > 0.0:
            fill_slopes(plan.pairs, pair, tau, work.motion, work.state.x, work.oil.x_dot, pairs, newton)
            add_way(plan, plan_newton, pair, tau, tau_q, work.motion, pairs, newton, J)


@kernel
def add_bend(one, two, out, three, pair, motion, plan_pairs, pairs, x):
    """x += bends of a pair along, across, along and about its normal. Writes x."""
    (m, t, u), (a, _), state = axes_of(pairs, pair), links_of(plan_pairs, pair), plan_pairs.index[pair, STATE]
    bend = turn_in(motion.R_WL, a, combined(1.0, combined(one, t, two, u), out, m))
    for k in range(ROWS):
        x[state + k] += bend[k]
    x[state + SPIN] += three


@apart_kernel
def eliminate(plan, plan_newton, tau, work, newton, residual, force):
    """Solve for the bends as if nothing moved, and add τ ∂F/∂z of their corrections to the force. Writes newton,
    residual, force.
    """
    plan_pairs, pairs, motion, wrench = plan.pairs, work.pairs, work.motion, newton.touch_wrench
    for pair in range(plan_pairs.index.shape[0]):
        state = plan_pairs.index[pair, STATE]
        if pairs.spots[pair] == 0:
            for k in range(BENDS):
                residual[state + k] /= 1.0 + tau / STRAIGHTENING
            continue
        (m, t, u), (a, _) = axes_of(pairs, pair), links_of(plan_pairs, pair)
        bend = turn_out(motion.R_WL, a, (residual[state], residual[state + 1], residual[state + 2]))
        one, two, out, three = solved(
            newton.pair_solve, pair, tau, dot_of(t, bend), dot_of(u, bend), dot_of(m, bend), residual[state + SPIN]
        )
        for k in range(BENDS):
            residual[state + k] = 0.0
        add_bend(one, two, out, three, pair, motion, plan_pairs, pairs, residual)
        for k in range(6):
            wrench[0, k] = 0.0
        add_bends(pair, tau, one, two, three, pairs, wrench)
        way = plan_pairs.index[pair, WAY]
        for e in range(plan_newton.route_first[way], plan_newton.route_first[way + 1]):
            pushed = along(motion.S, plan_newton.route_screw[e], wrench, 0)
            force[plan_newton.route_dof[e]] += plan_newton.route_sign[e] * pushed


@apart_kernel
def add_motion(plan, plan_newton, tau, tau_q, v, work, newton, x):
    """x += what the corrections v of the velocities do to bends. Writes newton, x."""
    plan_pairs, pairs, motion, moved, rates = plan.pairs, work.pairs, work.motion, newton.touch_moved, newton.pair_rate
    for place_of in range(pairs.count[0]):
        pair = pairs.near[place_of]
        if pairs.pressed[pair, LOAD] <= 0.0:
            continue
        way, (_, b) = plan_pairs.index[pair, WAY], links_of(plan_pairs, pair)
        for e in range(COMPONENTS):
            moved[e] = 0.0
        for e in range(plan_newton.route_first[way], plan_newton.route_first[way + 1]):
            j, change = plan_newton.route_screw[e], plan_newton.route_sign[e] * v[plan_newton.route_dof[e]]
            for k in range(6):
                moved[k] += tau_q * motion.S[j, k] * change
                moved[6 + k] += moved_velocity(j, k, tau_q, motion.V_WL, b, motion.S, newton.psi_1) * change
        one, two, out, three = solved(
            newton.pair_solve, pair, tau, rate_of(rates, pair, 0, moved), rate_of(rates, pair, 1, moved),
            rate_of(rates, pair, APART, moved), rate_of(rates, pair, SPIN, moved),
        )  # fmt: skip
        add_bend(tau * one, tau * two, tau * out, tau * three, pair, motion, plan_pairs, pairs, x)
