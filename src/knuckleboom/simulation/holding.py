# SPDX-License-Identifier: BSD-3-Clause
"""The inputs of each step: constants by name, tables and functions at points of the step, what is held over it.

A line is one step: a row for each of its points, from its start to its end (two, or three for RK4). A row has all
inputs of the machine and then all control signals; NaN leaves one to the controller that writes it. Tables and
functions are sampled at every point, the end of a step and the start of the next being one. Constants, and values that
jump where steps end, are the same in all rows of a step: nothing is sampled across a jump. What drivers want at the
ends of steps goes beside it.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine.over_time import PLACE, Steps
from knuckleboom.names import closest
from knuckleboom.plan import Planned
from knuckleboom.simulation.ahead import Ahead
from knuckleboom.simulation.control import Control
from knuckleboom.simulation.inputs import INPUTS_FIX, Input, InputFault, read_constant, read_inputs
from knuckleboom.simulation.motions import Driven

Array = NDArray[np.float64]


class Holding:
    """Inputs and references of a run: `base` is what is constant, `varying` the sources that are not, by column."""

    def __init__(self, planned: Planned, control: Control, given: Mapping[str, Any] | None, points: int) -> None:
        self.points = points
        signals = planned.layout.inputs
        sources = dict(enumerate(read_inputs(planned, given)))
        sources |= {target: source for target, _, _, source in control.references}
        self.columns = {signal.path: (number, signal.unit) for number, signal in enumerate(signals)}
        self.columns |= {path: (target, unit) for target, path, unit, _ in control.references}
        self.owners = {
            target: item.name for item in control.controllers for target in map(control.targets.get, item.writes)
        }
        self.drivers = [row.part for row in planned.layout.loops.driven]
        self.motions = [Driven(motion) for motion in planned.motions]
        self.start = np.array([signal.default for signal in signals], np.float64)
        self.jumps = [jump for source in sources.values() for jump in source.jumps()]
        self.base = np.full(control.nu + control.nsignal, np.nan)
        self.varying: dict[int, Input] = {}
        problems = []
        for column, source in sources.items():
            constant = float(source.values[0]) if isinstance(source, Steps) and len(source.times) == 1 else None
            if column not in self.owners:
                if constant is None:
                    self.varying[column] = source
                else:
                    self.base[column] = constant
            elif constant is None:
                name = signals[column].path
                rule = f"input '{name}' is written by controller '{self.owners[column]}'."
                fix = "Give a number, which is held until its first sample, or nothing."
                problems.append(Problem(rule, part=name, fix=fix))
            else:
                self.start[column] = constant
        if problems:
            raise MachineError(problems, PLACE)
        self.elsewhere: set[int] = set()
        self.first = self.base.copy(), dict(self.varying)
        self.forget()

    def reset(self) -> None:
        """Return to what was given."""
        self.base[:] = self.first[0]
        self.varying = dict(self.first[1])
        self.forget()

    def leave_to(self, columns: NDArray[np.intp], owner: str) -> None:
        """Leave inputs to an owner, who writes them from step to step."""
        for column in columns.tolist():
            self.base[column] = np.nan
            self.varying.pop(column, None)
            self.owners[column] = owner
            self.elsewhere.add(column)
        self.first = self.base.copy(), dict(self.varying)
        self.forget()

    def restore(self, base: Array, varying: list[int]) -> None:
        """Return to what was held in a snapshot."""
        if base.shape != self.base.shape or not set(varying) <= set(self.first[1]):
            raise ValueError("the snapshot is of other inputs or controllers")
        self.base[:] = base
        self.varying = {column: self.first[1][column] for column in varying}
        self.forget()

    def forget(self) -> None:
        """Sample anew: the time is another."""
        self._sampled, self._wanted = Ahead(list(self.varying.values())), Ahead(self.motions)

    def set(self, given: Mapping[str, Any]) -> None:
        """Hold values from now on, by the name of an input or a reference."""
        if not isinstance(given, Mapping):
            raise MachineError([Problem(f"inputs is {given!r}, which does not name any.", fix=INPUTS_FIX)], PLACE)
        for name, value in given.items():
            found = self.columns.get(name)
            if found is None or found[0] in self.owners:
                raise MachineError([self._unknown(name)], PLACE)
            column, unit = found
            number = value if type(value) is float and value - value == 0.0 else read_constant(name, value, unit)
            self.base[column] = number
            if column in self.varying:
                self._sampled.leave_out(list(self.varying).index(column))
                del self.varying[column]

    def _unknown(self, name: Any) -> Problem:
        if name in self.columns:
            if self.columns[name][0] in self.elsewhere:
                rule = f"input '{name}' is {self.owners[self.columns[name][0]]}'s, which another process computes."
                return Problem(rule, part=str(name), fix="Leave it out.")
            rule = f"input '{name}' is written by controller '{self.owners[self.columns[name][0]]}'."
            return Problem(rule, part=str(name), fix="Change the controller's reference or parameters instead.")
        if name in self.drivers:
            rule = f"driver '{name}' goes on with the motion that it began with."
            return Problem(rule, part=str(name), fix="Give its motion when the simulation is made: inputs={...}.")
        known = list(self.columns)
        fix = f"There are {', '.join(known)}." if known else "The machine has no inputs."
        return Problem(
            f"There is no input '{name}'.", part=str(name), fix=fix, closest=tuple(closest(str(name), known))
        )

    def lines(self, times: Array, slack: float) -> tuple[Array, Array, InputFault | None]:
        """The inputs of the steps that begin at these times, each up to the next, and what drivers want there; the last
        one is held. Where a function fails, those before and the fault: a step is there if both its ends are known.
        """
        pieces = self.points - 1
        moments = np.empty(pieces * (len(times) - 1) + 1)
        moments[::pieces] = times
        for piece in range(1, pieces):
            moments[piece::pieces] = times[:-1] + piece / pieces * np.diff(times)
        sampled, fault = self._sampled.at(moments, slack)
        wanted, other = self._wanted.at(times, slack)
        if other is not None and (fault is None or other.time < fault.time):
            fault = other

        count = min((len(sampled) + pieces - 1) // pieces, len(wanted))
        rows = np.tile(self.base, (count, self.points, 1))
        if count:
            # the points of the last one are not known yet
            number = np.minimum(pieces * np.arange(count)[:, None] + np.arange(self.points), pieces * (count - 1))
            rows[:, :, list(self.varying)] = sampled[number]
            held = [column for column, source in self.varying.items() if isinstance(source, Steps)]
            rows[:, 1:, held] = rows[:, :1, held]
        return rows, np.ascontiguousarray(wanted[:count]).reshape(count, len(self.motions), 3), fault

    def two_lines(self, start: float, end: float, slack: float, rows: Array) -> bool:
        """Fill what is held from both ends of one step on, without making arrays; False where one must be sampled."""
        if self.motions:
            return False
        rows[:] = self.base
        for column, source in self.varying.items():
            if not isinstance(source, Steps):
                return False
            for row, time in enumerate((start, end)):
                rows[row, :, column] = source.values[max(bisect.bisect_right(source.times, time + slack) - 1, 0)]
        return True

    def passed(self, time: float) -> None:
        """Samples before a time are not needed any more."""
        self._sampled.passed(time)
        self._wanted.passed(time)
