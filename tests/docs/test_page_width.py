# SPDX-License-Identifier: BSD-3-Clause
"""Pages are wrapped at 100 letters, so that a difference shows what changed; tables, code and addresses are not."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WIDTH = 100
PAGES = (
    "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/analysis.md", "docs/cabin.md", "docs/cabin_external.md",
    "docs/cabin_protocol.md", "docs/cases.md", "docs/cli.md", "docs/compare.md", "docs/contact.md",
    "docs/cosimulation.md", "docs/theory/cosimulation.md",
    "docs/decisions/bodies_on_links.md", "docs/decisions/equilibrium.md", "docs/decisions/families.md",
    "docs/decisions/halves.md", "docs/decisions/moving_oil.md", "docs/decisions/payload.md", "docs/decisions/rows.md",
    "docs/decisions/screws.md", "docs/foreign_halves.md", "docs/library.md", "docs/machine.md", "docs/moving_oil.md",
    "docs/parts.md", "docs/payload.md", "docs/shafts.md", "docs/stepping.md",
    "docs/theory/tires.md", "docs/tires.md",
)  # fmt: skip
LINK = re.compile(r"\[[^\]]*\]\([^)]*\)[.,;:)]*")


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Lines of a page with their numbers, but for tables, code and lines that are one address."""
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not (fenced or line.startswith("    ") or line.lstrip()[:1] == "|" or LINK.fullmatch(line.strip())):
            yield number, line


@pytest.mark.parametrize("page", PAGES)
def test_prose_is_wrapped(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [(number, len(line)) for number, line in prose(text) if len(line) > WIDTH] == []
