# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom bench`: measure speed and compilation on this computer, beside other programs."""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.cli.contact_tables import show_contact
from knuckleboom.cli.interruption import INTERRUPTED
from knuckleboom.cli.machines import CaseWord, GroundWord
from knuckleboom.cli.output import Bar, Json, Output, WrongInput, number
from knuckleboom.cli.soak_tables import show_soak
from knuckleboom.errors import KnuckleboomError

if TYPE_CHECKING:
    from knuckleboom.bench.machines import Cycle

BENCHMARKS = {
    "realtime": "every large machine in real-time steps over its work cycle: mean and worst step, stages, errors",
    "loop-time": "loop durations and sparsity of sprayer and harvester beside Baharudin's Table 4.1 and Fig. 4.7",
    "soak": "ten minutes of a reckless operator on every large machine: pressures, loops, energy, what was reached",
    "levers": "levers thrown at random on three machines: how far realtime is from a converged run, seed by seed",
    "cranes": "random cranes with counterbalance valves: joint angles of realtime at 1 ms against unified at 0.1 ms",
    "cosim": "co-simulation: the largest stable exchange of every scheme on two arms, the public benchmark's values",
    "contact": "contact and tires: creep, sliding, rebound, a stack, slip curves, roll-over, cost, each with its limit",
    "cabin": "the operator's cabin in a browser: pictures per second, lever to pixel, missed deadlines, memory",
    "speed": "cost of an evaluation and of a step on harvester-30 without oil, beside MuJoCo, Pinocchio and Exudyn",
    "library": "cost, energy drift and position error of the catalogue's mechanisms against reference solutions",
    "scaling": "cost of a step on chains of 10 to 1000 bodies, in every set of coordinates and factorisation",
    "harvester": "cost and errors of every coupling on harvester-30 with its levers slammed",
    "naya": "Naya's rod with every coupling: errors and cost beside the paper, Exudyn and SciPy's LSODA",
    "ylinen": "Ylinen's examples: a loaded cylinder at rest and set in motion, a lifting boom with three actuators",
    "compile": "cold compile time per entry point and per kind",
}

Machines = Annotated[
    list[str] | None,
    typer.Argument(metavar="[MACHINE]...", help="Names of the catalogue or YAML files; default: all large ones."),
]

Step = Annotated[str, typer.Option("--step", help="The real-time step.")]

COUNTED = ("thesis", "ours", "ours as theirs")
APART = ("step_difference_mm", "coupling_difference_mm")
LONGEST_STEP = 0.02  # s: of a soak

app = typer.Typer(help="Measure speed and compilation on this computer.", no_args_is_help=True)


@app.command("speed", epilog="Example: knuckleboom bench speed --json > speed.json")
def speed(json: Json = False) -> None:
    """Measure the cost of an evaluation and of a step on harvester-30, beside MuJoCo, Pinocchio and Exudyn."""
    show_numbers(Output(json), "Speed", measured("speed"))


@app.command("library", epilog="Example: knuckleboom bench library --json > library.json")
def library(json: Json = False) -> None:
    """Run the mechanisms of the literature: cost, energy drift and position error against reference solutions."""
    output, data = Output(json), measured("library")
    output.document(data)
    columns = ("problem", "step_ms", "cpu_ms", "energy_drift", "position_error", "method")
    rows = [[number(row[column]) for column in columns] for row in data["problems"]]
    output.table("Library: ms, ms, J, m", columns, rows, right=columns[1:5])
    for row in data["problems"]:
        if "final" in row:
            angles = [(name, f"{angle:.10g}") for name, angle in row["final"].items()]
            output.table(
                f"{row['problem']} at {row['duration_s']:g} s, rad", ("angle", "value"), angles, right=("value",)
            )
    words = ("problem", "enforcement", "status", "energy_drift", "position_error")
    rows = [[number(row[word]) for word in words] for row in data["enforcements"]]
    output.table("Every enforcement", words, rows, right=words[3:])
    columns = ("problem", "coordinates", "step_ms", "status", "energy_drift", "position_error")
    rows = [[number(row[column]) for column in columns] for row in data["index3"]]
    output.table("index3 for 10 s", columns, rows, right=("step_ms", *columns[4:]))


