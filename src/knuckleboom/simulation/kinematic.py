# SPDX-License-Identifier: BSD-3-Clause
"""A machine whose cylinders follow given lengths: the kinematic coupling, in which there is no oil.

Every cylinder becomes a driver of its length with the same name, so that length, speed and force come back as before,
and every motor one of the angle of its joint, also on a shaft_of that joint; everything of oil goes, with its inputs,
and so do motors on a shaft of its own. A length or angle is a number, a table, a function of time or a quantity of an
earlier run; the results of an earlier run give all of them at once. What has none keeps its length or angle. Kinematic
guidance in [Naya 2011, §4]. Tested in tests/simulate/test_kinematic.py
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from knuckleboom.describe import OilName, Part, Port
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.interface.parts import Motor
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts.driver import Driver
from knuckleboom.mechanics.parts.shaft_of import ShaftOf
from knuckleboom.results import Results


def hold_cylinders(machine: Machine, given: Mapping[str, Any] | Results) -> tuple[Machine, dict[str, Any]]:
    """The machine without oil, and those inputs that it still has."""
    held = copy.copy(machine)
    held.parts = {name: part for name, part in machine.parts.items() if not is_of_oil(part)}
    for part in machine.of(Ram):
        held.put(Driver(name=part.name, a=part.a, b=part.b))
    for motor in machine.of(Motor):
        if place := _turned(machine, motor):
            held.put(Driver(name=motor.name, joint=place[0], coordinate=place[1]))
    if isinstance(given, Results):
        given = {name: given[path] for name, path in followed_paths(machine).items()}
    gone = set(machine.parts) - set(held.parts)
    return held, {name: value for name, value in given.items() if not {name, name.rpartition(".")[0]} & gone}


def followed_paths(machine: Machine) -> dict[str, str]:
    """Which quantity of an earlier run each cylinder and each motor follows, by its name."""
    lengths = {part.name: f"{part.name}.length" for part in machine.of(Ram)}
    return lengths | {part.name: f"{part.name}.angle" for part in machine.of(Motor) if _turned(machine, part)}


def _turned(machine: Machine, motor: Motor) -> tuple[str, int] | None:
    """Which joint and coordinate a motor turns; None on a shaft of its own."""
    if motor.joint is not None:
        return motor.joint, motor.coordinate
    shaft = machine.parts.get(str(motor.shaft))
    return (shaft.joint, shaft.coordinate) if isinstance(shaft, ShaftOf) else None


def is_of_oil(part: Part) -> bool:
    """Whether a part has ports or joins them, or is oil itself."""
    return (
        bool(part.PORTS)
        or isinstance(part, Oil)
        or any(isinstance(name, Port | OilName) for _, name in part.references())
    )
