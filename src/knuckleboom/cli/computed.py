# SPDX-License-Identifier: BSD-3-Clause
"""What commands share that compute results and write them: `run` and `replay`.

Options for the files, how long it took without compiling, the report, and what is said of the results in the end.
Keys of the documents are described in docs/cli.md. Tested in tests/cli/test_run.py and test_documented_keys.py.
"""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.cli.output import Output, WrongInput

if TYPE_CHECKING:
    from knuckleboom.results import Results

RESULTS_FOLDER = "results"
EXIT_CODES = {"done": 0, "stopped": 0, "failed": 1, "interrupted": 130}

SaveFile = Annotated[Path | None, typer.Option(help="Result file: netCDF, or CSV if it ends in .csv.")]
NoReport = Annotated[bool, typer.Option("--no-report", help="Write no report.")]


def refuse_contradiction(report: Path | None, no_report: bool) -> None:
    """Raise when a report is wanted and not wanted."""
    if report is not None and no_report:
        raise WrongInput("--report and --no-report contradict each other; give one of them.")


class Stopwatch:
    """Times what is done in its context: `elapsed` [s] without compiling, `compiling` [s]."""

    elapsed = compiling = 0.0

    def __enter__(self) -> "Stopwatch":
        self._began, self._compiled = time.perf_counter(), compile_seconds()
        return self

    def __exit__(self, *_: object) -> None:
        self.compiling = compile_seconds() - self._compiled
        self.elapsed = time.perf_counter() - self._began - self.compiling

    def __str__(self) -> str:
        after = f" after compiling for {self.compiling:.0f} s" if self.compiling else ""
        return f"{self.elapsed:.2f} s{after}"


def compile_seconds() -> float:
    """Return how long this process has been compiling so far, s."""
    from knuckleboom import kernels

    return sum(kernels.compile_times.values())


@dataclass
class Shown:
    """What was drawn and reported of results, and what went wrong: that must not cost the rest of what is said."""

    pictures: list[Path] = field(default_factory=list)
    page: Path | None = None
    trouble: str = ""


def write_page(results: "Results", path: Path, shown: Shown) -> None:
    """Write the report; one whose case has faulty measured data is written without them."""
    from knuckleboom.errors import MachineError
    from knuckleboom.results.files import FileError

    try:
        try:
            shown.page = results.report(path)
        except MachineError as error:
            shown.trouble = f"{shown.trouble}\nThe report has no measured data: {error}".strip()
            shown.page = results.report(path, measured=())
    except FileError as error:
        shown.trouble = f"{shown.trouble}\n{error}".strip()


def summary(results: "Results", message: str) -> dict[str, Any]:
    """Return what `--json` says of any results."""
    return {
        "machine": results.machine,
        "status": results.status,
        "message": message or results.message,
        "warnings": results.warnings,
        "time": float(results.time[-1]) if len(results.time) else None,
        "records": len(results.time),
    }


def files(results: "Results", target: Path, shown: Shown) -> dict[str, Any]:
    """Return which files `--json` names."""
    return {
        "results": str(target) if len(results.time) else None,
        "report": str(shown.page) if shown.page is not None else None,
    }


def tell_warnings(output: Output, results: "Results") -> None:
    """Say what the results warn of, one line each."""
    for sentence in results.warnings:
        output.note(f"Warning: {sentence}")


def tell_files(output: Output, results: "Results", target: Path, shown: Shown) -> None:
    """Say where the files are."""
    if len(results.time):
        output.say(f"results   {target}")
    if shown.page is not None:
        output.say(f"report    {shown.page}")
