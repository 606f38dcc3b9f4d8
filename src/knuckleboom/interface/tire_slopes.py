# SPDX-License-Identifier: BSD-3-Clause
"""The exact tangent of tires for Newton: how their wrenches and bends change with pose, velocity and bends.

On a small motion δ = (θ; d) of the wheel and a change (α; b) of its V, both at O, C the centre of a disc, q = C + o its
lowest point, p where it touches and ψ the turn of the heading:

    ds = W·δ,   dp = dq − n (n·dq),   dw = n·(b + α×p + ω×dp),   dN = ∂N/∂s ds + ∂N/∂w dw
    ψ = t₂·((θ×a)×n)/|a×n|,   dt₁ = ψ t₂,   dt₂ = −ψ t₁
    dw₁ = t₁·(b + α×p + ω×dp) + ψ w₂,   dw₂ = t₂·(…) − ψ w₁,   du = t₁·(α×(C−p) + ω×(dC−dp)) + ψ t₂·(ω×(C−p))
    dF = dN n + Σ (dλ_i t_i + λ_i dt_i) at p, + dp×F;   of rolling dT a + T θ×a

with dλ = dN λ/N + N ∂f/∂(w₁ w₂ u z) and bends by laws/tire_friction_change.py, eliminated. On a height field normals
turn as the wheel moves along: that is left out. link_slopes.py takes it to the matrix, ground_slopes.py calls. Own
derivation; checked against differences in tests/engine/test_tire.py
"""

import math

from knuckleboom.geometry.disc import LEAST_AHEAD, SHOULDER
from knuckleboom.geometry.feature import lowest, moved
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.interface.contact import STRAIGHTENING, add_wrench, turned, vector
from knuckleboom.interface.link_slopes import COMPONENTS, move, push, rate_of
from knuckleboom.interface.link_slopes import add_wrench as add_link
from knuckleboom.interface.tire import (
    ACROSS,
    ALONG,
    AXLE,
    BREAKAWAY,
    BRISTLE,
    BRISTLE_DAMPING,
    BY_S,
    BY_W,
    CENTRE,
    COULOMB,
    DISC,
    DISCS,
    FORCE,
    GRIP,
    HOLD_SPEED,
    LAW,
    LINK,
    LOAD,
    NORMAL,
    PATCH,
    PUBLISHED,
    RADIUS,
    ROLL_AXLE,
    ROLL_LOAD,
    ROLL_RATE_BY_W,
    ROLL_RATE_BY_Z,
    SIDES,
    SLIP,
    SPACING,
    SPEED,
    STATE,
    STRIBECK,
    TORQUE,
    TORQUE_BY_W,
    TORQUE_BY_Z,
    VISCOUS,
    P,
)
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.laws.tire_friction_change import tire_friction_change, tire_published_change
from knuckleboom.mechanics.rows.geometry import unit_vector

GIVEN = 5
"""What a disc's friction depends on: slip along and across, rolling speed, both bends."""
BENT = 3
"""The first of its bends among these."""
RATES, SOLVE = 10, 20
"""Columns of newton.tire_law: slopes of λ/N along, then across, by these five; of ż; (1 − τ ∂ż/∂z)⁻¹, 2×2."""


@kernel
def law_changes(number, t, law, disc, i, z1, z2, of):
    """How λ/N and the bends' rates of disc i change with one of what they depend on."""
    w1, w2, u, grip = disc[i, SLIP], disc[i, SLIP + 1], abs(disc[i, SPEED]), disc[i, GRIP]
    dw1, dw2, du = unit_vector(of)
    dz1, dz2, _ = unit_vector(of - BENT)
    if law == PUBLISHED:
        return tire_published_change(
            w1, w2, z1, z2, dw1, dw2, dz1, dz2, grip * number[t, COULOMB], grip * number[t, COULOMB + 1],
            number[t, BREAKAWAY], number[t, STRIBECK], number[t, BRISTLE], number[t, BRISTLE + 1],
            number[t, BRISTLE_DAMPING], number[t, VISCOUS],
        )  # fmt: skip
    return tire_friction_change(
        w1, w2, u, z1, z2, dw1, dw2, du, dz1, dz2, grip * number[t, COULOMB], grip * number[t, COULOMB + 1],
        number[t, BREAKAWAY], number[t, STRIBECK], number[t, BRISTLE], number[t, BRISTLE + 1],
        number[t, BRISTLE_DAMPING], number[t, VISCOUS], number[t, PATCH], number[t, HOLD_SPEED],
    )  # fmt: skip


