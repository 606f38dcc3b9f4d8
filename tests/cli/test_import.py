# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom import` as a shell runs it: the machine written, the report, exit codes."""

from pathlib import Path

import pytest

from cli.command_line import document, knuckleboom
from knuckleboom.cli import main

ARM = str(Path(__file__).parents[2] / "validation" / "data" / "robots" / "arm.urdf")


def test_report_and_machine(tmp_path):
    done = knuckleboom("import", ARM, "--save", "arm.yaml", folder=tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "machine 'six-axis arm': 10 bodies, 10 joints, 24 parts in all\nLeft out or changed:\n"
    )
    assert "  line 73  the name 'wrist 1/link' of a body: it is named 'wrist_1_link' here" in done.stdout
    assert done.stdout.endswith("run it with: knuckleboom run arm.yaml\n")
    assert (tmp_path / "arm.yaml").read_text().startswith("knuckleboom: 1\nmachine: six-axis arm\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("bad.urdf",), "1 problem in bad.urdf\n\n1. line 2  a link has no name."),
        (("no.urdf",), "there is no such file"),
        ((ARM, "--base", "loose"), "There is no base 'loose'."),
        ((ARM, "--save", "no/such/folder.yaml"), "--save: 'no/such/folder.yaml' cannot be written: No such file"),
    ],
)
def test_mistakes_are_sentences(tmp_path, monkeypatch, capsys, words, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.urdf").write_text('<robot name="r">\n<link/>\n</robot>')
    assert main(["import", *words]) == 2
    assert told in capsys.readouterr().err


def test_problems_as_json(tmp_path):
    (tmp_path / "bad.xml").write_text('<mujoco>\n<include file="/etc/passwd"/>\n</mujoco>')

    error = document("import", "bad.xml", folder=tmp_path, code=2)["error"]

    assert error["problems"][0]["lines"] == [2, 2]
    assert "which is not in the folder" in error["message"]
