# SPDX-License-Identifier: BSD-3-Clause
"""CSV files with a column of time: measured data of a report, inputs of a run.

    time [s], boom [1], lift.a.pressure [bar]

The first column is time; each heading has its unit in brackets, without which it is in SI, as everywhere. Fields are
parted by comma, semicolon or tab (with semicolons and tabs a decimal comma is understood), lines that begin with # are
remarks. Everything that is wrong with a file is said at once, with its line. Tested in tests/report/test_measured.py,
tests/machine/test_over_time.py.
"""

import csv
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.errors import MachineError, Problem, UnitError
from knuckleboom.machine.over_time import CsvColumn, Table
from knuckleboom.names import closest

Array = NDArray[np.float64]
Lines = list[tuple[int, list[str]]]
Note = Callable[..., None]

HEADING = re.compile(r"^(.*?)\s*(?:(?<=\s)\[([^\[\]]*)\]|\[([^\[\]\d][^\[\]]*)\])?$")
MOST_PROBLEMS = 20
MOST_BYTES = 200_000_000
TWICE_FIX = "Give each column a name of its own."


class Notes:
    """Collects the problems of one file, each with the input for which it is read."""

    def __init__(self, source: Path, part: str = "") -> None:
        self.source, self.part, self.problems = source, part, list[Problem]()
        self.noted: set[tuple[int, str]] = set()

    def __call__(self, line: int, rule: str, fix: str = "", near: tuple[str, ...] = ()) -> None:
        """Note one, unless another input of the same column had it already."""
        problem = Problem(rule, self.part, fix=fix, closest=near).placed(str(self.source), (line, line))
        if (line, rule) not in self.noted:
            self.problems.append(problem)
        self.noted.add((line, rule))

    def shorten(self) -> None:
        """Sort the problems by line and keep as many as a reader can use."""
        self.problems.sort(key=lambda problem: problem.lines or (0, 0))
        if len(self.problems) > MOST_PROBLEMS:
            left = len(self.problems) - MOST_PROBLEMS
            more = f"and {left} more problems of the same file."
            self.problems[MOST_PROBLEMS:] = [Problem(more, self.part, file=str(self.source))]

    def refuse(self) -> None:
        """Raise MachineError if there are any, in the order of their lines."""
        self.shorten()
        if self.problems:
            raise MachineError(self.problems, str(self.source))


