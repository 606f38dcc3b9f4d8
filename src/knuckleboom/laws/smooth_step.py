# SPDX-License-Identifier: BSD-3-Clause
"""A smooth step from 0 to 1: the cubic with level ends.

    S = r²(3 − 2r) for 0 ≤ r ≤ 1, else 0 or 1                 [Hermite's cubic between two level ends]

Steepest at r = ½, where its slope is 3/2. Validated by: tests/laws/test_smooth_step.py
"""

from knuckleboom.kernels import kernel


@kernel
def smooth_step(r):
    """Return S [1] and dS/dr [1]; r [1]."""
    if r <= 0.0:
        return 0.0, 0.0
    if r >= 1.0:
        return 1.0, 0.0
    return r * r * (3.0 - 2.0 * r), 6.0 * r * (1.0 - r)  # 3 and 6: the cubic and its slope
