# SPDX-License-Identifier: BSD-3-Clause
"""Inputs while a run goes on: data (machine/over_time.py) and functions, sampled so that they act when they should.

Tables and functions are sampled at both ends of every step, for RK4 also in its middle, and go in straight lines
between: a function is called with the time in s, in the order of time, once at every end and, for RK4, every middle.
What jumps is held over a step. Validated by: validation/analytic/test_input_timing.py, test_applied_force.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine.csv_file import read_column, read_columns
from knuckleboom.machine.over_time import (
    PLACE,
    TIMES_FIX,
    CsvColumn,
    Floats,
    Steps,
    Table,
    by_time,
    is_number,
    read_value,
    refusal,
    times_and_values,
)
from knuckleboom.names import closest
from knuckleboom.plan import Planned

Array = NDArray[np.float64]
INPUTS_FIX = 'Write them by name: inputs={"valve": 0.5}'
SAME = 1e-9
"""A jump this fraction of a step away from a step's end is taken to lie on it."""


class InputFault(Exception):
    """A function that failed or gave no number: which, when, and the values it gave before."""

    def __init__(self, name: str, what: str, time: float, before: Array, remedy: str = "") -> None:
        super().__init__(f"input '{name}' {what}.")
        self.name, self.what, self.time, self.before, self.remedy = name, what, time, before, remedy

    @property
    def place(self) -> int:
        """The place of the time among those asked for."""
        return len(self.before)


@dataclass(frozen=True)
class Function:
    """A Python function of time; it is called once for every end of a step (and middle, for RK4), in order."""

    name: str
    function: Callable[[float], float]
    width: ClassVar[int] = 1

    def jumps(self) -> Floats:
        """A function declares none: use steps() for jumps."""
        return ()

    def sample(self, times: Array, slack: float) -> Array:
        """Values at each time; an exception or a value that is not a finite number is an InputFault."""
        values = np.empty(len(times))
        for place, time in enumerate(times.tolist()):
            try:
                value = self.function(time)
            except Exception as error:
                raise InputFault(self.name, describe_error(error), time, values[:place]) from error
            if not is_number(value):
                what = f"gave {value!r}, which is not a finite number"
                raise InputFault(self.name, what, time, values[:place])
            values[place] = value
        return values


Input = Steps | Table | Function


class Source(Protocol):
    """What is asked at every step: an input, or a driver's motion, which has three columns."""

    width: ClassVar[int]

    def jumps(self) -> Floats:
        """Times at which a step must end."""

    def sample(self, times: Array, slack: float) -> Array:
        """Values from each time on."""


def describe_error(error: Exception) -> str:
    """What a function of the user did, as the end of a sentence."""
    return f"failed with {type(error).__name__}: {error}" if str(error) else f"failed: {error!r}"


def read_input(name: str, unit: str, given: Any) -> Input:
    """Turn what a user gave for an input into one of the three kinds."""
    try:
        if isinstance(given, CsvColumn):
            return read_column(given, name, unit)
        if isinstance(given, Steps | Table):
            return replace(given, values=tuple(read_value(value, unit) for value in given.values))
        if isinstance(given, Mapping):
            return Steps(*times_and_values(*by_time(given), unit))
        if callable(given):
            return Function(name, given)
        return Steps((0.0,), (read_value(given, unit),))
    except ValueError as error:
        fix = TIMES_FIX if isinstance(given, Mapping) else value_fix(unit)
        raise refusal(f"input '{name}'", error, fix) from None


def value_fix(unit: str) -> str:
    """What to give for an input."""
    return "Give a number without a unit." if unit == "1" else "Give a number in SI, or a text with a unit."


def read_constant(name: str, value: Any, unit: str) -> float:
    """The number of a constant input; what is none is a MachineError."""
    try:
        return float(read_value(value, unit))
    except ValueError as error:
        raise refusal(f"input '{name}'", error, value_fix(unit)) from None


def by_name(given: Any) -> Mapping[str, Any]:
    """Inputs as given, none for None; what does not name them is a MachineError."""
    if given is not None and not isinstance(given, Mapping):
        raise MachineError([Problem(f"inputs is {given!r}, which does not name any.", fix=INPUTS_FIX)], PLACE)
    return given or {}


def read_inputs(planned: Planned, given: Mapping[str, Any] | None) -> list[Input]:
    """One input for each of the machine's, its default where none is given; all problems at once."""
    given = by_name(given)
    signals = planned.layout.inputs
    driven = [row.part for row in planned.layout.loops.driven]
    known = sorted({signal.path for signal in signals} | set(driven))
    problems = [unknown_input(str(name), value, known) for name, value in given.items() if name not in known]
    values = {signal.path: given.get(signal.path, signal.default) for signal in signals}
    tables, faults = read_files(values, {signal.path: signal.unit for signal in signals})
    problems += faults
    inputs: list[Input] = []
    for signal in signals:
        try:
            if signal.path in tables:
                inputs.append(tables[signal.path])
            elif not isinstance(values[signal.path], CsvColumn):
                inputs.append(read_input(signal.path, signal.unit, values[signal.path]))
        except MachineError as error:
            problems += [replace(problem, part=signal.path) for problem in error.problems]
    if problems:
        raise MachineError(problems, PLACE)
    return inputs


def unknown_input(name: str, given: Any, known: Sequence[str]) -> Problem:
    """The problem of an input that the machine does not have, with the line of its file if a heading names it."""
    fix = f"The machine's inputs are {', '.join(known)}." if known else "The machine has no inputs."
    problem = Problem(f"There is no input '{name}'.", part=name, fix=fix, closest=tuple(closest(name, known)))
    if not (isinstance(given, CsvColumn) and given.heading):
        return problem
    rule = f"column '{given.column}': there is no input '{name}'."
    return replace(problem, rule=rule).placed(given.file, (given.heading, given.heading))


def read_files(given: Mapping[str, Any], units: Mapping[str, str]) -> tuple[dict[str, Table], list[Problem]]:
    """The columns of CSV files among inputs, as tables in the units of these inputs, and what is wrong with files."""
    return read_columns(
        {name: (given[name], unit) for name, unit in units.items() if isinstance(given[name], CsvColumn)}
    )


def sample(sources: Sequence[Source], times: Array, slack: float) -> tuple[Array, InputFault | None]:
    """Values of all inputs at these times; where one fails, those before it and the fault."""
    held = np.empty((len(times), sum(source.width for source in sources)))
    first: InputFault | None = None
    end = 0
    for source in sources:
        columns = held[:, end : end + source.width]
        end += source.width
        try:
            columns[:] = source.sample(times, slack).reshape(columns.shape)
        except InputFault as fault:
            if first is None or fault.place < first.place:
                first = fault
            columns[: fault.place] = fault.before.reshape(fault.place, source.width)
    return (held if first is None else held[: first.place]), first
