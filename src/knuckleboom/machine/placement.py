# SPDX-License-Identifier: BSD-3-Clause
"""Placement: positions and orientations composed, for places on bodies and for groups.

    R = Rz(yaw)·Ry(pitch)·Rx(roll),   rpy = (roll, pitch, yaw)

A frame F placed in B has p_BF and R_BF; what is at p_F in F is at p_BF + R_BF·p_F in B. Plain floats, no arrays: this
runs only while a machine is described.
"""

import math
from typing import NamedTuple

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]


class Located(NamedTuple):
    """A place resolved: the body's name, the origin in its axes (m) and roll, pitch, yaw (rad)."""

    body: str
    at: Vector
    rpy: Vector


def rotation(rpy: Vector) -> Matrix:
    """Return R = Rz(yaw)·Ry(pitch)·Rx(roll) as rows."""
    (cr, cp, cy), (sr, sp, sy) = (tuple(map(math.cos, rpy)), tuple(map(math.sin, rpy)))
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def angles(matrix: Matrix) -> Vector:
    """Return roll, pitch, yaw of a rotation; at pitch ±90° roll is taken as 0.

    Near ±90° roll and yaw are each uncertain, not together: yaw is taken from what is left when roll is undone.
    """
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = matrix
    level = math.hypot(zy, zz)
    roll = math.atan2(zy, zz) if level > 1e-12 else 0.0  # 1e-12: below, both turn about the same axis to rounding
    c, s = math.cos(roll), math.sin(roll)
    return roll, math.atan2(-zx, level), math.atan2(s * xz - c * xy, c * yy - s * yz)


def turned(matrix: Matrix, vector: Vector) -> Vector:
    """Return R·v."""
    x, y, z = (sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def composed(outer: Located, at: Vector, rpy: Vector) -> Located:
    """Return what is placed at `at`, `rpy` inside `outer`, as a place on outer's body."""
    if not any(outer.at) and not any(outer.rpy):
        return Located(outer.body, at, rpy)
    frame = rotation(outer.rpy)
    moved = turned(frame, at)
    origin = (outer.at[0] + moved[0], outer.at[1] + moved[1], outer.at[2] + moved[2])
    if not any(rpy):
        return Located(outer.body, origin, outer.rpy)
    columns = list(zip(*rotation(rpy), strict=True))
    rows = [turned(frame, column) for column in columns]
    product = tuple(zip(*rows, strict=True))
    return Located(outer.body, origin, angles((product[0], product[1], product[2])))
