# SPDX-License-Identifier: BSD-3-Clause
"""The positive part of a number, rounded above zero.

    0 where x ≤ 0,   x where x ≥ r,   else x²·(2 r − x)/r²          C1

Own choice: exactly zero where nothing is left, and exact away from the corner.
"""

from knuckleboom.kernels import kernel


@kernel
def smooth_positive(x, r):
    """Return the positive part of x [any unit], rounded over r [that of x], and its slope."""
    if x <= 0.0:
        return 0.0 * x, 0.0
    if x >= r:
        return x, 1.0
    part = x / r
    return x * part * (2.0 - part), part * (4.0 - 3.0 * part)  # 4 and 3: the cubic's slope
