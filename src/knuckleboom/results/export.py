# SPDX-License-Identifier: BSD-3-Clause
"""CSV export: chosen quantities of a run, in chosen units, at chosen times.

    time [s], lift.a.pressure [bar], boom.tip.position.z [mm]

Signals are paths, components (`boom.tip.position.z`) or shell patterns (`lift.*`). Units are words: "SI", "human" (bar,
mm, deg, l/min, kN, …) or units such as "barg", each for all quantities of its dimension; what comes last counts.
Between records values are interpolated linearly. Pressures are absolute unless a gauge unit is named; a file that is
not in SI says so in a first line that begins with #. machine/csv_file.py reads such files as inputs, report/measured.py
as measured data. Tested in tests/results/test_export.py.
"""

import csv
import fnmatch
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units as units_of
from knuckleboom.errors import KnuckleboomError, UnitError, offer
from knuckleboom.names import Names, Signal, closest, component_labels

if TYPE_CHECKING:
    from knuckleboom.results.results import Results

Array = NDArray[np.float64]

SI, PEOPLE = "SI", "human"
DIGITS = 12
"""Significant digits of numbers that are converted or lie between records."""
MOST_NUMBERS = 5_000_000
"""Numbers, lines times columns, that a sample time may make of a run; they are put together in memory."""

_ANGLE = re.compile(r"rad|deg(?![CF])|rev|turn|rpm|°(?!C)")


class ExportError(KnuckleboomError):
    """Signals, units or a sample time that a run does not have; the text names all of them."""


@dataclass(frozen=True)
class Export:
    """What of a run goes into a CSV file; without signals all, without units SI, without `every` each record."""

    signals: tuple[str, ...] = ()
    units: tuple[str, ...] = (SI,)
    every: float | None = None

    @classmethod
    def read(
        cls, signals: str | Sequence[str] | None, units: str | Sequence[str] | None, every: float | str | None
    ) -> "Export":
        """Read texts parted by commas, or lists of them, and a time in s or with its unit; else an ExportError."""
        try:
            step = units_of.parse(every, "s") if isinstance(every, str) else every
        except UnitError as error:
            raise ExportError(f"every: {error}.") from None
        if step is not None and not _is_time(step):
            raise ExportError(f"every: '{every}' is not a time longer than 0 s.")
        return cls(tuple(_items(signals)), tuple(_items(units)) or (SI,), step)

    def columns(self, names: Names) -> "list[Column]":
        """Return the columns beside time; an ExportError names everything that does not fit."""
        every = [Column(signal, part) for signal in names for part in range(len(signal.columns))]
        chosen, problems = [], []
        for pattern in self.signals or ("*",):
            found = [one for one in every if _matches(pattern, one)]
            if not found and self.signals:
                near = closest(pattern.replace("*", ""), [signal.path for signal in names])
                problems.append(f"No recorded quantity matches '{pattern}'.{offer(near)}")
            chosen += found
        kept = list(dict.fromkeys(chosen))
        for word in self.units:
            problem = self._unfit(word, kept)
            if problem:
                problems.append(problem)
        if problems:
            raise ExportError("\n".join(problems))
        return kept

    def _unfit(self, word: str, columns: "list[Column]") -> str:
        if word in (SI, PEOPLE) or _fits(word, "s"):
            return ""
        own = list(dict.fromkeys(units_of.canonical(column.signal.unit) for column in columns))
        if any(_fits(word, unit) for unit in own):
            return ""
        shown = ", ".join(dict.fromkeys(column.signal.unit for column in columns)) or "none"
        near = closest(word, dict.fromkeys([SI, PEOPLE, *(usual for unit in own for usual in _usual_units(unit))]))
        return f"units: '{word}' is neither {SI}, nor {PEOPLE}, nor a unit of what is chosen ({shown}).{offer(near)}"

    def unit(self, signal: Signal | None) -> str:
        """Return the unit that a signal, or time, is written in."""
        own = "s" if signal is None else units_of.canonical(signal.unit)
        found = own
        for word in self.units:
            if word in (SI, PEOPLE):
                found = _read_in(own) if word == PEOPLE else own
            elif _fits(word, own) and not (word in units_of.GAUGE_UNITS and _is_difference(signal)):
                found = word
        return found

    def times(self, recorded: Array, width: int) -> Array:
        """Return the times of the lines, s; an ExportError if lines of this width would be too many."""
        if self.every is None or len(recorded) == 0:
            return recorded
        span = float(recorded[-1] - recorded[0])
        count = math.floor(span / self.every * (1.0 + 1e-12) + 1e-9) + 1
        if count * width > MOST_NUMBERS:
            made = f"{count} lines of {width} numbers"
            raise ExportError(f"every: {self.every:g} s would make {made}; give a longer time or fewer signals.")
        grid = recorded[0] + self.every * np.arange(count)
        rounded: Array = np.array([float(f"{time:.{DIGITS}g}") for time in grid])
        return np.asarray(np.minimum(rounded, recorded[-1]))

    def text(self, results: "Results") -> str:
        """Return the whole file."""
        columns = self.columns(results.names)
        times = self.times(results.time, 1 + len(columns))
        table = [units_of.convert(times, "s", self.unit(None))]
        headings = [f"time [{self.unit(None)}]"]
        for column in columns:
            unit = self.unit(column.signal)
            table.append(units_of.convert(column.values(results, times), units_of.canonical(column.signal.unit), unit))
            headings.append(f"{column.label} [{unit}]")
        stream = io.StringIO(newline="")
        if self.units != (SI,):
            stream.writelines(f"# {line}\n" for line in self.remarks(columns))
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(headings)
        lines = np.column_stack(table).tolist()
        exact = self.units == (SI,)
        writer.writerows(lines if exact else [[f"{value:.{DIGITS}g}" for value in line] for line in lines])
        return stream.getvalue()

    def remarks(self, columns: "list[Column]") -> Iterator[str]:
        """Say which zero each unit of pressure has."""
        pressures = [one.signal for one in columns if one.signal.unit == "Pa" and not _is_difference(one.signal)]
        for unit in dict.fromkeys(self.unit(signal) for signal in pressures):
            if unit in units_of.GAUGE_UNITS:
                yield f"Pressures in {unit} count from the standard atmosphere, 1.01325 bar."
            else:
                yield f"Pressures in {unit} are absolute: 0 is vacuum."


