# SPDX-License-Identifier: BSD-3-Clause
"""Metering edge of a spool: closed on one side, opening in a straight line on the other, with a smooth corner.

    y = (gain·signal − overlap)/(1 − overlap),   o = ½ (y + √(y² + 4 leak²)), at most 1

`leak` is the opening left when the edge just closes (y = 0); far on the closed side it falls like leak²/|y|.
Our own choice. Validated by: validation/analytic/test_valve_4_3.py
"""

import math

from knuckleboom.kernels import kernel

KIND = 2
COLUMNS = ("gain", "overlap", "leak")


@kernel
def law(signal, gain, overlap, leak):
    """Return the opening and its slope with the signal."""
    slope = gain / (1.0 - overlap)
    y = slope * signal - overlap / (1.0 - overlap)
    root = math.sqrt(y * y + 4.0 * leak * leak)  # (2 leak)²
    # on the closed side the sum cancels: use its conjugate there
    opening = 0.5 * (y + root) if y >= 0.0 else 2.0 * leak * leak / (root - y)
    if opening >= 1.0:
        return 1.0, 0.0
    return opening, slope * opening / root if root > 0.0 else 0.5 * slope
