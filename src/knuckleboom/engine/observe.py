# SPDX-License-Identifier: BSD-3-Clause
"""One line of the record: everything a user can ask for by name, computed from the last evaluation.

The order of the columns is that of BLOCKS; the plan gives each column its name (plan/naming.py).
"""

import math

from knuckleboom.hydraulics.oil_laws import stored_energies
from knuckleboom.hydraulics.readings import observe_readings
from knuckleboom.interface import bounded, bounded_limits, contact, pairs, tire
from knuckleboom.interface.forces import elastic_energies
from knuckleboom.interface.link_sums import take_from_bodies
from knuckleboom.kernels import kernel
from knuckleboom.mechanics import payload
from knuckleboom.mechanics.dynamics import energies
from knuckleboom.mechanics.kinematics import full_accelerations
from knuckleboom.mechanics.reactions import body_wrenches, reactions
from knuckleboom.mechanics.rows.driven import pull
from knuckleboom.mechanics.rows.geometry import cross
from knuckleboom.mechanics.rows.kinds import put_forces_of_rows

EXCHANGED = 2
"""Energies of exchanges: the last numbers of state.exchange."""
BLOCKS = (
    # name        width of one item
    ("time", 1),
    ("q", 1),
    ("v", 1),
    ("v_dot", 1),
    ("x", 1),
    ("u", 1),
    ("z", 1),
    ("body", 13),  # position 3, quaternion 4, velocity 3, angular velocity 3
    ("point", 9),  # position 3, velocity 3, acceleration 3
    ("row_s", 1),
    ("row_w", 1),
    ("row_force", 1),
    ("multiplier", 1),
    ("driver", 3),  # value, rate, force
    ("reaction", 6),  # force 3, moment 3
    ("p", 1),
    ("V", 1),
    ("Q", 1),
    ("reading", 1),
    ("oil_energy", 1),
    ("state_energy", 3),  # kinetic, potential, elastic
    ("stored", 1),  # elastic energy of each force element
    ("energy", 1),
    ("moving", 1),  # mass of each column of oil
    ("contact", contact.WIDTH),
    ("tire", tire.WIDTH),
    ("pair", contact.WIDTH),
    ("exchange", EXCHANGED),  # energy that the last exchange made, that of all
    ("impulse", 1),
)


@kernel
def copy(values, at, record):
    """Copy values into the record from column `at` on; return the next column. Writes record."""
    for i in range(values.shape[0]):
        record[at + i] = values[i]
    return at + values.shape[0]


@kernel
def write_quaternion(r00, r01, r02, r10, r11, r12, r20, r21, r22, at, record):
    """Unit quaternion (w, x, y, z), w ≥ 0, of a rotation matrix, by its largest component. Writes record."""
    trace = r00 + r11 + r22
    if trace > 0.0:
        s = 2.0 * math.sqrt(1.0 + trace)
        w, x, y, z = 0.25 * s, (r21 - r12) / s, (r02 - r20) / s, (r10 - r01) / s  # 1/4 of s is the largest
    elif r00 >= r11 and r00 >= r22:
        s = 2.0 * math.sqrt(1.0 + r00 - r11 - r22)
        w, x, y, z = (r21 - r12) / s, 0.25 * s, (r01 + r10) / s, (r02 + r20) / s  # 1/4 of s is the largest
    elif r11 >= r22:
        s = 2.0 * math.sqrt(1.0 + r11 - r00 - r22)
        w, x, y, z = (r02 - r20) / s, (r01 + r10) / s, 0.25 * s, (r12 + r21) / s  # 1/4 of s is the largest
    else:
        s = 2.0 * math.sqrt(1.0 + r22 - r00 - r11)
        w, x, y, z = (r10 - r01) / s, (r02 + r20) / s, (r12 + r21) / s, 0.25 * s  # 1/4 of s is the largest
    sign = -1.0 if w < 0.0 else 1.0
    record[at] = sign * w
    record[at + 1] = sign * x
    record[at + 2] = sign * y
    record[at + 3] = sign * z


