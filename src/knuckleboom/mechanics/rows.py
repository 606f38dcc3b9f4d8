# SPDX-License-Identifier: BSD-3-Clause
"""Rows: one scalar relation between two links each, the only way anything touches the mechanism.

A row has a value s(q), a rate w = A v and a bias Ȧ v. Every row but those of joint coordinates is one wrench
W = [moment about O; force] that acts on link b and, reversed, on link a:

    w = W·(V_b − V_a),   A_j = ±S_j·W on the path between the links,   Ȧ v = W·(A_b − A_a) + Ẇ·(V_b − V_a)

    kind        s                                   W                          used for
    POINT_DOT   f·(p_b − p_a), f fixed in a         (p_b×f; f)                 loops: two points meet in direction f
    AXIS_DOT    f·m, f fixed in a, m in b           (m×f; 0)                   loops: two axes stay perpendicular
    DISTANCE    (|d|² − L²)/2L, d = p_b − p_a       (p_b×d; d)/L               rod of constant length
    HELD_ANGLE  as ANGLE                            (f; 0)                     driven angle of a joint that is cut
    RATIO       s_b − ratio·s_a − offset            none: those of two rows    gear between joints that are cut
    RIGID       a_i·a_j, or (a_i·a_i − 1)/2         none                       vectors of a body (elements/axes.py)
    GEAR        q_b − ratio·q_a − offset            none: v_b − ratio·v_a      gear between joint coordinates
    LENGTH      |d|                                 (p_b×d; d)/|d|             cylinders, springs
    TRAVEL      as POINT_DOT                        (p_b×f; f)                 what acts in a joint that is cut: slides
    ANGLE       from e_a to e_b about f             (f; 0)                     and turns; f is fixed in either link
    COORDINATE  q                                   none: v                    joint springs, friction, stops, efforts
    DIRECTION   none                                (p_b×f; f)                 applied force
    ROTATION    none                                (f; 0)                     applied torque

The first seven are loop rows (their s is held at zero), the others interface rows. A *driven* loop row follows a motion
f(t) instead: s − f, but for a DISTANCE (s = (|d|² − f²)/2L, with L its length at the start); a driven coordinate is a
GEAR with ratio 0. An angle goes on over whole turns from where it was last (state.angle). Own derivation; Ȧ v is
checked against differences in tests/mechanics/test_rows.py, of rows that only bodies on their own have against joint
coordinates in validation/analytic/test_coordinates.py. In natural coordinates w and Ȧ v of most loop rows come from
mechanics/natural.py.
"""

import math

import numpy as np

from knuckleboom.kernels import kernel
from knuckleboom.solvers.vectors import fill, fill_rows

POINT_DOT, AXIS_DOT, DISTANCE, HELD_ANGLE, RATIO, RIGID, GEAR = range(7)
LENGTH, TRAVEL, ANGLE, COORDINATE, DIRECTION, ROTATION = range(7, 13)
GROUND = np.uintp(0)  # link 0
KINDS = (
    "POINT_DOT", "AXIS_DOT", "DISTANCE", "HELD_ANGLE", "RATIO", "RIGID", "GEAR", "LENGTH", "TRAVEL", "ANGLE",
    "COORDINATE", "DIRECTION", "ROTATION",
)  # fmt: skip
TURN = 2.0 * math.pi
ROW_KIND, ROW_A, ROW_B, ROW_C, ROW_D = 0, 1, 2, 3, 4  # columns of plan_rows.index
# For RATIO, A and B are rows, C the number of entries of B; for RIGID, A and B are the first q of two vectors; for
# GEAR, A and B are q indices, C and D v indices; for COORDINATE B is the q index and D the v index; for DIRECTION,
# ROTATION and angles C is the link whose axes hold f, for angles D the place in state.angle. Columns of
# plan_rows.number: p_a 0-2, p_b 3-5, f 6-8, m 9-11; angles have e_a and e_b for p_a and p_b; DISTANCE has its length in
# 6; GEAR and RATIO have ratio, offset in 0 and 1.


