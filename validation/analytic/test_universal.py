# SPDX-License-Identifier: BSD-3-Clause
"""Universal joint: velocity ratio of a Cardan shaft in a closed loop, and a body hung from a cross.

Rank: closed form (Cardan: tan θ₂ = cos β tan θ₁); second formulation (hung body: Lagrange's equations by SciPy,
1e-12). Tolerance: RK4's phase error at the fastest angular speed, times 50; plus 1e-9 where the loop has redundant
equations (the spherical loop needs 3 of its 4 or 5 rows, the rest is regularised), 1e-10 elsewhere.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import signals, universal

STEP = 2.5e-4


def cardan(bend, rate, cut=None):
    """Shafts along x and along x turned by ``bend`` about z; the cross has its axes along z (input) and y (output)."""
    machine = kb.Machine("cardan", gravity=(0.0, 0.0, 0.0))
    one = machine.body("one", mass=2.0, inertia=(0.05, 0.04, 0.04))
    two = machine.body("two", mass=2.0, inertia=(0.02, 0.03, 0.03))

    def marked(name):
        return {"cut": True} if name == cut else {}

    machine.revolute("input", machine.ground, one, axis="x", speed=rate, **marked("input"))
    machine.revolute(
        "output",
        machine.ground.at((0.0, 0.0, 0.0), rpy=(0.0, 0.0, bend)),
        two,
        axis="x",
        speed=rate * math.cos(bend),
        **marked("output"),
    )
    # at the start only the first angle is bent; the closed form tan θ₂ = cos β tan θ₁ has both shafts at zero then
    machine.universal("cross", one, two, axis="z", second_axis="y", start=(bend, 0.0), **marked("cross"))
    return machine


def shaft_angle(run, body, bend):
    """Angle of a shaft about its own axis, which is x turned by ``bend`` about z; continuous over full turns."""
    bearing = np.array([[math.cos(bend), -math.sin(bend), 0.0], [math.sin(bend), math.cos(bend), 0.0], [0.0, 0.0, 1.0]])
    turn = bearing.T @ signals.rotation(run[f"{body}.orientation"].values)
    return np.unwrap(np.arctan2(turn[:, 2, 1], turn[:, 1, 1]))


@pytest.mark.parametrize("enforcement", ["lagrange", "penalty", "augmented"])
@pytest.mark.parametrize("cut", [None, "cross", "output"], ids=lambda cut: f"cut {cut}")
@pytest.mark.parametrize("degrees", [20.0, 45.0])
def test_cardan_ratio(degrees, cut, enforcement):
    """θ₂ = atan2(cos β sin θ₁, cos θ₁) and ω₂/ω₁ = cos β/(1 − sin²β sin²θ₁) over two turns.

    Redundant equations are the normal case here; they must not disturb any of the enforcements.
    """
    bend, rate, duration = math.radians(degrees), 15.0, 1.0
    run = kb.simulate(cardan(bend, rate, cut), duration, step=STEP, record=5e-3, enforcement=enforcement)
    first, second = shaft_angle(run, "one", 0.0), shaft_angle(run, "two", bend)
    bound = 50.0 * signals.rk4_error(2.0 * rate, STEP, duration) + 1e-9
    exact = np.arctan2(math.cos(bend) * np.sin(first), np.cos(first))
    assert np.ptp(first) > 4.0 * math.pi
    assert np.abs(np.exp(1j * second) - np.exp(1j * exact)).max() < bound

    axis = np.array([math.cos(bend), math.sin(bend), 0.0])
    rate_in, rate_out = run["one.angular_velocity"].values[:, 0], run["two.angular_velocity"].values @ axis
    ratio = math.cos(bend) / (1.0 - math.sin(bend) ** 2 * np.sin(first) ** 2)
    assert rate_out == pytest.approx(ratio * rate_in, abs=2.0 * rate * bound)
    # with no torque the kinetic energy ½(I₁ + ratio² I₂)ω₁² stays, which fixes the motion
    energy = 0.5 * (0.05 + ratio**2 * 0.02) * rate_in**2
    assert energy == pytest.approx(energy[0], rel=4.0 * bound + 1e-9)


def test_body_hung_from_a_cross():
    """Two angles of a swinging and swaying body against Lagrange's equations."""
    mass, length, about_com, start = 2.0, 0.4, (0.1, 0.18, 0.13), (0.3, -0.5, 2.0, 1.0)
    inertia = (about_com[0], about_com[1] + mass * length**2, about_com[2] + mass * length**2)
    machine = kb.Machine("hung", gravity=(3.0, 0.0, -9.81))
    body = machine.body("body", mass=mass, com=(length, 0.0, 0.0), inertia=about_com)
    machine.universal("cross", machine.ground, body, axis="z", second_axis="y", start=start[:2], speed=start[2:])
    run = kb.simulate(machine, 2.0, step=STEP, record=1e-2)

    exact = universal.solve(run.time, start, mass=mass, length=length, inertia=inertia, gravity=(3.0, 0.0, -9.81))
    # the body gets near the pole of the second angle, where the first turns fastest
    bound = 50.0 * signals.rk4_error(float(np.abs(exact[2:]).max()), STEP, 2.0) + 1e-10
    assert run["cross.angle_1"].values == pytest.approx(exact[0], abs=bound)
    assert run["cross.angle_2"].values == pytest.approx(exact[1], abs=bound)
    assert abs(run.energy().residual) < bound * mass * 9.81 * length
