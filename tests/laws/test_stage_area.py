# SPDX-License-Identifier: BSD-3-Clause
"""Telescopic cylinder: the area is that of the stage that moves and the exact derivative of the volume."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.laws.stage_area import SOFT, stage_area, stage_numbers

of = callable_kernel(stage_area)
AREAS, STROKES, CLOSED = (7.9e-3, 5.0e-3, 2.8e-3), (0.4, 0.5, 0.45), 0.6  # m², m, m
ENDS = tuple(itertools.accumulate(STROKES, initial=CLOSED))
NUMBERS = (np.array((7.0, 7.0, *stage_numbers(AREAS, STROKES, CLOSED))), 2, 3)  # behind numbers of something else
places = st.floats(CLOSED - 0.2, ENDS[-1] + 0.2)


@pytest.mark.parametrize("stage", [0, 1, 2])
@given(part=st.floats(SOFT, 1.0 - SOFT))
def test_within_a_stage_the_area_is_its_own_and_the_volume_that_of_a_staircase(stage, part):
    x = ENDS[stage] + part * STROKES[stage]
    full = sum(area * stroke for area, stroke in zip(AREAS[:stage], STROKES[:stage], strict=True))

    volume, area, bend = of(*NUMBERS, x)

    assert area == pytest.approx(AREAS[stage], rel=1e-15) and bend == 0.0
    assert volume == pytest.approx(full + AREAS[stage] * (x - ENDS[stage]), rel=1e-13)


def test_the_whole_stroke_takes_the_sum_of_the_stages():
    whole = sum(area * stroke for area, stroke in zip(AREAS, STROKES, strict=True))

    assert of(*NUMBERS, CLOSED) == pytest.approx((0.0, AREAS[0], 0.0), abs=1e-15)
    assert of(*NUMBERS, ENDS[-1]) == pytest.approx((whole, AREAS[-1], 0.0), rel=1e-14)


@given(places)
def test_area_is_the_derivative_of_the_volume(x):
    h = 1e-6  # a ten-thousandth of a step's width: truncation 1e-8 of the area's change, rounding 1e-10
    below, above = (of(*NUMBERS, place)[0] for place in (x - h, x + h))

    assert of(*NUMBERS, x)[1] == pytest.approx((above - below) / (2.0 * h), rel=1e-7)


@given(st.floats(0.0, 1.0), st.integers(1, 2))
def test_bend_is_the_derivative_of_the_area_inside_a_step(part, stage):
    width = SOFT * min(STROKES[stage - 1 : stage + 1])
    x, h = ENDS[stage] + 0.99 * (part - 0.5) * width, 1e-4 * width
    below, above = (of(*NUMBERS, place)[1] for place in (x - h, x + h))

    bend = of(*NUMBERS, x)[2]

    assert bend == pytest.approx((above - below) / (2.0 * h), abs=1e-7 * AREAS[0] / width)  # a cubic: h²/6·A‴


@given(places, places)
def test_more_length_is_more_volume_and_less_area(x, further):
    x, further = sorted((x, further))
    (volume, area, _), (more, less, _) = of(*NUMBERS, x), of(*NUMBERS, further)

    assert more >= volume and less <= area * (1.0 + 1e-15)


def test_one_stage_is_a_plain_cylinder():
    numbers = np.array(stage_numbers((2e-3,), (0.3,)))

    assert of(numbers, 0, 1, 0.1) == pytest.approx((2e-4, 2e-3, 0.0), rel=1e-15)
