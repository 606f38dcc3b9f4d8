# SPDX-License-Identifier: BSD-3-Clause
"""Tires in the tangent of linearly implicit steps: what their discs and rolling resistance add to K of their links.

    normal        D = −τ ∂N/∂w − τ² ∂N/∂s, looking ahead as elements/stop.py does
    others        D = −τ (∂λ/∂w + ∂λ/∂z Y τ ∂ż/∂w),   Y = 1/(1 − τ ∂ż/∂z),   at least 0
    of a disc     B = Σ D f fᵀ at one point p:   K_l += Σ D W Wᵀ = p̃ B p̃ᵀ, p̃ B, B

One direction with the other, what the load and the rolling speed do to friction and how rows turn is left out: a
W-method keeps its order with any tangent. Places and slopes are those of the start of the step; link_sums.py has K,
ground_tangent.py calls. Own derivation; checked in tests/engine/test_tire.py
"""

import math

from knuckleboom.geometry.plane import dot_of
from knuckleboom.interface.contact import vector
from knuckleboom.interface.elements import stop
from knuckleboom.interface.link_sums import add_about_axis, add_at_point, add_force, velocity_at
from knuckleboom.interface.tire import (
    ACROSS,
    ALONG,
    BY_S,
    BY_W,
    DAMPING,
    DISC,
    DISCS,
    FOLLOWS,
    FORCE_BY_W,
    FORCE_BY_Z,
    GAP,
    LINK,
    NORMAL,
    RATE,
    ROLL_AXLE,
    ROLL_RATE_BY_W,
    ROLL_RATE_BY_Z,
    SIDES,
    SLIPPING,
    SOFTNESS,
    STATE,
    STIFFNESS,
    TORQUE_BY_W,
    TORQUE_BY_Z,
    P,
)
from knuckleboom.kernels import kernel, shared_kernel

PLACES = 12
"""Columns of tangent.tire_disc that are those of tire.disc: where it touches, and its axes."""
D, N_BY_S, BY_Z, SOLVE, FOLLOW = 12, 15, 16, 18, 20
"""The rest: D of the three rows, ∂N/∂s looking ahead, then of both directions ∂λ/∂z, Y and how far the bend follows the
slip, s."""
ROLL_D, ROLL_BY_Z, ROLL_SOLVE, ROLL_FOLLOW = 3, 4, 5, 6
"""Columns of tangent.tire_roll after the axle: the same of rolling."""


@kernel
def disc_slopes(plan_tire, t, i, tau, h, disc, kept):
    """Keep where disc i of tire t touches, with D and the slopes of its rows. Writes kept."""
    number, s, w = plan_tire.number, disc[i, GAP], disc[i, RATE]
    for k in range(PLACES):
        kept[i, k] = disc[i, k]
    ds, dw = stop.ahead(s, w, h, 0.0, math.inf, disc[i, SOFTNESS] * number[t, STIFFNESS], number[t, DAMPING])
    kept[i, N_BY_S] = disc[i, BY_S] + ds
    kept[i, D] = max(-tau * (disc[i, BY_W] + dw) - tau * tau * kept[i, N_BY_S], 0.0)
    for k in range(SIDES):
        solve = 1.0 / (1.0 + tau * disc[i, SLIPPING + k])
        follow = tau * solve * disc[i, FOLLOWS + k]
        kept[i, SOLVE + k], kept[i, FOLLOW + k], kept[i, BY_Z + k] = solve, follow, disc[i, FORCE_BY_Z + k]
        kept[i, D + 1 + k] = max(-tau * (disc[i, FORCE_BY_W + k] + disc[i, FORCE_BY_Z + k] * follow), 0.0)


@kernel
def add_disc(i, link, kept, K):
    """Add the rows of disc i to K of its link. Writes K."""
    n, t1, t2 = vector(kept, i, NORMAL), vector(kept, i, ALONG), vector(kept, i, ACROSS)
    d0, d1, d2 = kept[i, D], kept[i, D + 1], kept[i, D + 2]
    xy = d0 * n[0] * n[1] + d1 * t1[0] * t1[1] + d2 * t2[0] * t2[1]
    xz = d0 * n[0] * n[2] + d1 * t1[0] * t1[2] + d2 * t2[0] * t2[2]
    yz = d0 * n[1] * n[2] + d1 * t1[1] * t1[2] + d2 * t2[1] * t2[2]
    xx = d0 * n[0] * n[0] + d1 * t1[0] * t1[0] + d2 * t2[0] * t2[0]
    yy = d0 * n[1] * n[1] + d1 * t1[1] * t1[1] + d2 * t2[1] * t2[1]
    zz = d0 * n[2] * n[2] + d1 * t1[2] * t1[2] + d2 * t2[2] * t2[2]
    add_at_point(vector(kept, i, P), (xx, xy, xz), (xy, yy, yz), (xz, yz, zz), link, K)


