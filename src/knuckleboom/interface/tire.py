# SPDX-License-Identifier: BSD-3-Clause
"""Tires: rows of thin discs on wheels that turn, each with the force of the ground where it touches.

    normal        W = (p×n; n)       s the gap     N of elements/stop.py, a stop at 0; at the rim ten times as stiff
    along, across W = (p×t; t)       λ = N times laws/tire_friction.py or laws/tire_published.py
    roll          W = (a; 0)         T of laws/bristle.py on the wheel's angle, with the limit f_r r ΣN

geometry/disc.py has p, n and t for the highest ground below; areas of the ground scale friction and stiffness. Rows act
on the wheel that turns, so that loaded radius, camber and overturning moment come by themselves. Discs stand so that
their mean square distance from the middle is that of an even load. Friction has two bends a disc, along the heading and
to its left, and one of the whole tire in the way it rolls. Where nothing presses bristles straighten: ż = −z/T.
Stores ½ k d², N Σ σ₀ z²/2 and ½ T′ ζ². A step is not made in parts where a disc touches: tires are soft.
Own derivation, after the law files; tangents are in tire_tangent.py. Validated by: validation/analytic/test_tire.py
"""

import math

from knuckleboom.apart import apart_kernel
from knuckleboom.geometry.disc import THIRD, touch_disc
from knuckleboom.geometry.field import FRICTION
from knuckleboom.geometry.field import STIFFNESS as AREA_STIFFNESS
from knuckleboom.geometry.plane import cross_of, dot_of
from knuckleboom.interface.contact import STRAIGHTENING, keep_vector, turned, vector
from knuckleboom.interface.elements import stop
from knuckleboom.interface.link_sums import add_force, velocity_at
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.laws.bristle import bristle, energy_bristle
from knuckleboom.laws.tire_friction import tire_friction
from knuckleboom.laws.tire_published import tire_published

LINK, DISC, DISCS, STATE, POWER, LAW, BODY = 0, 1, 2, 3, 4, 5, 6
"""Columns of plan_tire.index: link, first disc and number, first state (two a disc, then that of rolling), first power
(normal, friction, rolling), law, body."""
AVERAGED, PUBLISHED = 0, 1
CENTRE, AXLE, RADIUS, SPACING, STIFFNESS, DAMPING, RIM = 0, 3, 6, 7, 8, 9, 10
COULOMB, BREAKAWAY, STRIBECK, BRISTLE, BRISTLE_DAMPING, VISCOUS, PATCH, HOLD_SPEED = 11, 13, 14, 15, 17, 18, 19, 20
ROLLING = 21
"""Columns of plan_tire.number: centre and axle in the axes of the link; radius, distance of discs, stiffness of one and
its damping, depth of the rim; friction along and across and its law; rolling resistance over load, m."""
P, NORMAL, ALONG, ACROSS = 0, 3, 6, 9
GAP, RATE, LOAD, BY_S, BY_W, SLIP, SPEED, FORCE = 12, 13, 14, 15, 16, 17, 19, 20
FORCE_BY_W, FORCE_BY_Z, SLIPPING, FOLLOWS, SOFTNESS, GRIP = 22, 24, 26, 28, 30, 31
"""Columns of tire.disc: where it touches, relative to O, and its axes; gap, its rate, load and slopes; slip along and
across, rolling speed, friction, slopes of friction by slip and bend, −∂ż/∂z and ∂ż/∂w; factors of stiffness and of
friction of the ground."""
ROLL_AXLE, ROLL_LOAD, TORQUE, TORQUE_BY_W, TORQUE_BY_Z, ROLL_RATE_BY_Z, ROLL_RATE_BY_W = 0, 3, 4, 5, 6, 7, 8
"""Columns of tire.roll: axle in world axes, load, torque of rolling resistance, its slopes, those of its bristle."""
SIDES = 2  # bends of a disc
HARDER = 9.0
"""How much stiffer it is from the rim on, over what it is before: ten times in all."""
ROLL_BEND, ROLL_HOLD, ROLL_STRIBECK, ROLL_DAMPING = 0.01, 0.5, 1.0, 0.05
"""Of the bristle of rolling: bend when it rolls, rad; speeds, rad/s; damping over stiffness, s."""
LEAST_SPEED = 0.01
"""m/s: speed by which slip is divided at least, in the record."""
WIDTH = 10  # of a tire in the record: load, forces 2, slip, slip angle, torque, deflection, stored 3