@kernel
def observe_bodies(plan_shown, motion, at, record):
    """Position, quaternion, velocity and angular velocity of every body's frame. Writes record."""
    R, p, V, frame, p_WO = motion.R_WL, motion.p_OL, motion.V_WL, plan_shown.body_frame, motion.p_WO
    for i in range(plan_shown.body_link.shape[0]):
        k = plan_shown.body_link[i]
        x, y, z = frame[i, 9], frame[i, 10], frame[i, 11]
        px = p[k, 0] + R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
        py = p[k, 1] + R[k, 3] * x + R[k, 4] * y + R[k, 5] * z
        pz = p[k, 2] + R[k, 6] * x + R[k, 7] * y + R[k, 8] * z
        vx, vy, vz = cross(V[k, 0], V[k, 1], V[k, 2], px, py, pz)
        record[at] = px + p_WO[0]
        record[at + 1] = py + p_WO[1]
        record[at + 2] = pz + p_WO[2]
        write_quaternion(
            R[k, 0] * frame[i, 0] + R[k, 1] * frame[i, 3] + R[k, 2] * frame[i, 6],
            R[k, 0] * frame[i, 1] + R[k, 1] * frame[i, 4] + R[k, 2] * frame[i, 7],
            R[k, 0] * frame[i, 2] + R[k, 1] * frame[i, 5] + R[k, 2] * frame[i, 8],
            R[k, 3] * frame[i, 0] + R[k, 4] * frame[i, 3] + R[k, 5] * frame[i, 6],
            R[k, 3] * frame[i, 1] + R[k, 4] * frame[i, 4] + R[k, 5] * frame[i, 7],
            R[k, 3] * frame[i, 2] + R[k, 4] * frame[i, 5] + R[k, 5] * frame[i, 8],
            R[k, 6] * frame[i, 0] + R[k, 7] * frame[i, 3] + R[k, 8] * frame[i, 6],
            R[k, 6] * frame[i, 1] + R[k, 7] * frame[i, 4] + R[k, 8] * frame[i, 7],
            R[k, 6] * frame[i, 2] + R[k, 7] * frame[i, 5] + R[k, 8] * frame[i, 8],
            at + 3,
            record,
        )
        record[at + 7] = V[k, 3] + vx
        record[at + 8] = V[k, 4] + vy
        record[at + 9] = V[k, 5] + vz
        for axis in range(3):
            record[at + 10 + axis] = V[k, axis]
        at += 13  # width of a body in BLOCKS
    return at


@kernel
def observe_points(plan_shown, gravity, motion, at, record):
    """Position, velocity and acceleration of every named point. Writes record."""
    R, p, V, A, p_WO = motion.R_WL, motion.p_OL, motion.V_WL, motion.A_WL, motion.p_WO
    for i in range(plan_shown.point_link.shape[0]):
        k = plan_shown.point_link[i]
        x, y, z = plan_shown.point_place[i, 0], plan_shown.point_place[i, 1], plan_shown.point_place[i, 2]
        px = p[k, 0] + R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
        py = p[k, 1] + R[k, 3] * x + R[k, 4] * y + R[k, 5] * z
        pz = p[k, 2] + R[k, 6] * x + R[k, 7] * y + R[k, 8] * z
        wx, wy, wz = V[k, 0], V[k, 1], V[k, 2]
        vx, vy, vz = cross(wx, wy, wz, px, py, pz)
        vx += V[k, 3]
        vy += V[k, 4]
        vz += V[k, 5]
        # a = a_O + α×p + ω×ṗ with a_O the rate of the spatial velocity
        ax, ay, az = cross(A[k, 0], A[k, 1], A[k, 2], px, py, pz)
        bx, by, bz = cross(wx, wy, wz, vx, vy, vz)
        record[at] = px + p_WO[0]
        record[at + 1] = py + p_WO[1]
        record[at + 2] = pz + p_WO[2]
        record[at + 3] = vx
        record[at + 4] = vy
        record[at + 5] = vz
        record[at + 6] = A[k, 3] + ax + bx + gravity[0]
        record[at + 7] = A[k, 4] + ay + by + gravity[1]
        record[at + 8] = A[k, 5] + az + bz + gravity[2]
        at += 9  # width of a point in BLOCKS
    return at


