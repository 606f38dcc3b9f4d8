# SPDX-License-Identifier: BSD-3-Clause
"""Controllers on a planned machine: their names become columns, and those in plain Python are called between blocks.

The tables go into plan.control, control signals and memory into the state. Where only compiled controllers are due the
step loop calls them (engine/control.py); where a Python one is due, all that are due are called from here, in order, by
the same rule. Tested in tests/simulate/test_controllers.py.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numba
import numpy as np

from knuckleboom.control.compiled import address_of
from knuckleboom.control.controller import AS_READ, Controller
from knuckleboom.engine.control import MEMORY, PARAMETER, READ, WRITE
from knuckleboom.errors import MachineError, Problem
from knuckleboom.names import Names, closest
from knuckleboom.plan import Planned
from knuckleboom.plan.retune import Tunable
from knuckleboom.plan.work import with_control
from knuckleboom.simulation.inputs import Input, describe_error, read_input

MOST = 61
"""Controllers of one machine: each has a bit of an integer."""
PLACE = "the controllers"


class ControlFault(Exception):
    """A controller or stop condition that failed: which, when and how."""

    def __init__(self, name: str, what: str, time: float, kind: str = "controller") -> None:
        super().__init__(f"{kind} '{name}' {what}.")
        self.name, self.time = name, time


def locate(names: Names, planned: Planned, path: str) -> tuple[list[int], str]:
    """Columns and unit of a quantity or of one of its components; a ValueError with closest names when unknown."""
    if path in names:
        signal = names[path]
        return list(signal.columns), signal.unit
    owner, _, letter = path.rpartition(".")
    if owner in names and letter and letter in (names[owner].dim or "") and names[owner].dim != "row":
        whole = names[owner]
        return [whole.columns[str(whole.dim).index(letter)]], whole.unit
    if any(path.startswith(f"{joint.name}.") for joint in planned.topology.cut):
        raise ValueError(f"'{path}' is found after the run only: its joint closes a loop and has no coordinate")
    near = ", ".join(f"'{name}'" for name in closest(path, names.paths))
    raise ValueError(f"there is no quantity named '{path}'" + (f"; closest names: {near}" if near else ""))


def refuse_others(given: Any) -> list[Controller]:
    """The controllers of a list, or one; what is none is refused."""
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    fix = "Write controllers=[kb.Controller(function, reads=…, writes=…, every=…)]."
    problems = [
        Problem(f"{item!r} is not a controller.", fix=fix) for item in listed if not isinstance(item, Controller)
    ]
    if problems:
        raise MachineError(problems, PLACE)
    return listed


class Control:
    """All controllers of a run, attached to its plan."""

    def __init__(self, planned: Planned, controllers: Sequence[Controller]) -> None:
        self.planned = planned
        self.controllers = controllers = refuse_others(controllers)
        self.problems: list[Problem] = []
        self._refuse_wrong_names()
        self.nu = len(planned.layout.inputs)
        self.inputs = {signal.path: number for number, signal in enumerate(planned.layout.inputs)}
        self.targets = dict(self.inputs)
        self.names = Names(planned.names)
        self.references: list[tuple[int, str, str, Input]] = []
        self._name_signals()
        reads = [[column for path in self._reads(item) for column in self._columns(item, path)] for item in controllers]
        self._name_references()
        writes = [[self._target(item, name) for name in self._writes(item)] for item in controllers]
        self._refuse_written_twice()
        if self.problems:
            raise MachineError(self.problems, PLACE)
        self._fill(reads, writes)

    # --- names ---

    def _refuse_wrong_names(self) -> None:
        taken = self.planned.machine.parts
        counts = Counter(item.name for item in self.controllers)
        for item in self.controllers:
            if counts[item.name] > 1 or item.name in taken:
                rule = (
                    f"there is a {taken[item.name].KIND if item.name in taken else 'controller'} of that name already."
                )
                self.problems.append(item.problem(rule, "Give it another name."))
        if len(self.controllers) > MOST:
            self.problems.append(
                Problem(f"There are {len(self.controllers)} controllers; {MOST} are allowed.", fix="Join some.")
            )
        if self.problems:
            raise MachineError(self.problems, PLACE)

    def _name_signals(self) -> None:
        """Control signals stand after the record's columns: those of all controllers, so that any may read any."""
        number = itertools.count()
        for item in self.controllers:
            for own in (*item.references, *item.signals):
                path = item.path(own)
                signal = next(number)
                self.targets[path] = self.nu + signal
                meaning = f"{'reference' if own in item.references else 'signal'} of controller '{item.name}'"
                self.names.add(path, self._unit(item, own), meaning, self.planned.work_size["nrecord"] + signal)
        self.nsignal = next(number)

    def _unit(self, item: Controller, own: str) -> str:
        unit = item.signals.get(own) or item.units.get(own, "1")
        if unit != AS_READ:
            return unit
        try:
            return locate(self.names, self.planned, item.reads[0])[1]
        except ValueError:
            return "1"  # it is reported where the reads are found

    def _reads(self, item: Controller) -> list[str]:
        return [*item.reads, *(item.path(own) for own in item.references)]

    def _writes(self, item: Controller) -> list[str]:
        return [*item.writes, *(item.path(own) for own in item.signals)]

    def _columns(self, item: Controller, path: str) -> list[int]:
        try:
            return locate(self.names, self.planned, path)[0]
        except ValueError as error:
            self.problems.append(item.problem(f"it reads {path!r}, but {error}."))
            return []

    def _target(self, item: Controller, name: str) -> int:
        if name in self.targets:
            return self.targets[name]
        near = tuple(closest(name, self.inputs))
        fix = f"The machine's inputs are {', '.join(self.inputs)}." if self.inputs else "The machine has no inputs."
        rule = f"it writes '{name}', which is not an input; signals of its own are named in signals."
        self.problems.append(item.problem(rule, fix, near))
        return 0

    def _refuse_written_twice(self) -> None:
        owners: dict[str, str] = {}
        for item in self.controllers:
            for name in item.writes:
                if name in owners:
                    rule = f"it writes '{name}', and so does '{owners[name]}'."
                    self.problems.append(item.problem(rule, "Let one write a signal of its own that the other reads."))
                owners[name] = item.name

    def _name_references(self) -> None:
        for item in self.controllers:
            for own, given in item.references.items():
                path = item.path(own)
                unit = self.names[path].unit
                try:
                    self.references.append((self.targets[path], path, unit, read_input(path, unit, given)))
                except MachineError as error:
                    self.problems += error.problems

    # --- tables ---

    def _fill(self, reads: list[list[int]], writes: list[list[int]]) -> None:
        """Put the controllers into Plan and Work."""
        planned, items = self.planned, self.controllers
        parameters = [[*item.parameters.values(), *item.constants.values()] for item in items]
        lengths = [
            [len(group) for group in groups] for groups in (reads, writes, [i.memory for i in items], parameters)
        ]
        first = np.zeros((len(items) + 1, 5), np.int64)
        first[1:, READ:] = np.cumsum(np.array(lengths, np.int64).reshape(4, -1).T, axis=0)
        outside = bool(numba.config.DISABLE_JIT)
        first[:-1, 0] = [address_of(item.function) if item.compiled and not outside else 0 for item in items]
        self.python = sum(1 << c for c, item in enumerate(items) if outside or not item.compiled)
        self.first = first
        control = planned.plan.control.replaced(
            first=first,
            read=np.array([column for group in reads for column in group], np.int64),
            write=np.array([target for group in writes for target in group], np.int64),
            parameter=np.array([value for group in parameters for value in group], np.float64),
            stop_column=np.zeros(0, np.int64),
            stop_number=np.zeros((0, 2)),
        )
        planned.plan = planned.plan.replaced(control=control)
        self.start_memory = np.array([value for item in items for value in item.memory], np.float64)
        work = with_control(planned.work, np.zeros(self.nsignal), self.start_memory)
        scratch = planned.work.control.replaced(
            line=np.full(planned.work_size["nrecord"] + self.nsignal, np.nan),
            reads=np.full(len(control.read), np.nan),
            writes=np.full(len(control.write), np.nan),
        )
        planned.work = work.replaced(control=scratch)
        planned.names = self.names
        self.written = sorted({int(target) for target in control.write})

    def tunables(self, values: Any) -> dict[str, Tunable]:
        """Every parameter of the controllers by name, from where their values are kept."""
        found = {}
        for number, item in enumerate(self.controllers):
            at = int(self.first[number, -1])
            for place, own in enumerate(item.parameters):
                about = f"parameter of controller '{item.name}'"
                found[item.path(own)] = Tunable(item.units.get(own, "1"), float(values[at + place]), about)
        return found

    def tune(self, name: str, value: Any) -> bool:
        """Change a parameter of a controller; False where there is none of that name."""
        for number, item in enumerate(self.controllers):
            for place, own in enumerate(item.parameters):
                if item.path(own) != name:
                    continue
                try:
                    read = item.read_parameter(own, value)
                except ValueError as error:
                    raise MachineError([item.problem(f"{own}: {error}.")], PLACE) from None
                first = int(self.first[number, PARAMETER])
                present = self.planned.plan.control.parameter[first : first + len(item.parameters)]
                faults = list(item.faults(dict(zip(item.parameters, present.tolist(), strict=True)) | {own: read}))
                if faults:
                    raise MachineError(faults, PLACE)
                self.planned.plan.control.parameter[first + place] = read
                return True
        return False

    # --- the call from Python ---

    def sample(self, due: int) -> None:
        """Let the controllers that are due read work.control.line and write; after a fault all is as it was."""
        plan, state, scratch = self.planned.plan.control, self.planned.work.state, self.planned.work.control
        kept = state.u.copy(), state.signal.copy(), state.memory.copy()
        held = _Held(state)
        tail = len(scratch.line) - len(state.signal)
        try:
            for c, item in enumerate(self.controllers):
                if not (due >> c) & 1:
                    continue
                one, other = self.first[c], self.first[c + 1]
                wanted = slice(one[WRITE], other[WRITE])
                reads, writes = scratch.reads[one[READ] : other[READ]], scratch.writes[wanted]
                reads[:] = scratch.line[plan.read[one[READ] : other[READ]]]
                writes[:] = [held[target] for target in plan.write[wanted]]
                memory = state.memory[one[MEMORY] : other[MEMORY]]
                self.call(item, reads, writes, memory, plan.parameter[one[PARAMETER] : other[PARAMETER]])
                for target, value in zip(plan.write[wanted], writes, strict=True):
                    held[target] = value
                    if target >= len(state.u):
                        scratch.line[tail + target - len(state.u)] = value
        except BaseException:
            for array, before in zip((state.u, state.signal, state.memory), kept, strict=True):
                array[:] = before
            raise

    def call(self, item: Controller, reads: Any, writes: Any, memory: Any, parameters: Any) -> None:
        """Call one controller; what it raises or writes wrongly is a ControlFault."""
        time = float(self.planned.work.state.time[0])
        try:
            item.function(time, reads, writes, memory, parameters)
        except Exception as error:
            raise ControlFault(item.name, describe_error(error), time) from error
        self.refuse_not_finite(item, writes, time)

    def refuse_not_finite(self, item: Controller, writes: Any, time: float) -> None:
        """A ControlFault that names the first of its writes that is no finite number."""
        for name, value in zip(self._writes(item), writes.tolist(), strict=True):
            if not math.isfinite(value):
                raise ControlFault(item.name, f"wrote {value} to '{name}', which is not a finite number", time)

    def explain(self, number: int, failed: bool) -> ControlFault:
        """The fault of a compiled controller, which leaves its number only: a second call tells what it raised."""
        item, one, other = self.controllers[number], self.first[number], self.first[number + 1]
        state, scratch, plan = self.planned.work.state, self.planned.work.control, self.planned.plan.control
        writes = scratch.writes[one[WRITE] : other[WRITE]]
        try:
            if failed:
                reads = scratch.reads[one[READ] : other[READ]].copy()
                memory = state.memory[one[MEMORY] : other[MEMORY]].copy()
                self.call(item, reads, writes.copy(), memory, plan.parameter[one[PARAMETER] : other[PARAMETER]])
            self.refuse_not_finite(item, writes, float(state.time[0]))
        except ControlFault as fault:
            return fault
        return ControlFault(item.name, "failed", float(state.time[0]))


class _Held:
    """Inputs and control signals under one numbering."""

    def __init__(self, state: Any) -> None:
        self.u, self.signal = state.u, state.signal

    def __getitem__(self, target: int) -> float:
        nu = len(self.u)
        return float(self.u[target] if target < nu else self.signal[target - nu])

    def __setitem__(self, target: int, value: float) -> None:
        nu = len(self.u)
        if target < nu:
            self.u[target] = value
        else:
            self.signal[target - nu] = value
