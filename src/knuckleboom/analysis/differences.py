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
SMALL = 1e-3  # of the largest entry of its kind: what is smaller is judged as if it were this
NOISE = 16.0 * np.finfo(float).eps  # of the largest value of its kind: rounding, and some cancellation


def slope(
    function: Callable[[float], Array], step: float, kinds: NDArray[np.intp] | None = None
) -> tuple[Array, Array]:
    """Return df/dh at h = 0 of a vector function and the error of each entry; NaN values of f are steps too large.

    Entries of one kind (a number for each) have one unit and are about as uncertain; without kinds each is its own.
    """
    middle = function(0.0)
    kinds = np.arange(len(middle)) if kinds is None else kinds
    above: list[Array] = []
    best, error, last_bend = middle, np.full(len(middle), np.inf), np.full(len(middle), np.inf)
    before, doubt = best, error  # what was best before a kink
    kinked = np.zeros(len(middle), bool)
    for level in range(MOST_LEVELS):
        if level >= LEVELS and not kinked.any():
            break
        h = step / RATIO**level
        plus, minus = function(h), function(-h)
        row = [(plus - minus) / (2.0 * h)]
        bend = np.abs(plus - 2.0 * middle + minus) / (2.0 * h)
        rounding = NOISE * largest(np.maximum(np.abs(plus), np.abs(minus)), kinds) / h

        # begin again behind a kink, and remember what was before it
        size = np.maximum(np.abs(row[0]), SMALL * largest(np.abs(row[0]), kinds))
        kink = (bend > 0.5 * last_bend) & (bend > KINK * size) & (bend > 100.0 * rounding)
        better = kink & (np.maximum(error, bend) < doubt)
        before, doubt = np.where(better, best, before), np.where(better, np.maximum(error, bend), doubt)
        error, kinked = np.where(kink, np.inf, error), kinked | kink
        for parent in above:
            parent[kink] = np.nan
        best = np.where(np.isfinite(error), best, row[0])

        for k, parent in enumerate(above, start=1):
            gain = RATIO ** (2 * k)
            row.append((gain * row[-1] - parent) / (gain - 1.0))
            change = np.maximum(np.abs(row[k] - row[k - 1]), np.abs(row[k] - parent))
            better = change < error
            best, error = np.where(better, row[k], best), np.where(better, change, error)
        above, last_bend = row, bend
        size = np.maximum(np.abs(best), SMALL * largest(np.abs(best), kinds))
        if np.all(error <= ACCURATE * size + rounding):
            break
    error = np.where(np.isfinite(error), error, last_bend)
    return np.where(doubt < error, before, best), np.minimum(doubt, error)


def largest(values: Array, kinds: NDArray[np.intp]) -> Array:
    """The largest value of each entry's kind; NaN values do not count."""
    found = np.zeros(int(kinds.max(initial=-1)) + 1)
    np.maximum.at(found, kinds, np.where(np.isfinite(values), values, 0.0))
    return np.asarray(found[kinds])
