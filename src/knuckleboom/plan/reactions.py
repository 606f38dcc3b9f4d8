# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the reactions: for every joint the bodies beyond it and the rows that cross its border."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.net import Row
from knuckleboom.plan.network import Network
from knuckleboom.plan.topology import Topology


def reacting_joints(machine: Machine) -> list[Joint]:
    """All joints but the free ones, which hold nothing."""
    return [joint for joint in machine.of(Joint) if joint.KIND != "free"]


def bodies_beyond(topology: Topology) -> dict[str, set[str]]:
    """The bodies that each tree joint carries, its far body and all that hang on it."""
    beyond: dict[str, set[str]] = {}
    carried: dict[str, set[str]] = {}
    for name, crossing in reversed(topology.crossings.items()):
        moved = {crossing.far, *(one for one, body in topology.attached.items() if body == crossing.far)}
        beyond[name] = moved.union(*(carried.get(one, set()) for one in moved))
        carried.setdefault(crossing.near, set()).update(beyond[name])
    return beyond


def border(all_rows: list[Row], beyond: set[str]) -> list[tuple[int, float]]:
    """Rows that act on one body beyond the border and one before it, with +1 when b is beyond."""
    crossing = []
    for number, row in enumerate(all_rows):
        a, b = (body in beyond for body in row.bodies)
        if a != b:
            crossing.append((number, 1.0 if b else -1.0))
    return crossing


def starts(lists: Iterable[list[tuple[int, float]]] | Iterable[list[int]]) -> np.ndarray:
    """First entry of each list when they are written one after the other, with the end appended."""
    return np.cumsum([0, *(len(entries) for entries in lists)]).astype(np.int64)


def reaction_tables(network: Network, all_rows: list[Row], body_names: list[str]) -> dict[str, np.ndarray]:
    """The arrays of the family `reactions`, but for the bodies' inertias."""
    topology, joints = network.topology, reacting_joints(network.machine)
    number, beyond = {name: place for place, name in enumerate(body_names)}, bodies_beyond(topology)
    index, places = [], []
    places_of: dict[str, list[int]] = {}
    for place, row in enumerate(all_rows):
        for name in {row.part, row.joint}:
            places_of.setdefault(name, []).append(place)
    bodies: list[list[int]] = []
    rows: list[list[tuple[int, float]]] = []
    for joint in joints:
        link, _, p = network.on_link(joint.b)
        places.append(p)
        crossing = topology.crossings.get(joint.name)
        index.append((link, -1 if crossing is not None and crossing.reverse else 1))
        if crossing is None:
            # a cut joint: what its own rows do to b
            bodies.append([])
            rows.append([(place, -1.0) for place in places_of.get(joint.name, ())])
        else:
            bodies.append(sorted(number[name] for name in beyond[joint.name]))
            rows.append(border(all_rows, beyond[joint.name]))
    return {
        "reactions.index": np.array(index, np.int64).reshape(-1, 2),
        "reactions.place": np.array(places, float).reshape(-1, 3),
        "reactions.body_first": starts(bodies),
        "reactions.body": np.array([body for entries in bodies for body in entries], np.int64),
        "reactions.row_first": starts(rows),
        "reactions.row": np.array([row for entries in rows for row, _ in entries], np.int64),
        "reactions.row_sign": np.array([sign for entries in rows for _, sign in entries], float),
    }
