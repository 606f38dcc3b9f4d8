# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom replay`: compute a recorded drive again, write its results and a report."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from knuckleboom.cli.commands.run import EXIT_CODES, RESULTS_FOLDER, seconds
from knuckleboom.cli.keeping import refuse_unwritable, write_somewhere
from knuckleboom.cli.output import Bar, Json, Output, WrongInput

NAME = "replay"
EXAMPLE = "knuckleboom replay recordings/excavator.kbrec --record 5ms"

FileWord = Annotated[Path, typer.Argument(metavar="FILE", help="A recording of a drive, *.kbrec.")]


def command(
    file: FileWord,
    record: Annotated[str | None, typer.Option(help="Time between records; default 10ms.")] = None,
    save: Annotated[Path | None, typer.Option(help="Result file: netCDF, or CSV if it ends in .csv.")] = None,
    report: Annotated[Path | None, typer.Option(help="HTML report; default FILE.html beside the results.")] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.")] = False,
    json: Json = False,
) -> int:
    """Compute a recorded drive again, bit for bit, and write results and a report to results/FILE/."""
    import knuckleboom as kb
    from knuckleboom.cabin.recording import read_recording
    from knuckleboom.results.files import FileError

    output = Output(json)
    if report is not None and no_report:
        raise WrongInput("--report and --no-report contradict each other; give one of them.")
    interval = seconds("--record", record)
    try:
        recording = read_recording(file)
    except FileError as error:
        raise WrongInput(str(error)) from error
    target = save or Path(RESULTS_FOLDER) / file.stem / "run.nc"
    refuse_unwritable(target)
    page = None if no_report else report or target.with_name(f"{file.stem}.html")
    if page is not None:
        refuse_unwritable(page, "--report")

    began = time.perf_counter()
    with Bar(f"replaying {file.name}") as bar:
        run = kb.replay(recording, record=interval, progress=bar)
    elapsed = time.perf_counter() - began
    target, trouble = write_somewhere(run, target)
    written = run.report(page) if page is not None and len(run.time) else None

    told = run.meta["recording"]
    data: dict[str, Any] = {
        "recording": str(file),
        **{key: told[key] for key in ("package", "created", "steps", "changes", "ended", "bit_equal")},
        "machine": run.machine,
        "status": run.status,
        "message": trouble or run.message,
        "time": float(run.time[-1]) if len(run.time) else None,
        "records": len(run.time),
        "elapsed_s": elapsed,
        "results": str(target),
        "report": str(written) if written is not None else None,
    }
    output.document(data)
    equal = {True: ", bit for bit as it was driven", False: ", not as it was driven", None: ""}[told["bit_equal"]]
    driven = f"{recording.duration:.2f} s of '{run.machine}', {told['changes']} changes of its inputs"
    output.say(f"{driven}, computed again in {elapsed:.2f} s{equal}")
    output.say(f"results   {target}")
    if written is not None:
        output.say(f"report    {written}")
    for text in filter(None, (run.message, trouble)):
        output.note(text)
    return 1 if trouble else EXIT_CODES[run.status]
