# SPDX-License-Identifier: BSD-3-Clause
"""Inertias that change while a machine runs: payloads, and the oil in cylinders (moving_oil.py), which come after them.

    wrench needed = m (Î A + V ×* Î V) + ṁ⁺ (Î_e V − μ),   μ = (p × c; c)        Î the spatial inertia of 1 kg

Of what joins at p (ṁ⁺ = max(ṁ, 0)) each kg comes with the velocity c, which is its momentum μ; what leaves has the
velocity that the link has there, and takes its momentum with it: no force. Î_e is the inertia of 1 kg where it joins
and leaves, of payloads Î. With T = ½ V·Î_e V, u = −g·p, energies of 1 kg there,

    dissipated  ṁ⁺ (T − V·μ + ½ c²)        supplied  ṁ⁺ (u + ½ c²) + ṁ⁻ (u + T)

m and ṁ are known before the inertias: of a payload a state and its rate, of oil from value and rate of a row; the
inertia joins that of its link. In tangents ṁ⁺ Î of payloads is damping: of Newton it adds to 2B of derivatives.py, of
linearly implicit steps τ times it adds to the mass. Those of linearly implicit steps leave oil out: a W-method keeps
its order with any tangent. Own derivation: docs/decisions/payload.md. Tested in tests/engine/test_payload.py, validated
by: validation/analytic/test_payload.py
"""

import numpy as np

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.mechanics import moving_oil
from knuckleboom.mechanics.dynamics import add_needed, along_screw, momentum, spatial_inertia
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.kinematics import LINK_KIND, LINK_NV, LINK_PARENT, LINK_S, LINK_SHAPE, LINK_V
from knuckleboom.mechanics.rows.geometry import cross, unit_vector
from knuckleboom.solvers.vectors import copy, fill

LINK, BODY, STATE, POWER = 0, 1, 2, 3
"""Columns of plan_payload.index: link, body, the state that is its mass (−1: oil), first power (dissipated, then
supplied); the last is the row of moving_oil.py."""
COMES, TIME = 10, 13
"""Columns of plan_payload.number after those of an inertia of 1 kg: velocity of what joins, time constant."""
MASS, JOINS = 0, 1  # columns of payload.flow


@kernel
def need(plan_payload, i, motion, payload):
    """Fill what payload i needs of its link, from the accelerations in motion, also that of 1 kg. Writes payload."""
    link, unit, end, V = plan_payload.index[i, LINK], payload.unit, payload.end, motion.V_WL
    moved, gained, mass, joins = payload.moved, payload.gained, payload.flow[i, MASS], payload.flow[i, JOINS]
    fill(0.0, moved[i])
    add_needed(unit, i, V, motion.A_WL, link, moved)

    # momentum of 1 kg, less that with which it came
    n0, n1, n2, f0, f1, f2 = momentum(
        end, i, V[link, 0], V[link, 1], V[link, 2], V[link, 3], V[link, 4], V[link, 5]
    )  # fmt: skip
    c0, c1, c2 = payload.comes[i, 0], payload.comes[i, 1], payload.comes[i, 2]
    m0, m1, m2 = cross(end[i, 1], end[i, 2], end[i, 3], c0, c1, c2)
    gained[i, 0], gained[i, 1], gained[i, 2] = n0 - m0, n1 - m1, n2 - m2
    gained[i, 3], gained[i, 4], gained[i, 5] = f0 - c0, f1 - c1, f2 - c2
    for k in range(6):
        payload.wrench[i, k] = mass * moved[i, k] + joins * gained[i, k]


