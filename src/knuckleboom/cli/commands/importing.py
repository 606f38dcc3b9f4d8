# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom import`: a robot's file (URDF or MJCF) as a machine, and what was left out."""

from pathlib import Path
from typing import Annotated

import typer

from knuckleboom.cli.file_types import ROBOT, refuse_other_types
from knuckleboom.cli.output import Json, Output, WrongInput

NAME = "import"
EXAMPLE = "knuckleboom import robot.urdf --save robot.yaml"


def command(
    robot: Annotated[str, typer.Argument(metavar="ROBOT", help="A URDF or MJCF file.")],
    save: Annotated[Path | None, typer.Option(help="Write the machine to this YAML file.")] = None,
    base: Annotated[str | None, typer.Option(help="For URDF: fixed (default) or free, the root link.")] = None,
    within: Annotated[
        Path | None, typer.Option(help="For MJCF: folder of all files that it names; its own if not given.")
    ] = None,
    json: Json = False,
) -> None:
    """Make a machine of a robot's file, print what was left out or changed, and write it as YAML."""
    from knuckleboom.exchange import import_robot
    from knuckleboom.machine import write
    from knuckleboom.mechanics.parts import Body, Joint

    output = Output(json)
    refuse_other_types(robot, (ROBOT,))
    imported = import_robot(robot, base=base, within=within)
    machine = imported.machine
    if save is not None:
        try:
            write(machine, save)
        except OSError as error:
            raise WrongInput(f"--save: '{save}' cannot be written: {error.strerror or error}.") from None
    output.document(
        {
            "file": robot,
            "machine": machine.name,
            "bodies": len(machine.of(Body)),
            "joints": len(machine.of(Joint)),
            "parts": len(machine.parts),
            "saved": None if save is None else str(save),
            "left_out": [entry.to_dict() for entry in imported.left_out],
        }
    )
    output.say(str(imported))
    if save is not None:
        output.say(f"Saved as {save}; run it with: knuckleboom run {save}")
