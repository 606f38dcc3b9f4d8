# SPDX-License-Identifier: BSD-3-Clause
"""import_robot: a URDF or MJCF file as a machine, with a list of what was left out.

The format is recognised by the file's root element, <robot> or <mujoco>, not by its name. What becomes of what is in
docs/import.md. Tested in tests/exchange/test_import_robot.py, validated by: validation/programs/test_robots.py
"""

from __future__ import annotations

import os
from pathlib import Path

from knuckleboom.errors import MachineError, Problem
from knuckleboom.exchange.assemble import assemble
from knuckleboom.exchange.imported import Imported, Notes
from knuckleboom.exchange.mjcf import read_mjcf
from knuckleboom.exchange.namer import short
from knuckleboom.exchange.urdf import read_urdf
from knuckleboom.exchange.xml_tree import read_xml

BASES = ("fixed", "free")


def import_robot(
    path: str | os.PathLike[str], *, base: str | None = None, within: str | os.PathLike[str] | None = None
) -> Imported:
    """Return a robot's file as a machine and what was left out; a MachineError lists all that is wrong with it.

    `base` says for URDF how the root link stands: "fixed" to the ground (default) or "free". `within` is the folder in
    which all files must lie that an MJCF file names; its own folder when it is not given.
    """
    notes = Notes(os.fspath(path))
    if base not in (None, *BASES):
        raise MachineError(
            [Problem(f"There is no base '{short(str(base))}'.", fix="Choose fixed or free.")], "the import"
        )
    root = read_xml(path)
    if root.tag == "robot":
        robot = read_urdf(root, notes, base or "fixed")
    elif root.tag == "mujoco":
        if base is not None:
            rule = "base is for URDF; an MJCF file says itself which bodies are free."
            notes.complain(rule, root.line, "Leave base out, or write <freejoint/> in the body.")
        robot = read_mjcf(root, notes, Path(within) if within is not None else Path(notes.file).parent)
    else:
        rule = f"its root element is <{short(root.tag)}>."
        notes.complain(rule, root.line, "A robot's file is URDF (<robot>) or MJCF (<mujoco>).")
    if notes.problems:
        raise MachineError(notes.problems, notes.file)
    machine = assemble(robot, notes)
    if not robot.name:
        machine.name = Path(notes.file).stem or "robot"
    ordered = sorted(notes.left_out, key=lambda entry: (entry.file != notes.file, entry.file, entry.line or 0))
    return Imported(machine, tuple(ordered))
