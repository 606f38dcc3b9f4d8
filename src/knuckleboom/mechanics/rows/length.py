# SPDX-License-Identifier: BSD-3-Clause
"""The distance of two points: s = |d|, d = p_b − p_a; W = (p_b×d; d)/|d|.

Cylinders, springs, dampers. Index: link a, link b.
"""

import math

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import FORCE, PATH, RowKind
from knuckleboom.mechanics.rows.geometry import (
    POINT_A,
    POINT_B,
    ROW_A,
    ROW_B,
    moved_line,
    point,
    point_velocity,
    rate_and_bias,
    write_wrench,
)

ROW = RowKind(FORCE, PATH, columns=("p_a", "p_b"), never_zero=True)


@kernel
def position(r, index, number, R, p, s, W):
    """s and W. Writes s, W."""
    ax, ay, az = point(R, p, np.uintp(index[r, ROW_A]), number, r, POINT_A)
    bx, by, bz = point(R, p, np.uintp(index[r, ROW_B]), number, r, POINT_B)
    dx, dy, dz = bx - ax, by - ay, bz - az
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    s[r] = length
    write_wrench(r, bx, by, bz, dx / length, dy / length, dz / length, W)


@kernel
def velocity(r, index, number, R, p, V, A, s, W, w, bias):
    """w and the bias. Writes w, bias."""
    a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
    ax, ay, az = point(R, p, a, number, r, POINT_A)
    bx, by, bz = point(R, p, b, number, r, POINT_B)
    sx, sy, sz = point_velocity(V, a, ax, ay, az)
    ux, uy, uz = point_velocity(V, b, bx, by, bz)
    fx, fy, fz = W[r, 3], W[r, 4], W[r, 5]
    length = s[r]
    dx, dy, dz = ux - sx, uy - sy, uz - sz
    along = fx * dx + fy * dy + fz * dz
    gx, gy, gz = (dx - along * fx) / length, (dy - along * fy) / length, (dz - along * fz) / length
    w[r], bias[r] = rate_and_bias(W, V, A, r, a, b, fx, fy, fz, gx, gy, gz, bx, by, bz, ux, uy, uz)


@kernel
def moved(r, j, side, index, number, R, p, S, s, W):
    """∂_jW: the force part of W is d/|d|."""
    return moved_line(r, j, side, 1.0 / s[r], True, index, number, R, p, S, W)
