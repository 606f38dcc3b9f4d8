# SPDX-License-Identifier: BSD-3-Clause
"""A bar whose ends slide on two crossed rails (ladder, trammel): two slides and two pins that move as a pendulum.

With equal sliders m_s and a uniform bar (m, L) the kinetic energy ½ (m/3 + m_s) L² θ̇² has constant inertia, and the
weight acts as (m/2 + m_s) g L sin θ: exactly a pendulum with ω₀² = (m/2 + m_s) g/((m/3 + m_s) L), by elliptic
functions. Rank: closed form. Tolerance: RK4's phase error at the largest angular speed, times 5 (see
test_pendulum.py); plus 1e-10.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import link
from references import pendulum, signals

MASS, SLIDER, LENGTH, G = 3.0, 0.8, 0.9, 9.81
OMEGA = math.sqrt((MASS / 2.0 + SLIDER) * G / ((MASS / 3.0 + SLIDER) * LENGTH))
AMPLITUDE, STEP, DURATION = math.radians(110.0), 2.5e-4, 2.0


def ladder(cut):
    """The bar's origin is on the level rail, its end on the upright one ; φ from hanging down."""
    machine = kb.Machine("ladder", gravity=(0.0, -G, 0.0))
    # direction of the bar: (sin φ, −cos φ) leads from the level rail's slider to the upright rail's at x = 0
    x, y = -LENGTH * math.sin(AMPLITUDE), -LENGTH * math.cos(AMPLITUDE)
    angle = AMPLITUDE - math.pi / 2.0
    bar = link(machine, "bar", MASS, LENGTH)
    one = machine.body("one", mass=SLIDER, inertia=(0.01, 0.01, 0.01))
    two = machine.body("two", mass=SLIDER, inertia=(0.01, 0.01, 0.01))
    machine.prismatic("level", machine.ground, one, axis="x", start=x, cut=cut == "level")
    machine.prismatic("upright", machine.ground, two, axis="y", start=y, cut=cut == "upright")
    machine.revolute("near", one, bar, start=angle, cut=cut == "near")
    machine.revolute("far", bar.at(LENGTH, 0.0, 0.0), two, start=-angle, cut=cut == "far")
    return machine


@pytest.mark.parametrize("enforcement", ["lagrange", "augmented"])
@pytest.mark.parametrize("cut", [None, "level", "upright", "near", "far"], ids=lambda cut: f"cut {cut}")
def test_ladder_swings_as_a_pendulum(cut, enforcement):
    run = kb.simulate(ladder(cut), DURATION, step=STEP, record=1e-2, enforcement=enforcement)
    phi = pendulum.angle(run.time, AMPLITUDE, OMEGA)
    bound = 5.0 * signals.rk4_error(2.0 * OMEGA, STEP, DURATION) + 1e-10
    assert run["one.position"].values[:, 0] == pytest.approx(-LENGTH * np.sin(phi), abs=bound)
    assert run["two.position"].values[:, 1] == pytest.approx(-LENGTH * np.cos(phi), abs=bound)
    assert run["level.travel"].values == pytest.approx(-LENGTH * np.sin(phi), abs=bound)
    assert np.abs(run["two.position"].values[:, [0, 2]]).max() < bound
    assert abs(run.energy().residual) < bound * MASS * G * LENGTH