@dataclass(frozen=True)
class Column:
    """One component of a signal."""

    signal: Signal
    part: int

    @property
    def label(self) -> str:
        """Its heading without the unit."""
        return component_labels(self.signal)[self.part]

    def values(self, results: "Results", times: Array) -> Array:
        """Return its values at these times, SI."""
        if times is results.time or np.array_equal(times, results.time):
            return results.record[:, self.signal.columns[self.part]]
        found = np.asarray(results[self.signal.path].at(times))
        return found if found.ndim == 1 else found[:, self.part]


def _is_time(value: Any) -> bool:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return number and bool(0.0 < value < math.inf)


def _items(given: str | Sequence[str] | None) -> list[str]:
    texts = [given] if isinstance(given, str) else list(given or ())
    return [item.strip() for text in texts for item in str(text).split(",") if item.strip()]


def _matches(pattern: str, column: Column) -> bool:
    path, label = column.signal.path, column.label
    return pattern in (path, label) or fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(label, pattern)


def _read_in(unit: str) -> str:
    """Return the unit of the word human for an SI unit."""
    return units_of.canonical(units_of.readable(unit)[0]) or unit


def _usual_units(unit: str) -> list[str]:
    """Return units that a quantity in this SI unit is often written in."""
    gauge = units_of.GAUGE_UNITS if unit == "Pa" else ()
    return [unit, *units_of.COMMON.get(unit, ()), _read_in(unit), *gauge]


def _fits(word: str, unit: str) -> bool:
    """Return whether a written unit has the dimension of an SI unit; an angle is not a plain number here."""
    if bool(_ANGLE.search(word)) != bool(_ANGLE.search(unit)):
        return False
    try:
        units_of.convert(0.0, unit, word)
    except UnitError:
        return False
    return word not in units_of.PLAIN_UNITS or unit == "1"


def _is_difference(signal: Signal | None) -> bool:
    """Return whether a signal in Pa is no pressure but a difference of two, which has no zero to choose."""
    return signal is not None and signal.path.endswith(".difference")
