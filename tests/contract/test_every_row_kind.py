# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of row keeps the contract of mechanics/rows, no code outside asks for kinds, and a new one is one file.

Values, rates, biases and ∂_jW are checked against differences in tests/mechanics/test_rows.py and
tests/engine/test_tangents.py; here is what a file declares.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.kernels import plain
from knuckleboom.mechanics.rows import contract
from knuckleboom.mechanics.rows.contract import BLOCKS, ENTRIES, FORCE, HELD, PATH, PRODUCTS, ROWS, VELOCITIES, RowKind
from knuckleboom.mechanics.rows.description import is_valued, new_row
from knuckleboom.mechanics.rows.geometry import PLACES
from knuckleboom.mechanics.rows.kinds import KINDS, NUMBER, NUMBERED

SOURCE = Path(kb.__file__).parent
ROOM = SOURCE / "mechanics" / "rows"
SHARED = {"__init__", "contract", "description", "driven", "geometry", "kinds"}
"""Files of the room that are no kind."""
MOST_OUTSIDE = 15
KIND_NAMES = "|".join(NUMBER)
OUTSIDE = re.compile(
    rf"\b(POINT_DOT|AXIS_DOT|HELD_ANGLE|RIGID|TRAVEL|COORDINATE)\b|new_row\(\"|\bNUMBER\[|row\.kind (==|!=|in|not)"
    rf"|mechanics\.rows\.({KIND_NAMES})\b|mechanics\.rows import .*\b({KIND_NAMES})\b"
)
"""A kind by its name: in a test, or where a row is written."""
each = pytest.mark.parametrize("module", KINDS, ids=contract.name_of)


def has(module, hook):
    return contract.has_hook(module, hook)


def test_every_file_of_the_room_is_listed():
    files = {path.stem for path in ROOM.glob("*.py")}

    assert files - SHARED == set(NUMBER)


@each
def test_declaration_is_of_known_words(module):
    row = module.ROW

    assert row.block in BLOCKS and row.entries in ENTRIES
    assert set(row.columns) <= set(PLACES)
    assert row.unit in ("m", "rad", "1")
    assert not row.held_as or (row.block == FORCE and KINDS[NUMBER[row.held_as]].ROW.block == HELD)
    assert not row.held_as or KINDS[NUMBER[row.held_as]].ROW.columns == row.columns


@each
def test_kernels_and_functions_are_those_that_its_declaration_needs(module):
    row = module.ROW

    assert has(module, "position")
    assert has(module, "velocity") == (row.entries != PRODUCTS), "natural coordinates fill those of products"
    assert has(module, "moved") == (row.entries == PATH)
    assert has(module, "touched") == (row.entries == VELOCITIES)
    assert has(module, "accelerate") == (row.entries in (VELOCITIES, ROWS) and row.block == HELD)
    assert has(module, "push") == (row.entries == VELOCITIES and row.block == FORCE)
    assert not has(module, "products") or row.block == HELD
    assert all(text.strip() for text in (inspect.getdoc(module) or "").splitlines()[:1])


def test_kinds_are_listed_by_block_and_held_ones_by_their_entries():
    places = [(BLOCKS.index(module.ROW.block), ENTRIES.index(module.ROW.entries)) for module in KINDS]

    assert [block for block, _ in places] == sorted(block for block, _ in places)
    held = [entries for block, entries in places if block == 0]
    assert held == sorted(held), "the loops of Φ_q run over each in one piece"


def test_columns_of_a_row_are_those_of_its_kind():
    row = new_row("distance", "rod", (0, 1, 0, 0), {"p_b": (1.0, 2.0, 3.0), "length": 4.0})

    assert row.numbers.tolist() == [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert row.unit == "m" and is_valued(row)
    with pytest.raises(ValueError, match="rows of kind 'distance' have no column 'm'"):
        new_row("distance", "rod", (0, 1, 0, 0), {"m": (1.0, 0.0, 0.0)})


def test_code_outside_the_room_hardly_names_a_kind():
    found = [
        f"{path.relative_to(SOURCE)}:{number}"
        for room in ("analysis", "bench", "cabin", "engine", "interface", "mechanics", "plan", "simulation")
        for path in sorted((SOURCE / room).rglob("*.py"))
        if ROOM not in path.parents
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if OUTSIDE.search(line)
    ]

    assert len(found) <= MOST_OUTSIDE, found


def test_a_new_kind_is_one_file_and_a_line_in_the_list():
    height = ModuleType("height")
    height.ROW = RowKind(FORCE, VELOCITIES)

    def position(r, number, s):
        s[r] = 10.0 + number[r, 0]

    def push(r, force, effort):
        effort[0] += 2.0 * force[r]

    height.position, height.push = position, push
    kinds = [*NUMBERED, (len(KINDS), height)]
    first = np.array([0] * (len(KINDS) + 1) + [1])
    terms = {"term": None, "weight": None}
    plan_rows = SimpleNamespace(**terms, index=np.zeros((1, 5), np.int64), number=np.full((1, 12), 0.5), first=first)
    rows, effort = SimpleNamespace(s=np.zeros(1), W=np.zeros((1, 6))), np.zeros(1)

    plain(contract.positions(kinds))(plan_rows, None, SimpleNamespace(R_WL=None, p_OL=None), None, rows)
    plain(contract.push_velocities(kinds))(plan_rows, np.array([3.0]), effort)

    assert rows.s[0] == 10.5 and effort[0] == 6.0
    assert contract.spans(kinds, HELD, ROWS) == contract.spans(NUMBERED, HELD, ROWS)
