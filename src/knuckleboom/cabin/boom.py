# SPDX-License-Identifier: BSD-3-Clause
"""The boom of a machine: its hinge, what pulls on it (load_moment.py) and what its cylinders can hold.

The hinge is the working joint (chain.py) that turns about a level axis and carries most. What can be held is the
greatest force of the cylinders across the hinge (analysis/actuators.py) times their lever arms, at the start.
Tested in tests/cabin/test_boom.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from knuckleboom.analysis.actuators import actuator_forces
from knuckleboom.cabin.chain import Chain
from knuckleboom.cabin.columns import pose_columns
from knuckleboom.cabin.load_moment import Array, Line, LoadMoment, Pull, Vector, dot, less, located, turned
from knuckleboom.interface.parts import Force, Payload, Rope
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.machine.placement import rotation
from knuckleboom.machine.placement import turned as turned_by
from knuckleboom.mechanics.parts import Body, Revolute
from knuckleboom.names import Names
from knuckleboom.plan import Planned
from knuckleboom.quantities import unit_vector

LEVEL = 0.5
"""Largest upward part of an axis that still counts as level."""


def load_moment(planned: Planned, line: Array) -> LoadMoment | None:
    """Return how the load moment is found, `line` being that of the start; None for a machine without a boom."""
    machine, names, chain = planned.machine, planned.names, Chain.of(planned.machine)
    gravity, values = machine.gravity, line.tolist()
    found: list[tuple[float, LoadMoment]] = []
    for name in chain.working_joints():
        joint = machine.parts[name]
        if isinstance(joint, Revolute) and name in chain.beyond:
            where = machine.locate(joint.a)
            axis, pose = _on_body(unit_vector(joint.axis), where.rpy), pose_columns(names, where.body)
            if abs(dot(turned(values, pose, axis), gravity)) < LEVEL * math.hypot(*gravity):
                found.append((chain.mass_beyond(name), LoadMoment(name, pose, _vector(where.at), axis, ())))
    if not found:
        return None
    _, hinge = max(found, key=lambda one: one[0])
    beyond = chain.beyond[hinge.hinge]
    pulls = (*weights(machine, names, beyond), *applied_forces(machine, names, beyond))
    moment = replace(hinge, pulls=pulls, ropes=tuple(ropes(machine, names, beyond)))
    moment = replace(moment, sign=1.0 if moment(line) >= 0.0 else -1.0)
    return replace(moment, most=_held(planned, chain, moment, line))


def _held(planned: Planned, chain: Chain, moment: LoadMoment, line: Array) -> float:
    """Moment that the cylinders across the hinge can hold, N·m."""
    machine, values = planned.machine, line.tolist()
    strongest = {(push.actuator, push.direction): push.force for push in actuator_forces(planned)}
    total = 0.0
    for ram in lifting_rams(chain, moment.hinge):
        ends = [machine.locate(place) for place in (ram.a, ram.b)]
        a, b = (located(values, pose_columns(planned.names, end.body), _vector(end.at)) for end in ends)
        along = less(b, a)
        # what pushing does against the load
        arm = -moment.arm(line, b, along) / math.hypot(*along)
        total += abs(arm) * (strongest.get((ram.name, "extends" if arm > 0.0 else "retracts")) or 0.0)
    return total


def lifting_rams(chain: Chain, hinge: str) -> list[Ram]:
    """Cylinders across a hinge with the fewest joints between their pins; or those with bodies of their own there."""
    machine = chain.machine
    rings = {ram.name: chain.between(machine.locate(ram.a).body, machine.locate(ram.b).body) for ram in machine.of(Ram)}
    across = {name: len(ring) for name, ring in rings.items() if hinge in ring}
    if across:
        chosen = {name for name, length in across.items() if length == min(across.values())}
    else:
        group = next(group for group in chain.groups() if hinge in group)
        chosen = {name for name, ring in rings.items() if set(ring) <= group}
    return [ram for ram in machine.of(Ram) if ram.name in chosen]


def weights(machine: Machine, names: Names, bodies: tuple[str, ...]) -> Iterator[Pull]:
    """Yield the weight of every body, of the point masses and of the payloads on it."""
    g = math.hypot(*machine.gravity)
    down = _vector(np.asarray(machine.gravity) / g)
    for name in bodies:
        body = machine.parts[name]
        if isinstance(body, Body):
            pose = pose_columns(names, name)
            for mass, at in ((body.mass, body.com), *((one.mass, one.at) for one in body.point_masses.values())):
                yield Pull(pose, _vector(at), down, mass * g)
    for load in machine.of(Payload):
        where = machine.locate(load.at)
        if where.body in bodies:
            column = names[f"{load.name}.mass"].columns[0]
            yield Pull(pose_columns(names, where.body), _vector(where.at), down, g, column)


def applied_forces(machine: Machine, names: Names, bodies: tuple[str, ...]) -> Iterator[Pull]:
    """Yield the forces that act on these bodies from outside: a load in the bucket, the soil."""
    for part in machine.of(Force):
        where = machine.locate(part.at)
        if where.body in bodies:
            direction, turns = _vector(unit_vector(part.direction)), part.frame == "body"
            if turns:
                direction = _on_body(direction, where.rpy)
            column = names[f"{part.name}.force"].columns[0]
            yield Pull(pose_columns(names, where.body), _vector(where.at), direction, 1.0, column, turns)


def ropes(machine: Machine, names: Names, bodies: tuple[str, ...]) -> Iterator[Line]:
    """Yield the ropes from these bodies to others: a load that hangs on them and is free else."""
    for part in machine.of(Rope):
        ends = sorted((machine.locate(place) for place in (part.a, part.b)), key=lambda end: end.body not in bodies)
        if [end.body in bodies for end in ends] == [True, False]:
            (pose, at), (other, end) = ((pose_columns(names, one.body), _vector(one.at)) for one in ends)
            yield Line(pose, at, other, end, names[f"{part.name}.force"].columns[0])


def _vector(values: object) -> Vector:
    x, y, z = np.asarray(values, float).tolist()
    return x, y, z


def _on_body(direction: object, rpy: tuple[float, float, float]) -> Vector:
    """A direction given in the axes of a place, in those of its body."""
    return _vector(turned_by(rotation(rpy), _vector(direction)))
