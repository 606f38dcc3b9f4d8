# SPDX-License-Identifier: BSD-3-Clause
"""Ramps: an input that is linear between points, for the work cycles of machines; constant before and after them.

Ramps({0.5: 0.0, 0.8: 0.6, 4.2: 0.6, 4.5: 0.0})          time in s: value; a lever pulled, held and let go

Validated by: validation/analytic/test_excavator.py
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping


class Ramps:
    """A function of time, as kb.simulate takes for an input."""

    def __init__(self, points: Mapping[float, float]) -> None:
        self.times, self.values = tuple(points), tuple(points.values())
        if list(self.times) != sorted(set(self.times)):
            raise ValueError(f"times of ramps must rise: {self.times}")

    def __call__(self, time: float) -> float:
        later = bisect_right(self.times, time)
        if later in (0, len(self.times)):
            return self.values[max(0, later - 1)]
        begin, end = self.times[later - 1], self.times[later]
        low, high = self.values[later - 1], self.values[later]
        return low + (high - low) * (time - begin) / (end - begin)