@shared_kernel
def fill_law(plan_tire, t, i, tau, x, disc, law):
    """Fill the slopes of friction of disc i of tire t, and what solves for its bends. Writes law."""
    z = plan_tire.index[t, STATE] + SIDES * (i - plan_tire.index[t, DISC])
    for of in range(GIVEN):
        force, rate = law_changes(plan_tire.number, t, plan_tire.index[t, LAW], disc, i, x[z], x[z + 1], of)
        for k in range(SIDES):
            law[i, GIVEN * k + of], law[i, RATES + GIVEN * k + of] = force[k], rate[k]
    if disc[i, LOAD] <= 0.0:
        for k in range(SOLVE):
            law[i, k] = 0.0
        law[i, RATES + BENT], law[i, RATES + GIVEN + BENT + 1] = -1.0 / STRAIGHTENING, -1.0 / STRAIGHTENING
    a, b = 1.0 - tau * law[i, RATES + BENT], -tau * law[i, RATES + BENT + 1]
    c, d = -tau * law[i, RATES + GIVEN + BENT], 1.0 - tau * law[i, RATES + GIVEN + BENT + 1]
    share = 1.0 / (a * d - b * c)
    law[i, SOLVE], law[i, SOLVE + 1] = share * d, -share * b
    law[i, SOLVE + 2], law[i, SOLVE + 3] = -share * c, share * a


@kernel
def centre_of(plan_tire, t, i, motion):
    """Centre of disc i of tire t, relative to O."""
    number, link = plan_tire.number, plan_tire.index[t, LINK]
    a, middle = turned(number, t, AXLE, motion.R_WL, link), turned(number, t, CENTRE, motion.R_WL, link)
    m, discs = i - plan_tire.index[t, DISC], plan_tire.index[t, DISCS]
    out = number[t, SPACING] * (m - 0.5 * (discs - 1))
    return (
        motion.p_OL[link, 0] + middle[0] + out * a[0],
        motion.p_OL[link, 1] + middle[1] + out * a[1],
        motion.p_OL[link, 2] + middle[2] + out * a[2],
    )


@kernel
def friction_on(i, along, across, disc, wrench):
    """Add the wrench of a force along and across at disc i. Writes wrench."""
    add_wrench(along, vector(disc, i, P), vector(disc, i, ALONG), 0, wrench)
    add_wrench(across, vector(disc, i, P), vector(disc, i, ACROSS), 0, wrench)


@kernel
def add_torque(torque, a, wrench):
    """Add a torque about a. Writes wrench."""
    for k in range(3):
        wrench[0, k] += torque * a[k]


