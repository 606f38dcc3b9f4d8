# SPDX-License-Identifier: BSD-3-Clause
"""A machine whose steps are called from outside, one at a time and in real time: what the cabin's loop is handed.

    live = LiveRun(machine, step="1 ms", start="equilibrium", controllers=[], coupling="realtime")
    live.call            address of the compiled run, plan, work and the schedule of one step; line 0 is this moment
    live.inputs          what can be driven: name, unit, column of a line of inputs, value at rest
    live.stand_at(k)     k steps are done
    live.sentence(3)     why the next one failed

Plan, start, controllers and names are those of kb.Simulation, as both are made of a Stepper; so that the bits are, too.
Nothing may be left that only Python could do at a step. Tested in tests/cabin/test_loop.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.control.controller import Controller
from knuckleboom.errors import MachineError, Problem
from knuckleboom.layout import OK
from knuckleboom.machine import Machine
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.simulation.schedule import Position
from knuckleboom.simulation.settings import read_settings
from knuckleboom.simulation.stepper import NOW, Stepper

REALTIME = "realtime"
PLACE = "what is driven in real time"


class LiveInput(NamedTuple):
    """An input that can be driven: its name and unit, where it stands in a line of inputs, and its value at rest."""

    name: str
    unit: str
    column: int
    rest: float
    meaning: str


class LiveRun:
    """A machine at its start; raises MachineError where something cannot be done without Python."""

    def __init__(
        self, machine: Machine, *, step: float | str, start: Any = None, controllers: Sequence[Controller] = (),
        **method: Any,
    ) -> None:  # fmt: skip
        self.words = realtime_words(method)
        self._stepper = stepper = Stepper(
            read_settings(machine, step=step, start=start, controllers=controllers, **self.words)
        )
        self._schedule, self._holding, self._control = stepper.schedule, stepper.holding, stepper.control
        self._at = Position(0, 0.0)
        problems = [
            Problem(f"driver '{name}' follows a motion that Python computes.", part=name, fix="Move it by an input.")
            for name in self._holding.drivers
        ]
        for number, item in enumerate(self._control.controllers):
            if not item.compiled:
                problems.append(item.problem("it is called by Python.", "Put @kb.compiled above its function."))
            elif self._schedule.ratios[number] == 0:
                fix = "Give a whole number of steps as its sample time."
                problems.append(item.problem(f"it is due between steps of {self.step_size:g} s.", fix))
        for column in self._holding.varying:
            name = next(name for name, (found, _) in self._holding.columns.items() if found == column)
            problems.append(Problem(f"'{name}' varies with time.", part=name, fix="Give a number to begin with."))
        if problems:
            raise MachineError(problems, PLACE)

    @property
    def planned(self) -> Planned:
        """The machine as it is computed."""
        return self._stepper.planned

    @property
    def width(self) -> int:
        """Numbers of a line."""
        return self._stepper.width

    @property
    def step_size(self) -> float:
        """Size of a step, s."""
        return self._schedule.step

    @property
    def call(self) -> tuple[int, Any, Any, Any]:
        """The address of the compiled run, and what one step is called with: plan, work and schedule."""
        return (self._stepper.address, self.planned.plan, self.planned.work, self._stepper.one)

    @property
    def controllers(self) -> list[str]:
        """Names of the controllers."""
        return [item.name for item in self._control.controllers]

    @property
    def ratios(self) -> NDArray[np.int64]:
        """After how many steps each controller is due."""
        return np.array(self._schedule.ratios, np.int64)

    @property
    def held(self) -> NDArray[np.float64]:
        """A line of inputs at rest; NaN for what controllers write."""
        return self._holding.base.copy()

    @property
    def inputs(self) -> list[LiveInput]:
        """What can be driven: inputs and references that no controller writes."""
        holding = self._holding
        meanings = {signal.path: signal.meaning for signal in self.planned.layout.inputs}
        return [
            LiveInput(name, unit, column, float(holding.first[0][column]), meanings.get(name, "reference"))
            for name, (column, unit) in holding.columns.items()
            if column not in holding.owners
        ]

    def reset(self) -> None:
        """Return to the start."""
        self._stepper.reset()
        self._at = Position(0, 0.0)

    def warm_up(self, count: int) -> None:
        """Some steps at rest, and back to the start; whether they fail will be seen soon enough."""
        one, step = self._stepper.one, self._schedule.step
        for k in range(count):
            one.times[:] = k * step, (k + 1) * step
            if self._stepper.advance(one, 1)[0] != OK:
                break
        self.reset()

    def moment(self) -> Results:
        """Results that have the present moment only; raises SimulationError where it cannot be evaluated."""
        record, times = self._stepper.record, np.array([self._at.time])
        rows, motions, _ = self._holding.lines(times, self._schedule.slack(self._at.time))
        status = self._stepper.observe(rows, motions, record, NOW)
        if status != OK:
            raise self._stepper.failure(status, None, self._results(record[:NOW], "failed"))
        return self._results(record[NOW : NOW + 1], "done")

    def _results(self, record: NDArray[np.float64], status: str) -> Results:
        return self._stepper.results(
            record, status=status, message="", duration=self._at.time, steps=self._at.k, cpu_seconds=0.0
        )

    def stand_at(self, k: int) -> None:
        """The loop did k steps since the start."""
        self._at = Position(k, k * self._schedule.step)

    def sentence(self, status: int) -> str:
        """Why the step that begins now cannot be made; the newest line that was looked at has the last values."""
        newest = self._results(self._stepper.record[NOW : NOW + 1], "failed")
        text = str(self._stepper.failure(status, None, newest))
        # what is kept is the recording's to tell
        return "\n".join(line for line in text.splitlines() if not line.startswith("  kept "))


def realtime_words(method: Mapping[str, Any]) -> dict[str, Any]:
    """The words of a method with which it can run in real time: its own where they are of that coupling."""
    return dict(method) if method.get("coupling") == REALTIME else {"coupling": REALTIME}
