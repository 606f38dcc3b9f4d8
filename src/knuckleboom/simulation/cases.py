# SPDX-License-Identifier: BSD-3-Clause
"""A case becomes the settings of a run: what was given to the run goes before what the case says.

Inputs are taken together, by name; controllers of the run are added to those of the case. Words of a method that do not
go with those given are dropped. Here, and only here, functions that a case names are imported. Tested in
tests/simulate/test_cases.py.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from knuckleboom.control.controller import Controller
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.machine.case import DURATION, STEP, Case
from knuckleboom.machine.csv_file import all_columns
from knuckleboom.plan import choose_method
from knuckleboom.simulation.case_controllers import make_controller
from knuckleboom.simulation.control import refuse_others
from knuckleboom.simulation.inputs import by_name

PLACE = "the run"


def case_of(machine: Any, case: Any) -> Case | None:
    """The case that is meant; what is no machine, or no case of it, is a MachineError."""
    if not isinstance(machine, Machine):
        fix = "Give what kb.Machine, kb.read or kb.catalogue.machine returned."
        if isinstance(machine, Case):
            fix = "Give the machine first: kb.simulate(case.machine, case=case.name)."
        elif isinstance(machine, str):
            fix = f'Write kb.catalogue.machine("{machine}"), or kb.read("{machine}") for a file.'
        raise MachineError([Problem(f"{machine!r} is not a machine.", fix=fix)], PLACE)
    if isinstance(case, str):
        return machine.find_case(case)
    if case is None or isinstance(case, Case):
        return case
    fix = f"Its cases are {', '.join(machine.cases)}." if machine.cases else "It has no cases."
    raise MachineError([Problem(f"case is {case!r}, which is no case.", fix=fix)], PLACE)


def times_of(
    case: Case | None, duration: float | str | None, step: float | str | None
) -> tuple[float | str, float | str]:
    """How long a run is and its step, as given or else as its case says."""
    if duration is None and case is None:
        fix = 'Write kb.simulate(machine, "10 s"), or name a case: kb.simulate(machine, case="lift").'
        raise MachineError([Problem("duration is missing.", fix=fix)], PLACE)
    long, size = (DURATION, STEP) if case is None else (case.duration, case.step)
    return (long if duration is None else duration), (size if step is None else step)


def all_inputs(case: Case) -> dict[str, Any]:
    """The inputs of a case, also those of its CSV file."""
    return {**(all_columns(case.csv) if case.csv else {}), **case.inputs}


def complete_settings(
    case: Case | None, record: Any, inputs: Any, controllers: Sequence[Controller], stop: Any, start: Any
) -> tuple[Any, ...]:
    """Record, inputs, controllers, stop and start of a run, as given or else as its case says."""
    if case is None:
        return record, inputs, controllers, stop, start
    loaded = tuple(make_controller(item) for item in case.controllers)
    return (
        case.record if record is None else record,
        {**all_inputs(case), **by_name(inputs)},
        (*loaded, *refuse_others(controllers)),
        (case.stop or None) if stop is None else stop,
        case.start if start is None else start,
    )


def method_of(machine: Machine, case: Case | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """The words of the method: those given, and those of the case as long as they go with them."""
    words = {word: value for word, value in given.items() if value is not None}
    if case is None or not case.method:
        return words
    both = {**case.method, **words}
    try:
        choose_method(machine, **{word: value for word, value in both.items() if word != "power_step"})
    except MachineError:
        return words
    return both


def tell_case(case: Case | None) -> dict[str, Any]:
    """What the results of a run say of its case."""
    if case is None or not case.name:
        return {}
    files = {key: os.path.abspath(file) if file else "" for key, file in case.files.items()}
    return {"case": {"name": case.name, "meaning": case.meaning, **files, "imports": case.imports}}
