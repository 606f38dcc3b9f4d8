# SPDX-License-Identifier: BSD-3-Clause
"""Measured data from a CSV file, matched by name to what a run recorded, and how far the two are apart.

    time [s], lift.a.pressure [bar], boom.tip.position.z [mm]

The first column is time, the others are named like quantities or their components, each with its unit in brackets; a
heading without brackets is in SI, as everywhere. Fields are parted by comma, semicolon or tab (with semicolons and tabs
a decimal comma is understood), empty ones are missing values, lines that begin with # are remarks. The run is
interpolated at the measured times; times outside of it are not compared. Everything that is wrong with a file is said
at once, with its line. Tested in tests/report/test_measured.py.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem, UnitError
from knuckleboom.names import UnknownName, closest
from knuckleboom.plots.reading import shown
from knuckleboom.report.curves import all_curves
from knuckleboom.results import Quantity, Results

Array = NDArray[np.float64]

HEADING = re.compile(r"^(.*?)\s*(?:(?<=\s)\[([^\[\]]*)\]|\[([^\[\]\d][^\[\]]*)\])?$")
ROW = re.compile(r"^(.*)\[(\d+)\]$")
MOST_PROBLEMS = 20
MOST_BYTES = 200_000_000


@dataclass(frozen=True)
class Measured:
    """One measured quantity beside the computed one, in the unit people read; differences are measured − computed."""

    name: str
    unit: str
    time: Array
    values: Array
    compared: int
    rms: float | None
    largest: float | None
    largest_at: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return what `--json` prints; numbers in `unit`, times in s."""
        return {
            "name": self.name, "unit": self.unit, "points": len(self.values), "compared": self.compared,
            "rms": self.rms, "max": self.largest, "max_time": self.largest_at,
        }  # fmt: skip


@dataclass
class Column:
    """One column of the file while it is read."""

    name: str
    unit: str
    quantity: Quantity | None
    component: int | None = None


def read_measured(path: str | Path, results: Results) -> list[Measured]:
    """Read a CSV file and compare it with a run; raise MachineError with every problem of the file."""
    source = Path(path)
    lines = read_lines(source)
    problems: list[Problem] = []

    def note(line: int, rule: str, fix: str = "", near: tuple[str, ...] = ()) -> None:
        problems.append(Problem(rule, file=str(source), lines=(line, line), fix=fix, closest=near))

    if not lines:
        note(1, "the file has no heading.", "Begin with a line such as time [s], lift.a.pressure [bar]")
        raise MachineError(problems, str(source))
    (line, heading), rest = lines[0], lines[1:]
    time_unit, columns = read_heading(line, heading, results, note)
    if not rest:
        note(line, "there is no line of numbers below the heading.")
    table = read_table(rest, len(heading), note)
    check_times(table[:, 0], [number for number, _ in rest], note)
    if len(problems) > MOST_PROBLEMS:
        left = len(problems) - MOST_PROBLEMS
        problems[MOST_PROBLEMS:] = [Problem(f"and {left} more problems of the same file.", file=str(source))]
    if problems:
        raise MachineError(problems, str(source))
    time = table[:, 0] * units.factor(time_unit or "s", "s")
    return [compare(column, time, table[:, 1 + place], results) for place, column in enumerate(columns)]


