# SPDX-License-Identifier: BSD-3-Clause
"""Rows as plans write them, and what plans, analysis and benches ask of a row: its declaration, never its number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from knuckleboom.mechanics.rows.contract import VELOCITIES, Index, RowKind
from knuckleboom.mechanics.rows.geometry import COLUMNS, PLACES, SCALARS
from knuckleboom.mechanics.rows.kinds import KINDS, NUMBER
from knuckleboom.net import Row


def declared(row: Row) -> RowKind:
    """The declaration of a row's kind."""
    found: RowKind = KINDS[row.kind].ROW
    return found


def is_valued(row: Row) -> bool:
    """Whether a row has a value: as has_value."""
    return declared(row).value and row.index[1] >= 0


def is_coordinate(row: Row) -> bool:
    """Whether a row touches velocities by itself, without a wrench."""
    return declared(row).entries == VELOCITIES


def continued(rows: Iterable[Row]) -> list[Row]:
    """Those whose value goes on over whole turns, in the order of state.angle."""
    return [row for row in rows if declared(row).continued]


def given(row: Row) -> dict[str, Any]:
    """The columns of a row by name."""
    return {name: row.numbers[place_of(name)] for name in declared(row).columns}


def place_of(column: str) -> int | slice:
    """Where a column is in plan.rows.number: one number, or three of a point or direction."""
    first = PLACES[column]
    return first if column in SCALARS else slice(first, first + 3)


def new_row(
    kind: str, part: str, index: Index, columns: Mapping[str, Any] | None = None, *, unit: str = "",
    **words: Any,
) -> Row:  # fmt: skip
    """A row of a kind, by the name of its file; columns by name, those left out are zero."""
    numbers = np.zeros(COLUMNS)
    for name, value in (columns or {}).items():
        if name not in KINDS[NUMBER[kind]].ROW.columns:
            raise ValueError(f"rows of kind '{kind}' have no column '{name}'")
        numbers[place_of(name)] = value
    return Row(part, NUMBER[kind], index, numbers, unit or KINDS[NUMBER[kind]].ROW.unit, **words)


def hold(row: Row) -> None:
    """Make of a row that acts along something the one that holds it."""
    row.kind = NUMBER[declared(row).held_as]