@kernel
def press(plan_ground, number, t, i, C, a, p_WO, V, link, disc):
    """Find where disc i of tire t, with its centre C in the world, touches, and its normal force. Writes disc."""
    s, area, p, n, t1, t2 = touch_disc(plan_ground, C, a, number[t, RADIUS], number[t, PATCH] * THIRD)
    p = (p[0] - p_WO[0], p[1] - p_WO[1], p[2] - p_WO[2])
    w, softness = dot_of(n, velocity_at(V, link, p)), plan_ground.area[area, AREA_STIFFNESS]
    k, damping = softness * number[t, STIFFNESS], number[t, DAMPING]
    N, by_s, by_w = stop.law(s, w, 0.0, math.inf, k, damping)
    if s < -number[t, RIM]:
        more, more_s, more_w = stop.law(s, w, -number[t, RIM], math.inf, HARDER * k, damping)
        N, by_s, by_w = N + more, by_s + more_s, by_w + more_w
    keep_vector(p, i, P, disc)
    keep_vector(n, i, NORMAL, disc)
    keep_vector(t1, i, ALONG, disc)
    keep_vector(t2, i, ACROSS, disc)
    disc[i, GAP], disc[i, RATE], disc[i, LOAD], disc[i, BY_S], disc[i, BY_W] = s, w, N, by_s, by_w
    disc[i, SOFTNESS], disc[i, GRIP] = softness, plan_ground.area[area, FRICTION]


@kernel
def rub(plan_tire, t, i, arm, V, link, x, disc, x_dot):
    """Fill friction of disc i of tire t with its slopes, and the rates of its bends; `arm` goes from where it is to its
    centre. Writes disc, x_dot.
    """
    number, z = plan_tire.number, plan_tire.index[t, STATE] + SIDES * (i - plan_tire.index[t, DISC])
    t1, t2, N = vector(disc, i, ALONG), vector(disc, i, ACROSS), disc[i, LOAD]
    v = velocity_at(V, link, vector(disc, i, P))
    w1, w2 = dot_of(t1, v), dot_of(t2, v)
    u = dot_of(t1, cross_of((V[link, 0], V[link, 1], V[link, 2]), arm))
    disc[i, SLIP], disc[i, SLIP + 1], disc[i, SPEED] = w1, w2, u
    if N <= 0.0:
        for k in range(SIDES):
            disc[i, FORCE + k], disc[i, FORCE_BY_W + k], disc[i, FORCE_BY_Z + k] = 0.0, 0.0, 0.0
            disc[i, SLIPPING + k], disc[i, FOLLOWS + k] = 1.0 / STRAIGHTENING, 0.0
            x_dot[z + k] = -x[z + k] / STRAIGHTENING
        return
    grip = disc[i, GRIP]
    coulomb_1, coulomb_2 = grip * number[t, COULOMB], grip * number[t, COULOMB + 1]
    if plan_tire.index[t, LAW] == PUBLISHED:
        force, by_w, by_z, rate, slipping, follow = tire_published(
            w1, w2, x[z], x[z + 1], coulomb_1, coulomb_2, number[t, BREAKAWAY], number[t, STRIBECK],
            number[t, BRISTLE], number[t, BRISTLE + 1], number[t, BRISTLE_DAMPING], number[t, VISCOUS],
        )  # fmt: skip
    else:
        force, by_w, by_z, rate, slipping, follow = tire_friction(
            w1, w2, abs(u), x[z], x[z + 1], coulomb_1, coulomb_2, number[t, BREAKAWAY], number[t, STRIBECK],
            number[t, BRISTLE], number[t, BRISTLE + 1], number[t, BRISTLE_DAMPING], number[t, VISCOUS],
            number[t, PATCH], number[t, HOLD_SPEED],
        )  # fmt: skip
    for k in range(SIDES):
        disc[i, FORCE + k], disc[i, FORCE_BY_W + k], disc[i, FORCE_BY_Z + k] = N * force[k], N * by_w[k], N * by_z[k]
        disc[i, SLIPPING + k], disc[i, FOLLOWS + k] = slipping[k], follow[k]
        x_dot[z + k] = rate[k]


