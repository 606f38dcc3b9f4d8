# SPDX-License-Identifier: BSD-3-Clause
"""Volume and area of a telescopic cylinder over its length: the area steps from stage to stage, smoothly.

    V(x) = A₁ (x − x₁) + Σ (Aᵢ − Aᵢ₋₁) dᵢ I(r),   A = V′,   r = (x − xᵢ)/dᵢ + ½
    I = 0 for r ≤ 0,   r³ − r⁴/2 for r in 0..1 (the integral of r²(3 − 2 r)),   r − ½ for r ≥ 1

Stage i begins at xᵢ, its step spread over dᵢ around it (that width is our own choice; a full stroke takes Σ Aᵢ Lᵢ
whatever it is). The stage with the largest area moves first, as it does at the lowest pressure; the order is fixed, and
masses of stages are not modelled. Below the first and above the last stage the area stays.
A is the exact derivative of V, so that p·A is the force and p·V̇ the power. Validated by: tests/laws/test_stage_area.py
"""

from collections.abc import Sequence

from knuckleboom.kernels import kernel
from knuckleboom.laws.smooth_step import smooth_step

WIDTH = 3  # numbers of a stage: where it begins, its area, the width of the step to it
SOFT = 0.02
"""Width of a step, as a part of the shorter of the two strokes beside it."""


@kernel
def stage_area(numbers, start, count, x):
    """Return V [m³] above that at x₁, A [m²] and dA/dx [m] at x [m].

    numbers [SI] has the stages (begin [m], area [m²], width of the step [m]): count [1] of them from start [1] on.
    """
    area = numbers[start + 1]
    volume, bend = area * (x - numbers[start]), 0.0 * numbers[start + 2]
    for at in range(start + WIDTH, start + WIDTH * count, WIDTH):
        step, width = numbers[at + 1] - numbers[at - WIDTH + 1], numbers[at + 2]
        r = (x - numbers[at]) / width + 0.5
        share, slope = smooth_step(r)
        area = area + step * share
        volume += step * width * (r - 0.5 if r >= 1.0 else max(r, 0.0) ** 3 * (1.0 - 0.5 * r))
        bend += step / width * slope
    return volume, area, bend


def stage_numbers(areas: Sequence[float], strokes: Sequence[float], at: float = 0.0) -> tuple[float, ...]:
    """Return the stages (begin, area, width of the step) of a cylinder that is closed at ``at``, one after another."""
    numbers: list[float] = []
    begin, before = at, strokes[0]
    for area, stroke in zip(areas, strokes, strict=True):
        numbers += [begin, area, SOFT * min(before, stroke)]
        begin, before = begin + stroke, stroke
    return tuple(numbers)
