# SPDX-License-Identifier: BSD-3-Clause
"""Cavitating oil: inverse of its strain, bulk modulus as on its card, positive pressure at any strain.

With z = p − p_v one has e = (z − p_h²/z)/B and √(e² + ε²) = (z + p_h²/z)/B, so the relative condition of z is 1 and the
tolerances are some roundings.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from kernel_call import callable_kernel
from knuckleboom.laws.oil_cavitating import curvature_cavitating, energy_cavitating, oil_cavitating, strain_cavitating

pressure_of = callable_kernel(oil_cavitating)
strain_of = callable_kernel(strain_cavitating)
curvature_of = callable_kernel(curvature_cavitating)
energy_of = callable_kernel(energy_cavitating)
bulks = st.floats(5e8, 2.5e9)  # Pa
halves = st.floats(1e4, 1e6)  # Pa
above_vapour = st.floats(2.0, 8.6).map(lambda power: 10.0**power)  # Pa
strains = st.floats(-1.0, 0.3)


@given(above_vapour, bulks, halves)
def test_pressure_of_the_strain_is_the_pressure(p, bulk, half):
    assert pressure_of(strain_of(p, bulk, 0.0, half), bulk, 0.0, half)[0] == pytest.approx(p, rel=4e-15)


@given(above_vapour, st.floats(0.0, 1e4), bulks, halves)
def test_vapour_pressure_shifts_the_law(z, vapour, bulk, half):
    p = vapour + z
    back = pressure_of(strain_of(p, bulk, vapour, half), bulk, vapour, half)[0]

    assert back == pytest.approx(p, rel=4e-15)


@given(above_vapour, bulks, halves)
def test_slope_is_the_bulk_modulus_of_the_card(z, bulk, half):
    _, beta = pressure_of(strain_of(z, bulk, 0.0, half), bulk, 0.0, half)

    assert beta == pytest.approx(bulk * z * z / (z * z + half * half), rel=1e-14)


@given(bulks, halves)
def test_half_the_bulk_modulus_is_left_at_half(bulk, half):
    e = strain_of(half, bulk, 0.0, half)

    assert pressure_of(e, bulk, 0.0, half) == pytest.approx((half, bulk / 2.0), rel=1e-14)


@given(strains, bulks, halves)
def test_slope_is_the_derivative_of_pressure(e, bulk, half):
    h = 1e-5 * math.hypot(e, 2.0 * half / bulk)  # the law's own length: error of the order of (1e-5)², rounding 1e-11
    difference = (pressure_of(e + h, bulk, 0.0, half)[0] - pressure_of(e - h, bulk, 0.0, half)[0]) / (2.0 * h)

    assert pressure_of(e, bulk, 0.0, half)[1] == pytest.approx(difference, rel=1e-9)


@given(strains, bulks, halves)
def test_curvature_is_the_derivative_of_the_slope(e, bulk, half):
    h = 1e-5 * math.hypot(e, 2.0 * half / bulk)
    below, above = (pressure_of(place, bulk, 0.0, half)[1] for place in (e - h, e + h))

    # far above the corner the slope is flat: its own rounding over h is what is left
    assert curvature_of(e, bulk, half) == pytest.approx((above - below) / (2.0 * h), rel=1e-8, abs=1e-15 * above / h)


@given(st.floats(-1e3, 1.0), bulks, halves)
def test_pressure_and_stiffness_stay_positive_however_far_it_is_torn(e, bulk, half):
    p, slope = pressure_of(e, bulk, 0.0, half)

    assert p > 0.0 and slope > 0.0


@given(bulks, halves)
def test_both_branches_meet_at_zero_strain(bulk, half):
    tiny = 1e-20  # far below the width of the corner
    below, above = pressure_of(-tiny, bulk, 0.0, half), pressure_of(tiny, bulk, 0.0, half)

    assert below == pytest.approx(above, rel=3e-15)  # a dozen roundings
    assert above == pytest.approx((half, bulk / 2.0), rel=3e-15)


@pytest.mark.parametrize("ambient", [101325.0, 500.0])
@pytest.mark.parametrize("p", [1e3, 5e4, 2e5, 1e7, 4e7])
def test_energy_is_the_work_of_compressing(p, ambient):
    """∫ (p − p_0) de by SciPy, between the pressure of zero energy and p; the ambient may be below vapour."""
    bulk, vapour, half = 1.5e9, 700.0, 3e5
    zero = ambient if ambient > vapour else vapour + half
    start, end = strain_of(zero, bulk, vapour, half), strain_of(p, bulk, vapour, half)
    work, _ = quad(lambda e: pressure_of(e, bulk, vapour, half)[0] - ambient, start, end, epsabs=0.0, epsrel=1e-12)

    assert energy_of(p, ambient, bulk, vapour, half) == pytest.approx(work, rel=1e-10)
