# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom check`: every problem of a machine at once, or "no problems"."""

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

    Exit code 2 when there are problems.
    """
    output = Output(json)
    problems, text = find_problems(machine)
    output.document({"machine": machine, "problems": [problem.to_dict() for problem in problems]})
    output.say(text)
    if problems:
        raise typer.Exit(2)


def find_problems(word: str) -> "tuple[list[Problem], str]":
    """Return the problems of a machine and their text; what has none is planned too, to see that its loops close."""
    from knuckleboom.errors import MachineError

    try:
        machine = machines.find_task(word).machine
        problems = machine.check()
        if problems:
            raise MachineError(problems, machine.where)

        from knuckleboom.plan import build

        build(machine)
    except MachineError as error:
        return error.problems, str(error)
    return [], "no problems"
