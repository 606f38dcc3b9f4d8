# SPDX-License-Identifier: BSD-3-Clause
"""Poses of frames in frames while a robot is read: v_A = R·v_B + p. Quaternions are (w, x, y, z)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.machine.placement import angles, rotation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """Frame B in frame A."""

    R: Array
    p: Array

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.R @ other.R, self.R @ other.p + self.p)

    def inverse(self) -> Pose:
        """Return frame A in frame B."""
        return Pose(self.R.T, -self.R.T @ self.p)

    @property
    def rpy(self) -> tuple[float, float, float]:
        """Roll, pitch and yaw of the axes."""
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = self.R.tolist()
        return angles(((xx, xy, xz), (yx, yy, yz), (zx, zy, zz)))

    def settings(self) -> dict[str, Any]:
        """Return it as the settings `at` and `rpy` of a place, without those that say nothing."""
        given = {"at": self.p.tolist(), "rpy": self.rpy}
        # + 0.0: nobody writes -0.0
        return {key: tuple(value + 0.0 for value in values) for key, values in given.items() if any(values)}


IDENTITY = Pose(np.eye(3), np.zeros(3))


def moved(p: Any) -> Pose:
    """Return a frame that is only moved."""
    return Pose(np.eye(3), np.asarray(p, float))


def from_rpy(p: Any, rpy: Any) -> Pose:
    """Return a frame at p, its axes turned by roll, pitch, yaw."""
    return Pose(np.array(rotation(rpy)), np.asarray(p, float))


def from_quaternion(p: Any, quaternion: Any) -> Pose:
    """Return a frame at p, its axes turned by a quaternion of any length but zero."""
    w, x, y, z = np.asarray(quaternion, float) / np.linalg.norm(quaternion)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return Pose(np.eye(3) + 2.0 * w * K + 2.0 * (K @ K), np.asarray(p, float))


def turned(axis: Array, angle: float) -> Pose:
    """Return a frame that is turned about a unit axis through the origin."""
    half = 0.5 * angle
    return from_quaternion(np.zeros(3), (math.cos(half), *(math.sin(half) * axis)))


def rotation_vector(quaternion: Any) -> tuple[float, float, float]:
    """Return axis times angle of a quaternion; the angle is at most π."""
    w, x, y, z = (float(value) for value in quaternion)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    size = math.hypot(x, y, z)
    scale = 2.0 * math.atan2(size, w) / size if size > 0.0 else 0.0
    return scale * x, scale * y, scale * z
