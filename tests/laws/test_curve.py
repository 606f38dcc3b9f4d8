# SPDX-License-Identifier: BSD-3-Clause
"""The curve through points: SciPy's pchip between inner knots, monotone, level and smooth at its ends."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from kernel_call import callable_kernel
from knuckleboom.laws.curve import curve, curve_numbers

value_of = callable_kernel(curve)
POINTS = ((-1.0, 0.1), (-0.2, 0.1), (0.0, 0.3), (0.1, 1.7), (0.6, 1.9), (1.0, 4.0))
steps = st.floats(1e-3, 10.0)


@st.composite
def rising_points(draw):
    widths = draw(st.lists(steps, min_size=1, max_size=7))
    rises = draw(st.lists(st.floats(0.0, 10.0), min_size=len(widths), max_size=len(widths)))
    start = draw(st.floats(-5.0, 5.0))
    return tuple(zip(start + np.cumsum([0.0, *widths]), np.cumsum([0.0, *rises]), strict=True))


def knots(points):
    """The knots behind five numbers of something else, as they lie in a plan."""
    return np.array((7.0,) * 5 + curve_numbers(points)), 5, len(points)


@given(st.floats(-0.2, 0.6))
def test_between_inner_knots_it_is_the_pchip_of_scipy(x):
    x_knots, y_knots = zip(*POINTS, strict=True)
    scipy = PchipInterpolator(x_knots, y_knots)

    assert value_of(*knots(POINTS), x) == pytest.approx(
        (float(scipy(x)), float(scipy.derivative()(x))), rel=1e-12, abs=1e-12
    )


@given(rising_points(), st.floats(0.0, 1.0))
def test_it_is_the_cubic_of_hermite_through_its_knots(points, part):
    numbers = np.reshape(curve_numbers(points), (-1, 3))
    scipy = CubicHermiteSpline(*numbers.T)
    x = points[0][0] + part * (points[-1][0] - points[0][0])
    steepest = max(1.0, *np.abs(np.diff(numbers[:, 1]) / np.diff(numbers[:, 0])))

    value, slope = value_of(*knots(points), x)

    assert value == pytest.approx(float(scipy(x)), abs=1e-11)
    assert slope == pytest.approx(float(scipy.derivative()(x)), abs=1e-11 * steepest / np.diff(numbers[:, 0]).min())


@given(rising_points(), st.floats(-0.2, 1.2))
def test_rising_points_make_a_curve_that_never_falls_nor_overshoots(points, part):
    x = points[0][0] + part * (points[-1][0] - points[0][0])

    value, slope = value_of(*knots(points), x)

    steepest = max((b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(points))
    assert slope >= -1e-13 * steepest  # rounding of the slope of a cubic that touches zero
    assert points[0][1] - 1e-13 <= value <= points[-1][1] + 1e-12


@given(rising_points())
def test_value_and_slope_are_continuous_at_every_knot(points):
    for x, y in points:
        below, at, above = (
            value_of(*knots(points), place) for place in (np.nextafter(x, -9e9), x, np.nextafter(x, 9e9))
        )

        assert at[0] == pytest.approx(y, abs=1e-14)
        scale = max((b[1] - a[1]) / (b[0] - a[0]) ** 2 for a, b in pairwise(points))
        assert below == pytest.approx(at, abs=1e-12 * (1.0 + scale))  # one rounding of x times the curvature
        assert above == pytest.approx(at, abs=1e-12 * (1.0 + scale))


def test_level_beyond_its_ends():
    assert value_of(*knots(POINTS), -1e9) == (0.1, 0.0)
    assert value_of(*knots(POINTS), 1e9) == (4.0, 0.0)
    assert value_of(*knots(((2.0, 5.0),)), 2.0) == (5.0, 0.0)  # one point is a constant


def test_a_value_that_is_no_number_is_not_hidden():
    assert np.isnan(value_of(*knots(POINTS), np.nan)[0])


@pytest.mark.parametrize("points", [(), ((0.0, 1.0), (0.0, 2.0)), ((1.0, 0.0), (0.5, 1.0))])
def test_points_that_are_no_curve_are_refused(points):
    with pytest.raises(ValueError, match="larger x than the one before"):
        curve_numbers(points)