@kernel
def specific_energies(i, link, gravity, motion, unit):
    """Kinetic and potential energy of 1 kg on a link, with the spatial inertia unit[i] [J]."""
    V = motion.V_WL
    w0, w1, w2, u0, u1, u2 = V[link, 0], V[link, 1], V[link, 2], V[link, 3], V[link, 4], V[link, 5]
    n0, n1, n2, f0, f1, f2 = momentum(unit, i, w0, w1, w2, u0, u1, u2)
    kinetic = 0.5 * (n0 * w0 + n1 * w1 + n2 * w2 + f0 * u0 + f1 * u1 + f2 * u2)
    potential = 0.0
    for axis in range(3):
        potential -= gravity[axis] * (unit[i, 1 + axis] + motion.p_WO[axis])
    return kinetic, potential


@kernel
def balance(plan_payload, i, gravity, rate, motion, payload, power):
    """Fill the powers of payload i: what is lost where mass joins, and what comes and goes with it. Writes power."""
    V, link, at = motion.V_WL, plan_payload.index[i, LINK], plan_payload.index[i, POWER]
    kinetic, potential = specific_energies(i, link, gravity, motion, payload.end)
    # V·(Î V − μ) = 2 T − V·μ
    coming, gains = 0.0, 0.0
    for axis in range(3):
        coming += 0.5 * payload.comes[i, axis] * payload.comes[i, axis]
    for k in range(6):
        gains += V[link, k] * payload.gained[i, k]
    joins, leaves = max(rate, 0.0), min(rate, 0.0)
    power[at] = joins * (gains - kinetic + coming)
    power[at + 1] = joins * (potential + coming) + leaves * (potential + kinetic)


@kernel
def lump(plan_payload, i, state, rate_x, motion, payload):
    """Return mass and growth of payload i; fill its inertias and the velocity of what joins. Writes payload."""
    number, at = plan_payload.number, plan_payload.index[i, STATE]
    spatial_inertia(number, i, motion.R_WL, motion.p_OL, plan_payload.index[i, LINK], payload.unit)
    copy(payload.unit[i], payload.end[i])
    for axis in range(3):
        payload.comes[i, axis] = number[i, COMES + axis]
    # a step longer than the lag may pass 0
    return max(state[at], 0.0), rate_x[at]


@shared_kernel
def carry(plan, work):
    """Add payloads to the inertias of the links and to what their motion needs, and fill their powers. Writes work."""
    plan_payload, payload, motion = plan.payload, work.payload, work.motion
    loads = plan_payload.number.shape[0]
    for i in range(plan_payload.index.shape[0]):
        link = plan_payload.index[i, LINK]
        if i < loads:
            mass, rate = lump(plan_payload, i, work.state.x, work.oil.x_dot, motion, payload)
        else:
            mass, rate = moving_oil.shape(plan_payload, i, i - loads, work.rows, motion, payload)
        payload.flow[i, MASS], payload.flow[i, JOINS] = mass, max(rate, 0.0)
        need(plan_payload, i, motion, payload)
        balance(plan_payload, i, plan.links.gravity, rate, motion, payload, work.oil.power)
        for k in range(6):
            motion.wrench[link, k] += payload.wrench[i, k]
        for k in range(10):  # a spatial inertia has 10 numbers
            motion.inertia[link, k] += mass * payload.unit[i, k]


@shared_kernel
def add_to_bodies(plan_payload, motion, payload):
    """Add what payloads need to what their bodies need, from full accelerations. Writes payload, motion.body_wrench."""
    for i in range(plan_payload.index.shape[0]):
        need(plan_payload, i, motion, payload)
        for k in range(6):
            motion.body_wrench[plan_payload.index[i, BODY], k] += payload.wrench[i, k]


@shared_kernel
def energies(plan_payload, gravity, motion, payload):
    """Return the kinetic and the potential energy of all payloads [J]."""
    kinetic, potential = 0.0, 0.0
    for i in range(plan_payload.index.shape[0]):
        moving, lifted = specific_energies(i, plan_payload.index[i, LINK], gravity, motion, payload.unit)
        kinetic += payload.flow[i, MASS] * moving
        potential += payload.flow[i, MASS] * lifted
    return kinetic, potential


