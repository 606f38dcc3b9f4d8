# SPDX-License-Identifier: BSD-3-Clause
"""A whole run laid out in advance and carried out by one compiled call: what a method costs, without Python between.

    run = WholeRun(machine, "10 s", step="1 ms", record="10 ms", inputs={"valve": 0.5}, coupling="realtime")
    run.reset()
    run.unrecorded()           # the steps and nothing else: to be timed
    results = run.recorded()   # the same steps from the start, recorded

Times, inputs, declared jumps, steps and record are those of kb.simulate, bit for bit; only blocks, progress and Ctrl-C
are missing. Tested in tests/simulate/test_whole.py.
"""

from __future__ import annotations

import time as clock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.layout import JUMP, OK
from knuckleboom.machine import Machine
from knuckleboom.results import Results
from knuckleboom.simulation.schedule import Position, refuse_too_large
from knuckleboom.simulation.session import NOW, Simulation
from knuckleboom.simulation.times import read_time


class WholeRun(Simulation):
    """A run from the start for `duration`; the options are those of Simulation."""

    def __init__(self, machine: Machine, duration: float | str, *, step: float | str = "1 ms", **options: Any) -> None:
        seconds = read_time("duration", duration)
        super().__init__(machine, step=step, **options)
        schedule = self._schedule
        end = schedule.place(seconds)
        stretch = schedule.stretch(Position(0, 0.0), end, end.k + len(schedule.jumps) + 1)
        stretch.due[0] |= JUMP  # nothing is carried over to the start
        stretch.times[-1] = seconds  # as told, not as rounded to a multiple
        self._rows, self._motions, fault = self._holding.lines(stretch.times, schedule.slack(seconds))
        if fault is not None:
            self._fail(OK, fault)
        self._stretch, self._nowhere = stretch, np.full(len(stretch.times), -1)
        self._lines = np.where(stretch.recorded, stretch.k // schedule.every + 1, -1)
        self._lines[-1] = NOW  # a run ends with the present moment
        refuse_too_large(int(self._lines.max()), self.width, seconds)

    @property
    def steps(self) -> int:
        """Number of steps of the run."""
        return len(self._stretch.sizes)

    def unrecorded(self) -> None:
        """Carry out all steps from the start, where `reset` returns to, and keep nothing but the state reached."""
        self._carry_out(self._nowhere)

    def recorded(self) -> Results:
        """Return to the start, carry out all steps, and return what was recorded."""
        self.reset()
        self._reserve(int(self._lines.max()))
        self._carry_out(self._lines)
        self._now = True
        return self.results()

    def _carry_out(self, lines: NDArray[np.int64]) -> None:
        """All steps in one call; a failure is a SimulationError with what was recorded so far."""
        planned, stretch, record = self._planned, self._stretch, self._record
        began = clock.process_time()
        status, taken = self._run(
            planned.plan, planned.work, stretch.times, stretch.sizes, self._rows, self._motions, stretch.due, lines,
            record, len(stretch.sizes),
        )  # fmt: skip
        self._cpu = clock.process_time() - began
        self._at, self._steps, self._until = stretch.position(int(taken)), int(taken), float(stretch.times[-1])
        if lines is self._nowhere:
            self._first_line = self._schedule.lines_before(self._at)  # nothing before it was kept
        if status != OK:
            self._end(status)
