# SPDX-License-Identifier: BSD-3-Clause
"""A whole run laid out in advance and carried out by one compiled call: what a method costs, without Python between.

    run = WholeRun(machine, "10 s", step="1 ms", record="10 ms", inputs={"valve": 0.5}, coupling="realtime")
    run.reset()
    run.unrecorded()           # the steps and nothing else: to be timed
    results = run.recorded()   # the same steps from the start, recorded
    run.lay_out("2 s", step="5 ms", record="10 ms")   # the same machine and method in other steps: no new plan

Times, inputs, declared jumps, steps and record are those of kb.simulate, bit for bit; only blocks, progress and Ctrl-C
are missing. Tested in tests/simulate/test_whole.py.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.layout import JUMP, OK, schedule_family
from knuckleboom.machine import Machine
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.simulation.schedule import Position, refuse_too_large
from knuckleboom.simulation.settings import read_settings
from knuckleboom.simulation.stepper import NOW, Stepper
from knuckleboom.simulation.times import read_time


class WholeRun:
    """A run from the start for `duration`; the options are those of Simulation."""

    def __init__(
        self, machine: Machine, duration: float | str, *, step: float | str | None = None, **options: Any
    ) -> None:
        seconds = read_time("duration", duration)
        self._stepper = Stepper(read_settings(machine, step=step, **options))
        self._lay_out(seconds)

    @property
    def planned(self) -> Planned:
        """The machine as it is computed: plan, names, and the work of the last step."""
        return self._stepper.planned

    def reset(self) -> None:
        """Return to the start."""
        self._stepper.reset()
        self._done, self._cpu = 0, 0.0

    def lay_out(self, duration: float | str, *, step: float | str, record: float | str) -> None:
        """Return to the start and run for another time, in other steps."""
        self._stepper.lay_out(read_time("step", step), read_time("record", record))
        self._lay_out(read_time("duration", duration))

    def _lay_out(self, seconds: float) -> None:
        schedule = self._stepper.schedule
        end = schedule.place(seconds)
        stretch = schedule.stretch(Position(0, 0.0), end, end.k + len(schedule.jumps) + 1)
        stretch.due[0] |= JUMP  # nothing is carried over to the start
        self.reset()
        self._rows, self._motions, fault = self._stepper.holding.lines(stretch.times, schedule.slack(seconds))
        stretch.times[-1] = seconds  # as given, not as rounded to a multiple
        self._stretch, self._nowhere = stretch, np.full(len(stretch.times), -1)
        self._lines = np.where(stretch.recorded, stretch.k // schedule.every + 1, -1)
        self._lines[-1] = NOW  # a run ends with the present moment
        if fault is not None:
            raise self._stepper.failure(OK, fault, self._results(self._stepper.record[:0], "failed"))
        refuse_too_large(int(self._lines.max()), self._stepper.width, seconds)

    @property
    def steps(self) -> int:
        """Number of steps of the run."""
        return len(self._stretch.sizes)

    @property
    def times(self) -> NDArray[np.float64]:
        """When each step begins, s."""
        return self._stretch.times[: self.steps]

    def unrecorded(self, steps: int | None = None) -> None:
        """Carry out all steps from the start, where `reset` returns to, and keep nothing but the state reached.

        With `steps` only the first so many.
        """
        self._carry_out(self._nowhere, 0, self.steps if steps is None else min(steps, self.steps))

    def each(
        self, clock: Callable[[], int], before: Callable[[int], None] | None = None
    ) -> NDArray[np.int64]:  # fmt: skip
        """Carry out all steps from the start, each by a call of its own; return what a clock says each call took.

        Every call costs what `empty_calls` says beside its step. `before` gets the number of each step ahead of it:
        it may read the state in `planned.work`, or put another there.
        """
        took = np.empty(self.steps, np.int64)
        for k in range(self.steps):
            if before is not None:
                before(k)
            call = self._call_of(self._nowhere, k, k + 1)
            began = clock()
            status, _ = self._stepper.advance(*call)
            took[k] = clock() - began
            if status != OK:
                self._fail(status, k, self._nowhere)
        self._done = self.steps
        return took

    def empty_calls(self, clock: Callable[[], int], count: int) -> NDArray[np.int64]:
        """What a clock says of calls that make no step: handing over the arrays of plan and work, and the clock."""
        call = self._call_of(self._nowhere, 0, 0)
        took = np.empty(count, np.int64)
        for k in range(count):
            began = clock()
            self._stepper.advance(*call)
            took[k] = clock() - began
        return took

    def recorded(self, watch: Callable[[], None] | None = None, looks: int = 1) -> Results:
        """Return to the start, carry out all steps, and return what was recorded.

        `watch` is called at so many of the recorded moments, the last one included: `planned.work` then holds that
        moment, evaluated. Not for runs with controllers, which would act after it.
        """
        self.reset()
        self._stepper.reserve(int(self._lines.max()))
        ends = np.flatnonzero(self._lines[1:] >= 0) + 1
        apart = -(-len(ends) // looks) if watch is not None else len(ends)
        first, lines = 0, self._lines.copy()
        for last in ends[::-1][::apart][::-1].tolist():
            self._carry_out(lines, first, last)
            if watch is not None:
                watch()
            first, lines[last] = last, -1  # filled already
        record = self._stepper.record
        kept = np.append(self._lines[:-1][self._lines[:-1] >= 0], NOW)
        return self._results(record[kept], "done")

    def _call_of(self, lines: NDArray[np.int64], first: int, last: int) -> tuple[Any, ...]:
        """Schedule and number of the steps between two ends."""
        stretch, kept = self._stretch, slice(first, last + 1)
        schedule = schedule_family(
            stretch.times[kept], stretch.sizes[first:last], self._rows[kept], self._motions[kept], stretch.due[kept],
            lines[kept], self._stepper.record,
        )  # fmt: skip
        return schedule, last - first

    def _carry_out(self, lines: NDArray[np.int64], first: int, last: int) -> None:
        """The steps between two ends in one call; a failure is a SimulationError with what was recorded so far."""
        call = self._call_of(lines, first, last)
        began = clock.process_time()
        status, taken = self._stepper.advance(*call)
        self._cpu += clock.process_time() - began
        self._done = first + int(taken)
        if status != OK:
            self._fail(status, self._done, lines)

    def _results(self, record: NDArray[np.float64], status: str) -> Results:
        return self._stepper.results(
            record, status=status, message="", duration=float(self._stretch.times[-1]), steps=self._done,
            cpu_seconds=self._cpu,
        )  # fmt: skip

    def _fail(self, status: int, done: int, lines: NDArray[np.int64]) -> None:
        """Raise why a step cannot be made, with what was recorded before it."""
        self._done = done
        before = self._lines[: done + 1] if lines is not self._nowhere else self._nowhere[:0]
        kept = before[before >= 0]
        raise self._stepper.failure(status, None, self._results(self._stepper.record[kept], "failed"))
