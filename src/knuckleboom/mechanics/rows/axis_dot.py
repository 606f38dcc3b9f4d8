# SPDX-License-Identifier: BSD-3-Clause
"""Two axes stay perpendicular: s = f·m, f fixed in a, m in b; W = (m×f; 0).

Loops: what a cut joint holds. Index: link a, link b.
"""

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import HELD, PATH, Form, RowKind, Terms
from knuckleboom.mechanics.rows.geometry import (
    AXIS_F,
    AXIS_M,
    ROW_A,
    ROW_B,
    cross,
    direction,
    rate_and_bias,
    write_moment,
)

ROW = RowKind(HELD, PATH, columns=("f", "m"), unit="rad", turning=True)


@kernel
def position(r, index, number, R, s, W):
    """s and W. Writes s, W."""
    fx, fy, fz = direction(R, np.uintp(index[r, ROW_A]), number, r, AXIS_F)
    mx, my, mz = direction(R, np.uintp(index[r, ROW_B]), number, r, AXIS_M)
    s[r] = fx * mx + fy * my + fz * mz
    nx, ny, nz = cross(mx, my, mz, fx, fy, fz)
    write_moment(r, nx, ny, nz, W)


@kernel
def velocity(r, index, number, R, V, A, W, w, bias):
    """w and the bias. Writes w, bias."""
    a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
    fx, fy, fz = direction(R, a, number, r, AXIS_F)
    mx, my, mz = direction(R, b, number, r, AXIS_M)
    gx, gy, gz = cross(V[a, 0], V[a, 1], V[a, 2], fx, fy, fz)
    ux, uy, uz = cross(V[b, 0], V[b, 1], V[b, 2], mx, my, mz)
    rate, turning = rate_and_bias(W, V, A, r, a, b, fx, fy, fz, gx, gy, gz, mx, my, mz, ux, uy, uz)
    # the wrench (m×f; 0) has no force: take back what ḟ did to the force part
    w[r] = rate
    bias[r] = turning - gx * (V[b, 3] - V[a, 3]) - gy * (V[b, 4] - V[a, 4]) - gz * (V[b, 5] - V[a, 5])


@kernel
def moved(r, j, side, index, number, R, S):
    """∂_jW: j turns m on the side of b, f on that of a."""
    fx, fy, fz = direction(R, np.uintp(index[r, ROW_A]), number, r, AXIS_F)
    mx, my, mz = direction(R, np.uintp(index[r, ROW_B]), number, r, AXIS_M)
    if side > 0.0:
        mx, my, mz = cross(S[j, 0], S[j, 1], S[j, 2], mx, my, mz)
    else:
        fx, fy, fz = cross(S[j, 0], S[j, 1], S[j, 2], fx, fy, fz)
    x, y, z = cross(mx, my, mz, fx, fy, fz)
    return x, y, z, 0.0, 0.0, 0.0


def products(form: Form, a: int, b: int, given: Terms) -> None:
    """In natural coordinates: f·m."""
    form.add(form.direction(a, given["f"]), form.direction(b, given["m"]))
