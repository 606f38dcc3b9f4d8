# SPDX-License-Identifier: BSD-3-Clause
"""Golden texts: each folder here holds a machine and the text that `knuckleboom check` gives for it.

Rank of evidence: remembered values. The expected texts were written by the program itself and then read through, so
they guard against unwanted change; that a text is right and helpful is judged in review, not by this test. With
`python tests/errors/test_errors.py` the texts that differ are written again, to be read through. A folder with a file
`outside.py` has parts of its own, listed there in PARTS.
"""

import os
import runpy
from pathlib import Path

import pytest

from knuckleboom.cli.commands.check import find_problems
from knuckleboom.machine import all_kinds, kinds, register

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/expected.txt"))


@pytest.fixture(autouse=True)
def outside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the parts of a folder for its test only."""
    if (folder / "outside.py").exists():
        monkeypatch.setattr(kinds, "_kinds", all_kinds())
        register_parts(folder)


def register_parts(folder: Path) -> None:
    """Make the parts of a folder known."""
    for kind in runpy.run_path(str(folder / "outside.py"))["PARTS"]:
        register(kind)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)

    _, _, text = find_problems("machine.yaml")

    assert f"{text}\n" == (folder / "expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_problems_as_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)

    problems, notes, _ = find_problems("machine.yaml")

    assert problems or notes
    for problem in (*problems, *notes):
        data = problem.to_dict()
        assert data["file"]
        assert data["rule"].endswith(".")
        assert data["lines"] is None or 1 <= data["lines"][0] <= data["lines"][1]


if __name__ == "__main__":
    for folder in [path for path in Path(__file__).parent.iterdir() if path.is_dir()]:
        os.chdir(folder)
        if Path("outside.py").exists():
            register_parts(folder)
        text, golden = f"{find_problems('machine.yaml')[2]}\n", Path("expected.txt")
        if not golden.exists() or golden.read_text(encoding="utf-8") != text:
            golden.write_text(text, encoding="utf-8")
            print(f"{folder.name}\n{text}")
