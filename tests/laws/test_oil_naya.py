# SPDX-License-Identifier: BSD-3-Clause
"""Naya's oil: the pressure law is the inverse of the strain, and its slope is the bulk modulus of the paper.

Tolerances: a dozen roundings of 1e-16, times the condition of the root (below 3 up to 1000 bar).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from kernel_call import callable_kernel
from knuckleboom.laws.oil_naya import curvature_naya, energy_naya, oil_naya, strain_naya

A, B = 6.53e-10, -1.19e-18  # 1/Pa, 1/Pa²: the oil of kb.fluids.naya()
pressure_of = callable_kernel(oil_naya)
strain_of = callable_kernel(strain_naya)
curvature_of = callable_kernel(curvature_naya)
energy_of = callable_kernel(energy_naya)
pressures = st.floats(1.0, 1e8)  # Pa


@given(pressures)
def test_pressure_of_the_strain_is_the_pressure(p):
    assert pressure_of(strain_of(p, A, B), A, B)[0] == pytest.approx(p, rel=1e-14)


@given(pressures)
def test_slope_is_the_bulk_modulus_of_the_paper(p):
    _, beta = pressure_of(strain_of(p, A, B), A, B)

    assert beta == pytest.approx((1.0 + A * p + B * p * p) / (A + 2.0 * B * p), rel=1e-14)


@given(st.floats(-0.03, 0.03))
def test_slope_is_the_derivative_of_pressure(e):
    h = 1e-5  # error h²/6·p'''/p', and p'''/p' is about 100 at most here; rounding gives 1e-12
    difference = (pressure_of(e + h, A, B)[0] - pressure_of(e - h, A, B)[0]) / (2.0 * h)

    assert pressure_of(e, A, B)[1] == pytest.approx(difference, rel=1e-8)


@given(st.floats(-0.03, 0.03))
def test_curvature_is_the_derivative_of_the_slope(e):
    h = 1e-5  # as for the slope
    difference = (pressure_of(e + h, A, B)[1] - pressure_of(e - h, A, B)[1]) / (2.0 * h)

    assert curvature_of(e, A, B) == pytest.approx(difference, rel=1e-7)


@given(pressures)
def test_without_the_quadratic_term_it_is_the_exact_inverse_of_a_straight_line(p):
    assert pressure_of(strain_of(p, A, 0.0), A, 0.0)[0] == pytest.approx(p, rel=1e-14)


@given(st.floats(1e-12, 0.03))
def test_strained_oil_is_under_pressure_and_stretched_oil_under_tension(e):
    assert pressure_of(e, A, B)[0] > 0.0 > pressure_of(-e, A, B)[0]


@pytest.mark.parametrize("p", [-1e6, 1e4, 2e5, 1e7, 4e7, 1e8])
def test_energy_is_the_work_of_compressing(p):
    """∫ (p − p_0) de by SciPy; five points of Gauss leave rounding."""
    ambient = 101325.0
    start, end = strain_of(ambient, A, B), strain_of(p, A, B)
    work, _ = quad(lambda e: pressure_of(e, A, B)[0] - ambient, start, end, epsabs=0.0, epsrel=1e-12)

    assert energy_of(p, ambient, A, B) == pytest.approx(work, rel=1e-10)
