# SPDX-License-Identifier: BSD-3-Clause
"""The factor of bristles that hold: its ends in closed form, its slopes, and LuGre where it is off."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.laws.hold import hold

factor = callable_kernel(hold)
SPEED = 7e-3  # m/s
bends, speeds = st.floats(0.0, 3.0), st.floats(-0.1, 0.1)


@given(st.floats(0.0, 0.9), speeds)
def test_below_nine_tenths_it_is_what_speed_leaves(r, w):
    power = (w / SPEED) ** 4
    assert factor(r, w, SPEED)[0] == pytest.approx(power / (1.0 + power), rel=1e-12, abs=1e-15)


@given(st.floats(1.0, 3.0), speeds)
def test_from_the_limit_on_it_is_one(r, w):
    assert factor(r, w, SPEED)[0] == 1.0


@given(st.floats(0.0, 0.1))
def test_at_rest_it_rises_as_a_cubic(part):
    """S = x²(3 − 2x), x from 0 at r = 0.9 to 1 at r = 1."""
    x = part / 0.1
    assert factor(0.9 + part, 0.0, SPEED)[0] == pytest.approx(x * x * (3.0 - 2.0 * x), abs=1e-13)


@given(bends, speeds)
def test_it_is_between_nothing_and_lugre_and_grows_with_bend_and_speed(r, w):
    value, by_r, by_w = factor(r, w, SPEED)
    assert 0.0 <= value <= 1.0 and by_r >= 0.0 and by_w * w >= 0.0


@given(bends, speeds)
def test_slopes_are_derivatives(r, w):
    assume(all(abs(r - corner) > 1e-5 for corner in (0.9, 1.0)))  # where the curvature jumps
    h, h_w = 1e-6, 1e-6 * SPEED
    _, by_r, by_w = factor(r, w, SPEED)
    # rounding 1e-16/1e-6, and the third derivatives: 12/0.1³ and about 30/v₁³
    assert by_r == pytest.approx((factor(r + h, w, SPEED)[0] - factor(r - h, w, SPEED)[0]) / (2.0 * h), abs=1e-8)
    difference = (factor(r, w + h_w, SPEED)[0] - factor(r, w - h_w, SPEED)[0]) / (2.0 * h_w)
    assert by_w == pytest.approx(difference, abs=1e-9 / SPEED)


@given(bends, speeds)
def test_without_a_speed_it_is_lugre(r, w):
    assert factor(r, w, 0.0) == (1.0, 0.0, 0.0)
