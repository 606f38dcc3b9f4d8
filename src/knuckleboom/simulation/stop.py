# SPDX-License-Identifier: BSD-3-Clause
"""Stop conditions: "lift.length > 0.4 m", or a Python function of the quantities. The first that holds ends a run.

Conditions are looked at where the run is recorded, before the step that follows. Texts become a column, a sign and a
threshold that the step loop compares; functions are called between blocks. Tested in tests/simulate/test_stop.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem
from knuckleboom.names import Names
from knuckleboom.plan import Planned
from knuckleboom.quantities import show
from knuckleboom.simulation.control import locate

Array = NDArray[np.float64]
CONDITION = re.compile(r"\s*(?P<path>[^<>=\s]+)\s*(?P<compare><=|>=|<|>)\s*(?P<value>[^<>=]+?)\s*$")
FIX = 'Write it like "lift.length > 0.4 m": a quantity, one of <, <=, >, >=, and a value with its unit.'
PLACE = "the stop conditions"


@dataclass(frozen=True)
class Condition:
    """sign·(line[column] − threshold) > 0 stops the run."""

    text: str
    column: int
    sign: float
    threshold: float
    unit: str


@dataclass(frozen=True)
class Stops:
    """All conditions of a run: those compared in the step loop, and functions."""

    conditions: list[Condition]
    functions: list[Callable[[Mapping[str, Any]], Any]]

    def tables(self) -> tuple[NDArray[np.int64], Array]:
        """Columns, and signs with thresholds, for plan.control."""
        columns = np.array([condition.column for condition in self.conditions], np.int64)
        numbers = np.array([(condition.sign, condition.threshold) for condition in self.conditions], np.float64)
        return columns, numbers.reshape(-1, 2)

    def message(self, number: int, line: Array) -> str:
        """Which condition stopped the run, when, and at which value."""
        condition = self.conditions[number]
        name, size = units.HUMAN.get(units.canonical(condition.unit), (condition.unit, 1.0))
        # six digits: with three the value may look as if it did not fulfil the condition
        value = f"{line[condition.column] / size:.6g} {'' if name == '1' else name}".strip()
        return f"Stopped at t = {line[0]:.6g} s: {condition.text} (it is {value})."


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called in a message."""
    return getattr(function, "__name__", repr(function))


def read_stops(planned: Planned, names: Names, given: Any) -> Stops:
    """One condition or several, as texts or functions; all problems at once."""
    several = [] if given is None else list(given) if _is_list(given) else [given]
    conditions, functions, problems = [], [], []
    for item in several:
        if callable(item):
            functions.append(item)
            continue
        try:
            conditions.append(read_condition(planned, names, item))
        except ValueError as error:
            problems.append(Problem(f"stop {show(item)}: {error}.", fix=FIX))
    if problems:
        raise MachineError(problems, PLACE)
    return Stops(conditions, functions)


def _is_list(given: Any) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, str)


def read_condition(planned: Planned, names: Names, text: Any) -> Condition:
    """Read one text; a ValueError says what is wrong with it."""
    found = CONDITION.match(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError("it is not a condition")
    columns, unit = locate(names, planned, found["path"])
    if len(columns) > 1:
        raise ValueError(f"'{found['path']}' has {len(columns)} components; name one, such as {found['path']}.x")
    value = found["value"]
    threshold = float(value) if _is_number(value) else units.parse(value, units.canonical(unit))
    sign = 1.0 if found["compare"][0] == ">" else -1.0
    if found["compare"].endswith("="):
        threshold = float(np.nextafter(threshold, -sign * np.inf))
    return Condition(" ".join(text.split()), columns[0], sign, threshold, unit)


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
