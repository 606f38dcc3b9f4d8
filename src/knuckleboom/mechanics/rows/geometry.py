# SPDX-License-Identifier: BSD-3-Clause
"""What kinds of rows share: columns, points, directions, wrenches and rates; rows along a direction, about it, and
between two points.

Positions are relative to the common point O, in world axes.
"""

import math

import numpy as np

from knuckleboom.kernels import kernel

ROW_KIND, ROW_A, ROW_B, ROW_C, ROW_D = 0, 1, 2, 3, 4
"""Columns of plan_rows.index: the kind, then what the kind declares, mostly link a, link b and two more."""
POINT_A, POINT_B, AXIS_F, AXIS_M = 0, 3, 6, 9
"""First columns of plan_rows.number; angles have directions e_a and e_b in place of the points."""
LENGTH, RATIO, OFFSET = 6, 0, 1
"""Columns of plan_rows.number of kinds that have no direction f, or no points."""
PLACES = {
    "p_a": POINT_A, "p_b": POINT_B, "e_a": POINT_A, "e_b": POINT_B, "f": AXIS_F, "m": AXIS_M, "length": LENGTH,
    "ratio": RATIO, "offset": OFFSET,
}  # fmt: skip
"""The columns that kinds declare, by name."""
SCALARS = ("length", "ratio", "offset")
"""Columns of one number; points and directions have three."""
COLUMNS = 12
TERM_ROW, TERM_VELOCITY = 0, 1
"""Columns of plan_rows.term: a row that another is made of; its velocity where it is a coordinate, else −1."""
GROUND = np.uintp(0)  # link 0
TURN = 2.0 * math.pi


@kernel
def point(R, p, link, number, row, first):
    """Position relative to O of a point whose coordinates in `link` stand in number[row, first:first+3]."""
    x, y, z = number[row, first], number[row, first + 1], number[row, first + 2]
    return (
        p[link, 0] + R[link, 0] * x + R[link, 1] * y + R[link, 2] * z,
        p[link, 1] + R[link, 3] * x + R[link, 4] * y + R[link, 5] * z,
        p[link, 2] + R[link, 6] * x + R[link, 7] * y + R[link, 8] * z,
    )


@kernel
def direction(R, link, number, row, first):
    """World components of a vector whose components in `link` stand in number[row, first:first+3]."""
    x, y, z = number[row, first], number[row, first + 1], number[row, first + 2]
    return (
        R[link, 0] * x + R[link, 1] * y + R[link, 2] * z,
        R[link, 3] * x + R[link, 4] * y + R[link, 5] * z,
        R[link, 6] * x + R[link, 7] * y + R[link, 8] * z,
    )


@kernel
def cross(ax, ay, az, bx, by, bz):
    """a × b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel
def unit_vector(k):
    """Unit vector k of three, zero for another k."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@kernel
def point_velocity(V, link, px, py, pz):
    """Velocity of the point of `link` that is at p (relative to O)."""
    x, y, z = cross(V[link, 0], V[link, 1], V[link, 2], px, py, pz)
    return V[link, 3] + x, V[link, 4] + y, V[link, 5] + z


@kernel
def write_wrench(row, px, py, pz, fx, fy, fz, W):
    """The wrench of a force f through p. Writes W[row]."""
    nx, ny, nz = cross(px, py, pz, fx, fy, fz)
    W[row, 0] = nx
    W[row, 1] = ny
    W[row, 2] = nz
    W[row, 3] = fx
    W[row, 4] = fy
    W[row, 5] = fz


@kernel
def write_moment(row, nx, ny, nz, W):
    """The wrench of a moment. Writes W[row]."""
    W[row, 0], W[row, 1], W[row, 2] = nx, ny, nz
    W[row, 3], W[row, 4], W[row, 5] = 0.0, 0.0, 0.0


