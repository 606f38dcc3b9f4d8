# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom info`: what a machine consists of and what its plan made of it, in numbers and names."""

from typing import Annotated, Any

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.output import Json, Output, number

NAME = "info"
EXAMPLE = "knuckleboom info harvester-30"

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]


NAME_LISTS = ("cut_joints", "dropped_rows", "redundant_rows")


def command(machine: MachineWord, json: Json = False) -> None:
    """Count bodies, joints, coordinates, loops, oil and inputs of a machine."""
    output = Output(json)
    data = count(machines.find_task(machine))
    output.document(data)
    rows = [(key.replace("_", " "), str(value)) for key, value in data.items() if isinstance(value, str | int)]
    rows += [(key.replace("_", " "), ", ".join(data[key]) or "none") for key in NAME_LISTS]
    output.table("", ("what", "is"), rows)
    inputs = [(one["name"], one["unit"], number(one["default"]), one["meaning"]) for one in data["inputs"]]
    if inputs:
        output.table("Inputs", ("name", "unit", "default", "meaning"), inputs)


def count(task: machines.Task) -> dict[str, Any]:
    """Return the numbers and names; the keys are described in docs/cli.md."""
    from knuckleboom.mechanics.parts import Body, Joint
    from knuckleboom.plan import build

    planned = build(task.machine)
    layout, topology = planned.layout, planned.topology
    return {
        "machine": task.machine.name,
        "bodies": len(task.machine.of(Body)),
        "joints": len(task.machine.of(Joint)),
        "coordinates": topology.nv,
        "loop_equations": planned.loop_equations,
        "dof": planned.dof,
        "cut_joints": [joint.name for joint in topology.cut],
        "dropped_rows": [f"{row.part}.{row.label}" for row in layout.loops.dropped],
        "redundant_rows": [f"{row.part}.{row.label}" for row in planned.redundant],
        "rows": len(layout.rows),
        "nodes": len(layout.nodes),
        "branches": len(layout.branches),
        "states": layout.nvolume + len(layout.lags),
        "inputs": [
            {"name": one.part, "unit": one.unit, "default": one.default, "meaning": one.meaning}
            for one in layout.inputs
        ],
        "signals": len(planned.names),
    }
