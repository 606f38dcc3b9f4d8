# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom run`: simulate a machine, print its energy audit, write results, a report and pictures.

What was computed is written first, whatever happens: a run that failed or was interrupted (Ctrl-C) leaves its results
up to that moment, see `keeping.py`. Files go to `results/<machine>/` unless options name others.
"""

import importlib
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom import methods
from knuckleboom.cli import machines
from knuckleboom.cli.computed import (
    EXIT_CODES,
    RESULTS_FOLDER,
    NoReport,
    SaveFile,
    Shown,
    Stopwatch,
    files,
    refuse_contradiction,
    summary,
    tell_files,
    tell_warnings,
    write_page,
)
from knuckleboom.cli.file_types import RESULTS, refuse_other_types
from knuckleboom.cli.interruption import ctrl_c
from knuckleboom.cli.keeping import Keeper, read_choice, refuse_unwritable, write_somewhere
from knuckleboom.cli.output import Bar, Json, Output, WrongInput

if TYPE_CHECKING:
    from knuckleboom.results import EnergyAudit, Results

NAME = "run"
EXAMPLE = "knuckleboom run excavator --for 5s --save out.nc"

DEFAULT_MACHINE = "excavator"

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]


def choice(word: str) -> Any:
    """Return the option of a word of the method."""
    return typer.Option(help=f"One of {', '.join(methods.choices(word))}; see knuckleboom list methods.")


def command(
    machine: MachineWord = DEFAULT_MACHINE,
    case: machines.CaseWord = None,
    ground: machines.GroundWord = None,
    duration: Annotated[str | None, typer.Option("--for", help="How long, for example 10s.")] = None,
    step: Annotated[str | None, typer.Option(help="Step of the integrator, for example 1ms.")] = None,
    record: Annotated[str | None, typer.Option(help="Time between records, for example 10ms.")] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="Change a parameter, for example lift.bore=90mm.")
    ] = None,
    given_input: Annotated[
        list[str] | None, typer.Option("--input", help="Hold an input, boom=0.5, or step it, boom=0:0,2s:0.5.")
    ] = None,
    inputs: Annotated[Path | None, typer.Option(help="CSV file: time, and a column for each input it gives.")] = None,
    stop: Annotated[list[str] | None, typer.Option(help='Stop early, for example "lift.length > 0.4 m".')] = None,
    start: Annotated[
        str | None,
        typer.Option(help="equilibrium: at rest, with pressures that carry the load; machine: at the machine's own."),
    ] = None,
    coordinates: Annotated[str | None, choice("coordinates")] = None,
    coupling: Annotated[str | None, choice("coupling")] = None,
    integrator: Annotated[str | None, choice("integrator")] = None,
    enforcement: Annotated[str | None, choice("enforcement")] = None,
    factorisation: Annotated[str | None, choice("factorisation")] = None,
    power_integrator: Annotated[str | None, choice("power_integrator")] = None,
    power_step: Annotated[str | None, typer.Option(help="Step of the oil on its own, for example 0.2ms.")] = None,
    jumps: Annotated[str | None, choice("jumps")] = None,
    course: Annotated[str | None, choice("course")] = None,
    order: Annotated[str | None, choice("order")] = None,
    handed: Annotated[str | None, choice("handed")] = None,
    variables: Annotated[str | None, choice("variables")] = None,
    solver: Annotated[str | None, choice("solver")] = None,
    spectral_radius: Annotated[
        float | None,
        typer.Option(help=f"Of {methods.DAMPED}: 0 damps most, 1 nothing; default {methods.SPECTRAL_RADIUS:g}."),
    ] = None,
    penalty: Annotated[
        float | None,
        typer.Option(help=f"Weight of loops and joints as equations; default {methods.Method.penalty:g}."),
    ] = None,
    follow: Annotated[
        Path | None, typer.Option("--from", help="Earlier results that cylinders and motors follow (kinematic).")
    ] = None,
    save: SaveFile = None,
    signals: Annotated[str | None, typer.Option(help='Columns of a CSV file, for example "lift.*,pump.flow".')] = None,
    units: Annotated[str | None, typer.Option(help='Units of a CSV file: human, SI, or such as "human,barg".')] = None,
    every: Annotated[str | None, typer.Option(help="Time between lines of a CSV file, for example 10ms.")] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Folder for a picture of each kind, instead of one overview.")
    ] = None,
    no_plots: Annotated[bool, typer.Option("--no-plots", help="Draw nothing: no pictures, no report.")] = False,
    report: Annotated[Path | None, typer.Option(help="HTML report; default MACHINE.html beside the results.")] = None,
    no_report: NoReport = False,
    json: Json = False,
) -> int:
    """Simulate a machine, print where the energy went, write results and a report to results/MACHINE/."""
    output = Output(json)
    refuse_contradiction(report, no_report)
    times = [seconds(*one) for one in (("--for", duration), ("--step", step), ("--record", record))]
    machines.refuse_other_starts(start)
    words = (
        coordinates, coupling, integrator, enforcement, factorisation, power_integrator, jumps, course, order, handed,
        variables, solver,
    )  # fmt: skip
    small = seconds("--power-step", power_step)
    given = read_method(words, {"power_step": small, "spectral_radius": spectral_radius, "penalty": penalty})
    task = machines.on_ground(machines.find_task(machine, case), ground)
    task = machines.changed(task, change or [], stop or [])
    task = machines.with_inputs(task, given_input or [], inputs)
    for doubt in task.machine.doubts:
        output.note(f"Note: {doubt.text()}")
    settings: dict[str, Any] = {
        "duration": times[0] or task.duration,
        "step": times[1] or task.step,
        "record": times[2],
        "start": start,
        **words_of(task, given),
    }
    tell_case(output, task, named=case is not None)
    if follow is not None:
        if settings["coupling"] != "kinematic":
            raise WrongInput("--from gives lengths to follow, which only --coupling kinematic does; give both or none.")
        task = following(task, follow)
    target = save or Path(RESULTS_FOLDER) / task.name / "run.nc"
    refuse_replacing(target, follow)
    chosen = read_choice(target, signals=signals, units=units, every=seconds("--every", every))
    refuse_unwritable(target)
    if report is not None:
        refuse_unwritable(report, "--report")

    if not no_plots:
        import_aside("matplotlib.backends.backend_agg")
    with Stopwatch() as took, Bar(f"running {task.name}") as bar:
        results, failure = simulate(task, settings, bar, Keeper(target, output, chosen=chosen))
    target, trouble = write_first(results, target, chosen)
    audit = results.energy() if len(results.time) else None

    # a report that was asked for by name is written whatever happened
    wanted = not (no_plots or trouble or results.status == "interrupted" or len(results.time) == 0 or ctrl_c.pressed)
    page = report or (target.with_name(f"{task.name}.html") if wanted and not no_report else None)
    shown, interrupted = show(results, task.name, page, wanted=wanted, plots=plots)
    troubles = f"{trouble}\n{shown.trouble}".strip()
    ending = Report(results, ground, settings, took, failure, troubles, audit, target, shown)
    output.document(ending.to_dict())
    ending.tell(output)
    if interrupted and results.status != "interrupted":
        output.note(f"Interrupted when the results were written already, in {target}")
        return EXIT_CODES["interrupted"]
    return EXIT_CODES["failed"] if ending.trouble else EXIT_CODES[results.status]


def read_method(words: Sequence[str | None], numbers: Mapping[str, float | None]) -> dict[str, Any]:
    """Return what the command line gives of the method; what does not go together is refused.

    That is before the machine, which may take long to read.
    """
    given: dict[str, Any] = {word: value for word, value in zip(methods.WORDS, words, strict=True) if value}
    given.update({word: number for word, number in numbers.items() if number is not None})
    methods.Method.choose(**given)
    return given


def tell_case(output: Output, task: machines.Task, *, named: bool) -> None:
    """Print which case is run, where there are several or one was named."""
    if len(task.machine.cases) > 1 or named:
        others = ", ".join(name for name in task.machine.cases if name != task.case.name)
        output.say(f"case {task.case.name}" + (f" (others: {others})" if others else ""))


def refuse_replacing(target: Path, follow: Path | None) -> None:
    """Say so before the run when its results would replace the earlier ones that it follows."""
    if follow is not None and target.exists() and follow.samefile(target):
        raise WrongInput(f"The results would replace {target}, which --from reads; give --save another file.")


def write_first(results: "Results", target: Path, chosen: Mapping[str, Any]) -> tuple[Path, str]:
    """Write the numbers before anything that may cost them; return where they are and what went wrong."""
    if not len(results.time):  # an empty result must not replace an earlier one
        return target, ""
    with ctrl_c.waiting():
        return write_somewhere(results, target, chosen)


def show(results: "Results", name: str, page: Path | None, *, wanted: bool, plots: Path | None) -> tuple[Shown, bool]:
    """Draw results and write their report; return what there is, and whether Ctrl-C ended it."""
    shown = Shown()
    try:
        if wanted:
            draw(results, Path(RESULTS_FOLDER) / name / "overview.png", plots, shown)
        if page is not None:
            write_page(results, page, shown)
        return shown, bool(ctrl_c.pressed)
    except KeyboardInterrupt:
        return shown, True


def words_of(task: machines.Task, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all words of the method that a task is run with, None where the coupling has none."""
    from knuckleboom.machine.method import choose_method
    from knuckleboom.simulation.cases import method_of

    used = method_of(task.machine, task.case, given)
    chosen = choose_method(task.machine, **used)
    words = {word: getattr(chosen, word) or None for word in (*methods.WORDS, "power_step")}
    return words | {word: used.get(word) for word in ("spectral_radius", "penalty")}


