# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom info`: what a machine consists of, what it weighs, pushes and rings with, what its plan made of it."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.output import Json, Output, WrongInput, number

if TYPE_CHECKING:
    from knuckleboom.machine import Machine
    from knuckleboom.plan import Planned
    from knuckleboom.plan.counts import Counts

NAME = "info"
EXAMPLE = "knuckleboom info harvester-30"

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]


NAME_LISTS = ("cut_joints", "dropped_rows", "redundant_rows")
MATRICES = {"phi_q": "Φ_q", "M": "M", "R": "R"}
MATRIX_COLUMNS = ("matrix", "entries", "not zero", "%", "as published", "not zero there", "% there")

Coordinates = Annotated[str, typer.Option(help="Coordinates of the plan and of its matrices.")]
CircuitFile = Annotated[str, typer.Option("--circuit", metavar="FILE.svg", help="Draw the hydraulic circuit.")]
MechanismFile = Annotated[
    str, typer.Option("--mechanism", metavar="FILE.svg", help="Draw how bodies and joints hang together.")
]


POSES = 400
"""About how many poses a work space has here."""
SHOWN = 8
"""Natural frequencies in the table; `knuckleboom modes` has all modes."""

Point = Annotated[
    str, typer.Option(metavar="POINT", help="Find where a named point (boom.tip) or a body's origin can be.")
]


AtCase = Annotated[
    str | None, typer.Option("--case", help="Find the natural frequencies where the inputs of this case begin.")
]


def command(
    machine: MachineWord, coordinates: Coordinates = "relative", circuit: CircuitFile = "",
    mechanism: MechanismFile = "", workspace: Point = "", case: AtCase = None, json: Json = False,
) -> None:  # fmt: skip
    """Count what a machine has; its mass, actuators' forces, natural frequencies and work space; draw it."""
    output = Output(json)
    wrong = [f"{option} {file}" for option, file in (("--circuit", circuit), ("--mechanism", mechanism))
             if file and not file.lower().endswith(".svg")]  # fmt: skip
    if wrong:
        raise WrongInput(f"Drawings are SVG files: give {' and '.join(wrong)} a name that ends in .svg")
    task = machines.find_task(machine, case)
    planned = plan_of(task, coordinates)
    begun = {} if case is None else task.inputs
    data = count(task, planned) | {"cases": list_cases(task.machine)} | weigh(planned) | ring(task, begun)
    data |= reach(task, workspace) | draw(task, circuit, mechanism)
    output.document(data)
    for file in (circuit, mechanism):
        if file:
            output.say(f"drawn: {file}")
    rows = [(key.replace("_", " "), str(value)) for key, value in data.items() if isinstance(value, str | int)]
    rows += [(key.replace("_", " "), ", ".join(data[key]) or "none") for key in NAME_LISTS]
    output.table("", ("what", "is"), rows)
    show_properties(output, data)
    output.table("Matrices: entries and how many are not zero", MATRIX_COLUMNS, matrix_lines(data), MATRIX_COLUMNS[1:])
    inputs = [(one["name"], one["unit"], number(one["default"]), one["meaning"]) for one in data["inputs"]]
    if inputs:
        output.table("Inputs", ("name", "unit", "default", "meaning"), inputs)
    cases = [(one["name"], f"{one['duration']:g} s", one["meaning"]) for one in data["cases"]]
    if cases:
        output.table("Cases (run --case NAME)", ("name", "duration", "meaning"), cases)


def list_cases(machine: "Machine") -> list[dict[str, Any]]:
    """What can be done with a machine; nothing that a case names is opened or imported."""
    return [
        {
            "name": case.name, "meaning": case.meaning, "duration": case.duration, "step": case.step,
            "start": case.start if isinstance(case.start, str) else None, "inputs": list(case.inputs),
            "controllers": [item.name for item in case.controllers], "csv": case.csv or None,
            "measured": case.measured or None, "imports": case.imports,
        }
        for case in machine.cases.values()
    ]  # fmt: skip


