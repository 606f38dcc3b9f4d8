# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom replay`: compute a recorded drive again, write its results and a report."""

from pathlib import Path
from typing import Annotated, Any

import typer

from knuckleboom.cli import computed
from knuckleboom.cli.commands.run import seconds
from knuckleboom.cli.file_types import RECORDING, refuse_other_types
from knuckleboom.cli.keeping import refuse_unwritable, write_somewhere
from knuckleboom.cli.output import Bar, Json, Output, WrongInput

NAME = "replay"
EXAMPLE = "knuckleboom replay recordings/excavator.kbrec --record 5ms"

FileWord = Annotated[Path, typer.Argument(metavar="FILE", help="A recording of a drive, *.kbrec.")]


def command(
    file: FileWord,
    record: Annotated[str | None, typer.Option(help="Time between records; default 10ms.")] = None,
    save: computed.SaveFile = None,
    report: Annotated[Path | None, typer.Option(help="HTML report; default FILE.html beside the results.")] = None,
    no_report: computed.NoReport = False,
    json: Json = False,
) -> int:
    """Compute a recorded drive again, bit for bit, and write results and a report to results/FILE/."""
    import knuckleboom as kb
    from knuckleboom.cabin.recording import read_recording
    from knuckleboom.results.files import FileError

    output = Output(json)
    computed.refuse_contradiction(report, no_report)
    interval = seconds("--record", record)
    refuse_other_types(file, (RECORDING,))
    try:
        recording = read_recording(file)
    except FileError as error:
        raise WrongInput(str(error)) from error
    target = save or Path(computed.RESULTS_FOLDER) / file.stem / "run.nc"
    refuse_unwritable(target)
    page = None if no_report else report or target.with_name(f"{file.stem}.html")
    if page is not None:
        refuse_unwritable(page, "--report")

    with computed.Stopwatch() as took, Bar(f"replaying {file.name}") as bar:
        run = kb.replay(recording, record=interval, progress=bar)
    target, trouble = write_somewhere(run, target)
    shown = computed.Shown(trouble=trouble)
    if page is not None and len(run.time):
        computed.write_page(run, page, shown)

    told = run.meta["recording"]
    data: dict[str, Any] = {
        "recording": str(file),
        **{key: told[key] for key in ("package", "created", "steps", "changes", "ended", "bit_equal")},
        **computed.summary(run, shown.trouble),
        "elapsed_s": took.elapsed,
        "compile_s": took.compiling,
        **computed.files(run, target, shown),
    }
    output.document(data)
    equal = {True: ", bit for bit as it was driven", False: ", not as it was driven", None: ""}[told["bit_equal"]]
    driven = f"{recording.duration:.2f} s of '{run.machine}', {told['changes']} changes of its inputs"
    output.say(f"{driven}, computed again in {took}{equal}")
    computed.tell_files(output, run, target, shown)
    computed.tell_warnings(output, run)
    for text in filter(None, (run.message, shown.trouble)):
        output.note(text)
    return computed.EXIT_CODES["failed"] if shown.trouble else computed.EXIT_CODES[run.status]
