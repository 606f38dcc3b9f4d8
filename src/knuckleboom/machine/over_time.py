# SPDX-License-Identifier: BSD-3-Clause
"""Inputs over time as data: steps, ramps, tables and columns of CSV files. Functions are Python's own.

    steps:   {0: 0, "2 s": 0.1}              jumps at 2 s: a step of the integrator ends exactly there
    ramps:   {1: 0, "1.5 s": 0.6}            linear between the points, constant before and after them
    table:   {times: [1, 1.5], values: [0, 0.6]}      the same as ramps, by columns
    csv:     cycle.csv                       the column named like the input, linear; `column` names another one

In files an input is one of these forms, a number, or a text with a unit; in Python kb.steps, kb.ramps, kb.table and
kb.csv_column make them, and a plain mapping is taken as steps. Values may be texts with a unit: they are read when the
unit of the input is known. Tested in tests/machine/test_over_time.py, tests/simulate/test_inputs.py.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine.yaml_tree import read_scalar
from knuckleboom.quantities import show

Array = NDArray[np.float64]
Floats = tuple[float, ...]
PLACE = "the inputs"
STEPS_FIX = "Write them by time: kb.steps({0: 0.0, 2: 0.1})"
RAMPS_FIX = "Write them by time: kb.ramps({1: 0.0, 1.5: 0.6})"
TABLE_FIX = "Write times and values: kb.table([0, 2], [0.0, 0.1])"
COLUMN_FIX = 'Write kb.csv_column("cycle.csv", "boom lever").'
TIMES_FIX = "Give rising times in s, and one value for each."
FORMS = {"steps": ("steps",), "ramps": ("ramps",), "table": ("table",), "csv": ("csv", "column")}
"""What an input of a file is given by, and the keys of that form."""
TIME = r"^\s*[-+.0-9]"
"""How a time begins."""


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
class CsvColumn:
    """A column of a CSV file, which is opened when a machine is checked or run; without a name, that of the input."""

    file: str
    column: str = ""
    heading: int = 0
    """Line of the heading that also names the input, where all columns of a file are inputs; 0 for others."""


def is_number(value: Any) -> bool:
    """Whether something is one finite number; a text is not, nor an array of several."""
    try:
        return not isinstance(value, str | bytes) and np.ndim(value) == 0 and math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def read_value(value: Any, unit: str | None) -> float | str:
    """A number as it is, a text by its unit; without a unit a text is kept until it is known. Else a ValueError."""
    if isinstance(value, str):
        return value if unit is None else units.parse(value, unit)
    if not is_number(value) or isinstance(value, bool):
        raise ValueError(f"{show(value)} is not a finite number")
    return float(value)


def times_and_values(times: Sequence[Any], values: Sequence[Any], unit: str | None) -> tuple[Floats, Any]:
    """Read times and values; they must be finite, as many, and the times must rise. Else a ValueError."""
    read_times = tuple(float(read_value(time, "s")) for time in times)
    read_values = tuple(read_value(value, unit) for value in values)
    if len(read_times) != len(read_values):
        raise ValueError(f"the number of times is {len(read_times)}, but that of values is {len(read_values)}")
    if not read_times:
        raise ValueError("there is no time and no value")
    for earlier, later in itertools.pairwise(read_times):
        if later <= earlier:
            raise ValueError(f"times must rise, but {later:g} s comes after {earlier:g} s")
    return read_times, read_values


def steps(values: Mapping[Any, Any], unit: str | None = None) -> Steps:
    """A value that jumps: time → value from then on, e.g. kb.steps({0: 0.0, "2 s": 0.1})."""
    if not isinstance(values, Mapping):
        raise refusal("steps", f"{values!r} does not give a value for each time", STEPS_FIX)
    try:
        return Steps(*times_and_values(list(values), list(values.values()), unit))
    except ValueError as error:
        raise refusal("steps", error) from None


def ramps(values: Mapping[Any, Any], unit: str | None = None) -> Table:
    """A value that is linear between points: a lever pulled, held and let go is kb.ramps({1: 0, 1.2: 0.6, 4: 0.6, 4.2:
    0}).
    """
    if not isinstance(values, Mapping):
        raise refusal("ramps", f"{values!r} does not give a value for each time", RAMPS_FIX)
    try:
        return Table(*times_and_values(list(values), list(values.values()), unit))
    except ValueError as error:
        raise refusal("ramps", error) from None


def table(times: Sequence[Any], values: Sequence[Any], unit: str | None = None) -> Table:
    """A value that is linear between points, e.g. kb.table([0, "2 s"], ["0 N", "1 kN"])."""
    for what in (times, values):
        if np.ndim(what) != 1:
            raise refusal("table", f"{what!r} is not a list", TABLE_FIX)
    try:
        return Table(*times_and_values(times, values, unit))
    except ValueError as error:
        raise refusal("table", error) from None


def csv_column(file: str | os.PathLike[str], column: str = "") -> CsvColumn:
    """A column of a CSV file whose first one is time, e.g. kb.csv_column("cycle.csv", "boom lever")."""
    if not isinstance(file, str | os.PathLike):
        raise refusal("csv_column", f"{file!r} is not the name of a file", COLUMN_FIX)
    if not isinstance(column, str):
        raise refusal("csv_column", f"{column!r} is not the name of a column", COLUMN_FIX)
    return CsvColumn(os.fspath(file), column)


def refusal(what: str, reason: object, fix: str = TIMES_FIX) -> MachineError:
    """What is raised for an input that cannot be read."""
    return MachineError([Problem(f"{what}: {reason}.", fix=fix)], PLACE)


def read_form(value: Any, folder: Path) -> Any:
    """An input as it stands in a case: data, a number, a text with a unit or a function. Else a ValueError.

    Files are looked for in a folder.
    """
    if isinstance(value, CsvColumn):
        return CsvColumn(str(folder / value.file), value.column)
    if isinstance(value, Steps | Table) or callable(value) or not isinstance(value, Mapping):
        return value if isinstance(value, Steps | Table) or callable(value) else read_value(value, None)
    form = next((form for form in FORMS if form in value), "")
    if not form:
        return Steps(*times_and_values(*by_time(value), None))
    extra = [str(key) for key in value if key not in FORMS[form]]
    if extra:
        raise ValueError(f"{show(extra[0])} does not go with '{form}'; write one of {', '.join(FORMS)}")
    given = value[form]
    if form == "csv":
        if not isinstance(given, str) or not isinstance(value.get("column", ""), str):
            raise ValueError("csv is the name of a file, and column a heading in it")
        return CsvColumn(str(folder / given), value.get("column", ""))
    if form == "table":
        if not isinstance(given, Mapping) or set(given) != {"times", "values"}:
            raise ValueError("a table is written as {times: [0, 2], values: [0, 0.1]}")
        if not all(isinstance(given[key], list | tuple) for key in ("times", "values")):
            raise ValueError("times and values of a table are lists")
        return Table(*times_and_values(given["times"], given["values"], None))
    if not isinstance(given, Mapping):
        raise ValueError(f"{form} are written by time: {{0: 0, 2 s: 0.1}}")
    return (Steps if form == "steps" else Table)(*times_and_values(*by_time(given), None))


def input_schema() -> dict[str, Any]:
    """The JSON Schema of an input in a file."""
    value = {"type": ["number", "string"]}
    by_time_form = {"type": "object", "patternProperties": {TIME: value}, "additionalProperties": False}
    columns = {"type": "array", "items": value}
    table_form = {
        "type": "object",
        "properties": {"times": columns, "values": columns},
        "required": ["times", "values"],
        "additionalProperties": False,
    }
    forms = {"steps": by_time_form, "ramps": by_time_form, "table": table_form, "csv": {"type": "string"}}
    found: list[dict[str, Any]] = [value, by_time_form]
    for form, keys in FORMS.items():
        properties = {key: forms.get(key, {"type": "string"}) for key in keys}
        found.append({"type": "object", "properties": properties, "required": [form], "additionalProperties": False})
    return {"anyOf": found}


def by_time(given: Mapping[Any, Any]) -> tuple[list[Any], list[Any]]:
    """Times and values of a mapping; keys of files are texts, of which bare numbers are in s."""
    times = [read_scalar(key) if isinstance(key, str) else key for key in given]
    return times, list(given.values())


def write_form(value: Any, folder: Path) -> Any:
    """An input as it is written into a file in a folder; a ValueError for what only Python has."""
    if isinstance(value, CsvColumn):
        found = {"csv": os.path.relpath(value.file, folder)}
        return found | ({"column": value.column} if value.column else {})
    if isinstance(value, Steps | Table):
        pairs = dict(zip(value.times, value.values, strict=True))
        return {"steps" if isinstance(value, Steps) else "ramps": pairs}
    if callable(value):
        raise ValueError("is a function of Python's")
    return value
