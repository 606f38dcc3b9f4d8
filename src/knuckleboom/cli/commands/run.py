# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom run`: simulate a machine, print its energy audit, write results, a report and pictures.

What was computed is written first, whatever happens: a run that failed or was interrupted (Ctrl-C) leaves its results
up to that moment. Files go to `results/<machine>/` unless told otherwise; whether they can be written there is found
out before the run, and a disk that fills up meanwhile sends the results to the folder for temporary files.
"""

import contextlib
import importlib
import os
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.cli import machines, methods
from knuckleboom.cli.output import Bar, Json, Output, WrongInput

if TYPE_CHECKING:
    from knuckleboom.results import EnergyAudit, Results

NAME = "run"
EXAMPLE = "knuckleboom run naya-rod --for 2s --step 0.5ms --save out.nc"

DEFAULT_MACHINE = "naya-rod"
RESULTS_FOLDER = "results"
EXIT_CODES = {"done": 0, "stopped": 0, "failed": 1, "interrupted": 130}

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]


def command(
    machine: MachineWord = DEFAULT_MACHINE,
    duration: Annotated[str | None, typer.Option("--for", help="How long, for example 10s.")] = None,
    step: Annotated[str | None, typer.Option(help="Step of the integrator, for example 1ms.")] = None,
    record: Annotated[str | None, typer.Option(help="Time between records, for example 10ms.")] = None,
    integrator: Annotated[str | None, typer.Option(help=methods.choices("integrator"))] = None,
    enforcement: Annotated[str | None, typer.Option(help=methods.choices("enforcement"))] = None,
    factorisation: Annotated[str | None, typer.Option(help=methods.choices("factorisation"))] = None,
    save: Annotated[Path | None, typer.Option(help="Result file: netCDF, or CSV if it ends in .csv.")] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Folder for a picture of each kind, instead of one overview.")
    ] = None,
    no_plots: Annotated[bool, typer.Option("--no-plots", help="Draw nothing: no pictures, no report.")] = False,
    report: Annotated[Path | None, typer.Option(help="HTML report; default MACHINE.html beside the results.")] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.")] = False,
    json: Json = False,
) -> int:
    """Simulate a machine, print where the energy went, write results and a report to results/MACHINE/."""
    output = Output(json)
    if report is not None and no_report:
        raise WrongInput("--report and --no-report contradict each other; give one of them.")
    settings: dict[str, Any] = {
        "duration": seconds("--for", duration),
        "step": seconds("--step", step),
        "record": seconds("--record", record),
        "integrator": methods.chosen("integrator", integrator),
        "enforcement": methods.chosen("enforcement", enforcement),
        "factorisation": methods.chosen("factorisation", factorisation),
    }
    task = machines.find_task(machine)
    settings["duration"] = settings["duration"] or task.duration
    settings["step"] = settings["step"] or task.step
    given = {"integrator": integrator, "enforcement": enforcement, "factorisation": factorisation}
    settings.update({word: choice for word, choice in task.method.items() if given[word] is None})
    folder = Path(RESULTS_FOLDER) / task.name
    target = save or folder / "run.nc"
    refuse_unwritable(target)
    if report is not None:
        refuse_unwritable(report, "--report")

    if not no_plots:
        import_aside("matplotlib.backends.backend_agg")
    began = time.perf_counter()
    with Bar(f"running {task.name}") as bar:
        results, failure = simulate(task, settings, bar)
    elapsed = time.perf_counter() - began

    # the numbers first: nothing that comes after may cost them
    trouble = ""
    if len(results.time):  # an empty result must not replace an earlier one
        with no_interruption():
            target, trouble = write_somewhere(results, target)
    audit = results.energy() if len(results.time) else None
    pictures: list[Path] = []
    if not (no_plots or trouble or results.status == "interrupted" or len(results.time) == 0):
        pictures = draw(results, folder / "overview.png", plots)

    # a report that was asked for by name is written whatever happened
    page = report
    if not (no_plots or no_report or trouble or results.status == "interrupted" or len(results.time) == 0):
        page = report or target.with_name(f"{task.name}.html")
    if page is not None:
        page, untold = write_page(results, page)
        trouble = f"{trouble}\n{untold}".strip()

    ending = Report(results, settings, elapsed, failure, trouble, audit, target, pictures, page)
    output.document(ending.to_dict())
    ending.tell(output)
    return EXIT_CODES["failed"] if trouble else EXIT_CODES[results.status]


def seconds(option: str, text: str | None) -> float | None:
    """Return a time of the command line in s, None where none was given; a bare number is in s."""
    from knuckleboom import units
    from knuckleboom.errors import UnitError

    if text is None:
        return None
    try:
        value = float(text) if _is_number(text) else units.parse(text, "s")
    except UnitError as error:
        raise WrongInput(f"{option}: {error}.") from error
    if not 0.0 < value < float("inf"):
        raise WrongInput(f"{option}: '{text}' is not a time longer than 0 s.")
    return value


def simulate(task: machines.Task, settings: dict[str, Any], bar: Bar) -> "tuple[Results, str]":
    """Run the machine; return what was computed and, if it failed, why."""
    import knuckleboom as kb
    from knuckleboom.errors import SimulationError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # the report says it in its place
            return kb.simulate(task.machine, inputs=task.inputs, progress=bar, **settings), ""
    except SimulationError as error:
        if error.results is None:
            raise
        return error.results, str(error)


def refuse_unwritable(target: Path, option: str = "--save") -> None:
    """Find out before a long run whether its results can be written there."""
    from knuckleboom.results.files import FileError, replace_file

    if target.is_dir():
        raise WrongInput(f"{option}: '{target}' is a folder; name a file in it.")
    probe = target.with_name(f".{target.name}.probe")
    try:
        replace_file(probe, b"").unlink()
    except FileError as error:
        raise WrongInput(str(error).replace(str(probe), str(target))) from error


def import_aside(module: str) -> None:
    """Import a module in a thread of its own: the compiled run leaves Python free, and drawing then begins at once."""
    threading.Thread(target=importlib.import_module, args=(module,), daemon=True).start()


def write_somewhere(results: "Results", target: Path) -> tuple[Path, str]:
    """Write the results to the target, else to the folder for temporary files; return where, and what went wrong."""
    from knuckleboom.results.files import FileError

    try:
        return write(results, target), ""
    except FileError as error:
        instead = Path(tempfile.gettempdir()) / f"knuckleboom-{os.getpid()}-{target.name}"
        try:
            write(results, instead)
        except FileError as again:
            raise FileError(f"{error}\n{again}\nThe results are lost.") from again
        return instead, f"{error}\nThe results are in '{instead}' instead."


def write(results: "Results", target: Path) -> Path:
    """Write the results in the format that the file's name asks for."""
    return results.to_csv(target) if target.suffix.lower() == ".csv" else results.to_netcdf(target)


