# SPDX-License-Identifier: BSD-3-Clause
"""Joints and lines: they join two bodies, every body is joined to the ground, and coordinates that parts name exist."""

from collections.abc import Iterator

from knuckleboom.describe import JointName, Part, Place, problem, unit_of
from knuckleboom.errors import Problem
from knuckleboom.interface.parts import JointSpring, JointStop, Motor, Winch
from knuckleboom.machine.machine import GROUND, Machine
from knuckleboom.mechanics.parts import Driver, Gear, Joint, ShaftOf
from knuckleboom.quantities import Given

NEED_COORDINATE = (Driver, JointSpring, JointStop, Gear, Motor, ShaftOf, Winch)
"""Parts that need the value of a coordinate, which an orientation kept as a quaternion does not have."""


def two_bodies(machine: Machine) -> Iterator[Problem]:
    """A joint joins two different bodies, and so does what acts along a line: cylinders, springs, dampers, rods."""
    for part in machine.parts.values():
        ends = _bodies(machine, part)
        if ends and ends[0] == ends[1]:
            line = f"both its ends are on '{ends[0]}', so that it moves nothing."
            rule = f"it joins '{ends[0]}' with itself." if isinstance(part, Joint) else line
            yield problem(part, rule, "Give two different bodies in a and b.", field="b")


def joined_to_ground(machine: Machine) -> Iterator[Problem]:
    """Every body is connected to the ground through joints."""
    if machine.unread:
        return
    neighbours: dict[str, list[str]] = {body.name: [] for body in machine.bodies()}
    for joint in machine.of(Joint):
        ends = _bodies(machine, joint)
        if ends is None:
            return
        neighbours[ends[0]].append(ends[1])
        neighbours[ends[1]].append(ends[0])

    reached: set[str] = set()
    _reach(GROUND, neighbours, reached)
    for body in machine.bodies():
        if body.name not in reached:
            rule = "it is not connected to the ground through joints."
            fix = (
                "Add a joint to it; a body that moves freely has a free joint:\n"
                f"  joints: {{{body.name}_free: {{kind: free, a: ground, b: {body.name}}}}}"
            )
            yield problem(body, rule, fix)
            # one joint is enough for all bodies that hang on this one
            _reach(body.name, neighbours, reached)


def coordinates_exist(machine: Machine) -> Iterator[Problem]:
    """A coordinate that a part names by its index is one of the joint's."""
    for part, field, joint, index in _named_coordinates(machine):
        labels = joint.COORDINATES
        if index >= len(labels):
            has = f"{len(labels)} coordinates" if len(labels) != 1 else "1 coordinate"
            listed = ", ".join(f"{place} = {label}" for place, (label, _) in enumerate(labels))
            rule = f"{field} is {index}, but {joint.KIND} '{joint.name}' has {has}."
            yield problem(part, rule, f"Choose from {listed}." if labels else "Choose another joint.", field=field)
        elif joint.SPATIAL and labels[index][1] == "angle" and isinstance(part, NEED_COORDINATE):
            rule = f"{field} is {index}, but the orientation of {joint.KIND} '{joint.name}' has no single angle."
            yield problem(part, rule, "Use a revolute or universal joint, or springs between points.", field=field)


def motors_turn(machine: Machine) -> Iterator[Problem]:
    """A motor and a shaft are in a joint's angle, a winch on a joint's travel."""
    for part, _, joint, index in _named_coordinates(machine):
        if index >= len(joint.COORDINATES):
            continue
        label, kind = joint.COORDINATES[index]
        what = f"coordinate '{label}' of {joint.KIND} '{joint.name}' is"
        if isinstance(part, Motor) and kind != "angle":
            fix = "Give it a joint that turns; a cylinder moves along a line, a winch winds rope."
            yield problem(part, f"{what} a length.", fix, field="joint")
        if isinstance(part, ShaftOf) and kind != "angle":
            yield problem(part, f"{what} a length.", "Give it a joint that turns.", field="joint")
        if isinstance(part, Winch) and kind == "angle":
            fix = "Give it a joint that slides, whose travel is the rope's length; a motor turns a joint."
            yield problem(part, f"{what} an angle.", fix, field="joint")


def units_fit(machine: Machine) -> Iterator[Problem]:
    """What has a unit in its text has that of the coordinate, rad or m and what goes with them, that it acts on."""
    for part, _, joint, index in _named_coordinates(machine):
        if index < len(joint.COORDINATES):
            label, kind = joint.COORDINATES[index]
            meant = "an angle" if kind == "angle" else "a length"
            what = f"coordinate '{label}' of {joint.KIND} '{joint.name}' is {meant}"
            yield from _wrong_units(part, 0 if kind == "angle" else 1, what)
    for driver in machine.of(Driver):
        if driver.joint is None and driver.a is not None:
            yield from _wrong_units(driver, 1, "it drives a distance")


def _wrong_units(part: Part, wanted: int, what: str) -> Iterator[Problem]:
    for field, info in type(part).model_fields.items():
        choices = unit_of(info).split(" or ")
        if len(choices) == 1:
            continue
        given = getattr(part, field)
        values = given if isinstance(given, tuple) else (given,)
        wrong = [value for value in values if isinstance(value, Given) and value.unit != choices[wanted]]
        if wrong:
            rule = f"{field} is given in {wrong[0].unit}, but {what}."
            yield problem(part, rule, f"Give it in a unit of {choices[wanted]}.", field=field)


def _reach(start: str, neighbours: dict[str, list[str]], reached: set[str]) -> None:
    """Add every body connected to `start` to those reached."""
    reached.add(start)
    waiting = [start]
    while waiting:
        for body in neighbours[waiting.pop()]:
            if body not in reached:
                reached.add(body)
                waiting.append(body)


def _named_coordinates(machine: Machine) -> Iterator[tuple[Part, str, Joint, int]]:
    """Yield every pair of a joint field and its index field: joint and coordinate, a and coordinate_a, …"""
    for part in machine.parts.values():
        for field, name in part.references():
            index_field = "coordinate" if field == "joint" else f"coordinate_{field}"
            joint = machine.parts.get(name) if isinstance(name, JointName) else None
            if isinstance(joint, Joint) and index_field in type(part).model_fields:
                yield part, index_field, joint, getattr(part, index_field)


def _bodies(machine: Machine, part: Part) -> tuple[str, str] | None:
    """Return the bodies that a part joins by its places a and b, or None when one does not exist."""
    ends = [getattr(part, end, None) for end in ("a", "b")]
    a, b = (machine.locate(end).body if isinstance(end, Place) and machine.has_place(end) else "" for end in ends)
    return (a, b) if a and b else None
