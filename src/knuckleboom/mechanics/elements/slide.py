# SPDX-License-Identifier: BSD-3-Clause
"""Slide: frame M moves along the z-axis it shares with frame F.

    R_FM = 1,   p_FM(q) = q·ẑ,   screw at O: (0; ẑ)                 [Featherstone 2008, tab. 4.1]

q is the travel along z, m; v = q̇. Validated by: validation/analytic/test_spring_mass.py
"""

from knuckleboom.kernels import kernel

KIND = 1
NQ = 1
NV = 1


@kernel
def place(link, iq, q, R_WL, p_OL):
    """Move p_OL[link], which holds p_OF, to p_OM; R_WL stays. Writes p_OL."""
    p_OL[link, 0] += q[iq] * R_WL[link, 2]
    p_OL[link, 1] += q[iq] * R_WL[link, 5]
    p_OL[link, 2] += q[iq] * R_WL[link, 8]


@kernel
def screws(link, iv, R_WL, p_OL, S):
    """Write the screw of v[iv] at O: a pure translation along ẑ. Writes S."""
    S[iv, 0] = 0.0
    S[iv, 1] = 0.0
    S[iv, 2] = 0.0
    S[iv, 3] = R_WL[link, 2]
    S[iv, 4] = R_WL[link, 5]
    S[iv, 5] = R_WL[link, 8]


@kernel
def advance(iq, iv, q0, u, q):
    """q = q0 ⊕ u. Writes q."""
    q[iq] = q0[iq] + u[iv]
