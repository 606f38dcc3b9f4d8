# SPDX-License-Identifier: BSD-3-Clause
"""Products of vectors, as tuples of numbers. Checked by tests/geometry/test_plane.py"""

from knuckleboom.kernels import kernel


@kernel
def cross_of(a, b):
    """Return a × b of two vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def dot_of(a, b):
    """Return a·b of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
