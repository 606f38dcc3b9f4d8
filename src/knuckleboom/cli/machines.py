# SPDX-License-Identifier: BSD-3-Clause
"""Which machine a word on the command line means: a name of the catalogue or a YAML file.

A name brings its own duration, step and inputs; a file is run with inputs at their defaults. Anything else is answered
with the closest names of the catalogue.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knuckleboom.cli.output import WrongInput
from knuckleboom.names import closest

if TYPE_CHECKING:
    from knuckleboom.machine import Machine

SUFFIXES = (".yaml", ".yml")

LONGEST = 80
"""Letters of a folder's name; every file system takes as many, also with an ending."""

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
    method: Mapping[str, str] = field(default_factory=dict)
    stop: tuple[str, ...] = ()


def find_task(word: str) -> Task:
    """Return the machine that a word names, or say which words would."""
    from knuckleboom import catalogue

    if word in catalogue.NAMES:
        case = catalogue.NAMES[word]()
        return Task(word, case.machine, case.duration, case.step, case.inputs or {}, case.method)
    path = Path(word)
    if path.suffix.lower() in SUFFIXES or path.is_file():
        from knuckleboom.machine import read

        machine = read(path)
        return Task(file_name(machine.name or path.stem), machine)
    here = sorted(path.name for suffix in SUFFIXES for path in Path().glob(f"*{suffix}"))
    raise WrongInput(_unknown(word, [*catalogue.NAMES, *here]))


def changed(task: Task, settings: Sequence[str], stop: Sequence[str]) -> Task:
    """Return a task with parameters such as lift.bore=90mm changed, a bare number being in SI, and stop conditions."""
    machine = task.machine
    for setting in settings:
        from knuckleboom.plan.retune import with_parameter

        name, given, text = setting.partition("=")
        values = [_value(item) for item in text.split(",")]
        if not given or not text.strip():
            raise WrongInput(f"--set: '{setting}' is not a name and a value, such as lift.bore=90mm.")
        machine = with_parameter(machine, name.strip(), values[0] if len(values) == 1 else tuple(values))
    return replace(task, machine=machine, stop=tuple(stop))


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text.strip()


def file_name(name: str) -> str:
    """Return a machine's name as a folder name: letters, digits, dots, dashes and underscores of any language."""
    return re.sub(r"[^\w.-]+", "-", name)[:LONGEST].strip("-.") or "machine"


def _unknown(word: str, known: list[str]) -> str:
    near = closest(word, known)
    offered = " Closest names: " + ", ".join(f"'{name}'" for name in near) + "." if near else ""
    return f"There is no machine '{word}'.{offered}\n`knuckleboom list` shows them all; a file's name ends in .yaml."
