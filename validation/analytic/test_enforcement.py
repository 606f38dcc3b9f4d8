# SPDX-License-Identifier: BSD-3-Clause
"""Ways to enforce loops and to factor the equations give one motion: the four-bar over a full turn.

Rank: closed form for lagrange (test_four_bar.py); here each way against the quadrature t(θ) and against lagrange.
Dense and sparse factorisation solve the same equations: 1e-9 after 2500 steps covers rounding times the condition of
the matrix. Augmented iterates to the lagrange solution: 1e-8. Penalty leaves accelerations violated by constraint
force/penalty, 1e-7 of them for a factor of 1e7 times the mass scale [Bayo 1988]; over a turn of 6 rad that is 1e-6.
"""

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import four_bar, slider_crank
from references.linkages import FourBar

MODEL, THETA, RATE, STEP, DURATION = FourBar(), 0.3, 20.0, 2e-4, 0.5


def run(**options):
    return kb.simulate(four_bar(MODEL, THETA, RATE, "tip"), DURATION, step=STEP, record=5e-3, **options)


@pytest.fixture(scope="module")
def lagrange():
    return run(enforcement="lagrange", factorisation="sparse")


@pytest.mark.parametrize("enforcement", ["lagrange", "penalty", "augmented"])
def test_dense_is_sparse(enforcement):
    sparse = run(enforcement=enforcement, factorisation="sparse")
    dense = run(enforcement=enforcement, factorisation="dense")
    for name in ("main.angle", "knee.angle", "foot.angle", "tip.angle"):
        assert dense[name].values == pytest.approx(sparse[name].values, abs=1e-9)


@pytest.mark.parametrize("make", [slider_crank, four_bar])
def test_multipliers_agree_between_factorisations(make):
    """Reactions too: relative to the largest, 1e-6 (they are accelerations times mass, more sensitive than angles)."""
    name = "wrist" if make is slider_crank else "tip"
    values = [
        kb.simulate(make(cut=name), 0.1, step=STEP, record=5e-3, factorisation=kind)[f"{name}.multiplier"].values
        for kind in ("sparse", "dense")
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-6 * np.abs(values[1]).max())


@pytest.mark.parametrize(("enforcement", "limit"), [("augmented", 1e-8), ("penalty", 1e-6)])
@pytest.mark.parametrize("factorisation", ["sparse", "dense"])
def test_other_enforcements_follow_lagrange(lagrange, enforcement, limit, factorisation):
    other = run(enforcement=enforcement, factorisation=factorisation)
    for name in ("main.angle", "knee.angle", "foot.angle", "tip.angle"):
        assert other[name].values == pytest.approx(lagrange[name].values, abs=limit)


@pytest.mark.parametrize(("enforcement", "limit"), [("lagrange", 0.0), ("augmented", 1e-8), ("penalty", 1e-6)])
def test_time_of_the_full_turn(enforcement, limit):
    """t(θ) by quadrature, in the unit of the crank angle (20 rad/s)."""
    result = run(enforcement=enforcement)
    theta = result["main.angle"].values[1:]
    assert RATE * MODEL.time(theta, THETA, RATE) == pytest.approx(RATE * result.time[1:], abs=limit + 4e-9)


@pytest.mark.parametrize(("enforcement", "limit"), [("lagrange", 4e-9), ("augmented", 1e-8), ("penalty", 1e-6)])
def test_loop_residual(enforcement, limit):
    """Residual of the pin in m over the whole turn, the linkage being 0.5 m in size."""
    assert np.abs(run(enforcement=enforcement)["tip.residual"].values).max() < limit
