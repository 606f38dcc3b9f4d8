# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom report`: make an HTML report of a saved run, with measured data laid over it if there are any."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from knuckleboom.cli.file_types import RESULTS, TABLE, refuse_other_types
from knuckleboom.cli.output import Json, Output, WrongInput

NAME = "report"
EXAMPLE = "knuckleboom report results/excavator/run.nc --measured data.csv"

ResultsWord = Annotated[Path, typer.Argument(metavar="RESULTS", help="A netCDF file that `knuckleboom run` wrote.")]


def command(
    results: ResultsWord,
    measured: Annotated[
        Path | None, typer.Option(help="CSV: time \\[s] first, then lift.a.pressure \\[bar]; default that of the case.")
    ] = None,
    case: Annotated[
        str | None, typer.Option(help="Case whose measured data are taken; default that of the run.")
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
    refuse_other_types(results, (RESULTS,))
    if measured is not None:
        refuse_other_types(measured, (TABLE,), "--measured")
    target = save or results.with_suffix(".html")
    if target.is_dir():
        raise WrongInput(f"--save: '{target}' is a folder; name a file in it.")
    if target == results:
        raise WrongInput(f"--save: '{target}' is the result file itself; name another, such as report.html.")
    try:
        run = kb.load(results)
    except FileError as error:
        raise WrongInput(str(error)) from error
    data_file = measured_file(run.meta.get("case", {}), measured, case)
    compared = read_measured(data_file, run) if data_file is not None else []
    path = write_report(run, target, measured=compared)

    data: dict[str, Any] = {
        "results": str(results),
        "report": str(path),
        "bytes": path.stat().st_size,
        "machine": run.machine,
        "status": run.status,
        "animation": "outline" in run.meta and len(run.time) > 0,
        "quantities": len(run),
        "measured_file": None if data_file is None else str(data_file),
        "measured": [one.to_dict() for one in compared],
    }
    output.document(data)
    if compared:
        columns = ("quantity", "unit", "points compared", "RMS difference", "largest", "at s")
        output.table("Measured − computed", columns, measured_rows(compared), right=columns[2:])
    output.say(f"report    {path}")


def measured_file(kept: Mapping[str, Any], measured: Path | None, case: str | None) -> Path | None:
    """Return the file with measured data: the one given, or that of a case, by default the run's own."""
    if measured is not None and case is not None:
        raise WrongInput("--measured and --case both say which measured data are taken; give one of them.")
    if measured is not None:
        return measured
    if case is None:
        return Path(kept["measured"]) if kept.get("measured") else None
    if not kept.get("file"):
        raise WrongInput("--case: the results are of no case of a machine's file; give --measured.")

    from knuckleboom.machine import read

    file = read(kept["file"]).find_case(case).measured
    if not file:
        raise WrongInput(f"--case: case '{case}' of {kept['file']} has no measured data.")
    return Path(file)
