# SPDX-License-Identifier: BSD-3-Clause
"""What a run was asked for, read: machine, method, times, inputs, controllers, stop conditions and where it begins.

What was given goes before what the case says (simulation/cases.py). Tested in tests/simulate/test_cases.py and
test_session.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from knuckleboom.control.controller import Controller
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.machine.method import choose_method
from knuckleboom.methods import COSIMULATED, Method
from knuckleboom.simulation.cases import case_of, complete_settings, method_of, tell_case, times_of
from knuckleboom.simulation.kinematic import hold_cylinders
from knuckleboom.simulation.start import Start, describe_start, find_start
from knuckleboom.simulation.times import read_times, whole_exchange


class Settings(NamedTuple):
    """The settings of a run."""

    machine: Machine
    method: Method
    step: float
    record: float | None
    inputs: Mapping[str, Any]
    controllers: Sequence[Controller]
    stop: Any
    state: Start | None
    about: dict[str, Any]
    """What the results say of the start and the case."""


def read_settings(
    machine: Machine, *, case: str | Case | None = None, step: float | str | None = None,
    record: float | str | None = None, inputs: Mapping[str, Any] | None = None,
    controllers: Sequence[Controller] = (), stop: Any = None, start: Any = None, **method: Any,
) -> Settings:  # fmt: skip
    """Read what was given for a run; raises MachineError with every problem of it."""
    wanted = case_of(machine, case)
    _, step = times_of(wanted, 1.0, step)
    record, inputs, controllers, stop, start = complete_settings(wanted, record, inputs, controllers, stop, start)
    words = method_of(machine, wanted, method)
    small = words.pop("power_step", None)
    size, interval, small = read_times({"step": step, "record": record, "power_step": small})
    assert size is not None
    chosen = choose_method(machine, **{**words, "power_step": small})
    if chosen.coupling == COSIMULATED.coupling and small is not None:
        chosen = replace(chosen, power_step=whole_exchange(size, small))
    state, held = find_start(start, machine, inputs, chosen.coupling)
    about = describe_start(state, inputs) | tell_case(wanted)
    if chosen.coupling == "kinematic":
        machine, held = hold_cylinders(machine, held)
    return Settings(machine, chosen, size, interval, held, controllers, stop, state, about)
