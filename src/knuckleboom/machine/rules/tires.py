# SPDX-License-Identifier: BSD-3-Clause
"""Tires: they have ground to stand on, and are on bodies that turn about their axle."""

from collections.abc import Iterator

from knuckleboom.describe import Place, problem
from knuckleboom.errors import Problem
from knuckleboom.interface.parts.tire import Tire
from knuckleboom.machine.machine import Machine
from knuckleboom.machine.placement import Vector, rotation, turned
from knuckleboom.mechanics.parts import Joint
from knuckleboom.mechanics.parts.terrain import Terrain
from knuckleboom.quantities import unit_vector

PARALLEL = 0.9998
"""Cosine of an axis that is off by a degree."""


def tires_have_ground(machine: Machine) -> Iterator[Problem]:
    """A machine with tires has a terrain with a height."""
    if machine.unread or any(one.is_field or one.direction[2] > 0.0 for one in machine.of(Terrain)):
        return
    rule = "the machine has no ground that it could stand on."
    fix = "Add level ground, or another terrain:\n  terrains: {floor: {}}"
    for part in machine.of(Tire):
        yield problem(part, rule, fix)


def wheels_turn(machine: Machine) -> Iterator[Problem]:
    """The body of a tire turns about its axle: a joint that it has lets it."""
    for part in machine.of(Tire):
        if not machine.has_place(part.wheel) or machine.unread:
            continue
        place = machine.locate(part.wheel)
        axle = turned(rotation(place.rpy), unit_vector(part.axle))
        ends = [(joint, joint.b) for joint in machine.of(Joint)] + [(joint, joint.a) for joint in machine.of(Joint)]
        own = [(joint, end) for joint, end in ends if is_on(machine, end, place.body)]
        # what carries it has it for b
        carrying = [(joint, end) for joint, end in own if end is joint.b] or own
        if not any(lets_turn(machine, joint, end, axle) for joint, end in carrying):
            rule = f"no joint of '{place.body}' turns about the tire's axle, so that it slides like a locked wheel."
            yield problem(part, rule, "Put it on a body with a revolute joint about the axle.", field="wheel")


def is_on(machine: Machine, end: Place, body: str) -> bool:
    """Whether an end of a joint is on a body."""
    return machine.has_place(end) and machine.locate(end).body == body


def lets_turn(machine: Machine, joint: Joint, end: Place, axle: Vector) -> bool:
    """Whether a joint lets the body at one of its ends turn about an axle."""
    angles = sum(kind == "angle" for _, kind in joint.COORDINATES)
    if joint.SPATIAL or angles > 1:
        return True
    axis = turned(rotation(machine.locate(end).rpy), unit_vector(joint.axis))
    along = abs(sum(one * other for one, other in zip(axis, axle, strict=True)))
    return angles == 1 and along > PARALLEL
