# SPDX-License-Identifier: BSD-3-Clause
"""A machine of which another process computes one half: what is left of it here.

    power side elsewhere    every actuator becomes a thrust or an effort of its name, which the other half's force goes
                            through; all other parts of oil go
    mechanics elsewhere     every actuator stands on a slide or a hinge of its own, which is put where the other half
                            says; the oil stays, all other bodies, joints and forces go

What both sides share has the actuator's name. Beside each actuator on a slide is an effort `<name>_load`, which stands
for the mechanics in the energy audit. Slides have next to no mass, and nothing moves them but the other half.
Tested in tests/halves/test_split.py
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple

from knuckleboom.describe import Part, problem
from knuckleboom.errors import MachineError, Problem
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts import Effort, Motor, Thrust, Winch
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.machine.replaced import FORCE, TORQUE, replaced
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.prismatic import Prismatic
from knuckleboom.mechanics.parts.revolute import Revolute
from knuckleboom.names import closest
from knuckleboom.plan import build
from knuckleboom.simulation.kinematic import is_of_oil

PLACE = "the halves of the machine"
NEXT_TO_NOTHING = 1e-6
"""kg and kg·m², of what a slide or a hinge carries."""


class Split(NamedTuple):
    """One side of a machine: its inputs, and the names of what both share with the push that stands for the other."""

    machine: Machine
    inputs: dict[str, Any]
    stands: tuple[tuple[str, str], ...]


def mechanics_of(machine: Machine, given: Mapping[str, Any], names: tuple[str, ...]) -> Split:
    """The machine without its power side. `names` are those of actuators, thrusts and efforts that the other half
    moves: all actuators unless given.
    """
    names = names or tuple(part.name for part in actuators(machine))
    refuse(unknown_names(machine, names) + on_shafts(machine) + left_behind(machine, names))
    found = machine
    for name in names:
        part = machine.parts[name]
        if not isinstance(part, Thrust | Effort):
            found = replaced(found, name, TORQUE if isinstance(part, Motor) else FORCE)
    if found is machine:
        found = copy.copy(machine)
    found.parts = {name: part for name, part in found.parts.items() if not is_of_oil(part)}
    return Split(found, inputs_of(machine, found, given, names), tuple((name, name) for name in names))


def power_of(machine: Machine, given: Mapping[str, Any], names: tuple[str, ...]) -> Split:
    """The machine without its mechanics; `names`, if given, are those of all its actuators."""
    moved = actuators(machine)
    names = names or tuple(part.name for part in moved)
    refuse(unknown_names(machine, names) + on_shafts(machine) + left_behind(machine, names) + shared_joints(moved))
    begins = start_values(machine)
    found = copy.copy(machine)
    found.gravity, found.appearance = (0.0, 0.0, 0.0), {}
    found.parts = {name: part for name, part in machine.parts.items() if is_of_oil(part) and part not in moved}
    for part in moved:
        joint = f"{part.name}_slide" if isinstance(part, Ram) else str(getattr(part, "joint"))  # noqa: B009
        load = f"{part.name}_load"
        moving = found.body(f"{part.name}_carriage", mass=NEXT_TO_NOTHING, inertia=(NEXT_TO_NOTHING,) * 3)
        ends = {"a": found.ground.at(0, 0, 0), "b": moving.at(0, 0, 0)}
        kind = Revolute if turns(machine, part) else Prismatic
        found.add(kind(name=joint, **ends, axis="x", start=begins[part.name]))
        found.add(part.model_copy(update=ends if isinstance(part, Ram) else {"coordinate": 0}))
        found.add(Effort(name=load, joint=joint))
    return Split(found, inputs_of(machine, found, given, ()), tuple((name, f"{name}_load") for name in names))


def actuators(machine: Machine) -> list[Part]:
    """Cylinders, motors in joints, and winches, in the order of the machine."""
    return [part for part in machine.parts.values() if isinstance(part, Ram | Motor | Winch) and not on_shaft(part)]


def on_shaft(part: Part) -> bool:
    """Whether a motor or a pump is on a shaft."""
    return isinstance(part, Motor | Pumping) and getattr(part, "shaft", None) is not None


def turns(machine: Machine, part: Part) -> bool:
    """Whether an actuator turns a joint; else it pushes along one, or between two pins."""
    if isinstance(part, Ram):
        return False
    joint = machine.parts[str(getattr(part, "joint"))]  # noqa: B009
    return isinstance(joint, Joint) and joint.COORDINATES[getattr(part, "coordinate")][1] == "angle"  # noqa: B009


def start_values(machine: Machine) -> dict[str, float]:
    """Length or angle of each actuator where the machine begins."""
    planned = build(machine)
    rows = {id(row): number for number, row in enumerate(planned.layout.rows)}
    return {one.part: float(planned.work.rows.s[rows[id(one.row)]]) for one in planned.layout.chambers}


def inputs_of(machine: Machine, here: Machine, given: Mapping[str, Any], moved: tuple[str, ...]) -> dict[str, Any]:
    """The inputs that are left: those of parts that are here, and are not moved by the other half."""
    gone = set(machine.parts) - set(here.parts)
    asked = [name for name in given if name in moved and name not in gone and not is_of_oil(machine.parts[name])]
    refuse([
        Problem(f"input '{name}' is the other half's: its force comes from there.", part=name, fix="Leave it out.")
        for name in asked
    ])  # fmt: skip
    return {name: value for name, value in given.items() if not {name, name.rpartition(".")[0]} & gone}


def refuse(problems: list[Problem]) -> None:
    """Raise what is wrong."""
    if problems:
        raise MachineError(problems, PLACE)


def unknown_names(machine: Machine, names: tuple[str, ...]) -> list[Problem]:
    """Names of nothing that another half could move."""
    kinds = Ram | Motor | Winch | Thrust | Effort
    known = [part.name for part in machine.parts.values() if isinstance(part, kinds)]
    if not names:
        fix = "Add a cylinder, a motor or a winch, or name thrusts and efforts: kb.OtherHalf(rows=[...])."
        return [Problem(f"Machine '{machine.name}' has nothing that two halves could share.", fix=fix)]
    found = []
    for name in names:
        if name not in known:
            rule = f"There is no actuator, thrust or effort '{name}' that two halves could share."
            near = tuple(closest(name, known))
            found.append(Problem(rule, part=name, fix=f"There are {', '.join(known)}.", closest=near))
    return found


def on_shafts(machine: Machine) -> list[Problem]:
    """Motors and pumps on shafts and winches with a drum, which halves cannot share yet."""
    rule = "it is on a shaft, and shafts are not shared between processes."
    fix = "Drive the pump by its speed, put the motor into a joint, or compute both halves here."
    found = [problem(part, rule, fix) for part in machine.parts.values() if on_shaft(part)]
    rule = "its rope is wound on a drum with a mass, and drums are not shared between processes."
    fix = "Leave stiffness and inertia out, or compute both halves here."
    return found + [problem(part, rule, fix) for part in machine.of(Winch) if part.inertia is not None]


def left_behind(machine: Machine, names: tuple[str, ...]) -> list[Problem]:
    """Actuators that are not shared, whose oil would be nobody's."""
    rule = "its oil would be left here: a power side is computed as a whole, here or elsewhere."
    fix = f"Name it, too: rows=[{', '.join(repr(part.name) for part in actuators(machine))}]"
    return [problem(part, rule, fix) for part in actuators(machine) if part.name not in names]


def shared_joints(moved: list[Part]) -> list[Problem]:
    """Actuators in a joint that another one is in, too: on hinges of their own they would not move together."""
    joints = [getattr(part, "joint", None) for part in moved]
    rule = "another actuator is in the same joint, which a power side alone cannot show."
    return [
        problem(part, rule, "Join them to one.")
        for part, joint in zip(moved, joints, strict=True)
        if joint is not None and joints.count(joint) > 1
    ]
