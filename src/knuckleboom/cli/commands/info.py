# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom info`: what a designer asks of a machine first, and with `--numerics` what its plan made of it."""

import math
from collections import Counter
from typing import Annotated, Any

import typer

from knuckleboom.cli import facts, machines
from knuckleboom.cli.output import Json, Output, WrongInput, number
from knuckleboom.units import HUMAN

NAME = "info"
EXAMPLE = "knuckleboom info harvester-30"

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]
Numerics = Annotated[
    bool, typer.Option("--numerics", help="Also matrices, equations, coordinates, sizes; --json always has them.")
]
Coordinates = Annotated[str, typer.Option(help="Coordinates of the plan and of its matrices.")]
CircuitFile = Annotated[str, typer.Option("--circuit", metavar="FILE.svg", help="Draw the hydraulic circuit.")]
MechanismFile = Annotated[
    str, typer.Option("--mechanism", metavar="FILE.svg", help="Draw how bodies and joints hang together.")
]
Point = Annotated[
    str, typer.Option(metavar="POINT", help="Find where a named point (boom.tip) or a body's origin can be.")
]
AtCase = Annotated[
    str | None, typer.Option("--case", help="Find the natural frequencies where the inputs of this case begin.")
]

SHOWN = 8
"""Natural frequencies in the table; `knuckleboom modes` has all modes."""
PAIRS_SHOWN = 20
"""Pairs of contacts in the table; --json has all."""
COUNTED = (
    "coordinate_set", "coordinates", "loop_equations", "dof", "generalised_coordinates", "constraint_equations", "rows",
    "nodes", "branches", "states", "signals", "factor_entries",
)  # fmt: skip
NAME_LISTS = ("cut_joints", "dropped_rows", "redundant_rows")
MATRICES = {"phi_q": "Φ_q", "M": "M", "R": "R"}
MATRIX_COLUMNS = ("matrix", "entries", "not zero", "%", "as published", "not zero there", "% there")
VALVE_WORDS = ("valve", "check", "compensator", "flow_control", "flow_divider")
"""What kinds of valves have in their names."""
RPM = math.tau / 60.0
"""rad/s."""


def command(
    machine: MachineWord, numerics: Numerics = False, coordinates: Coordinates = "relative", circuit: CircuitFile = "",
    mechanism: MechanismFile = "", workspace: Point = "", case: AtCase = None, json: Json = False,
) -> None:  # fmt: skip
    """Show what a machine weighs, how large it is, its actuators, pumps, valves, inputs, frequencies; draw it."""
    output = Output(json)
    wrong = [f"{option} {file}" for option, file in (("--circuit", circuit), ("--mechanism", mechanism))
             if file and not file.lower().endswith(".svg")]  # fmt: skip
    if wrong:
        raise WrongInput(f"Drawings are SVG files: give {' and '.join(wrong)} a name that ends in .svg")
    task = machines.find_task(machine, case)
    planned = facts.plan_of(task, coordinates)
    begun = {} if case is None else task.inputs
    data = facts.count(task, planned) | {"cases": facts.list_cases(task.machine)} | facts.weigh(planned)
    data |= facts.natural_frequencies(task, begun, case) | facts.reach(task, workspace)
    data |= facts.draw(task, circuit, mechanism)
    output.document(data)
    for file in (circuit, mechanism):
        if file:
            output.say(f"drawn: {file}")
    show_machine(output, data)
    show_actuators(output, data)
    show_contacts(output, data)
    show_pairs(output, data)
    show_ground_loads(output, data)
    show_oil(output, data)
    show_use(output, data)
    show_frequencies(output, data)
    show_workspace(output, data)
    if numerics:
        show_numerics(output, data)
    else:
        output.say("Drawings: --circuit FILE.svg, --mechanism FILE.svg. Matrices and equations: --numerics.")


# --- what a designer asks first ---------------------------------------------------------------------------------------


def show_machine(output: Output, data: dict[str, Any]) -> None:
    """Print mass and size."""
    mass, size = data["mass"], data["dimensions"]["size"]
    rows = [
        ("bodies", str(data["bodies"])),
        ("joints", str(data["joints"])),
        ("degrees of freedom", str(data["dof"])),
        *([("shafts", str(data["shafts"]))] if data["shafts"] else []),
        *([("loose bodies, apart", str(data["loose"]))] if data["loose"] else []),
        ("mass", f"{mass['total']:.6g} kg"),
        ("centre of mass", f"{listed_numbers(mass['centre'])} m"),
    ]
    rows += [
        (f"inertia {axis}", f"{listed_numbers(row)} kg·m²") for axis, row in zip("xyz", mass["inertia"], strict=True)
    ]
    shown = " x ".join(f"{side:.3g}" for side in size)
    rows += [("size", f"{shown} m (x, y, z over joints, pins, points, centres of mass)")]
    output.table(f"{data['machine']}, at its start", ("what", "is"), rows)


