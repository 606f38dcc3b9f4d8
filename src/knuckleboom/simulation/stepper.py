# SPDX-License-Identifier: BSD-3-Clause
"""Stepper: a planned machine with its inputs, controllers and schedule, its record and the compiled call.

kb.Simulation (a user), WholeRun (one call) and LiveRun (the cabin's loop) are made of one. It keeps no account of where
a run stands: who uses it does. Tested in tests/simulate/test_stepper.py.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.core import types
from numpy.typing import NDArray

from knuckleboom.engine.run import RUNS, points_of
from knuckleboom.errors import MachineError, Problem, SimulationError
from knuckleboom.kernels import direct
from knuckleboom.layout import CONTROLLER_FAILED, CONTROLLER_NOT_FINITE, HALF_FAILED, OK, schedule_family
from knuckleboom.names import Names
from knuckleboom.plan import build
from knuckleboom.results import Results
from knuckleboom.simulation.control import Control
from knuckleboom.simulation.elsewhere import ALONE, POWER, TITLES, Elsewhere, HalfFault
from knuckleboom.simulation.failure import Fault, explain, explain_fault
from knuckleboom.simulation.holding import Holding
from knuckleboom.simulation.motions import read_motions
from knuckleboom.simulation.schedule import make_schedule
from knuckleboom.simulation.settings import Settings
from knuckleboom.simulation.start import begin_there
from knuckleboom.simulation.summary import add_derived, make_results

Array = NDArray[np.float64]
NOW = 0
"""Row of the record that holds the present moment; recorded lines come after it."""
RECORD_SECONDS = 0.01
"""Time between two records unless given otherwise."""
ANSWER = types.UniTuple(types.int64, 2)  # type: ignore[attr-defined]
"""What the compiled run returns: a status and the steps done."""


class Stepper:
    """A machine at its start and the call that advances it."""

    def __init__(self, settings: Settings) -> None:
        method = settings.method
        self.about = settings.about
        self.planned = build(settings.machine, method, read_motions(settings.machine, settings.inputs))
        if settings.state is not None:
            begin_there(self.planned, settings.state)
        self.control = Control(self.planned, settings.controllers)
        self.holding = Holding(self.planned, self.control, settings.inputs, points_of(method.integrator))
        self.lay_out(settings.step, settings.record or max(settings.step, RECORD_SECONDS))
        self.planned.work.state.u[:] = self.holding.start
        self.other = self._other_half(settings)
        self.width = self.planned.work_size["nrecord"] + self.control.nsignal
        self.record: Array = np.full((2, self.width), np.nan)
        # what one whole step is called with: filled anew by each
        self.one = schedule_family(
            np.zeros(2), np.full(1, settings.step), np.tile(self.holding.base, (2, self.holding.points, 1)),
            np.empty((2, 0, 3)), np.zeros(2, np.int64), np.full(2, -1, np.int64), self.record,
        )  # fmt: skip
        self._run = direct(RUNS[method.coupling], self.planned.plan, self.planned.work, self.one, 1)
        if self.other is not None:
            self._meet(self.other)
        self._start = self.planned.snapshot()

    def _other_half(self, settings: Settings) -> Elsewhere | None:
        """The half that another process computes; its forces stand where inputs do."""
        if settings.link is None:
            return None
        columns = self.planned.plan.course.stand_input.astype(np.intp)
        if self.planned.method.elsewhere == POWER:
            self.holding.leave_to(columns, TITLES[POWER])
        return Elsewhere(self.planned, settings.link, settings.step)

    def _meet(self, other: Elsewhere) -> None:
        """Wait for the other half, and exchange what holds at the start; a SimulationError where that fails."""
        status, fault = OK, None
        try:
            status = other.start(self.evaluate)
        except HalfFault as error:
            fault = error
        if status != OK or fault is not None:
            nothing = self.results(
                self.record[:0], status="failed", message="", duration=0.0, steps=0, cpu_seconds=0.0
            )
            raise self.failure(status, fault, nothing)

    def lay_out(self, step: float, record: float) -> None:
        """Take steps of another size, recorded at other times."""
        periods = [item.every for item in self.control.controllers]
        marked = self.planned.method.jumps == "reinitialised"
        self.schedule = make_schedule(step, record, self.holding.jumps, periods, marked=marked)

    def reset(self) -> None:
        """Return to the start."""
        self.refuse_return()
        self.planned.restore(self._start)
        self.holding.reset()
        self.clear_counts()

    def refuse_return(self) -> None:
        """Raise MachineError where a half is elsewhere: it would not return, too."""
        if self.other is not None:
            rule = f"{TITLES[self.other.side]} is computed by another process, which does not return to earlier times."
            raise MachineError([Problem(rule, fix="Begin a new run of both halves.")], ALONE)

    def clear_counts(self) -> None:
        """Begin to count iterations, corrected and eased steps, oscillations and points left out anew."""
        work = self.planned.work
        if work.newton:
            work.newton.count[:] = work.newton.ringing[:] = 0.0
        if work.tableau:
            work.tableau.count[:] = 0.0
        if work.course:
            work.course.count[:] = 0.0
        if work.impulse:
            work.impulse.eased[:] = 0.0
        work.touch.dropped[:] = 0.0

    # --- the compiled call ---

    def advance(self, schedule: Any, n: int) -> tuple[int, int]:
        """Make n steps of a schedule; return the status and the steps done."""
        if self.other is None or n == 0:
            return self._run(self.planned.plan, self.planned.work, schedule, n)  # type: ignore[no-any-return]
        if not self.other.ready():
            return self._without_half(0)
        status, done = self._run(self.planned.plan, self.planned.work, schedule, n)
        return self._without_half(done) if status == HALF_FAILED else (status, done)

    def _without_half(self, done: int) -> tuple[int, int]:
        """What a run returns that the other half ended; what is no fault of it, such as Ctrl-C, is raised."""
        fault = self.other.fault if self.other is not None else None
        if fault is not None and not isinstance(fault, HalfFault):
            raise fault
        return HALF_FAILED, done

    def observe(self, rows: Array, motions: Array, record: Array, line: int) -> int:
        """Evaluate the present state with these inputs and fill a line of a record; return a status."""
        times, lines = self.planned.work.state.time.copy(), np.array([line], np.int64)
        schedule = schedule_family(times, np.zeros(0), rows, motions, np.zeros(1, np.int64), lines, record)
        return int(self.advance(schedule, 0)[0])

    def evaluate(self) -> int:
        """Fill the rates of the present state with the inputs held now, and keep nothing; return a status."""
        work = self.planned.work
        held = np.full((1, *self.one.inputs.shape[1:]), np.nan)
        return self.observe(held, work.rows.target[None].copy(), work.control.line.reshape(1, -1), 0)

    def reserve(self, lines: int) -> None:
        """Make room for so many lines beside the present moment's."""
        rows, width = self.record.shape
        if lines + 1 > rows:
            # not filled: the system gives memory to a row when it is written
            larger = np.empty((max(lines + 1, 2 * rows), width))
            larger[:rows] = self.record
            self.record = larger
            self.one = self.one.replaced(record=larger)

    @property
    def address(self) -> int:
        """Where the machine code of the run begins; it takes plan, work, a schedule and a number of steps."""
        run: Any = RUNS[self.planned.method.coupling]
        arguments = (self.planned.plan, self.planned.work, self.one, 1)
        made = run.overloads[tuple(numba.typeof(argument) for argument in arguments)]
        if made.signature.return_type != ANSWER:
            raise TypeError(f"the run returns {made.signature.return_type}, a caller by address expects {ANSWER}")
        return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))

    # --- what it gives back ---

    @property
    def names(self) -> Names:
        """Names of all that its results have."""
        return add_derived(self.planned, self.record[:0])[0]

    def results(
        self, record: Array, *, status: str, message: str, duration: float, steps: int, cpu_seconds: float, **more: Any
    ) -> Results:  # fmt: skip
        """Lines of a record as results, with how the run ended and what else they say of it."""
        run = {
            "status": status, "message": message, "step": self.schedule.step, "record": self.schedule.interval,
            "duration": duration, "steps": steps, "cpu_seconds": cpu_seconds, **self.about, **more,
        }  # fmt: skip
        if self.other is not None:
            run["elsewhere"] = {"computes": self.other.side, "rows": self.other.names}
        return make_results(self.planned, self.control.controllers, record, run)

    def failure(self, status: int, fault: Fault | None, results: Results) -> SimulationError:
        """What is raised for a status of the run or a fault of an input or controller, with the results so far."""
        if fault is None and status == HALF_FAILED and self.other is not None:
            fault = self.other.fault  # type: ignore[assignment]
        if fault is None and status in (CONTROLLER_FAILED, CONTROLLER_NOT_FINITE):
            fault = self.control.explain(int(self.planned.work.state.fault[0]), status == CONTROLLER_FAILED)
        text = explain(self.planned, status, results) if fault is None else explain_fault(fault, results)
        if self.other is not None:
            self.other.link.end(text)
        results.meta["message"] = text
        error = SimulationError(text, results)
        error.__cause__ = fault
        return error