@kernel
def resist(plan_tire, t, load, omega, x, roll, x_dot):
    """Fill the torque of rolling resistance of tire t with its slopes. Writes roll, x_dot."""
    z = plan_tire.index[t, STATE] + SIDES * plan_tire.index[t, DISCS]
    limit, roll[t, ROLL_LOAD] = load * plan_tire.number[t, ROLLING], load
    if limit <= 0.0:
        roll[t, TORQUE], roll[t, TORQUE_BY_W], roll[t, TORQUE_BY_Z] = 0.0, 0.0, 0.0
        roll[t, ROLL_RATE_BY_Z], roll[t, ROLL_RATE_BY_W] = -1.0 / STRAIGHTENING, 0.0
        x_dot[z] = -x[z] / STRAIGHTENING
        return
    stiffness = limit / ROLL_BEND
    torque, by_z, by_w, rate, rate_z, rate_w = bristle(
        x[z], omega, limit, limit, ROLL_STRIBECK, stiffness, ROLL_DAMPING * stiffness, 0.0, ROLL_HOLD
    )
    roll[t, TORQUE], roll[t, TORQUE_BY_W], roll[t, TORQUE_BY_Z] = torque, by_w, by_z
    roll[t, ROLL_RATE_BY_Z], roll[t, ROLL_RATE_BY_W] = rate_z, rate_w
    x_dot[z] = rate


@shared_kernel
def act_one(plan_ground, plan_tire, t, motion, x, tire, x_dot, power):
    """Fill the forces, slopes, rates and powers of tire t. Writes tire, x_dot, power."""
    index, number, disc, V = plan_tire.index, plan_tire.number, tire.disc, motion.V_WL
    link, discs, at = index[t, LINK], index[t, DISCS], index[t, POWER]
    a, middle = turned(number, t, AXLE, motion.R_WL, link), turned(number, t, CENTRE, motion.R_WL, link)
    p_WO = (motion.p_WO[0], motion.p_WO[1], motion.p_WO[2])
    for k in range(6):
        tire.wrench[t, k] = 0.0
    load, pressing, rubbing = 0.0, 0.0, 0.0
    for m in range(discs):
        i, out = index[t, DISC] + m, number[t, SPACING] * (m - 0.5 * (discs - 1))
        # the centre of the disc, relative to O
        c = (
            motion.p_OL[link, 0] + middle[0] + out * a[0],
            motion.p_OL[link, 1] + middle[1] + out * a[1],
            motion.p_OL[link, 2] + middle[2] + out * a[2],
        )
        C = (c[0] + p_WO[0], c[1] + p_WO[1], c[2] + p_WO[2])
        press(plan_ground, number, t, i, C, a, p_WO, V, link, disc)
        p, n, t1, t2 = vector(disc, i, P), vector(disc, i, NORMAL), vector(disc, i, ALONG), vector(disc, i, ACROSS)
        rub(plan_tire, t, i, (c[0] - p[0], c[1] - p[1], c[2] - p[2]), V, link, x, disc, x_dot)
        N, f1, f2 = disc[i, LOAD], disc[i, FORCE], disc[i, FORCE + 1]
        F = (
            N * n[0] + f1 * t1[0] + f2 * t2[0],
            N * n[1] + f1 * t1[1] + f2 * t2[1],
            N * n[2] + f1 * t1[2] + f2 * t2[2],
        )
        add_force(p, F, t, tire.wrench)
        load += N
        pressing += N * disc[i, RATE]
        rubbing += f1 * disc[i, SLIP] + f2 * disc[i, SLIP + 1]
    omega = dot_of(a, (V[link, 0], V[link, 1], V[link, 2]))
    keep_vector(a, t, ROLL_AXLE, tire.roll)
    resist(plan_tire, t, load, omega, x, tire.roll, x_dot)
    torque = tire.roll[t, TORQUE]
    for k in range(3):
        tire.wrench[t, k] += torque * a[k]
    power[at], power[at + 1], power[at + 2] = pressing, rubbing, torque * omega


