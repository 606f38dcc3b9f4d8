# SPDX-License-Identifier: BSD-3-Clause
"""Outputs: the quantities of one moment, by name. A light mapping over one line of the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from knuckleboom.names import Names, UnknownName
from knuckleboom.plan import Planned
from knuckleboom.simulation.control import locate

Array = NDArray[np.float64]
Columns = dict[str, int | list[int]]


def columns_of(names: Names, planned: Planned, wanted: Iterable[str] | None) -> Columns:
    """Where the wanted quantities stand, all by default; an unknown name is answered with the closest."""
    found: Columns = {}
    for path in names.paths if wanted is None else wanted:
        try:
            columns = locate(names, planned, path)[0]
        except ValueError:
            raise UnknownName(path, names.paths) from None
        found[path] = columns if path in names and names[path].dim else columns[0]
    return found


class Outputs(Mapping[str, "float | Array"]):
    """`outputs["lift.a.pressure"]` is a number in SI, a vector is an array; `outputs.time` in s."""

    __slots__ = ("_columns", "_line")

    def __init__(self, line: Array, columns: Columns) -> None:
        self._line = line.copy()
        self._columns = columns

    @property
    def time(self) -> float:
        """The time of these values, s."""
        return float(self._line[0])

    def __getitem__(self, path: str) -> float | Array:
        try:
            found = self._columns[path]
        except KeyError:
            raise UnknownName(path, self._columns) from None
        return self._line[found] if isinstance(found, list) else self._line.item(found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        shown = ", ".join(f"{path}: {self[path]}" for path in list(self)[:4])
        return f"<Outputs at {self.time:g} s: {shown}{', ...' if len(self) > 4 else ''}>"
