# SPDX-License-Identifier: BSD-3-Clause
"""The rounded smaller one of two numbers: exact away from its corner, slopes as differenced. Rank: closed form."""

import numpy as np
import pytest

from kernel_call import callable_kernel
from knuckleboom.laws.smooth_least import smooth_least

least = callable_kernel(smooth_least)
ROUND = 0.2


@pytest.mark.parametrize("a", [-1.0, 0.8, 1.2, 3.0])
def test_away_from_the_corner_it_is_the_smaller_one(a):
    assert least(a, 1.0, ROUND) == pytest.approx((min(a, 1.0), float(a < 1.0), float(a > 1.0)), abs=1e-15)


@pytest.mark.parametrize("a", np.linspace(0.7, 1.3, 25))
def test_it_is_below_both_by_a_quarter_of_the_rounding_at_most(a):
    value = least(a, 1.0, ROUND)[0]
    assert min(a, 1.0) - 0.25 * ROUND - 1e-15 <= value <= min(a, 1.0)
    assert value == pytest.approx(least(1.0, a, ROUND)[0], abs=1e-15)
    assert least(1.0, 1.0, ROUND)[0] == pytest.approx(1.0 - 0.25 * ROUND)


@pytest.mark.parametrize("a", np.linspace(0.7, 1.3, 25))
def test_slopes_are_the_derivatives(a):
    h = 1e-6
    _, by_a, by_b = least(a, 1.0, ROUND)
    assert by_a == pytest.approx((least(a + h, 1.0, ROUND)[0] - least(a - h, 1.0, ROUND)[0]) / (2 * h), abs=1e-5)
    assert by_b == pytest.approx((least(a, 1.0 + h, ROUND)[0] - least(a, 1.0 - h, ROUND)[0]) / (2 * h), abs=1e-5)
    assert by_a + by_b == pytest.approx(1.0)
