# SPDX-License-Identifier: BSD-3-Clause
"""kb.Simulation: a machine that runs step by step, from outside or by itself, with controllers and stop conditions.

    sim = kb.Simulation(machine, step="1 ms", outputs=["lift.length"])
    out = sim.step({"spool": 0.3})
    sim.run_for("1 s")
    sim.results()["lift.length"].plot()

A run goes in blocks of steps; between them progress is shown, Ctrl-C is handled and Python controllers are called. How
it is split into blocks and calls does not change a bit of it. A line of the record is filled when the next step begins,
with that step's inputs; results end with the present moment. Tested in tests/simulate/test_session.py.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from knuckleboom.control.controller import Controller
from knuckleboom.errors import MachineError, Problem
from knuckleboom.layout import (
    CONTROLLERS,
    JUMP,
    MODES,
    OK,
    STATE,
    STOPPED,
    schedule_family,
)
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.methods import MethodWords
from knuckleboom.names import Names
from knuckleboom.plan import Planned
from knuckleboom.plan.retune import Tunable, retune, tunables
from knuckleboom.results import Results
from knuckleboom.simulation.control import ControlFault
from knuckleboom.simulation.elsewhere import Link
from knuckleboom.simulation.failure import Fault
from knuckleboom.simulation.inputs import describe_error
from knuckleboom.simulation.outputs import Outputs, columns_of
from knuckleboom.simulation.schedule import (
    Position,
    Stretch,
    due_after_acting,
    next_block,
    refuse_too_large,
)
from knuckleboom.simulation.settings import read_settings
from knuckleboom.simulation.stable_step import Slopes
from knuckleboom.simulation.stepper import NOW, Stepper
from knuckleboom.simulation.stop import CONDITION, Stops, name_of, read_stops
from knuckleboom.simulation.times import read_time

Array = NDArray[np.float64]
Progress = Callable[[float], None]
OWN_STATE = ("at", "at_time", "step", "sampled", "fresh", "held", "varying")
"""What a snapshot has beside the state of the machine."""


class Simulation:
    """A machine at a moment of time. Raises MachineError with every problem of what was given."""

    def __init__(
        self, machine: Machine, *, case: str | Case | None = None, step: float | str | None = None,
        record: float | str | None = None, inputs: Mapping[str, Any] | None = None,
        controllers: Sequence[Controller] = (), stop: Any = None,
        outputs: Iterable[str] | None = None, start: Any = None, power: Link | None = None,
        mechanics: Link | None = None, **method: Unpack[MethodWords],
    ) -> None:  # fmt: skip
        settings = read_settings(
            machine, case=case, step=step, record=record, inputs=inputs, controllers=controllers, stop=stop,
            start=start, power=power, mechanics=mechanics, **method,
        )  # fmt: skip
        self._stepper = stepper = Stepper(settings)
        self._planned, self._control, self._holding = stepper.planned, stepper.control, stepper.holding
        self._schedule, self.width = stepper.schedule, stepper.width
        self._stops = read_stops(self._planned, self._planned.names, settings.stop)
        self._columns = columns_of(self._planned.names, self._planned, outputs)
        self._use_stops(self._stops)
        self._tuned: list[list[Any]] = []
        self._parameters = self._planned.plan.control.parameter
        self._begin(Position(0, 0.0))

    def _begin(self, at: Position) -> None:
        """Begin a record at a position."""
        self._at = at
        self._slopes = Slopes(self._planned) if self._planned.method.coupling == "explicit" else None
        self._steps, self._cpu, self._until = 0, 0.0, at.time
        self._sampled = self._filled = self._now = self._running = False
        self._fresh = True
        self._stepper.clear_counts()
        self._status, self._message = "done", ""
        self._first_line = self._schedule.lines_before(at)

    # --- what it is now ---

    @property
    def planned(self) -> Planned:
        """The machine as it is computed: plan, names, and the work of the last evaluation."""
        return self._planned

    @property
    def time(self) -> float:
        """The present time, s."""
        return float(self._planned.work.state.time[0])

    @property
    def names(self) -> Names:
        """Names, units and meanings of all that its results have."""
        return self._stepper.names

    @property
    def status(self) -> str:
        """How the last call ended: "done", "stopped", "interrupted" or "failed"."""
        return self._status

    @property
    def message(self) -> str:
        """Why it stopped or failed; else empty."""
        return self._message

    @property
    def outputs(self) -> Outputs:
        """The quantities of this moment."""
        self._look()
        return Outputs(self._record[NOW], self._columns)

    def __getitem__(self, path: str) -> Any:
        self._look()
        return Outputs(self._record[NOW], columns_of(self._planned.names, self._planned, [path]))[path]

    def __repr__(self) -> str:
        return f"<Simulation of '{self._planned.machine.name}' at {self.time:g} s: {self._status}>"

    def _look(self) -> None:
        """Fill the row of the present moment, with the inputs held now; raises SimulationError if that cannot be."""
        if self._now:
            return
        rows, motions, fault = self._holding.lines(np.array([self._at.time]), self._slack)
        status = OK if fault is not None else self._stepper.observe(rows, motions, self._record, NOW)
        if status != OK or fault is not None:
            self._fail(status, fault)
        self._now = True

    @property
    def _record(self) -> Array:
        return self._stepper.record

    @property
    def _slack(self) -> float:
        return self._schedule.slack(self._at.time)

    # --- running ---

    def step(self, inputs: Mapping[str, Any] | None = None, n: int = 1) -> Outputs:
        """Hold these inputs from now on, go n steps further, and return the quantities reached."""
        if not isinstance(n, int | np.integer) or n < 1:
            rule = f"step: n is {n!r}, which is not a number of steps."
            raise MachineError([Problem(rule, fix="Give a whole number from 1 on.")], "the times")
        if inputs:
            self._holding.set(inputs)
            self._now, self._fresh = False, True
        k = self._at.k + n
        if n == 1 and self._one_step(k):
            return Outputs(self._record[NOW], self._columns)
        self._advance(Position(k, k * self._schedule.step), k * self._schedule.step)
        return self.outputs

    def run_for(
        self, duration: float | str, *, progress: Progress | None = None, watch: Callable[[], None] | None = None
    ) -> str:
        """Go on for a time and return how it ended: "done" or "stopped". A step ends exactly there.

        `progress` gets the part that is done and `watch` is called between blocks: `results()` can be had there.
        """
        return self._to(self._at.time + read_time("duration", duration), progress, watch)

    def run_until(
        self, what: float | str | Callable[..., Any], *, within: float | str | None = None,
        progress: Progress | None = None, watch: Callable[[], None] | None = None,
    ) -> str:  # fmt: skip
        """Go on until a time, or until a condition holds ("lift.length > 0.4 m") but not longer than `within`."""
        if not callable(what) and not (isinstance(what, str) and CONDITION.match(what)):
            return self._to(read_time("time", what), progress, watch)
        if within is None:
            rule = "run_until a condition needs the longest time."
            raise MachineError([Problem(rule, fix='Add within="10 s".')], "the times")
        extra = read_stops(self._planned, self._planned.names, what)
        self._use_stops(Stops(self._stops.conditions + extra.conditions, self._stops.functions + extra.functions))
        try:
            return self._to(self._at.time + read_time("within", within), progress, watch)
        finally:
            self._use_stops(self._stops)

    def _to(self, time: float, progress: Progress | None, watch: Callable[[], None] | None) -> str:
        end = self._schedule.place(time)
        if self._reached(end):
            self._status, self._message = "done", ""
        else:
            self._advance(end, time, progress, watch)
        return self._status

    def _use_stops(self, stops: Stops) -> None:
        columns, numbers = stops.tables()
        plan = self._planned.plan
        self._planned.plan = plan.replaced(control=plan.control.replaced(stop_column=columns, stop_number=numbers))
        self._stopping = stops

    def _reached(self, end: Position, at: Position | None = None) -> bool:
        """Whether an end is not beyond a position, the present one unless given."""
        at = at or self._at
        if end.off and at.off and at.k == end.k:
            return at.time >= end.time - self._slack
        return at.k > end.k if end.off else at.k >= end.k

    def _one_step(self, k: int) -> bool:
        """One whole step to k·h with nothing in between, without making arrays; False where it is not that simple."""
        planned, schedule, at = self._planned, self._schedule, self._at
        if self._control.python or self._stopping.functions or not schedule.nothing_between(at, k):
            return False
        if not self._holding.two_lines(at.time, k * schedule.step, self._slack, self._stepper.one.inputs):
            return False
        line = at.k // schedule.every - self._first_line + 1
        self._reserve(line)
        one = self._stepper.one
        times, due, lines = one.times, one.due, one.lines
        times[0], times[1] = at.time, k * schedule.step
        due[0] = self._still_due(schedule.due_at(at.k))
        lines[0] = line if at.k % schedule.every == 0 and not self._filled else -1
        lines[1] = NOW
        planned.work.state.time[0] = at.time
        began = clock.process_time()
        status, _ = self._stepper.advance(one, 1)
        self._cpu += clock.process_time() - began
        if status != OK:
            self._sampled = True
            self._end(status)
            return True
        self._at = Position(k, times.item(1))
        self._steps += 1
        self._until = max(self._until, self._at.time)
        self._sampled = self._filled = self._fresh = False
        self._now = True
        self._status, self._message = "done", ""
        return True

    def _advance(
        self, end: Position, time: float, progress: Progress | None = None, watch: Callable[[], None] | None = None
    ) -> None:
        """Run until the end, which is given as `time`; what goes wrong is a SimulationError with the results so far."""
        lines = self._schedule.lines_before(end) - self._first_line + 1
        refuse_too_large(lines, self.width, time)
        self._reserve(lines)
        self._until = max(self._until, time)
        self._status, self._message, self._running = "done", "", True
        began, start, block = clock.process_time(), self._at.time, 1
        try:
            if watch is not None:
                watch()
            while self._status == "done" and not self._reached(end):
                if self._slopes is not None:
                    block = min(block, self._slopes.look(time - start, self._schedule.step, self._stepper.evaluate))
                took, count = self._block(end, time, block)
                block = next_block(count, took)
                if progress is not None and self._status == "done":
                    progress((self.time - start) / (time - start))
                if watch is not None:
                    watch()
        except KeyboardInterrupt:
            self._status, self._message = "interrupted", f"Interrupted at t = {self.time:.6g} s."
            raise
        finally:
            self._cpu += clock.process_time() - began
            self._running = False

    def _block(self, end: Position, time: float, block: int) -> tuple[float, int]:
        """Run one block of steps; return the wall time that it took and its number of steps."""
        schedule, planned, record = self._schedule, self._planned, self._record
        stretch = schedule.stretch(self._at, end, block)
        due, recorded = stretch.due, stretch.recorded
        lines = np.where(recorded, stretch.k // schedule.every - self._first_line + 1, -1)
        due[0] = self._still_due(int(due[0]))
        if self._filled:
            lines[0] = -1
        # where Python has something to do, a block ends
        outside = CONTROLLERS if self._stopping.functions else self._control.python
        calls = (due & outside) != 0
        if self._stopping.functions:
            calls |= recorded
        later = np.flatnonzero(calls[1 : len(stretch.sizes) + 1])
        n = int(later[0]) + 1 if len(later) else len(stretch.sizes)
        rows, motions, fault = self._holding.lines(stretch.times[: n + 1], self._slack)
        if fault is not None:
            # a step needs its inputs at both ends
            n = len(rows) - 1
            if n < 0:
                self._fail(OK, fault)
        planned.work.state.time[0] = self._at.time
        if calls[0] and self._call(int(due[0]) & CONTROLLERS, rows[:1], motions[:1], int(lines[0])):
            return 0.0, n
        if calls[0]:
            due[0] = due_after_acting(int(due[0]))

        times, last = stretch.times[: n + 1].copy(), n == len(stretch.sizes) and fault is None
        lines = lines[: n + 1]
        if fault is None:
            lines[n] = -1  # the next block begins with it
        if last and self._reached(end, stretch.position(n)):
            lines[n], times[n] = NOW, time
        before, status, taken = clock.perf_counter(), OK, -1
        self._now = False
        steps = self._steps
        try:
            call = schedule_family(
                times, stretch.sizes[:n], rows[: n + 1], motions[: n + 1], due[: n + 1], lines, record
            )  # fmt: skip
            status, taken = self._stepper.advance(call, n)
        finally:
            # Ctrl-C can come before the answer: the time tells how far it went
            taken = int(np.searchsorted(times, self.time)) if taken < 0 else taken
            self._settle(stretch, taken, steps)
        self._now = status == OK and taken == n and lines[n] == NOW
        if status != OK:
            self._sampled = True
            self._end(status)
        elif fault is not None:
            self._filled = self._filled or bool(lines[n] >= 0)
            self._fail(OK, fault)
        return clock.perf_counter() - before, n

    def _still_due(self, due: int) -> int:
        """What is due at the present moment, where controllers may have acted already and inputs may be new."""
        return (due_after_acting(due) if self._sampled else due) | (JUMP if self._fresh else 0)

    def _settle(self, stretch: Stretch, taken: int, steps: int) -> None:
        """So many steps of a stretch are done."""
        self._at = stretch.position(taken)
        self._steps = steps + taken
        self._holding.passed(self._at.time)
        if taken:
            self._sampled = self._filled = self._fresh = False

    def _reserve(self, lines: int) -> None:
        """Make room for so many lines."""
        if lines + 1 > len(self._record):
            refuse_too_large(lines, self.width, max(self.time, self._until))
            self._stepper.reserve(lines)

    def _call(self, due: int, row: Array, motions: Array, line: int) -> bool:
        """What Python does at the present moment: controllers, then functions that stop. Return whether one did."""
        scratch = self._planned.work.control.line
        if due:
            self._refuse_status(self._stepper.observe(row, motions, scratch.reshape(1, -1), 0))
            try:
                self._control.sample(due)
            except ControlFault as fault:
                self._fail(OK, fault)
            self._sampled = True
        if line < 0 or not self._stopping.functions:
            return False
        self._refuse_status(self._stepper.observe(row, motions, self._record, line))
        for function in self._stopping.functions:
            try:
                stopped = function(Outputs(self._record[line], self._columns))
            except Exception as error:
                self._fail(OK, ControlFault(name_of(function), describe_error(error), self.time, "stop condition"))
            if stopped:
                self._stop(line, f"Stopped at t = {self.time:.6g} s: '{name_of(function)}' says so.")
                return True
        return False

    # --- how it ends ---

    def _end(self, status: int) -> None:
        """The step loop came back early: a stop condition, or something that cannot go on."""
        number = int(self._planned.work.state.fault[0])
        if status == STOPPED:
            line = self._at.k // self._schedule.every - self._first_line + 1
            self._stop(line, self._stopping.message(number, self._record[line]))
        else:
            self._fail(status)

    def _stop(self, line: int, message: str) -> None:
        self._status, self._message = "stopped", message
        self._filled = self._now = True
        self._record[NOW] = self._record[line]

    def _refuse_status(self, status: int) -> None:
        if status != OK:
            self._fail(status)

    def _fail(self, status: int, fault: Fault | None = None) -> None:
        """Raise what went wrong, with the results so far."""
        self._status, self._now = "failed", False
        error = self._stepper.failure(status, fault, self._results())
        self._message = str(error)
        raise error

    def results(self) -> Results:
        """What was recorded so far, up to this moment."""
        if not self._running and not self._now and not self._filled and self._status in ("done", "stopped"):
            self._look()
        return self._results()

    def _results(self) -> Results:
        kept = self._schedule.lines_before(self._at) - self._first_line + (1 if self._filled else 0)
        record = self._record[1 : 1 + kept]
        if self._now and not self._filled:
            record = np.vstack([record, self._record[NOW]])
        status, message = self._status, self._message
        if self._running and status == "done":
            status, message = "interrupted", f"It was still running at t = {self.time:.6g} s."
        more: dict[str, Any] = {}
        if self._tuned:
            more["tuned"] = list(self._tuned)
        if self._slopes is not None and self._slopes.found is not None:
            more["stable_step"] = self._slopes.found._asdict()
        return self._stepper.results(
            record, status=status, message=message, duration=self._until, steps=self._steps, cpu_seconds=self._cpu,
            **more,
        )  # fmt: skip

    def close(self) -> None:
        """End the run: a half of the machine that another process computes gets the last values of the rows."""
        if self._stepper.other is not None and self._status in ("done", "stopped"):
            self._look()
            self._stepper.other.finish()

    # --- parameters ---

    @property
    def tunable(self) -> dict[str, Tunable]:
        """Every parameter that can change while it runs: unit, present value and meaning by name."""
        return tunables(self._planned.machine) | self._control.tunables(self._parameters)

    def tune(self, name: str, value: Any) -> None:
        """Change a parameter from now on, e.g. sim.tune("lift.coulomb", "500 N"); the machine given stays as it is."""
        if not self._control.tune(name, value):
            retune(self._planned, name, value)
        self._now, self._fresh = False, True
        self._tuned.append([self.time, name, value if isinstance(value, str | int | float) else repr(value)])

    # --- state ---

    def snapshot(self) -> dict[str, Any]:
        """The whole state as named arrays: `numpy.savez` keeps them on disk, `restore` returns to them."""
        holding = self._holding
        return self._planned.snapshot() | {
            "at": np.array([self._at.k, self._at.off], np.int64), "at_time": np.array([self._at.time]),
            "step": np.array([self._schedule.step]), "sampled": np.array([self._sampled]),
            "fresh": np.array([self._fresh]),
            "held": holding.base.copy(), "varying": np.array(list(holding.varying), np.int64),
        }  # fmt: skip

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Return to a snapshot of this machine, controllers and inputs; the record begins anew there."""
        self._stepper.refuse_return()
        lacking = [name for name in (*STATE, MODES, *OWN_STATE) if name not in snapshot]
        if lacking:
            raise ValueError(f"the snapshot has no {', '.join(lacking)}: take it with sim.snapshot()")
        self._planned.restore({name: np.asarray(snapshot[name]) for name in (*STATE, MODES)})
        self._holding.restore(np.asarray(snapshot["held"]), np.asarray(snapshot["varying"]).tolist())
        at = Position(int(snapshot["at"][0]), float(snapshot["at_time"][0]), bool(snapshot["at"][1]))
        same_step = float(snapshot["step"][0]) == self._schedule.step
        self._begin(at if same_step else self._schedule.place(at.time))
        self._sampled, self._fresh = bool(snapshot["sampled"][0]), bool(snapshot["fresh"][0])

    def reset(self) -> None:
        """Return to the start and what was given there; parameters that were tuned stay as they are."""
        self._stepper.reset()
        self._begin(Position(0, 0.0))
