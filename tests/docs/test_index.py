# SPDX-License-Identifier: BSD-3-Clause
"""docs/README.md lists every page of docs/ in one line, docs/decisions/README.md every decision."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DECISIONS = DOCS / "decisions"


def listed(page: Path, line: str) -> list[str]:
    """The pages that lines of an index begin with."""
    return re.findall(line, page.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_every_page_is_listed_once():
    pages = [path for path in DOCS.rglob("*.md") if path.parent != DECISIONS and path != DOCS / "README.md"]
    names = sorted([*(str(path.relative_to(DOCS)) for path in pages), "decisions/README.md"])

    assert sorted(listed(DOCS / "README.md", r"^- \[(\S+)\]\(\1\): \S")) == names


def test_every_decision_is_listed_once():
    names = sorted(path.name for path in DECISIONS.glob("*.md") if path.name != "README.md")

    assert sorted(listed(DECISIONS / "README.md", r"^\| \[(\S+)\]\(\1\) \| \S")) == names


@pytest.mark.parametrize("page", [*DOCS.rglob("*.md")], ids=lambda page: str(page.relative_to(DOCS)))
def test_names_of_pages_are_in_snake_case(page):
    assert page.name == "README.md" or re.fullmatch(r"[a-z0-9_]+\.md", page.name)


def test_the_readme_leads_to_the_index():
    assert "](docs/README.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
