# SPDX-License-Identifier: BSD-3-Clause
"""Geometric stiffness of rows: how Aᵀλ changes as the mechanism moves under constant λ.

    A_k = ±S_k·W,   ∂A_k/∂q_j = ±((S_j × S_k)·W + S_k·∂_jW)        the first term when k hangs on j

j on the side of a moves p_a and what is fixed in a; on the side of b it moves p_b and what is fixed in b; above both
ends it turns the whole row, which changes nothing. ∂_jW is `moved` of the row's kind (mechanics/rows). Of a body's
vectors (natural coordinates) only turns are meant: what would stretch them has no part in any motion. Shapes of one
attachment change each other's screws as elements/deform.py says. Own derivation;
checked against differences in tests/engine/test_tangents.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.elements import deform
from knuckleboom.mechanics.rows.geometry import ROW_A, ROW_B, TERM_ROW, cross
from knuckleboom.mechanics.rows.kinds import OF_ROWS, OF_ROWS_END, moved_wrench

AXES = 3  # components of a vector; the force of a wrench follows its three moments


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
    S, j, k = motion.S, plan_newton.path_screw[e], plan_newton.path_screw[c]
    sign, axis, link = plan_newton.path_sign, plan_newton.path_axis, plan_newton.path_link
    x, y, z, gx, gy, gz = moved
    change = S[k, 0] * x + S[k, 1] * y + S[k, 2] * z + S[k, 3] * gx + S[k, 4] * gy + S[k, 5] * gz
    if sign[e] == sign[c] and axis[e] > 0 and axis[c] > 0:
        change += vector_slope(axis[c], axis[e], link[c], motion.p_OL, r, W)
    elif sign[e] == sign[c] and axis[c] < 0 and link[c] == link[e]:
        change += deform.along(link[c], j, k, motion.p_OL, S, motion.lean, W, r)
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
        moved = moved_wrench(plan_rows, r, plan_newton.path_screw[e], plan_newton.path_sign[e], motion, rows.s, rows.W)
        for c in range(plan_newton.path_first[r], plan_newton.path_first[r + 1]):
            J[plan_newton.place[at]] += weight * entry_slope(plan_newton, c, e, moved, motion, r, rows.W)
            at += 1


@kernel
def rate_slopes(plan_rows, plan_newton, plan_tangent, v, motion, rows, slope):
    """∂w/∂q of the rows with slopes, w = A v, beside their entries. Writes slope."""
    screw, sign = plan_newton.path_screw, plan_newton.path_sign
    for k in range(plan_tangent.row.shape[0]):
        r, first = plan_tangent.row[k], plan_tangent.path_first[k]
        for e in range(first, plan_tangent.path_first[k + 1]):
            slope[e] = 0.0  # and so it stays for a coordinate, whose A is constant
        for e in range(plan_newton.path_first[r], plan_newton.path_first[r + 1]):
            moved = moved_wrench(plan_rows, r, screw[e], sign[e], motion, rows.s, rows.W)
            total = 0.0
            for c in range(plan_newton.path_first[r], plan_newton.path_first[r + 1]):
                total += v[plan_newton.path_dof[c]] * entry_slope(plan_newton, c, e, moved, motion, r, rows.W)
            slope[first + plan_newton.path_entry[e]] += total


@kernel
def geometric_stiffness(plan_rows, plan_newton, square, multiplier, motion, rows, J):
    """J += square·∂(Φ_qᵀ λ_c − Aᵀ λ)/∂q of all rows that have a wrench. Writes J."""
    nloop = multiplier.shape[0]
    for r in range(plan_rows.index.shape[0]):
        force = multiplier[r] if r < nloop else -rows.force[r]
        if force != 0.0 and plan_newton.path_first[r] < plan_newton.path_first[r + 1]:
            add_row(plan_rows, plan_newton, r, square * force, motion, rows, J)
    for r in range(plan_rows.first[OF_ROWS], plan_rows.first[OF_ROWS_END]):
        for t in range(plan_rows.index[r, ROW_A], plan_rows.index[r, ROW_B]):
            weight = plan_rows.weight[t] * (square * multiplier[r])
            add_row(plan_rows, plan_newton, plan_rows.term[t, TERM_ROW], weight, motion, rows, J)
