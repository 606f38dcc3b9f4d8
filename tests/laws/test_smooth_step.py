# SPDX-License-Identifier: BSD-3-Clause
"""The smooth step: level at both ends, slope as differenced, odd about its middle. Rank: closed form."""

import numpy as np
import pytest

from kernel_call import callable_kernel
from knuckleboom.laws.smooth_step import smooth_step

step = callable_kernel(smooth_step)


@pytest.mark.parametrize("r, value", [(-1.0, 0.0), (0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (2.0, 1.0)])
def test_values(r, value):
    assert step(r)[0] == value


@pytest.mark.parametrize("r", np.linspace(-0.2, 1.2, 29))
def test_slope_is_the_derivative(r):
    h = 1e-6
    assert step(r)[1] == pytest.approx((step(r + h)[0] - step(r - h)[0]) / (2 * h), abs=1e-5)


@pytest.mark.parametrize("r", np.linspace(0.0, 0.5, 11))
def test_it_is_odd_about_its_middle_and_steepest_there(r):
    assert step(0.5 - r)[0] + step(0.5 + r)[0] == pytest.approx(1.0, abs=1e-15)
    assert step(0.5 + r)[1] <= step(0.5)[1] == 1.5
