# SPDX-License-Identifier: BSD-3-Clause
"""A machine with drivers on what a user named: joint coordinates, or the lengths of cylinders, springs and the like.

Driven rows are loop rows, so that the pose of everything else follows by closing them. Tested through
tests/analysis/test_inverse_dynamics.py and tests/analysis/test_workspace.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knuckleboom.describe import Part
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.names import closest


def add_drivers(machine: Machine, moved: Iterable[str], where: str) -> list[str]:
    """Give the machine a driver for each coordinate or length; return their names."""
    problems: list[Problem] = []
    names = []
    for number, name in enumerate(moved, start=1):
        target = driver_of(machine, str(name))
        label = f"motion_{number}"
        while label in machine.parts:
            label += "_"
        names.append(label)
        if isinstance(target, Problem):
            problems.append(target)
        else:
            machine.put(Driver(name=label, **target))
    if problems:
        raise MachineError(problems, where)
    return names


def driver_of(machine: Machine, name: str) -> dict[str, Any] | Problem:
    """What a driver of this name moves: a joint's coordinate, or the distance of a part's two places."""
    owner, _, label = name.partition(".")
    part: Part | None = machine.parts.get(name) or machine.parts.get(owner)
    if isinstance(part, Joint):
        labels = [one for one, _ in part.COORDINATES]
        if label in labels or (not label and len(labels) == 1):
            return {"joint": owner, "coordinate": labels.index(label) if label else 0}
        fix = f"Use {', '.join(f'{owner}.{one}' for one in labels)}." if labels else "It is fixed."
        return Problem(f"joint '{owner}' has no coordinate '{label or name}'.", part=owner, fix=fix)
    if part is not None and getattr(part, "joint", None):
        return {"joint": part.joint, "coordinate": getattr(part, "coordinate", 0)}  # type: ignore[attr-defined]
    if part is not None and hasattr(part, "a") and hasattr(part, "b"):
        return {"a": part.a, "b": part.b}
    known = [joint.name for joint in machine.of(Joint)] + [p.name for p in machine.parts.values() if hasattr(p, "a")]
    rule = f"'{name}' is neither a joint nor a part with a length."
    return Problem(rule, part=name, closest=tuple(closest(name, dict.fromkeys(known))))
