# SPDX-License-Identifier: BSD-3-Clause
"""Geometric stiffness of rows: how Aᵀλ changes as the mechanism moves under constant λ.

    A_k = ±S_k·W,   ∂A_k/∂q_j = ±((S_j × S_k)·W + S_k·∂_jW)        the first term when k hangs on j

j on the side of a moves p_a and what is fixed in a; on the side of b it moves p_b and what is fixed in b; above both
ends it turns the whole row, which changes nothing. Of a body's vectors (natural coordinates) only turns are meant: what
would stretch them has no part in any motion. Own derivation; checked against differences in
tests/engine/test_tangents.py
"""

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows import (
    ANGLE,
    AXIS_DOT,
    DIRECTION,
    HELD_ANGLE,
    LENGTH,
    POINT_DOT,
    RATIO,
    RIGID,
    ROTATION,
    ROW_A,
    ROW_B,
    ROW_C,
    TRAVEL,
    cross,
    direction,
    point,
    point_velocity,
)

AXES = 3  # components of a vector; the force of a wrench follows its three moments


@kernel
def moved_line(n, side, inverse, project, p, u):
    """∂_jW of a row along a line n: u is how its end moves, inverse 1/length; with `project` n keeps its length."""
    nx, ny, nz = n
    ux, uy, uz = u
    along = nx * ux + ny * uy + nz * uz if project else 0.0
    gx = side * inverse * (ux - along * nx)
    gy = side * inverse * (uy - along * ny)
    gz = side * inverse * (uz - along * nz)
    x, y, z = cross(p[0], p[1], p[2], gx, gy, gz)
    if side > 0.0:
        mx, my, mz = cross(ux, uy, uz, nx, ny, nz)
        x, y, z = x + mx, y + my, z + mz
    return x, y, z, gx, gy, gz


@kernel
def moved_wrench(plan_rows, r, j, side, motion, s, W):
    """∂_jW of row r for a velocity j on the side of b (side 1) or a (side −1)."""
    index, number = plan_rows.index, plan_rows.number
    R, p, S = motion.R_WL, motion.p_OL, motion.S
    kind = index[r, 0]
    a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
    w = S[j, 0], S[j, 1], S[j, 2]
    if kind in (ROTATION, ANGLE, HELD_ANGLE):
        if np.uintp(index[r, ROW_C]) != (b if side > 0.0 else a):
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        x, y, z = cross(w[0], w[1], w[2], W[r, 0], W[r, 1], W[r, 2])
        return x, y, z, 0.0, 0.0, 0.0
    if kind == AXIS_DOT:
        f = direction(R, a, number, r, 6)
        m = direction(R, b, number, r, 9)
        if side > 0.0:
            m = cross(w[0], w[1], w[2], m[0], m[1], m[2])
        else:
            f = cross(w[0], w[1], w[2], f[0], f[1], f[2])
        x, y, z = cross(m[0], m[1], m[2], f[0], f[1], f[2])
        return x, y, z, 0.0, 0.0, 0.0

    pb = point(R, p, b, number, r, 3)
    if kind in (POINT_DOT, TRAVEL, DIRECTION):
        f = W[r, 3], W[r, 4], W[r, 5]
        g = cross(w[0], w[1], w[2], f[0], f[1], f[2])
        turned = index[r, ROW_C] != 0 if kind == DIRECTION else side < 0.0
        if not turned:
            g = 0.0, 0.0, 0.0
        x, y, z = cross(pb[0], pb[1], pb[2], g[0], g[1], g[2])
        if side > 0.0:
            u = point_velocity(S, j, pb[0], pb[1], pb[2])
            mx, my, mz = cross(u[0], u[1], u[2], f[0], f[1], f[2])
            x, y, z = x + mx, y + my, z + mz
        return x, y, z, g[0], g[1], g[2]

    # DISTANCE and LENGTH: the force part of W is d/L
    end = pb if side > 0.0 else point(R, p, a, number, r, 0)
    u = point_velocity(S, j, end[0], end[1], end[2])
    inverse = 1.0 / s[r] if kind == LENGTH else 1.0 / number[r, 6]
    return moved_line((W[r, 3], W[r, 4], W[r, 5]), side, inverse, kind == LENGTH, pb, u)


