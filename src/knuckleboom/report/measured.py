# SPDX-License-Identifier: BSD-3-Clause
"""Measured data from a CSV file, matched by name to what a run recorded, and how far the two are apart.

    time [s], lift.a.pressure [bar], boom.tip.position.z [mm]

The file is read by machine/csv_file.py; its columns are named like quantities or their components, empty fields are
missing values. The run is interpolated at the measured times; times outside of it are not compared. Tested in
tests/report/test_measured.py.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.errors import UnitError
from knuckleboom.machine.csv_file import Notes, read_whole, split, to_si
from knuckleboom.names import UnknownName, closest
from knuckleboom.plots.reading import shown
from knuckleboom.report.curves import all_curves
from knuckleboom.results import Quantity, Results

Array = NDArray[np.float64]

ROW = re.compile(r"^(.*)\[(\d+)\]$")


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


def measured_of_case(results: Results) -> Path | None:
    """Return the file with measured data that the run's case names, or None."""
    named = (results.meta.get("case") or {}).get("measured")
    return Path(named) if named else None


def read_measured(path: str | Path, results: Results) -> list[Measured]:
    """Read a CSV file and compare it with a run; raise MachineError with every problem of the file."""
    note = Notes(Path(path))
    line, heading, _, table = read_whole(note.source, note, "lift.a.pressure [bar]")
    columns = read_columns(line, heading, results, note)
    note.refuse()
    return [compare(column, table[:, 0], table[:, 1 + place], results) for place, column in enumerate(columns)]


def read_columns(line: int, heading: list[str], results: Results, note: Notes) -> list[Column]:
    """Return the columns after time."""
    columns, seen = list[Column](), set()
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
    return columns


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
