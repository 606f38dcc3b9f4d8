# SPDX-License-Identifier: BSD-3-Clause
"""Products of vectors: those of NumPy."""

import numpy as np

from kernel_call import callable_kernel
from knuckleboom.geometry.plane import cross_of, dot_of


def test_products_are_those_of_numpy():
    a, b = (1.0, -2.0, 0.5), (0.3, 4.0, -1.0)

    assert callable_kernel(cross_of)(a, b) == tuple(np.cross(a, b))
    assert callable_kernel(dot_of)(a, b) == np.dot(a, b)
