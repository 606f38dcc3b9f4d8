# SPDX-License-Identifier: BSD-3-Clause
"""Inputs over time: numbers, steps, tables and functions. Sampled at the start of each step and held over it.

`steps({0: 0.0, 2: 0.1})` jumps at 2 s: a step of the integrator ends exactly there. `table(times, values)` is linear
between its points and constant outside. A plain number is constant, a mapping is taken as steps, a function is called
with the time in s.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem
from knuckleboom.names import closest
from knuckleboom.plan import Planned

Array = NDArray[np.float64]
Floats = tuple[float, ...]
SAME = 1e-9
"""A jump this fraction of a step away from a step's end is taken to lie on it."""


@dataclass(frozen=True)
class Steps:
    """A value that jumps at given times and is constant between."""

    times: tuple[float, ...]
    values: tuple[float, ...]

    def jumps(self) -> tuple[float, ...]:
        """Times at which a step must end."""
        return self.times

    def sample(self, times: Array, slack: float) -> Array:
        """Values from each time on; before the first time the first value."""
        place = np.searchsorted(np.asarray(self.times) - slack, times, side="right") - 1
        return np.asarray(self.values)[np.maximum(place, 0)]


@dataclass(frozen=True)
class Table:
    """A value that is linear between given points and constant outside."""

    times: tuple[float, ...]
    values: tuple[float, ...]

    def jumps(self) -> tuple[float, ...]:
        """A table has kinks, not jumps."""
        return ()

    def sample(self, times: Array, slack: float) -> Array:
        """Values at each time."""
        return np.interp(times, self.times, self.values)


@dataclass(frozen=True)
class Function:
    """A Python function of time; it is called once per step."""

    name: str
    function: Callable[[float], float]

    def jumps(self) -> tuple[float, ...]:
        """A function declares none: use steps() for jumps."""
        return ()

    def sample(self, times: Array, slack: float) -> Array:
        """Values at each time; a value that is not a finite number is refused with its time."""
        values = np.empty(len(times))
        for place, time in enumerate(times):
            value = self.function(float(time))
            try:
                values[place] = value
            except (TypeError, ValueError):
                raise MachineError([wrong_value(self.name, value, time)], "the inputs") from None
            if not np.isfinite(values[place]):
                raise MachineError([wrong_value(self.name, value, time)], "the inputs")
        return values


Input = Steps | Table | Function


def wrong_value(name: str, value: Any, time: float) -> Problem:
    """What a function must not return."""
    return Problem(f"Input '{name}' gave {value!r} at t = {time:g} s, which is not a finite number.", part=name)


def times_and_values(what: str, times: Sequence[Any], values: Sequence[Any], unit: str) -> tuple[Floats, Floats]:
    """Read times and values; they must be finite, as many, and the times must rise."""
    try:
        read_times = tuple(units.parse(time, "s") if isinstance(time, str) else float(time) for time in times)
        read_values = tuple(units.parse(value, unit) if isinstance(value, str) else float(value) for value in values)
    except (TypeError, ValueError) as error:
        raise MachineError([Problem(f"{what}: {error}")], "the inputs") from None
    rule = ""
    if len(read_times) != len(read_values):
        rule = f"{what} has {len(read_times)} times and {len(read_values)} values."
    elif not read_times:
        rule = f"{what} is empty."
    elif not np.isfinite([*read_times, *read_values]).all():
        rule = f"{what} has a number that is not finite."
    elif any(later <= earlier for earlier, later in itertools.pairwise(read_times)):
        rule = f"{what}: its times must rise."
    if rule:
        raise MachineError([Problem(rule, fix="Give rising times in s, and one finite value for each.")], "the inputs")
    return read_times, read_values


def steps(values: Mapping[Any, Any], unit: str = "1") -> Steps:
    """A value that jumps: time → value from then on, e.g. kb.steps({0: 0.0, "2 s": 0.1})."""
    times, read = times_and_values("steps", list(values), list(values.values()), unit)
    return Steps(times, read)


def table(times: Sequence[Any], values: Sequence[Any], unit: str = "1") -> Table:
    """A value that is linear between points."""
    return Table(*times_and_values("table", times, values, unit))


def read_input(name: str, unit: str, given: Any) -> Input:
    """Turn what a user gave for an input into one of the three kinds."""
    if isinstance(given, (Steps, Table)):
        return given
    if isinstance(given, Mapping):
        return steps(given, unit)
    if callable(given):
        return Function(name, given)
    return steps({0.0: given}, unit)


def read_inputs(planned: Planned, given: Mapping[str, Any] | None) -> list[Input]:
    """One input for each of the machine's, its default where none is given; unknown names are refused."""
    signals = planned.layout.inputs
    known = {signal.part for signal in signals}
    problems = []
    for name in given or {}:
        if name not in known:
            near = tuple(closest(name, known))
            fix = f"Its inputs are {', '.join(sorted(known))}." if known else "The machine has no inputs."
            problems.append(Problem(f"There is no input '{name}'.", part=name, fix=fix, closest=near))
    if problems:
        raise MachineError(problems, "the inputs")
    return [read_input(signal.part, signal.unit, (given or {}).get(signal.part, signal.default)) for signal in signals]