@kernel
def roll_slopes(t, tau, roll, kept):
    """Keep the axle of tire t, with D and the slopes of rolling. Writes kept."""
    for k in range(3):
        kept[t, k] = roll[t, ROLL_AXLE + k]
    solve = 1.0 / (1.0 - tau * roll[t, ROLL_RATE_BY_Z])
    follow = tau * solve * roll[t, ROLL_RATE_BY_W]
    kept[t, ROLL_SOLVE], kept[t, ROLL_FOLLOW], kept[t, ROLL_BY_Z] = solve, follow, roll[t, TORQUE_BY_Z]
    kept[t, ROLL_D] = max(-tau * (roll[t, TORQUE_BY_W] + roll[t, TORQUE_BY_Z] * follow), 0.0)


@shared_kernel
def add_slopes(plan_tire, tau, h, tire, tangent):
    """Keep all rows with their slopes, and add them to K of the links of wheels. Writes tangent."""
    index, kept = plan_tire.index, tangent.tire_disc
    for t in range(index.shape[0]):
        link = index[t, LINK]
        for i in range(index[t, DISC], index[t, DISC] + index[t, DISCS]):
            disc_slopes(plan_tire, t, i, tau, h, tire.disc, kept)
            add_disc(i, link, kept, tangent.touch_K)
        roll_slopes(t, tau, tire.roll, tangent.tire_roll)
        add_about_axis(tangent.tire_roll[t, ROLL_D], vector(tangent.tire_roll, t, 0), link, tangent.touch_K)


@kernel
def push_disc(i, link, normal, along, across, kept, f):
    """The wrench of a link gets that of forces on the rows of disc i. Writes f."""
    n, t1, t2 = vector(kept, i, NORMAL), vector(kept, i, ALONG), vector(kept, i, ACROSS)
    F = (
        normal * n[0] + along * t1[0] + across * t2[0],
        normal * n[1] + along * t1[1] + across * t2[1],
        normal * n[2] + along * t1[2] + across * t2[2],
    )
    add_force(vector(kept, i, P), F, link, f)


@kernel
def push_roll(t, link, torque, kept, f):
    """The wrench of a link gets a torque about the axle of tire t. Writes f."""
    for k in range(3):
        f[link, k] += torque * kept[t, k]


@kernel
def turning(t, link, kept, V):
    """Rate of the wheel of tire t about its axle."""
    return dot_of(vector(kept, t, 0), (V[link, 0], V[link, 1], V[link, 2]))


@shared_kernel
def eliminate(plan_tire, tau, rate_x, tangent, u_x):
    """Solve for bristles as if nothing moved; wrenches of the links: what they and the known motion do, over τ².
    Writes tangent, u_x.
    """
    index, kept, roll, V, f = plan_tire.index, tangent.tire_disc, tangent.tire_roll, tangent.touch_V, tangent.touch_f
    for t in range(index.shape[0]):
        link, z = index[t, LINK], index[t, STATE]
        for i in range(index[t, DISC], index[t, DISC] + index[t, DISCS]):
            rate = dot_of(vector(kept, i, NORMAL), velocity_at(V, link, vector(kept, i, P)))
            bend1, bend2 = kept[i, SOLVE] * rate_x[z], kept[i, SOLVE + 1] * rate_x[z + 1]
            u_x[z], u_x[z + 1] = tau * bend1, tau * bend2
            push_disc(i, link, kept[i, N_BY_S] * rate, kept[i, BY_Z] * bend1, kept[i, BY_Z + 1] * bend2, kept, f)
            z += SIDES
        bend = roll[t, ROLL_SOLVE] * rate_x[z]
        u_x[z] = tau * bend
        push_roll(t, link, roll[t, ROLL_BY_Z] * bend, roll, f)


@shared_kernel
def restore(plan_tire, tangent, u_x):
    """Let bristles follow, now that the motion is known. Writes tangent, u_x."""
    index, kept, V, rate = plan_tire.index, tangent.tire_disc, tangent.touch_V, tangent.tire_rate
    for t in range(index.shape[0]):
        link, z = index[t, LINK], index[t, STATE]
        for i in range(index[t, DISC], index[t, DISC] + index[t, DISCS]):
            v = velocity_at(V, link, vector(kept, i, P))
            rate[i, 0] = dot_of(vector(kept, i, NORMAL), v)
            rate[i, 1] = dot_of(vector(kept, i, ALONG), v)
            rate[i, 2] = dot_of(vector(kept, i, ACROSS), v)
            u_x[z] += kept[i, FOLLOW] * rate[i, 1]
            u_x[z + 1] += kept[i, FOLLOW + 1] * rate[i, 2]
            z += SIDES
        tangent.tire_turning[t] = turning(t, link, tangent.tire_roll, V)
        u_x[z] += tangent.tire_roll[t, ROLL_FOLLOW] * tangent.tire_turning[t]


@shared_kernel
def weigh_rates(plan_tire, tangent):
    """Wrenches of the links += D times the rates that `restore` left. Writes tangent."""
    index, kept, f, rate = plan_tire.index, tangent.tire_disc, tangent.touch_f, tangent.tire_rate
    for t in range(index.shape[0]):
        link = index[t, LINK]
        for i in range(index[t, DISC], index[t, DISC] + index[t, DISCS]):
            push_disc(
                i, link, kept[i, D] * rate[i, 0], kept[i, D + 1] * rate[i, 1], kept[i, D + 2] * rate[i, 2], kept, f
            )
        push_roll(t, link, tangent.tire_roll[t, ROLL_D] * tangent.tire_turning[t], tangent.tire_roll, f)
