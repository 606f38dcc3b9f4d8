# SPDX-License-Identifier: BSD-3-Clause
"""The compiled calls that Python makes: advance n steps, or fill what assembly and inspection need.

A schedule (layout.py) gives for each step its times, its size, its inputs and the line of the record to fill (−1 none),
so that block size never changes bits and a step can end exactly at a declared jump. Inputs are given at points of the
step (engine/control.py) and taken where the method evaluates. A line is filled at the start of the next step, with the
inputs of its time. Where compiled controllers are due, one evaluation with the inputs held so far comes before that.
The step methods: engine/explicit.py, theta.py, linearly_implicit.py, cosimulate.py, timestepping.py.
"""

import math
from types import FunctionType

from knuckleboom.engine import cosimulate, explicit, linearly_implicit, theta, timestepping
from knuckleboom.engine.control import append, hold_at, sample, stop_or_ok
from knuckleboom.engine.evaluate import evaluate, evaluate_all, evaluate_mechanics
from knuckleboom.engine.integrators import (
    fw2,
    generalised_alpha,
    lie,
    lim,
    moreau,
    rk4,
    semi_implicit_euler,
    trapezoidal,
)
from knuckleboom.engine.motion import aim
from knuckleboom.engine.observe import observe
from knuckleboom.interface import contact, forces
from knuckleboom.kernels import entry_point, kernel
from knuckleboom.layout import CONTROLLERS, JUMP, NOT_FINITE, OK
from knuckleboom.mechanics import accelerations, kinematics, natural
from knuckleboom.mechanics.rows import driven, kinds
from knuckleboom.mechanics.stages import SYSTEM
from knuckleboom.solvers.vectors import copy

INTEGRATORS = {
    "rk4": rk4,
    "semi-implicit-euler": semi_implicit_euler,
    "fw2": fw2,
    "lim": lim,
    "lie": lie,
    "trapezoidal": trapezoidal,
    "generalised-alpha": generalised_alpha,
    "moreau": moreau,
}


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


@kernel
def look(plan, work, schedule, k, last):
    """Take the inputs at the start of step k; let controllers that are due act, and fill a line of the record (−1
    none), each from an evaluation of its own. Controllers see the inputs held so far. Return a status. Writes work,
    schedule.record.
    """
    state, control, line = work.state, work.control, schedule.lines[k]
    due = schedule.due[k] & CONTROLLERS
    hold_at(0.0, schedule.inputs[k], state.u, state.signal)
    aim(0.0, 0.0, schedule.motions[k], schedule.motions[k], work.rows.target)
    for acting in range(2):
        wanted = (due != 0 and not last) if acting == 0 else line >= 0
        if not wanted:
            continue
        status = evaluate_all(plan, work)
        if status != OK:
            return status
        observe(plan, work, control.line)
        append(state.signal, control.line)
        if acting == 0:
            status = sample(plan.control, due, state, control)
        else:
            copy(control.line, schedule.record[line])
            status = OK if last else stop_or_ok(plan.control, control.line, state.fault)
        if status != OK:
            return status
    return OK


@kernel
def change_modes(plan, work, schedule, k):
    """Let elements change their modes at the start of step k, where the last one was accepted. Return a status, and
    whether one did: to what carries rates over that is a jump. Writes work.
    """
    state = work.state
    hold_at(0.0, schedule.inputs[k], state.u, state.signal)
    aim(0.0, 0.0, schedule.motions[k], schedule.motions[k], work.rows.target)
    status = evaluate_all(plan, work)
    if status != OK:
        return status, 0
    return OK, forces.change_modes(plan.forces, state.u, state.x, work.rows, state.z)


# --- the run loop, written once for all step methods ---


@kernel
def begin(plan, work, due):
    """Fill what a step carries over, where something is due: nothing, unless a method has its own. Return a status."""
    return OK


@kernel
def first_parts(due):
    """In how many parts a step begins."""
    return 1


@kernel
def more_parts(status, parts, attempt):
    """In how many a step is made that failed in so many; 0 gives up."""
    return 0


