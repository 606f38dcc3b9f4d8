# SPDX-License-Identifier: BSD-3-Clause
"""Sine and cosine of many angles: 2 units in the last place, against the library's in extended precision.

Where `long double` is no longer than double, the library's own last place adds one unit.
"""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernel_call import callable_kernel
from knuckleboom.solvers import sine

sines = callable_kernel(sine.sines)
WIDE = np.finfo(np.longdouble).eps < np.finfo(float).eps
ULPS = 2.0 if WIDE else 3.0


def both(angle):
    s, c = np.empty_like(angle), np.empty_like(angle)
    sines(angle, s, c)
    return s, c


def units_off(value, exact):
    """How many units in the last place of the exact value we are off."""
    return float(np.max(np.abs(value - exact) / np.spacing(np.abs(exact.astype(float)))))


def assert_close(angle):
    s, c = both(angle)
    exact = angle.astype(np.longdouble)
    assert units_off(s, np.sin(exact)) <= ULPS
    assert units_off(c, np.cos(exact)) <= ULPS


@given(arrays(float, st.integers(1, 9), elements=st.floats(-sine.LARGE, sine.LARGE)))
def test_any_angles_to_two_units_in_the_last_place(angle):
    assert_close(angle)


def test_a_hundred_thousand_angles_to_two_units_in_the_last_place():
    random = np.random.default_rng(1)
    for size in (1.0, 10.0, 1e3, sine.LARGE):
        assert_close(random.uniform(-size, size, 25_000))


def test_angles_next_to_quarter_turns_lose_no_digits():
    quarters = np.arange(-60_000.0, 60_000.0, 7.0) * (math.pi / 2.0)  # where sine or cosine is smallest
    eighths = (np.arange(-60_000.0, 60_000.0, 7.0) + 0.5) * (math.pi / 2.0)  # where the reduction changes its quarter
    for angle in (quarters, eighths):
        for near in (angle, np.nextafter(angle, np.inf), np.nextafter(angle, -np.inf)):
            assert_close(near)


def test_large_angles_are_those_of_the_library():
    angle = np.array([1.1e5, -3e7, 1e15, -1e300])
    s, c = both(angle)

    assert s.tolist() == [math.sin(x) for x in angle]
    assert c.tolist() == [math.cos(x) for x in angle]


def test_zero_is_exact_and_squares_add_up():
    s, c = both(np.array([0.0, -0.0]))
    assert s.tolist() == [0.0, 0.0] and c.tolist() == [1.0, 1.0]

    s, c = both(np.linspace(-sine.LARGE, sine.LARGE, 10_001))
    assert np.abs(s * s + c * c - 1.0).max() <= 4 * np.finfo(float).eps


def test_what_is_not_a_number_stays_so_beside_good_angles():
    s, c = both(np.array([0.5, np.nan, 1.0, 0.25, 2.0]))

    assert np.isnan(s).tolist() == np.isnan(c).tolist() == [False, True, False, False, False]


def test_infinite_angles_give_no_number():
    s, c = both(np.array([np.inf, -np.inf, 1.0]))

    assert np.isnan(s[:2]).all() and np.isnan(c[:2]).all() and np.isfinite(s[2])
