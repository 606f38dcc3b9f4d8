# SPDX-License-Identifier: BSD-3-Clause
"""Pendulum at large amplitude: period and whole motion against elliptic functions.

Rank: closed form. Tolerance: phase error of RK4 at the largest angular speed 2 ω₀ sin(θ₀/2), times 5: the
speed is that high only near the bottom, which leaves room for harmonics and for growth of errors near the top (1/cos
(θ₀/2) = 11 at 170°); plus 1e-11 for rounding.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import pendulum, signals

MASS, ARM, INERTIA, G = 3.0, 0.7, (0.25, 0.2, 0.06), 9.81
OMEGA = math.sqrt(MASS * G * ARM / (INERTIA[1] + MASS * ARM**2))
STEP = 1e-3


def swing(amplitude, duration, tilt=0.0):
    machine = kb.Machine("pendulum", gravity=(0.0, 0.0, -G))
    bob = machine.body("bob", mass=MASS, com=(0.0, 0.0, -ARM), inertia=INERTIA)
    machine.revolute("pin", machine.ground.at((0.0, 0.0, 1.0), rpy=(tilt, 0.0, 0.0)), bob, axis="y", start=amplitude)
    return kb.simulate(machine, duration, step=STEP, record=STEP)


def tolerance(amplitude, duration):
    return 5.0 * signals.rk4_error(2.0 * OMEGA * math.sin(amplitude / 2.0), STEP, duration) + 1e-11


@pytest.mark.parametrize("degrees", [5.0, 60.0, 90.0, 150.0, 170.0])
def test_period(degrees):
    """Two falls through the bottom in the same direction are one period apart."""
    amplitude = math.radians(degrees)
    exact = pendulum.period(amplitude, OMEGA)
    duration = round(1.6 * exact, 2)
    run = swing(amplitude, duration)

    angle, rate = run["pin.angle"], run["pin.angle_rate"].values
    passes = signals.crossings(angle.time, angle.values, rate)

    assert len(passes) >= 3
    # an angle error δ at the bottom is a time error δ/speed
    limit = tolerance(amplitude, duration) / (2.0 * OMEGA * math.sin(amplitude / 2.0)) + 1e-11
    assert passes[2] - passes[0] == pytest.approx(exact, abs=limit)


@pytest.mark.parametrize("degrees", [90.0, 170.0])
def test_angle_over_time(degrees):
    """θ(t) = 2 asin(k cd(ω₀t)) at every recorded step of one and a half periods."""
    amplitude = math.radians(degrees)
    duration = round(1.5 * pendulum.period(amplitude, OMEGA), 2)
    angle = swing(amplitude, duration)["pin.angle"]
    exact = pendulum.angle(angle.time, amplitude, OMEGA)
    assert np.abs(angle.values - exact).max() < tolerance(amplitude, duration)


def test_tilted_axis_feels_less_gravity():
    """An axis tilted by α out of the horizontal swings with g cos α: checks a placed and turned joint."""
    tilt, amplitude = math.radians(40.0), math.radians(120.0)
    omega = OMEGA * math.sqrt(math.cos(tilt))
    duration = round(1.5 * pendulum.period(amplitude, omega), 2)
    angle = swing(amplitude, duration, tilt)["pin.angle"]
    exact = pendulum.angle(angle.time, amplitude, omega)
    assert np.abs(angle.values - exact).max() < tolerance(amplitude, duration)


def test_energy_audit_of_a_frictionless_swing():
    """Nothing drives and nothing is lost: the residual is the integrator's energy error, below 1e-9 of m g l."""
    run = swing(math.radians(150.0), 4.0)
    assert abs(run.energy().residual) < 1e-9 * MASS * G * ARM
    kinetic, potential = run["energy.kinetic"].values, run["energy.potential"].values
    height = MASS * G * ARM * (1.0 - np.cos(run["pin.angle"].values))
    assert kinetic == pytest.approx(
        0.5 * (INERTIA[1] + MASS * ARM**2) * run["pin.angle_rate"].values ** 2, abs=1e-10 * MASS * G * ARM
    )
    assert potential - potential[0] == pytest.approx(height - height[0], abs=1e-10 * MASS * G * ARM)