@app.command("scaling", epilog="Example: knuckleboom bench scaling --plot scaling.png --json > scaling.json")
def scaling(
    json: Json = False,
    plot: Annotated[Path | None, typer.Option(help="File for a picture: step over bodies, PNG, SVG or PDF.")] = None,
) -> None:
    """Measure a step on chains of 10 to 1000 bodies in every set of coordinates and factorisation, and its growth."""
    from knuckleboom.cli.keeping import refuse_no_picture

    if plot is not None:
        refuse_no_picture(plot, "--plot")
    output, data = Output(json), measured("scaling", plot=plot)
    output.document(data)
    sizes = sorted({size for one in data["series"] for size in one["bodies"]})
    columns = ("coordinates", "factorisation", "exponent", *(str(size) for size in sizes))
    rows = []
    for one in data["series"]:
        steps = dict(zip(one["bodies"], one["step_us"], strict=True))
        rows.append([number(one[key]) for key in columns[:3]] + [number(steps.get(size)) for size in sizes])
    output.table("One RK4 step of chains of so many bodies, µs", columns, rows, right=columns[2:])
    columns = ("faster_below", "faster_above", "bodies")
    rows = [[number(one[key]) for key in columns] for one in data["crossings"]]
    output.table("Where one overtakes another", columns, rows, right=columns[2:])


@app.command("harvester", epilog="Example: knuckleboom bench harvester --json > harvester.json")
def harvester(json: Json = False) -> None:
    """Measure cost and errors of every coupling on harvester-30 with its levers slammed, against a converged run."""
    show_numbers(Output(json), "Harvester", measured("harvester"))


@app.command("naya", epilog="Example: knuckleboom bench naya --plots naya --json > naya.json")
def naya(
    json: Json = False,
    plots: Annotated[Path | None, typer.Option(help="Folder for pictures like the paper's Figs 3 to 9.")] = None,
) -> None:
    """Run Naya's rod with every coupling: errors and cost beside the paper, Exudyn and SciPy's LSODA."""
    show_numbers(Output(json), "Naya's rod", measured("naya", plots=plots))


@app.command("ylinen", epilog="Example: knuckleboom bench ylinen --figure ylinen.png --json > ylinen.json")
def ylinen(
    json: Json = False,
    figure: Annotated[Path, typer.Option(help="File for the picture: PNG, SVG or PDF.")] = Path("ylinen.png"),
) -> None:
    """Run Ylinen's examples: a loaded cylinder at rest and set in motion, a lifting boom with three actuators."""
    from knuckleboom.cli.keeping import refuse_no_picture

    refuse_no_picture(figure, "--figure")
    output, data = Output(json), measured("ylinen", figure=figure)
    output.document(data)
    show_tables(output, "Ylinen's examples", {key: value for key, value in data.items() if key != "sentence"})
    output.say(data["sentence"])


@app.command("realtime", epilog="Example: knuckleboom bench realtime excavator --json > realtime.json")
def realtime(machine: Machines = None, case: CaseWord = None, step: Step = "1ms", json: Json = False) -> int:
    """Run machines in real-time steps over their work cycles: mean and worst step, stages, errors, energy."""
    output, data = Output(json), measured("realtime", cycles=cycles(machine, case), step=on_the_grid("--step", step))
    output.document(data)
    columns = {
        "machine": "machine", "step_us_mean": "mean, µs", "step_us_p999": "99.9 %, µs", "step_us_worst": "worst, µs",
        "bound_us": "bound, µs", "real_time_factor": "times real time", "corrected_percent": "corrected, %",
        "halved_percent": "halved, %",
    }  # fmt: skip
    plain_table(output, f"realtime in steps of {data['step_ms']:g} ms, one thread", columns, data["machines"])
    columns = {
        "machine": "machine", "position_error_mm": "position error, mm", "position_error_of": "of",
        "cylinder_error_mm": "cylinders, mm", "cylinder_error_of": "of ",
        "energy_residual_percent": "energy residual, %",
    }  # fmt: skip
    plain_table(output, "Errors over the work cycle", columns, data["machines"])
    done = [row for row in data["machines"] if row["status"] == "done"]
    stages = list(done[0]["stages_us"]) if done else []
    rows = [[row["machine"], *(number(row["stages_us"][stage]) for stage in stages)] for row in done]
    if rows:
        output.table("Stages of a step, µs", ("machine", *stages), rows, right=stages)
        finer = done[0]["reference"]
        others = ("machine", *(f"{word} at {finer['coarser_step_ms']:g} ms" for word in ("realtime", "unified")))
        rows = [[row["machine"], *(number(row["reference"][key]) for key in APART)] for row in done]
        title = f"How far the converged run, realtime at {finer['step_ms']:g} ms, is from others, mm"
        output.table(title, others, rows, right=others[1:])
    return end(output, data)


