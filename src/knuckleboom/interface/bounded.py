# SPDX-License-Identifier: BSD-3-Clause
"""Contact by bounded impulses: the rows, what they require of a step, and what their impulses do.

    normal      P ≥ 0,  w⁺ + C P + d ≥ 0,  one of them 0          friction   |P_t| ≤ μ P,  w_t⁺ = 0 or against P_t
    in a step   C = 1/(k h² + c h),  d = k h s C,  c = 2 √(k m),  1/m = A K⁻¹ Aᵀ of the row;  an open gap: c = 0
    an impact   C = 1e-9 Y,  d = e w⁻   of a point that closes in this step faster than IMPACT

A meeting is a contact with the ground (bounded_ground.py), a pair of bodies (bounded_pairs.py), or a stop or dry
friction of a row (bounded_limits.py), which has no link. Points, normals and
gaps s are those of interface/contact.py and pairs.py, and so are stiffness k, coefficient and restitution e:
one row, two laws. The bounded one is the implicit Euler rule of the spring k, critically damped, so that a machine
stands as deep as with the smooth one and a position error returns without gaining energy; k h² ≫ m is a rigid row. A
meeting has one patch of friction, bounded by μ Σ P of its points, μ that of the slip before the step: a cone of two
rows at their centre, weighed by depth, and a row of spin at their mean arm, with the same bound for itself. Y = A K⁻¹
Aᵀ comes from half solves with the factor that stands in L, as in row_space.py. Modes, and sums for the record, are in
state.active and state.pressing. docs/theory/timestepping.md
Validated by: validation/analytic/test_timestepping.py
"""

import math

import numpy as np

from knuckleboom.geometry.plane import cross_of
from knuckleboom.interface.contact import ROWS, keep_vector, vector
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.solvers.bounded_rows import BOUNDED, CONE, CONE_SIDE, PYRAMID
from knuckleboom.solvers.vectors import fill

IMPACT = 0.05
"""m/s: what arrives slower is no impact."""
NONE = -1.0
"""The restitution of a point that has no impact."""
TIED = 1e-9
"""Compliance of rows that have none of their own, over their Y: points that are redundant share an impulse."""
YIELDING = 1e-5
"""The same of friction of patches: two that hold one body nearly contradict each other where it tilts by µm."""
FAR = 2.0
"""Points that would touch within this many steps have rows."""
PRESS, RUB, MOMENT, WEIGHT, STRUCK = 0, 3, 6, 9, 10
"""Columns of a meeting in state.pressing."""
KEPT = 11
"""Their number."""
MODES = 2
"""Numbers of a meeting in state.active, after those of all points: modes of its cone and of spin."""
STEP, BLOW = 0, 1
"""What rows are for: a step, or the impacts at its start."""


@kernel
def strikes(gap, rate, h):
    """Whether a point is open and would be closed after h [s], faster than IMPACT."""
    return gap >= 0.0 and rate < -IMPACT and gap + h * rate < 0.0


@kernel
def coefficient(coulomb, breakaway, stribeck, slip):
    """Coefficient of friction at a slip."""
    return coulomb + (breakaway - coulomb) * math.exp(-((slip / stribeck) ** 2))


# --- rows ---


@kernel
def fill_entries(plan_impulse, met, f, m, S, impulse, r):
    """Fill the entries of row r of a meeting with a force along f and its moment m at O. Writes impulse."""
    impulse.met[r] = met
    keep_vector(f, r, 0, impulse.direction)
    keep_vector(m, r, 0, impulse.moment)
    first = plan_impulse.way_first[met]
    for e in range(first, plan_impulse.way_first[met + 1]):
        j = plan_impulse.way_screw[e]
        value = S[j, 0] * m[0] + S[j, 1] * m[1] + S[j, 2] * m[2] + S[j, 3] * f[0] + S[j, 4] * f[1] + S[j, 5] * f[2]
        # a row of a coordinate has no screw
        sign = plan_impulse.way_sign[e]
        impulse.entry[r, e - first] = sign * value if sign != 0.0 else 1.0


