# SPDX-License-Identifier: BSD-3-Clause
"""The boom of a machine: its hinge, what pulls on it (load_moment.py) and what its cylinders can hold.

The hinge is the working joint (chain.py) that turns about a level axis and carries most. What can be held is the
greatest force of the cylinders across the hinge (analysis/actuators.py) times their lever arms, at the start.
Tested in tests/cabin/test_boom.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from knuckleboom.analysis.actuators import actuator_forces
from knuckleboom.cabin.chain import Chain
from knuckleboom.cabin.load_moment import NONE, Array, Columns, LoadMoment, located, turned
from knuckleboom.interface.parts import Force
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine import Machine
from knuckleboom.machine.placement import rotation
from knuckleboom.mechanics.parts import Body, Revolute
from knuckleboom.names import Names
from knuckleboom.plan import Planned
from knuckleboom.quantities import unit_vector

LEVEL = 0.5
"""Largest upward part of an axis that still counts as level."""


@dataclass(frozen=True)
class Pull:
    """A force at a place on a body: constant, or read from a column; its direction may turn with the body."""

    body: str
    at: tuple[float, ...]
    direction: Array
    size: float
    column: int = NONE
    turns: bool = False


def load_moment(planned: Planned, line: Array) -> LoadMoment | None:
    """Return how the load moment is found, `line` being that of the start; None for a machine without a boom."""
    machine, names = planned.machine, planned.names
    gravity, chain = np.asarray(machine.gravity, float), Chain.of(machine)
    hinges = []
    for name in chain.working_joints():
        joint = machine.parts[name]
        if isinstance(joint, Revolute) and name in chain.beyond:
            where = machine.locate(joint.a)
            axis = np.array(rotation(where.rpy)) @ np.asarray(unit_vector(joint.axis), float)[:, None]
            pose = pose_columns(names, where.body)[:, None]
            if abs(turned(line, pose, axis)[:, 0] @ gravity) < LEVEL * np.linalg.norm(gravity):
                hinges.append((chain.mass_beyond(name), name, axis, np.asarray(where.at, float)[:, None], pose))
    if not hinges:
        return None
    _, name, axis, place, pose = max(hinges, key=lambda one: one[0])
    pulls = [*weights(machine, chain.beyond[name]), *applied_forces(machine, names, chain.beyond[name])]
    found = LoadMoment(
        hinge=name, axis=axis, place=place, pose=pose,
        at=np.array([pull.at for pull in pulls]).T,
        direction=np.array([pull.direction for pull in pulls]).T,
        size=np.array([pull.size for pull in pulls]),
        poses=np.array([pose_columns(names, pull.body) for pull in pulls]).T,
        read=np.array([number for number, pull in enumerate(pulls) if pull.column != NONE], np.intp),
        column=np.array([pull.column for pull in pulls if pull.column != NONE], np.intp),
        turns=np.array([pull.turns for pull in pulls if pull.column != NONE], bool),
    )  # fmt: skip
    found = replace(found, sign=1.0 if found(line) >= 0.0 else -1.0)
    return replace(found, most=_held(planned, chain, found, line))


def _held(planned: Planned, chain: Chain, moment: LoadMoment, line: Array) -> float:
    """Moment that the cylinders across the hinge can hold, N·m."""
    machine, names = planned.machine, planned.names
    strongest = {(push.actuator, push.direction): push.force for push in actuator_forces(planned)}
    total = 0.0
    for ram in lifting_rams(chain, moment.hinge):
        ends = [machine.locate(place) for place in (ram.a, ram.b)]
        a, b = (located(line, pose_columns(names, end.body)[:, None], np.array(end.at)[:, None]) for end in ends)
        # what a unit push does against the load
        arm = -moment.about(line, b, (b - a) / np.linalg.norm(b - a))
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


def weights(machine: Machine, bodies: tuple[str, ...]) -> Iterator[Pull]:
    """Yield the weight of every body and of the point masses on it."""
    gravity = np.asarray(machine.gravity, float)
    g = float(np.linalg.norm(gravity))
    for name in bodies:
        body = machine.parts[name]
        if isinstance(body, Body):
            for mass, at in ((body.mass, body.com), *((one.mass, one.at) for one in body.point_masses.values())):
                yield Pull(name, at, gravity / g, mass * g)


def applied_forces(machine: Machine, names: Names, bodies: tuple[str, ...]) -> Iterator[Pull]:
    """Yield the forces that act on these bodies from outside: a load in the bucket, the soil."""
    for part in machine.of(Force):
        where = machine.locate(part.at)
        if where.body in bodies:
            direction, turns = np.asarray(unit_vector(part.direction), float), part.frame == "body"
            if turns:
                direction = np.array(rotation(where.rpy)) @ direction
            yield Pull(where.body, where.at, direction, 0.0, names[f"{part.name}.force"].columns[0], turns)


def pose_columns(names: Names, body: str) -> Columns:
    """Columns of x y z qw qx qy qz of a body; NONE for the ground."""
    if f"{body}.position" not in names:
        return np.full(7, NONE)
    return np.array([*names[f"{body}.position"].columns, *names[f"{body}.orientation"].columns])