@shared_kernel
def add_disc(plan_tire, t, i, component, motion, tire, newton):
    """Add what disc i of tire t does to column `component` of the slopes: to the wrench, without its bends, and to
    their rates. Return the change of its load. Writes newton.
    """
    disc, law, rates, wrench = tire.disc, newton.tire_law, newton.tire_rate, newton.touch_wrench
    for k in range(SIDES):
        rates[i, COMPONENTS * k + component] = 0.0
    N, link = disc[i, LOAD], plan_tire.index[t, LINK]
    if N <= 0.0:
        return 0.0
    # components of δ and dV
    turn, shift = unit_vector(component), unit_vector(component - 3)
    turning, shifting = unit_vector(component - 6), unit_vector(component - 9)
    p, n, t1, t2 = vector(disc, i, P), vector(disc, i, NORMAL), vector(disc, i, ALONG), vector(disc, i, ACROSS)
    a, c, omega = vector(tire.roll, t, ROLL_AXLE), centre_of(plan_tire, t, i, motion), vector(motion.V_WL, link, 0)
    r = plan_tire.number[t, RADIUS]
    offset, _ = lowest(r, a, n, SHOULDER)
    dq = moved(r, a, n, (c[0] + offset[0], c[1] + offset[1], c[2] + offset[2]), SHOULDER, turn, shift)
    up = dot_of(n, dq)
    dp = dq[0] - up * n[0], dq[1] - up * n[1], dq[2] - up * n[2]

    # of its gap, its material and the heading
    ds, carried, swung = dot_of(n, shift) + dot_of(n, cross_of(turn, p)), cross_of(turning, p), cross_of(omega, dp)
    v = shifting[0] + carried[0] + swung[0], shifting[1] + carried[1] + swung[1], shifting[2] + carried[2] + swung[2]
    dN = disc[i, BY_S] * ds + disc[i, BY_W] * dot_of(n, v)
    ahead = cross_of(a, n)
    size = math.sqrt(dot_of(ahead, ahead))
    psi = dot_of(t2, cross_of(cross_of(turn, a), n)) / size if size * size > LEAST_AHEAD else 0.0
    w1, w2 = dot_of(t1, v) + psi * disc[i, SLIP + 1], dot_of(t2, v) - psi * disc[i, SLIP]
    arm, lever = (c[0] - p[0], c[1] - p[1], c[2] - p[2]), cross_of(turn, c)
    change = shift[0] + lever[0] - dp[0], shift[1] + lever[1] - dp[1], shift[2] + lever[2] - dp[2]
    u = dot_of(t1, cross_of(turning, arm)) + dot_of(t1, cross_of(omega, change))
    u += psi * dot_of(t2, cross_of(omega, arm))
    if disc[i, SPEED] < 0.0:
        u = -u

    f1, f2 = disc[i, FORCE], disc[i, FORCE + 1]
    df1 = dN * f1 / N + N * (law[i, 0] * w1 + law[i, 1] * w2 + law[i, 2] * u)
    at = GIVEN
    df2 = dN * f2 / N + N * (law[i, at] * w1 + law[i, at + 1] * w2 + law[i, at + 2] * u)
    for k in range(SIDES):
        at = RATES + GIVEN * k
        rates[i, COMPONENTS * k + component] = law[i, at] * w1 + law[i, at + 1] * w2 + law[i, at + 2] * u
    add_wrench(dN, p, n, 0, wrench)
    friction_on(i, df1 - psi * f2, df2 + psi * f1, disc, wrench)
    along, across, press = cross_of(dp, t1), cross_of(dp, t2), cross_of(dp, n)
    for k in range(3):
        wrench[0, k] += N * press[k] + f1 * along[k] + f2 * across[k]
    return dN


@kernel
def add_bends(i, weight, one, two, disc, law, wrench):
    """Add weight·∂F/∂z of the bends `one` and `two` of disc i. Writes wrench."""
    share = weight * disc[i, LOAD]
    along = share * (law[i, BENT] * one + law[i, BENT + 1] * two)
    across = share * (law[i, GIVEN + BENT] * one + law[i, GIVEN + BENT + 1] * two)
    friction_on(i, along, across, disc, wrench)


@kernel
def solved(law, i, one, two):
    """(1 − τ ∂ż/∂z)⁻¹ of disc i times two numbers."""
    at = SOLVE
    return law[i, at] * one + law[i, at + 1] * two, law[i, at + 2] * one + law[i, at + 3] * two


