# SPDX-License-Identifier: BSD-3-Clause
"""A file of another kind than a command reads is answered with the command that takes it."""

import pytest

from knuckleboom.cli import main
from knuckleboom.cli.file_types import TAKEN_BY, TYPES

RUN_IT = "Run it with: knuckleboom run m.yaml\n"
IMPORT_IT = "Make a machine of it with: knuckleboom import robot.urdf --save robot.yaml\n"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("run robot.urdf", f"'robot.urdf' is a robot's file, not a machine.\n{IMPORT_IT}"),
        ("run out.nc", "'out.nc' is a file with results, not a machine.\n"
         "Make a report of it with: knuckleboom report out.nc\nPlay it with: knuckleboom drive out.nc\n"),
        ("run x.kbrec", "'x.kbrec' is the recording of a drive, not a machine.\n"
         "Compute it again with: knuckleboom replay x.kbrec\nPlay it with: knuckleboom drive x.kbrec\n"),
        ("run cycle.csv", "'cycle.csv' is a table over time, not a machine.\n"
         "Inputs are taken by: knuckleboom run MACHINE --inputs cycle.csv\n"
         "Measured data are taken by: knuckleboom report RESULTS --measured cycle.csv\n"),
        ("run boom.STL", "'boom.STL' is a mesh, not a machine.\n"
         "Mass and inertia of a body are found from it in Python: "
         "kb.mass_properties('boom.STL', density='7850 kg/m3')\n"
         "The file of a robot may name it: knuckleboom import ROBOT\n"),
        ("run crane.fmu", "'crane.fmu' is a functional mock-up unit, not a machine.\n"
         "No command reads it. Describe the machine in a YAML file, "
         "or connect the other program with: knuckleboom drive --external PORT\n"),
        ("run script.py", "'script.py' is a Python script, not a machine.\nRun it with: python script.py\n"),
        ("report m.yaml", f"'m.yaml' is a machine, not a file with results.\n{RUN_IT}"),
        ("import m.yaml", f"'m.yaml' is a machine, not a robot's file.\n{RUN_IT}"),
        ("replay m.yaml", f"'m.yaml' is a machine, not the recording of a drive.\n{RUN_IT}"),
        ("run four-bar --inputs m.yaml", f"--inputs: 'm.yaml' is a machine, not a table over time.\n{RUN_IT}"),
        ("run four-bar --coupling kinematic --from m.yaml",
         f"--from: 'm.yaml' is a machine, not a file with results.\n{RUN_IT}"),
        ("report out.nc --measured robot.urdf",
         f"--measured: 'robot.urdf' is a robot's file, not a table over time.\n{IMPORT_IT}"),
        ("m.yaml", f"'m.yaml' is a machine; the command goes before it.\n{RUN_IT}"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("there", [False, True], ids=["missing", "there"])
def test_the_command_that_takes_it_is_named(words, text, there, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in words.split() if there else ():
        (tmp_path / name).write_text("x") if "." in name else None
    assert main(words.split()) == 2
    assert capsys.readouterr().err == text


@pytest.mark.parametrize("command", ["run", "info", "modes", "check", "compare", "drive", "show plan"])
def test_every_command_that_takes_a_machine(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.urdf").write_text("<robot name='r'/>")
    assert main([*command.split(), "robot.urdf"]) == 2
    assert capsys.readouterr().err == f"'robot.urdf' is a robot's file, not a machine.\n{IMPORT_IT}"


def test_every_type_is_taken_by_something():
    assert set(TYPES.values()) == set(TAKEN_BY)


def test_an_unknown_ending_is_the_commands_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "machine.txt").write_text("knuckleboom: 1\nmachine: plain\nbodies: {}\n")
    assert main(["check", "machine.txt"]) == 0
