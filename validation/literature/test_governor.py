# SPDX-License-Identifier: BSD-3-Clause
"""Stiff flyball governor, IFToMM benchmark A05, ten seconds.

Reference: two coordinates (rod angle, slider), the shaft's speed from its conserved angular momentum, LSODA at 1e-12
(bench/references/governor.py). Rank: independent formulation. The library's own solution is a picture in every copy we
found, so that no printed digit is compared. Tolerance: LSODA's own error.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench.references import governor as reference
from knuckleboom.catalogue import NAMES
from literature.mechanisms import outcome


def test_slider():
    result = outcome("governor")
    assert result["position_error"] < 1e-9
    assert result["energy_drift"] < 1e-6  # J, of 170 J kinetic


def test_both_rods_and_the_shaft():
    case = NAMES["governor"]()
    run = kb.simulate(case.machine, 2.0, step=case.step, record=0.01)
    shaft, alpha, s = reference.coordinates(np.asarray(run.time)).T
    assert run["spin.angle"].values == pytest.approx(shaft, abs=1e-8)
    assert run["right_hinge.angle"].values == pytest.approx(alpha, abs=1e-9)
    assert run["left_hinge.angle"].values == pytest.approx(alpha, abs=1e-9)
    assert run["slide.travel"].values == pytest.approx(s, abs=1e-9)
    assert np.ptp(alpha) > 0.2  # it swings


def test_dampers_take_energy():
    case = NAMES["governor"]()
    audit = kb.simulate(case.machine, 1.0, step=case.step, record=0.01).energy()
    assert set(audit.dissipated) == {"right_spring", "left_spring"}
    assert audit.dissipated["right_spring"] == pytest.approx(audit.dissipated["left_spring"], rel=1e-9)
    assert audit.dissipated["left_spring"] > 0.0