@shared_kernel
def observe_oil(plan_payload, payload, at, record):
    """Mass of every column of oil; return the next column of the record. Writes record."""
    for i in range(plan_payload.number.shape[0], plan_payload.index.shape[0]):
        record[at] = payload.flow[i, MASS]
        at += 1
    return at


# --- in Newton's tangent ---


@shared_kernel
def add_turning(plan_payload, motion, payload, newton):
    """Add ṁ⁺ Î of payloads to 2B of the links, and ṁ⁺ (Î V − μ) to their wrenches. Writes newton."""
    loads = plan_payload.number.shape[0]
    for i in range(plan_payload.index.shape[0]):
        link, joins = plan_payload.index[i, LINK], payload.flow[i, JOINS]
        for k in range(6):
            newton.wrench[link, k] += joins * payload.gained[i, k]
        for k in range(6 if i < loads else 0):
            e0, e1, e2 = unit_vector(k)
            d0, d1, d2 = unit_vector(k - 3)  # the moving part
            column = momentum(payload.unit, i, e0, e1, e2, d0, d1, d2)
            for row in range(6):
                newton.B[link, 6 * row + k] += joins * column[row]


@kernel
def held_direction(i, number, unit, S, j):
    """By screw j: what μ turns too far if it turns with the link, (p × (ω × c); ω × c)."""
    c0, c1, c2 = number[i, COMES], number[i, COMES + 1], number[i, COMES + 2]
    f0, f1, f2 = cross(S[j, 0], S[j, 1], S[j, 2], c0, c1, c2)
    n0, n1, n2 = cross(unit[i, 1], unit[i, 2], unit[i, 3], f0, f1, f2)
    return n0, n1, n2, f0, f1, f2


@shared_kernel
def add_shared_direction(plan, i, link, weight, motion, payload, J):
    """The part of add_direction through the screws of an attachment. Writes J."""
    index, plan_system, place = plan.links.index, plan.system, plan.newton.share_place
    number, unit, S = plan.payload.number, payload.unit, motion.S
    for m in range(index[link, LINK_NV]):
        j, line = index[link, LINK_S] + m, index[link, LINK_SHAPE] + m
        by_j = held_direction(i, number, unit, S, j)
        for pair in range(plan_system.share_first[line], plan_system.share_first[line + 1]):
            k = plan_system.share_screw[pair]
            J[place[pair, 1]] += weight * along_screw(S, k, by_j)
            if k != j:
                J[place[pair, 0]] += weight * along_screw(S, j, held_direction(i, number, unit, S, k))


@shared_kernel
def add_direction(plan, square, motion, payload, J):
    """Add to J what μ does that keeps its direction in the world; square is τ τ_q. Writes J."""
    plan_payload, index, plan_system, place = plan.payload, plan.links.index, plan.system, plan.newton.pair_place
    number, unit, S = plan_payload.number, payload.unit, motion.S
    for i in range(plan_payload.number.shape[0]):
        weight, link = square * payload.flow[i, JOINS], plan_payload.index[i, LINK]
        while link > 0:
            first, own = index[link, LINK_V], index[link, LINK_NV]
            if index[link, LINK_KIND] == deform.KIND:
                add_shared_direction(plan, i, link, weight, motion, payload, J)
                own = 0
            for j in range(first, first + own):
                by_j = held_direction(i, number, unit, S, j)
                for pair in range(np.uintp(plan_system.pair_first[j]), np.uintp(plan_system.pair_first[j + 1])):
                    k = plan_system.pair_screw[pair]
                    J[place[pair, 1]] += weight * along_screw(S, k, by_j)
                    if k != j:
                        J[place[pair, 0]] += weight * along_screw(S, j, held_direction(i, number, unit, S, k))
            link = index[link, LINK_PARENT]


