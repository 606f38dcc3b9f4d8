# SPDX-License-Identifier: BSD-3-Clause
"""A smooth curve through given points that never overshoots them: piecewise cubic, level beyond its ends.

    y = y₀ + r·(h d₀ + r·(c₂ + r c₃)),   h = x₁ − x₀,   r = (x − x₀)/h          between two knots
    c₂ = 3 (y₁ − y₀) − h (2 d₀ + d₁),    c₃ = h (d₀ + d₁) − 2 (y₁ − y₀)

The slopes d of the inner knots are weighted harmonic means of the slopes beside them [Fritsch and Butland 1984], which
keeps the curve monotone wherever the points are [Fritsch and Carlson 1980]. The slope at both ends is zero (our own
choice): so value and slope are continuous where the curve becomes level. Validated by: tests/laws/test_curve.py
"""

from collections.abc import Sequence
from itertools import pairwise

from knuckleboom.kernels import kernel

WIDTH = 3  # numbers of a knot: x, y, dy/dx


@kernel
def curve(numbers, start, count, x):
    """Return y [unit of y] and dy/dx [unit of y/unit of x] at x [unit of x].

    numbers [SI] has the knots (x, y, dy/dx) one after another, x rising: count [1] of them from index start [1] on.
    """
    last = start + WIDTH * (count - 1)
    if x <= numbers[start]:
        return numbers[start + 1], 0.0 * numbers[start + 2]
    if x >= numbers[last]:
        return numbers[last + 1], 0.0 * numbers[last + 2]

    at = start
    while x >= numbers[at + WIDTH]:
        at += WIDTH

    # the cubic of Hermite of this interval; the 3s are those of its formula
    h = numbers[at + WIDTH] - numbers[at]
    r = (x - numbers[at]) / h
    rise = numbers[at + WIDTH + 1] - numbers[at + 1]
    d0, d1 = numbers[at + 2], numbers[at + WIDTH + 2]
    c2 = 3.0 * rise - h * (2.0 * d0 + d1)
    c3 = h * (d0 + d1) - 2.0 * rise
    return numbers[at + 1] + r * (h * d0 + r * (c2 + r * c3)), d0 + r * (2.0 * c2 + 3.0 * r * c3) / h


def curve_numbers(points: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """Return the knots (x, y, dy/dx) of the curve through points (x, y) with rising x, one after another."""
    widths = [after[0] - before[0] for before, after in pairwise(points)]
    if not points or not all(width > 0.0 for width in widths):
        raise ValueError("a curve needs at least one point, and each point a larger x than the one before it")
    slopes = [(after[1] - before[1]) / (after[0] - before[0]) for before, after in pairwise(points)]

    numbers: list[float] = []
    for i, (x, y) in enumerate(points):
        inner = 0 < i < len(points) - 1
        slope = _slope(widths[i - 1], widths[i], slopes[i - 1], slopes[i]) if inner else 0.0
        numbers += [x, y, slope]
    return tuple(numbers)


def _slope(h0: float, h1: float, d0: float, d1: float) -> float:
    """Return the slope at a knot between intervals of widths h0, h1 and slopes d0, d1: zero at a summit."""
    if d0 * d1 <= 0.0:
        return 0.0
    w0, w1 = 2.0 * h1 + h0, h1 + 2.0 * h0
    return d0 * (w0 + w1) * d1 / (w0 * d1 + w1 * d0)