@kernel
def along_row(plan_impulse, impulse, r, values):
    """A values of row r."""
    met, total = impulse.met[r], 0.0
    first = plan_impulse.way_first[met]
    for e in range(first, plan_impulse.way_first[met + 1]):
        total += impulse.entry[r, e - first] * values[plan_impulse.way_dof[e]]
    return total


@shared_kernel
def half_solve(plan, met, entry, L, z):
    """z = L⁻¹ Aᵀ of a row of a meeting. Writes z."""
    plan_system, plan_impulse = plan.system, plan.impulse
    fill(0.0, z)
    first = plan_impulse.way_first[met]
    for e in range(first, plan_impulse.way_first[met + 1]):
        z[plan_system.velocity_slot[plan_impulse.way_dof[e]]] += entry[e - first]
    for place in range(plan_impulse.slot_first[met], plan_impulse.slot_first[met + 1]):
        slot = plan_impulse.slot[place]
        s, value = np.uintp(plan_system.slot_start[slot]), z[slot]
        for m in range(np.uintp(plan_system.slot_depth[slot])):
            z[plan_system.slot_ancestor[s + m]] -= L[s + m] * value


@kernel
def finish_row(plan, kind, mode_at, phase, work):
    """Count the row whose entries were filled last. Return its number. Writes work."""
    impulse, bounded = work.impulse, work.bounded
    r = impulse.count[0]
    impulse.count[0] = r + 1
    bounded.kind[r], bounded.leader[r], bounded.more[r], impulse.mode_at[r] = kind, -1, 0, mode_at
    impulse.rate[r] = along_row(plan.impulse, impulse, r, work.state.v)
    impulse.mode[r] = int(work.state.active[mode_at]) if mode_at >= 0 and phase == STEP else 0
    half_solve(plan, impulse.met[r], impulse.entry[r], work.system.L, impulse.half[r])
    return r


@shared_kernel
def add_point(plan, h, phase, met, p, n, gap, stiffness, restitution, mode_at, v, work):
    """Add the normal row of a point of a meeting, if it touches or may in a step of h [s] that would end with
    velocities v. Writes work.
    """
    impulse, bounded = work.impulse, work.bounded
    r = impulse.count[0]
    fill_entries(plan.impulse, met, n, cross_of(p, n), work.motion.S, impulse, r)
    rate = along_row(plan.impulse, impulse, r, work.state.v)
    fastest = min(rate, along_row(plan.impulse, impulse, r, v))
    if gap > 0.0 and gap + FAR * h * fastest >= 0.0:
        return
    finish_row(plan, BOUNDED, mode_at, phase, work)
    bounded.lower[r], bounded.upper[r] = 0.0, math.inf
    impulse.gap[r], impulse.stiffness[r] = gap, stiffness
    impulse.restitution[r] = restitution if strikes(gap, rate, h) else NONE
    keep_vector(p, r, 0, impulse.place)


@kernel
def weight_of(impulse, r, deepest):
    """Weight of a point by its depth, or alike where nothing overlaps yet."""
    return impulse.stiffness[r] * max(-impulse.gap[r], 0.0) if deepest > 0.0 else 1.0


