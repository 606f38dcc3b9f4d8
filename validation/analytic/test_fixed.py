# SPDX-License-Identifier: BSD-3-Clause
"""Fixed joint and point masses: what is fixed together moves as one body.

Rank: closed form. A pendulum made of two bodies and a point mass has ω₀² = g Σm r/Σ(I + m r²) (elliptic functions for
its motion). Tolerance as in test_pendulum.py.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import pendulum, signals

G, STEP, AMPLITUDE, DURATION = 9.81, 1e-3, math.radians(130.0), 2.0


def test_two_bodies_and_a_point_mass_swing_as_one():
    """The second body is fixed turned by 90° about x, so its own z inertia acts about the world's −y."""
    m1, c1, m2, c2, m3, c3 = 3.0, 0.4, 2.0, 0.9, 0.5, 1.2
    i1, i2 = (0.25, 0.2, 0.06), (0.05, 0.04, 0.06)
    machine = kb.Machine("compound", gravity=(0.0, 0.0, -G))
    arm = machine.body(
        "arm", mass=m1, com=(0, 0, -c1), inertia=i1, point_masses={"lump": {"mass": m3, "at": (0, 0, -c3)}}
    )
    head = machine.body("head", mass=m2, inertia=i2)
    machine.revolute("pin", machine.ground, arm, axis="y", start=AMPLITUDE)
    machine.fixed("flange", arm.at((0.0, 0.0, -c2), rpy=("90 deg", 0.0, 0.0)), head)
    run = kb.simulate(machine, DURATION, step=STEP, record=1e-2)

    moment = m1 * c1 + m2 * c2 + m3 * c3
    inertia = i1[1] + m1 * c1**2 + i2[2] + m2 * c2**2 + m3 * c3**2
    omega = math.sqrt(G * moment / inertia)
    bound = 5.0 * signals.rk4_error(2.0 * omega, STEP, DURATION) + 1e-11
    assert run["pin.angle"].values == pytest.approx(pendulum.angle(run.time, AMPLITUDE, omega), abs=bound)
    # the flange keeps place and attitude
    arm_turn, head_turn = (signals.rotation(run[f"{name}.orientation"].values) for name in ("arm", "head"))
    assert run["head.position"].values == pytest.approx(-c2 * arm_turn[:, :, 2], abs=1e-12)
    quarter = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    assert head_turn == pytest.approx(arm_turn @ quarter, abs=1e-12)


def test_full_inertia_matrix_equals_turned_diagonal():
    """A body with products of inertia swings as the same body described in its principal axes and mounted turned."""
    turn = math.radians(35.0)
    c, s = math.cos(turn), math.sin(turn)
    principal = np.diag([0.25, 0.2, 0.06])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    full = about_x @ principal @ about_x.T

    def swing(inertia, rpy):
        machine = kb.Machine("turned", gravity=(0.0, 0.0, -G))
        arm = machine.body("arm", mass=1.0, com=(0, 0, -0.3), inertia=(0.02, 0.02, 0.01))
        bob = machine.body("bob", mass=3.0, inertia=inertia)
        machine.spherical("ball", machine.ground, arm, start=(0.5, 1.0, 0.2), speed=(1.0, 0.0, 4.0))
        machine.fixed("flange", arm.at((0.1, 0.0, -0.7), rpy=rpy), bob)
        return kb.simulate(machine, 1.0, step=STEP, record=1e-2)["bob.position"].values

    straight = swing(tuple(map(tuple, full)), (0.0, 0.0, 0.0))
    six = swing((full[0, 0], full[1, 1], full[2, 2], full[0, 1], full[0, 2], full[1, 2]), (0.0, 0.0, 0.0))
    turned = swing((0.25, 0.2, 0.06), (turn, 0.0, 0.0))
    assert straight == pytest.approx(turned, abs=1e-10)
    assert straight == pytest.approx(six, abs=1e-13)
