# SPDX-License-Identifier: BSD-3-Clause
"""A point of b along a direction f, which is fixed in link c (0: in the world). No value; W = (p_b×f; f).

Applied forces. Index: none (the ground), link b, link c.
"""

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import FORCE, PATH, RowKind
from knuckleboom.mechanics.rows.geometry import (
    AXIS_F,
    GROUND,
    POINT_B,
    ROW_B,
    ROW_C,
    cross,
    direction,
    moved_force,
    point,
    point_velocity,
    rate_and_bias,
    write_wrench,
)

ROW = RowKind(FORCE, PATH, columns=("p_b", "f"), value=False)


@kernel
def position(r, index, number, R, p, s, W):
    """W; there is no s. Writes s, W."""
    bx, by, bz = point(R, p, np.uintp(index[r, ROW_B]), number, r, POINT_B)
    fx, fy, fz = direction(R, np.uintp(index[r, ROW_C]), number, r, AXIS_F)
    s[r] = 0.0
    write_wrench(r, bx, by, bz, fx, fy, fz, W)


@kernel
def velocity(r, index, number, R, p, V, A, W, w, bias):
    """w and the bias. Writes w, bias."""
    b, c = np.uintp(index[r, ROW_B]), np.uintp(index[r, ROW_C])
    px, py, pz = point(R, p, b, number, r, POINT_B)
    ux, uy, uz = point_velocity(V, b, px, py, pz)
    fx, fy, fz = W[r, 3], W[r, 4], W[r, 5]
    gx, gy, gz = cross(V[c, 0], V[c, 1], V[c, 2], fx, fy, fz)
    w[r], bias[r] = rate_and_bias(W, V, A, r, GROUND, b, fx, fy, fz, gx, gy, gz, px, py, pz, ux, uy, uz)


@kernel
def moved(r, j, side, index, number, R, p, S, W):
    """∂_jW: f turns with c."""
    return moved_force(r, j, side, index[r, ROW_C] != 0, index, number, R, p, S, W)
