# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom compare`: every method on one machine at several steps: cost, errors, which one to take."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.commands.run import MachineWord, seconds
from knuckleboom.cli.interruption import INTERRUPTED
from knuckleboom.cli.keeping import refuse_unwritable
from knuckleboom.cli.output import Bar, Json, Output, WrongInput

if TYPE_CHECKING:
    from knuckleboom.results import Comparison

NAME = "compare"
EXAMPLE = 'knuckleboom compare naya-rod --for 3s --steps "5ms,2ms,1ms"'

STEPS = "10ms,5ms,2ms,1ms"
PICTURES = (".png", ".svg", ".pdf")


def command(
    machine: MachineWord,
    duration: Annotated[str | None, typer.Option("--for", help="How long, for example 10s.")] = None,
    steps: Annotated[str, typer.Option(help="Steps to try, separated by commas.")] = STEPS,
    plot: Annotated[Path | None, typer.Option(help="Picture of cost against error, for example compare.png.")] = None,
    json: Json = False,
) -> int:
    """Run every method that fits a machine against a converged run: cost, errors, drift, and which one to use."""
    output = Output(json)
    sizes = [seconds("--steps", step.strip()) for step in steps.split(",") if step.strip()]
    length = seconds("--for", duration)
    task = machines.find_task(machine)
    for doubt in task.machine.doubts:
        output.note(f"Note: {doubt.text()}")
    if plot is not None:
        if plot.suffix.lower() not in PICTURES:
            raise WrongInput(f"--plot: '{plot}' is no picture; its name ends in {', '.join(PICTURES)}.")
        refuse_unwritable(plot, "--plot")
    from knuckleboom.analysis.compare import compare

    with Bar(f"comparing methods on {task.name}") as bar:
        found = compare(
            task.machine, length or task.duration, steps=[size for size in sizes if size is not None],
            inputs=task.inputs, method=task.method, progress=bar,
        )  # fmt: skip
    trouble = draw(found, plot) if plot is not None else ""
    drawn = plot is not None and not trouble
    output.document({**found.to_dict(), "plot": str(plot) if drawn else None})
    output.say(str(found))
    if drawn:
        output.say(f"picture   {plot}")
    if trouble:
        output.note(trouble)
    return INTERRUPTED if found.status == "interrupted" else 1 if trouble else 0


def draw(found: "Comparison", path: Path) -> str:
    """Write the picture; return what went wrong, which must not cost the numbers."""
    from knuckleboom.plots.comparison import write_comparison
    from knuckleboom.results.files import FileError

    try:
        write_comparison(found, path)
    except FileError as error:
        return str(error)
    return ""
