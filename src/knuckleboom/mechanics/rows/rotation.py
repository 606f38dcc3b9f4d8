# SPDX-License-Identifier: BSD-3-Clause
"""A body b about a direction f, which is fixed in link c (0: in the world), relative to a. No value; W = (f; 0).

Applied torques, and components of ω of cut joints. Index: link a, link b, link c.
"""

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import FORCE, PATH, RowKind
from knuckleboom.mechanics.rows.geometry import AXIS_F, ROW_C, direction, turn_moved, turn_velocity, write_moment

ROW = RowKind(FORCE, PATH, columns=("f",), unit="rad", value=False, turning=True)
velocity, moved = turn_velocity, turn_moved


@kernel
def position(r, index, number, R, s, W):
    """W; there is no s. Writes s, W."""
    fx, fy, fz = direction(R, np.uintp(index[r, ROW_C]), number, r, AXIS_F)
    s[r] = 0.0
    write_moment(r, fx, fy, fz, W)
