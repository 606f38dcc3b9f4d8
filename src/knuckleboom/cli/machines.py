# SPDX-License-Identifier: BSD-3-Clause
"""Which machine a word on the command line means: a name of the catalogue or a YAML file.

A name brings its own duration, step and inputs; a file is run with inputs at their defaults. Anything else is answered
with the closest names of the catalogue.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knuckleboom.cli.output import WrongInput
from knuckleboom.names import closest

if TYPE_CHECKING:
    from knuckleboom.machine import Machine

SUFFIXES = (".yaml", ".yml")

FILE_DURATION_S = 10.0
FILE_STEP_S = 1e-3
"""How a machine from a file is run when the command line does not say."""


@dataclass(frozen=True)
class Task:
    """A machine and how to run it when nothing else is said."""

    name: str
    machine: "Machine"
    duration: float | str = FILE_DURATION_S
    step: float | str = FILE_STEP_S
    inputs: Mapping[str, Any] = field(default_factory=dict)
    cite: str = ""
    method: Mapping[str, str] = field(default_factory=dict)


def find_task(word: str) -> Task:
    """Return the machine that a word names, or say which words would."""
    from knuckleboom import catalogue

    if word in catalogue.NAMES:
        case = catalogue.NAMES[word]()
        return Task(word, case.machine, case.duration, case.step, case.inputs or {}, case.cite or "", case.method)
    path = Path(word)
    if path.suffix.lower() in SUFFIXES or path.is_file():
        from knuckleboom.machine import read

        machine = read(path)
        return Task(file_name(machine.name or path.stem), machine)
    raise WrongInput(_unknown(word, list(catalogue.NAMES)))


def file_name(name: str) -> str:
    """Return a machine's name as a folder name: letters, digits, dots, dashes and underscores of any language."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "machine"


def _unknown(word: str, known: list[str]) -> str:
    near = closest(word, known)
    offered = " Closest names: " + ", ".join(f"'{name}'" for name in near) + "." if near else ""
    return f"There is no machine '{word}'.{offered}\n`knuckleboom list` shows them all; a file's name ends in .yaml."