@app.command("loop-time", epilog="Example: knuckleboom bench loop-time --for 2s --report loop_time.html")
def loop_time(
    duration: Annotated[str, typer.Option("--for", help="How much of the work cycle.")] = "20s",
    report: Annotated[Path | None, typer.Option(help="HTML report with tables and figures.")] = None,
    json: Json = False,
) -> int:
    """Measure what a step takes in global and in joint coordinates, dense and sparse, beside Baharudin's thesis."""
    from knuckleboom.cli.commands.run import seconds
    from knuckleboom.cli.keeping import refuse_unwritable

    if report is not None:
        refuse_unwritable(report, "--report")
    output, data = Output(json), measured("loop_time", seconds=seconds("--for", duration), report=report)
    output.document(data)
    for row in data["machines"]:
        columns = {
            "method": "method", "factorisation": "factors", "loop_us_mean": "mean, µs", "loop_us_p999": "99.9 %, µs",
            "loop_us_worst": "worst, µs", "call_us": "call taken off, µs", "replays": "replays", "status": "status",
        }  # fmt: skip
        rows = [[number(one[key]) for key in columns] for one in row["methods"]]
        title = f"{row['machine']}: loop durations, {row['states']} steps of {row['step_ms']:g} ms"
        output.table(title, list(columns.values()), rows, list(columns.values())[2:7])
        counted = [[number(value) for value in one.values()] for one in row["counts"]]
        titles = ("what", *(f"{side} {who}" for side in ("AL", "SR") for who in COUNTED))
        title = f"{row['machine']}: sparsity, Table 4.1; AL augmented Lagrangian, SR semi-recursive"
        output.table(title, titles, counted, right=titles[1:])
        output.say(f"{row['sentence']}\n")
    if data["report"]:
        output.say(f"report    {data['report']}")
    return end(output, data)


@app.command("soak", epilog="Example: knuckleboom bench soak excavator --for 60s --seed 7 --json > soak.json")
def soak(
    machine: Machines = None,
    ground: GroundWord = None,
    duration: Annotated[str, typer.Option("--for", help="Simulated time of each machine.")] = "600s",
    seed: Annotated[int, typer.Option(help="Another number is another operator.", min=0)] = 1,
    step: Step = "1ms",
    json: Json = False,
) -> int:
    """Let a reckless operator loose on machines: levers at random, slammed valves, stops, reliefs, stalled pumps."""
    from knuckleboom.cli.commands.run import seconds

    times = {"seconds": seconds("--for", duration), "step": seconds("--step", step)}
    if times["step"] is not None and times["step"] > LONGEST_STEP:
        most = f"{1e3 * LONGEST_STEP:g} ms"
        raise WrongInput(f"--step: {1e3 * times['step']:g} ms is no real-time step. Give at most {most}, such as 2ms.")
    output, data = Output(json), measured("soak", cycles=cycles(machine, ground=ground), seed=seed, **times)
    output.document({"ground": ground, **data})
    show_soak(output, data)
    return end(output, data)