def show_properties(output: Output, data: dict[str, Any]) -> None:
    """Print mass, forces, frequencies and work space for people."""
    mass = data["mass"]
    rows = [("mass", f"{mass['total']:.6g} kg"), ("centre", f"{listed_numbers(mass['centre'])} m")]
    rows += [
        (f"inertia {axis}", f"{listed_numbers(row)} kg·m²") for axis, row in zip("xyz", mass["inertia"], strict=True)
    ]
    output.table("Mass at the start", ("what", "is"), rows)
    columns = ("actuator", "direction", "force", "at bar", "limited by")
    rows_of = [
        (
            one["actuator"], one["direction"],
            "unlimited" if one["force"] is None else in_kilo(one["force"], one["unit"]),
            "-" if one["pressure"] is None else number(1e-5 * one["pressure"]), one["limited_by"] or "nothing",
        )
        for one in data["actuators"]
    ]  # fmt: skip
    if rows_of:
        output.table("Largest forces of actuators", columns, rows_of, columns[2:4])
    ringing = data["frequencies"]
    shown = [
        (number(one["frequency_hz"]), number(one["damping_ratio"]), one["main"]) for one in ringing["modes"][:SHOWN]
    ]
    if shown:
        output.table(
            "Lowest natural frequencies", ("Hz", "damping ratio", "moves most"), shown, ("Hz", "damping ratio")
        )
    if ringing["note"]:
        output.say(f"{ringing['note']}\n")
    space = data["workspace"]
    if space is not None:
        rows = [(axis, f"{low:.4g} to {high:.4g} m") for axis, (low, high) in space["extents"].items()]
        rows += [("moved by", ", ".join(one["name"] for one in space["ranges"]))]
        rows += [("poses", f"{space['reached']} of {space['poses']}")]
        output.table(f"Work space of {space['point']}", ("what", "is"), rows)


def listed_numbers(values: list[float]) -> str:
    """A row of numbers as a table shows it: what only rounding left beside larger ones is 0."""
    least = 1e-12 * max(abs(value) for value in values)
    kept = [value if abs(value) > least else 0.0 for value in values]
    return ", ".join(f"{value:.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:.4g}" for value in kept)


def in_kilo(force: float, unit: str) -> str:
    """A force in kN, a torque in kN·m."""
    return f"{1e-3 * force:.4g} k{unit.replace('*', '·')}"


def plan_of(task: machines.Task, coordinates: str) -> "Planned":
    """The machine planned in a set of coordinates."""
    from knuckleboom.plan import build

    return build(task.machine, coordinates=coordinates)


def weigh(planned: "Planned") -> dict[str, Any]:
    """Mass of the whole machine, and what its actuators push with."""
    from knuckleboom.analysis.actuators import actuator_forces
    from knuckleboom.analysis.mass import machine_mass

    mass = machine_mass(planned)
    found = {"total": mass.total, "centre": mass.centre.tolist(), "inertia": mass.inertia.tolist()}
    return {"mass": found, "actuators": [asdict(one) for one in actuator_forces(planned)]}


def ring(task: machines.Task, inputs: dict[str, Any]) -> dict[str, Any]:
    """Natural frequencies where the machine rests with these inputs, or at its start where it cannot."""
    from knuckleboom import analysis
    from knuckleboom.errors import KnuckleboomError

    state, note = None, ""
    try:
        state = analysis.equilibrium(task.machine, inputs=inputs)
    except KnuckleboomError as error:
        note = f"It does not rest, so these hold for the moment of the start: {str(error).splitlines()[0]}"
    ringing = [mode for mode in analysis.modes(task.machine, state) if mode.kind == "oscillation"]
    modes = [{"frequency_hz": mode.frequency, "damping_ratio": mode.damping, "main": mode.main} for mode in ringing]
    return {"frequencies": {"at": "start" if state is None else "equilibrium", "note": note, "modes": modes}}


