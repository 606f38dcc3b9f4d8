# SPDX-License-Identifier: BSD-3-Clause
"""docs/elements.md lists every element as it is declared; when one has changed, `python tools/elements_page.py`."""

import importlib.util
from pathlib import Path

import pytest

from knuckleboom.interface.contract import name_of
from knuckleboom.interface.forces import OWN

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "elements.md").read_text(encoding="utf-8")


def test_page_is_as_the_declarations_say():
    spec = importlib.util.spec_from_file_location("elements_page", ROOT / "tools" / "elements_page.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)

    assert tool.page() == PAGE, "run: python tools/elements_page.py"


@pytest.mark.parametrize("module", OWN, ids=name_of)
def test_every_element_has_an_entry_with_its_columns_and_states(module):
    entry = PAGE.partition(f"\n## {name_of(module)}\n")[2].partition("\n## ")[0]

    assert all(f"`{name}`" in entry for name in (*module.ELEMENT.columns, *module.ELEMENT.signals))
    assert all(state.meaning in entry for state in module.ELEMENT.states)
