# SPDX-License-Identifier: BSD-3-Clause
"""Inputs over time: numbers, steps, tables and functions. They act when they should, within each step too.

`steps({0: 0.0, 2: 0.1})` jumps at 2 s: a step of the integrator ends exactly there. `table(times, values)` is linear
between its points and constant outside. A plain number is constant, a mapping is taken as steps, a function is called
with the time in s. Tables and functions are sampled at both ends of every step, for RK4 also in its middle, and go in
straight lines between: a function is called in the order of time, once at every end and, for RK4, every middle. What
jumps is held over a step. Values may be texts with a unit of the input's dimension. Validated by:
validation/analytic/test_input_timing.py, test_applied_force.py
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem
from knuckleboom.names import closest
from knuckleboom.plan import Planned

Array = NDArray[np.float64]
Floats = tuple[float, ...]
PLACE = "the inputs"
INPUTS_FIX = 'Write them by name: inputs={"valve": 0.5}'
STEPS_FIX = "Write them by time: kb.steps({0: 0.0, 2: 0.1})"
TABLE_FIX = "Write times and values: kb.table([0, 2], [0.0, 0.1])"
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
class Steps:
    """A value that jumps at given times and is constant between; texts are read when the input's unit is known."""

    times: Floats
    values: tuple[float | str, ...]
    width: ClassVar[int] = 1

    def jumps(self) -> Floats:
        """Times at which a step must end."""
        return self.times

    def sample(self, times: Array, slack: float) -> Array:
        """Values from each time on; before the first time the first value."""
        place = np.searchsorted(np.asarray(self.times) - slack, times, side="right") - 1
        return np.asarray(self.values, np.float64)[np.maximum(place, 0)]


@dataclass(frozen=True)
class Table:
    """A value that is linear between given points and constant outside; texts as in Steps."""

    times: Floats
    values: tuple[float | str, ...]
    width: ClassVar[int] = 1

    def jumps(self) -> Floats:
        """A table has kinks, not jumps."""
        return ()

    def sample(self, times: Array, slack: float) -> Array:
        """Values at each time."""
        return np.interp(times, self.times, np.asarray(self.values, np.float64))


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


def is_number(value: Any) -> bool:
    """Whether something is one finite number; a text is not, nor an array of several."""
    try:
        return not isinstance(value, str | bytes) and np.ndim(value) == 0 and math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def read_value(what: str, value: Any, unit: str | None) -> float | str:
    """A number as it is, a text by its unit; without a unit a text is kept until it is known."""
    if isinstance(value, str):
        if unit is None:
            return value
        try:
            return units.parse(value, unit)
        except ValueError as error:
            raise MachineError([Problem(f"{what}: {error}.")], PLACE) from None
    if not is_number(value):
        rule = f"{what}: {value!r} is not a finite number."
        raise MachineError([Problem(rule, fix="Give numbers in SI, or texts with a unit.")], PLACE)
    return float(value)


def times_and_values(
    what: str, times: Sequence[Any], values: Sequence[Any], unit: str | None
) -> tuple[Floats, tuple[float | str, ...]]:
    """Read times and values; they must be finite, as many, and the times must rise."""
    read_times = tuple(float(read_value(what, time, "s")) for time in times)
    read_values = tuple(read_value(what, value, unit) for value in values)
    rule = ""
    if len(read_times) != len(read_values):
        rule = f"{what}: there are {len(read_times)} times and {len(read_values)} values."
    elif not read_times:
        rule = f"{what}: there is no time and no value."
    else:
        for earlier, later in itertools.pairwise(read_times):
            if later <= earlier:
                rule = f"{what}: times must rise, but {later:g} s comes after {earlier:g} s."
                break
    if rule:
        raise MachineError([Problem(rule, fix="Give rising times in s, and one value for each.")], PLACE)
    return read_times, read_values


def steps(values: Mapping[Any, Any], unit: str | None = None) -> Steps:
    """A value that jumps: time → value from then on, e.g. kb.steps({0: 0.0, "2 s": 0.1})."""
    if not isinstance(values, Mapping):
        raise MachineError([Problem(f"steps: {values!r} does not give a value for each time.", fix=STEPS_FIX)], PLACE)
    return Steps(*times_and_values("steps", list(values), list(values.values()), unit))


def table(times: Sequence[Any], values: Sequence[Any], unit: str | None = None) -> Table:
    """A value that is linear between points, e.g. kb.table([0, "2 s"], ["0 N", "1 kN"])."""
    for what in (times, values):
        if np.ndim(what) != 1:
            raise MachineError([Problem(f"table: {what!r} is not a list.", fix=TABLE_FIX)], PLACE)
    return Table(*times_and_values("table", times, values, unit))


def read_input(name: str, unit: str, given: Any) -> Input:
    """Turn what a user gave for an input into one of the three kinds."""
    what = f"input '{name}'"
    if isinstance(given, Steps | Table):
        return replace(given, values=tuple(read_value(what, value, unit) for value in given.values))
    if isinstance(given, Mapping):
        return Steps(*times_and_values(what, list(given), list(given.values()), unit))
    if callable(given):
        return Function(name, given)
    return Steps((0.0,), (read_value(what, given, unit),))


def read_inputs(planned: Planned, given: Mapping[str, Any] | None) -> list[Input]:
    """One input for each of the machine's, its default where none is given; all problems at once."""
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise MachineError([Problem(f"inputs is {given!r}, which does not name any.", fix=INPUTS_FIX)], PLACE)
    signals = planned.layout.inputs
    driven = [row.part for row in planned.layout.loops.driven]
    known = sorted({signal.path for signal in signals} | set(driven))
    problems = []
    for name in given:
        if name not in known:
            near = tuple(closest(str(name), known))
            fix = f"Its inputs are {', '.join(known)}." if known else "The machine has no inputs."
            problems.append(Problem(f"There is no input '{name}'.", part=str(name), fix=fix, closest=near))
    inputs: list[Input] = []
    for signal in signals:
        try:
            inputs.append(read_input(signal.path, signal.unit, given.get(signal.path, signal.default)))
        except MachineError as error:
            problems += [replace(problem, part=signal.path) for problem in error.problems]
    if problems:
        raise MachineError(problems, PLACE)
    return inputs


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