@kernel
def rate_and_bias(W, V, A, r, a, b, fx, fy, fz, gx, gy, gz, px, py, pz, ux, uy, uz):
    """w and Ȧv of a row whose wrench is the force f through p, with ḟ = g and ṗ = u."""
    w0, w1, w2 = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1], V[b, 2] - V[a, 2]
    v0, v1, v2 = V[b, 3] - V[a, 3], V[b, 4] - V[a, 4], V[b, 5] - V[a, 5]
    rate = W[r, 0] * w0 + W[r, 1] * w1 + W[r, 2] * w2 + W[r, 3] * v0 + W[r, 4] * v1 + W[r, 5] * v2
    bias = (
        W[r, 0] * (A[b, 0] - A[a, 0])
        + W[r, 1] * (A[b, 1] - A[a, 1])
        + W[r, 2] * (A[b, 2] - A[a, 2])
        + W[r, 3] * (A[b, 3] - A[a, 3])
        + W[r, 4] * (A[b, 4] - A[a, 4])
        + W[r, 5] * (A[b, 5] - A[a, 5])
    )
    # Ẇ = (ṗ×f + p×ḟ; ḟ)
    m0, m1, m2 = cross(ux, uy, uz, fx, fy, fz)
    n0, n1, n2 = cross(px, py, pz, gx, gy, gz)
    bias += (m0 + n0) * w0 + (m1 + n1) * w1 + (m2 + n2) * w2 + gx * v0 + gy * v1 + gz * v2
    return rate, bias


# --- along a direction f that is fixed in a link ----------------------------------------------------------------------


@kernel
def slide_position(r, index, number, R, p, s, W):
    """s = f·(p_b − p_a) and W of a row along f of a. Writes s, W."""
    a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
    ax, ay, az = point(R, p, a, number, r, POINT_A)
    bx, by, bz = point(R, p, b, number, r, POINT_B)
    fx, fy, fz = direction(R, a, number, r, AXIS_F)
    s[r] = fx * (bx - ax) + fy * (by - ay) + fz * (bz - az)
    write_wrench(r, bx, by, bz, fx, fy, fz, W)


@kernel
def velocity_along(r, a, c, index, number, R, p, V, A, W, w, bias):
    """w and the bias of a row along f of link c, from link a. Writes w, bias."""
    b = np.uintp(index[r, ROW_B])
    px, py, pz = point(R, p, b, number, r, POINT_B)
    ux, uy, uz = point_velocity(V, b, px, py, pz)
    fx, fy, fz = W[r, 3], W[r, 4], W[r, 5]
    gx, gy, gz = cross(V[c, 0], V[c, 1], V[c, 2], fx, fy, fz)
    w[r], bias[r] = rate_and_bias(W, V, A, r, a, b, fx, fy, fz, gx, gy, gz, px, py, pz, ux, uy, uz)


@kernel
def slide_velocity(r, index, number, R, p, V, A, W, w, bias):
    """w and the bias of a row along f of a. Writes w, bias."""
    a = np.uintp(index[r, ROW_A])
    velocity_along(r, a, a, index, number, R, p, V, A, W, w, bias)


@kernel
def moved_force(r, j, side, turned, index, number, R, p, S, W):
    """∂_jW of a row along f through p_b; `turned` where velocity j turns f."""
    b = np.uintp(index[r, ROW_B])
    px, py, pz = point(R, p, b, number, r, POINT_B)
    fx, fy, fz = W[r, 3], W[r, 4], W[r, 5]
    gx, gy, gz = 0.0, 0.0, 0.0
    if turned:
        gx, gy, gz = cross(S[j, 0], S[j, 1], S[j, 2], fx, fy, fz)
    x, y, z = cross(px, py, pz, gx, gy, gz)
    if side > 0.0:
        ux, uy, uz = point_velocity(S, j, px, py, pz)
        mx, my, mz = cross(ux, uy, uz, fx, fy, fz)
        x, y, z = x + mx, y + my, z + mz
    return x, y, z, gx, gy, gz


