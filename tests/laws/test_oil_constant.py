# SPDX-License-Identifier: BSD-3-Clause
"""Oil of constant bulk modulus: a straight line, its inverse, and half the square as energy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from kernel_call import callable_kernel
from knuckleboom.laws.oil_cavitating import oil_cavitating
from knuckleboom.laws.oil_constant import energy_constant, oil_constant, strain_constant
from knuckleboom.laws.oil_naya import oil_naya

pressure_of = callable_kernel(oil_constant)
strain_of = callable_kernel(strain_constant)
cavitating = callable_kernel(oil_cavitating)
naya = callable_kernel(oil_naya)
energy_of = callable_kernel(energy_constant)
bulks = st.floats(5e8, 2.5e9)  # Pa
strains = st.floats(-0.1, 0.1)


@given(strains, bulks)
def test_pressure_is_bulk_modulus_times_strain_also_in_tension(e, bulk):
    assert pressure_of(e, bulk) == (bulk * e, bulk)


@given(st.floats(-1e7, 1e8), bulks)
def test_pressure_of_the_strain_is_the_pressure(p, bulk):
    assert pressure_of(strain_of(p, bulk), bulk)[0] == pytest.approx(p, rel=4e-16)


@given(st.floats(1e-3, 0.03), bulks)
def test_it_is_the_limit_of_cavitating_oil_whose_corner_is_sharp(e, bulk):
    sharp = cavitating(e, bulk, 0.0, 1.0)

    assert sharp == pytest.approx(pressure_of(e, bulk), rel=1e-9)


@given(st.floats(-1e-6, 1e-6), bulks)
def test_it_is_the_tangent_of_naya_s_oil_at_zero_pressure(e, bulk):
    assert naya(e, 1.0 / bulk, 0.0) == pytest.approx(pressure_of(e, bulk), rel=2e-6)


@pytest.mark.parametrize("p", [-1e6, 1e4, 2e5, 1e7, 4e7])
def test_energy_is_the_work_of_compressing(p):
    bulk, ambient = 1.4e9, 101325.0
    start, end = strain_of(ambient, bulk), strain_of(p, bulk)
    work, _ = quad(lambda e: pressure_of(e, bulk)[0] - ambient, start, end, epsabs=0.0, epsrel=1e-12)

    assert energy_of(p, ambient, bulk) == pytest.approx(work, rel=1e-10)
