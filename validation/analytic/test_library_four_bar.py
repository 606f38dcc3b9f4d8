# SPDX-License-Identifier: BSD-3-Clause
"""The catalogue's four-bar over two seconds: its rocker's end and its energy, and the reference against quadrature.

The reference closes the loop by two circles and integrates one coordinate; references/linkages.py closes it by the law
of cosines and gets t(θ) by quadrature of the energy. Rank: closed form. Tolerance: RK4's error at 0.2 ms.
"""

import numpy as np
import pytest

from knuckleboom.bench.references import four_bar as reference
from literature.mechanisms import attempts, outcome
from references.linkages import FourBar

LIMITS = {"lagrange": 5e-9, "augmented": 5e-9, "penalty": 1e-7}  # m; a penalty gives way a little


def test_two_references_agree():
    times = np.linspace(0.0, 0.6, 31)
    theta = reference.crank(times)
    assert FourBar().time(theta, 0.3, 20.0) == pytest.approx(times, abs=1e-10)


def test_as_the_catalogue_says():
    result = outcome("four-bar")
    assert result["position_error"] < 5e-9
    assert result["energy_drift"] < 5e-8


def test_every_enforcement():
    for word, row in attempts("four-bar").items():
        assert row["status"] == "done" and row["position_error"] < LIMITS[word]
