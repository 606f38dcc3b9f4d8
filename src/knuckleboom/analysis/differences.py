# SPDX-License-Identifier: BSD-3-Clause
"""Slopes by central differences, extrapolated to step zero, with an error estimate.

    a_j0 = (f(h_j) − f(−h_j))/2h_j,   h_j = h_0/4ʲ,   a_jk = (16ᵏ a_j,k−1 − a_j−1,k−1)/(16ᵏ − 1)        [Ridders 1982]

Each entry keeps the a_jk that differs least from its two parents, and this difference is its error estimate. A kink
within a step (an end stop, an edge of a valve) shows in the bend |f(h) − 2 f(0) + f(−h)|/2h, which then does not fall
with h: such steps are left out, and if all have it the bend is the error. The formula is Neville's scheme for even
powers of h; choosing per entry and the bend are our own. Tested in tests/analysis/test_differences.py.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEVELS, MOST_LEVELS = 8, 12  # four decades of steps; six where a kink is near
RATIO = 4.0  # between two steps
ACCURATE = 1e-10  # relative error at which an entry needs no smaller step
KINK = 1e-3  # of the slope: a smaller bend is no kink that matters


def slope(function: Callable[[float], Array], step: float) -> tuple[Array, Array]:
    """Return df/dh at h = 0 of a vector function and the error of each entry; NaN values of f are steps too large."""
    middle = function(0.0)
    above: list[Array] = []
    best, error, last_bend = middle, np.full(len(middle), np.inf), np.full(len(middle), np.inf)
    kinked = np.zeros(len(middle), bool)
    for level in range(MOST_LEVELS):
        if level >= LEVELS and not kinked.any():
            break
        h = step / RATIO**level
        plus, minus = function(h), function(-h)
        row = [(plus - minus) / (2.0 * h)]
        bend = np.abs(plus - 2.0 * middle + minus) / (2.0 * h)
        rounding = 4.0 * np.finfo(float).eps * np.maximum(np.abs(plus), np.abs(minus)) / h  # 4: two values, two sums

        # begin again behind a kink
        kink = (bend > 0.5 * last_bend) & (bend > KINK * np.abs(row[0])) & (bend > 100.0 * rounding)
        error[kink], kinked = np.inf, kinked | kink
        for parent in above:
            parent[kink] = np.nan
        fresh = ~np.isfinite(error)
        best = np.where(fresh, row[0], best)

        for k, parent in enumerate(above, start=1):
            gain = RATIO ** (2 * k)
            row.append((gain * row[-1] - parent) / (gain - 1.0))
            change = np.maximum(np.abs(row[k] - row[k - 1]), np.abs(row[k] - parent))
            better = change < error
            best, error = np.where(better, row[k], best), np.where(better, change, error)
        above, last_bend = row, bend
        if np.all(error <= ACCURATE * np.abs(best) + rounding):
            break
    return best, np.where(np.isfinite(error), error, last_bend)