@shared_kernel
def eliminate(plan, weight, motion, payload, residual, force):
    """Take from the force weight times what the corrections of the masses need, which nothing else moves. Writes
    force.
    """
    plan_payload, index = plan.payload, plan.links.index
    for i in range(plan_payload.number.shape[0]):
        change = residual[plan_payload.index[i, STATE]]
        heavier = change if payload.flow[i, MASS] > 0.0 else 0.0
        slower = change / plan_payload.number[i, TIME] if payload.flow[i, JOINS] > 0.0 else 0.0
        link = plan_payload.index[i, LINK]
        while link > 0:
            for m in range(index[link, LINK_NV]):
                j, total = index[link, LINK_S] + m, 0.0
                for k in range(6):
                    total += motion.S[j, k] * (heavier * payload.moved[i, k] - slower * payload.gained[i, k])
                force[index[link, LINK_V] + m] -= weight * total
            link = index[link, LINK_PARENT]


# --- in the tangent of linearly implicit steps ---


@kernel
def along_link(C, i, link, index, values, S):
    """Momentum that inertia i has where its link moves at these values of all velocities."""
    w0, w1, w2, u0, u1, u2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    while link > 0:
        for m in range(index[link, LINK_NV]):
            j, value = index[link, LINK_S] + m, values[index[link, LINK_V] + m]
            w0 += S[j, 0] * value
            w1 += S[j, 1] * value
            w2 += S[j, 2] * value
            u0 += S[j, 3] * value
            u1 += S[j, 4] * value
            u2 += S[j, 5] * value
        link = index[link, LINK_PARENT]
    return momentum(C, i, w0, w1, w2, u0, u1, u2)


@shared_kernel
def add_shared_mass(plan_system, index, i, link, D, S, L):
    """The part of add_to_mass through the screws of an attachment. Writes L."""
    for m in range(index[link, LINK_NV]):
        j, line = index[link, LINK_S] + m, index[link, LINK_SHAPE] + m
        wrench = momentum(D, i, S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5])
        for pair in range(plan_system.share_first[line], plan_system.share_first[line + 1]):
            L[plan_system.share_address[pair]] += along_screw(S, plan_system.share_screw[pair], wrench)


@shared_kernel
def add_to_mass(plan, work, tau):
    """Keep τ ṁ⁺ Î and the screws of the start of the step, and add that inertia to M in L. Writes work."""
    plan_payload, index, plan_system, tangent = plan.payload, plan.links.index, plan.system, work.tangent
    S, D, L = tangent.payload_S, tangent.payload_D, work.system.L
    for j in range(S.shape[0]):
        copy(work.motion.S[j], S[j])
    for i in range(plan_payload.number.shape[0]):
        for k in range(10):  # a spatial inertia has 10 numbers
            D[i, k] = tau * work.payload.flow[i, JOINS] * work.payload.unit[i, k]
        link = plan_payload.index[i, LINK]
        while link > 0:
            first, own = index[link, LINK_V], index[link, LINK_NV]
            if index[link, LINK_KIND] == deform.KIND:
                add_shared_mass(plan_system, index, i, link, D, S, L)
                own = 0
            for j in range(first, first + own):
                wrench = momentum(D, i, S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5])
                for pair in range(np.uintp(plan_system.pair_first[j]), np.uintp(plan_system.pair_first[j + 1])):
                    L[plan_system.pair_address[pair]] += along_screw(S, plan_system.pair_screw[pair], wrench)
            link = index[link, LINK_PARENT]


@shared_kernel
def take_from_momentum(plan, tangent, u_v, kept):
    """Take τ ṁ⁺ Î u_v from the momentum kept of a stage. Writes kept."""
    plan_payload, index, S = plan.payload, plan.links.index, tangent.payload_S
    for i in range(plan_payload.number.shape[0]):
        link = plan_payload.index[i, LINK]
        wrench = along_link(tangent.payload_D, i, link, index, u_v, S)
        while link > 0:
            for m in range(index[link, LINK_NV]):
                kept[index[link, LINK_V] + m] -= along_screw(S, index[link, LINK_S] + m, wrench)
            link = index[link, LINK_PARENT]
