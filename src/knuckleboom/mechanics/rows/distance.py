# SPDX-License-Identifier: BSD-3-Clause
"""Two points keep their distance: s = (|d|² − L²)/2L, d = p_b − p_a; W = (p_b×d; d)/L.

Rods, and driven distances, for which L is the length at the start. Index: link a, link b. Column `length`: L [m], NaN
until the start pose gives it.
"""

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import HELD, PATH, Form, RowKind, Terms
from knuckleboom.mechanics.rows.geometry import (
    LENGTH,
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

ROW = RowKind(HELD, PATH, columns=("p_a", "p_b", "length"), rod=True)


@kernel
def position(r, index, number, R, p, s, W):
    """s and W. Writes s, W."""
    ax, ay, az = point(R, p, np.uintp(index[r, ROW_A]), number, r, POINT_A)
    bx, by, bz = point(R, p, np.uintp(index[r, ROW_B]), number, r, POINT_B)
    length = number[r, LENGTH]
    dx, dy, dz = (bx - ax) / length, (by - ay) / length, (bz - az) / length
    s[r] = 0.5 * length * (dx * dx + dy * dy + dz * dz - 1.0)
    write_wrench(r, bx, by, bz, dx, dy, dz, W)


@kernel
def velocity(r, index, number, R, p, V, A, W, w, bias):
    """w and the bias. Writes w, bias."""
    a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
    ax, ay, az = point(R, p, a, number, r, POINT_A)
    bx, by, bz = point(R, p, b, number, r, POINT_B)
    sx, sy, sz = point_velocity(V, a, ax, ay, az)
    ux, uy, uz = point_velocity(V, b, bx, by, bz)
    length = number[r, LENGTH]
    gx, gy, gz = (ux - sx) / length, (uy - sy) / length, (uz - sz) / length
    w[r], bias[r] = rate_and_bias(W, V, A, r, a, b, W[r, 3], W[r, 4], W[r, 5], gx, gy, gz, bx, by, bz, ux, uy, uz)


@kernel
def moved(r, j, side, index, number, R, p, S, W):
    """∂_jW: the force part of W is d/L."""
    return moved_line(r, j, side, 1.0 / number[r, LENGTH], False, index, number, R, p, S, W)


def products(form: Form, a: int, b: int, given: Terms) -> None:
    """In natural coordinates: d·d/2L."""
    apart = form.between(form.point(a, given["p_a"]), form.point(b, given["p_b"]))
    form.add(apart, apart, 0.5 / float(given["length"]))
