# SPDX-License-Identifier: BSD-3-Clause
"""The smaller of two numbers, rounded where they are nearly equal.

    min(a, b) where |a − b| ≥ r,   else a − (a − b + r)²/(4 r)          C1, at most r/4 below the smaller one

Own choice: exact away from the corner, so that a characteristic made of it keeps its published values there.
"""

from knuckleboom.kernels import kernel


@kernel
def smooth_least(a, b, r):
    """Return the smaller of a [any unit] and b [that of a], rounded over r [that of a], and its slopes with a and b."""
    d = a - b
    if d <= -r:
        return a, 1.0, 0.0
    if d >= r:
        return b, 0.0, 1.0
    share = 0.5 * (d + r) / r
    return a - 0.5 * share * (d + r), 1.0 - share, share
