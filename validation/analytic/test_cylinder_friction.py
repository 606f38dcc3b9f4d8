# SPDX-License-Identifier: BSD-3-Clause
"""Friction of cylinders at given speeds: Stribeck curve and efficiency, against their formulas.

A driver moves the piston; the force along it is that of the oil, read from the recorded pressures, and the friction.
Rank: closed form, algebraic at every instant: 1e-9 of the force (of which the oil's is subtracted).
"""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

import knuckleboom as kb

AMBIENT, BORE, ROD = 1e5, 60e-3, 30e-3
DISC, RING = math.pi / 4.0 * BORE**2, math.pi / 4.0 * (BORE**2 - ROD**2)


def moved(speed, **words):
    """A cylinder that is moved at a speed between two pressures; friction and force of the oil."""
    machine = kb.Machine("moved", gravity=(0.0, 0.0, 0.0), ambient=AMBIENT)
    body = machine.body("block", mass=10.0, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, body, axis="x", start=1.2, speed=speed)
    machine.driver("hand", "slide", speed=speed)
    oil = machine.oil(kb.fluids.mineral_oil())
    ram = oil.cylinder(
        "ram", machine.ground, body, bore=BORE, rod=ROD, stroke=0.4, closed=1.0, pressure_a=40e5, pressure_b=10e5,
        **words,
    )  # fmt: skip
    oil.restrictor("a", oil.pressure("high", 40e5), ram.a, flow=("60 l/min", "5 bar"))
    oil.restrictor("b", oil.pressure("low", 10e5), ram.b, flow=("60 l/min", "5 bar"))
    run = kb.simulate(machine, 5e-3, step=1e-4, record=1e-3)
    oil_force = (run["ram.a.pressure"].values - AMBIENT) * DISC - (run["ram.b.pressure"].values - AMBIENT) * RING
    assert run.energy().dissipated["ram"] >= 0.0
    return run["ram.force"].values - oil_force, oil_force


@pytest.mark.parametrize("speed", [-0.3, -0.012, -1e-3, 1e-4, 5e-3, 0.02, 0.5])
def test_stribeck_curve(speed):
    friction, oil = moved(
        speed, coulomb="400 N", breakaway="650 N", stribeck_speed="2 cm/s", friction_speed="1 mm/s", viscous=800.0
    )
    dry = 400.0 + 250.0 * math.exp(-((speed / 0.02) ** 2))
    exact = -dry * math.tanh(speed / 1e-3) - 800.0 * speed
    assert friction == pytest.approx(exact, abs=1e-9 * np.abs(oil).max())


@pytest.mark.parametrize("speed", [-0.4, -0.06, -2e-3, 1e-3, 0.015, 0.09, 0.3, 1.0])
def test_efficiency(speed):
    """(1 − η) f(v) |F| against the motion, f by SciPy's pchip, but level at its ends; |F| is √(F² + 100²) − 100 N."""
    curve = ((0.0, 0.0), (0.01, 1.0), (0.1, 0.7), (0.5, 0.9))
    friction, oil = moved(speed, efficiency=0.92, efficiency_curve=curve)
    speeds, shares = np.array(curve).T
    slopes = PchipInterpolator(speeds, shares).derivative()(speeds)
    slopes[[0, -1]] = 0.0
    f = float(CubicHermiteSpline(speeds, shares, slopes)(min(abs(speed), 0.5)))
    exact = -math.copysign(0.08 * f, speed) * (np.hypot(oil, 100.0) - 100.0)
    assert friction == pytest.approx(exact, abs=1e-9 * np.abs(oil).max())


def test_friction_laws_add_up():
    friction, oil = moved(0.2, efficiency=0.9, coulomb=300.0, viscous=500.0)
    exact = -300.0 - 100.0 - 0.1 * (np.hypot(oil, 100.0) - 100.0)
    assert friction == pytest.approx(exact, abs=1e-9 * np.abs(oil).max())
