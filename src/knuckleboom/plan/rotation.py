# SPDX-License-Identifier: BSD-3-Clause
"""Rotations at planning time: quaternions from vectors, frames from axes. Not for kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def quaternion(vector: Sequence[float]) -> Matrix:
    """Unit quaternion (w, x, y, z) of a rotation vector."""
    angle = math.hypot(*vector)
    scale = math.sin(0.5 * angle) / angle if angle > 0.0 else 0.5
    return np.array([math.cos(0.5 * angle), *(scale * c for c in vector)])


def exponential(vector: Sequence[float]) -> Matrix:
    """Rotation matrix of a rotation vector."""
    w, x, y, z = quaternion(vector)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + 2.0 * (w * cross + cross @ cross))


def rotation_vector(R: Matrix) -> Matrix:
    """Axis times angle of a rotation matrix, the angle from 0 to π."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(R).as_rotvec())


def frame_of_axis(axis: tuple[float, float, float], second: tuple[float, float, float] | None = None) -> Matrix:
    """Axes with z along `axis`, x along `second` or the next coordinate axis (z→x, x→y, y→z) made perpendicular."""
    z = np.asarray(axis, float)
    if second is None:
        largest = int(np.argmax(np.abs(z)))
        second = tuple(np.eye(3)[(largest + 1) % 3])
    x = np.asarray(second, float) - np.dot(second, z) * z
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


# frames whose z lies along x, y or z of the joint frame, and one with z reversed
ALONG: dict[str, Matrix] = {
    "x": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    "y": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "z": np.eye(3),
}
FLIP: Matrix = np.diag([1.0, -1.0, -1.0])
