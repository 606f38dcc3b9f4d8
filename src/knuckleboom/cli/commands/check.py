# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom check`: every problem of a machine at once, or "no problems" and what is worth a note."""

from typing import TYPE_CHECKING, Annotated

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.file_types import MACHINE, refuse_other_types
from knuckleboom.cli.output import Json, Output

if TYPE_CHECKING:
    from knuckleboom.errors import Problem
    from knuckleboom.machine import Machine

NAME = "check"
EXAMPLE = "knuckleboom check machine.yaml"

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]


def command(machine: MachineWord, json: Json = False) -> None:
    """Find everything that is wrong with a machine: which part, where in the file, the rule, the fix.

    Exit code 2 when there are problems; notes say what may be meant as it is.
    """
    output = Output(json)
    problems, notes, text = find_problems(machine)
    listed = {"problems": [one.to_dict() for one in problems], "notes": [one.to_dict() for one in notes]}
    output.document({"machine": machine, **listed})
    output.say(text)
    if problems:
        raise typer.Exit(2)


def find_problems(word: str) -> "tuple[list[Problem], list[Problem], str]":
    """Return the problems and notes of a machine and their text; without problems it is planned, to close its loops."""
    from knuckleboom.errors import MachineError, report
    from knuckleboom.machine.reader import examine

    machine: Machine | None
    if machines.is_file(word):
        refuse_other_types(word, (MACHINE,))
        (machine, problems), where = examine(word), word
    else:
        machine = machines.find_task(word).machine
        problems, where = machine.check(), machine.where
    notes: list[Problem] = []
    if machine is not None and not machine.check():
        from knuckleboom.plan import build
        from knuckleboom.simulation.case_check import case_problems

        try:
            planned = build(machine)
            problems = [*problems, *case_problems(planned, machine.cases.values())]
            problems.sort(key=lambda item: item.lines or (0, 0))
            notes = [*machine.notes(), *planned.notes()]
        except MachineError as error:
            problems = [*problems, *error.problems]
    if problems:
        return problems, [], report(problems, where)
    return [], notes, "no problems" + (f"\n\n{report(notes, where, 'note')}" if notes else "")
