# SPDX-License-Identifier: BSD-3-Clause
"""The rounded positive part: zero and exact away from its corner, slopes as differenced. Rank: closed form."""

import numpy as np
import pytest

from kernel_call import callable_kernel
from knuckleboom.laws.smooth_positive import smooth_positive

positive = callable_kernel(smooth_positive)
ROUND = 0.2


@pytest.mark.parametrize("x, value", [(-3.0, 0.0), (0.0, 0.0), (0.2, 0.2), (1.0, 1.0)])
def test_away_from_the_corner(x, value):
    assert positive(x, ROUND) == (value, float(value > 0.0))


@pytest.mark.parametrize("x", np.linspace(-0.05, 0.3, 29))
def test_slope_is_the_derivative_and_the_value_between_0_and_x(x):
    h = 1e-7
    value, slope = positive(x, ROUND)
    assert slope == pytest.approx((positive(x + h, ROUND)[0] - positive(x - h, ROUND)[0]) / (2 * h), abs=1e-5)
    assert 0.0 <= value <= max(x, 0.0) + 1e-15
