# SPDX-License-Identifier: BSD-3-Clause
"""Four-bar (crank-rocker) over more than a full turn: a closed loop of four pins against closed forms.

Angles by the law of cosines at the simulated crank angle; motion by conserved energy and quadrature
(references/linkages.py). Rank: closed form. Tolerance as in test_slider_crank.py.
"""

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import four_bar
from references import signals
from references.linkages import FourBar

MODEL, THETA, RATE, STEP, DURATION = FourBar(), 0.3, 20.0, 2e-4, 0.5
CUTS = [None, "tip", "knee", "foot", "main"]


def limit():
    fastest = float(np.max(MODEL.rate(np.linspace(0.0, 2.0 * np.pi, 200), THETA, RATE)))
    return 50.0 * signals.rk4_error(fastest, STEP, DURATION) + 1e-10


@pytest.fixture(scope="module", params=CUTS, ids=lambda cut: f"cut {cut}")
def run(request):
    return kb.simulate(four_bar(MODEL, THETA, RATE, request.param), DURATION, step=STEP, record=2e-3)


def crank(run):
    """Angle and speed of the crank, from its body, whichever joint closes the loop."""
    return signals.plane_angle(run["crank.orientation"].values), run["crank.angular_velocity"].values[:, 2]


def test_turns_fully(run):
    assert np.ptp(crank(run)[0]) > 2.0 * np.pi


def test_angles(run):
    """Coupler and rocker directions in the world, and the joints' angles; angles are compared as unit vectors."""
    theta, _ = crank(run)
    phi, psi = MODEL.angles(theta)
    for body, exact in (("crank", theta), ("coupler", phi), ("rocker", psi)):
        turn = signals.rotation(run[f"{body}.orientation"].values)
        assert turn[:, 0, 0] == pytest.approx(np.cos(exact), abs=limit())
        assert turn[:, 1, 0] == pytest.approx(np.sin(exact), abs=limit())
    joints = {"main": theta, "knee": phi - theta, "tip": psi - phi, "foot": psi}
    for joint, exact in joints.items():
        assert np.abs(np.exp(1j * run[f"{joint}.angle"].values) - np.exp(1j * exact)).max() < limit()


def test_pins_meet(run):
    """The coupler's and the rocker's ends are one point; the ground pin does not move."""
    coupler, rocker = (
        signals.rotation(run["coupler.orientation"].values),
        signals.rotation(run["rocker.orientation"].values),
    )
    one = run["coupler.position"].values + MODEL.b * coupler[:, :, 0]
    other = run["rocker.position"].values + MODEL.c * rocker[:, :, 0]
    assert np.abs(one - other).max() < limit()
    assert np.abs(run["rocker.position"].values - np.array([MODEL.d, 0.0, 0.0])).max() < limit()


def test_speeds(run):
    theta, rate = crank(run)
    coupler, rocker = MODEL.ratios(theta)
    assert run["rocker.angular_velocity"].values[:, 2] == pytest.approx(rocker * rate, abs=25.0 * limit())
    assert run["coupler.angular_velocity"].values[:, 2] == pytest.approx(coupler * rate, abs=25.0 * limit())


def test_motion_in_time(run):
    """t(θ) by quadrature; a phase error δ is a time error δ/θ̇, θ̇ > 10 rad/s."""
    theta, rate = (values[1:] for values in crank(run))
    assert MODEL.time(theta, THETA, RATE) == pytest.approx(run.time[1:], abs=limit() / 10.0)
    assert rate == pytest.approx(MODEL.rate(theta, THETA, RATE), abs=25.0 * limit())


def test_no_drift_over_fifty_turns():
    """20 s of running: the residual does not grow, and energy falls or rises by RK4's error only.

    RK4's amplitude error on an oscillation is (ωh)⁶/144 per step: 1e-9 of the energy here; harmonics take 1e-7.
    """
    run = kb.simulate(four_bar(MODEL, THETA, RATE, "tip"), 20.0, step=STEP, record=1e-2)
    residual = np.abs(run["tip.residual"].values).max(axis=1)
    assert residual.max() < limit()
    assert residual[run.time > 15.0].max() < 2.0 * residual[run.time < 5.0].max()
    theta, rate = crank(run)
    energy = MODEL.energy(theta, rate)
    assert np.abs(energy - energy[0]).max() < 1e-7 * run["energy.kinetic"].values[0]
    assert np.ptp(run["main.angle"].values) > 100.0 * np.pi


def test_loop_stays_closed_and_energy_is_kept():
    run = kb.simulate(four_bar(MODEL, THETA, RATE, "tip"), DURATION, step=STEP, record=2e-3)
    assert np.abs(run["tip.residual"].values).max() < limit()
    assert np.abs(run["tip.residual_rate"].values).max() < 25.0 * limit()
    assert abs(run.energy().residual) < limit() * run["energy.kinetic"].values[0]
