# SPDX-License-Identifier: BSD-3-Clause
"""Random pairs of boxes, and how far they are apart by coal, with GJK and EPA: against boxes by separating axes.

coal comes with `pin`. Its depths are good to 2e-10 m whatever its tolerances are.
"""

from __future__ import annotations

from typing import Any

import coal
import numpy as np

from knuckleboom.bench.peers.tree import Array

EXACT = 2e-10  # m
PARALLEL_EVERY = 10
"""Pairs from one with parallel axes to the next."""


class BoxPairs:
    """Pairs of boxes with sides of 0.1 to 1 m, from far apart to one in the other, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.request = coal.DistanceRequest()
        self.request.gjk_tolerance = self.request.epa_tolerance = 1e-12
        self.request.gjk_max_iterations = self.request.epa_max_iterations = 1000

    def draw(self, number: int) -> tuple[Array, tuple[Array, Array], Array]:
        """Half sides and axes of both, and where the second is; the first is at the origin."""
        half = self.random.uniform(0.05, 0.5, (2, 3))
        R, Q = rotation(self.random), rotation(self.random)
        if number % PARALLEL_EVERY == 0:
            Q = R @ np.eye(3)[self.random.permutation(3)]
            Q *= np.linalg.det(Q) * np.linalg.det(R)
        direction = self.random.normal(size=3)
        return half, (R, Q), self.random.uniform(0.0, 1.1) * direction / np.linalg.norm(direction)

    def distance(self, half: Array, axes: tuple[Array, Array], centre: Array) -> float:
        """Signed distance of such a pair by coal, m."""
        one, other = (coal.Box(*(2.0 * sides)) for sides in half)
        at, there = coal.Transform3s(axes[0], np.zeros(3)), coal.Transform3s(axes[1], centre)
        return float(coal.distance(one, at, other, there, self.request, coal.DistanceResult()))


def rotation(random: Any) -> Array:
    """A random rotation, all equally likely."""
    w, x, y, z = (quaternion := random.normal(size=4)) / np.linalg.norm(quaternion)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
