# SPDX-License-Identifier: BSD-3-Clause
"""End stops and dry friction of rows by bounded impulses: their rows, and what is recorded of them.

    stop        P ≥ 0 at either end, as a point of contact: k as given, e that of the law of forces at the speed now
    friction    |P| ≤ h F,  F = F_c + F_b exp(−(w/w_b)²) at the start of the step; where it holds w⁺ = 0

Meetings are numbered after pairs of bodies, two rows each at most: the lower end or friction, the upper end. In the
plan of such a machine these elements have no stiffness and no dry friction of their own (plan/impulses.py), so that
elements/stop.py and friction.py give nothing but what is viscous. What a stop's spring stores is added to the record
here. Ropes are no limits. Validated by: validation/analytic/test_timestepping_limits.py
"""

import math

from knuckleboom.apart import apart_kernel
from knuckleboom.interface import bounded
from knuckleboom.interface.contact import vector
from knuckleboom.interface.contract import ROW
from knuckleboom.interface.elements import stop
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.solvers.bounded_rows import BOUNDED

STOP, FRICTION = 0, 1
"""Kinds of plan.touch.limit."""
ELEMENT, KIND = 0, 1
"""Its columns: element of plan.forces, kind."""
STIFFNESS, DAMPING = 0, 1
COULOMB, EXTRA, STRIBECK = 0, 1, 2
"""Columns of plan.touch.limit_number, of a stop and of friction."""
LOWER, UPPER = 0, 1
"""Columns of plan.forces.number of a stop."""
HALVINGS = 40


@kernel
def rebound(x):
    """Return e of c v = x: x (1 + e) = ln((1 + x)/(1 − e x))."""
    if x <= 0.0:
        return 1.0
    low, high = 0.0, min(1.0, 1.0 / x)
    for _ in range(HALVINGS):
        e = 0.5 * (low + high)
        if e * x < 1.0 and math.log1p(x) - math.log1p(-e * x) < x * (1.0 + e):
            low = e
        else:
            high = e
    return low


@kernel
def number_of(plan, k):
    """Number of the meeting of limit k."""
    return plan.touch.index.shape[0] + plan.pairs.index.shape[0] + k


@kernel
def gap_of(plan, k, upper, rows):
    """Gap of an end of stop k, ∞ where there is none, and its rate."""
    i = plan.touch.limit[k, ELEMENT]
    r = plan.forces.index[i, ROW]
    if upper:
        return plan.forces.number[i, UPPER] - rows.s[r], -rows.w[r]
    return rows.s[r] - plan.forces.number[i, LOWER], rows.w[r]


@shared_kernel
def has_impacts(plan, h, rows):
    """Whether an end stop is reached within a step of h [s] fast enough for an impact."""
    found = False
    for k in range(plan.touch.limit.shape[0]):
        if plan.touch.limit[k, KIND] == STOP:
            for upper in range(2):
                gap, rate = gap_of(plan, k, upper == 1, rows)
                found = found or bounded.strikes(gap, rate, h)
    return found


@kernel
def fill_row(plan, k, side, work):
    """Fill the entries of the row of limit k, in its direction or against it. Writes work.impulse."""
    W, row = work.rows.W, plan.forces.index[plan.touch.limit[k, ELEMENT], ROW]
    m, f, r = vector(W, row, 0), vector(W, row, 3), work.impulse.count[0]
    bounded.fill_entries(plan.impulse, number_of(plan, k), f, m, work.motion.S, work.impulse, r)
    for e in range(work.impulse.entry.shape[1]):
        work.impulse.entry[r, e] *= side
    bounded.keep_vector((side, 0.0, 0.0), r, 0, work.impulse.direction)


@kernel
def add_stop(plan, h, phase, k, upper, mode_at, v, work):
    """Add the row of an end of stop k, if it is or may be reached. Writes work."""
    impulse, number = work.impulse, plan.touch.limit_number
    gap, rate = gap_of(plan, k, upper, work.rows)
    if not gap < math.inf:
        return
    fill_row(plan, k, -1.0 if upper else 1.0, work)
    fastest = min(rate, bounded.along_row(plan.impulse, impulse, impulse.count[0], v))
    if gap > 0.0 and gap + bounded.FAR * h * fastest >= 0.0:
        return
    r = bounded.finish_row(plan, BOUNDED, mode_at, phase, work)
    work.bounded.lower[r], work.bounded.upper[r] = 0.0, math.inf
    impulse.gap[r], impulse.stiffness[r], impulse.restitution[r] = gap, number[k, STIFFNESS], bounded.NONE
    if bounded.strikes(gap, rate, h):
        impulse.restitution[r] = rebound(-number[k, DAMPING] * rate)


@kernel
def add_friction(plan, h, phase, k, mode_at, work):
    """Add the row of friction k. Writes work."""
    impulse, number = work.impulse, plan.touch.limit_number
    fill_row(plan, k, 1.0, work)
    r = bounded.finish_row(plan, BOUNDED, mode_at, phase, work)
    slip = impulse.rate[r] / number[k, STRIBECK]
    most = h * (number[k, COULOMB] + number[k, EXTRA] * math.exp(-slip * slip))
    work.bounded.lower[r], work.bounded.upper[r] = -most, most
    impulse.gap[r], impulse.stiffness[r], impulse.restitution[r] = 0.0, 0.0, bounded.NONE


@shared_kernel
def collect(plan, h, phase, v, work):
    """Add the rows of all stops that are or may be reached in a step of h [s] that would end with velocities v, and of
    friction. Writes work.
    """
    own = work.state.active.shape[0] - bounded.MODES * work.impulse.struck.shape[0]
    for k in range(plan.touch.limit.shape[0]):
        at = own + bounded.MODES * number_of(plan, k)
        if plan.touch.limit[k, KIND] == STOP:
            add_stop(plan, h, phase, k, False, at, v, work)
            add_stop(plan, h, phase, k, True, at + 1, v, work)
        elif phase == bounded.STEP:
            add_friction(plan, h, phase, k, at, work)


@apart_kernel
def hold(plan, work):
    """Let the mean forces of the last step act. Writes work.rows."""
    for k in range(plan.touch.limit.shape[0]):
        r = plan.forces.index[plan.touch.limit[k, ELEMENT], ROW]
        work.rows.force[r] += work.state.pressing[bounded.KEPT * number_of(plan, k) + bounded.PRESS]


@kernel
def elastic_energies(plan, rows):
    """Fill the energy stored in each end stop by impulses [J] and return the sum. Writes rows.stored."""
    total = 0.0
    for k in range(plan.touch.limit.shape[0]):
        if plan.touch.limit[k, KIND] == STOP:
            i = plan.touch.limit[k, ELEMENT]
            lower, upper = plan.forces.number[i, LOWER], plan.forces.number[i, UPPER]
            s = rows.s[plan.forces.index[i, ROW]]
            rows.stored[i] = stop.stored(s, lower, upper, plan.touch.limit_number[k, STIFFNESS])
            total += rows.stored[i]
    return total