@shared_kernel
def add_friction(plan, phase, met, first, axes, law, mode_at, work):
    """Add friction of a meeting, whose points are the rows from `first` on: two directions and spin. `axes` are the
    normal and these, `law` factor, coefficients sliding and at rest, Stribeck speed and least arm. Writes work.
    """
    impulse, bounded, S = work.impulse, work.bounded, work.motion.S
    n, along, across = axes
    share, coulomb, breakaway, stribeck, least = law
    last, deepest, total, x, y, z, arm = impulse.count[0], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for r in range(first, last):
        deepest = max(deepest, -impulse.gap[r])
    for r in range(first, last):
        weight = weight_of(impulse, r, deepest)
        total += weight
        x += weight * impulse.place[r, 0]
        y += weight * impulse.place[r, 1]
        z += weight * impulse.place[r, 2]
    x, y, z = x / total, y / total, z / total
    for r in range(first, last):
        dx, dy, dz = impulse.place[r, 0] - x, impulse.place[r, 1] - y, impulse.place[r, 2] - z
        arm += weight_of(impulse, r, deepest) / total * math.sqrt(least * least + dx * dx + dy * dy + dz * dz)
    fill_entries(plan.impulse, met, along, cross_of((x, y, z), along), S, impulse, last)
    finish_row(plan, CONE, mode_at, phase, work)
    fill_entries(plan.impulse, met, across, cross_of((x, y, z), across), S, impulse, last + 1)
    finish_row(plan, CONE_SIDE, -1, phase, work)
    fill_entries(plan.impulse, met, (0.0, 0.0, 0.0), (arm * n[0], arm * n[1], arm * n[2]), S, impulse, last + 2)
    finish_row(plan, PYRAMID, mode_at + 1, phase, work)
    slip = math.hypot(impulse.rate[last], impulse.rate[last + 1])
    for r in range(last, last + ROWS):
        bounded.leader[r], bounded.more[r] = first, last - first - 1
        bounded.friction[r] = share * coefficient(coulomb, breakaway, stribeck, slip)


@shared_kernel
def fill_matrix(plan, work):
    """Fill Y of the rows. Writes work.bounded."""
    plan_system, plan_impulse, impulse, A = plan.system, plan.impulse, work.impulse, work.bounded.A
    half, L = impulse.half, work.system.L
    for r in range(impulse.count[0]):
        met = impulse.met[r]
        for s in range(r + 1):
            total = 0.0
            for place in range(plan_impulse.slot_first[met], plan_impulse.slot_first[met + 1]):
                slot = plan_impulse.slot[place]
                pivot = L[np.uintp(plan_system.slot_start[slot]) + np.uintp(plan_system.slot_depth[slot])]
                total += half[r, slot] * half[s, slot] / pivot
            A[r, s] = total
            A[s, r] = total


@shared_kernel
def require_step(plan, h, v, work):
    """Fill what a step of h [s] requires that would end with velocities v: rates without impulses, compliances, and
    the return of gaps. Writes work.
    """
    impulse, bounded = work.impulse, work.bounded
    for r in range(impulse.count[0]):
        bounded.b[r], own = along_row(plan.impulse, impulse, r, v), bounded.A[r, r]
        if bounded.kind[r] != BOUNDED or impulse.stiffness[r] == 0.0:
            bounded.A[r, r] = own * (1.0 + (TIED if bounded.kind[r] == BOUNDED else YIELDING))
            continue
        gap, k = impulse.gap[r], impulse.stiffness[r]
        damping = 2.0 * math.sqrt(k / own) if gap < 0.0 and own > 0.0 else 0.0
        compliance = 1.0 / (k * h * h + damping * h)
        bounded.A[r, r] += compliance
        bounded.b[r] += k * h * gap * compliance


@shared_kernel
def require_blow(restituted, work):
    """The same of impacts, with Newton's restitution times a factor; what touches otherwise is not to close faster.
    Writes work.
    """
    impulse, bounded = work.impulse, work.bounded
    for r in range(impulse.count[0]):
        rate = impulse.rate[r]
        bounded.b[r] = rate
        bounded.A[r, r] *= 1.0 + TIED
        if bounded.kind[r] == BOUNDED:
            e = restituted * impulse.restitution[r]
            bounded.b[r] -= min(rate, 0.0) if impulse.restitution[r] == NONE else -e * rate


@kernel
def soften(share, work):
    """Let friction of patches yield by a share of its Y, and forget the modes. Writes work."""
    impulse, bounded = work.impulse, work.bounded
    for r in range(impulse.count[0]):
        impulse.mode[r] = 0
        if bounded.kind[r] != BOUNDED:
            bounded.A[r, r] *= 1.0 + share


