# SPDX-License-Identifier: BSD-3-Clause
"""Time stepping: steps of velocities by impulses, contact by rows with bounds instead of forces.

    impacts     M (v° − v) = Aᵀ P°,   w° ≥ −e w⁻ of what reaches the ground within the step, 0 ≤ P°
    step        K (v⁺ − v°) = h f + Aᵀ P + Φᵀ Λ,   w⁺ + C P + d ≥ 0, 0 ≤ P,   q⁺ = q ⊕ h v⁺

K has the slopes of oil, springs, friction, tires and stops, as in linearly_implicit.py, whose first stage the step is
(tableau of engine/integrators/moreau.py); loops and drivers are held rows, eliminated inside the factor. Rows with
bounds come last: interface/bounded.py makes them in the space of the rows, a solver of solvers/ finds P. Impacts are at
the start of the step, with M alone, so that what they lose is −½ P (w⁻ + w⁺); a step without any costs no more for
them. Where Newton's law would gain energy (several impacts with friction), restitution is less. A row that does not
settle makes the step one of two parts, up to PARTS. docs/theory/timestepping.md
Validated by: validation/analytic/test_timestepping.py
"""

import math

from knuckleboom.engine import linearly_implicit as smooth
from knuckleboom.engine.control import hold_at
from knuckleboom.engine.evaluate import flow
from knuckleboom.engine.motion import aim
from knuckleboom.hydraulics import stages as hydraulics
from knuckleboom.interface import bounded as rows
from knuckleboom.interface import bounded_ground, bounded_limits, bounded_pairs, forces, pairs, tire
from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.layout import OK, SINGULAR, UNSETTLED
from knuckleboom.mechanics import accelerations
from knuckleboom.mechanics import stages as mechanics
from knuckleboom.mechanics.stages import SYSTEM
from knuckleboom.solvers import active_set, lemke, projected
from knuckleboom.solvers.vectors import add_scaled, fill

ACTIVE_SET, LEMKE, PROJECTED = 0, 1, 2
SOLVERS = {"active-set": ACTIVE_SET, "lemke": LEMKE, "projected": PROJECTED}
"""What finds impulses, in plan.impulse.solver."""
SOFT, SOFTER = 1e-3, 10.0
"""Compliance of friction, over its Y, with which rows are tried again that do not settle; from try to try."""
YIELDED, LESS, SO_FAR = 0, 1, 2
"""What impulse.eased has of a step, friction that yielded and restitution that was less, and where its counts begin."""
MOST_PARTS = 8
"""In how many parts a step is made at most whose rows do not settle."""


@shared_kernel
def evaluate_smooth(plan, work):
    """Everything but contact, with the mass matrix and the loops in L; what touches is found. Return a status. Writes
    work.
    """
    mechanics.position(plan, work)
    mechanics.velocity(plan, work, SYSTEM)
    status = flow(plan, work)
    if status != OK:
        return status
    forces.forces(
        plan.forces, work.state.u, work.state.x, work.state.z, work.oil, work.rows, work.oil.power
    )  # fmt: skip
    hydraulics.power(plan, work)
    mechanics.effort(plan, work)
    if plan.touch.index.shape[0] > 0:
        bounded_ground.find(plan, work)
    if plan.tire.index.shape[0] > 0:
        tire.act(plan, work)
    if plan.pairs.index.shape[0] > 0:
        bounded_pairs.find(plan, work)
    mechanics.inertia(plan, work, SYSTEM)
    return OK


@kernel
def has_impacts(plan, h, work):
    """Whether something closes within a step of h [s] fast enough for an impact."""
    if plan.touch.index.shape[0] > 0 and bounded_ground.has_impacts(h, work.touch):
        return True
    if plan.pairs.index.shape[0] > 0 and bounded_pairs.has_impacts(plan.pairs, h, work.pairs):
        return True
    return bounded_limits.has_impacts(plan, h, work.rows)


@shared_kernel
def collect(plan, h, phase, v, work):
    """Make the rows of a step of h [s] that would end with velocities v, and Y. Writes work."""
    work.impulse.count[0] = 0
    if plan.touch.index.shape[0] > 0:
        bounded_ground.collect(plan, h, phase, v, work)
    if plan.pairs.index.shape[0] > 0:
        bounded_pairs.collect(plan, h, phase, v, work)
    bounded_limits.collect(plan, h, phase, v, work)
    rows.fill_matrix(plan, work)


