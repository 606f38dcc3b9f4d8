# SPDX-License-Identifier: BSD-3-Clause
"""Leakage past a fixed piston equalises the chambers exponentially.

    Δp = Δp₀ exp(−G B (1/V_a + 1/V_b) t),   V_a p_a + V_b p_b = constant            for constant bulk modulus B

Rank: closed form. Tolerance: RK4 on a decay of rate r over 5 time constants errs by 5 (rh)⁴/120 = 2e-9; the fluid's
'half' of 100 Pa keeps B constant to (100 Pa/20 bar)² = 3e-9. 1e-7 of the first difference.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

BULK, LEAK, BORE, ROD, STROKE = 1.4e9, 4e-12, 60e-3, 30e-3, 0.4
A, B = math.pi / 4.0 * BORE**2, math.pi / 4.0 * (BORE**2 - ROD**2)


def test_pressures_equalise():
    machine = kb.Machine("leaking", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=10.0, inertia=(1.0, 1.0, 1.0))
    machine.fixed("clamp", machine.ground.at(1.2, 0.0, 0.0), block)
    oil = machine.oil(kb.fluids.mineral_oil(860.0, BULK, half=100.0))
    oil.cylinder(
        "ram",
        machine.ground,
        block,
        bore=BORE,
        rod=ROD,
        stroke=STROKE,
        closed=1.0,
        leak=LEAK,
        pressure_a="150 bar",
        pressure_b="20 bar",
    )
    volume_a, volume_b = 1e-4 + A * 0.2, 1e-4 + B * 0.2
    rate = LEAK * BULK * (1.0 / volume_a + 1.0 / volume_b)
    run = kb.simulate(machine, 0.25, step=5e-4, record=5e-3, coupling="explicit")

    p_a, p_b = run["ram.a.pressure"].values, run["ram.b.pressure"].values
    assert run["ram.a.volume"].values == pytest.approx(volume_a, rel=1e-12)
    assert p_a - p_b == pytest.approx(130e5 * np.exp(-rate * run.time), abs=1e-7 * 130e5)
    total = volume_a * 150e5 + volume_b * 20e5
    assert volume_a * p_a + volume_b * p_b == pytest.approx(total, rel=1e-7)