def read_lines(source: Path) -> Lines:
    """Return the lines that hold something, each with its number and its fields."""

    def refuse(rule: str) -> MachineError:
        return MachineError([Problem(rule, file=str(source))], str(source))

    try:
        if source.exists() and not source.is_file():
            raise refuse("the file cannot be read: it is a folder, a device or a pipe.")
        if source.stat().st_size > MOST_BYTES:
            raise refuse(f"the file is larger than {MOST_BYTES / 1e6:.0f} MB.")
        text = source.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise refuse(f"the file cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except UnicodeDecodeError as error:
        number = error.object[: error.start].count(b"\n") + 1
        raise refuse(f"line {number} is not text in UTF-8, so it is no CSV file.") from None
    kept = [
        (number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and line.lstrip()[0] != "#"
    ]
    if not kept:
        return []
    mark = max("\t;,", key=lambda sign: kept[0][1].count(sign))
    notes = Notes(source)
    lines = [(number, split_line(number, line, mark, notes)) for number, line in kept]
    notes.refuse()
    return lines


def split_line(number: int, line: str, mark: str, note: Note) -> list[str]:
    """Return the fields of a line; note one that cannot be split."""
    try:
        return [item.strip() for item in next(csv.reader([line], delimiter=mark, strict=True))]
    except csv.Error:
        if len(line) > csv.field_size_limit():
            note(number, f"a field has more than {csv.field_size_limit()} letters.")
        else:
            note(number, "a quotation mark is not closed, or stands inside a field.", "Numbers need none.")
    return []


def split(text: str) -> tuple[str, str]:
    """Return name and unit of a heading such as `lift.a.pressure [bar]`; the number of a row is not a unit."""
    match = HEADING.match(text.strip())
    if match is None:
        return text.strip(), ""
    return match.group(1).strip(), (match.group(2) or match.group(3) or "").strip()


def read_time_heading(line: int, heading: list[str], note: Note, example: str) -> float:
    """Return the unit of time in s; note a first column that is not time, and a file without others."""
    name, unit = split(heading[0])
    if name.lower() not in ("time", "t"):
        note(line, f"the first column is '{heading[0]}', not time.", "Head it time [s].")
    if len(heading) < 2:
        note(line, "there is no column beside time.", f"Add one such as {example}")
    try:
        return float(units.factor(unit or "s", "s"))
    except UnitError as error:
        note(line, f"time: {error}.")
    return 1.0


def read_table(lines: Lines, width: int, note: Note) -> Array:
    """Return the numbers, missing ones as NaN."""
    table = np.full((len(lines), width), np.nan)
    for row, (number, fields) in enumerate(lines):
        if len(fields) != width:
            note(number, f"the number of fields is {len(fields)}, but the heading has {width}.")
            continue
        for place, text in enumerate(fields):
            if not text:
                if place == 0:
                    note(number, "the time is missing.")
                continue
            try:
                table[row, place] = read_number(text)
            except ValueError:
                note(number, f"'{text}' in column {place + 1} is not a number.")
                continue
            if not np.isfinite(table[row, place]) and text.lower().lstrip("+-") != "nan":
                note(number, f"'{text}' in column {place + 1} is not finite.")
    return table


def read_number(text: str) -> float:
    """Return a number with a decimal point or comma; a ValueError for others, also 1_000, which Python would take."""
    if "_" in text:
        raise ValueError(text)
    return float(text.replace(",", "."))


def check_times(time: Array, numbers: list[int], note: Note) -> None:
    """Note times that are missing or go back."""
    latest = -np.inf
    for value, number in zip(time, numbers, strict=True):
        if np.isnan(value):
            continue  # noted already
        if value <= latest:
            note(number, f"the time {value:g} does not come after {latest:g}.", "Sort the lines by time.")
        latest = max(latest, value)


def to_si(written: str, unit: str) -> tuple[float, float]:
    """Return factor and offset from a written unit to SI; gauge pressures and temperatures have an offset."""
    if unit == "K" and written in units.TEMPERATURES:
        return units.TEMPERATURES[written]
    if unit == "Pa" and written in units.GAUGE_UNITS:
        return units.factor(units.GAUGE_UNITS[written], unit), units.STANDARD_ATMOSPHERE
    return units.factor(units.ABSOLUTE_UNITS.get(written, written), unit), 0.0


def read_whole(source: Path, notes: Notes, example: str) -> tuple[int, list[str], Lines, Array]:
    """Return the line of the heading, its fields, the lines below it and the numbers, with times in s.

    What is wrong is noted; a file without a heading is refused.
    """
    lines = read_lines(source)
    if not lines:
        notes(1, "the file has no heading.", f"Begin with a line such as time [s], {example}")
        notes.refuse()
    (line, heading), rest = lines[0], lines[1:]
    scale = read_time_heading(line, heading, notes, example)
    if not rest:
        notes(line, "there is no line of numbers below the heading.")
    table = read_table(rest, len(heading), notes)
    check_times(table[:, 0], [number for number, _ in rest], notes)
    table[:, 0] *= scale
    return line, heading, rest, table


def refuse_malformed(file: str) -> None:
    """Raise MachineError with every problem of a file that can be found without knowing what its columns mean."""
    notes = Notes(Path(file))
    read_whole(notes.source, notes, "lift.a.pressure [bar]")
    notes.refuse()


# --- columns as inputs ------------------------------------------------------------------------------------------------


def all_columns(file: str) -> dict[str, CsvColumn]:
    """Return every column beside time as an input, by the name in its heading, which may be that of a record."""
    source, notes = Path(file), Notes(Path(file))
    lines = read_lines(source)
    if not lines:
        notes(1, "the file has no heading.", "Begin with a line such as time [s], boom")
    else:
        read_time_heading(*lines[0], notes, "boom")
    notes.refuse()
    names = [split(text)[0] for text in lines[0][1][1:]]
    for name in sorted({name for name in names if names.count(name) > 1}):
        notes(lines[0][0], f"'{name}' stands twice.", TWICE_FIX)
    notes.refuse()
    # a run records the input `boom` as `boom.input`
    return {name.removesuffix(".input"): CsvColumn(file, name, lines[0][0]) for name in names}


def read_column(given: CsvColumn, name: str, unit: str) -> Table:
    """Return a column as a table in the SI unit of an input; raise MachineError with every problem of the file."""
    tables, problems = read_columns({name: (given, unit)})
    if problems:
        raise MachineError(problems, given.file)
    return tables[name]


def read_columns(wanted: Mapping[str, tuple[CsvColumn, str]]) -> tuple[dict[str, Table], list[Problem]]:
    """Return columns as tables in the SI units of inputs, and what is wrong with their files.

    What is `wanted` is a column and a unit, by the name of the input. A file is read once for all its columns, so that
    a problem of it is there once; an input has no table where anything is wrong with its file.
    """
    tables: dict[str, Table] = {}
    problems: list[Problem] = []
    for file in dict.fromkeys(given.file for given, _ in wanted.values()):
        own = {name: (given.column or name, unit) for name, (given, unit) in wanted.items() if given.file == file}
        notes = Notes(Path(file), next(iter(own)))
        try:
            line, heading, rest, table = read_whole(notes.source, notes, notes.part)
        except MachineError as error:
            problems += [replace(problem, part=notes.part) for problem in error.problems]
            continue
        for name, (column, unit) in own.items():
            notes.part = name
            place, scale, zero = find_column(line, heading, column, unit, notes)
            if place:
                check_complete(table[:, place], place, heading, rest, notes)
            values = (table[:, place] * scale + zero).tolist()
            tables[name] = Table(tuple(table[:, 0].tolist()), tuple(values))
        if notes.problems:
            tables = {name: one for name, one in tables.items() if name not in own}
        notes.shorten()
        problems += notes.problems
    return tables, problems


def find_column(line: int, heading: list[str], column: str, unit: str, notes: Notes) -> tuple[int, float, float]:
    """Return the place of a column, and factor and offset to the SI unit of its input; note what does not fit."""
    names = [split(text)[0] for text in heading]
    if names[1:].count(column) > 1:
        notes(line, f"'{column}' stands twice.", TWICE_FIX)
    if column not in names[1:]:
        fix = f"Its columns are {', '.join(names[1:])}." if names[1:] else ""
        near = tuple(closest(column, names[1:]))
        notes(line, f"there is no column '{column}' for input '{notes.part}'.", fix, near)
        return 0, 1.0, 0.0
    place = names.index(column, 1)
    try:
        return place, *to_si(split(heading[place])[1] or unit, unit)
    except UnitError as error:
        notes(line, f"'{column}': {error}.")
    return place, 1.0, 0.0


def check_complete(values: Array, place: int, heading: list[str], rest: Lines, notes: Notes) -> None:
    """Note the lines in which a column has no number."""
    column = split(heading[place])[0]
    for number, fields in (rest[row] for row in np.flatnonzero(np.isnan(values))):
        if len(fields) == len(heading) and fields[place].lower().lstrip("+-") in ("", "nan"):
            notes(number, f"'{column}' has no number here.", "An input needs a value at every time.")
