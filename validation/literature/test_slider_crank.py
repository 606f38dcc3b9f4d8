# SPDX-License-Identifier: BSD-3-Clause
"""Slider-crank in space, 5 s and 8.6 turns: against its closed form, and against two solutions of the IFToMM library.

Reference: one coordinate, the slider's position in closed form, the motion from energy (bench/references). Rank: closed
form of positions, independent formulation of the motion. The library's submitted solutions (tables, see data/iftomm)
are of two kinds, see the catalogue's card: Gonzalez's has the rod's small inertia along the rod, as we have; Masoudi's
has it about the third axis. Both are met to the accuracy of their own integration: 5e-5 m and 2e-5 m at 5 s; Masoudi's
first rows to 1e-8 m.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import slider_crank as reference
from knuckleboom.catalogue.slider_crank import SUBMITTED, slider_crank
from literature.mechanisms import attempts, from_zero, outcome, printed


def test_reference_meets_gonzalez():
    table = printed("slider_crank_gonzalez.csv")
    found = reference.travel(reference.crank(from_zero(table["time"])))[1:]
    assert found == pytest.approx(table["travel"], abs=5e-5)


def test_reference_meets_masoudi():
    table = printed("slider_crank_masoudi.csv")
    angle = reference.crank(from_zero(table["time"]), SUBMITTED)[1:]
    assert reference.travel(angle) == pytest.approx(table["travel"], abs=2e-5)
    assert angle == pytest.approx(table["angle"], abs=5e-4)
    assert reference.travel(angle[0]) == pytest.approx(table["travel"][0], abs=1e-8)


def test_ours_meets_masoudi():
    """The same with our engine."""
    table = printed("slider_crank_masoudi.csv")
    case = slider_crank(rod_inertia=SUBMITTED)
    run = kb.simulate(case.machine, case.duration, step=case.step, record=1e-3)
    assert run["slide.travel"].at(table["time"]) == pytest.approx(table["travel"], abs=3e-5)


@pytest.mark.slow
def test_against_the_closed_form():
    result = outcome("slider-crank")
    assert result["position_error"] < 2e-7
    assert result["energy_drift"] < 1e-7  # J, of half a joule that swings


def test_every_enforcement():
    for row in attempts("slider-crank").values():
        assert row["status"] == "done" and row["position_error"] < 2e-7


def test_start_speed_is_the_published_one():
    """v = (0.24, 0, 0) m/s of the slider and ω = (1.92, −0.96, 0.48) rad/s of the rod, printed with the benchmark."""
    run = kb.simulate(slider_crank().machine, 1e-3, step=5e-4)
    assert run["slider.velocity"].values[0] == pytest.approx((0.24, 0.0, 0.0), abs=1e-12)
    assert run["rod.angular_velocity"].values[0] == pytest.approx((1.92, -0.96, 0.48), abs=1e-12)
    assert np.abs(run["ball.residual"].values[0]).max() < 1e-15