@shared_kernel
def change_velocities(plan, work, solution):
    """Changes of velocities and multipliers by the impulses, in elimination order. Writes solution."""
    plan_system, plan_impulse, impulse, P, L = plan.system, plan.impulse, work.impulse, work.bounded.P, work.system.L
    fill(0.0, solution)
    for r in range(impulse.count[0]):
        met = impulse.met[r]
        for place in range(plan_impulse.slot_first[met], plan_impulse.slot_first[met + 1]):
            slot = plan_impulse.slot[place]
            solution[slot] += impulse.half[r, slot] * P[r]
    for slot in range(solution.shape[0]):
        s, n = np.uintp(plan_system.slot_start[slot]), np.uintp(plan_system.slot_depth[slot])
        value = solution[slot] / L[s + n]
        for m in range(n):
            value -= L[s + m] * solution[plan_system.slot_ancestor[s + m]]
        solution[slot] = value


# --- what is kept ---


@kernel
def clear(impulse):
    """Nothing has happened in this step yet. Writes impulse."""
    fill(0.0, impulse.struck)
    fill(0.0, impulse.jump)
    for met in range(impulse.work.shape[0]):
        impulse.work[met, 0] = impulse.work[met, 1] = 0.0


@shared_kernel
def add_work(plan, before, after, work):
    """Add the work of the impulses, P (w⁻ + w⁺)/2, from velocities before and after. Writes work.impulse."""
    impulse, bounded = work.impulse, work.bounded
    for r in range(impulse.count[0]):
        mean = 0.5 * (along_row(plan.impulse, impulse, r, before) + along_row(plan.impulse, impulse, r, after))
        which = 0 if bounded.kind[r] == BOUNDED else 1
        impulse.work[impulse.met[r], which] += bounded.P[r] * mean


@shared_kernel
def keep_step(plan, h, work):
    """Keep the mean forces and the modes of a step of h [s]. Writes work.state."""
    impulse, bounded, motion, active = work.impulse, work.bounded, work.motion, work.state.active
    pressing = work.state.pressing
    for met in range(impulse.struck.shape[0]):
        for k in range(STRUCK):
            pressing[KEPT * met + k] = 0.0
    fill(0.0, active)
    for r in range(impulse.count[0]):
        met, share = impulse.met[r], bounded.P[r] / h
        at, link, normal = KEPT * met, plan.impulse.link[met], bounded.kind[r] == BOUNDED
        f, m = vector(impulse.direction, r, 0), vector(impulse.moment, r, 0)
        lever = cross_of(vector(motion.p_OL, max(link, 0), 0), f)
        for k in range(3):
            pressing[at + (PRESS if normal else RUB) + k] += share * f[k]
            pressing[at + MOMENT + k] += share * (m[k] - lever[k])
        if normal:
            pressing[at + WEIGHT] += share
        if impulse.mode_at[r] >= 0:
            active[impulse.mode_at[r]] = impulse.mode[r]


@kernel
def add_energies(plan_impulse, impulse, energy, pressing):
    """Add works and impulses of the step to those so far. Writes energy, pressing."""
    for met in range(impulse.struck.shape[0]):
        energy[plan_impulse.power[met]] += impulse.work[met, 0]
        if plan_impulse.link[met] >= 0:
            energy[plan_impulse.power[met] + 1] += impulse.work[met, 1]
        pressing[KEPT * met + STRUCK] += impulse.struck[met]


@kernel
def held_wrench(met, origin, pressing, line, wrench):
    """The wrench at O of a meeting that presses on a link as in the last step; return its friction. Writes wrench."""
    at = KEPT * met
    press = pressing[at + PRESS], pressing[at + PRESS + 1], pressing[at + PRESS + 2]
    rub = pressing[at + RUB], pressing[at + RUB + 1], pressing[at + RUB + 2]
    force = press[0] + rub[0], press[1] + rub[1], press[2] + rub[2]
    turned = cross_of(origin, force)
    for k in range(3):
        wrench[line, k] = pressing[at + MOMENT + k] + turned[k]
        wrench[line, 3 + k] = force[k]
    return rub
