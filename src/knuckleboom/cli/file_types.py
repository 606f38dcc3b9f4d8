# SPDX-License-Identifier: BSD-3-Clause
"""What the ending of a file's name says about it, and which command takes it: one table for all commands.

A file of another kind than a command reads is refused, with the command that does, before it is opened; endings that
are not listed are left to the command. Tested in tests/cli/test_file_types.py.
"""

from collections.abc import Collection
from pathlib import Path

from knuckleboom.cli.output import WrongInput

MACHINE = "a machine"
ROBOT = "a robot's file"
RESULTS = "a file with results"
RECORDING = "the recording of a drive"
TABLE = "a table over time"
MESH = "a mesh"
UNIT = "a functional mock-up unit"
REPORT = "a report or a drawing"
SCRIPT = "a Python script"

TYPES = {
    ".yaml": MACHINE, ".yml": MACHINE, ".urdf": ROBOT, ".xml": ROBOT, ".mjcf": ROBOT, ".nc": RESULTS,
    ".kbrec": RECORDING, ".csv": TABLE, ".stl": MESH, ".obj": MESH, ".dae": MESH, ".fmu": UNIT, ".html": REPORT,
    ".svg": REPORT, ".png": REPORT, ".pdf": REPORT, ".py": SCRIPT,
}  # fmt: skip
"""Ending: what such a file is."""

TAKEN_BY = {
    MACHINE: "Run it with: knuckleboom run {file}",
    ROBOT: "Make a machine of it with: knuckleboom import {file} --save {stem}.yaml",
    RESULTS: "Make a report of it with: knuckleboom report {file}\nPlay it with: knuckleboom drive {file}",
    RECORDING: "Compute it again with: knuckleboom replay {file}\nPlay it with: knuckleboom drive {file}",
    TABLE: "Inputs are taken by: knuckleboom run MACHINE --inputs {file}\n"
    "Measured data are taken by: knuckleboom report RESULTS --measured {file}",
    MESH: "Mass and inertia of a body are found from it in Python: "
    "kb.mass_properties('{file}', density='7850 kg/m3')\nThe file of a robot may name it: knuckleboom import ROBOT",
    UNIT: "No command reads it. Describe the machine in a YAML file, "
    "or connect the other program with: knuckleboom drive --external PORT",
    REPORT: "Open it in a browser or a viewer.",
    SCRIPT: "Run it with: python {file}",
}
"""What such a file is: what to type."""


def refuse_other_types(word: str | Path, taken: Collection[str], option: str = "") -> None:
    """Raise WrongInput for a file that is known to be of another kind than those taken here."""
    kind = kind_of(word)
    if kind and kind not in taken:
        begin = f"{option}: " if option else ""
        expected = " or ".join(dict.fromkeys(taken))
        raise WrongInput(f"{begin}'{word}' is {kind}, not {expected}.\n{command_for(word)}")


def kind_of(word: str | Path) -> str:
    """What a file is by its ending; empty where that says nothing."""
    return TYPES.get(Path(word).suffix.lower(), "")


def command_for(word: str | Path) -> str:
    """What to type to use a file of a known kind."""
    file = f'"{word}"' if " " in str(word) else str(word)
    return TAKEN_BY[kind_of(word)].format(file=file, stem=Path(word).stem)