def following(task: machines.Task, path: Path) -> machines.Task:
    """Return a task whose cylinders and motors follow an earlier run."""
    from knuckleboom.results import load
    from knuckleboom.results.files import FileError
    from knuckleboom.simulation.kinematic import followed_paths

    refuse_other_types(path, (RESULTS,), "--from")
    try:
        earlier = load(path)
    except FileError as error:
        raise WrongInput(f"--from: {error}") from error
    paths = followed_paths(task.machine)
    lacking = [quantity for quantity in paths.values() if quantity not in earlier]
    if lacking:
        raise WrongInput(f"--from: '{path}' is a run of '{earlier.machine}' and has no {', '.join(lacking)}.")
    return replace(task, given={**task.given, **{name: earlier[quantity] for name, quantity in paths.items()}})


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


def simulate(task: machines.Task, settings: dict[str, Any], bar: Bar, keeper: Keeper) -> "tuple[Results, str]":
    """Run the machine; return what was computed and, if it failed, why."""
    import knuckleboom as kb
    from knuckleboom.errors import MachineError, SimulationError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # the report says it in its place
            words: dict[str, Any] = {"case": task.case, "inputs": task.given, "progress": bar, "watch": keeper}
            return kb.simulate(task.machine, **words, **settings, stop=task.stop or None), ""
    except MachineError:
        machines.refuse_faulty_case(task)
        raise
    except SimulationError as error:
        if error.results is None:
            raise
        return error.results, str(error)


