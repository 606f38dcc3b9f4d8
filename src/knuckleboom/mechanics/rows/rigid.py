# SPDX-License-Identifier: BSD-3-Clause
"""Vectors of a body keep their lengths and angles: s = a_i·a_j, or (a_i·a_i − 1)/2. No wrench.

Natural coordinates only, which give w and the bias (mechanics/natural.py). Index: first q of a_i, first q of a_j.
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.rows.contract import HELD, PRODUCTS, Form, RowKind, Terms
from knuckleboom.mechanics.rows.geometry import ROW_A, ROW_B, no_wrench

ROW = RowKind(HELD, PRODUCTS, unit="1", cut=True)


@kernel
def position(r, index, q, s, W):
    """s; W is zero. Writes s, W."""
    i, j = index[r, ROW_A], index[r, ROW_B]
    product = q[i] * q[j] + q[i + 1] * q[j + 1] + q[i + 2] * q[j + 2]
    s[r] = 0.5 * (product - 1.0) if i == j else product
    no_wrench(r, W)


def products(form: Form, a: int, b: int, given: Terms) -> None:
    """In natural coordinates: a_i·a_j, half of it when they are the same."""
    form.add_vectors(a, b, 0.5 if a == b else 1.0)
