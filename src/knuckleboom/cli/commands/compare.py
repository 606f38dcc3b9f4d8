# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom compare`: every method on one machine at several steps: cost, errors, which one to take."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.commands.run import MachineWord, seconds
from knuckleboom.cli.interruption import INTERRUPTED, ctrl_c
from knuckleboom.cli.keeping import refuse_no_picture, refuse_unwritable
from knuckleboom.cli.output import Bar, Json, Output

if TYPE_CHECKING:
    from knuckleboom.results import Comparison

NAME = "compare"
EXAMPLE = 'knuckleboom compare naya-rod --for 3s --steps "5ms,2ms,1ms" --report compare.html'

STEPS = "10ms,5ms,2ms,1ms"
WITHIN = "90s"


def command(
    machine: MachineWord,
    case: machines.CaseWord = None,
    duration: Annotated[str | None, typer.Option("--for", help="How long, for example 10s.")] = None,
    steps: Annotated[str, typer.Option(help="Steps to try, separated by commas.")] = STEPS,
    only: Annotated[str, typer.Option(help='Words that methods must have, for example "relative,sparse".')] = "",
    within: Annotated[str, typer.Option(help="Processor time that it may take, compilation aside.")] = WITHIN,
    plot: Annotated[Path | None, typer.Option(help="Picture of cost against error, for example compare.png.")] = None,
    report: Annotated[Path | None, typer.Option(help="HTML report, for example compare.html.")] = None,
    json: Json = False,
) -> int:
    """Run every method that fits a machine against a converged run: cost, errors, drift, and which one to use."""
    output = Output(json)
    sizes = [seconds("--steps", step.strip()) for step in steps.split(",") if step.strip()]
    length, time = seconds("--for", duration), seconds("--within", within)
    task = machines.find_task(machine, case)
    for doubt in task.machine.doubts:
        output.note(f"Note: {doubt.text()}")
    for reference in task.case.imports:
        output.note(f"Case '{task.case.name}' imports and runs {reference}")
    if plot is not None:
        refuse_no_picture(plot, "--plot")
    if report is not None:
        refuse_unwritable(report, "--report")
    from knuckleboom.analysis.compare import compare

    with Bar(f"comparing methods on {task.name}") as bar:
        found = compare(
            task.machine, length, case=task.case, steps=[size for size in sizes if size is not None],
            only=[word.strip() for word in only.split(",") if word.strip()],
            within=time or WITHIN, shorten=length is None, progress=bar,
        )  # fmt: skip
    files = Written(found, plot, report)
    output.document({**found.to_dict(), "plot": files.name(plot), "report": files.name(report)})
    output.say(str(found))
    if files.name(report):
        output.say(f"report    {report}")
    if files.name(plot):
        output.say(f"picture   {plot}")
    if files.trouble:
        output.note(files.trouble)
    return INTERRUPTED if found.status == "interrupted" else 1 if files.trouble else 0


class Written:
    """The files that were written, and what went wrong: that must not cost the numbers."""

    def __init__(self, found: "Comparison", plot: Path | None, report: Path | None) -> None:
        from knuckleboom.plots.comparison import write_comparison
        from knuckleboom.report.comparison import write_comparison_report
        from knuckleboom.results.files import FileError

        self.paths: list[Path] = []
        self.trouble = ""
        with ctrl_c.waiting():
            for path, write in ((report, write_comparison_report), (plot, write_comparison)):
                if path is None:
                    continue
                try:
                    self.paths.append(write(found, path))
                except FileError as error:
                    self.trouble = f"{self.trouble}\n{error}".strip()

    def name(self, path: Path | None) -> str | None:
        """The name of a file if it was written."""
        return str(path) if path is not None and path in self.paths else None