def import_aside(module: str) -> None:
    """Import a module in a thread of its own: the compiled run leaves Python free, and drawing then begins at once."""
    threading.Thread(target=importlib.import_module, args=(module,), daemon=True).start()


def draw(results: "Results", overview: Path, folder: Path | None, shown: Shown) -> None:
    """Write the overview of a run, or a picture of each kind into a folder."""
    from knuckleboom.plots import write_overview, write_pictures
    from knuckleboom.results.files import FileError

    try:
        if folder is None:
            shown.pictures = [write_overview(results, overview)]
        else:
            with Bar("drawing") as bar:
                shown.pictures = write_pictures(results, folder, bar)
    except FileError as error:
        shown.trouble = str(error)


@dataclass(frozen=True)
class Report:
    """What a run has to say when it is over."""

    results: "Results"
    ground: str | None
    settings: dict[str, Any]
    took: Stopwatch
    failure: str
    trouble: str
    audit: "EnergyAudit | None"
    target: Path
    shown: Shown

    def to_dict(self) -> dict[str, Any]:
        """Return what `--json` prints; its keys are described in docs/cli.md."""
        results = self.results
        return {
            **summary(results, self.trouble or self.failure),
            "case": results.meta.get("case", {}).get("name"),
            "ground": self.ground,
            "imports": results.meta.get("case", {}).get("imports", []),
            "quantities": len(results),
            "elapsed_s": self.took.elapsed,
            "compile_s": self.took.compiling,
            **{key: results.meta.get(key, value) for key, value in self.settings.items()},
            "start": results.meta.get("start"),
            **files(results, self.target, self.shown),
            "plots": [str(path) for path in self.shown.pictures],
            "cavitation": results.cavitation,
            "energy": self.audit.to_dict() if self.audit is not None else None,
        }

    def tell(self, output: Output) -> None:
        """Print for people how the run ended, the energy audit, warnings and where the files are."""
        results = self.results
        kept = (
            f"results up to t = {results.time[-1]:.4f} s" if len(results.time) else "no results: nothing was recorded"
        )
        if self.audit is not None:
            output.say(f"{self.audit}\n")
        for note in results.meta.get("start", {}).get("notes", ()):
            if note not in results.warnings:
                output.say(note)
        words = ("coordinates", "coupling", "integrator")
        method = ", ".join(str(results.meta[word]) for word in words if results.meta.get(word))
        steps = f"{method} in steps of {1e3 * float(self.settings['step']):g} ms"
        output.say(f"{len(results)} quantities at {len(results.time)} times, computed in {self.took}: {steps}")
        tell_files(output, results, self.target, self.shown)
        if self.shown.pictures:
            output.say(f"pictures  {self.shown.pictures[0].parent / '*.png'}")
        tell_warnings(output, results)
        if results.status == "failed":
            # a failure of the engine ends in a line that says what was kept
            reason = self.failure or results.message
            line = "" if reason.splitlines()[-1].startswith("  kept ") else f"\n  kept              {kept}"
            place = f", in {self.target}" if len(results.time) else ""
            output.note(f"{reason}{line}{place}")
        elif results.status in ("done", "stopped") and results.message:
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
