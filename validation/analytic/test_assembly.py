# SPDX-License-Identifier: BSD-3-Clause
"""Loops assembled from an approximate pose, consistent initial speeds, rods and gears that set the start.

Rank: closed form (law of cosines, velocity ratios). Tolerance: Newton's method on the closure converges
quadratically; 1e-10 m and rad is what its last step leaves. Speeds are one linear solve: 1e-10 relative.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import four_bar
from references import signals
from references.linkages import FourBar

MODEL, STEP = FourBar(), 2e-4


@pytest.mark.parametrize("cut", [None, "tip", "foot"], ids=lambda cut: f"cut {cut}")
@pytest.mark.parametrize("nudge", [0.02, 0.15])
def test_loop_closes_from_an_approximate_pose(nudge, cut):
    """Starts of three joints are off by 1° and 9°: the assembled pose is a closed four-bar of the same branch, near
    the given one.
    """
    run = kb.simulate(four_bar(nudge=nudge, cut=cut), 0.01, step=STEP, record=1e-3)
    theta = run["main.angle"].values
    phi, psi = MODEL.angles(theta)
    for body, exact in (("coupler", phi), ("rocker", psi)):
        turn = signals.rotation(run[f"{body}.orientation"].values)
        assert turn[0, 0, 0] == pytest.approx(np.cos(exact[0]), abs=1e-10)
        assert turn[0, 1, 0] == pytest.approx(np.sin(exact[0]), abs=1e-10)
    assert abs(theta[0] - 0.3) < 3.0 * nudge


def test_closed_start_is_left_alone():
    """A pose that closes is not moved (rounding of the given angles: 1e-12)."""
    run = kb.simulate(four_bar(), 0.01, step=STEP, record=1e-3)
    phi, psi = MODEL.angles(np.array(0.3))
    assert run["main.angle"].values[0] == pytest.approx(0.3, abs=1e-12)
    assert run["knee.angle"].values[0] == pytest.approx(phi - 0.3, abs=1e-12)
    assert signals.plane_angle(run["rocker.orientation"].values)[0] == pytest.approx(psi, abs=1e-12)


@pytest.mark.parametrize("cut", [None, "tip", "foot"], ids=lambda cut: f"cut {cut}")
def test_initial_speeds_are_made_consistent(cut):
    """Only the crank is given a speed: the others take theirs from the loop, in the linkage's ratios."""
    run = kb.simulate(four_bar(exact_speeds=False, cut=cut), 0.01, step=STEP, record=1e-3)
    theta, rate = run["main.angle"].values[0], run["main.angle_rate"].values[0]
    coupler, rocker = MODEL.ratios(theta)
    assert rate > 1.0
    assert run["knee.angle_rate"].values[0] == pytest.approx((coupler - 1.0) * rate, abs=1e-9 * rate)
    assert run["rocker.angular_velocity"].values[0, 2] == pytest.approx(rocker * rate, abs=1e-9 * rate)


def test_consistent_speeds_stay():
    """Speeds that already fit the loop are not changed."""
    run = kb.simulate(four_bar(rate=20.0), 0.01, step=STEP, record=1e-3)
    assert run["main.angle_rate"].values[0] == pytest.approx(20.0, rel=1e-10)


def test_rod_of_given_length_sets_the_pose():
    """A pendulum's start is corrected until the rod of given length fits: law of cosines."""
    machine = kb.Machine("braced", gravity=(0.0, 0.0, 0.0))
    arm = machine.body("arm", mass=1.0, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1))
    machine.revolute("pin", machine.ground, arm, start="50 deg")
    machine.rod("brace", machine.ground.at(1.0, 0.0, 0.0), arm.at(0.8, 0.0, 0.0), length=0.7)
    run = kb.simulate(machine, 0.01, step=1e-3, record=1e-3)
    exact = math.acos((1.0 + 0.8**2 - 0.7**2) / (2.0 * 0.8))
    assert run["pin.angle"].values == pytest.approx(exact, abs=1e-10)
