# SPDX-License-Identifier: BSD-3-Clause
"""Which machine a word on the command line means: a name of the catalogue or a YAML file.

A name brings its own duration, step and inputs; a file is run with inputs at their defaults. Anything else is answered
with the closest names of the catalogue, or of the YAML files in that folder.
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


def find_task(word: str) -> Task:
    """Return the machine that a word names, or say which words would."""
    from knuckleboom import catalogue

    if word in catalogue.NAMES:
        case = catalogue.NAMES[word]()
        return Task(word, case.machine, case.duration, case.step, case.inputs or {}, case.cite or "")
    path = Path(word)
    if path.suffix.lower() in SUFFIXES or path.is_file():
        return Task(file_name(path.stem), read_file(path))
    raise WrongInput(_unknown(word, list(catalogue.NAMES)))


def read_file(path: Path) -> "Machine":
    """Read a machine from YAML; a file that is not there is answered with the closest ones beside it."""
    from knuckleboom.machine import read

    if path.is_dir():
        raise WrongInput(f"'{path}' is a folder; name a YAML file in it.")
    if not path.is_file():
        folder = path.parent
        beside = [str(found) for suffix in SUFFIXES for found in sorted(folder.glob(f"*{suffix}"))]
        raise WrongInput(f"There is no file '{path}'.{_offer(closest(str(path), beside))}")
    try:
        return read(path)
    except OSError as error:
        raise WrongInput(f"'{path}' cannot be read: {error.strerror or error}.") from error


def file_name(name: str) -> str:
    """Return a machine's name as a folder name: letters, digits, dots, dashes and underscores of any language."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "machine"


def _unknown(word: str, known: list[str]) -> str:
    offered = _offer(closest(word, known))
    return f"There is no machine '{word}'.{offered}\n`knuckleboom list` shows them all; a file's name ends in .yaml."


def _offer(names: list[str]) -> str:
    return " Closest names: " + ", ".join(f"'{name}'" for name in names) + "." if names else ""
