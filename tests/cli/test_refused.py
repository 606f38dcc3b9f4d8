# SPDX-License-Identifier: BSD-3-Clause
"""A command that is refused leaves nothing behind, neither a file nor an empty folder."""

import pytest

from knuckleboom.cli import main

FAULTY = """\
knuckleboom: 1
machine: faulty
bodies: {boom: {mass: -10 kg, inertia: [1, 1, 1]}}
joints: {foot: {kind: revolute, a: ground, b: boom}}
"""

REFUSED = [
    "run FAULTY",
    "run FAULTY --save made/out.nc --report made/x.html --plots made/pictures",
    "run four-bar --save made/out.nc --input nothing=1",
    "run four-bar --save made/out.nc --inputs missing.csv",
    "run four-bar --save made/out.nc --set nothing.mass=1",
    "run four-bar --save made/out.nc --stop nothing>1",
    "run four-bar --save made/out.nc --start nowhere",
    "run four-bar --save made/out.nc --ground rough",
    "run four-bar --case nothing --plots made/pictures",
    "run four-bar --for 0s --save made/out.nc",
    "run four-bar --coupling kinematic --from missing.nc --save made/out.nc",
    "report missing.nc --save made/x.html",
    "report FAULTY --save made/x.html",
    "compare FAULTY --report made/x.html --plot made/x.png",
    "compare four-bar --report made/x.html --plot made/x.txt",
    "compare four-bar --only nonsense --report made/x.html --plot made/x.png",
    "compare four-bar --steps 3kg --report made/x.html",
    "import missing.urdf --save made/robot.yaml",
    "import BROKEN --save made/robot.yaml",
    "replay missing.kbrec --save made/out.nc",
    "replay BROKEN --save made/out.nc --report made/x.html",
    "info FAULTY --circuit made/x.svg --mechanism made/y.svg",
    "info four-bar --circuit made/x.png",
    "info four-bar --circuit made/x.svg --workspace nowhere",
    "info four-bar --circuit made/x.svg --coordinates sideways",
    "info four-bar --case nothing --circuit made/x.svg",
    "drive FAULTY --record made/x.kbrec",
    "drive missing.kbrec",
    "drive four-bar --ground rough --record made/x.kbrec",
    "drive four-bar --case nothing --record made/x.kbrec",
    "modes FAULTY",
    "check FAULTY",
    "bench scaling --plot made/x.txt",
    "bench ylinen --figure made/x.txt",
    "bench loop-time --for 2kg --report made/x.html",
]


@pytest.mark.parametrize("words", REFUSED)
def test_nothing_is_left_behind(words, tmp_path, monkeypatch, capsys):
    inputs, empty = tmp_path / "inputs", tmp_path / "empty"
    inputs.mkdir()
    empty.mkdir()
    (inputs / "faulty.yaml").write_text(FAULTY)
    (inputs / "broken.txt").write_text("nonsense")
    monkeypatch.chdir(empty)
    files = {"FAULTY": str(inputs / "faulty.yaml"), "BROKEN": str(inputs / "broken.txt")}

    assert main([files.get(word, word) for word in words.split()]) == 2

    shown = capsys.readouterr()
    assert (shown.out if words.startswith("check") else shown.err).strip()
    assert list(empty.rglob("*")) == []
    assert sorted(path.name for path in inputs.iterdir()) == ["broken.txt", "faulty.yaml"]
