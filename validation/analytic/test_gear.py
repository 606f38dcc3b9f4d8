# SPDX-License-Identifier: BSD-3-Clause
"""Gears: a ratio between joint coordinates, between two shafts and between a pinion and a rack.

Rank: closed form. Constant efforts give parabolas, which RK4 integrates exactly: tolerance 1e-9 is rounding plus the
regularised multiplier; the ratio itself holds to 1e-9.
"""

import numpy as np
import pytest

import knuckleboom as kb


@pytest.mark.parametrize("ratio", [3.0, -0.4])
def test_two_shafts(ratio):
    """α_a = τ/(I_a + n² I_b), coordinate_b − start_b = n (coordinate_a − start_a)."""
    inertia_a, inertia_b, torque = 0.4, 0.15, 2.0
    machine = kb.Machine("shafts", gravity=(0.0, 0.0, -9.81))
    one = machine.body("one", mass=5.0, inertia=(0.3, 0.3, inertia_a))
    two = machine.body("two", mass=2.0, inertia=(0.1, 0.1, inertia_b))
    machine.revolute("fast", machine.ground, one, start=0.2)
    machine.revolute("slow", machine.ground.at(1.0, 0.0, 0.0), two, start=-0.5)
    machine.gear("mesh", "fast", "slow", ratio=ratio)
    machine.effort("motor", "fast", value=torque)
    run = kb.simulate(machine, 2.0, step=1e-3, record=1e-2)

    turn = 0.5 * torque / (inertia_a + ratio**2 * inertia_b) * run.time**2
    assert run["fast.angle"].values == pytest.approx(0.2 + turn, abs=1e-9)
    assert run["slow.angle"].values == pytest.approx(-0.5 + ratio * turn, abs=1e-9)
    assert np.abs(run["mesh.residual"].values).max() < 1e-9
    assert abs(run.energy().residual) < 1e-9 * run["energy.kinetic"].values[-1]


def test_rack_and_pinion():
    """A falling rack spins a pinion of radius r: a = g/(1 + I/(m r²))."""
    mass, inertia, radius = 3.0, 0.02, 0.1
    machine = kb.Machine("rack", gravity=(0.0, 0.0, -9.81))
    pinion = machine.body("pinion", mass=1.0, inertia=(inertia, inertia, inertia))
    rack = machine.body("rack", mass=mass, inertia=(0.1, 0.1, 0.1))
    machine.revolute("shaft", machine.ground, pinion, axis="y")
    machine.prismatic("slide", machine.ground.at(radius, 0.0, 0.0), rack, axis="z")
    machine.gear("mesh", "shaft", "slide", ratio=-radius)
    run = kb.simulate(machine, 1.0, step=1e-3, record=1e-2)
    fall = 0.5 * 9.81 / (1.0 + inertia / (mass * radius**2)) * run.time**2
    assert run["slide.travel"].values == pytest.approx(-fall, abs=1e-9)
    assert run["shaft.angle"].values == pytest.approx(fall / radius, abs=1e-8)
