# SPDX-License-Identifier: BSD-3-Clause
"""Axes: three vectors a_1, a_2, a_3 of a body as coordinates, nine numbers; six rows keep them at right angles.

    R_WL = [a_1 a_2 a_3],   ω = ½ Σ a_i × ȧ_i,   screws at O: (½ a_i × e_k; p × ·) for the component k of a_i

exact for a body that turns as a whole, which is all that those rows allow. Vectors move by their rates: no quaternion,
no sine. The element stands in world axes, on three slides [Naya 2011, §2; Jalon Bayo 1994]. The rows
and the constant mass matrix are in mechanics/natural.py. Validated by: validation/analytic/test_coordinates.py
"""

from knuckleboom.kernels import kernel

KIND = 3
NQ = 9
NV = 9


@kernel
def place(link, iq, q, R_WL):
    """Take the vectors as the link's axes. Writes R_WL."""
    for i in range(3):
        for k in range(3):
            R_WL[link, 3 * k + i] = q[iq + 3 * i + k]


@kernel
def screws(link, iv, R_WL, p_OL, S):
    """Write the nine screws at O: of component k of a_i the turn ½ a_i × e_k about p. Writes S."""
    px, py, pz = p_OL[link, 0], p_OL[link, 1], p_OL[link, 2]
    for i in range(3):
        for k in range(3):
            x, y, z = 0.5 * R_WL[link, i], 0.5 * R_WL[link, 3 + i], 0.5 * R_WL[link, 6 + i]  # a_i in a flat 3x3
            if k == 0:
                x, y, z = 0.0, z, -y
            elif k == 1:
                x, y, z = -z, 0.0, x
            else:
                x, y, z = y, -x, 0.0
            j = iv + 3 * i + k  # vectors of three components
            S[j, 0] = x
            S[j, 1] = y
            S[j, 2] = z
            S[j, 3] = py * z - pz * y
            S[j, 4] = pz * x - px * z
            S[j, 5] = px * y - py * x


@kernel
def advance(iq, iv, q0, u, q):
    """q = q0 + u. Writes q."""
    for m in range(NQ):
        q[iq + m] = q0[iq + m] + u[iv + m]
