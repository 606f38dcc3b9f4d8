# SPDX-License-Identifier: BSD-3-Clause
"""Ball: frame M turns about the origin it shares with frame F; unit quaternion (w, x, y, z).

    R_FM = R(q),   p_FM = 0,   screws at O: (m_i; p×m_i) for the three axes m_i of M

v = ω_FM in the axes of M. The quaternion advances by the exponential map, q = q0·exp(u/2), and the
increment obeys u̇ = ω + ½ u×ω + 1/12 u×(u×ω) + O(u⁴)            [Hairer Lubich Wanner 2006, IV.7]
which keeps the order of a Runge-Kutta method up to four. Validated by: validation/analytic/test_heavy_top.py
"""

import math

from knuckleboom.kernels import kernel

KIND = 2
NQ = 4
NV = 3
SMALL = 1e-4  # rad; below it sin(θ/2)/θ is its series, exact to 1e-17
TWELFTH = 1.0 / 12.0


@kernel
def place(link, iq, q, R_WL, p_OL):
    """Turn R_WL[link], which holds R_WF, into R_WM; p_OL stays. Writes R_WL."""
    w, x, y, z = q[iq], q[iq + 1], q[iq + 2], q[iq + 3]
    r00 = 1.0 - 2.0 * (y * y + z * z)
    r01 = 2.0 * (x * y - w * z)
    r02 = 2.0 * (x * z + w * y)
    r10 = 2.0 * (x * y + w * z)
    r11 = 1.0 - 2.0 * (x * x + z * z)
    r12 = 2.0 * (y * z - w * x)
    r20 = 2.0 * (x * z - w * y)
    r21 = 2.0 * (y * z + w * x)
    r22 = 1.0 - 2.0 * (x * x + y * y)
    for row in range(0, 9, 3):  # rows of a 3x3 stored flat
        a, b, c = R_WL[link, row], R_WL[link, row + 1], R_WL[link, row + 2]
        R_WL[link, row] = a * r00 + b * r10 + c * r20
        R_WL[link, row + 1] = a * r01 + b * r11 + c * r21
        R_WL[link, row + 2] = a * r02 + b * r12 + c * r22


@kernel
def screws(link, iv, R_WL, p_OL, S):
    """Write the three screws of v[iv:iv+3] at O: turns about the axes of M through p. Writes S."""
    px, py, pz = p_OL[link, 0], p_OL[link, 1], p_OL[link, 2]
    for axis in range(NV):
        mx, my, mz = R_WL[link, axis], R_WL[link, 3 + axis], R_WL[link, 6 + axis]
        S[iv + axis, 0] = mx
        S[iv + axis, 1] = my
        S[iv + axis, 2] = mz
        S[iv + axis, 3] = py * mz - pz * my
        S[iv + axis, 4] = pz * mx - px * mz
        S[iv + axis, 5] = px * my - py * mx


@kernel
def advance(iq, iv, q0, u, q):
    """q = q0·exp(u/2), normalised against rounding. Writes q."""
    ux, uy, uz = u[iv], u[iv + 1], u[iv + 2]
    angle = math.sqrt(ux * ux + uy * uy + uz * uz)
    if angle > SMALL:
        c = math.cos(0.5 * angle)
        k = math.sin(0.5 * angle) / angle
    else:
        c = 1.0 - 0.125 * angle * angle  # cos(θ/2) to 4th order
        k = 0.5 - angle * angle / 48.0  # sin(θ/2)/θ to 4th order
    w, x, y, z = q0[iq], q0[iq + 1], q0[iq + 2], q0[iq + 3]
    ux *= k
    uy *= k
    uz *= k
    nw = w * c - x * ux - y * uy - z * uz
    nx = w * ux + x * c + y * uz - z * uy
    ny = w * uy - x * uz + y * c + z * ux
    nz = w * uz + x * uy - y * ux + z * c
    scale = 1.0 / math.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
    q[iq] = nw * scale
    q[iq + 1] = nx * scale
    q[iq + 2] = ny * scale
    q[iq + 3] = nz * scale


@kernel
def rate(iv, u, v, u_dot):
    """Rate of the increment u in q = q0·exp(u/2), with ω in the axes of M. Writes u_dot."""
    ux, uy, uz = u[iv], u[iv + 1], u[iv + 2]
    wx, wy, wz = v[iv], v[iv + 1], v[iv + 2]
    cx = uy * wz - uz * wy
    cy = uz * wx - ux * wz
    cz = ux * wy - uy * wx
    u_dot[iv] = wx + 0.5 * cx + TWELFTH * (uy * cz - uz * cy)
    u_dot[iv + 1] = wy + 0.5 * cy + TWELFTH * (uz * cx - ux * cz)
    u_dot[iv + 2] = wz + 0.5 * cz + TWELFTH * (ux * cy - uy * cx)
