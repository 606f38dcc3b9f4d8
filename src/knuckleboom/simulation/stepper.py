# SPDX-License-Identifier: BSD-3-Clause
"""Stepper: the compiled run of a planned machine, its record, and the schedule of one step.

It knows arrays only: no names, no units, no files. kb.Simulation, a whole run and the cabin's live run go through it.
Tested in tests/simulate/test_stepper.py.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.core import types
from numpy.typing import NDArray

from knuckleboom.engine.run import RUNS
from knuckleboom.kernels import direct
from knuckleboom.layout import schedule_family
from knuckleboom.plan import Planned

Array = NDArray[np.float64]
NOW = 0
"""Row of the record that holds the present moment; recorded lines come after it."""
ANSWER = types.UniTuple(types.int64, 2)  # type: ignore[attr-defined]
"""What the compiled run returns: a status and the steps done."""


class Stepper:
    """A planned machine and the call that advances it."""

    def __init__(self, planned: Planned, step: float, held: Array, points: int, width: int) -> None:
        self.planned = planned
        self.record: Array = np.full((2, width), np.nan)
        # what one whole step is called with: filled anew by each
        self.one = schedule_family(
            np.zeros(2), np.full(1, step), np.tile(held, (2, points, 1)), np.empty((2, 0, 3)), np.zeros(2, np.int64),
            np.full(2, -1, np.int64), self.record,
        )  # fmt: skip
        self._run = direct(RUNS[planned.method.coupling], planned.plan, planned.work, self.one, 1)

    def advance(self, schedule: Any, n: int) -> tuple[int, int]:
        """Make n steps of a schedule; return the status and the steps done."""
        return self._run(self.planned.plan, self.planned.work, schedule, n)  # type: ignore[no-any-return]

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
