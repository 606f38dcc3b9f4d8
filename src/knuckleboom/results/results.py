# SPDX-License-Identifier: BSD-3-Clause
"""Results of a run: every recorded quantity by name, and what the run was.

The engine fills one record (rows are recorded times, column 0 is time in s); the plan's names say what its columns are.
`run["lift.a.pressure"]` gives one `Quantity`, `run["boom.tip.position.x"]` one component, `run.dataset` all of it as an
`xarray.Dataset` whose variables are views of the record. `run.meta` is a plain dictionary about the run (machine, step,
integrator, …) that is saved with it; `run.status` is "done", "stopped", "interrupted" or "failed" and `run.message`
says why. `run.warnings` are sentences about what to doubt or mend (simulation/run_warnings.py).
A record is cut before its first row that is not finite, and the message then says so: no file ever holds a NaN.
`run.plot()`, `run.energy()`, `run.report()` and `run.citations()` are attached in `knuckleboom/__init__.py`.
Tested in tests/results/.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from knuckleboom.names import Names, Signal, UnknownName
from knuckleboom.results import files
from knuckleboom.results.energy import EnergyAudit
from knuckleboom.results.export import Export
from knuckleboom.results.found import Found
from knuckleboom.results.quantity import Quantity, component_names, dimension_of

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]

STATUSES = ("done", "stopped", "interrupted", "failed")


class Results:
    """What one run recorded, by name."""

    plot: ClassVar[Callable[..., Any]]
    energy: ClassVar[Callable[..., EnergyAudit]]
    report: ClassVar[Callable[..., Path]]
    citations: ClassVar[Callable[..., Any]]

    def __init__(self, names: Names, record: Array, meta: Mapping[str, Any] | None = None) -> None:
        self.names = names
        self.meta: dict[str, Any] = {"machine": "", "status": "done", "message": "", **(meta or {})}
        if self.meta["status"] not in STATUSES:
            raise ValueError(f"status '{self.meta['status']}' is none of {', '.join(STATUSES)}")
        whole = np.atleast_2d(np.asarray(record, dtype=np.float64))
        if whole.shape[1] < names.width:
            raise ValueError(f"the record has {whole.shape[1]} columns, its names need {names.width}")
        self.record = self._finite_rows(whole)
        self._dataset: xarray.Dataset | None = None

    def _finite_rows(self, record: Array) -> Array:
        finite = np.isfinite(record[:, : self.names.width])
        bad_rows = np.flatnonzero(~finite.all(axis=1))
        if len(bad_rows) == 0:
            return record

        # name the first culprit, keep what came before it
        row = int(bad_rows[0])
        column = int(np.flatnonzero(~finite[row])[0])
        label = self.names.column_labels()[column] or f"column {column}"
        left_out = len(record) - row
        sentence = f"'{label}' is not finite at record {row}; {left_out} records from there on are left out."
        self.meta["status"] = "failed"
        self.meta["message"] = f"{self.meta['message']} {sentence}".strip()
        return record[:row]

    @property
    def machine(self) -> str:
        """Name of the machine that was run."""
        return str(self.meta["machine"])

    @property
    def status(self) -> str:
        """How the run ended: "done", "stopped" (by a condition), "interrupted" or "failed"."""
        return str(self.meta["status"])

    @property
    def message(self) -> str:
        """Why the run ended early; empty when it is done."""
        return str(self.meta["message"])

    @property
    def warnings(self) -> list[str]:
        """Sentences about what to doubt or to mend: lost energy, pressures beyond all settings, cavitation, …"""
        return list(self.meta.get("warnings", ()))

    @property
    def cavitation(self) -> dict[str, dict[str, float]]:
        """Ports with cavitation: `time` in s, `episodes`, `lowest` pressure in Pa and when (`at`), limit `below`."""
        return dict(self.meta.get("cavitation", {}))

    @property
    def time(self) -> Array:
        """Recorded times, s."""
        return self.record[:, 0]

    def __getitem__(self, path: str) -> Quantity:
        signal, columns = self._locate(path)
        if signal.dim is None:
            return Quantity(signal, self.time, self.record[:, columns[0]])
        return Quantity(signal, self.time, self.record[:, _span(columns)])

    def _locate(self, path: str) -> tuple[Signal, tuple[int, ...]]:
        if path in self.names:
            signal = self.names[path]
            return signal, signal.columns

        # one component of a vector: `boom.tip.position.x`
        owner, _, letter = path.rpartition(".")
        if owner in self.names:
            whole = self.names[owner]
            if letter and whole.dim in ("xyz", "wxyz") and letter in whole.dim:
                column = whole.columns[whole.dim.index(letter)]
                return Signal(path, whole.unit, f"{whole.meaning}, {letter}", (column,)), (column,)
        raise UnknownName(path, self.names.paths)

    def __contains__(self, path: object) -> bool:
        return path in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names.paths)

    def __len__(self) -> int:
        return len(self.names)

    def find(self, wanted: str) -> Found:
        """Return the quantities that words or a shell pattern mean; printed, a table of names, units and meanings.

        `find("pump pressure")` has all words in name and meaning, names first; `find("lift.*")` matches names.
        """
        if not isinstance(wanted, str):
            raise TypeError(f"find: {wanted!r} is not a text; give words or a pattern, such as 'lift.*'.")
        return Found(wanted, [self[signal.path] for signal in self.names.find(wanted)], self.names.paths)

    @property
    def dataset(self) -> "xarray.Dataset":
        """All quantities as an xarray Dataset with units and long_name; its values are views of the record."""
        if self._dataset is None:
            self._dataset = self._make_dataset()
        return self._dataset

    def _make_dataset(self) -> "xarray.Dataset":
        import xarray

        coords: dict[str, Any] = {"time": ("time", self.time, {"units": "s", "long_name": "time"})}
        variables: dict[str, Any] = {}
        for signal in self.names:
            attrs = {"units": signal.unit, "long_name": signal.meaning}
            dimension = dimension_of(signal)
            if dimension is None:
                variables[signal.path] = ("time", self.record[:, signal.columns[0]], attrs)
            else:
                variables[signal.path] = (("time", dimension), self.record[:, _span(signal.columns)], attrs)
                coords.setdefault(dimension, component_names(signal))
        return xarray.Dataset(variables, coords=coords, attrs=files.plain_attributes(self.meta))

    def thinned(self, every: int) -> "Results":
        """Return the same run with one of `every` records, the first and the last among them."""
        lines = np.unique(np.append(np.arange(0, len(self.record), every), len(self.record) - 1))
        meta = {**self.meta, "record": self.meta.get("record", 0.0) * every, "thinned": every}
        meta["message"] = f"{self.message} Only one of {every} records was kept.".strip()
        return Results(self.names, self.record[lines], meta)

    def to_netcdf(self, path: str | Path) -> Path:
        """Write everything to a netCDF-4 file that `kb.load` and xarray read; an older file is replaced whole."""
        return files.write_netcdf(path, self.names, self.record, self.meta)

    def to_csv(
        self,
        path: str | Path,
        signals: str | Sequence[str] | None = None,
        units: str | Sequence[str] | None = None,
        every: float | str | None = None,
    ) -> Path:
        """Write a CSV file with a heading `name [unit]` per column; without more, all of the record with every digit.

        `signals` are paths or patterns ("lift.*, pump.flow"), `units` "human" (bar, mm, deg, l/min, …) or units such as
        "barg, cm", `every` the time between lines ("10 ms"), interpolated. Pressures are absolute, except in barg.
        """
        text = Export.read(signals, units, every).text(self)
        return files.replace_file(Path(path), text.encode())

    def __repr__(self) -> str:
        if len(self.time) == 0:
            return f"<Results of '{self.machine}': {self.status}, nothing recorded>"
        span = f"{self.time[0]:g} s to {self.time[-1]:g} s in {len(self.time)} records"
        return f"<Results of '{self.machine}': {self.status}, {len(self)} quantities, {span}>"


def load(path: str | Path) -> Results:
    """Read a file that `to_netcdf` wrote; numbers come back bit for bit."""
    return Results(*files.read_netcdf(path))


def _span(columns: tuple[int, ...]) -> slice | list[int]:
    """Return a slice where columns follow each other, so that values stay a view of the record."""
    if columns == tuple(range(columns[0], columns[0] + len(columns))):
        return slice(columns[0], columns[0] + len(columns))
    return list(columns)