@kernel
def vector_slope(one, other, link, p, r, W):
    """∂S_k/∂q_j·W for the components k and j of a body's vectors (elements/axes.py): ½ e_j × e_k on the moment about
    the link's origin when they are of the same vector, else nothing.
    """
    k, j = (one - 1) % AXES, (other - 1) % AXES
    if (one - 1) // AXES != (other - 1) // AXES or k == j:
        return 0.0
    axis = AXES - k - j
    after, last = (axis + 1) % AXES, (axis + 2) % AXES
    moment = W[r, axis] - p[link, after] * W[r, AXES + last] + p[link, last] * W[r, AXES + after]
    return 0.5 * moment if j == after else -0.5 * moment


@kernel
def entry_slope(plan_newton, c, e, moved, motion, r, W):
    """∂A_k/∂q_j of row r for the entries c (of k) and e (of j); moved is ∂_jW."""
    S, j, k = motion.S, plan_newton.path_dof[e], plan_newton.path_dof[c]
    sign, axis, link = plan_newton.path_sign, plan_newton.path_axis, plan_newton.path_link
    x, y, z, gx, gy, gz = moved
    change = S[k, 0] * x + S[k, 1] * y + S[k, 2] * z + S[k, 3] * gx + S[k, 4] * gy + S[k, 5] * gz
    if sign[e] == sign[c] and axis[e] > 0 and axis[c] > 0:
        change += vector_slope(axis[c], axis[e], link[c], motion.p_OL, r, W)
    elif sign[e] == sign[c] and link[c] >= link[e]:
        # (S_j × S_k)·W
        ox, oy, oz = cross(S[j, 0], S[j, 1], S[j, 2], S[k, 0], S[k, 1], S[k, 2])
        px, py, pz = cross(S[j, 0], S[j, 1], S[j, 2], S[k, 3], S[k, 4], S[k, 5])
        qx, qy, qz = cross(S[j, 3], S[j, 4], S[j, 5], S[k, 0], S[k, 1], S[k, 2])
        change += W[r, 0] * ox + W[r, 1] * oy + W[r, 2] * oz
        change += W[r, 3] * (px + qx) + W[r, 4] * (py + qy) + W[r, 5] * (pz + qz)
    return sign[c] * change


@kernel
def add_row(plan_rows, plan_newton, r, weight, motion, rows, J):
    """J_kj += weight·∂A_k/∂q_j for row r. Writes J."""
    at = plan_newton.place_first[r]
    for e in range(plan_newton.path_first[r], plan_newton.path_first[r + 1]):
        moved = moved_wrench(plan_rows, r, plan_newton.path_dof[e], plan_newton.path_sign[e], motion, rows.s, rows.W)
        for c in range(plan_newton.path_first[r], plan_newton.path_first[r + 1]):
            J[plan_newton.place[at]] += weight * entry_slope(plan_newton, c, e, moved, motion, r, rows.W)
            at += 1


@kernel
def rate_slopes(plan_rows, plan_newton, plan_tangent, v, motion, rows, slope):
    """∂w/∂q of the rows with slopes, w = A v, beside their entries. Writes slope."""
    dof, sign = plan_newton.path_dof, plan_newton.path_sign
    for k in range(plan_tangent.row.shape[0]):
        r, first = plan_tangent.row[k], plan_tangent.path_first[k]
        if plan_newton.path_first[r] == plan_newton.path_first[r + 1]:
            slope[first] = 0.0  # a coordinate: A is constant
            continue
        for e in range(plan_newton.path_first[r], plan_newton.path_first[r + 1]):
            moved = moved_wrench(plan_rows, r, dof[e], sign[e], motion, rows.s, rows.W)
            total = 0.0
            for c in range(plan_newton.path_first[r], plan_newton.path_first[r + 1]):
                total += v[plan_newton.path_dof[c]] * entry_slope(plan_newton, c, e, moved, motion, r, rows.W)
            slope[first + e - plan_newton.path_first[r]] = total


@kernel
def geometric_stiffness(plan_rows, plan_newton, square, multiplier, motion, rows, J):
    """J += square·∂(Φ_qᵀ λ_c − Aᵀ λ)/∂q of all rows that have a wrench. Writes J."""
    nloop = multiplier.shape[0]
    for r in range(plan_rows.index.shape[0]):
        force = multiplier[r] if r < nloop else -rows.force[r]
        if force != 0.0 and plan_newton.path_first[r] < plan_newton.path_first[r + 1]:
            add_row(plan_rows, plan_newton, r, square * force, motion, rows, J)
    for r in range(plan_rows.first[RATIO], plan_rows.first[RIGID]):
        weight, index = square * multiplier[r], plan_rows.index
        add_row(plan_rows, plan_newton, index[r, ROW_B], weight, motion, rows, J)
        add_row(plan_rows, plan_newton, index[r, ROW_A], -plan_rows.number[r, 0] * weight, motion, rows, J)
