# SPDX-License-Identifier: BSD-3-Clause
"""Extrapolated differences: smooth functions, a kink nearby, a sharp step, values that do not exist."""

import math

import numpy as np
import pytest

from knuckleboom.analysis.differences import slope


def test_smooth_functions_to_rounding():
    value, error = slope(lambda h: np.array([math.sin(1.0 + h), math.exp(h), 3.0 * h, 5.0]), 2e-2)
    assert value == pytest.approx([math.cos(1.0), 1.0, 3.0, 0.0], rel=1e-11)
    assert np.all(error < 1e-9)


@pytest.mark.parametrize("distance", [1e-2, 1e-4, 3e-6])
def test_a_kink_nearby_is_not_crossed(distance):
    value, error = slope(lambda h: np.array([1e8 * max(h + distance, 0.0)]), 2e-2)
    assert value[0] == pytest.approx(1e8, rel=1e-6)
    assert error[0] < 1.0


def test_a_kink_too_near_shows_in_the_error():
    value, error = slope(lambda h: np.array([1e8 * max(h + 1e-11, 0.0)]), 2e-2)
    assert error[0] > 0.1 * value[0]


def test_a_sharp_step():
    value, _ = slope(lambda h: np.array([math.tanh(h / 1e-3)]), 2e-2)
    assert value[0] == pytest.approx(1e3, rel=1e-9)


def test_steps_at_which_there_is_no_value_are_left_out():
    value, error = slope(lambda h: np.array([math.sqrt(1e-3 + h) if h > -1e-3 else math.nan]), 2e-2)
    assert value[0] == pytest.approx(0.5 / math.sqrt(1e-3), rel=1e-9)
    assert error[0] < 1e-6
