# SPDX-License-Identifier: BSD-3-Clause
"""Piston locked in oil: it rings at ω² = (β_a A_a²/V_a + β_b A_b²/V_b)/m; pressures follow its motion in closed form.

With both ports closed e + ln V is constant in each chamber, so the pressures depend on the displacement alone and the
mass is a conservative oscillator; its period at finite speed is a quadrature (references/oil.py). Rank: closed form.
Tolerance: RK4's phase error at ω relative to the elapsed phase is (ωh)⁴/120 = 1e-12 here; 1e-8 leaves room for
reading crossings from samples.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import signals
from references.oil import LockedPiston, NayaOil

MASS, BORE, ROD, STROKE, DEAD_A, DEAD_B = 500.0, 63e-3, 36e-3, 0.4, 0.3e-3, 0.2e-3
AMBIENT, G = 101325.0, 9.81
A, B = math.pi / 4.0 * BORE**2, math.pi / 4.0 * (BORE**2 - ROD**2)
PRESSURE_A = 80e5


def locked(speed, load=0.0):
    """A mass on a slide along x with ``load`` [N] pressing it against the extending cylinder, and its reference."""
    pressure_b = (PRESSURE_A * A - AMBIENT * (A - B) - load) / B
    machine = kb.Machine("locked", gravity=(-load / MASS, 0.0, 0.0), ambient=AMBIENT)
    block = machine.body("block", mass=MASS, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.0, speed=speed)
    oil = machine.oil(kb.fluids.naya())
    oil.cylinder(
        "ram",
        machine.ground,
        block,
        bore=BORE,
        rod=ROD,
        stroke=STROKE,
        dead_a=DEAD_A,
        dead_b=DEAD_B,
        pressure_a=PRESSURE_A,
        pressure_b=pressure_b,
    )
    exact = LockedPiston(
        mass=MASS,
        area_a=A,
        area_b=B,
        volume_a=DEAD_A + A * STROKE / 2.0,
        volume_b=DEAD_B + B * STROKE / 2.0,
        pressure_a=PRESSURE_A,
        pressure_b=pressure_b,
        force=-AMBIENT * (A - B) - load,
        oil=NayaOil(),
    )
    return machine, exact


@pytest.mark.parametrize("load", [0.0, 9000.0], ids=["free", "loaded"])
@pytest.mark.parametrize("speed", [1e-3, 0.15], ids=["small", "large"])
def test_ringing_frequency(speed, load):
    machine, exact = locked(speed, load)
    run = kb.simulate(machine, 0.3, step=2e-5, record=2e-5, coupling="explicit")
    travel, rate = run["slide.travel"], run["slide.travel_rate"].values
    passes = signals.rising(travel.time, travel.values, rate, 1.0)
    period = (passes[-1] - passes[0]) / (len(passes) - 1)
    assert len(passes) >= 5
    assert period == pytest.approx(exact.period(speed), rel=1e-8)
    if speed < 0.01:
        # amplitude 5 µm: non-linear terms are of order (A x/V)² = 1e-9
        assert 2.0 * math.pi / period == pytest.approx(exact.small_frequency(), rel=1e-6)


def test_pressures_follow_the_displacement():
    """p(x) from e + ln V = constant, at every step: the strain is integrated with RK4's error only (1e-9 of p)."""
    machine, exact = locked(0.15)
    run = kb.simulate(machine, 0.1, step=2e-5, record=2e-4, coupling="explicit")
    p_a, p_b = exact.pressures(run["slide.travel"].values - 1.0)
    assert np.ptp(p_a) > 10e5
    assert run["ram.a.pressure"].values == pytest.approx(p_a, rel=1e-9)
    assert run["ram.b.pressure"].values == pytest.approx(p_b, rel=1e-9)
    assert run["ram.a.volume"].values == pytest.approx(
        exact.volume_a + A * (run["slide.travel"].values - 1.0), rel=1e-12
    )
    assert run["ram.length"].values == pytest.approx(run["slide.travel"].values, abs=1e-12)
    assert run["ram.force"].values == pytest.approx(p_a * A - p_b * B - AMBIENT * (A - B), rel=1e-7, abs=1e-2)


def test_energy_goes_back_and_forth_between_mass_and_oil():
    """½ m v² + work stored in the oil and against the ambient is constant: audit residual below 1e-8 of the kinetic
    energy.
    """
    machine, _ = locked(0.15)
    run = kb.simulate(machine, 0.3, step=2e-5, record=2e-4, coupling="explicit")
    kinetic = 0.5 * MASS * 0.15**2
    assert run["energy.kinetic"].values.min() < 0.01 * kinetic
    assert abs(run.energy().residual) < 1e-8 * kinetic
