# SPDX-License-Identifier: BSD-3-Clause
"""Stages of a real-time step: together they are the step, seen in its matrix and in what it calls.

The first test runs as plain Python in a process of its own: nothing is compiled for it.
"""

import ast
import inspect
import json

import numpy as np
import pytest

from plain_python import answers_of

STEP = 1e-3
ROOMS = {"mechanics", "interface", "hydraulics"}
NOT_TIMED = {"mechanics.acceleration", "interface.flow", "hydraulics.flow"}
"""What the step does not need, and what flow() does, which is timed."""


def main():
    from knuckleboom.bench import stages
    from knuckleboom.catalogue import NAMES
    from knuckleboom.engine import evaluate, linearly_implicit
    from knuckleboom.mechanics import accelerations
    from knuckleboom.mechanics.stages import SYSTEM
    from knuckleboom.simulation.whole import WholeRun

    case = NAMES["crane-one-cylinder"]()
    run = WholeRun(case.machine, 0.02, step=STEP, inputs={"valve": 1.0}, coupling="realtime")
    run.unrecorded()
    plan, work = run.planned.plan, run.planned.work
    evaluate.evaluate(plan, work, SYSTEM)
    rough = linearly_implicit.is_rough(plan, work, STEP)
    linearly_implicit.add_tangent(plan, work, STEP, plan.tableau.gamma[0] * STEP, rough)
    accelerations.factor_sparse(plan.system, work.system)
    factors, before = work.system.L.copy(), run.planned.snapshot()
    stages.TURNS = 2
    clock = stages.StageClock(run.planned, STEP)
    times = clock()
    after = run.planned.snapshot()
    print(json.dumps({
        "stages": list(times), "positive": min(times.values()) > 0.0,
        "same_matrix": np.array_equal(work.system.L, factors),
        "same_state": all(np.array_equal(before[name], after[name]) for name in before),
    }))  # fmt: skip


@pytest.mark.slow
def test_stages_make_the_matrix_of_the_step_and_leave_its_state():
    found = answers_of(__file__)
    assert found["stages"] == ["position", "velocity", "flow", "force", "inertia", "tangent", "solve"]
    assert found["positive"]
    assert found["same_matrix"] and found["same_state"]


def test_every_stage_of_an_evaluation_is_timed():
    from knuckleboom.bench import stages
    from knuckleboom.engine import evaluate

    assert calls(inspect.getsource(evaluate)) - calls(inspect.getsource(stages)) == NOT_TIMED


def calls(source):
    """Kernels of other files that a source calls, as module.name."""
    found = {
        f"{node.func.value.id}.{node.func.attr}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
    }
    return {name for name in found if name.split(".")[0] in ROOMS}


if __name__ == "__main__":
    main()
