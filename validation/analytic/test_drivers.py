# SPDX-License-Identifier: BSD-3-Clause
"""Drivers: prescribed motions and the force they take, against closed forms (the top of the ladder).

A pendulum that is swung needs J·θ̈ − m·g·r·cos θ. A slider-crank at constant speed has the textbook's slider position,
and its drive the torque that follows from virtual power with the slider's exact acceleration. A distance driven between
two places needs the moment of its force about the hinge.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

G = 9.81
MASS, REACH, J = 2.0, 0.5, 0.67  # kg, m, kg·m² about the hinge


def pendulum():
    m = kb.Machine("pendulum")
    rod = m.body("rod", mass=MASS, com=(REACH, 0, 0), inertia=(0.01, J - MASS * REACH**2, 0.17))
    m.revolute("foot", m.ground, rod, axis="y")
    return m


def torque_of_pendulum(run):
    """J·θ̈ − m·g·r·cos θ: gravity turns a rod along x down about +y."""
    return J * run["foot.angle_acceleration"].values - MASS * G * REACH * np.cos(run["foot.angle"].values)


def swing(time):
    return 0.3 + 0.5 * math.sin(7.0 * time)


EXACT = {
    "number": (0.3, lambda t: 0.3 + 0 * t, lambda t: 0 * t),
    "function": (swing, lambda t: 0.3 + 0.5 * np.sin(7 * t), lambda t: -24.5 * np.sin(7 * t)),
    "function with its rates": (
        lambda t: (swing(t), 3.5 * math.cos(7 * t), -24.5 * math.sin(7 * t)),
        lambda t: 0.3 + 0.5 * np.sin(7 * t),
        lambda t: -24.5 * np.sin(7 * t),
    ),
    "table": (
        # one cubic piece at rest at both ends: 3τ² − 2τ³
        kb.table([0, 1], ["0 deg", "90 deg"]),
        lambda t: 0.5 * np.pi * (3 * t**2 - 2 * t**3),
        lambda t: 0.5 * np.pi * (6 - 12 * t),
    ),
}


@pytest.mark.parametrize("given", EXACT)
def test_swung_pendulum(given):
    motion, angle, acceleration = EXACT[given]
    m = pendulum()
    m.driver("drive", joint="foot")

    run = kb.simulate(m, "1 s", step="1 ms", record="5 ms", inputs={"drive": motion})

    inner = slice(None, -1) if given == "table" else slice(None)  # its acceleration jumps to 0 at the end
    assert run["foot.angle"].values == pytest.approx(angle(run.time), abs=1e-8)
    assert run["foot.angle_acceleration"].values[inner] == pytest.approx(acceleration(run.time)[inner], abs=2e-5)
    assert run["drive.torque"].values == pytest.approx(torque_of_pendulum(run), abs=1e-10)
    assert run["drive.angle"].values == pytest.approx(angle(run.time), abs=1e-12)


def test_motion_of_the_part_itself():
    m = pendulum()
    m.driver(
        "drive", joint="foot", start="10 deg", speed="20 deg/s", amplitude="5 deg", frequency="2 Hz", phase="90 deg"
    )

    run = kb.simulate(m, "1 s", step="1 ms", record="10 ms")

    exact = np.radians(10 + 20 * run.time + 5 * np.cos(4 * np.pi * run.time))
    assert run["foot.angle"].values == pytest.approx(exact, abs=1e-8)


def test_a_driver_without_a_start_begins_at_the_start_pose():
    m = kb.Machine("pendulum")
    rod = m.body("rod", mass=MASS, com=(REACH, 0, 0), inertia=(0.01, 0.17, 0.17))
    m.revolute("foot", m.ground, rod, axis="y", start="40 deg")
    m.driver("drive", joint="foot", speed="-30 deg/s")

    run = kb.simulate(m, "1 s", record="0.1 s")

    assert np.degrees(run["foot.angle"].values) == pytest.approx(40 - 30 * run.time, abs=1e-7)
    assert run.energy().relative_residual < 1e-8


def test_work_of_a_driver_is_the_change_of_energy():
    m = pendulum()
    m.driver("drive", joint="foot")

    run = kb.simulate(m, "0.7 s", step="0.5 ms", inputs={"drive": swing})

    stored = run["energy.kinetic"].values + run["energy.potential"].values
    assert run["drive.work"].values == pytest.approx(stored - stored[0], abs=1e-8)
    assert run.energy().applied["drive"] == pytest.approx(stored[-1] - stored[0], abs=1e-8)


@pytest.mark.parametrize("enforcement", ["lagrange", "penalty", "augmented"])
def test_slider_crank_at_constant_speed(enforcement):
    """x = r·cos φ + √(l² − r²·sin² φ); with massless crank and rod the drive does the slider's power: T·ω = m·ẍ·ẋ."""
    r, rod_length, mass, omega = 0.2, 0.7, 3.0, 12.0
    m = kb.Machine("slider-crank")
    m.gravity = (0.0, 0.0, 0.0)
    crank = m.body("crank", mass=1e-9, inertia=(1e-9, 1e-9, 1e-9))
    rod = m.body("rod", mass=1e-9, inertia=(1e-9, 1e-9, 1e-9))
    slider = m.body("slider", mass=mass, inertia=(0.1, 0.1, 0.1))
    m.revolute("main", m.ground, crank)
    m.revolute("pin", crank.at(r, 0, 0), rod)
    m.prismatic("slide", m.ground, slider, axis="x", start=r + rod_length)
    m.revolute("wrist", rod.at(rod_length, 0, 0), slider)
    m.driver("motor", joint="main", speed=omega)

    run = kb.simulate(m, "1 s", step="0.2 ms", record="5 ms", enforcement=enforcement)

    phi = omega * run.time
    root = np.sqrt(rod_length**2 - (r * np.sin(phi)) ** 2)
    x = r * np.cos(phi) + root
    sine, double = np.sin(phi), np.sin(2 * phi)
    x_1 = -r * sine - r**2 * double / (2 * root)
    x_2 = -r * np.cos(phi) - r**2 * np.cos(2 * phi) / root - (r**2 * double) ** 2 / (4 * root**3)
    torque = mass * omega**2 * x_2 * x_1
    # a penalty holds its rows only as stiffly as it is: 1e9 against masses of 3 kg
    loose = 1e-6 if enforcement == "lagrange" else 1e-5
    assert run["slider.position"].values[:, 0] == pytest.approx(x, abs=loose)
    assert run["motor.torque"].values == pytest.approx(torque, abs=10 * loose * np.abs(torque).max())