@app.command("cosim", epilog="Example: knuckleboom bench cosim --json > cosim.json")
def cosim(json: Json = False) -> int:
    """Find the largest stable exchange of every scheme of co-simulation on two arms, lightly and heavily damped."""
    output, data = Output(json), measured("cosim")
    output.document(data)
    study = {tuple(row.values())[:3]: row["largest_stable_ms"] for row in data["study"]}
    titles = ("order", "course", "handed", "variables", "stable to, ms", "study, ms", "rad", "bar", "at, ms")
    for name, damped in dict.fromkeys((row["machine"], row["damped"]) for row in data["schemes"]):
        chosen = [row for row in data["schemes"] if (row["machine"], row["damped"]) == (name, damped)]
        rows = [
            [*(row[word] for word in titles[:4]), number(row["largest_stable_ms"]) + "+" * row["largest_tried"],
             number(study.get((row["order"], row["course"], row["handed"]))
                    if (name, damped, row["variables"]) == ("peiret-arm", False, "force-displacement") else None),
             number(row["angle_error"]), number(row["pressure_error_bar"]), number(row["at_ms"])]
            for row in chosen
        ]  # fmt: skip
        output.table(f"{name}, cylinders with {number(chosen[0]['viscous_N_s_m'])} N s/m", titles, rows, titles[4:])
    for law, values in data["cosim_arm"].items():
        rows = [
            [time, f"{values['s'][time]:.8f}", f"{values['published_jumps']['s'][time]:.8f}",
             number(data["published"].get(law, {}).get("s", {}).get(time))]
            for time in values["s"]
        ]  # fmt: skip
        columns = ("at, s", "s, m", "a step late", "published")
        output.table(f"cosim-arm, law {law}", columns, rows, columns[1:])
    rows = [
        [row["law"], row["variables"], number(row["largest_stable_ms"]), number(row["published_verge_ms"]),
         listed(row["errors_um"]), listed(row["published_errors_um"])]
        for row in data["jacobi"]
    ]  # fmt: skip
    heads = ("law", "variables", "stable to, ms", "published verge", "um at 0.05, 0.2, 1 ms", "published ")
    output.table("cosim-arm, both sides at once with held rates", heads, rows, heads[2:])
    rows = [[name, number(value)] for name, value in data["reduced_by_machine"].items()]
    output.table("Rates by the reduced model and by the step, relative difference", ("machine", "at most"), rows)
    shown = {"machine": "machine", "coupling": "coupling", "step_ms": "step, ms", "oil_step_ms": "of the oil",
             "mm": "mm", "bar": "bar, rms", "us_step": "a step, us"}  # fmt: skip
    plain_table(output, "Complete machines", shown, data["machines"])
    return INTERRUPTED if data["status"] == "interrupted" else 0


def listed(errors: Mapping[str, float]) -> str:
    """Errors of several steps in one cell."""
    return ", ".join(number(error) for error in errors.values())


@app.command("contact", epilog="Example: knuckleboom bench contact --json > contact.json")
def contact(json: Json = False) -> int:
    """Measure contact and tires in steps of 1 ms: creep, rebound, stack, slip curves, roll-over, cost, with limits."""
    output, data = Output(json), measured("contact")
    output.document(data)
    show_contact(output, data)
    if data["status"] == "interrupted":
        output.note("Interrupted: what has no value was not measured.")
        return INTERRUPTED
    return 1 if any(row["status"] == "failed" for row in data["machines"]) else 0


@app.command("levers", epilog="Example: knuckleboom bench levers excavator --seeds 11-13 --json > levers.json")
def levers(
    machine: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MACHINE]...", help="Default: harvester-30, excavator and mine-loader."),
    ] = None,
    steps: Annotated[str, typer.Option(help="Steps to try, separated by commas.")] = "1ms,2ms",
    seeds: Annotated[str, typer.Option(help="Seeds, such as 11-20 or 3,7; each is another operator.")] = "11-20",
    duration: Annotated[str, typer.Option("--for", help="Simulated time of each seed.")] = "6s",
    json: Json = False,
) -> int:
    """Throw levers at random: how far realtime is from a converged run, in cylinders and chambers, seed by seed."""
    from knuckleboom.cli.commands.run import seconds

    sizes = [on_the_grid("--steps", step.strip()) for step in steps.split(",")]
    options = {"steps": sizes, "seeds": whole_numbers("--seeds", seeds), "seconds": seconds("--for", duration)}
    output, data = Output(json), measured("levers", cycles=cycles(machine), **options)
    output.document(data)
    for name in dict.fromkeys(row["machine"] for row in data["runs"]):
        titles = ("seed", "step, ms", "mm", "cylinder, at s", "bar", "chamber, at s", "corrected / halved, %")
        rows = [
            [row["seed"], number(row["step_ms"]), *largest(row, "mm"), *largest(row, "bar"), " / ".join(
                number(row[key]) for key in ("corrected_percent", "halved_percent")
            )]
            for row in data["runs"] if row["machine"] == name
        ]  # fmt: skip
        output.table(f"{name}: largest differences from the converged run", titles, rows, [*titles[:3], "bar"])
    columns = {
        "machine": "machine", "seed": "seed", "half_step_mm": "half the step, mm", "half_step_bar": "bar",
        "unified_mm": "unified, mm", "unified_bar": "bar ",
    }  # fmt: skip
    title = f"How far the converged run, realtime at {data['reference_step_ms']:g} ms, is from others"
    plain_table(output, title, columns, data["references"])
    columns = {
        "machine": "machine", "step_ms": "step, ms", "seeds": "seeds", "within": "within", "failed": "failed",
        "worst_mm": "worst, mm", "worst_mm_seed": "its seed", "worst_bar": "worst, bar", "worst_bar_seed": "its seed ",
    }  # fmt: skip
    title = f"Seeds within {data['most_mm']:g} mm and {data['most_bar']:g} bar"
    plain_table(output, title, columns, data["summary"])
    failed = [row for row in [*data["references"], *data["runs"]] if row["status"] == "failed"]
    for row in failed:
        where = f"at {row['step_ms']:g} ms" if "step_ms" in row else "the converged run"
        output.note(f"{row['machine']}, seed {row['seed']}, {where}: {row['message']}")
    if data["status"] == "interrupted":
        left = ", ".join(f"{row['machine']} {row['seed']}" for row in data["not_run"])
        output.note(f"Interrupted; not run: {left}.")
        return INTERRUPTED
    return 1 if failed else 0