def show_actuators(output: Output, data: dict[str, Any]) -> None:
    """Print sizes, lengths and largest forces of cylinders and motors."""
    sizes = {part["name"]: part["datum"] for part in data["circuit"]["parts"]}
    lengths = {
        one["name"]: (f"{one['shortest']:.4g} to {one['longest']:.4g}", f"{one['start']:.4g}")
        for one in data["cylinders"]
    }
    names = list(dict.fromkeys(one["actuator"] for one in data["actuators"]))
    columns = ("actuator", "size", "length, m", "at the start, m")
    rows = [(name, sizes.get(name, ""), *lengths.get(name, ("-", "-"))) for name in names]
    if rows:
        output.table("Cylinders (ø bore/rod × stroke, mm) and motors", columns, rows, columns[2:])
    columns_of = ("actuator", "direction", "force", "at bar", "limited by")
    rows_of = [
        (
            one["actuator"], one["direction"],
            "unlimited" if one["force"] is None else in_kilo(one["force"], one["unit"]),
            "-" if one["pressure"] is None else number(1e-5 * one["pressure"]), one["limited_by"] or "nothing",
        )
        for one in data["actuators"]
    ]  # fmt: skip
    if rows_of:
        output.table("Largest forces of actuators", columns_of, rows_of, columns_of[2:4])


def show_contacts(output: Output, data: dict[str, Any]) -> None:
    """Print how stiff contacts are, and how fast for a step."""
    columns = ("contact", "touches", "stiffness, N/m", "mass it feels, kg", "h·√(k/m) at 1 ms")
    rows = [(one["name"], one["touches"], *speed(one)) for one in data["contacts"]]
    if rows:
        title = "Contacts and tires: a rebound is right to 2 % up to 0.5, to 8 % up to 1"
        output.table(title, columns, rows, columns[2:])


def speed(one: dict[str, Any]) -> tuple[str, str, str]:
    """Stiffness, mass and h·√(k/m) of a contact, as cells."""
    mass = "-" if one["mass"] is None else number(one["mass"])
    return number(one["stiffness"]), mass, f"{one['at_1_ms']:.2g}"


def show_pairs(output: Output, data: dict[str, Any]) -> None:
    """Print which contacts may touch each other, the first of many."""
    pairs = data["pairs"]
    columns = ("contact", "may touch", "stiffness of both, N/m", "mass they feel, kg", "h·√(k/m) at 1 ms")
    rows = [(one["a"], one["b"], *speed(one)) for one in pairs[:PAIRS_SHOWN]]
    more = f", the first {PAIRS_SHOWN}" if len(pairs) > PAIRS_SHOWN else ""
    if rows:
        output.table(f"Contacts between bodies: {len(pairs)}{more}", columns, rows, columns[2:])


def show_ground_loads(output: Output, data: dict[str, Any]) -> None:
    """Print what the ground carries where the machine rests: wheel loads."""
    loads = data["ground_loads"]
    total = sum(one["force"] for one in loads) or 1.0
    columns = ("tire or contact", "kN", "%")
    rows = [(one["name"], f"{1e-3 * one['force']:.4g}", f"{100.0 * one['force'] / total:.3g}") for one in loads]
    if rows:
        where = facts.state_in_words("equilibrium", data["frequencies"]["case"])
        output.table(f"Loads on the ground {where}", columns, rows, columns[1:])


def show_oil(output: Output, data: dict[str, Any]) -> None:
    """Print pumps and valves, equal ones on one line, and count what else has oil."""
    parts = data["circuit"]["parts"]
    sizes = {part["name"]: part["datum"] for part in parts}
    columns = ("pump", "kind", "size", "speed, rpm", "flow, l/min")
    rows = [
        (one["name"], in_words(one["kind"]), sizes[one["name"]], number(one["speed"] / RPM), number(6e4 * one["flow"]))
        for one in data["pumps"]
    ]
    if rows:
        output.table("Pumps", columns, rows, columns[3:])
    valves: dict[tuple[str, str], list[str]] = {}
    others: Counter[str] = Counter()
    known = {one["name"] for one in data["pumps"]} | {one["actuator"] for one in data["actuators"]}
    for part in parts:
        if any(word in part["kind"] for word in VALVE_WORDS):
            valves.setdefault((part["kind"], part["datum"]), []).append(part["name"])
        elif part["name"] not in known:
            others[part["kind"]] += 1
    if valves:
        lines = [(in_words(kind), size or "-", ", ".join(names)) for (kind, size), names in valves.items()]
        output.table("Valves", ("kind", "size", "names"), lines)
    if others:
        output.say(
            "Beside that in the oil: " + ", ".join(f"{n} x {in_words(kind)}" for kind, n in others.items()) + "\n"
        )


