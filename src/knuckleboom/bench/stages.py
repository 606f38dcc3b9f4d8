# SPDX-License-Identifier: BSD-3-Clause
"""What the stages of a `realtime` step cost, one by one.

A clock inside the step would slow it down. So each stage is called in a loop of its own as often as a step does it
(once for the mass matrix and the slopes, once more for each later evaluation), and is timed at states of the work
cycle, after the step from there filled Work. The calls are those of engine/evaluate.py and linearly_implicit.py.
Nothing of a loop feeds its next turn but the matrix, which is put back. `rest` is what the whole step takes beyond
their sum: moving the state from stage to stage, energies, checks. Rough steps, which are solved once, count as others.
A stage on its own finds its numbers nearer to the processor than in the step, so the sum is a little too small.
Tested in tests/bench/test_stages.py.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from knuckleboom.engine import linearly_implicit
from knuckleboom.engine.evaluate import flow
from knuckleboom.hydraulics import stages as hydraulics
from knuckleboom.interface import forces
from knuckleboom.interface import stages as interface
from knuckleboom.kernels import direct, entry_point
from knuckleboom.mechanics import accelerations
from knuckleboom.mechanics import stages as mechanics
from knuckleboom.mechanics.stages import INVERSE, SYSTEM
from knuckleboom.plan import Planned
from knuckleboom.solvers.vectors import copy

TURNS = 50
"""Turns of a loop that are timed together: a few hundred microseconds."""
STAGES = ("position", "velocity", "flow", "force", "inertia", "tangent", "solve")
POSITION, VELOCITY, FLOW, FORCE, INERTIA, TANGENT, SOLVE = range(len(STAGES))


def repeat_stage(plan, work, h, kept, stage, n):  # type: ignore[no-untyped-def]  # compiled
    """What n steps of h [s] do of one stage; the matrix in `kept` is factored. Writes work."""
    tau = plan.tableau.gamma[0] * h
    for _ in range(n):
        if stage == SOLVE:
            copy(kept, work.system.L)
            accelerations.factor_sparse(plan.system, work.system)
        for i in range(plan.tableau.stages[0]):
            if stage == SOLVE:
                linearly_implicit.solve_and_keep(plan, work, tau, i)
            if i > 0 and plan.tableau.fresh[i] != 1:
                continue
            goal = SYSTEM if i == 0 else INVERSE
            if stage == POSITION:
                mechanics.position(plan, work)
            elif stage == VELOCITY:
                mechanics.velocity(plan, work, goal)
            elif stage == FLOW:
                flow(plan, work)
            elif stage == FORCE:
                interface.force(plan, work)
                hydraulics.power(plan, work)
                mechanics.effort(plan, work)
                interface.touch(plan, work)
            elif stage == INERTIA:
                mechanics.inertia(plan, work, goal)
        if stage == TANGENT:
            rough = linearly_implicit.is_rough(plan, work, h)
            forces.suddenness(plan.forces, h, work.state.u, work.state.x, work.state.z, work.rows)
            linearly_implicit.add_tangent(plan, work, h, tau, rough)


repeat = entry_point(repeat_stage)
"""Compiled here, not where kernels are: Numba looks at this file by itself, what it calls is in the cache's key."""


class StageClock:
    """The stages of a machine planned for `realtime`, ready to be timed."""

    def __init__(self, planned: Planned, h: float) -> None:
        self.planned, self.h = planned, h
        self.kept = np.empty_like(planned.work.system.L)
        self.call = direct(repeat, planned.plan, planned.work, h, self.kept, POSITION, 1)

    def __call__(self) -> dict[str, float]:
        """Microseconds that each stage takes of a step, at the state that Work is filled with."""
        # one step up to the matrix, for the stage that factors it; later evaluations leave L as the first made it
        for stage in range(SOLVE):
            self._take(stage, 1)
        self.kept[:] = self.planned.work.system.L
        return {name: 1e-3 * self._take(stage, TURNS) / TURNS for stage, name in enumerate(STAGES)}

    def _take(self, stage: int, turns: int) -> float:
        began = time.thread_time_ns()
        self.call(self.planned.plan, self.planned.work, self.h, self.kept, stage, turns)
        return float(time.thread_time_ns() - began)


def typical(rounds: Sequence[Sequence[dict[str, float]]]) -> dict[str, float]:
    """Of each stage the smallest over rounds at every state, and of these the median over the states."""
    return {
        name: float(np.median(np.min([[state[name] for state in states] for states in rounds], axis=0)))
        for name in STAGES
    }
