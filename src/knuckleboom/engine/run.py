# SPDX-License-Identifier: BSD-3-Clause
"""The compiled calls that Python makes: advance n steps, or fill what assembly and inspection need.

A schedule gives for each step its times, its size, its inputs and the line of the record to fill (−1 none), so that
block size never changes bits and a step can end exactly at a declared jump. Inputs are given at points of the step
(engine/control.py) and taken where the method evaluates, by a linearly implicit one at INPUTS of its file; one that
evaluates once takes them in the middle of the step, so that a ramp is not late. A line is filled from the evaluation
that begins the next step, with the inputs of its time: with RK4 recording costs no evaluation of its own. Where
compiled controllers are due, one evaluation with the inputs held so far comes before that.
"""

import math

from knuckleboom.engine import linearly_implicit, ringing, theta
from knuckleboom.engine.control import append, hold_at, sample, stop_or_ok
from knuckleboom.engine.evaluate import evaluate, evaluate_mechanics
from knuckleboom.engine.integrators import fw2, generalised_alpha, lie, lim, rk4, semi_implicit_euler, trapezoidal
from knuckleboom.engine.motion import aim
from knuckleboom.engine.observe import observe
from knuckleboom.kernels import entry_point, kernel
from knuckleboom.layout import (
    CONTROLLERS,
    CORRECTED_STEPS,
    INTEGRATOR,
    JUMP,
    MOST_ITERATIONS,
    NOT_FINITE,
    OK,
    PARTED_STEPS,
    UNRESOLVED_STEPS,
)
from knuckleboom.mechanics import accelerations, kinematics, natural, rows
from knuckleboom.mechanics.stages import ALL, SYSTEM
from knuckleboom.solvers.vectors import copy

INTEGRATORS = {
    "rk4": rk4,
    "semi-implicit-euler": semi_implicit_euler,
    "fw2": fw2,
    "lim": lim,
    "lie": lie,
    "trapezoidal": trapezoidal,
    "generalised-alpha": generalised_alpha,
}
MIDDLE = 0.5
"""Where in the step a method that evaluates once takes the inputs."""


def points_of(integrator: str) -> int:
    """At how many points of a step its inputs are given: both ends, for RK4 also the middle."""
    return 3 if integrator == "rk4" else 2


@kernel
def finite_or_status(state):
    """Check the new state; fault gets the index of the first bad number over q, v and x. Writes state.fault."""
    index = 0
    for values in (state.q, state.v, state.x):
        for i in range(values.shape[0]):
            if not math.isfinite(values[i]):
                state.fault[0] = index + i
                return NOT_FINITE
        index += values.shape[0]
    return OK


@kernel
def keep_start(state, kept):
    """Keep the whole state: in work.stage at the start of a step or of its part, in work.begun at the start of a step
    that may be made in parts. Writes kept.
    """
    copy(state.whole, kept.whole)
    copy(state.z, kept.z)


@kernel
def take_back(kept, state):
    """Return to the state that was kept, the last good one. Writes state."""
    copy(kept.whole, state.whole)
    copy(kept.z, state.z)


@entry_point
def run_explicit(plan, work, times, steps, inputs, motions, due, lines, record, n):
    """Advance n steps. times, inputs, motions, due (a bit for each controller) and lines have n + 1 entries: the last
    line is that of the state reached, with the inputs of the step that would follow, but before its controllers.
    inputs[k] has a row for each point of the step. Return the status and the steps done. Writes work, record.
    """
    integrator = plan.system.method[INTEGRATOR]
    once = integrator != rk4.KIND
    stages = semi_implicit_euler.STAGES if once else rk4.STAGES
    state, stage = work.state, work.stage
    v_dot, x_dot, power = work.system.v_dot, work.oil.x_dot, work.oil.power
    for k in range(n + 1):
        if k == n and lines[k] < 0:
            break
        h = steps[k] if k < n else 0.0
        if not once:
            rk4.begin(stage)

        # stage −2 is what controllers see, −1 the line of a method whose own evaluation is not at the start
        for number in range(-2, stages):
            acting = number == -2 and due[k] & CONTROLLERS != 0 and k < n
            shown = lines[k] >= 0 and number == (-1 if once else 0)
            if number < 0 and not acting and not shown:
                continue
            if number == 0:
                keep_start(state, stage)
            node = rk4.NODES[max(number, 0)]
            aim(node, h, motions[k], motions[min(k + 1, n)], work.rows.target)
            hold_at(MIDDLE if once and number == 0 else node, inputs[k], state.u, state.signal)
            status = evaluate(plan, work, ALL)
            if status != OK:
                if number >= 0:
                    take_back(stage, state)
                return status, k
            if acting or shown:
                observe(plan, work, work.control.line)
                append(state.signal, work.control.line)
            if acting:
                status = sample(plan.control, due[k] & CONTROLLERS, state, work.control)
                if status != OK:
                    return status, k
            if shown:
                copy(work.control.line, record[lines[k]])
                if k == n:
                    break
                status = stop_or_ok(plan.control, work.control.line, state.fault)
                if status != OK:
                    return status, k
            if number < 0:
                continue
            if once:
                semi_implicit_euler.after_stage(h, plan.links.index, v_dot, x_dot, power, state, stage)
            else:
                rk4.after_stage(number, h, plan.links, v_dot, x_dot, power, state, stage)
        if k < n:
            status = finite_or_status(state)
            if status != OK:
                take_back(stage, state)
                return status, k
            state.time[0] = times[k + 1]
    return OK, n