@app.command("cranes", epilog="Example: knuckleboom bench cranes --count 10 --json > cranes.json")
def cranes(
    count: Annotated[int, typer.Option(help="How many cranes.", min=1)] = 50,
    first: Annotated[int, typer.Option(help="Seed of the first; the others follow.", min=0)] = 1,
    duration: Annotated[str, typer.Option("--for", help="Simulated time of each crane.")] = "2.5s",
    json: Json = False,
) -> int:
    """Run random cranes with counterbalance valves: joint angles of realtime at 1 ms against unified at 0.1 ms."""
    from knuckleboom.cli.commands.run import seconds

    options = {"count": count, "first": first, "seconds": seconds("--for", duration)}
    output, data = Output(json), measured("cranes", **options)
    output.document(data)
    columns = {key: key.replace("_", " ") for key in ("seed", "status", "joints", "pump")}
    columns |= {"realtime_mrad": "realtime, mrad", "unified_mrad": "unified, mrad", "reference_mrad": "reference, mrad"}
    title = f"Cranes: differences from unified at {data['reference_step_ms']:g} ms"
    plain_table(output, title, columns, data["cranes"])
    columns = {
        "coupling": f"at {data['step_ms']:g} ms", "counted": "counted", "median_mrad": "median, mrad",
        "p90_mrad": "90 %, mrad", "worst_mrad": "worst, mrad", "worst_seed": "its seed", "failed": "failed seeds",
    }  # fmt: skip
    rows = [{"coupling": name, **data[name]} for name in ("realtime", "unified")]
    for row in rows:
        row["failed"] = ", ".join(str(seed) for seed in row["failed"]) or "none"
    plain_table(output, f"Largest joint-angle difference within {data['seconds']:g} s", columns, rows)
    for row in data["cranes"]:
        if row["status"] == "not converged":
            output.note(f"seed {row['seed']}: the reference has not converged, by {row['reference_mrad']:.3g} mrad")
        for line in row["message"].splitlines()[:1]:
            output.note(f"seed {row['seed']}: {line}")
    if data["status"] == "interrupted":
        output.note(f"Interrupted; not run: seeds {', '.join(str(seed) for seed in data['not_run'])}.")
        return INTERRUPTED
    return 1 if data["realtime"]["failed"] else 0


@app.command("cabin", epilog="Example: knuckleboom bench cabin --for 20s --memory-after 60s --json > cabin.json")
def cabin(
    duration: Annotated[str, typer.Option("--for", help="Time of driving, with and without priority.")] = "60s",
    memory_after: Annotated[str, typer.Option(help="Time of driving after which memory is looked at.")] = "600s",
    json: Json = False,
) -> None:
    """Drive the excavator in Chromium without a graphics card: pictures, lever to pixel, deadlines, memory."""
    from knuckleboom.cli.commands.run import seconds

    times = {"seconds": seconds("--for", duration), "memory_after": seconds("--memory-after", memory_after)}
    show_numbers(Output(json), "Cabin", measured("cabin", **times))


@app.command("compile", epilog="Example: knuckleboom bench compile --json")
def compile_time(json: Json = False) -> None:
    """Measure how long everything takes to compile with an empty cache, per entry point and per kind."""
    show_numbers(Output(json), "Compilation", measured("compile_time"))