@shared_kernel
def find_impulses(plan, work):
    """Find the impulses by the solver of the plan. Return −1, or the row that would not settle. Writes work."""
    count, bounded, modes, solver = work.impulse.count[0], work.bounded, work.impulse.mode, plan.impulse.solver[0]
    if solver == ACTIVE_SET:
        row = active_set.solve(count, bounded, modes)
    elif solver == LEMKE:
        row = lemke.solve(count, bounded, modes)
    else:
        row = projected.solve(count, bounded, modes)
    return row


@kernel
def settle(plan, work):
    """Find the impulses of the rows, in need with friction that yields in this step. Return a status, fault has the
    meeting of a row that did not settle. Writes work.
    """
    row, softness = find_impulses(plan, work), SOFT
    while row >= 0 and softness < 1.0:
        rows.soften(softness, work)
        row = find_impulses(plan, work)
        softness *= SOFTER
    if row < 0:
        work.impulse.eased[YIELDED] = max(work.impulse.eased[YIELDED], 1.0 if softness > SOFT else 0.0)
        return OK
    work.state.fault[0] = work.impulse.met[row]
    return UNSETTLED


@kernel
def gain_of(work):
    """Kinetic energy that the impulses of the rows would add: P w⁻ + P A P/2. The rate before stands in impulse.rate.
    """
    impulse, bounded, total = work.impulse, work.bounded, 0.0
    for r in range(impulse.count[0]):
        change = 0.0
        for s in range(impulse.count[0]):
            change += bounded.A[r, s] * bounded.P[s]
        total += bounded.P[r] * (impulse.rate[r] + 0.5 * change)
    return total


@kernel
def without_gain(none, whole, twice):
    """The largest part of restitution that gains nothing, from the gains with none, all of it, and what is quadratic.
    """
    linear = whole - none - twice
    if twice <= 0.0:
        return 0.0
    half = 0.5 * linear / twice
    return min(max(math.sqrt(max(half * half - none / twice, 0.0)) - half, 0.0), 1.0)


@shared_kernel
def find_blow(plan, h, restituted, work):
    """Impulses of the impacts, with Newton's restitution or none. Return a status. Writes work."""
    collect(plan, h, rows.BLOW, work.state.v, work)
    rows.require_blow(restituted, work)
    return settle(plan, work)


@shared_kernel
def strike(plan, h, work):
    """The impacts at the start of a step: with M and the loops in L, change the velocities. Return a status. Writes
    work.
    """
    impulse, bounded, state = work.impulse, work.bounded, work.state
    bad = accelerations.factor_sparse(plan.system, work.system)
    if bad >= 0:
        state.fault[0] = bad
        return SINGULAR
    status = find_blow(plan, h, 1.0, work)
    if status != OK:
        return status
    gain = gain_of(work)
    if gain > 0.0:
        for r in range(impulse.count[0]):
            impulse.other[r] = bounded.P[r]
        status = find_blow(plan, h, 0.0, work)
        if status != OK:
            return status
        none = gain_of(work)
        for r in range(impulse.count[0]):
            impulse.other[r], bounded.P[r] = bounded.P[r], impulse.other[r] - bounded.P[r]
        twice = 0.0
        for r in range(impulse.count[0]):
            for s in range(impulse.count[0]):
                twice += 0.5 * bounded.P[r] * bounded.A[r, s] * bounded.P[s]
        share = without_gain(none, gain, twice)
        impulse.eased[LESS] = 1.0
        for r in range(impulse.count[0]):
            bounded.P[r] = impulse.other[r] + share * bounded.P[r]
    rows.change_velocities(plan, work, impulse.solution)
    for j in range(state.v.shape[0]):
        impulse.jump[j] = impulse.solution[plan.system.velocity_slot[j]]
        state.v[j] += impulse.jump[j]
    rows.add_work(plan, work.stage.v0, state.v, work)
    for r in range(impulse.count[0]):
        if bounded.kind[r] == rows.BOUNDED:
            impulse.struck[impulse.met[r]] += bounded.P[r]
    return OK


@kernel
def begin_step(plan, h, work):
    """Evaluate a step of h [s] at its start, with the impacts there. Return a status. Writes work."""
    status = evaluate_smooth(plan, work)
    if status != OK:
        return status
    rows.clear(work.impulse)
    if not has_impacts(plan, h, work):
        return OK
    status = strike(plan, h, work)
    if status != OK:
        return status
    return evaluate_smooth(plan, work)


