# SPDX-License-Identifier: BSD-3-Clause
"""A joint coordinate: s = q, w = v. No wrench; a component of ω has no coordinate, and q is −1 then.

Joint springs, friction, stops, efforts. Index: none, q, none, v.
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import FORCE, OWN, VELOCITIES, Index, RowKind, Terms
from knuckleboom.mechanics.rows.geometry import ROW_B, ROW_D

ROW = RowKind(FORCE, VELOCITIES)


@kernel
def position(r, index, q, s):
    """s. Writes s."""
    iq = index[r, ROW_B]
    s[r] = q[iq] if iq >= 0 else 0.0


@kernel
def velocity(r, index, v, w, bias):
    """w; A is constant. Writes w, bias."""
    w[r] = v[index[r, ROW_D]]
    bias[r] = 0.0


@kernel
def push(r, index, force, effort):
    """Hand λ to its velocity. Writes effort."""
    effort[index[r, ROW_D]] += force[r]


def touched(index: Index, given: Terms) -> list[tuple[int, float]]:
    """Its own velocity."""
    return [(index[3], OWN)]
