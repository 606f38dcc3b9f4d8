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
    direction,
    moved_force,
    point,
    velocity_along,
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
    velocity_along(r, GROUND, np.uintp(index[r, ROW_C]), index, number, R, p, V, A, W, w, bias)


@kernel
def moved(r, j, side, index, number, R, p, S, W):
    """∂_jW: f turns with c."""
    return moved_force(r, j, side, index[r, ROW_C] != 0, index, number, R, p, S, W)
