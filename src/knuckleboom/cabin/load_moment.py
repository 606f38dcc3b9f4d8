# SPDX-License-Identifier: BSD-3-Clause
"""Load moment: what pulls the boom down about its hinge, from the weights and applied forces beyond it.

    M = ± e · Σ (c_i − p) × F_i      F_i = m_i·g of every body and point mass beyond the hinge, and applied forces

e is the hinge's axis and p its place, in the world; the sign is such that M > 0 at the start. It is the static moment:
what a load-moment limiter estimates, without the inertia of what moves. At rest the lift cylinders hold just this, but
for their own weight. The hinge and all forces of a machine are found in boom.py. Tested in tests/cabin/test_boom.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Columns = NDArray[np.intp]
NEXT, LAST = np.array([1, 2, 0]), np.array([2, 0, 1])
STILL = np.array([[1.0], [0.0], [0.0], [0.0]])
NONE = -1
"""In place of a column: the pose of the ground, or a force that is constant."""


@dataclass(frozen=True)
class LoadMoment:
    """The hinge and all pulls as arrays, vectors in columns; poses are 7 rows of columns of the record."""

    hinge: str
    axis: Array
    place: Array
    pose: Columns
    at: Array
    direction: Array
    size: Array
    poses: Columns
    read: Columns  # which pulls are read from a column, that column, and whether their directions turn
    column: Columns
    turns: NDArray[np.bool_]
    sign: float = 1.0
    most: float = 0.0
    """N·m: what the cylinders can hold at the start, 0 when nothing limits their force."""

    def __call__(self, line: Array) -> float:
        """Return M in N·m at one line of the record."""
        size, direction = self.size, self.direction
        if len(self.read):
            size, direction = size.copy(), direction.copy()
            size[self.read] = line.take(self.column)
            direction[:, self.read] = np.where(
                self.turns, turned(line, self.poses[:, self.read], direction[:, self.read]), direction[:, self.read]
            )
        return self.about(line, located(line, self.poses, self.at), size * direction)

    def about(self, line: Array, at: Array, forces: Array) -> float:
        """Return the moment about the hinge of forces at places in the world, N·m."""
        axis = turned(line, self.pose, self.axis)[:, 0]
        hinge = located(line, self.pose, self.place)
        return self.sign * float(axis @ cross(at - hinge, forces).sum(axis=1))


def located(line: Array, poses: Columns, at: Array) -> Array:
    """Places on bodies, one for each pose, in the world."""
    origins = line.take(poses[:3])
    origins[:, poses[0] == NONE] = 0.0
    moved: Array = origins + turned(line, poses, at)
    return moved


def turned(line: Array, poses: Columns, vectors: Array) -> Array:
    """Vectors on bodies, one for each pose, in the axes of the world."""
    q = line.take(poses[3:])
    q[:, poses[0] == NONE] = STILL
    v = q[1:]
    twice = 2.0 * cross(v, vectors)
    moved: Array = vectors + q[0] * twice + cross(v, twice)
    return moved


def cross(a: Array, b: Array) -> Array:
    """Cross products of columns; NumPy's own takes ten times as long for a few."""
    product: Array = a.take(NEXT, 0) * b.take(LAST, 0) - a.take(LAST, 0) * b.take(NEXT, 0)
    return product