def reach(task: machines.Task, point: str) -> dict[str, Any]:
    """Where a point can be, over stops and strokes; nothing without a point."""
    from knuckleboom.analysis.mechanism import Mechanism
    from knuckleboom.analysis.workspace import find_place, own_ranges, workspace

    if not point:
        return {"workspace": None}
    mechanism = Mechanism(task.machine)
    ranges = own_ranges(mechanism, find_place(mechanism, point)[0], 2)
    space = workspace(task.machine, point, count=max(2, int(POSES ** (1.0 / len(ranges)))))
    moved = [
        {"name": one.name, "low": float(one.values[0]), "high": float(one.values[-1]), "unit": one.unit}
        for one in ranges
    ]
    return {
        "workspace": {
            "point": point, "ranges": moved, "poses": space.positions.size // 3, "reached": len(space.points),
            "open": space.open, "beyond": space.beyond,
            "extents": {axis: list(ends) for axis, ends in space.extents.items()}, "reach": space.reach(),
            "dimension": space.dimension, "area": space.area, "volume": space.volume,
        }
    }  # fmt: skip


def draw(task: machines.Task, circuit: str, mechanism: str) -> dict[str, Any]:
    """Write the drawings that are wanted and return what they show, drawn or not."""
    from knuckleboom.drawing.draw import draw_circuit, draw_mechanism
    from knuckleboom.drawing.mechanism import mechanism as mechanism_of
    from knuckleboom.machine.circuit import circuit as circuit_of

    saved = [
        str(drawn(task.machine).save(file)) if file else None
        for drawn, file in ((draw_circuit, circuit), (draw_mechanism, mechanism))
    ]
    return {
        "circuit": circuit_of(task.machine).document() | {"file": saved[0]},
        "mechanism": mechanism_of(task.machine).document() | {"file": saved[1]},
    }


def matrix_lines(data: dict[str, Any]) -> list[tuple[str, ...]]:
    """Lines of the table of matrices; what a matrix has not is a dash."""

    def shown(numbers: dict[str, Any], matrix: str) -> tuple[str, ...]:
        entries, nonzeros = numbers["entries"][matrix], numbers["nonzeros"][matrix]
        share = f"{100.0 * nonzeros / entries:.3g}" if entries else "-"
        return number(entries), number(nonzeros), share

    return [(name, *shown(data, key), *shown(data["counted_as_published"], key)) for key, name in MATRICES.items()]


def count(task: machines.Task, planned: "Planned") -> dict[str, Any]:
    """Return the numbers and names; the keys are described in docs/cli.md."""
    from knuckleboom.mechanics.parts import Body, Joint
    from knuckleboom.plan import counts

    layout, topology = planned.layout, planned.topology
    return {
        "machine": task.machine.name,
        "bodies": len(task.machine.of(Body)),
        "joints": len(task.machine.of(Joint)),
        "coordinates": topology.nv,
        "loop_equations": planned.loop_equations,
        "dof": planned.dof,
        "coordinate_set": planned.method.coordinates,
        "generalised_coordinates": counts.BODY * len(task.machine.of(Body)),
        "constraint_equations": counts.constraint_equations(planned),
        **listed(counts.counted(planned)),
        "counted_as_published": listed(counts.published(planned)),
        "cut_joints": [joint.name for joint in topology.cut],
        "dropped_rows": [f"{row.part}.{row.label}" for row in layout.loops.dropped],
        "redundant_rows": [f"{row.part}.{row.label}" for row in planned.redundant],
        "rows": len(layout.rows),
        "nodes": len(layout.nodes),
        "branches": len(layout.branches),
        "states": layout.nvolume + len(layout.lags),
        "inputs": [
            {"name": one.path, "unit": one.unit, "default": one.default, "meaning": one.meaning}
            for one in layout.inputs
        ],
        "signals": len(planned.names),
    }


def listed(counts: "Counts") -> dict[str, dict[str, int | None]]:
    """Counts of matrices as two dictionaries, null where there is no such matrix."""
    return {
        "entries": {name: None if one is None else one.entries for name, one in counts.items()},
        "nonzeros": {name: None if one is None else one.nonzeros for name, one in counts.items()},
    }
