# SPDX-License-Identifier: BSD-3-Clause
"""A signal as it is: o = signal, of any size. Not an opening in its strict sense: it is the flow of a flow source.

Validated by: validation/analytic/test_flow_source.py
"""

from knuckleboom.kernels import kernel

KIND = 3
COLUMNS = ()


@kernel
def law(signal):
    """Return the signal and its slope, 1."""
    return signal, 1.0
