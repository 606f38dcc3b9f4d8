# SPDX-License-Identifier: BSD-3-Clause
"""Opening that grows in a straight line with a signal: o = offset + gain·signal, held within 0..1.

[Naya 2011, eq. 31] with offset 0 or 1 and gain ±1. Validated by: validation/literature/test_naya_2011_rod.py
"""

from knuckleboom.kernels import kernel

KIND = 1
COLUMNS = ("offset", "gain")


@kernel
def law(signal, offset, gain):
    """Return the opening and its slope with the signal."""
    opening = offset + gain * signal
    if opening <= 0.0:
        return 0.0, 0.0
    if opening >= 1.0:
        return 1.0, 0.0
    return opening, gain
