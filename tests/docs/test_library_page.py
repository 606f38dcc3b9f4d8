# SPDX-License-Identifier: BSD-3-Clause
"""docs/library.md has a row for every machine of the catalogue, and says what stands for its surroundings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from knuckleboom.catalogue import NAMES
from knuckleboom.interface.parts import Force

PAGE = (Path(__file__).parents[2] / "docs" / "library.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `([\w-]+)` \|(.*)$", PAGE, flags=re.MULTILINE))


def test_every_machine_has_a_row():
    assert set(ROWS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_scripted_forces_are_named_as_such(name):
    case = NAMES[name]()
    forces = [part.name for part in case.machine.of(Force)]

    if forces:
        assert "scripted force" in ROWS[name] and "scripted" in case.meaning
        for force in forces:
            assert f"`{force}`" in ROWS[name]
