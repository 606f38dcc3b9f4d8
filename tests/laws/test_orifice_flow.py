# SPDX-License-Identifier: BSD-3-Clause
"""Orifice flow: the root above the transition, an odd cubic below that joins it in value and slope."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.laws.orifice_flow import orifice_flow

flow = callable_kernel(orifice_flow)
drops = st.floats(-4e7, 4e7)  # Pa
transitions = st.floats(1e3, 5e5)  # Pa
CD, AREA, DENSITY = 0.67, 3e-6, 860.0  # 1, m², kg/m³
KQ = CD * AREA * math.sqrt(2.0 / DENSITY)


@given(st.floats(5e5, 4e7), transitions)
def test_above_the_transition_it_is_the_formula_of_the_source(dp, dp_tr):
    assert flow(dp, KQ, dp_tr)[0] == pytest.approx(CD * AREA * math.sqrt(2.0 * dp / DENSITY), rel=1e-15)


@given(drops, transitions)
def test_flow_is_odd(dp, dp_tr):
    q, slope, secant = flow(dp, KQ, dp_tr)

    assert flow(-dp, KQ, dp_tr) == (-q, slope, secant)


@given(drops, transitions)
def test_secant_is_flow_over_drop(dp, dp_tr):
    q, _, secant = flow(dp, KQ, dp_tr)

    assert secant * dp == pytest.approx(q, rel=4e-16)
    assert secant > 0.0


@given(st.floats(-5.0, 5.0), transitions)
def test_slope_is_the_derivative_of_flow(ratio, dp_tr):
    dp, h = ratio * dp_tr, 1e-5 * dp_tr
    assume(abs(abs(ratio) - 1.0) > 1e-4)  # the curvature jumps at the transition
    difference = (flow(dp + h, KQ, dp_tr)[0] - flow(dp - h, KQ, dp_tr)[0]) / (2.0 * h)

    # truncation (1e-5)²/6·Q'''·tr²/Q' is below 1e-10, rounding eps·Q/(h·Q') below 1e-10
    assert flow(dp, KQ, dp_tr)[1] == pytest.approx(difference, rel=2e-10)


@given(transitions)
def test_value_and_slope_are_continuous_at_the_transition(dp_tr):
    inside = flow(np.nextafter(dp_tr, 0.0), KQ, dp_tr)

    assert inside == pytest.approx(flow(dp_tr, KQ, dp_tr), rel=2e-15)


@given(transitions)
def test_slope_is_finite_and_equal_on_both_sides_of_zero(dp_tr):
    below, at, above = (flow(dp, KQ, dp_tr)[1] for dp in (-1e-300, 0.0, 1e-300))

    assert below == at == above == pytest.approx(1.25 * KQ / math.sqrt(dp_tr), rel=1e-15)


@given(drops, transitions)
def test_more_drop_is_more_flow(dp, dp_tr):
    assert flow(dp, KQ, dp_tr)[1] > 0.0
