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
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.machine.method import choose_method
from knuckleboom.methods import COSIMULATED, OWN_START, Method
from knuckleboom.simulation.cases import case_of, complete_settings, method_of, tell_case, times_of
from knuckleboom.simulation.elsewhere import ALONE, MECHANICS, POWER, Link, split_method
from knuckleboom.simulation.kinematic import hold_cylinders
from knuckleboom.simulation.split import mechanics_of, power_of
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
    link: Link | None = None
    """The way to a half of the machine that another process computes."""


def read_settings(
    machine: Machine, *, case: str | Case | None = None, step: float | str | None = None,
    record: float | str | None = None, inputs: Mapping[str, Any] | None = None,
    controllers: Sequence[Controller] = (), stop: Any = None, start: Any = None, power: Link | None = None,
    mechanics: Link | None = None, **method: Any,
) -> Settings:  # fmt: skip
    """Read what was given for a run; raises MachineError with every problem of it."""
    wanted = case_of(machine, case)
    _, step = times_of(wanted, 1.0, step)
    record, inputs, controllers, stop, start = complete_settings(wanted, record, inputs, controllers, stop, start)
    link = other_half(power, mechanics, start)
    if link is not None and method.get("coupling") is None:
        method["coupling"] = COSIMULATED.coupling
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
    if link is not None:
        side, split = (POWER, mechanics_of) if power is not None else (MECHANICS, power_of)
        machine, held, stands = split(machine, held, link.rows)
        chosen = split_method(chosen, side, stands)
    return Settings(machine, chosen, size, interval, held, controllers, stop, state, about, link)


def other_half(power: Link | None, mechanics: Link | None, start: Any) -> Link | None:
    """The way to the half that another process computes; raise MachineError where that cannot be."""
    problems = []
    halves: dict[str, Any] = {"power": power, "mechanics": mechanics}
    for word, given in halves.items():
        if given is not None and not isinstance(given, Link):
            rule = f"{word} is {given!r}, which is no way to another process."
            problems.append(Problem(rule, fix=f"Give {word}=kb.OtherHalf(8399) with a port of your own."))
    if power is not None and mechanics is not None:
        rule = "Both power and mechanics are elsewhere: nothing is left to compute here."
        problems.append(Problem(rule, fix="Give one of them."))
    if (power or mechanics) is not None and start not in (None, OWN_START):
        rule = "Halves in two processes begin at the machine's own start: neither could find its equilibrium alone."
        problems.append(Problem(rule, fix=f'Leave start out, or write start="{OWN_START}".'))
    if problems:
        raise MachineError(problems, ALONE)
    return power if power is not None else mechanics