def read_lines(source: Path) -> list[tuple[int, list[str]]]:
    """Return the lines that hold something, each with its number and its fields."""

    def refuse(rule: str) -> MachineError:
        return MachineError([Problem(rule, file=str(source))], str(source))

    try:
        if source.stat().st_size > MOST_BYTES:
            raise refuse(f"the file is larger than {MOST_BYTES / 1e6:.0f} MB.")
        text = source.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise refuse(f"the file cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except UnicodeDecodeError as error:
        number = error.object[: error.start].count(b"\n") + 1
        raise refuse(f"line {number} is not text in UTF-8; is this a CSV file?") from None
    kept = [
        (number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and line.lstrip()[0] != "#"
    ]
    if not kept:
        return []
    mark = max("\t;,", key=lambda sign: kept[0][1].count(sign))
    return [(number, [item.strip() for item in next(csv.reader([line], delimiter=mark))]) for number, line in kept]


def read_heading(line: int, heading: list[str], results: Results, note: Any) -> tuple[str, list[Column]]:
    """Return the unit of time and the columns after it."""
    name, time_unit = split(heading[0])
    if name.lower() not in ("time", "t"):
        note(line, f"the first column is '{heading[0]}', not time.", "Head it time [s].")
    try:
        units.factor(time_unit or "s", "s")
    except UnitError as error:
        note(line, f"time: {error}.")
    if len(heading) < 2:
        note(line, "there is no column beside time.", "Add one such as lift.a.pressure [bar]")
    columns, seen = [], set()
    for text in heading[1:]:
        column = find_column(*split(text), results)
        columns.append(column)
        if column.quantity is None:
            known = [*results.names.paths, *(curve.name for curve in all_curves(results))]
            near = tuple(dict.fromkeys(closest(column.name, known)))
            note(line, f"the run has no quantity '{column.name}'.", near=near)
            continue
        if column.quantity.values.ndim > 1 and column.component is None:
            whole = [curve.name for curve in all_curves(results) if curve.name.startswith(column.name)]
            note(line, f"'{column.name}' has several components.", f"Name one of them: {', '.join(whole[:4])}.")
        if column.name in seen:
            note(line, f"'{column.name}' stands twice.")
        seen.add(column.name)
        try:
            units.convert(0.0, units.canonical(column.quantity.unit), column.unit or column.quantity.unit)
        except UnitError as error:
            note(line, f"'{column.name}': {error}.")
    return time_unit, columns


def split(text: str) -> tuple[str, str]:
    """Return name and unit of a heading such as `lift.a.pressure [bar]`; the number of a row is not a unit."""
    match = HEADING.match(text.strip())
    if match is None:
        return text.strip(), ""
    return match.group(1).strip(), (match.group(2) or match.group(3) or "").strip()


def find_column(name: str, unit: str, results: Results) -> Column:
    """Return the quantity or component that a name means."""
    row = ROW.match(name)
    if row is not None and row.group(1) in results and results.names[row.group(1)].dim == "row":
        component = int(row.group(2))
        if component < len(results.names[row.group(1)].columns):
            return Column(name, unit, results[row.group(1)], component)
    try:
        return Column(name, unit, results[name])
    except UnknownName:
        return Column(name, unit, None)


def read_table(lines: list[tuple[int, list[str]]], width: int, note: Any) -> Array:
    """Return the numbers, missing ones as NaN."""
    table = np.full((len(lines), width), np.nan)
    for row, (number, fields) in enumerate(lines):
        if len(fields) != width:
            note(number, f"there are {len(fields)} fields, the heading has {width}.")
            continue
        for place, text in enumerate(fields):
            if not text:
                if place == 0:
                    note(number, "the time is missing.")
                continue
            try:
                table[row, place] = float(text.replace(",", "."))
            except ValueError:
                note(number, f"'{text}' in column {place + 1} is not a number.")
                continue
            if not np.isfinite(table[row, place]) and text.lower().lstrip("+-") != "nan":
                note(number, f"'{text}' in column {place + 1} is not finite.")
    return table


def check_times(time: Array, numbers: list[int], note: Any) -> None:
    """Note times that are missing or go back."""
    latest = -np.inf
    for value, number in zip(time, numbers, strict=True):
        if np.isnan(value):
            continue  # noted already
        if value <= latest:
            note(number, f"the time {value:g} does not come after {latest:g}.", "Sort the lines by time.")
        latest = max(latest, value)


def compare(column: Column, time: Array, values: Array, results: Results) -> Measured:
    """Set one measured column against the run."""
    quantity = column.quantity
    assert quantity is not None
    unit, factor = shown(quantity)
    scale, zero = to_si(column.unit or quantity.unit, units.canonical(quantity.unit))
    here = np.isfinite(values) & np.isfinite(time)
    time, measured = time[here], (values[here] * scale + zero) * factor
    inside = (time >= results.time[0]) & (time <= results.time[-1]) if len(results.time) else np.zeros(len(time), bool)
    if not inside.any():
        return Measured(column.name, unit, time, measured, 0, None, None, None)
    computed = np.asarray(quantity.at(time[inside])) * factor
    if column.component is not None:
        computed = computed[:, column.component]
    apart = measured[inside] - computed
    worst = int(np.abs(apart).argmax())
    rms = float(np.sqrt(np.mean(apart**2)))
    return Measured(
        column.name, unit, time, measured, int(inside.sum()), rms, float(apart[worst]), float(time[inside][worst])
    )


def to_si(written: str, unit: str) -> tuple[float, float]:
    """Return factor and offset from a written unit to SI; gauge pressures and temperatures have an offset."""
    at_zero, at_one = (float(units.convert(value, unit, written)) for value in (0.0, 1.0))
    scale = 1.0 / (at_one - at_zero)
    return scale, -at_zero * scale
