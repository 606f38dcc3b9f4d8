# SPDX-License-Identifier: BSD-3-Clause
"""docs/cases.md has every setting of a case, every form of an input and every setting of controllers in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from knuckleboom.machine.case import Case
from knuckleboom.machine.case_controllers import SETTINGS
from knuckleboom.machine.over_time import FORMS

PAGE = (Path(__file__).parents[2] / "docs" / "cases.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("setting", [name for name in Case.model_fields if name != "name"])
def test_settings_of_a_case(setting):
    assert f"\n| `{setting}` |" in PAGE


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_inputs(form):
    assert f"lever: {{{form}: " in PAGE


@pytest.mark.parametrize("kind", SETTINGS)
def test_settings_of_controllers(kind):
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{kind}` |")]

    assert all(f"`{setting}`" in row for settings in SETTINGS[kind] for setting in settings)
