# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with the cases of a machine: inputs, units, files, controllers and stop conditions, all at once.

Nothing that a case names is imported or run; CSV files are read. Tested in tests/simulate/test_cases.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine.case import Case
from knuckleboom.machine.csv_file import refuse_malformed
from knuckleboom.methods import COSIMULATED
from knuckleboom.plan import Planned
from knuckleboom.simulation.case_controllers import make_controller
from knuckleboom.simulation.cases import all_inputs, in_case
from knuckleboom.simulation.control import Control
from knuckleboom.simulation.inputs import read_inputs
from knuckleboom.simulation.motions import read_motions
from knuckleboom.simulation.stop import read_stops
from knuckleboom.simulation.times import read_times, whole_exchange


def case_problems(planned: Planned, cases: Iterable[Case]) -> list[Problem]:
    """Return every problem of cases of a planned machine, each with its place in the file."""
    found = []
    for case in cases:
        for problem in problems_of(planned, case):
            found.append(planned.machine.placed(in_case(problem, case)))
    return found


def problems_of(planned: Planned, case: Case) -> Iterator[Problem]:
    """What is wrong with one case, each problem with the setting that it is in."""
    inputs, problems = collect_problems(all_inputs, case)
    yield from (replace(problem, field="csv") for problem in problems)
    for problem in collect_problems(read_inputs, planned, case.inputs if inputs is None else inputs)[1]:
        yield replace(problem, field=f"inputs.{problem.part}" if problem.part in case.inputs else "csv")
    for problem in collect_problems(read_motions, planned.machine, inputs or {})[1]:
        yield replace(problem, field="inputs")
    controllers, names = [], planned.names
    for item in case.controllers:
        made, problems = collect_problems(make_controller, item, checking=True)
        controllers += [] if made is None else [made]
        yield from (replace(problem, field=f"controllers.{item.name}") for problem in problems)
    control, problems = collect_problems(Control, planned, controllers)
    yield from (replace(problem, field=f"controllers.{problem.part}") for problem in problems)
    names = names if control is None else control.names
    times = {"duration": case.duration, "step": case.step, "power_step": case.method.get("power_step")}
    checks: dict[str, tuple[Callable[..., Any], Any]] = {
        "stop": (lambda stop: read_stops(planned, names, stop), case.stop or None),
        "step": (read_exchange, (times, case.method)),
        "measured": (lambda file: refuse_malformed(file) if file else None, case.measured),
    }
    for field, (action, value) in checks.items():
        yield from (replace(problem, field=field) for problem in collect_problems(action, value)[1])


def read_exchange(given: tuple[Mapping[str, Any], Mapping[str, Any]]) -> None:
    """Refuse times of a case that make no sense, alone or with the words of its method."""
    times, method = given
    _, step, small = read_times(times)
    if method.get("coupling") == COSIMULATED.coupling and step and small:
        whole_exchange(step, small)


def collect_problems(action: Callable[..., Any], *values: Any, **options: Any) -> tuple[Any, list[Problem]]:
    """What an action gives, or None and the problems that it raises."""
    try:
        return action(*values, **options), []
    except MachineError as error:
        return None, error.problems
