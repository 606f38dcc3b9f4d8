# SPDX-License-Identifier: BSD-3-Clause
"""Turn: frame M turns about the z-axis it shares with frame F.

    R_FM(q) = Rz(q),   p_FM = 0,   screw at O: (ẑ; p×ẑ)            [Featherstone 2008, tab. 4.1]

q is the right-hand angle about z, rad; v = q̇. Another axis than z is handled in the plan by turning F
and M, so this file only ever sees z. Validated by: validation/analytic/test_pendulum.py
"""

from knuckleboom.kernels import kernel

KIND = 0
NQ = 1
NV = 1


@kernel
def place(link, s, c, R_WL):
    """Turn R_WL[link], which holds R_WF, into R_WM, by the angle with this sine and cosine. Writes R_WL."""
    for row in range(0, 9, 3):  # rows of a 3x3 stored flat
        x = R_WL[link, row]
        y = R_WL[link, row + 1]
        R_WL[link, row] = c * x + s * y
        R_WL[link, row + 1] = c * y - s * x


@kernel
def screws(link, iv, R_WL, p_OL, S):
    """Write the screw of v[iv] at the common point O: a turn about ẑ through p. Writes S."""
    zx, zy, zz = R_WL[link, 2], R_WL[link, 5], R_WL[link, 8]  # third column
    px, py, pz = p_OL[link, 0], p_OL[link, 1], p_OL[link, 2]
    S[iv, 0] = zx
    S[iv, 1] = zy
    S[iv, 2] = zz
    S[iv, 3] = py * zz - pz * zy
    S[iv, 4] = pz * zx - px * zz
    S[iv, 5] = px * zy - py * zx


@kernel
def advance(iq, iv, q0, u, q):
    """q = q0 ⊕ u. Writes q."""
    q[iq] = q0[iq] + u[iv]
