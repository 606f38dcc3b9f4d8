# SPDX-License-Identifier: BSD-3-Clause
"""Load moment: what pulls the boom down about its hinge, from the weights, applied forces and ropes beyond it.

    M = ± e · Σ (c_i − p) × F_i      F_i = m_i·g of bodies, point masses and payloads beyond it, applied forces, ropes

e is the hinge's axis and p its place, in the world; the sign is such that M > 0 at the start. It is the static moment:
what a load-moment limiter estimates, without the inertia of what moves but for loads on ropes. At rest the lift
cylinders hold just this, but for their own weight. The hinge and all forces of a machine are found in boom.py. It is
computed 60 times a second, in plain numbers: for ten bodies that is five times as fast as with arrays. Tested in
tests/cabin/test_boom.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
Pose = tuple[int, ...]
"""Columns of x y z qw qx qy qz of a body; none for the ground."""
CONSTANT = -1
"""In place of a column: a force that does not change."""


@dataclass(frozen=True)
class Pull:
    """A force at a place on a body: constant, or `size` times a column; its direction may turn with the body."""

    pose: Pose
    at: Vector
    direction: Vector
    size: float
    column: int = CONSTANT
    turns: bool = False


@dataclass(frozen=True)
class Line:
    """A rope from a place on a body to one on another, towards which it pulls by minus the force in a column."""

    pose: Pose
    at: Vector
    other: Pose
    end: Vector
    column: int


@dataclass(frozen=True)
class LoadMoment:
    """The hinge, with place and axis on the body that carries it, and all pulls and ropes."""

    hinge: str
    pose: Pose
    place: Vector
    axis: Vector
    pulls: tuple[Pull, ...]
    sign: float = 1.0
    most: float = 0.0
    """N·m: what the cylinders can hold at the start, 0 when nothing limits their force."""
    ropes: tuple[Line, ...] = ()

    def __call__(self, line: Array) -> float:
        """Return M in N·m at one line of the record."""
        values = line.tolist()
        hinge, total = located(values, self.pose, self.place), (0.0, 0.0, 0.0)
        for pull in self.pulls:
            size = pull.size if pull.column == CONSTANT else pull.size * values[pull.column]
            if size != 0.0:
                u = turned(values, pull.pose, pull.direction) if pull.turns else pull.direction
                m = cross(less(located(values, pull.pose, pull.at), hinge), u)
                total = (total[0] + size * m[0], total[1] + size * m[1], total[2] + size * m[2])
        for rope in self.ropes:
            if values[rope.column] != 0.0:
                at = located(values, rope.pose, rope.at)
                along = less(located(values, rope.other, rope.end), at)
                size, m = -values[rope.column] / math.hypot(*along), cross(less(at, hinge), along)
                total = (total[0] + size * m[0], total[1] + size * m[1], total[2] + size * m[2])
        return self.sign * dot(turned(values, self.pose, self.axis), total)

    def arm(self, line: Array, at: Vector, direction: Vector) -> float:
        """Return the moment about the hinge of a unit force at a place in the world, m."""
        values = line.tolist()
        moment = cross(less(at, located(values, self.pose, self.place)), direction)
        return self.sign * dot(turned(values, self.pose, self.axis), moment)


def located(values: Sequence[float], pose: Pose, at: Vector) -> Vector:
    """A place on a body in the world."""
    if not pose:
        return at
    x, y, z = turned(values, pose, at)
    return values[pose[0]] + x, values[pose[1]] + y, values[pose[2]] + z


def turned(values: Sequence[float], pose: Pose, v: Vector) -> Vector:
    """A vector on a body in the axes of the world: v + 2w·(q × v) + 2q × (q × v)."""
    if not pose:
        return v
    w, q = values[pose[3]], (values[pose[4]], values[pose[5]], values[pose[6]])
    t = cross(q, v)
    s = cross(q, t)
    return v[0] + 2.0 * (w * t[0] + s[0]), v[1] + 2.0 * (w * t[1] + s[1]), v[2] + 2.0 * (w * t[2] + s[2])


def less(a: Vector, b: Vector) -> Vector:
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Vector, b: Vector) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