@kernel
def has_value(plan_rows, r):
    """Whether row r has a value s: directions, turns of a body and components of ω have a rate only."""
    kind = plan_rows.index[r, ROW_KIND]
    if kind == COORDINATE:
        return plan_rows.index[r, ROW_B] >= 0
    return kind != DIRECTION and kind != ROTATION


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
def slide_row(r, index, number, R, p, rows):
    """s and W of a row along f of a. Writes rows."""
    a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
    ax, ay, az = point(R, p, a, number, r, 0)
    bx, by, bz = point(R, p, b, number, r, 3)
    fx, fy, fz = direction(R, a, number, r, 6)
    rows.s[r] = fx * (bx - ax) + fy * (by - ay) + fz * (bz - az)
    write_wrench(r, bx, by, bz, fx, fy, fz, rows.W)


@kernel
def turn_row(r, index, number, R, angle, rows):
    """s and W of an angle about f: the nearest to where it was last. Writes angle, rows."""
    W = rows.W
    ax, ay, az = direction(R, np.uintp(index[r, ROW_A]), number, r, 0)
    bx, by, bz = direction(R, np.uintp(index[r, ROW_B]), number, r, 3)
    fx, fy, fz = direction(R, np.uintp(index[r, ROW_C]), number, r, 6)
    cx, cy, cz = cross(ax, ay, az, bx, by, bz)
    bare = math.atan2(fx * cx + fy * cy + fz * cz, ax * bx + ay * by + az * bz)
    k = index[r, ROW_D]
    angle[k] = bare + TURN * math.floor((angle[k] - bare) / TURN + 0.5)
    rows.s[r] = angle[k]
    W[r, 0], W[r, 1], W[r, 2] = fx, fy, fz
    W[r, 3], W[r, 4], W[r, 5] = 0.0, 0.0, 0.0


@kernel
def has_cut_joints(first):
    """Whether there are rows that only bodies on their own have."""
    return first[HELD_ANGLE] < first[GEAR] or first[TRAVEL] < first[COORDINATE]


@kernel
def cut_positions(plan_rows, q, motion, angle, rows):
    """Fill s and W of the rows that only bodies on their own have. Writes angle, rows."""
    index, number, first = plan_rows.index, plan_rows.number, plan_rows.first
    R, W, s = motion.R_WL, rows.W, rows.s
    for r in range(first[TRAVEL], first[ANGLE]):
        slide_row(r, index, number, R, motion.p_OL, rows)
    for r in range(first[HELD_ANGLE], first[RATIO]):
        turn_row(r, index, number, R, angle, rows)
    for r in range(first[ANGLE], first[COORDINATE]):
        turn_row(r, index, number, R, angle, rows)

    for r in range(first[RATIO], first[RIGID]):
        s[r] = s[index[r, ROW_B]] - number[r, 0] * s[index[r, ROW_A]] - number[r, 1]
    for r in range(first[RIGID], first[GEAR]):
        i, j = index[r, ROW_A], index[r, ROW_B]
        product = q[i] * q[j] + q[i + 1] * q[j + 1] + q[i + 2] * q[j + 2]
        s[r] = 0.5 * (product - 1.0) if i == j else product
    for r in range(first[RATIO], first[GEAR]):
        for k in range(6):
            W[r, k] = 0.0