def test_driven_distance():
    """A beam is lifted by a rod of changing length: its force has the moment that the beam needs."""
    m = pendulum()
    m.driver("ram", a=m.ground.at(0, 0, -0.8), b=m["rod"].at(0.6, 0, 0))

    run = kb.simulate(m, "1 s", step="0.5 ms", record="10 ms", inputs={"ram": lambda t: 1.0 - 0.2 * math.sin(2 * t)})

    theta, length = run["foot.angle"].values, 1.0 - 0.2 * np.sin(2 * run.time)
    # from (0, −0.8) to 0.6·(cos θ, −sin θ); its length is 1 m at θ = 0
    dx, dz = 0.6 * np.cos(theta), 0.8 - 0.6 * np.sin(theta)
    assert np.hypot(dx, dz) == pytest.approx(length, abs=1e-8)
    arm = (-0.6 * np.sin(theta) * dx - 0.6 * np.cos(theta) * dz) / length  # ∂length/∂θ
    assert run["ram.force"].values * arm == pytest.approx(torque_of_pendulum(run), abs=1e-6)
    assert run["ram.length"].values == pytest.approx(length, abs=1e-12)
    assert run.energy().relative_residual < 1e-6


def test_motion_of_an_earlier_run():
    m = pendulum()
    free = kb.simulate(m, "1 s", step="1 ms", record="1 ms")
    m.driver("drive", joint="foot")

    again = kb.simulate(m, "1 s", step="1 ms", record="10 ms", inputs={"drive": free["foot.angle"]})

    # what fell freely needs no torque to fall again, up to the second derivative of a cubic spline
    weight = MASS * G * REACH
    assert again["foot.angle"].values == pytest.approx(free["foot.angle"].values[::10], abs=1e-8)
    assert np.abs(again["drive.torque"].values[1:-1]).max() < 1e-4 * weight


def test_held_length_of_a_loop_keeps_every_enforcement_together():
    """A four-bar whose crank is driven: the coupler's pose follows from the circle-circle intersection."""
    m = kb.Machine("four-bar")
    bodies = [
        m.body(name, mass=1.0, com=(0.5 * size, 0, 0), inertia=(0.01, 0.1, 0.1)) for name, size in LENGTHS.items()
    ]
    crank, coupler, rocker = bodies
    m.revolute("a", m.ground, crank, axis="y", start="-60 deg")
    m.revolute("b", crank.at(LENGTHS["crank"], 0, 0), coupler, axis="y", start="50 deg")
    m.revolute("d", m.ground.at(1.0, 0, 0), rocker, axis="y", start="-80 deg")
    m.revolute("c", coupler.at(LENGTHS["coupler"], 0, 0), rocker.at(LENGTHS["rocker"], 0, 0), axis="y", cut=True)
    m.driver("motor", joint="a", speed="2 rad/s")

    run = kb.simulate(m, "3 s", step="1 ms", record="50 ms")

    alpha = run["a.angle"].values
    bx, bz = LENGTHS["crank"] * np.cos(alpha), -LENGTHS["crank"] * np.sin(alpha)
    delta = run["d.angle"].values
    cx, cz = 1.0 + LENGTHS["rocker"] * np.cos(delta), -LENGTHS["rocker"] * np.sin(delta)
    assert np.hypot(cx - bx, cz - bz) == pytest.approx(LENGTHS["coupler"], abs=1e-8)
    assert alpha == pytest.approx(np.radians(-60) + 2 * run.time, abs=1e-8)


LENGTHS = {"crank": 0.3, "coupler": 0.9, "rocker": 0.7}
