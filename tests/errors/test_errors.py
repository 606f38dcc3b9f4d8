# SPDX-License-Identifier: BSD-3-Clause
"""Golden texts: each folder here holds a faulty machine and the text that a user gets for it.

Rank of evidence: remembered values. The expected texts were written by the program itself and then read through, so
they guard against unwanted change; that a text is right and helpful is judged in review, not by this test.
"""

from pathlib import Path

import pytest

from knuckleboom.errors import MachineError
from knuckleboom.machine import read

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/machine.yaml"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)

    with pytest.raises(MachineError) as caught:
        read("machine.yaml")

    assert f"{caught.value}\n" == (folder / "expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_problems_as_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)

    with pytest.raises(MachineError) as caught:
        read("machine.yaml")

    for problem in caught.value.problems:
        data = problem.to_dict()
        assert data["file"]
        assert data["rule"].endswith(".")
        assert data["lines"] is None or 1 <= data["lines"][0] <= data["lines"][1]
