# SPDX-License-Identifier: BSD-3-Clause
"""Free asymmetric body: the turn about its intermediate axis is unstable, energy and angular momentum stay.

Body-fixed angular velocity by Jacobi's elliptic functions (references/free_body.py), orientation by SciPy (DOP853,
1e-12). Rank: closed form (rates), second integrator on Euler's equations (orientation). Tolerance: RK4's phase error
at the spin rate, times 5/disturbance, since the disturbance grows from 0.05 to 1 while the body turns over; plus
1e-10.
"""

import numpy as np
import pytest

import knuckleboom as kb
from references import free_body, signals

INERTIA = (1.5, 2.0, 3.0)
SPIN, DISTURBANCE = 5.0, 0.05
STEP = 5e-4
DURATION = round(1.3 * free_body.half_turn_time(INERTIA, SPIN, SPIN * DISTURBANCE), 1)
LIMIT = 5.0 / DISTURBANCE * signals.rk4_error(SPIN, STEP, DURATION) + 1e-10


def fly(com=(0.0, 0.0, 0.0), velocity=(0.3, -0.2, 0.1), gravity=(0.0, 0.0, 0.0)):
    omega = np.array([0.0, SPIN, SPIN * DISTURBANCE])
    # velocity of the origin, such that the centre of mass moves at ``velocity``; the body starts unturned
    origin = np.array(velocity) - np.cross(omega, com)
    machine = kb.Machine("free", gravity=gravity)
    body = machine.body("body", mass=4.0, com=com, inertia=INERTIA)
    machine.free("base", machine.ground, body, start=(0.0,) * 6, speed=(*origin, *omega))
    return kb.simulate(machine, DURATION, step=STEP, record=2e-2)


def in_body_axes(run):
    turn = signals.rotation(run["body.orientation"].values)
    return turn, np.einsum("nji,nj->ni", turn, run["body.angular_velocity"].values)


def test_turns_over_as_elliptic_functions_say():
    run = fly()
    _, omega = in_body_axes(run)
    exact = free_body.from_middle_axis(run.time, INERTIA, SPIN, SPIN * DISTURBANCE)
    assert np.abs(omega - exact).max() < LIMIT * SPIN
    assert omega[:, 1].min() < -0.99 * SPIN  # it did turn over


def test_orientation():
    run = fly()
    turn, _ = in_body_axes(run)
    _, quaternion = free_body.by_scipy(run.time, INERTIA, np.array([0.0, SPIN, SPIN * DISTURBANCE]))
    assert np.abs(turn - signals.rotation(quaternion)).max() < LIMIT
    assert np.linalg.norm(run["body.orientation"].values, axis=1) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("com", [(0.0, 0.0, 0.0), (0.2, -0.1, 0.3)], ids=["centred", "offset"])
def test_energy_and_angular_momentum_stay(com):
    """Also with the centre of mass off the body's origin, where translation and rotation are coupled in the
    equations.
    """
    run = fly(com)
    turn, omega = in_body_axes(run)
    momentum = np.einsum("nij,nj->ni", turn, omega * np.array(INERTIA))
    energy = 0.5 * np.sum(np.array(INERTIA) * omega**2, axis=1)
    assert np.abs(momentum - momentum[0]).max() < LIMIT * np.linalg.norm(momentum[0])
    assert np.ptp(energy) < LIMIT * energy[0]
    assert np.ptp(run["energy.kinetic"].values) < LIMIT * energy[0]


def test_centre_of_mass_flies_a_parabola():
    """c(t) = c₀ + v t + ½ g t², whatever the rotation; position errors are the rotation's times the 0.37 m offset."""
    com, velocity, gravity = np.array([0.2, -0.1, 0.3]), np.array([0.3, -0.2, 0.1]), np.array([0.5, 0.0, -9.81])
    run = fly(tuple(com), tuple(velocity), tuple(gravity))
    turn, omega = in_body_axes(run)
    centre = run["body.position"].values + turn @ com
    t = run.time[:, None]
    assert np.abs(centre - (com + velocity * t + 0.5 * gravity * t**2)).max() < LIMIT
    exact = free_body.from_middle_axis(run.time, INERTIA, SPIN, SPIN * DISTURBANCE)
    assert np.abs(omega - exact).max() < LIMIT * SPIN
