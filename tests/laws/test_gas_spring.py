# SPDX-License-Identifier: BSD-3-Clause
"""Gas spring: the polytrope while there is oil in it, smooth, rising and positive wherever else.

Differences use steps of 1e-5 of the length over which the law changes: truncation is some 1e-10, rounding 1e-11.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import quad

from kernel_call import callable_kernel
from knuckleboom.laws.gas_spring import EMPTY, FULL, curvature_gas, energy_gas, gas_spring, strain_gas

pressure_of = callable_kernel(gas_spring)
curvature_of = callable_kernel(curvature_gas)
strain_of = callable_kernel(strain_gas)
energy_of = callable_kernel(energy_gas)
exponents = st.floats(1.0, 1.8)
precharges = st.floats(1e5, 3e7)  # Pa
empties = st.floats(1e-4, 1e-1)
filled = st.floats(0.0, 0.97)
drawn = st.floats(-5.0, 0.5).map(lambda power: -(10.0**power))


@given(filled, precharges, exponents)
def test_gas_follows_its_polytrope(e, p0, n):
    size = 0.01  # m³
    p, slope = pressure_of(e, p0, n, EMPTY)

    assert p * (size * (1.0 - e)) ** n == pytest.approx(p0 * size**n, rel=1e-13)  # p Vⁿ stays
    assert slope == pytest.approx(n * p / (1.0 - e), rel=1e-14)


@given(st.floats(1e-4, 0.97) | drawn | st.floats(0.99, 20.0), precharges, exponents, empties)
def test_slope_and_curvature_are_derivatives(e, p0, n, empty):
    length = 1.0 - e if 0.0 <= e < FULL else (max(abs(e), empty) if e < 0.0 else 1.0 - FULL)
    h = 1e-5 * length
    assume(abs(e) > h)  # the curvature jumps at the corner
    below, at, above = (pressure_of(place, p0, n, empty) for place in (e - h, e, e + h))

    assert at[1] == pytest.approx((above[0] - below[0]) / (2.0 * h), rel=1e-8)
    scale = at[1] / length
    assert curvature_of(e, p0, n, empty) == pytest.approx((above[1] - below[1]) / (2.0 * h), rel=1e-8, abs=1e-8 * scale)


@given(precharges, exponents, empties)
def test_value_and_slope_are_continuous_where_it_empties_and_where_it_is_full(p0, n, empty):
    for corner in (0.0, FULL):
        below, above = pressure_of(np.nextafter(corner, -1.0), p0, n, empty), pressure_of(corner, p0, n, empty)

        assert below == pytest.approx(above, rel=1e-13)
    assert pressure_of(0.0, p0, n, empty) == (p0, pytest.approx(n * p0, rel=1e-15))
    assert curvature_of(np.nextafter(FULL, 1.0), p0, n, empty) == curvature_of(FULL, p0, n, empty)


@given(st.floats(-1e6, 1e6), precharges, exponents, empties)
def test_pressure_is_positive_and_rises_everywhere(e, p0, n, empty):
    p, slope = pressure_of(e, p0, n, empty)

    assert p > 0.0 and slope > 0.0 and math.isfinite(p) and math.isfinite(slope)


@given(st.floats(2.0, 9.5).map(lambda power: 10.0**power), precharges, exponents, empties)
def test_pressure_of_the_strain_is_the_pressure(p, p0, n, empty):
    assert pressure_of(strain_of(p, p0, n, empty), p0, n, empty)[0] == pytest.approx(p, rel=3e-13)  # n/(1 − e) = 90


@given(st.floats(-14.0, -3.0).map(lambda power: 10.0**power), precharges, exponents)
def test_strain_keeps_its_digits_near_precharge(e, p0, n):
    for side in (e, -e * EMPTY):
        p = pressure_of(side, p0, n, EMPTY)[0]
        assert strain_of(p, p0, n, EMPTY) == pytest.approx(side, rel=1e-6, abs=3e-16)  # p itself has 16 digits


@pytest.mark.parametrize("n", [1.0, 1.0 + 1e-12, 1.2, 1.4])
@pytest.mark.parametrize("e", [-3.0, -0.01, -1e-4, 1e-3, 0.3, 0.9, 0.98, 1.3])
def test_energy_is_the_work_of_filling(e, n):
    """∫ (p − p_0) de by SciPy, from empty."""
    p0, ambient = 5e6, 101325.0
    corners = [corner for corner in (-0.1, -0.01, -0.001, FULL) if min(e, 0.0) < corner < max(e, 0.0)]
    work, _ = quad(
        lambda x: pressure_of(x, p0, n, EMPTY)[0] - ambient, 0.0, e, points=corners or None, epsrel=1e-12, limit=200
    )

    assert energy_of(e, ambient, p0, n, EMPTY) == pytest.approx(work, rel=1e-10)


@given(st.floats(0.01, 0.9), precharges)
def test_isothermal_energy_is_the_textbook_logarithm(e, p0):
    assert energy_of(e, 0.0, p0, 1.0, EMPTY) == pytest.approx(p0 * math.log(1.0 / (1.0 - e)), rel=1e-13)
