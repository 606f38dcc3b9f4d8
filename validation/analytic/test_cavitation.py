# SPDX-License-Identifier: BSD-3-Clause
"""Pulling a locked cylinder: the oil cavitates, its absolute pressure stays positive and follows its law.

With closed ports e = e₀ − ln(V/V₀) and p = p_v + (B/2)(e + √(e² + (2 p_h/B)²)): no pressure is clipped, none is
negative. A vacuum carries at most (p_ambient − p_v) per area, so a pull above that accelerates the piston almost
freely. Rank: closed form. Tolerance: the strain is a smooth function of the motion; RK4's error at the oil's ω h =
0.01 is 1e-10 of e, and p is compared to 1e-6 of the start pressure.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

BORE, STROKE, AMBIENT, MASS, PULL = 50e-3, 0.5, 101325.0, 200.0, 4000.0
BULK, VAPOUR, HALF, START = 1.4e9, 2e3, 3e5, 5e5
A = math.pi / 4.0 * BORE**2


def pressure(e):
    """The law as documented, written without cancellation on the cavitated side."""
    width = 2.0 * HALF / BULK
    root = np.hypot(e, width)
    lift = np.where(e >= 0.0, e + root, width**2 / (root - np.minimum(e, 0.0)))
    return VAPOUR + 0.5 * BULK * lift


def strain(p):
    z = p - VAPOUR
    return (z - HALF**2 / z) / BULK


@pytest.fixture(scope="module")
def run():
    machine = kb.Machine("pulled", gravity=(0.0, 0.0, 0.0), ambient=AMBIENT)
    block = machine.body("block", mass=MASS, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.0)
    machine.force("pull", block, direction="x", value=PULL)
    oil = machine.oil(kb.fluids.mineral_oil(860.0, BULK, VAPOUR, HALF))
    oil.cylinder(
        "ram",
        machine.ground,
        block,
        bore=BORE,
        rod=0.0,
        stroke=STROKE,
        pressure_a=START,
        pressure_b=START,
    )
    return kb.simulate(machine, 0.06, step=1e-5, record=1e-4)


def test_absolute_pressure_stays_positive(run):
    """Never below vapour pressure, and it did cavitate: strain of the bore side below zero."""
    p_a = run["ram.a.pressure"].values
    assert p_a.min() > VAPOUR
    assert p_a.min() < VAPOUR + 0.2 * HALF
    assert run["ram.b.pressure"].values.min() > VAPOUR


def test_pressures_follow_the_law(run):
    x = run["slide.travel"].values - 1.0
    volume = 1e-4 + A * STROKE / 2.0
    e_a = strain(START) - np.log1p(A * x / volume)
    e_b = strain(START) - np.log1p(-A * x / volume)
    assert run["ram.a.pressure"].values == pytest.approx(pressure(e_a), abs=1e-6 * START, rel=1e-6)
    assert run["ram.b.pressure"].values == pytest.approx(pressure(e_b), abs=1e-6 * START, rel=1e-6)


def test_motion_gives_back_the_work_of_the_pull(run):
    """Work of the pull = kinetic + oil (and ambient): the audit closes to 1e-7 of that work."""
    audit = run.energy()
    assert abs(audit.residual) < 1e-7 * abs(PULL * (run["slide.travel"].values - 1.0)).max()