@kernel
def look(plan, work, due, line, last, record):
    """Let controllers that are due act, and fill a line of the record (−1 none), each from an evaluation of its own.
    Return a status. Writes work, record.
    """
    state, control = work.state, work.control
    for acting in range(2):
        wanted = (due != 0 and not last) if acting == 0 else line >= 0
        if not wanted:
            continue
        status = evaluate(plan, work, ALL)
        if status != OK:
            return status
        observe(plan, work, control.line)
        append(state.signal, control.line)
        if acting == 0:
            status = sample(plan.control, due, state, control)
        else:
            copy(control.line, record[line])
            status = OK if last else stop_or_ok(plan.control, control.line, state.fault)
        if status != OK:
            return status
    return OK


@kernel
def before_step(plan, work, given, start, due, line, last, record):
    """Take the inputs at the start; observe the state where a line or controllers are due. Return a status. Writes
    work, record.
    """
    hold_at(0.0, given, work.state.u, work.state.signal)
    aim(0.0, 0.0, start, start, work.rows.target)
    return look(plan, work, due, line, last, record) if line >= 0 or due != 0 else OK


PARTS_AT_A_STOP = 4
"""Parts of a real-time step that is too sudden at an end stop."""


@kernel
def count_step(outcome, parts, spent, count):
    """Count a step that was corrected, made in parts, or left though in doubt. Writes count."""
    if outcome == linearly_implicit.CORRECTED:
        count[CORRECTED_STEPS] += 1.0
    if parts > 1:
        count[PARTED_STEPS] += 1.0
    if outcome == linearly_implicit.LEFT:
        count[UNRESOLVED_STEPS] += 1.0
    count[MOST_ITERATIONS] = max(count[MOST_ITERATIONS], spent)


@kernel
def realtime_step(plan, work, h, given, start, end):
    """One step of h [s], in parts where it has to be; inputs and drivers' motions are those over the whole of it.
    Return a status; if that is not OK, the state is that of the step's start. Writes work.
    """
    state, stage, tableau = work.state, work.stage, work.tableau
    worst, parts, part, status = linearly_implicit.FINE, 1, 0, OK
    tableau.spent[0] = 0.0
    while part < parts:
        keep_start(state, stage)
        for i in range(plan.tableau.stages[0]):
            if i == 0 or status == OK:
                node, place = plan.tableau.node[i], plan.tableau.input[i]
                if i > 0 and tableau.rough[0] > 0.0:
                    node = place = 1.0
                aim((part + node) / parts, h, start, end, work.rows.target)
                hold_at((part + place) / parts, given, state.u, state.signal)
                status = linearly_implicit.stage(plan, work, h / parts, i, parts == 1)
        outcome = linearly_implicit.FINE
        if status == OK:
            outcome = linearly_implicit.finish(plan, work, h, part, parts, given)
        if status == linearly_implicit.AT_A_STOP or outcome == linearly_implicit.HALVE:
            take_back(stage, state)
            keep_start(state, work.begun)
            parts, status = PARTS_AT_A_STOP if status == linearly_implicit.AT_A_STOP else 2, OK
            continue
        if status == OK:
            worst = max(worst, outcome)
            status = finite_or_status(state)
        if status != OK:
            take_back(stage, state)
            if part > 0:
                take_back(work.begun, state)
            return status
        part += 1
    count_step(worst, parts, tableau.spent[0], tableau.count)
    return OK


