# SPDX-License-Identifier: BSD-3-Clause
"""Oil with air: the formula of the card, inverted to rounding at any strain, with its slopes and its energy.

The strain of a pressure near the reference is small, so its inverse amplifies roundings of e by 1/(q de/dq): the
tolerance of a round trip is some roundings times that.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from kernel_call import callable_kernel
from knuckleboom.laws.oil_with_air import (
    TORN,
    curvature_with_air,
    energy_with_air,
    oil_with_air,
    strain_with_air,
)

pressure_of = callable_kernel(oil_with_air)
curvature_of = callable_kernel(curvature_with_air)
strain_of = callable_kernel(strain_with_air)
energy_of = callable_kernel(energy_with_air)


@st.composite
def oils(draw):
    """Bulk modulus, part of air, reference and vapour pressure, exponent."""
    alpha = 10.0 ** draw(st.floats(-4.0, math.log10(0.2)))
    reference = 10.0 ** draw(st.floats(4.0, 6.5))
    vapour = draw(st.floats(0.0, 0.5)) * reference
    return draw(st.floats(5e8, 2.5e9)), alpha, reference, vapour, draw(st.floats(1.0, 1.7))


strains = st.floats(-5.0, 0.3) | st.floats(-0.02, 0.04) | st.floats(-12.0, -2.0).map(lambda power: 10.0**power)
OIL = (1.4e9, 0.01, 101325.0, 500.0, 1.2)


def volume(p, oil):
    """The sum of the card, as it stands there."""
    bulk, alpha, reference, vapour, exponent = oil
    oil_part = (1.0 - alpha) * math.exp(-(p - reference) / bulk)
    return oil_part + alpha * ((reference - vapour) / (p - vapour)) ** (1.0 / exponent)


@given(st.floats(-3.0, 3.5).map(lambda power: 10.0**power), oils())
def test_strain_is_that_of_oil_and_bubbles_added(q, oil):
    p = oil[3] + q * (oil[2] - oil[3])

    assert strain_of(p, *oil) == pytest.approx(-math.log(volume(p, oil)), rel=1e-13, abs=1e-15)


@given(st.floats(-6.0, 3.5).map(lambda power: 10.0**power), oils())
def test_pressure_of_the_strain_is_the_pressure(q, oil):
    p = oil[3] + q * (oil[2] - oil[3])
    e = strain_of(p, *oil)

    back, slope = pressure_of(e, *oil)

    assert back == pytest.approx(p, rel=1e-14 + 3e-16 * (1.0 + abs(e)) * slope / p)


@given(strains, oils())
def test_pressure_is_that_of_a_root_finder_of_scipy(e, oil):
    bulk, alpha, reference, vapour, exponent = oil
    dry = (bulk, alpha, reference - vapour, 0.0, exponent)  # counted from vapour pressure, where digits are kept
    root = brentq(
        lambda y: strain_of((reference - vapour) * math.exp(y), *dry) - e, -60.0, 25.0, xtol=1e-14, rtol=1e-14
    )

    p, slope = pressure_of(e, *dry)

    assert p == pytest.approx((reference - vapour) * math.exp(root), rel=1e-12 + 1e-15 * slope / p)


@given(strains, oils())
def test_slope_and_curvature_are_derivatives(e, oil):
    p, slope = pressure_of(e, *oil)
    length = (p - oil[3]) / slope  # over which p changes by itself
    h = 1e-4 * min(length, max(abs(e), 1e-4))
    ends = [pressure_of(place, *oil) for place in (e - 2.0 * h, e - h, e + h, e + 2.0 * h)]
    by_e, by_e_2 = (
        (ends[0][i] - 8.0 * ends[1][i] + 8.0 * ends[2][i] - ends[3][i]) / (12.0 * h) for i in (0, 1)
    )  # fourth order

    noise = 1e-15 * (1.0 + abs(e)) / h  # of e itself
    assert slope == pytest.approx(by_e, rel=1e-9 + 20.0 * noise + 1e-15 * p / (slope * h))
    assert curvature_of(e, *oil) == pytest.approx(by_e_2, rel=1e-7 + 100.0 * noise, abs=(1e-7 + 100 * noise) * slope)


@given(st.floats(-1e6, 1e3), oils())
def test_never_anything_but_numbers(e, oil):
    p, slope = pressure_of(e, *oil)

    assert p >= oil[3] and slope >= 0.0 and math.isfinite(slope)
    assert math.isfinite(curvature_of(e, *oil))


def test_a_strain_that_is_no_number_is_not_hidden():
    assert math.isnan(pressure_of(math.nan, *OIL)[0])


@given(oils())
def test_both_forms_meet_where_the_bubbles_are_all(oil):
    dry = (*oil[:3], 0.0, oil[4])
    inside, torn = (pressure_of(e, *dry) for e in (TORN, math.nextafter(TORN, -99.0)))

    assert inside == pytest.approx(torn, rel=1e-12)
    assert curvature_of(TORN, *dry) == pytest.approx(curvature_of(math.nextafter(TORN, -99.0), *dry), rel=1e-12)


@given(oils())
def test_at_the_reference_the_compressibilities_add_up(oil):
    """1/β = (1 − α)/B + α/(n (p_r − p_v)): the textbook sum of oil and bubbles."""
    bulk, alpha, reference, vapour, exponent = oil
    p, slope = pressure_of(0.0, *oil)

    assert p == pytest.approx(reference, rel=1e-15)
    assert 1.0 / slope == pytest.approx((1.0 - alpha) / bulk + alpha / (exponent * (reference - vapour)), rel=1e-14)


@given(st.floats(1e7, 1e8))
def test_at_high_pressure_it_is_as_stiff_as_oil_alone(p):
    bulk, alpha, reference, vapour, exponent = OIL
    slope = pressure_of(strain_of(p, *OIL), *OIL)[1]

    # what the bubbles add: α q^(−1/n)/(n p) of compressibility
    added = alpha * (reference / p) ** (1.0 / exponent) / (exponent * p)
    assert bulk / slope == pytest.approx(1.0 + bulk * added, rel=0.02)


@pytest.mark.parametrize("ambient", [101325.0, 400.0])
@pytest.mark.parametrize("p", [500.0 + 1e-3, 1e3, 5e4, 1e5, 2e5, 1e7, 4e7])
@pytest.mark.parametrize("alpha", [1e-4, 0.2])
def test_energy_is_the_work_of_compressing(p, alpha, ambient):
    """∫ (p − p_0) de by SciPy, with p itself as variable; the ambient may be below vapour."""
    bulk, reference, vapour, exponent = 1.5e9, 101325.0, 500.0, 1.4
    oil = (bulk, alpha, reference, vapour, exponent)
    zero = ambient if ambient > vapour else reference

    def work(y):
        x = vapour + math.exp(y)
        bubbles = alpha * ((reference - vapour) / (x - vapour)) ** (1.0 / exponent)
        fall = (1.0 - alpha) * math.exp((reference - x) / bulk) / bulk + bubbles / (exponent * (x - vapour))
        return (x - ambient) * (x - vapour) * fall / volume(x, oil)

    start, end = math.log(zero - vapour), math.log(p - vapour)
    done, _ = quad(work, start, end, epsabs=0.0, epsrel=1e-12)

    assert energy_of(p, ambient, *oil) == pytest.approx(done, rel=1e-9)