@kernel
def positions(plan_rows, q, motion, angle, rows):
    """Fill s and W of all rows from the poses. Writes angle, rows."""
    index, number, first = plan_rows.index, plan_rows.number, plan_rows.first
    R, p, W, s = motion.R_WL, motion.p_OL, rows.W, rows.s

    for r in range(first[POINT_DOT], first[AXIS_DOT]):
        slide_row(r, index, number, R, p, rows)
    for r in range(first[AXIS_DOT], first[DISTANCE]):
        fx, fy, fz = direction(R, np.uintp(index[r, ROW_A]), number, r, 6)
        mx, my, mz = direction(R, np.uintp(index[r, ROW_B]), number, r, 9)
        s[r] = fx * mx + fy * my + fz * mz
        W[r, 0], W[r, 1], W[r, 2] = cross(mx, my, mz, fx, fy, fz)
        W[r, 3], W[r, 4], W[r, 5] = 0.0, 0.0, 0.0

    for r in range(first[DISTANCE], first[HELD_ANGLE]):
        ax, ay, az = point(R, p, np.uintp(index[r, ROW_A]), number, r, 0)
        bx, by, bz = point(R, p, np.uintp(index[r, ROW_B]), number, r, 3)
        length = number[r, 6]
        dx, dy, dz = (bx - ax) / length, (by - ay) / length, (bz - az) / length
        s[r] = 0.5 * length * (dx * dx + dy * dy + dz * dz - 1.0)
        write_wrench(r, bx, by, bz, dx, dy, dz, W)

    for r in range(first[GEAR], first[LENGTH]):
        s[r] = q[index[r, ROW_B]] - number[r, 0] * q[index[r, ROW_A]] - number[r, 1]

    for r in range(first[LENGTH], first[TRAVEL]):
        ax, ay, az = point(R, p, np.uintp(index[r, ROW_A]), number, r, 0)
        bx, by, bz = point(R, p, np.uintp(index[r, ROW_B]), number, r, 3)
        dx, dy, dz = bx - ax, by - ay, bz - az
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        s[r] = length
        write_wrench(r, bx, by, bz, dx / length, dy / length, dz / length, W)

    for r in range(first[COORDINATE], first[DIRECTION]):
        iq = index[r, ROW_B]
        s[r] = q[iq] if iq >= 0 else 0.0  # a component of ω has no coordinate

    for r in range(first[DIRECTION], first[ROTATION]):
        bx, by, bz = point(R, p, np.uintp(index[r, ROW_B]), number, r, 3)
        fx, fy, fz = direction(R, np.uintp(index[r, ROW_C]), number, r, 6)
        s[r] = 0.0
        write_wrench(r, bx, by, bz, fx, fy, fz, W)

    for r in range(first[ROTATION], first[ROTATION + 1]):
        s[r] = 0.0
        W[r, 0], W[r, 1], W[r, 2] = direction(R, np.uintp(index[r, ROW_C]), number, r, 6)
        W[r, 3], W[r, 4], W[r, 5] = 0.0, 0.0, 0.0

    if has_cut_joints(first):
        cut_positions(plan_rows, q, motion, angle, rows)


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


@kernel
def point_velocity(V, link, px, py, pz):
    """Velocity of the point of `link` that is at p (relative to O)."""
    x, y, z = cross(V[link, 0], V[link, 1], V[link, 2], px, py, pz)
    return V[link, 3] + x, V[link, 4] + y, V[link, 5] + z


@kernel
def slide_rate(r, index, number, motion, rows):
    """w and the bias of a row along f of a. Writes rows."""
    V, W = motion.V_WL, rows.W
    a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
    px, py, pz = point(motion.R_WL, motion.p_OL, b, number, r, 3)
    ux, uy, uz = point_velocity(V, b, px, py, pz)
    fx, fy, fz = W[r, 3], W[r, 4], W[r, 5]
    gx, gy, gz = cross(V[a, 0], V[a, 1], V[a, 2], fx, fy, fz)
    rows.w[r], rows.bias[r] = rate_and_bias(W, V, motion.A_WL, r, a, b, fx, fy, fz, gx, gy, gz, px, py, pz, ux, uy, uz)


@kernel
def turn_rate(r, index, V, A, rows):
    """w and the bias of a row about f, which turns with link c. Writes rows."""
    a, b, c = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B]), np.uintp(index[r, ROW_C])
    fx, fy, fz = rows.W[r, 0], rows.W[r, 1], rows.W[r, 2]
    gx, gy, gz = cross(V[c, 0], V[c, 1], V[c, 2], fx, fy, fz)
    x, y, z = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1], V[b, 2] - V[a, 2]
    rows.w[r] = fx * x + fy * y + fz * z
    bias = fx * (A[b, 0] - A[a, 0]) + fy * (A[b, 1] - A[a, 1]) + fz * (A[b, 2] - A[a, 2])
    rows.bias[r] = bias + gx * x + gy * y + gz * z


