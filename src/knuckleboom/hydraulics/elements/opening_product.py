# SPDX-License-Identifier: BSD-3-Clause
"""A signal times an input: o = gain·signal·input, of any size: swash, speed and displacement make a pump's flow.

Validated by: validation/analytic/test_pumps.py
"""

from knuckleboom.kernels import kernel

KIND = 5
COLUMNS = ("gain",)


@kernel
def law(signal, other, gain):
    """Return the product and its slope with the signal; the other factor is an input and has none."""
    return gain * signal * other, gain * other