def cycles(words: list[str] | None, case: str | None = None, ground: str | None = None) -> "list[Cycle] | None":
    """The work cycles of machines named by words, as of `run`; None for all large machines, on another ground for all
    of them that touch any.
    """
    from knuckleboom.bench.machines import Cycle, standing
    from knuckleboom.cli.machines import find_task, on_ground

    if not words and case is not None:
        raise WrongInput("--case: name the machine whose case is meant.")
    if not words and ground is None:
        return None
    tasks = [on_ground(find_task(word, case), ground) for word in words or standing()]
    return [Cycle(task.name, task.machine, task.duration, task.inputs, task.method) for task in tasks]


def on_the_grid(option: str, text: str) -> float:
    """A step of the command line in s, which has to meet the times at which runs are compared."""
    from knuckleboom.bench.levers import GRID
    from knuckleboom.cli.commands.run import seconds

    step = seconds(option, text)
    assert step is not None
    if abs(GRID / step - round(GRID / step)) > 1e-9 or step > GRID:
        among = f"Runs are compared every {1e3 * GRID:g} ms: take a step that divides it, such as 1ms, 2ms or 5ms."
        raise WrongInput(f"{option}: {among}")
    return step


def whole_numbers(option: str, text: str) -> list[int]:
    """Whole numbers of the command line: 11-20 or 3,7."""
    found: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or int(high or low) < int(low):
            raise WrongInput(f"{option}: '{text}' is no list of whole numbers, such as 11-20 or 3,7.")
        found += range(int(low), int(high or low) + 1)
    return found


def largest(row: Mapping[str, Any], unit: str) -> tuple[str, str]:
    """The largest difference of a seed, and of what and when it was."""
    if row[unit] is None:
        return row["status"], "-"
    return number(row[unit]), f"{row[f'{unit}_of']}, {row[f'{unit}_at_s']:.2f}"


def plain_table(output: Output, title: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print some keys of rows under their titles; numbers to the right."""
    written = [[number(row[key]) for key in columns] for row in rows]
    right = [title for key, title in columns.items() if any(isinstance(row[key], int | float) for row in rows)]
    output.table(title, list(columns.values()), written, right=right)


def end(output: Output, data: Mapping[str, Any]) -> int:
    """Say which machines failed or were not run, and return the exit code."""
    failed = [row for row in data["machines"] if row["status"] == "failed"]
    for row in failed:
        output.note(f"{row['machine']}: {row['message']}")
    if data["status"] == "interrupted":
        output.note(f"Interrupted; not run: {', '.join(data['not_run']) or 'none'}.")
        return INTERRUPTED
    return 1 if failed else 0


def measured(benchmark: str, **options: Any) -> dict[str, Any]:
    """Run a benchmark of the room `bench` with its options; what keeps it from running becomes a sentence."""
    try:
        module = importlib.import_module(f"knuckleboom.bench.{benchmark}")
    except ModuleNotFoundError as error:
        need = f"This benchmark needs the package '{error.name}', which is not installed."
        extra = "cabin,dev" if benchmark == "cabin" else "peers"
        raise BenchmarkFailed(f"{need}\nInstall what it measures with: pip install 'knuckleboom[{extra}]'") from error
    from knuckleboom.bench.peers.tree import PeerError
    from knuckleboom.bench.start_time import BenchError

    try:
        with Bar("measuring") as bar:
            data: dict[str, Any] = module.measure(bar, **options)
    except (BenchError, PeerError) as error:
        raise BenchmarkFailed(str(error)) from error
    return data


class BenchmarkFailed(KnuckleboomError):
    """A benchmark that could not be run."""


def show_numbers(output: Output, title: str, data: Mapping[str, Any]) -> None:
    """Print a dictionary of numbers as the document, or for people as tables."""
    output.document(data)
    show_tables(output, title, data)


def show_tables(output: Output, title: str, data: Mapping[str, Any]) -> None:
    """Print a dictionary of numbers as one table, and each list of dictionaries in it as a table of its own."""
    plain = [(key, number(value)) for key, value in data.items() if not isinstance(value, list | dict)]
    output.table(title, ("what", "value"), plain, right=("value",))
    for key, value in data.items():
        if isinstance(value, list) and value:
            columns = list(value[0])
            rows = [[number(row.get(column)) for column in columns] for row in value]
            output.table(
                key, columns, rows, right=[name for name in columns if isinstance(value[0][name], int | float)]
            )
        elif isinstance(value, dict):
            output.table(key, ("what", "value"), [(name, number(one)) for name, one in value.items()], right=("value",))
