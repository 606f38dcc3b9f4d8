# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom show plan`: every array of the simulator, its shape, who writes it and what it means."""

from typing import Annotated, Any

import typer

from knuckleboom.cli import machines
from knuckleboom.cli.output import Json, Output

app = typer.Typer(help="Show what a machine became.", no_args_is_help=True)

MachineWord = Annotated[
    str | None, typer.Argument(metavar="MACHINE", help="A name or a YAML file; without it sizes are symbols.")
]

Shapes = dict[str, tuple[int, ...]]

PLAN_OWNER = "plan"


@app.command("plan", epilog="Example: knuckleboom show plan naya-rod")
def plan(machine: MachineWord = None, json: Json = False) -> None:
    """List all arrays of the plan (frozen) and of the work (what changes): shape, owner, meaning."""
    from knuckleboom.layout import PLAN_FIELDS, WORK_FIELDS

    output = Output(json)
    name: str | None = None
    plan_sizes: Shapes = {}
    work_sizes: Shapes = {}
    if machine is not None:
        task = machines.find_task(machine)
        name = task.machine.name
        plan_sizes, work_sizes = sizes(task)
    frozen = [row(field, plan_sizes, PLAN_OWNER) for field in PLAN_FIELDS]
    changing = [row(field, work_sizes, field[3]) for field in WORK_FIELDS]
    output.document({"machine": name, "plan": frozen, "work": changing})
    for title, rows in (("Plan: frozen", frozen), ("Work: what changes", changing)):
        cells = [(one["name"], " x ".join(map(str, one["shape"])), one["owner"], one["meaning"]) for one in rows]
        output.table(title, ("array", "shape", "owner", "meaning"), cells)


def row(field: tuple[Any, ...], known: Shapes, owner: str) -> dict[str, Any]:
    """Return one array as plain data; its shape in numbers where a machine gives them."""
    name, shape, *_, meaning = field
    return {"name": name, "shape": list(known.get(name, shape)), "owner": owner, "meaning": meaning}


def sizes(task: machines.Task) -> tuple[Shapes, Shapes]:
    """Return the shapes of all arrays of a machine's plan and work, by their names in the layout."""
    from knuckleboom.layout import flatten
    from knuckleboom.plan import build

    plan: Shapes = {}
    work: Shapes = {}
    for coupling in ("timestepping", "unified", "realtime"):  # which together have every array there is
        planned = build(task.machine, coupling=coupling)
        plan |= {name: array.shape for name, array in flatten(planned.plan).items()}
        work |= {name: array.shape for name, array in flatten(planned.work).items()}
    return plan, work
