# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom modes`: how a machine oscillates, how fast that decays, and which joints move."""

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.cli import facts, machines
from knuckleboom.cli.output import Json, Output

if TYPE_CHECKING:
    from knuckleboom.analysis import Modes

NAME = "modes"
EXAMPLE = "knuckleboom modes naya-rod"

MachineWord = Annotated[str, typer.Argument(metavar="MACHINE", help="A name of the catalogue or a YAML file.")]
Rest = Annotated[bool, typer.Option("--equilibrium", help="First find where the machine comes to rest.")]
Undamped = Annotated[bool, typer.Option("--undamped", help="Without damping, friction and flow of oil.")]


Oscillations = Annotated[
    bool, typer.Option("--oscillations", help="Only modes that oscillate (damping ratio below 1), by frequency.")
]


def command(
    machine: MachineWord, oscillations: Oscillations = False, equilibrium: Rest = False, undamped: Undamped = False,
    json: Json = False,
) -> None:  # fmt: skip
    """Linearise a machine at its start, or where it rests, and list its modes: frequency, damping, who moves."""
    from knuckleboom import analysis
    from knuckleboom.analysis.modes import cells

    output = Output(json)
    task = machines.find_task(machine)
    inputs = dict(task.inputs) or None
    state = analysis.equilibrium(task.machine, inputs=inputs, creeping=True) if equilibrium else None
    if state is not None and inputs:
        inputs |= {name: state.inputs[name] for name in inputs if name in state.inputs}  # where the load rests
    found = analysis.modes(task.machine, state, inputs=inputs, damped=not undamped)
    if oscillations:
        found = found.oscillations
    at, case = "equilibrium" if equilibrium else "start", task.case.name if inputs else None
    output.document(describe(found, at, case))
    if state is not None:
        output.say(f"{state}\n")
    if not found.modes and not found.left_out:
        output.say(f"{found.machine} has no freedom to move, so it has no modes.")
        return
    if not found.modes:
        output.say(f"{found.machine} has no mode that oscillates.")
    else:
        rows = [(str(number), *cells(mode)) for number, mode in enumerate(found, start=1)]
        columns = ("mode", "frequency, Hz", "damping ratio", "time constant, s", "who moves")
        output.table(f"Modes of {found.machine}", columns, rows, right=columns[1:4])
        other = "" if equilibrium else "; --equilibrium has those where it rests, as knuckleboom info does"
        output.say(f"They are those {facts.state_in_words(at, case)}{other}.")
    if found.others:
        output.say(found.others)
    if not found.at_rest:
        fix = "" if equilibrium else " Try --equilibrium."
        output.say(f"The state is not at rest: these modes hold for a moment only.{fix}")


def describe(found: "Modes", at: str, case: str | None) -> dict[str, Any]:
    """Return the modes as plain data; the keys are described in docs/cli.md."""
    return {
        "machine": found.machine,
        "at": at,
        "case": case,
        "at_rest": found.at_rest,
        "damped": found.damped,
        "stable": found.stable,
        "left_out": len(found.left_out),
        "modes": [
            {
                "kind": mode.kind,
                "frequency_hz": mode.frequency,
                "damping_ratio": mode.damping,
                "time_constant_s": mode.time if math.isfinite(mode.time) else None,
                "eigenvalue": {"real": mode.eigenvalue.real, "imag": mode.eigenvalue.imag},
                "parts": mode.parts,
                "shape": {path: {"real": one.real, "imag": one.imag} for path, one in mode.shape.items()},
            }
            for mode in found
        ],
    }
