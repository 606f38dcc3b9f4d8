# SPDX-License-Identifier: BSD-3-Clause
"""Explicit steps of the whole machine: rates where the integrator asks for them, no equation to solve.

The integrators are engine/integrators/rk4.py and semi_implicit_euler.py. RK4 begins with the evaluation that filled the
record, where there was one: recording costs it none of its own. A method that evaluates once takes the inputs in the
middle of the step, so that a ramp is not late. What a step method offers: engine/run.py.
"""

from knuckleboom.engine.control import hold_at
from knuckleboom.engine.evaluate import evaluate_all
from knuckleboom.engine.integrators import rk4, semi_implicit_euler
from knuckleboom.engine.motion import aim
from knuckleboom.kernels import kernel
from knuckleboom.layout import INTEGRATOR, OK

MIDDLE = 0.5
"""Where in the step a method that evaluates once takes the inputs."""


@kernel
def step(plan, work, schedule, k, part, parts):
    """One step from the state in work.stage. Return a status. Writes work."""
    state, stage, h = work.state, work.stage, schedule.sizes[k]
    v_dot, x_dot, power = work.system.v_dot, work.oil.x_dot, work.oil.power
    once = plan.system.method[INTEGRATOR] != rk4.KIND
    if not once:
        rk4.begin(stage)
    for number in range(semi_implicit_euler.STAGES if once else rk4.STAGES):
        node = rk4.NODES[number]
        if once or number > 0 or schedule.lines[k] < 0:
            aim(node, h, schedule.motions[k], schedule.motions[k + 1], work.rows.target)
            hold_at(MIDDLE if once else node, schedule.inputs[k], state.u, state.signal)
            status = evaluate_all(plan, work)
            if status != OK:
                return status
        if once:
            semi_implicit_euler.after_stage(h, plan.links.index, v_dot, x_dot, power, state, stage)
        else:
            rk4.after_stage(number, h, plan.links, v_dot, x_dot, power, state, stage)
    return OK
