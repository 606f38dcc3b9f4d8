# SPDX-License-Identifier: BSD-3-Clause
"""Writes the list of all parts into docs/parts.md, below its marker, from the parts' own descriptions.

python tools/parts_page.py           writes the page; tests/docs/test_parts_page.py says when that is due
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from knuckleboom.describe import Part
from knuckleboom.hydraulics.parts import PARTS as HYDRAULICS
from knuckleboom.interface.parts import PARTS as INTERFACE
from knuckleboom.machine.sheet import Setting, Sheet, sheet
from knuckleboom.mechanics.parts import PARTS as MECHANICS

PAGE = Path(__file__).parents[1] / "docs" / "parts.md"
MARKER = "<!-- what follows is written by tools/parts_page.py -->"
WIDTH = 100
FAMILIES: tuple[tuple[str, tuple[type[Part], ...]], ...] = (
    ("Oil", HYDRAULICS), ("Between oil and mechanism, and forces", INTERFACE), ("Mechanism", MECHANICS),
)  # fmt: skip


def page() -> str:
    """Return the page as it should be: what people wrote, the marker, and the list."""
    written, marker, _ = PAGE.read_text(encoding="utf-8").partition(MARKER)
    if not marker:
        raise SystemExit(f"{PAGE} has no line {MARKER}")
    lines = [written + marker, "", "## All parts", ""]
    sheets = [(family, [sheet(kind) for kind in kinds]) for family, kinds in FAMILIES]
    for family, listed in sheets:
        lines += [*wrapped(f"**{family}:** {', '.join(f'[{one.kind}](#{one.kind})' for one in listed)}"), ""]
    for family, listed in sheets:
        lines += [f"## {family}", ""]
        for one in listed:
            lines += entry(one)
    return "\n".join(lines)


def entry(one: Sheet) -> Iterable[str]:
    """Return the lines about one part."""
    ports = f", ports {', '.join(one.ports)}" if one.ports else ""
    yield from (f"### {one.kind}", "", *wrapped(f"{one.about} Section `{one.section}`{ports}."), "")
    yield from ("```text", one.card, "```", "")
    if one.settings:
        yield from ("| setting | unit | default | range | meaning |", "|---|---|---|---|---|")
        yield from map(row, one.settings)
        yield ""


def wrapped(text: str) -> list[str]:
    """Return a paragraph in lines of the width that pages have."""
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def row(one: Setting) -> str:
    """Return a line of a table of settings."""
    cells = (f"`{one.name}`", one.unit, one.default or "**needed**", one.range, one.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