@kernel
def observe_drivers(plan_rows, rows, multiplier, at, record):
    """Value, rate and force of every driver; return the next column. Writes record."""
    for d in range(plan_rows.driven.shape[0]):
        record[at] = rows.target[d, 0]
        record[at + 1] = rows.target[d, 1]
        record[at + 2] = -multiplier[plan_rows.driven[d]] * pull(plan_rows, rows, d)
        at += 3  # width of a driver in BLOCKS
    return at


@kernel
def observe(plan, work, record):
    """Fill one line of the record after an evaluation; overwrites what is scratch in motion. Writes work, record."""
    state, motion = work.state, work.motion
    full_accelerations(plan.links.index, work.system.v_dot, motion)
    at = copy(state.time, 0, record)
    at = copy(state.q, at, record)
    at = copy(state.v, at, record)
    at = copy(work.system.v_dot, at, record)
    at = copy(state.x, at, record)
    at = copy(state.u, at, record)
    at = copy(state.z, at, record)
    at = observe_bodies(plan.shown, motion, at, record)
    at = observe_points(plan.shown, plan.links.gravity, motion, at, record)
    at = copy(work.rows.s, at, record)
    at = copy(work.rows.w, at, record)
    at = copy(work.rows.force, at, record)
    at = copy(work.system.multiplier, at, record)
    at = observe_drivers(plan.rows, work.rows, work.system.multiplier, at, record)
    put_forces_of_rows(plan.rows, work.system.multiplier, work.rows)
    touching, rolling = plan.touch.index.shape[0] > 0, plan.tire.index.shape[0] > 0
    body_wrenches(plan.reactions.inertia, plan.shown.body_link, motion)
    carrying = plan.payload.index.shape[0] > 0
    if carrying:
        payload.add_to_bodies(plan.payload, motion, work.payload)
    if touching:
        take_from_bodies(plan.touch.index, contact.BODY, work.touch.wrench, motion.body_wrench)
    if rolling:
        take_from_bodies(plan.tire.index, tire.BODY, work.tire.wrench, motion.body_wrench)
    if plan.pairs.index.shape[0] > 0:
        pairs.take_from_bodies(plan.pairs, work.pairs, motion.body_wrench)
    at = reactions(plan.reactions, work.rows, work.system.multiplier, motion, at, record)
    at = copy(work.oil.p, at, record)
    at = copy(work.oil.V, at, record)
    at = copy(work.oil.Q, at, record)
    at = observe_readings(plan.oil, state.u, state.x, work.rows.w, work.oil, at, record)
    stored_energies(plan.oil, work.state.x, work.oil)
    at = copy(work.oil.energy, at, record)
    kinetic, potential = energies(plan.links, state.v, motion)
    record[at] = kinetic
    record[at + 1] = potential
    if carrying:
        kinetic, potential = payload.energies(plan.payload, plan.links.gravity, motion, work.payload)
        record[at] += kinetic
        record[at + 1] += potential
    elastic = at + 2
    record[elastic] = elastic_energies(plan.forces, state.u, state.x, state.z, work.rows)
    record[elastic] += bounded_limits.elastic_energies(plan, work.rows)
    at = copy(work.rows.stored, at + 3, record)
    at = copy(state.energy, at, record)
    if carrying:
        at = payload.observe_oil(plan.payload, work.payload, at, record)
    if touching:
        contact.observe(plan, work, at, elastic, record)
        at += contact.WIDTH * plan.touch.index.shape[0]
    if rolling:
        tire.observe(plan, work, at, elastic, record)
        at += tire.WIDTH * plan.tire.index.shape[0]
    if plan.pairs.index.shape[0] > 0:
        pairs.observe(plan, work, at, elastic, record)
        at += contact.WIDTH * plan.pairs.index.shape[0]
    exchange = state.exchange
    for i in range(min(EXCHANGED, exchange.shape[0])):
        record[at + i] = exchange[exchange.shape[0] - EXCHANGED + i]
    at += min(EXCHANGED, exchange.shape[0])
    for c in range(state.pressing.shape[0] // bounded.KEPT):
        record[at + c] = state.pressing[bounded.KEPT * c + bounded.STRUCK]
