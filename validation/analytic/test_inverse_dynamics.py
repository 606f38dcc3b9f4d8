# SPDX-License-Identifier: BSD-3-Clause
"""Inverse dynamics against closed forms: a swung pendulum, a slider-crank at constant speed, a boom on a cylinder.

Rank: closed form. The slider-crank's torque is ½ J'(θ) ω² + V'(θ) with J and V of references/linkages.py, whose slopes
are taken by differences of order 4 (1e-9). Along functions of time the rates have the 1e-9 of the drivers' differences.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import SLIDER_CRANK, slider_crank

G = 9.81


def pendulum():
    machine = kb.Machine("pendulum", gravity=(0.0, 0.0, -G))
    rod = machine.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    machine.revolute("foot", machine.ground, rod, axis="y")
    return machine, rod


def test_swung_pendulum():
    """τ = J θ̈ − m g l cos θ (positive turns down)."""
    machine, _ = pendulum()
    times = np.linspace(0.0, 2.0, 41)
    angle, acceleration = 0.3 + 0.5 * np.sin(3.0 * times), -4.5 * np.sin(3.0 * times)

    found = kb.inverse_dynamics(machine, {"foot": lambda t: 0.3 + 0.5 * math.sin(3.0 * t)}, times=times)

    exact = (0.17 + 2.0 * 0.25) * acceleration - 2.0 * G * 0.5 * np.cos(angle)
    assert found["foot"].values == pytest.approx(exact, abs=1e-8)
    assert found["foot"].coords["time"].values == pytest.approx(times)


@pytest.mark.parametrize("cut", [None, "main", "slide"])
def test_slider_crank_at_constant_speed(cut):
    """Torque of the crank, whichever joint closes the loop."""
    speed, begin = 15.0, 0.3
    machine = slider_crank(theta=begin, rate=0.0, cut=cut if cut != "main" else "wrist")
    times = np.linspace(0.0, 0.4, 60)
    theta, h = begin + speed * times, 1e-3

    def slope(function):
        return (
            8.0 * (function(theta + h) - function(theta - h)) - function(theta + 2 * h) + function(theta - 2 * h)
        ) / (12.0 * h)

    exact = 0.5 * slope(SLIDER_CRANK.inertia) * speed**2 + SLIDER_CRANK.g * slope(SLIDER_CRANK.weighted_height)

    found = kb.inverse_dynamics(machine, {"main": lambda t: (begin + speed * t, speed, 0.0)}, times=times)

    assert found["main"].values == pytest.approx(exact, abs=1e-8 * np.abs(exact).max())


def boom():
    """A boom of 200 kg on a foot, lifted by a cylinder from the ground."""
    machine = kb.Machine("boom", gravity=(0.0, 0.0, -G))
    body = machine.body("boom", mass=200.0, com=(0.5, 0, 0), inertia=(0.1, 16.7, 16.7))
    machine.revolute("foot", machine.ground, body, axis="y", start="-30 deg")
    oil = machine.oil(kb.fluids.naya())
    machine.cylinder(
        "lift", machine.ground.at(0.87, 0, -0.2), body.at(0.5, 0, 0), bore="91 mm", rod="50 mm", stroke="1 m", oil=oil
    )
    return machine


def test_force_in_the_cylinder_that_lifts_a_boom():
    """At rest F·(∂s/∂θ) = m g l cos θ·(−1): the moment of the force about the foot; its own oil does not count."""
    angles = np.radians([-40.0, -30.0, -10.0, 5.0])
    found = kb.inverse_dynamics(
        boom(), {"foot": kb.table([0, 1, 2, 3], list(angles))}, times=[0.0, 1.0, 2.0, 3.0], actuators=["lift"]
    )
    # the table's spline is at its points then, but moves: use its own rates
    rates = spline_rates(angles)
    for number, angle in enumerate(angles):
        end = 0.5 * np.array([math.cos(angle), -math.sin(angle)]) - (0.87, -0.2)
        length = np.hypot(*end)
        lever = 0.5 * np.array([-math.sin(angle), -math.cos(angle)]) @ end / length
        torque = (16.7 + 200.0 * 0.25) * rates[number] - 200.0 * G * 0.5 * math.cos(angle)
        assert float(found["lift"][number]) == pytest.approx(torque / lever, rel=1e-9)


def spline_rates(values):
    """Second derivatives of the clamped cubic spline through values at 0, 1, 2, …, by its tridiagonal system."""
    n = len(values)
    matrix, right = np.zeros((n, n)), np.zeros(n)
    for i in range(1, n - 1):
        matrix[i, i - 1 : i + 2] = 1.0, 4.0, 1.0
        right[i] = 6.0 * (values[i + 1] - 2.0 * values[i] + values[i - 1])
    matrix[0, :2], right[0] = (2.0, 1.0), 6.0 * (values[1] - values[0])
    matrix[-1, -2:], right[-1] = (1.0, 2.0), -6.0 * (values[-1] - values[-2])
    return np.linalg.solve(matrix, right)


def test_power_is_the_same_through_joint_and_length():
    """Second route: a length is driven instead of the angle, paid along it or in the foot: F·ṡ = τ·θ̇."""
    machine, rod = pendulum()
    machine.spring("lift", machine.ground.at(0.87, 0, -0.2), rod.at(0.5, 0, 0), stiffness=0.0)
    motion, times = {"lift": lambda t: 0.55 + 0.1 * t}, np.linspace(0.0, 1.0, 11)
    force = kb.inverse_dynamics(machine, motion, times=times)["lift"].values
    torque = kb.inverse_dynamics(machine, motion, times=times, actuators=["foot"])["foot"].values
    both = kb.inverse_dynamics(machine, motion, times=times, actuators=["lift", "foot"])

    machine.driver("length", a=machine.ground.at(0.87, 0, -0.2), b=rod.at(0.5, 0, 0), start=0.55, speed=0.1)
    rates = kb.simulate(machine, "1 s", record="100 ms")["foot.angle_rate"].values

    assert force * 0.1 == pytest.approx(torque * rates, rel=1e-6)
    # of two actuators in one direction the sum of squares is smallest: in proportion to their levers
    assert both["lift"].values * rates == pytest.approx(both["foot"].values * 0.1, rel=1e-6)


def test_rows_that_hold_need_no_actuator():
    """A driver that the machine already has brings its own force: nothing is left for the others to do."""
    machine, rod = pendulum()
    tip = machine.body("tip", mass=1.0, com=(0.2, 0, 0), inertia=(0.01, 0.01, 0.01))
    machine.revolute("wrist", rod.at(1, 0, 0), tip, axis="y")
    machine.driver("motor", joint="foot", speed=1.0)
    found = kb.inverse_dynamics(machine, {"wrist": (0.4, 0.0, 0.0)})
    # foot turns at 1 rad/s through angle 0: wrist's torque is its weight and the hinge's centripetal acceleration
    exact = -0.2 * G * math.cos(0.4) - 0.2 * math.sin(0.4) * -1.0
    assert float(found["wrist"]) == pytest.approx(exact, rel=1e-6)