@apart_kernel
def act(plan, work):
    """What every tire does, and its wrench taken from those of the links. Writes work."""
    plan_tire, tire, motion = plan.tire, work.tire, work.motion
    for t in range(plan_tire.index.shape[0]):
        act_one(plan.ground, plan_tire, t, motion, work.state.x, tire, work.oil.x_dot, work.oil.power)
        for k in range(6):
            motion.wrench[plan_tire.index[t, LINK], k] -= tire.wrench[t, k]


@kernel
def energies(plan_tire, t, x, tire):
    """Energy of the deflected tire, of the bent bristles and of that of rolling [J]."""
    index, number, disc = plan_tire.index, plan_tire.number, tire.disc
    elastic, bent, first = 0.0, 0.0, index[t, DISC]
    for i in range(first, first + index[t, DISCS]):
        k, z = disc[i, SOFTNESS] * number[t, STIFFNESS], index[t, STATE] + SIDES * (i - first)
        elastic += stop.stored(disc[i, GAP], 0.0, math.inf, k)
        elastic += stop.stored(disc[i, GAP], -number[t, RIM], math.inf, HARDER * k)
        bent += energy_bristle(x[z], disc[i, LOAD] * number[t, BRISTLE])
        bent += energy_bristle(x[z + 1], disc[i, LOAD] * number[t, BRISTLE + 1])
    stiffness = tire.roll[t, ROLL_LOAD] * number[t, ROLLING] / ROLL_BEND
    return elastic, bent, energy_bristle(x[index[t, STATE] + SIDES * index[t, DISCS]], stiffness)


@kernel
def means(plan_tire, t, disc):
    """Forces along and across of tire t, and means over the load of its slip along and across and its rolling speed."""
    along, across, w1, w2, u, load = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    first = plan_tire.index[t, DISC]
    for i in range(first, first + plan_tire.index[t, DISCS]):
        N = disc[i, LOAD]
        along += disc[i, FORCE]
        across += disc[i, FORCE + 1]
        w1 += N * disc[i, SLIP]
        w2 += N * disc[i, SLIP + 1]
        u += N * disc[i, SPEED]
        load += N
    if load <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    return along, across, w1 / load, w2 / load, u / load


@apart_kernel
def observe(plan, work, at, sum_at, record):
    """Forces, slips, deflection and energies of every tire, from column `at` on;
    column `sum_at` gets the energy of all. Writes record.
    """
    plan_tire, tire, total = plan.tire, work.tire, 0.0
    for t in range(plan_tire.index.shape[0]):
        first, deepest = plan_tire.index[t, DISC], 0.0
        for i in range(first, first + plan_tire.index[t, DISCS]):
            deepest = max(deepest, -tire.disc[i, GAP])
        along, across, w1, w2, u = means(plan_tire, t, tire.disc)
        ahead = u + w1  # speed of the wheel's centre
        elastic, bent, rolled = energies(plan_tire, t, work.state.x, tire)
        record[at], record[at + 1], record[at + 2] = tire.roll[t, ROLL_LOAD], along, across
        record[at + 3] = -w1 / max(abs(u), abs(ahead), LEAST_SPEED)
        record[at + 4] = math.atan2(w2, max(abs(ahead), LEAST_SPEED))
        record[at + 5], record[at + 6] = tire.roll[t, TORQUE], deepest
        record[at + 7], record[at + 8], record[at + 9] = elastic, bent, rolled
        total += elastic + bent + rolled
        at += WIDTH
    record[sum_at] += total
