# SPDX-License-Identifier: BSD-3-Clause
"""Cards tell the truth: a file that a docstring names as its validation, test, theory or neighbour exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "knuckleboom"
PLACES = (ROOT, ROOT / "src", ROOT / "docs", PACKAGE)
NAMED = re.compile(r"(?<![\w./<])((?:validation|tests|docs|tools|theory|[a-z_]+)/[\w/.\-]*\w\.(?:py|md|bib|csv))\b")


def docstrings(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, documented)]


@pytest.mark.slow
def test_files_named_in_docstrings_exist():
    missing = [
        f"{path.relative_to(ROOT)} names {name}"
        for folder in ("src", "tools", "validation", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for text in docstrings(path)
        for name in NAMED.findall(text)
        if not any((place / name).is_file() for place in (*PLACES, *path.parents[:2]))
    ]

    assert not missing, "\n".join(missing)


def test_documents_name_files_that_exist():
    missing = [
        f"{path.relative_to(ROOT)} names {name}"
        for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
        for name in re.findall(r"`((?:[\w.\-]+/)+[\w.\-]+\.\w+)`", path.read_text(encoding="utf-8"))
        if not any((place / name).is_file() for place in (*PLACES, path.parent))
    ]

    assert not missing, "\n".join(missing)


def test_links_between_documents_lead_somewhere():
    broken = [
        f"{path.relative_to(ROOT)} links to {target}"
        for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8"))
        if not (path.parent / target).exists()
    ]

    assert not broken, "\n".join(broken)
