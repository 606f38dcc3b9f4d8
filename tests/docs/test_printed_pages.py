# SPDX-License-Identifier: BSD-3-Clause
"""Pages that show what their blocks print: each block of text is what the block of Python above it prints.

`python tests/docs/test_printed_pages.py docs/load_sensing.md` writes what the blocks print into a page.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from pathlib import Path

import pytest

from page_files import write_files

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("load_sensing.md", "appearance.md", "machine.md", "cases.md", "cosimulation.md")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", flags=re.MULTILINE | re.DOTALL)


def printed(page: Path) -> list[tuple[int, str, str]]:
    """Run a page in the present folder: the line of each block, what it should print and what it prints."""
    write_files(page, Path())
    text, names, found = page.read_text(encoding="utf-8"), {"__name__": "page"}, []
    for block in BLOCK.finditer(text):
        line = text[: block.start()].count("\n") + 1
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile("\n" * line + block.group(1), str(page), "exec", dont_inherit=True), names)
        found.append((line, block.group(2) or "", out.getvalue()))
    return found


@pytest.mark.parametrize("name", PAGES)
def test_every_block_prints_what_the_page_says(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    blocks = printed(DOCS / name)

    assert any(wanted for _, wanted, _ in blocks)
    for line, wanted, got in blocks:
        assert got == wanted, f"docs/{name}, line {line}"
    # the drawings that the page shows are those that its code makes
    for drawing in tmp_path.glob("*.svg"):
        assert drawing.read_text(encoding="utf-8") == (DOCS / drawing.name).read_text(encoding="utf-8"), drawing.name


def fill(page: Path) -> None:
    """Write what the blocks print into the page."""
    outputs = iter(got for _, _, got in printed(page))

    def filled(block: re.Match[str]) -> str:
        got = next(outputs)
        return f"```python\n{block.group(1)}```\n" + (f"\n```text\n{got}```" if got else "")

    page.write_text(BLOCK.sub(filled, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    fill(Path(sys.argv[1]).resolve())
