# SPDX-License-Identifier: BSD-3-Clause
"""Opening by a metering table: a smooth monotone curve through the points of a catalogue, level beyond its ends.

Law         laws/curve.py                          Validated by: validation/analytic/test_metering_table.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.laws.curve import curve

KIND = 4
COLUMNS = ("start", "count")  # of the curve's numbers in oil.curve


@kernel
def law(signal, numbers, start, count):
    """Return the opening and its slope with the signal."""
    return curve(numbers, int(start), int(count), signal)
