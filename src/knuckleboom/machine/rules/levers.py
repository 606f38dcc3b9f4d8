# SPDX-License-Identifier: BSD-3-Clause
"""Levers: each moves an input that exists, and no two are in one place. Golden texts: tests/errors/lever_*."""

from collections.abc import Iterator
from typing import get_args

from knuckleboom.errors import Problem
from knuckleboom.machine.lever import BUTTONS, Axis, source_of
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.rules.recorder import input_names
from knuckleboom.names import closest

FEW = 8
"""Names that are all listed where none is close."""


def levers_move_inputs(machine: Machine) -> Iterator[Problem]:
    """Every lever is that of an input."""
    if not machine.levers:
        return
    known = list(input_names(machine))
    for name in machine.levers:
        if name in known or machine.is_unread(name) or _is_faulty(machine, name):
            continue
        near = tuple(closest(name, known))
        fix = f"There are: {', '.join(known)}." if known and not near and len(known) <= FEW else ""
        if not known:
            fix = "This machine has none: a valve has one, or an applied force."
        rule = f"lever '{name}': there is no such input."
        yield Problem(rule, part=source_of(name), fix=fix, closest=near)


def one_lever_an_axis(machine: Machine) -> Iterator[Problem]:
    """No two inputs are on one axis of a lever."""
    taken: dict[str, str] = {}
    for name, lever in machine.levers.items():
        if lever.axis is None or lever.axis == BUTTONS:
            continue
        if lever.axis in taken:
            used = {other.axis for other in machine.levers.values()}
            free = [axis for axis in get_args(Axis) if axis not in used or axis == BUTTONS]
            rule = f"lever '{name}': its axis is '{lever.axis}', which lever '{taken[lever.axis]}' has already."
            fix = f"Free are {', '.join(free)}; without an axis it gets one of these."
            yield Problem(rule, part=source_of(name), field="axis", fix=fix)
        taken.setdefault(lever.axis, name)


def _is_faulty(machine: Machine, name: str) -> bool:
    """Whether an input would be that of a part whose values are wrong, which is another problem."""
    part = machine.parts.get(name) or machine.parts.get(name.rpartition(".")[0])
    return part is not None and any(True for _ in part.faults())
