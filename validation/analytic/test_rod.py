# SPDX-License-Identifier: BSD-3-Clause
"""Rods: constant distance between two points, without mass.

Rank: closed form (simple pendulum by elliptic functions, conical pendulum, parallelogram, spinning pair). Tolerance:
RK4's phase error at the fastest angular speed, times 5 (see test_pendulum.py); plus 1e-10 for rounding and the
stabilised constraint.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import pendulum, signals

G, LENGTH, STEP = 9.81, 0.8, 2.5e-4


def test_rod_pendulum_swings_as_a_simple_pendulum():
    """A body in a plane hung at its centre of mass: it does not turn, its centre moves on the circle by elliptic
    functions.
    """
    amplitude, duration, omega = math.radians(100.0), 2.0, math.sqrt(G / LENGTH)
    machine = kb.Machine("rod pendulum", gravity=(0.0, -G, 0.0))
    bob = machine.body("bob", mass=2.0, inertia=(0.1, 0.1, 0.1))
    machine.planar(
        "plane", machine.ground, bob, start=(LENGTH * math.sin(amplitude), -LENGTH * math.cos(amplitude), 0.3)
    )
    machine.rod("rod", machine.ground, bob)
    run = kb.simulate(machine, duration, step=STEP, record=1e-2)

    angle = pendulum.angle(run.time, amplitude, omega)
    bound = 5.0 * signals.rk4_error(2.0 * omega, STEP, duration) + 1e-10
    assert run["plane.x"].values == pytest.approx(LENGTH * np.sin(angle), abs=bound)
    assert run["plane.y"].values == pytest.approx(-LENGTH * np.cos(angle), abs=bound)
    assert run["plane.angle"].values == pytest.approx(0.3, abs=bound)
    assert np.abs(run["rod.residual"].values).max() < bound
    assert abs(run.energy().residual) < bound * 2.0 * G * LENGTH


def test_conical_pendulum():
    """A free body on a rod circles at Ω² = g/(L cos α) without turning."""
    cone, duration = math.radians(35.0), 1.5
    rate = math.sqrt(G / (LENGTH * math.cos(cone)))
    radius, depth = LENGTH * math.sin(cone), LENGTH * math.cos(cone)
    machine = kb.Machine("conical", gravity=(0.0, 0.0, -G))
    bob = machine.body("bob", mass=2.0, inertia=(0.1, 0.2, 0.15))
    machine.free("base", machine.ground, bob, start=(radius, 0, -depth, 0, 0, 0), speed=(0, radius * rate, 0, 0, 0, 0))
    machine.rod("rod", machine.ground, bob, length=LENGTH)
    run = kb.simulate(machine, duration, step=STEP, record=1e-2)
    bound = 5.0 * signals.rk4_error(rate, STEP, duration) + 1e-10
    exact = np.stack(
        [radius * np.cos(rate * run.time), radius * np.sin(rate * run.time), 0.0 * run.time - depth], axis=-1
    )
    assert run["bob.position"].values == pytest.approx(exact, abs=bound)
    assert signals.rotation(run["bob.orientation"].values) == pytest.approx(
        np.broadcast_to(np.eye(3), (run.time.size, 3, 3)), abs=bound
    )


def test_parallelogram_carries_a_beam_without_turning():
    """Two equal parallel rods: the beam translates on a circle, as a simple pendulum of the rods' length, wherever
    its weight is.
    """
    amplitude, duration, omega = math.radians(60.0), 2.0, math.sqrt(G / LENGTH)
    machine = kb.Machine("parallelogram", gravity=(0.0, -G, 0.0))
    beam = machine.body("beam", mass=4.0, com=(0.1, -0.05, 0.0), inertia=(0.1, 0.2, 0.25))
    x, y = LENGTH * math.sin(amplitude), -LENGTH * math.cos(amplitude)
    machine.planar("plane", machine.ground, beam, start=(x, y, 0.0))
    machine.rod("left", machine.ground.at(-0.4, 0.0, 0.0), beam.at(-0.4, 0.0, 0.0))
    machine.rod("right", machine.ground.at(0.5, 0.0, 0.0), beam.at(0.5, 0.0, 0.0))
    run = kb.simulate(machine, duration, step=STEP, record=1e-2)
    angle = pendulum.angle(run.time, amplitude, omega)
    bound = 5.0 * signals.rk4_error(2.0 * omega, STEP, duration) + 1e-10
    assert run["plane.x"].values == pytest.approx(LENGTH * np.sin(angle), abs=bound)
    assert run["plane.angle"].values == pytest.approx(0.0, abs=bound)


def test_spinning_pair():
    """Two free bodies joined at their centres spin about the common centre of mass at constant rate and tension
    m₁r₁Ω².
    """
    m1, m2, rate, duration = 2.0, 3.0, 4.0, 1.0
    r1, r2 = LENGTH * m2 / (m1 + m2), LENGTH * m1 / (m1 + m2)
    machine = kb.Machine("pair", gravity=(0.0, 0.0, 0.0))
    one = machine.body("one", mass=m1, inertia=(0.1, 0.1, 0.1))
    two = machine.body("two", mass=m2, inertia=(0.1, 0.1, 0.1))
    machine.free("base_one", machine.ground, one, start=(r1, 0, 0, 0, 0, 0), speed=(0, r1 * rate, 0, 0, 0, 0))
    machine.free("base_two", machine.ground, two, start=(-r2, 0, 0, 0, 0, 0), speed=(0, -r2 * rate, 0, 0, 0, 0))
    machine.rod("rod", one, two)
    run = kb.simulate(machine, duration, step=STEP, record=1e-2)
    bound = 5.0 * signals.rk4_error(rate, STEP, duration) + 1e-10
    circle = np.stack([np.cos(rate * run.time), np.sin(rate * run.time), 0.0 * run.time], axis=-1)
    assert run["one.position"].values == pytest.approx(r1 * circle, abs=bound)
    assert run["two.position"].values == pytest.approx(-r2 * circle, abs=bound)