@kernel
def carry(plan, work, parts):
    """What is noted after an accepted step."""


step = explicit.step
"""One part of a step. A step method is a file with this function, and with those of the four above that it needs."""
METHOD = ("begin", "first_parts", "step", "more_parts", "carry")


def make_step(plan, work, schedule, k, due):
    """Step k, as one or in the parts that its method asks for. Return a status; if that is not OK, the state is that of
    the step's start. Writes work.
    """
    state, part, attempt = work.state, 0, 0
    parts = first_parts(due)
    while part < parts:
        if part == 0 and parts > 1:
            keep_start(state, work.begun)
        keep_start(state, work.stage)
        status = step(plan, work, schedule, k, part, parts)
        if status == OK:
            status = finite_or_status(state)
        if status == OK:
            part += 1
            continue
        if part == 0:
            take_back(work.stage, state)
        else:
            take_back(work.begun, state)
        attempt += 1
        part, parts = 0, more_parts(status, parts, attempt)
        if parts == 0:
            return status
    carry(plan, work, parts)
    if plan.touch.index.shape[0] > 0:
        contact.count_dropped(work.touch)
    return OK


def run(plan, work, schedule, n):
    """Advance n steps; line n of the schedule, if it has one, is that of the state reached, with the inputs of the step
    that would follow, but before its controllers. Return the status and the steps done. Writes work, schedule.record.
    """
    for k in range(n + 1):
        if k == n and schedule.lines[k] < 0:
            break
        due = schedule.due[k]
        if k < n and work.state.z.shape[0] > 0:
            status, changed = change_modes(plan, work, schedule, k)
            if status != OK:
                return status, k
            due |= JUMP * changed
        status = look(plan, work, schedule, k, k == n)
        if status != OK or k == n:
            return status, k
        status = begin(plan, work, due)
        if status == OK:
            status = make_step(plan, work, schedule, k, due)
        if status != OK:
            return status, k
        work.state.time[0] = schedule.times[k + 1]
    return OK, n


def run_with(module, name):
    """The run loop with the steps of a method, compiled on its own: one source, in which METHOD are that module's."""
    own = globals() | {function: getattr(module, function) for function in METHOD if hasattr(module, function)}
    for template, title, made_by in ((make_step, "make_step", kernel), (run, name, entry_point)):
        function = FunctionType(template.__code__, own, title)
        function.__qualname__, function.__doc__ = title, template.__doc__
        own[title] = made_by(function)
    return own[name]


run_explicit = run_with(explicit, "run_explicit")
run_implicit = run_with(theta, "run_implicit")
run_realtime = run_with(linearly_implicit, "run_realtime")
run_cosimulated = run_with(cosimulate, "run_cosimulated")
run_timestepping = run_with(timestepping, "run_timestepping")

RUNS = {
    "explicit": run_explicit,
    "kinematic": run_implicit,
    "unified": run_implicit,
    "cointegrated": run_implicit,
    "realtime": run_realtime,
    "cosimulated": run_cosimulated,
    "timestepping": run_timestepping,
}
"""The call that carries out each coupling."""


@entry_point
def evaluate_many(plan, work, n):
    """Evaluate n times from the same state: for the speed benchmark. Return a status. Writes work."""
    status = OK
    for _ in range(n):
        status = evaluate_all(plan, work)
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
def close_once(plan_links, plan_rows, plan_system, plan_natural, q, motion, angle, row_work, phi):
    """Fill s of all rows and Φ_q of the loops from q: for assembly. Writes motion, angle, row_work, phi."""
    kinematics.poses(plan_links, q, motion)
    kinds.positions(plan_rows, q, motion, angle, row_work)
    driven.follow_positions(plan_rows, row_work)
    accelerations.loop_jacobian(plan_rows, plan_system, motion.S, row_work.W, phi)
    if plan_natural.row.shape[0] > 0:
        natural.jacobian(plan_natural, plan_system, q, phi)
