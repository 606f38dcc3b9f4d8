# SPDX-License-Identifier: BSD-3-Clause
"""kb.evaluate: what a machine does at one moment, with forces by their laws or as they are given.

    found = kb.evaluate(machine, inputs={"spool": 0.2}, forces={"lift.force": "12 kN"})
    found["foot.angle_acceleration"]

A given force replaces that of its row: a cylinder's by its pressures, a spring's, a motor's torque. Mechanics is then
evaluated with it; oil is as the laws have it. Tested in tests/simulate/test_evaluation.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.engine.run import evaluate_given
from knuckleboom.errors import MachineError, Problem, SimulationError
from knuckleboom.layout import OK
from knuckleboom.machine import Machine
from knuckleboom.names import closest
from knuckleboom.plan import Planned
from knuckleboom.plan.work import first_columns
from knuckleboom.simulation.outputs import Outputs, columns_of
from knuckleboom.simulation.session import Simulation

PLACE = "the evaluation"


def evaluate(
    machine: Machine, *, start: Any = None, inputs: Mapping[str, Any] | None = None,
    forces: Mapping[str, float | str] | None = None, coordinates: str = "relative",
) -> Outputs:  # fmt: skip
    """Return all quantities of a machine at its start, or at a state that kb.equilibrium found.

    `forces` are given by the names of the quantities, such as "lift.force", as numbers in SI or texts with a unit.
    Raises MachineError with every problem of what was given, and SimulationError where nothing can be evaluated.
    """
    sim = Simulation(machine, start=start, inputs=inputs, coupling="explicit", coordinates=coordinates)
    planned = sim.planned
    given = read_forces(planned, forces or {})
    found = sim.outputs  # all forces by their laws
    if np.all(np.isnan(given)):
        return found
    line = np.full(sim.width, np.nan)
    if evaluate_given(planned.plan, planned.work, given, line) != OK:
        raise SimulationError(f"Machine '{machine.name}' cannot be evaluated with these forces.")
    return Outputs(line, columns_of(planned.names, planned, None))


def read_forces(planned: Planned, forces: Mapping[str, float | str]) -> NDArray[np.float64]:
    """Forces of all rows, not a number where none is given; a MachineError with every name and unit that is wrong."""
    rows, given = force_rows(planned), np.full(planned.work_size["nrow"], np.nan)
    problems: list[Problem] = []
    for path, value in forces.items():
        if path not in rows:
            fix = f"There are {', '.join(rows)}." if rows else "No part of this machine has one."
            near = tuple(closest(path, rows))
            problems.append(Problem(f"There is no force '{path}'.", fix="" if near else fix, closest=near))
            continue
        try:
            given[rows[path]] = units.parse(value, planned.names[path].unit) if isinstance(value, str) else float(value)
        except (TypeError, ValueError) as error:
            problems.append(Problem(f"'{path}': {error}."))
            continue
        if not np.isfinite(given[rows[path]]):
            problems.append(Problem(f"'{path}' is {value!r}, which is not a finite number."))
    if problems:
        raise MachineError(problems, PLACE)
    return given


def force_rows(planned: Planned) -> dict[str, int]:
    """The rows whose forces can be given, by the names of their forces."""
    first = first_columns(planned.work_size)["row_force"]
    last = first + planned.work_size["nrow"]
    return {signal.path: signal.columns[0] - first for signal in planned.names if first <= signal.columns[0] < last}
