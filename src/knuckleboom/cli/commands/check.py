# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom check`: every problem of a machine at once, or "no problems" and what is worth a note."""

from typing import TYPE_CHECKING, Annotated

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.output import Json, Output

if TYPE_CHECKING:
    from knuckleboom.errors import Problem

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

    try:
        machine = machines.find_task(word).machine
        problems = machine.check()
        if problems:
            raise MachineError(problems, machine.where)

        from knuckleboom.plan import build

        notes = [*machine.notes(), *build(machine).notes()]
    except MachineError as error:
        return error.problems, [], str(error)
    return [], notes, "no problems" + (f"\n\n{report(notes, machine.where, 'note')}" if notes else "")
