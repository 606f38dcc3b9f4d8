# SPDX-License-Identifier: BSD-3-Clause
"""A case becomes the settings of a run: what was given to the run goes before what the case says.

Inputs are taken together, by name; controllers of the run are added to those of the case. Words of a method that do not
go with those given are dropped. Here, and only here, functions that a case names are imported. Tested in
tests/simulate/test_cases.py.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from knuckleboom.control.controller import Controller
from knuckleboom.errors import MachineError, Problem, lower_first
from knuckleboom.machine import Machine
from knuckleboom.machine.case import DURATION, STEP, Case, place_of
from knuckleboom.machine.csv_file import all_columns
from knuckleboom.machine.method import choose_method
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


def in_case(problem: Problem, case: Case) -> Problem:
    """A problem with the name of its case in front, and in the lines of it unless it is in a file of its own."""
    rule, file = problem.rule, problem.file
    if file and problem.lines is None:  # it cannot be read: what is wrong is its name in the case
        rule, file = f"'{file}': {rule}", ""
    return replace(problem, rule=f"case '{case.name}': {lower_first(rule)}", part=place_of(case.name), file=file)


def load_controller(item: Any, case: Case) -> Controller:
    """A controller of a case; what is wrong with it is said with its place in the machine's file."""
    try:
        return make_controller(item)
    except MachineError as error:
        own = (replace(problem, field=f"controllers.{item.name}") for problem in error.problems)
        raise MachineError([case.machine.placed(in_case(one, case)) for one in own], case.machine.where) from error


def complete_settings(
    case: Case | None, record: Any, inputs: Any, controllers: Sequence[Controller], stop: Any, start: Any
) -> tuple[Any, ...]:
    """Record, inputs, controllers, stop and start of a run, as given or else as its case says."""
    if case is None:
        return record, inputs, controllers, stop, start
    loaded = tuple(load_controller(item, case) for item in case.controllers)
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
