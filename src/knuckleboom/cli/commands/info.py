# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom info`: what a machine consists of and what its plan made of it, in numbers and names."""

from typing import Annotated, Any

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.output import Json, Output

NAME = "info"
EXAMPLE = "knuckleboom info harvester-30"

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]


def command(machine: MachineWord, json: Json = False) -> None:
    """Count bodies, joints, coordinates, loops, oil and inputs of a machine."""
    output = Output(json)
    data = count(machines.find_task(machine))
    output.document(data)
    plain = [(key.replace("_", " "), str(value)) for key, value in data.items() if isinstance(value, str | int)]
    lists = [(key.replace("_", " "), ", ".join(data[key]) or "none") for key in ("cut_joints", "dropped_rows")]
    output.table("", ("what", "is"), plain + lists)
    inputs = [(one["name"], one["unit"], one["meaning"]) for one in data["inputs"]]
    if inputs:
        output.table("Inputs", ("name", "unit", "meaning"), inputs)


def count(task: machines.Task) -> dict[str, Any]:
    """Return the numbers and names; the keys are described in docs/cli.md."""
    from knuckleboom.plan import build

    built = build(task.machine)
    return dict(built.info())
