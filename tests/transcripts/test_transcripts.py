# SPDX-License-Identifier: BSD-3-Clause
"""Golden transcripts: each folder here holds files, and in transcript.txt commands with what the shell prints for them.

A line that begins with `$ ` is a command, run in a copy of the folder; below it are what it prints on stderr and, but
for `run`, on stdout, and its exit code. `#` stands for any number. Files of other folders that the commands need are
listed in also.txt. Mistakes that `check` finds are in tests/errors. Rank of evidence: remembered values, read through,
as there. With `python tests/transcripts/test_transcripts.py` transcripts that differ are written again, to be read.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import tempfile
from pathlib import Path

import pytest

from knuckleboom.cli import main

ROOT = Path(__file__).parents[2]
FILES = sorted(Path(__file__).parent.glob("*/transcript.txt"))
NUMBER = r"-?\d[\d.,]*(?:e[+-]?\d+)?"
NOTES_OF_THE_COMPILER = re.compile(r"^compil(?:ing|ed) .*\n", re.MULTILINE)


def said(words: list[str]) -> str:
    """Run a command in this process and return what it says."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words[1:])
    text = NOTES_OF_THE_COMPILER.sub("", err.getvalue()) + ("" if words[1] == "run" else out.getvalue())
    return f"{text.rstrip()}\n[exit code {code}]\n"


def played(folder: Path) -> str:
    """Run all commands of a folder in a copy of it and return its transcript as it is now."""
    commands = [line for line in (folder / "transcript.txt").read_text("utf-8").splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as empty, contextlib.chdir(empty):
        shutil.copytree(folder, ".", dirs_exist_ok=True)
        for path in Path("also.txt").read_text("utf-8").split() if Path("also.txt").exists() else ():
            shutil.copy(ROOT / path, ".")
        return "\n".join(f"{line}\n{said(shlex.split(line)[1:])}" for line in commands)


def fits(expected: str, real: str) -> bool:
    """Whether a text is the expected one, a # being any number."""
    return re.fullmatch(NUMBER.join(re.escape(piece) for piece in expected.split("#")), real) is not None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_transcript(file: Path) -> None:
    expected, real = file.read_text(encoding="utf-8"), played(file.parent)

    if not fits(expected, real):
        assert real == expected


def test_number_signs_stand_for_numbers() -> None:
    assert fits("by # % at # s", "by 64,361.5 % at -1e-05 s")
    assert not fits("by # %", "by many %")


if __name__ == "__main__":
    for file in [path / "transcript.txt" for path in Path(__file__).parent.iterdir() if path.is_dir()]:
        if file.exists() and not fits(file.read_text(encoding="utf-8"), real := played(file.parent)):
            file.write_text(real, encoding="utf-8")
            print(f"{os.path.relpath(file)}\n{real}")
