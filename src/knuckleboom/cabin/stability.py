# SPDX-License-Identifier: BSD-3-Clause
"""Stability: how far the middle of what the ground carries is from the nearest edge of what the machine stands on.

    margin = min over edges e of  d_e(P)/d_e(C),     P = Σ N_i p_i/Σ N_i

P is the centre of pressure of all that carries, C the centre of the corners of the outline around it, d_e a distance
from edge e, all seen from above. 1 stands in the middle; at 0 all load is on one edge, and the machine tips over it, or
it is in the air. What carries are tires, if any of them carries at the start, and contacts with the ground that do
then; without tires contacts that are at the bottom of the machine. A bucket that is put down does not make a machine
stand, nor what lies loose. Computed 60 times a second, in plain numbers. Tested in tests/cabin/test_stability.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.mass import machine_mass
from knuckleboom.cabin.columns import pose_columns
from knuckleboom.cabin.load_moment import Pose, Vector, dot, located, turned
from knuckleboom.geometry.feature import CENTRE, RADIUS
from knuckleboom.interface.contact import FEATURE, FEATURES
from knuckleboom.machine.loose import loose_bodies
from knuckleboom.plan import Planned

Array = NDArray[np.float64]
Flat = tuple[float, float]

LEAST = 0.01
"""Part of the weight: with less on its feet it is in the air."""
NEAR = 0.05
"""m: features that start so little above the lowest are corners of what it stands on."""
NARROW = 1e-6
"""m²: twice the area of an outline on which nothing stands."""


@dataclass(frozen=True)
class Foot:
    """What carries: the column of its load, columns of its centre of pressure or none where that is its one corner,
    the pose of its body and its corners there.
    """

    load: int
    point: tuple[int, ...]
    pose: Pose
    corners: tuple[Vector, ...]


@dataclass(frozen=True)
class Stability:
    """All that a machine stands on, and its own weight, N."""

    feet: tuple[Foot, ...]
    weight: float

    def __call__(self, line: Array) -> float:
        """Return the margin at one line of the record."""
        values = line.tolist()
        corners = [located(values, foot.pose, at)[:2] for foot in self.feet for at in foot.corners]
        total, x, y = 0.0, 0.0, 0.0
        for foot in self.feet:
            load = values[foot.load]
            p = tuple(values[column] for column in foot.point) or located(values, foot.pose, foot.corners[0])
            total, x, y = total + load, x + load * p[0], y + load * p[1]
        if total < LEAST * self.weight:
            return 0.0
        return margin((x / total, y / total), corners)


def find_stability(planned: Planned, line: Array) -> Stability | None:
    """What a machine stands on that is free of the ground; `line` is that of its start."""
    topology = planned.topology
    if not topology.free_joint:
        return None
    values, tires = line.tolist(), list(_tires(planned))
    contacts = list(_contacts(planned, values))
    if any(values[foot.load] > 0.0 for foot in tires):
        feet = tires + [foot for foot in contacts if values[foot.load] > 0.0]
    else:
        carrier = pose_columns(planned.names, topology.crossings[topology.free_joint].far)
        up = turned(values, carrier, (0.0, 0.0, 1.0))
        heights = [min(dot(up, located(values, foot.pose, at)) for at in foot.corners) for foot in contacts]
        feet = [foot for foot, height in zip(contacts, heights, strict=True) if height < min(heights) + NEAR]
    corners = {located(values, foot.pose, at)[:2] for foot in feet for at in foot.corners}
    if twice_area(outline(corners)) < NARROW:
        return None
    loose = sum(planned.topology.bodies[body].inertia.mass for body in loose_bodies(planned.machine))
    mass = machine_mass(planned).total - loose
    return Stability(tuple(feet), mass * float(np.linalg.norm(planned.machine.gravity)))


def _tires(planned: Planned) -> Iterator[Foot]:
    for tread in planned.layout.network.treads:
        body, at, _ = planned.machine.locate(tread.at)
        column = planned.names[f"{tread.part}.normal_force"].columns[0]
        yield Foot(column, (), pose_columns(planned.names, body), (at,))


def _contacts(planned: Planned, line: list[float]) -> Iterator[Foot]:
    """Contacts with the ground on the machine itself, with the features that are lowest at the start."""
    index, place, names = planned.plan.touch.index, planned.plan.touch.place, planned.names
    loose = loose_bodies(planned.machine)
    for number, touch in enumerate(planned.layout.network.touches):
        body = planned.machine.locate(touch.at).body
        if body in loose:
            continue
        frame, pose = planned.topology.bodies[body], pose_columns(names, body)
        rows = place[index[number, FEATURE] : index[number, FEATURE] + index[number, FEATURES]]
        features = (rows[:, CENTRE : CENTRE + 3] - frame.p) @ frame.R
        places: list[Vector] = [(x, y, z) for x, y, z in features.tolist()]
        heights = [located(line, pose, at)[2] - radius for at, radius in zip(places, rows[:, RADIUS], strict=True)]
        lowest = tuple(at for at, height in zip(places, heights, strict=True) if height < min(heights) + NEAR)
        load, point = names[f"{touch.path}.normal_force"].columns[0], names[f"{touch.path}.point"].columns
        yield Foot(load, tuple(point), pose, lowest)


# --- outlines seen from above ---


def margin(at: Flat, corners: Sequence[Flat]) -> float:
    """Least distance of a place from an edge of the outline around corners, over that of their centre."""
    around = outline(set(corners))
    if twice_area(around) < NARROW:
        return 0.0
    centre = sum(x for x, _ in around) / len(around), sum(y for _, y in around) / len(around)
    edges = zip(around, around[1:] + around[:1], strict=True)
    return max(min(_turn(a, b, at) / _turn(a, b, centre) for a, b in edges), 0.0)


def outline(corners: set[Flat]) -> list[Flat]:
    """Corners of the convex outline around places, counterclockwise [Andrew 1979]."""
    order = sorted(corners)
    if len(order) < 3:
        return order
    halves: list[list[Flat]] = []
    for way in (order, order[::-1]):
        half: list[Flat] = []
        for place in way:
            while len(half) > 1 and _turn(half[-2], half[-1], place) <= 0.0:
                half.pop()
            half.append(place)
        halves.append(half[:-1])
    return halves[0] + halves[1]


def twice_area(around: Sequence[Flat]) -> float:
    """Twice the area inside an outline, m²."""
    return sum(_turn(around[0], a, b) for a, b in itertools.pairwise(around[1:]))


def _turn(a: Flat, b: Flat, c: Flat) -> float:
    """(b − a) × (c − a): how far c is to the left of a line, times its length."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
