# SPDX-License-Identifier: BSD-3-Clause
"""One-sided orifice: the bare root forwards, nothing backwards."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel_call import callable_kernel
from knuckleboom.laws.orifice_flow_one_sided import orifice_flow_one_sided

flow = callable_kernel(orifice_flow_one_sided)
KQ = 1e-7  # m³/(s·√Pa)
drops = st.floats(1e-3, 4e7)  # Pa


@given(drops)
def test_forwards_it_is_the_root(dp):
    q, _, secant = flow(dp, KQ)

    assert q == pytest.approx(KQ * math.sqrt(dp), rel=1e-15)
    assert secant * dp == pytest.approx(q, rel=4e-16)


@given(drops)
def test_slope_is_the_derivative_of_flow(dp):
    h = 1e-5 * dp  # truncation h²/6·Q'''/Q' is 1e-10/8, rounding 1e-11
    difference = (flow(dp + h, KQ)[0] - flow(dp - h, KQ)[0]) / (2.0 * h)

    assert flow(dp, KQ)[1] == pytest.approx(difference, rel=1e-10)


@given(st.floats(-4e7, 0.0))
def test_nothing_flows_back(dp):
    assert flow(dp, KQ) == (0.0, 0.0, 0.0)


def test_flow_is_continuous_at_zero_drop():
    assert flow(1e-30, KQ)[0] == pytest.approx(0.0, abs=KQ * 1e-14)