@shared_kernel
def fill_tire(plan_tire, t, tau, motion, x, tire, newton):
    """Fill the slopes of tire t, bends eliminated. Writes newton."""
    index, wrench, law, roll = plan_tire.index, newton.touch_wrench, newton.tire_law, tire.roll
    first, last, link = index[t, DISC], index[t, DISC] + index[t, DISCS], index[t, LINK]
    for i in range(first, last):
        fill_law(plan_tire, t, i, tau, x, tire.disc, law)
    newton.tire_turn[t] = 1.0 / (1.0 - tau * roll[t, ROLL_RATE_BY_Z])
    a, omega, load = vector(roll, t, ROLL_AXLE), vector(motion.V_WL, link, 0), roll[t, ROLL_LOAD]
    for component in range(COMPONENTS):
        for k in range(6):
            wrench[0, k] = 0.0
        dN = 0.0
        for i in range(first, last):
            dN += add_disc(plan_tire, t, i, component, motion, tire, newton)
            rate = newton.tire_rate[i, component], newton.tire_rate[i, COMPONENTS + component]
            one, two = solved(law, i, rate[0], rate[1])
            add_bends(i, tau, one, two, tire.disc, law, wrench)
        # θ is the first of δ, α of dV
        da = cross_of(unit_vector(component), a)
        spin = dot_of(da, omega) + dot_of(a, unit_vector(component - 6))
        newton.tire_roll_rate[t, component] = roll[t, ROLL_RATE_BY_W] * spin
        follow = tau * newton.tire_turn[t] * newton.tire_roll_rate[t, component]
        torque = roll[t, TORQUE_BY_W] * spin + roll[t, TORQUE_BY_Z] * follow
        if load > 0.0:
            torque += dN * roll[t, TORQUE] / load
        add_torque(torque, a, wrench)
        add_torque(roll[t, TORQUE], da, wrench)
        for k in range(6):
            newton.tire_slope[t, COMPONENTS * k + component] = wrench[0, k]


@shared_kernel
def add_slopes(plan, plan_newton, tau, tau_q, motion, x, tire, newton, J):
    """Add what all tires do to the mechanics' matrix. Writes newton, J."""
    for t in range(plan.tire.index.shape[0]):
        fill_tire(plan.tire, t, tau, motion, x, tire, newton)
        link = plan.tire.index[t, LINK]
        add_link(plan, plan_newton, link, t, tire.wrench, newton.tire_slope, tau, tau_q, motion, newton, J)


@shared_kernel
def eliminate(plan, weight, motion, tire, newton, residual, force):
    """Solve for the bends as if nothing moved, and add weight·∂F/∂z of their corrections to the force. Writes newton,
    residual, force.
    """
    index, wrench, law = plan.tire.index, newton.touch_wrench, newton.tire_law
    for t in range(index.shape[0]):
        z = index[t, STATE]
        for k in range(6):
            wrench[0, k] = 0.0
        for i in range(index[t, DISC], index[t, DISC] + index[t, DISCS]):
            residual[z], residual[z + 1] = solved(law, i, residual[z], residual[z + 1])
            add_bends(i, weight, residual[z], residual[z + 1], tire.disc, law, wrench)
            z += SIDES
        residual[z] *= newton.tire_turn[t]
        add_torque(weight * tire.roll[t, TORQUE_BY_Z] * residual[z], vector(tire.roll, t, ROLL_AXLE), wrench)
        push(plan, index[t, LINK], wrench, motion, force)


@shared_kernel
def add_motion(plan, tau, tau_q, v, motion, newton, x):
    """x += what the corrections v of the velocities do to bends. Writes newton, x."""
    index, moved_by = plan.tire.index, newton.touch_moved
    for t in range(index.shape[0]):
        z = index[t, STATE]
        move(plan, index[t, LINK], tau_q, v, motion, newton)
        for i in range(index[t, DISC], index[t, DISC] + index[t, DISCS]):
            rates = newton.tire_rate
            one, two = solved(newton.tire_law, i, rate_of(rates, i, 0, moved_by), rate_of(rates, i, 1, moved_by))
            x[z] += tau * one
            x[z + 1] += tau * two
            z += SIDES
        x[z] += tau * newton.tire_turn[t] * rate_of(newton.tire_roll_rate, t, 0, moved_by)