@kernel
def cut_velocities(plan_rows, motion, rows):
    """Fill w and the bias Ȧv of the rows that only bodies on their own have. Writes rows."""
    index, number, first = plan_rows.index, plan_rows.number, plan_rows.first
    V, A, w, bias = motion.V_WL, motion.A_WL, rows.w, rows.bias
    for r in range(first[TRAVEL], first[ANGLE]):
        slide_rate(r, index, number, motion, rows)
    for r in range(first[HELD_ANGLE], first[RATIO]):
        turn_rate(r, index, V, A, rows)
    for r in range(first[ANGLE], first[COORDINATE]):
        turn_rate(r, index, V, A, rows)
    for r in range(first[RATIO], first[RIGID]):
        one, other, ratio = index[r, ROW_A], index[r, ROW_B], number[r, 0]
        w[r], bias[r] = w[other] - ratio * w[one], bias[other] - ratio * bias[one]


@kernel
def velocities(plan_rows, v, motion, rows):
    """Fill w and the bias Ȧv of all rows from the velocities. Writes rows."""
    index, number, first = plan_rows.index, plan_rows.number, plan_rows.first
    R, p, V, A = motion.R_WL, motion.p_OL, motion.V_WL, motion.A_WL
    W, s, w, bias = rows.W, rows.s, rows.w, rows.bias

    for r in range(first[POINT_DOT], first[AXIS_DOT]):
        slide_rate(r, index, number, motion, rows)
    for r in range(first[AXIS_DOT], first[DISTANCE]):
        a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
        fx, fy, fz = direction(R, a, number, r, 6)
        mx, my, mz = direction(R, b, number, r, 9)
        gx, gy, gz = cross(V[a, 0], V[a, 1], V[a, 2], fx, fy, fz)
        ux, uy, uz = cross(V[b, 0], V[b, 1], V[b, 2], mx, my, mz)
        rate, turning = rate_and_bias(W, V, A, r, a, b, fx, fy, fz, gx, gy, gz, mx, my, mz, ux, uy, uz)
        # the wrench (m×f; 0) has no force: take back what ḟ did to the force part
        w[r] = rate
        bias[r] = turning - gx * (V[b, 3] - V[a, 3]) - gy * (V[b, 4] - V[a, 4]) - gz * (V[b, 5] - V[a, 5])

    for r in range(first[DISTANCE], first[HELD_ANGLE]):
        a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
        ax, ay, az = point(R, p, a, number, r, 0)
        bx, by, bz = point(R, p, b, number, r, 3)
        sx, sy, sz = point_velocity(V, a, ax, ay, az)
        ux, uy, uz = point_velocity(V, b, bx, by, bz)
        length = number[r, 6]
        gx, gy, gz = (ux - sx) / length, (uy - sy) / length, (uz - sz) / length
        w[r], bias[r] = rate_and_bias(W, V, A, r, a, b, W[r, 3], W[r, 4], W[r, 5], gx, gy, gz, bx, by, bz, ux, uy, uz)

    for r in range(first[GEAR], first[LENGTH]):
        w[r] = v[index[r, ROW_D]] - number[r, 0] * v[index[r, ROW_C]]
        bias[r] = 0.0

    for r in range(first[LENGTH], first[TRAVEL]):
        a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
        ax, ay, az = point(R, p, a, number, r, 0)
        bx, by, bz = point(R, p, b, number, r, 3)
        sx, sy, sz = point_velocity(V, a, ax, ay, az)
        ux, uy, uz = point_velocity(V, b, bx, by, bz)
        fx, fy, fz = W[r, 3], W[r, 4], W[r, 5]
        length = s[r]
        dx, dy, dz = ux - sx, uy - sy, uz - sz
        along = fx * dx + fy * dy + fz * dz
        gx, gy, gz = (dx - along * fx) / length, (dy - along * fy) / length, (dz - along * fz) / length
        w[r], bias[r] = rate_and_bias(W, V, A, r, a, b, fx, fy, fz, gx, gy, gz, bx, by, bz, ux, uy, uz)

    for r in range(first[COORDINATE], first[DIRECTION]):
        w[r] = v[index[r, ROW_D]]
        bias[r] = 0.0

    for r in range(first[DIRECTION], first[ROTATION]):
        b, c = np.uintp(index[r, ROW_B]), np.uintp(index[r, ROW_C])
        px, py, pz = point(R, p, b, number, r, 3)
        ux, uy, uz = point_velocity(V, b, px, py, pz)
        fx, fy, fz = W[r, 3], W[r, 4], W[r, 5]
        gx, gy, gz = cross(V[c, 0], V[c, 1], V[c, 2], fx, fy, fz)
        w[r], bias[r] = rate_and_bias(W, V, A, r, GROUND, b, fx, fy, fz, gx, gy, gz, px, py, pz, ux, uy, uz)

    for r in range(first[ROTATION], first[ROTATION + 1]):
        turn_rate(r, index, V, A, rows)

    if has_cut_joints(first):
        cut_velocities(plan_rows, motion, rows)


