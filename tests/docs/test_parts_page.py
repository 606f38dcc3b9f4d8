# SPDX-License-Identifier: BSD-3-Clause
"""docs/parts.md lists every part as its own file describes it; when one has changed, `python tools/parts_page.py`."""

import importlib.util
from pathlib import Path

import pytest

from knuckleboom.hydraulics.parts import PARTS as HYDRAULICS
from knuckleboom.machine.kinds import all_kinds
from knuckleboom.machine.sheet import sheet

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "parts.md").read_text(encoding="utf-8")
OURS = [kind for kind in all_kinds().values() if ".parts." in kind.__module__ and kind.__module__.startswith("knuckle")]


def test_page_is_as_the_parts_say():
    spec = importlib.util.spec_from_file_location("parts_page", ROOT / "tools" / "parts_page.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)

    assert tool.page() == PAGE, "run: python tools/parts_page.py"


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.KIND)
def test_every_part_has_an_entry_with_all_its_settings(kind):
    _, found, rest = PAGE.partition(f"\n### {kind.KIND}\n")
    entry = rest.partition("\n### ")[0]

    assert found
    for setting in sheet(kind).settings:
        assert f"| `{setting.name}` |" in entry
        assert setting.meaning in entry.replace("\\|", "|")


@pytest.mark.parametrize("kind", HYDRAULICS, ids=lambda kind: kind.KIND)
def test_cards_of_hydraulic_parts_say_ports_states_and_power(kind):
    card = sheet(kind).card
    for word in () if kind.KIND == "oil" else ("Port", "States", "Power"):
        assert word in card, f"the card of {kind.KIND} does not say its {word.lower()}"
