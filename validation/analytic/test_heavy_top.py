# SPDX-License-Identifier: BSD-3-Clause
"""Heavy symmetric top on a spherical joint: steady precession, slow and fast.

    A Ω² cos θ − C ω₃ Ω + m g l = 0,   Ω = [C ω₃ ± √(C²ω₃² − 4 A m g l cos θ)] / (2 A cos θ)     [Goldstein 2002, §5.7]

A, C: moments of inertia about the fixed point, across and along the symmetry axis; ω₃ = ψ̇ + Ω cos θ. Started with
exactly this angular velocity, the tip moves on a horizontal circle at rate Ω and the nutation angle θ stays constant.
Rank: closed form. Tolerance: RK4's phase error at the body's angular speed, times 5 (the exponential map's error
constant is not that of the scalar test equation, and the fast root amplifies disturbances), plus 1e-10 for rounding
over 10000 steps.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import signals

MASS, ARM, ACROSS, ALONG, G = 1.2, 0.25, 0.02, 0.025, 9.81
A = ACROSS + MASS * ARM**2
STEP, DURATION = 1e-4, 1.0


def precession(theta, spin, sign):
    root = math.sqrt((ALONG * spin) ** 2 - 4.0 * A * MASS * G * ARM * math.cos(theta))
    return (ALONG * spin + sign * root) / (2.0 * A * math.cos(theta))


def top(theta, omega, joint="spherical"):
    machine = kb.Machine("top", gravity=(0.0, 0.0, -G))
    body = machine.body("top", mass=MASS, com=(0.0, 0.0, ARM), inertia=(ACROSS, ACROSS, ALONG))
    body.point("tip", (0.0, 0.0, 1.0))
    machine.spherical("ball", machine.ground, body, start=(0.0, theta, 0.0), speed=omega)
    return machine


@pytest.mark.parametrize("sign", [-1.0, 1.0], ids=["slow", "fast"])
@pytest.mark.parametrize("degrees", [25.0, 65.0, 110.0])
def test_steady_precession(degrees, sign):
    """The tip turns about the vertical at the closed-form rate, at constant height."""
    theta, spin = math.radians(degrees), 60.0
    rate = precession(theta, spin, sign)
    machine = top(theta, (-rate * math.sin(theta), 0.0, spin))

    tip = kb.simulate(machine, DURATION, step=STEP, record=1e-2)["top.tip.position"]

    exact = np.stack(
        [
            math.sin(theta) * np.cos(rate * tip.time),
            math.sin(theta) * np.sin(rate * tip.time),
            np.full_like(tip.time, math.cos(theta)),
        ],
        axis=-1,
    )
    limit = 5.0 * signals.rk4_error(math.hypot(spin, rate), STEP, DURATION) + 1e-10
    assert np.abs(tip.values - exact).max() < limit


def test_nutating_top_keeps_its_three_constants():
    """A general motion keeps energy, ω₃ and the vertical angular momentum (Lagrange's integrals), to the same
    tolerance.
    """
    theta, omega = 0.6, np.array([1.5, -2.0, 50.0])
    run = kb.simulate(top(theta, tuple(omega)), DURATION, step=STEP, record=1e-2)

    turn = signals.rotation(run["top.orientation"].values)
    world = run["top.angular_velocity"].values
    body = np.einsum("nji,nj->ni", turn, world)
    inertia = np.array([A, A, ALONG])
    momentum = np.einsum("nij,nj->ni", turn, body * inertia)
    energy = 0.5 * np.sum(inertia * body**2, axis=1) + MASS * G * ARM * turn[:, 2, 2]

    limit = 5.0 * signals.rk4_error(50.0, STEP, DURATION) + 1e-10
    assert body[0] == pytest.approx(omega, abs=1e-12)
    assert np.ptp(body[:, 2]) < limit * 50.0
    assert np.ptp(momentum[:, 2]) < limit * abs(momentum[0, 2])
    assert np.ptp(energy) < limit * energy[0]
    assert np.ptp(turn[:, 2, 2]) > 1e-3  # it does nutate