@kernel
def slide_moved(r, j, side, index, number, R, p, S, W):
    """∂_jW of a row along f of a."""
    return moved_force(r, j, side, side < 0.0, index, number, R, p, S, W)


# --- about a direction f that is fixed in link c ----------------------------------------------------------------------


@kernel
def turn_position(r, index, number, R, angle, s, W):
    """s and W of an angle about f: the nearest to where it was last. Writes angle, s, W."""
    ax, ay, az = direction(R, np.uintp(index[r, ROW_A]), number, r, POINT_A)
    bx, by, bz = direction(R, np.uintp(index[r, ROW_B]), number, r, POINT_B)
    fx, fy, fz = direction(R, np.uintp(index[r, ROW_C]), number, r, AXIS_F)
    cx, cy, cz = cross(ax, ay, az, bx, by, bz)
    bare = math.atan2(fx * cx + fy * cy + fz * cz, ax * bx + ay * by + az * bz)
    k = index[r, ROW_D]
    angle[k] = bare + TURN * math.floor((angle[k] - bare) / TURN + 0.5)
    s[r] = angle[k]
    write_moment(r, fx, fy, fz, W)


@kernel
def turn_velocity(r, index, V, A, W, w, bias):
    """w and the bias of a row about f, which turns with link c. Writes w, bias."""
    a, b, c = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B]), np.uintp(index[r, ROW_C])
    fx, fy, fz = W[r, 0], W[r, 1], W[r, 2]
    gx, gy, gz = cross(V[c, 0], V[c, 1], V[c, 2], fx, fy, fz)
    x, y, z = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1], V[b, 2] - V[a, 2]
    w[r] = fx * x + fy * y + fz * z
    turning = fx * (A[b, 0] - A[a, 0]) + fy * (A[b, 1] - A[a, 1]) + fz * (A[b, 2] - A[a, 2])
    bias[r] = turning + gx * x + gy * y + gz * z


@kernel
def turn_moved(r, j, side, index, S, W):
    """∂_jW of a row about f, which turns with link c."""
    if np.uintp(index[r, ROW_C]) != np.uintp(index[r, ROW_B] if side > 0.0 else index[r, ROW_A]):
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    x, y, z = cross(S[j, 0], S[j, 1], S[j, 2], W[r, 0], W[r, 1], W[r, 2])
    return x, y, z, 0.0, 0.0, 0.0


# --- between two points -----------------------------------------------------------------------------------------------


@kernel
def moved_line(r, j, side, inverse, project, index, number, R, p, S, W):
    """∂_jW of a row along the line n = (W_3, W_4, W_5) from p_a to p_b; inverse is 1/length, with `project` n keeps its
    own length.
    """
    px, py, pz = point(R, p, np.uintp(index[r, ROW_B]), number, r, POINT_B)
    ex, ey, ez = px, py, pz
    if side <= 0.0:
        ex, ey, ez = point(R, p, np.uintp(index[r, ROW_A]), number, r, POINT_A)
    # u is how the end on the side of j moves
    ux, uy, uz = point_velocity(S, j, ex, ey, ez)
    nx, ny, nz = W[r, 3], W[r, 4], W[r, 5]
    along = nx * ux + ny * uy + nz * uz if project else 0.0
    gx = side * inverse * (ux - along * nx)
    gy = side * inverse * (uy - along * ny)
    gz = side * inverse * (uz - along * nz)
    x, y, z = cross(px, py, pz, gx, gy, gz)
    if side > 0.0:
        mx, my, mz = cross(ux, uy, uz, nx, ny, nz)
        x, y, z = x + mx, y + my, z + mz
    return x, y, z, gx, gy, gz


# --- of other rows ----------------------------------------------------------------------------------------------------


@kernel
def no_wrench(r, W):
    """A row that acts through others, or on coordinates, has no wrench of its own. Writes W[r]."""
    write_moment(r, 0.0, 0.0, 0.0, W)