def draw(results: "Results", overview: Path, folder: Path | None) -> list[Path]:
    """Write the overview of a run, or a picture of each kind into a folder."""
    from knuckleboom.plots import write_overview, write_pictures

    if folder is None:
        return [write_overview(results, overview)]
    with Bar("drawing") as bar:
        return write_pictures(results, folder, bar)


def write_page(results: "Results", path: Path) -> tuple[Path | None, str]:
    """Write the report; return where, and what went wrong: it must not cost the rest of what is said."""
    from knuckleboom.results.files import FileError

    try:
        return results.report(path), ""
    except FileError as error:
        return None, str(error)


@contextlib.contextmanager
def no_interruption() -> Iterator[None]:
    """Let nobody press Ctrl-C while the file is written."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:
        # not the main thread: signals do not arrive here anyway
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(frozen=True)
class Report:
    """What a run has to say when it is over."""

    results: "Results"
    settings: dict[str, Any]
    elapsed: float
    failure: str
    trouble: str
    audit: "EnergyAudit | None"
    target: Path
    pictures: list[Path]
    page: Path | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what `--json` prints; its keys are described in docs/cli.md."""
        results = self.results
        return {
            "machine": results.machine,
            "status": results.status,
            "message": self.trouble or self.failure or results.message,
            "time": float(results.time[-1]) if len(results.time) else None,
            "records": len(results.time),
            "quantities": len(results),
            "elapsed_s": self.elapsed,
            **{key: results.meta.get(key, value) for key, value in self.settings.items()},
            "results": str(self.target) if len(results.time) else None,
            "report": str(self.page) if self.page is not None else None,
            "plots": [str(path) for path in self.pictures],
            "energy": self.audit.to_dict() if self.audit is not None else None,
        }

    def tell(self, output: Output) -> None:
        """Print for people how the run ended, the energy audit and where the files are."""
        results = self.results
        kept = (
            f"results up to t = {results.time[-1]:.4f} s" if len(results.time) else "no results: nothing was recorded"
        )
        if self.audit is not None:
            output.say(f"{self.audit}\n")
        output.say(f"{len(results)} quantities at {len(results.time)} times, computed in {self.elapsed:.2f} s")
        if len(results.time):
            output.say(f"results   {self.target}")
        if self.page is not None:
            output.say(f"report    {self.page}")
        if self.pictures:
            output.say(f"pictures  {self.pictures[0].parent / '*.png'}")
        if results.status == "failed":
            # a failure of the engine ends in a line that says what was kept
            reason = self.failure or results.message
            line = "" if reason.splitlines()[-1].startswith("  kept ") else f"\n  kept              {kept}"
            place = f", in {self.target}" if len(results.time) else ""
            output.note(f"{reason}{line}{place}")
        elif results.status == "done" and results.message:
            output.note(results.message)
        elif results.status == "interrupted":
            place = f"Kept {kept}, in {self.target}" if len(results.time) else "Nothing was recorded yet or written."
            output.note(f"Interrupted. {place}")
        if self.trouble:
            output.note(self.trouble)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
