# SPDX-License-Identifier: BSD-3-Clause
"""Stages of a real-time step: together they are the step, seen in its matrix and in what it calls.

The first test runs as plain Python in a process of its own: nothing is compiled for it.
"""

import ast
import inspect
import json

import numpy as np

from plain_python import answers_of

STEP = 1e-3
ROOMS = {"accelerations", "circuits", "coupling", "dynamics", "forces", "kinematics", "natural", "network", "rows"}
ROOMS |= {"servos", "stiffening"}
INSIDE = {"coupling.add_rows", "coupling.eliminate_oil", "coupling.restore_oil", "stiffening.add_to_force"}
INSIDE |= {"accelerations.solve_sparse", "circuits.is_held_apart", "circuits.opennesses", "coupling.stiffnesses"}
INSIDE |= {"servos.add_turning"}
"""Called by solve_stage, keep_momentum and is_rough, which a stage calls."""
NOT_TIMED = {"accelerations.accelerations", "kinematics.advance", "servos.mean_powers"}
"""What the step does not need, and what moves its state and adds up its energies."""


def main():
    from knuckleboom.bench import stages
    from knuckleboom.catalogue import NAMES
    from knuckleboom.engine import evaluate, linearly_implicit
    from knuckleboom.simulation.whole import WholeRun

    case = NAMES["crane-one-cylinder"]()
    run = WholeRun(case.machine, 0.02, step=STEP, inputs={"valve": 1.0}, coupling="realtime")
    run.unrecorded()
    plan, work = run.planned.plan, run.planned.work
    evaluate.evaluate(plan, work, work.system.a, evaluate.SYSTEM)
    rough = linearly_implicit.is_rough(plan, work, STEP)
    linearly_implicit.build_matrix(plan, work, STEP, plan.tableau.gamma[0] * STEP, rough)
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


def test_stages_make_the_matrix_of_the_step_and_leave_its_state():
    found = answers_of(__file__)
    assert found["stages"] == ["mechanics", "interface", "oil", "solve"] and found["positive"]
    assert found["same_matrix"] and found["same_state"]


def test_every_kernel_of_the_step_is_in_a_stage():
    from knuckleboom.bench import stages
    from knuckleboom.engine import evaluate, linearly_implicit

    listed = calls(inspect.getsource(stages))
    made = calls(inspect.getsource(evaluate)) | calls(inspect.getsource(linearly_implicit))
    assert made - listed == INSIDE | NOT_TIMED


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
