# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom info`: what a machine consists of and what its plan made of it, in numbers and names."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.output import Json, Output, WrongInput, number

if TYPE_CHECKING:
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


def command(
    machine: MachineWord, coordinates: Coordinates = "relative", circuit: CircuitFile = "",
    mechanism: MechanismFile = "", json: Json = False,
) -> None:  # fmt: skip
    """Count bodies, joints, loops, matrices, oil and inputs of a machine; draw its circuit and its mechanism."""
    output = Output(json)
    wrong = [f"{option} {file}" for option, file in (("--circuit", circuit), ("--mechanism", mechanism))
             if file and not file.lower().endswith(".svg")]  # fmt: skip
    if wrong:
        raise WrongInput(f"Drawings are SVG files: give {' and '.join(wrong)} a name that ends in .svg")
    task = machines.find_task(machine)
    data = count(task, coordinates) | draw(task, circuit, mechanism)
    output.document(data)
    for file in (circuit, mechanism):
        if file:
            output.say(f"drawn: {file}")
    rows = [(key.replace("_", " "), str(value)) for key, value in data.items() if isinstance(value, str | int)]
    rows += [(key.replace("_", " "), ", ".join(data[key]) or "none") for key in NAME_LISTS]
    output.table("", ("what", "is"), rows)
    output.table("Matrices: entries and how many are not zero", MATRIX_COLUMNS, matrix_lines(data), MATRIX_COLUMNS[1:])
    inputs = [(one["name"], one["unit"], number(one["default"]), one["meaning"]) for one in data["inputs"]]
    if inputs:
        output.table("Inputs", ("name", "unit", "default", "meaning"), inputs)


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


def count(task: machines.Task, coordinates: str) -> dict[str, Any]:
    """Return the numbers and names; the keys are described in docs/cli.md."""
    from knuckleboom.mechanics.parts import Body, Joint
    from knuckleboom.plan import build, counts

    planned = build(task.machine, coordinates=coordinates)
    layout, topology = planned.layout, planned.topology
    return {
        "machine": task.machine.name,
        "bodies": len(task.machine.of(Body)),
        "joints": len(task.machine.of(Joint)),
        "coordinates": topology.nv,
        "loop_equations": planned.loop_equations,
        "dof": planned.dof,
        "coordinate_set": coordinates,
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
