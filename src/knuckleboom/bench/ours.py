# SPDX-License-Identifier: BSD-3-Clause
"""Our own engine as the benchmarks call it: from one fixed state, n evaluations or n RK4 steps in one compiled call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from knuckleboom.bench.peers.tree import Array, Columns
from knuckleboom.engine.run import evaluate_many, run_explicit
from knuckleboom.interface.parts import Effort
from knuckleboom.layout import OK, schedule_family
from knuckleboom.machine import Machine
from knuckleboom.plan import build


class Ours:
    """A planned machine with the state that every measurement starts from."""

    name = "Knuckleboom"

    def __init__(self, machine: Machine, **method: Any) -> None:
        self.planned = build(machine, **method)
        self.inputs = np.array([signal.default for signal in self.planned.layout.inputs])
        self.state = self.planned.snapshot()

    @property
    def columns(self) -> Columns:
        """Where each tree joint's coordinates stand in q and v."""
        found = {name: self.planned.joint_columns(name) for name in self.planned.topology.tree}
        return {name: (np.array(q, dtype=np.intp), np.array(v, dtype=np.intp)) for name, (q, v) in found.items()}

    def start_from(self, q: Array, v: Array, inputs: Mapping[str, float]) -> None:
        """Choose the state and the held inputs that `reset` returns to."""
        self.planned.set_state(q, v)
        self.inputs[:] = [inputs.get(signal.part, signal.default) for signal in self.planned.layout.inputs]
        self.planned.work.state.u[:] = self.inputs
        self.state = self.planned.snapshot()

    def efforts(self, inputs: Mapping[str, float]) -> Array:
        """The inputs of effort parts as a vector of joint forces."""
        efforts = np.zeros(self.planned.topology.nv)
        for part in self.planned.machine.of(Effort):
            efforts[self.planned.joint_columns(part.joint)[1][part.coordinate]] += inputs.get(part.name, part.value)
        return efforts

    def reset(self) -> None:
        """Return to the chosen state."""
        self.planned.restore(self.state)

    def evaluate(self, count: int) -> None:
        """Compute accelerations at the present state, `count` times."""
        status = evaluate_many(self.planned.plan, self.planned.work, count)
        if status != OK:
            raise ArithmeticError(f"evaluation ended with status {status}")

    def step(self, count: int, step: float) -> None:
        """Advance `count` steps of `step` seconds without recording."""
        start = float(self.planned.work.state.time[0])
        nowhere = np.full(count + 1, -1)
        record = np.empty((1, 1))
        inputs = np.tile(self.inputs, (count + 1, 2, 1))
        times = start + step * np.arange(count + 1, dtype=np.float64)
        schedule = schedule_family(
            times, np.full(count, step), inputs, self.planned.motions_at(times), np.zeros(count + 1, np.int64), nowhere,
            record,
        )  # fmt: skip
        status, done = run_explicit(self.planned.plan, self.planned.work, schedule, count)
        if status != OK:
            raise ArithmeticError(f"step {done} ended with status {status}")
