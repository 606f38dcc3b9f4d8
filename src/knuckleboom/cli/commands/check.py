# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom check`: every problem of a machine at once, or "no problems"."""

from typing import Annotated

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.output import Json, Output

NAME = "check"
EXAMPLE = "knuckleboom check machine.yaml"

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]


def command(machine: MachineWord, json: Json = False) -> None:
    """Find everything that is wrong with a machine: which part, where in the file, the rule, the fix.

    Exit code 2 when there are problems.
    """
    from knuckleboom.errors import MachineError, report

    output = Output(json)
    try:
        described = machines.find_task(machine).machine
        problems = described.check()
        text = report(problems, described.where)
    except MachineError as error:
        problems, text = error.problems, str(error)
    output.document({"machine": machine, "problems": [problem.to_dict() for problem in problems]})
    if problems:
        output.say(text)
        raise typer.Exit(2)
    output.say("no problems")
