# SPDX-License-Identifier: BSD-3-Clause
"""Slider-crank over more than a full turn, freely running under gravity: a closed loop against closed forms.

Positions: x = r cos θ + √(l² − r² sin²θ) at the simulated crank angle. Motion: θ̇(θ) from conserved energy, t(θ) by
quadrature (references/linkages.py). Whichever joint closes the loop, the motion is the same. Rank: closed form.
Tolerance: RK4's phase error at the largest crank speed, times 50 (harmonics of the linkage; the loop is held at
acceleration level and drifts by an error of the same order, which the stabilisation keeps from growing); plus 1e-10
for rounding.
"""

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import slider_crank
from references import signals
from references.linkages import SliderCrank

MODEL, THETA, RATE, STEP, DURATION = SliderCrank(), 0.3, 20.0, 2e-4, 0.5
CUTS = [None, "wrist", "pin", "slide", "main"]


def limit():
    fastest = float(np.max(MODEL.rate(np.linspace(0.0, 2.0 * np.pi, 200), THETA, RATE)))
    return 50.0 * signals.rk4_error(fastest, STEP, DURATION) + 1e-10


@pytest.fixture(scope="module", params=CUTS, ids=lambda cut: f"cut {cut}")
def run(request):
    return kb.simulate(slider_crank(MODEL, THETA, RATE, request.param), DURATION, step=STEP, record=2e-3)


def crank(run):
    """Angle and speed of the crank, from its body, whichever joint closes the loop."""
    return signals.plane_angle(run["crank.orientation"].values), run["crank.angular_velocity"].values[:, 2]


def test_turns_fully(run):
    assert np.ptp(crank(run)[0]) > 2.0 * np.pi


def test_positions(run):
    """Slider, rod and crank pin are where the closed form puts them for this crank angle."""
    theta, _ = crank(run)
    assert run["slider.position"].values[:, 0] == pytest.approx(MODEL.travel(theta), abs=limit())
    assert np.abs(run["slider.position"].values[:, 1:]).max() < limit()
    assert run["slide.travel"].values == pytest.approx(MODEL.travel(theta), abs=limit())
    phi = MODEL.rod_angle(theta)
    for joint, exact in (("main", theta), ("pin", phi - theta), ("wrist", -phi)):
        assert np.abs(np.exp(1j * run[f"{joint}.angle"].values) - np.exp(1j * exact)).max() < limit()
    turn = signals.rotation(run["rod.orientation"].values)
    assert turn[:, 1, 0] == pytest.approx(np.sin(MODEL.rod_angle(theta)), abs=limit())
    crank_pin = np.stack([MODEL.r * np.cos(theta), MODEL.r * np.sin(theta), 0.0 * theta], axis=-1)
    assert run["rod.position"].values == pytest.approx(crank_pin, abs=limit())


def test_velocities(run):
    """ẋ = (dx/dθ) θ̇; errors are those of positions times the speed of 25 rad/s."""
    theta, rate = crank(run)
    assert run["slider.velocity"].values[:, 0] == pytest.approx(MODEL.travel_ratio(theta) * rate, abs=25.0 * limit())


def test_motion_in_time(run):
    """t(θ) by quadrature; a phase error δ is a time error δ/θ̇, θ̇ > 10 rad/s."""
    theta, rate = (values[1:] for values in crank(run))
    assert MODEL.time(theta, THETA, RATE) == pytest.approx(run.time[1:], abs=limit() / 10.0)
    assert rate == pytest.approx(MODEL.rate(theta, THETA, RATE), abs=25.0 * limit())


def test_loop_stays_closed_and_energy_is_kept():
    """The cut joint's own residual, in m and rad, and the audit (relative to the kinetic energy at the start)."""
    run = kb.simulate(slider_crank(MODEL, THETA, RATE, "wrist"), DURATION, step=STEP, record=2e-3)
    assert np.abs(run["wrist.residual"].values).max() < limit()
    assert np.abs(run["wrist.residual_rate"].values).max() < 25.0 * limit()
    assert abs(run.energy().residual) < limit() * run["energy.kinetic"].values[0]