@entry_point
def run_realtime(plan, work, times, steps, inputs, motions, due, lines, record, n):
    """The same with linearly implicit steps of bounded cost. A line of the record has an evaluation of its own, as the
    step itself needs no accelerations. Return the status and the steps done. Writes work, record.
    """
    for k in range(n + 1):
        if k == n and lines[k] < 0:
            break
        status = before_step(plan, work, inputs[k], motions[k], due[k] & CONTROLLERS, lines[k], k == n, record)
        if status != OK or k == n:
            return status, k
        status = realtime_step(plan, work, steps[k], inputs[k], motions[k], motions[k + 1])
        if status != OK:
            return status, k
        work.state.time[0] = times[k + 1]
    return OK, n


HALVINGS = 6
"""A step that Newton cannot make is halved up to this many times."""


@kernel
def step_in_parts(plan, work, h, parts, euler, given, start, end):
    """One step as `parts` equal ones, by the plan's rule or the implicit Euler rule. Return a status. Writes work."""
    state, stage, newton = work.state, work.stage, work.newton
    for part in range(parts):
        keep_start(state, stage)
        hold_at(part / parts, given, state.u, state.signal)
        copy(state.u, newton.u0)
        hold_at((part + 1) / parts, given, state.u, state.signal)
        copy(state.u, newton.u1)
        aim((part + 1) / parts, h, start, end, work.rows.target)
        status = theta.step(plan, work, h / parts, euler)
        if status == OK:
            status = finite_or_status(state)
        if status != OK:
            return status
    return OK


@entry_point
def run_implicit(plan, work, times, steps, inputs, motions, due, lines, record, n):
    """The same with implicit steps. Where due[k] has the bit JUMP, what the rule carries over is filled anew and the
    step is made of two of the implicit Euler rule; where controllers act, or did so before the call (WRITTEN), it is
    only filled anew. Return the status and the steps done. Writes work, record.
    """
    state, newton = work.state, work.newton
    for k in range(n + 1):
        if k == n and lines[k] < 0:
            break
        status = before_step(plan, work, inputs[k], motions[k], due[k] & CONTROLLERS, lines[k], k == n, record)
        if status != OK or k == n:
            return status, k
        jump = due[k] & JUMP != 0
        if due[k] != 0:
            status = theta.begin(plan, work)
            if status != OK:
                return status, k
        keep_start(state, work.begun)
        parts, euler = (2, True) if jump else (1, False)
        for attempt in range(HALVINGS + 1):
            if attempt > 0:
                # the implicit Euler rule takes what made Newton fail
                parts, euler = 2 * parts, True
            status = step_in_parts(plan, work, steps[k], parts, euler, inputs[k], motions[k], motions[k + 1])
            if status == OK:
                break
            take_back(work.begun, state)
        if status != OK:
            return status, k
        ringing.listen(work.begun.x, state.x, work.tangent.stiffness, state.time[0], newton)
        state.time[0] = times[k + 1]
    return OK, n


RUNS = {
    "explicit": run_explicit,
    "kinematic": run_implicit,
    "unified": run_implicit,
    "cointegrated": run_implicit,
    "realtime": run_realtime,
}
"""The call that carries out each coupling."""


@entry_point
def evaluate_many(plan, work, n):
    """Evaluate n times from the same state: for the speed benchmark. Return a status. Writes work."""
    status = OK
    for _ in range(n):
        status = evaluate(plan, work, ALL)
    return status


@entry_point
def evaluate_given(plan, work, given, line):
    """Fill a line of the record with what the forces `given` to rows do; NaN leaves a row its own, which an evaluation
    before filled. Return a status. Writes work, line.
    """
    for r in range(given.shape[0]):
        if not math.isnan(given[r]):
            work.rows.force[r] = given[r]
    status = evaluate_mechanics(plan, work)
    if status == OK:
        observe(plan, work, line)
    return status


@entry_point
def system_once(plan, work):
    """Fill everything up to the unfactored system in L: for tests and inspection. Return a status. Writes work."""
    return evaluate(plan, work, SYSTEM)


@entry_point
def advance_once(index, q0, u, q):
    """q = q0 ⊕ u: for assembly. Writes q."""
    kinematics.advance(index, q0, u, q)


@entry_point
def close_once(links, table, loops, quadratic, q, motion, angle, row_work, phi):
    """Fill s of all rows and Φ_q of the loops from q: for assembly. Writes motion, angle, row_work, phi."""
    kinematics.poses(links, q, motion)
    rows.positions(table, q, motion, angle, row_work)
    rows.follow_positions(table, row_work)
    accelerations.loop_jacobian(table, loops, motion.S, row_work.W, phi)
    if quadratic.row.shape[0] > 0:
        natural.jacobian(quadratic, loops, q, phi)