@shared_kernel
def touch(plan, h, work):
    """Add what the impulses of a step of h [s] do to its increments. Return a status. Writes work."""
    impulse, tableau, v = work.impulse, work.tableau, work.state.v
    u_q, u_v = tableau.u_q[0], tableau.u_v[0]
    end = tableau.rate_q[1]  # scratch: of a second stage, which there is not
    add_scaled(v, 1.0, u_v, end)
    collect(plan, h, rows.STEP, end, work)
    if impulse.count[0] > 0:
        rows.require_step(plan, h, end, work)
        status = settle(plan, work)
        if status != OK:
            return status
        rows.change_velocities(plan, work, impulse.solution)
        for j in range(u_v.shape[0]):
            change = impulse.solution[plan.system.velocity_slot[j]]
            u_v[j] += change
            u_q[j] += h * change
            end[j] += change
        for r in range(work.system.multiplier.shape[0]):
            work.system.multiplier[r] += impulse.solution[plan.system.loop_slot[r]] / h
        rows.add_work(plan, v, end, work)
    rows.keep_step(plan, h, work)
    return OK


# --- what the run loop asks for ---


@kernel
def begin(plan, work, due):
    """Nothing is carried over; counts of the step begin. Return a status. Writes work.tableau."""
    return smooth.begin(plan, work, due)


@kernel
def step(plan, work, schedule, k, part, parts):
    """One of so many equal parts of step k. Return a status. Writes work."""
    state, tableau, given, whole = work.state, work.tableau, schedule.inputs[k], schedule.sizes[k]
    h, touching = whole / parts, work.impulse.struck.shape[0] > 0
    aim(part / parts, whole, schedule.motions[k], schedule.motions[k + 1], work.rows.target)
    hold_at((part + plan.tableau.input[0]) / parts, given, state.u, state.signal)
    fill(0.0, work.stage.u_q)
    if part == 0:
        work.impulse.eased[YIELDED] = work.impulse.eased[LESS] = 0.0
    # what meets is looked for as far as the step goes
    work.pairs.mode[pairs.STEP] = h
    status = begin_step(plan, h, work)
    work.pairs.mode[pairs.STEP] = 0.0
    if status != OK:
        return status
    smooth.keep_rates(
        plan.links, 0, work.stage, state, work.system, work.oil.x_dot, work.oil.power, tableau
    )  # fmt: skip
    fill(0.0, tableau.doubt)
    for i in range(tableau.row_s0.shape[0]):
        tableau.row_s0[i] = work.rows.s[plan.tangent.row[i]]
    rough = smooth.is_rough(plan, work, h)
    tableau.rough[0] = 1.0 if rough else 0.0
    smooth.add_tangent(plan, work, h, h, rough)
    bad = accelerations.factor_sparse(plan.system, work.system)
    if bad >= 0:
        state.fault[0] = bad
        return SINGULAR
    smooth.solve_motion(plan, work, h, 0)
    if touching:
        status = touch(plan, h, work)
        if status != OK:
            return status
    smooth.restore_states(plan, work, h, 0)
    smooth.keep_solution(plan, work, h, 0)
    for j in range(state.v.shape[0]):
        tableau.u_v[0, j] += work.impulse.jump[j] if touching else 0.0
    outcome = smooth.finish(plan, work, whole, part, parts, given)
    if outcome == smooth.HALVE:
        return smooth.IN_HALVES
    if touching:
        rows.add_energies(plan.impulse, work.impulse, state.energy, state.pressing)
    tableau.outcome[0] = max(tableau.outcome[0], outcome)
    return OK


@kernel
def more_parts(status, parts, attempt):
    """Parts of a step whose oil is better made in halves, or whose rows do not settle."""
    if status == UNSETTLED and parts < MOST_PARTS:
        return 2 * parts
    return smooth.more_parts(status, parts, attempt)


@kernel
def carry(plan, work, parts):
    """Count a step that was corrected, made in parts, left though in doubt, or eased. Writes work."""
    smooth.carry(plan, work, parts)
    for k in range(SO_FAR):
        work.impulse.eased[SO_FAR + k] += work.impulse.eased[k]