@kernel
def accelerate_gears(plan_rows, a, bias):
    """Add A a to the biases of gears, as links that move with the joint accelerations a do for rows. Writes bias."""
    for r in range(plan_rows.first[GEAR], plan_rows.first[LENGTH]):
        bias[r] += a[plan_rows.index[r, ROW_D]] - plan_rows.number[r, 0] * a[plan_rows.index[r, ROW_C]]


@kernel
def is_distance(first, r):
    """Whether row r is that of a distance."""
    return first[DISTANCE] <= r < first[HELD_ANGLE]


@kernel
def pull(plan_rows, rows, d):
    """∂s/∂f of driver d, but for its sign: f/L for a distance, else 1."""
    r = plan_rows.driven[d]
    return rows.target[d, 0] / plan_rows.number[r, 6] if is_distance(plan_rows.first, r) else 1.0


@kernel
def follow_positions(plan_rows, rows):
    """Let the driven rows follow their motion. Writes rows.s."""
    for d in range(plan_rows.driven.shape[0]):
        r, f = plan_rows.driven[d], rows.target[d, 0]
        if is_distance(plan_rows.first, r):
            length = plan_rows.number[r, 6]
            rows.s[r] -= 0.5 * (f * f / length - length)
        else:
            rows.s[r] -= f


@kernel
def follow_velocities(plan_rows, rows):
    """The same for rates and bias accelerations. Writes rows.w, rows.bias."""
    for d in range(plan_rows.driven.shape[0]):
        r, rate, acceleration = plan_rows.driven[d], rows.target[d, 1], rows.target[d, 2]
        slope = pull(plan_rows, rows, d)
        rows.w[r] -= slope * rate
        rows.bias[r] -= slope * acceleration
        if is_distance(plan_rows.first, r):
            rows.bias[r] -= rate * rate / plan_rows.number[r, 6]


@kernel
def driver_powers(plan_rows, rows, multiplier, power):
    """Power of each driver on the mechanism [W], the last entries of power. Writes power."""
    first = power.shape[0] - plan_rows.driven.shape[0]
    for d in range(plan_rows.driven.shape[0]):
        power[first + d] = -multiplier[plan_rows.driven[d]] * pull(plan_rows, rows, d) * rows.target[d, 1]


@kernel
def put_ratio_forces(plan_rows, multiplier, rows):
    """Show what gears between joints that are cut do in these, for their reactions. Writes rows.force."""
    for r in range(plan_rows.first[RATIO], plan_rows.first[RIGID]):
        rows.force[plan_rows.index[r, ROW_B]] -= multiplier[r]
        rows.force[plan_rows.index[r, ROW_A]] += plan_rows.number[r, 0] * multiplier[r]


@kernel
def apply_forces(plan_rows, rows, f, effort):
    """Hand Aᵀλ of all interface rows to the mechanism: f gets minus the wrenches. Writes f, effort."""
    index, first, W, force = plan_rows.index, plan_rows.first, rows.W, rows.force
    fill_rows(0.0, f)
    fill(0.0, effort)
    for r in range(first[LENGTH], first[COORDINATE]):
        a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
        for k in range(6):
            f[b, k] -= force[r] * W[r, k]
            f[a, k] += force[r] * W[r, k]
    for r in range(first[COORDINATE], first[DIRECTION]):
        effort[index[r, ROW_D]] += force[r]
    for r in range(first[DIRECTION], first[ROTATION + 1]):
        a, b = np.uintp(index[r, ROW_A]), np.uintp(index[r, ROW_B])
        for k in range(6):
            f[b, k] -= force[r] * W[r, k]
            f[a, k] += force[r] * W[r, k]
