# SPDX-License-Identifier: BSD-3-Clause
"""Corners of a box: all eight, each once, from its half edges."""

import itertools

import numpy as np

from kernel_call import callable_kernel
from knuckleboom.geometry.plane import CORNERS, corner, cross_of, dot_of


def test_corners_are_those_of_the_half_edges():
    random = np.random.default_rng(1)
    number = random.normal(size=(2, 13))
    centre, edges = number[1, :3], number[1, 3:12].reshape(3, 3)

    found = {tuple(np.round(callable_kernel(corner)(number, 1, which), 12)) for which in range(CORNERS)}

    signs = itertools.product((-1.0, 1.0), repeat=3)
    assert found == {tuple(np.round(centre + np.array(sign) @ edges, 12)) for sign in signs}


def test_products_are_those_of_numpy():
    a, b = (1.0, -2.0, 0.5), (0.3, 4.0, -1.0)

    assert callable_kernel(cross_of)(a, b) == tuple(np.cross(a, b))
    assert callable_kernel(dot_of)(a, b) == np.dot(a, b)