def show_use(output: Output, data: dict[str, Any]) -> None:
    """Print what can be moved, and what can be done with the machine."""
    inputs = [(one["name"], *input_cells(one), one["meaning"]) for one in data["inputs"]]
    if inputs:
        output.table("Inputs", ("name", "unit", "default", "range", "meaning"), inputs)
    cases = [(one["name"], f"{one['duration']:g} s", one["meaning"]) for one in data["cases"]]
    if cases:
        output.table("Cases (run --case NAME)", ("name", "duration", "meaning"), cases)


def input_cells(one: dict[str, Any]) -> tuple[str, str, str]:
    """Unit, default and range of an input, in the unit that people read."""
    unit, size = (
        ("rpm", RPM)
        if one["unit"] == "rad/s" and one["name"].endswith(".speed")
        else HUMAN.get(one["unit"], (one["unit"], 1.0))
    )
    default = number(one["default"] / size)
    if one["range"] is None:
        return unit, default, "any"
    low, high = one["range"]
    return unit, default, f"{low / size:g} and more" if high is None else f"{low / size:g} to {high / size:g}"


def show_frequencies(output: Output, data: dict[str, Any]) -> None:
    """Print the lowest natural frequencies, and why they hold for a moment only where they do."""
    frequencies = data["frequencies"]
    shown = [
        (number(one["frequency_hz"]), number(one["damping_ratio"]), one["main"]) for one in frequencies["modes"][:SHOWN]
    ]
    if shown:
        columns = ("Hz", "damping ratio", "moves most")
        output.table("Lowest natural frequencies", columns, shown, columns[:2])
        other = "knuckleboom modes has those at the start" if frequencies["at"] == "equilibrium" else ""
        state = facts.state_in_words(frequencies["at"], frequencies["case"])
        output.say(f"They are those {state}{f'; {other}' if other else ''}.\n")
    higher = len(frequencies["modes"]) - SHOWN
    if higher > 0:
        output.say(f"{higher} higher {'one' if higher == 1 else 'ones'}: knuckleboom modes --oscillations\n")
    if frequencies["note"]:
        output.say(f"{frequencies['note']}\n")


def show_workspace(output: Output, data: dict[str, Any]) -> None:
    """Print where a point can be."""
    space = data["workspace"]
    if space is not None:
        rows = [(axis, f"{low:.4g} to {high:.4g} m") for axis, (low, high) in space["extents"].items()]
        rows += [("moved by", ", ".join(one["name"] for one in space["ranges"]))]
        rows += [("poses", f"{space['reached']} of {space['poses']}")]
        output.table(f"Work space of {space['point']}", ("what", "is"), rows)


def in_words(kind: str) -> str:
    """A kind of part as people write it."""
    return kind.replace("_", " ")


def listed_numbers(values: list[float]) -> str:
    """A row of numbers as a table shows it: what only rounding left beside larger ones is 0."""
    least = 1e-12 * max(abs(value) for value in values)
    kept = [value if abs(value) > least else 0.0 for value in values]
    return ", ".join(f"{value:.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:.4g}" for value in kept)


def in_kilo(force: float, unit: str) -> str:
    """A force in kN, a torque in kN·m."""
    return f"{1e-3 * force:.4g} k{unit.replace('*', '·')}"


# --- numerics ---------------------------------------------------------------------------------------------------------


def show_numerics(output: Output, data: dict[str, Any]) -> None:
    """Print coordinates, equations, sizes and matrices of the plan."""
    rows = [(in_words(key), str(data[key])) for key in COUNTED]
    rows += [(word, value) for word, value in data["method"].items() if value and word != "coordinates"]
    rows += [(in_words(key), ", ".join(data[key]) or "none") for key in NAME_LISTS]
    output.table("Numerics", ("what", "is"), rows)
    output.table("Matrices: entries and how many are not zero", MATRIX_COLUMNS, matrix_lines(data), MATRIX_COLUMNS[1:])


def matrix_lines(data: dict[str, Any]) -> list[tuple[str, ...]]:
    """Lines of the table of matrices; what a matrix has not is a dash."""

    def shown(numbers: dict[str, Any], matrix: str) -> tuple[str, ...]:
        entries, nonzeros = numbers["entries"][matrix], numbers["nonzeros"][matrix]
        share = f"{100.0 * nonzeros / entries:.3g}" if entries else "-"
        return number(entries), number(nonzeros), share

    return [(name, *shown(data, key), *shown(data["counted_as_published"], key)) for key, name in MATRICES.items()]
