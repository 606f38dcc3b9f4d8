# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom report`: make an HTML report of a saved run, with measured data laid over it if there are any."""

from pathlib import Path
from typing import Annotated, Any

import typer

from knuckleboom.cli.output import Json, Output, WrongInput

NAME = "report"
EXAMPLE = "knuckleboom report results/excavator/run.nc --measured data.csv"

ResultsWord = Annotated[Path, typer.Argument(metavar="RESULTS", help="A netCDF file that `knuckleboom run` wrote.")]


def command(
    results: ResultsWord,
    measured: Annotated[
        Path | None, typer.Option(help="CSV: time [s] first, then columns such as lift.a.pressure [bar].")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="HTML file; default RESULTS with .html.")] = None,
    json: Json = False,
) -> None:
    """Write a saved run as one HTML file with animation, plots and tables that opens without a network."""
    import knuckleboom as kb
    from knuckleboom.report.measured import read_measured
    from knuckleboom.report.tables import measured_rows
    from knuckleboom.report.write import write_report
    from knuckleboom.results.files import FileError

    output = Output(json)
    target = save or results.with_suffix(".html")
    if target.is_dir():
        raise WrongInput(f"--save: '{target}' is a folder; name a file in it.")
    if target == results:
        raise WrongInput(f"--save: '{target}' is the result file itself; name another, such as report.html.")
    try:
        run = kb.load(results)
    except FileError as error:
        raise WrongInput(str(error)) from error
    compared = read_measured(measured, run) if measured is not None else []
    path = write_report(run, target, measured=compared)

    data: dict[str, Any] = {
        "results": str(results),
        "report": str(path),
        "bytes": path.stat().st_size,
        "machine": run.machine,
        "status": run.status,
        "animation": "outline" in run.meta and len(run.time) > 0,
        "quantities": len(run),
        "measured": [one.to_dict() for one in compared],
    }
    output.document(data)
    if compared:
        columns = ("quantity", "unit", "points compared", "RMS difference", "largest", "at s")
        output.table("Measured − computed", columns, measured_rows(compared), right=columns[2:])
    output.say(f"report    {path}")
