# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial prints what it says: after each block of Python that prints, the text below it, character by character.

`python tests/docs/test_tutorial.py` shows what the blocks print, to bring the page up to date.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", flags=re.MULTILINE | re.DOTALL)


def printed() -> list[tuple[int, str, str]]:
    """Run the page in the present folder: the line of each block, what it should print and what it prints."""
    text, names, found = PAGE.read_text(encoding="utf-8"), {"__name__": "tutorial"}, []
    for block in BLOCK.finditer(text):
        line = text[: block.start()].count("\n") + 1
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile("\n" * line + block.group(1), str(PAGE), "exec", dont_inherit=True), names)
        found.append((line, block.group(2) or "", out.getvalue()))
    return found


def test_every_block_prints_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    blocks = printed()

    assert len(blocks) >= 12
    for line, wanted, got in blocks:
        assert got == wanted, f"docs/tutorial.md, line {line}"
    # the pictures and files that it speaks of
    assert {"crane.png", "crane.html", "crane.svg", "crane.yaml"} <= {path.name for path in tmp_path.iterdir()}


if __name__ == "__main__":
    for number, _, output in printed():
        print(f"--- line {number}\n{output}", end="")
