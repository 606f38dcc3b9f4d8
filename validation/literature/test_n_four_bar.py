# SPDX-License-Identifier: BSD-3-Clause
"""N four-bar, IFToMM benchmark A02, ten seconds through ten poses where all bars lie on one line.

All cranks turn alike, so the mechanism is one turning pendulum: the reference is its solution by energy
(bench/references/n_four_bar.py). Rank: closed form of positions. For N = 40, as first published, the library prints a
solution by ADAMS (table, 6 digits), and the pendulum reproduces every digit of it.

Which enforcement gets through, with N = 2 at 1 ms: all three. `lagrange` and `augmented` keep B0 to 2e-10 m and energy
to 1e-10 J; `penalty` (α = 1e9) leaves 4e-5 m and 2e-5 J, since the loops have a little give where they are singular.
The benchmark allows 0.1 J.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import n_four_bar as reference
from knuckleboom.catalogue.n_four_bar import n_four_bar
from literature.mechanisms import attempts, from_zero, outcome, printed

LIMITS = {"lagrange": (2e-9, 1e-9), "augmented": (2e-9, 1e-9), "penalty": (2e-4, 1e-4)}  # m, J


def test_reference_meets_the_printed_solution():
    table = printed("a02_n40.csv")
    found = reference.path(from_zero(table["time"]), loops=40)[1:]
    assert found[:, 0] == pytest.approx(table["x"], abs=6e-7)
    assert found[:, 2] == pytest.approx(table["y"], abs=6e-7)


def test_as_the_catalogue_says():
    result = outcome("n-four-bar")
    assert result["position_error"] < 2e-9
    assert result["energy_drift"] < 1e-9


def test_every_enforcement():
    for word, row in attempts("n-four-bar").items():
        assert row["status"] == "done"
        assert (row["position_error"], row["energy_drift"]) < LIMITS[word]
        assert row["energy_drift"] < LIMITS[word][1]


def test_passes_the_singular_pose_often():
    case = n_four_bar()
    run = kb.simulate(case.machine, case.duration, step=case.step, record=5e-3)
    height = run["crank_0.B0.position"].values[:, 2]
    assert np.count_nonzero(np.diff(np.sign(height))) >= 10
    for number in range(3):  # and no crank left the others
        assert run[f"foot_{number}.angle"].values == pytest.approx(run["foot_0.angle"].values, abs=1e-9)


def test_forty_loops():
    """Forty parallelograms, 41 degrees of freedom for an instant, through the first two singular poses."""
    run = kb.simulate(n_four_bar(40).machine, 1.5, step=1e-3, record=0.05)
    expected = reference.path(np.asarray(run.time), loops=40)
    assert np.abs(run["crank_0.B0.position"].values - expected).max() < 1e-8
