# SPDX-License-Identifier: BSD-3-Clause
"""Joint friction: stopping under Coulomb friction F·tanh(w/w₀), closed form.

    m v̇ = −F tanh(v/v₀)   ⇒   sinh(v/v₀) = sinh(v_in/v₀) exp(−F t/(m v₀)),   distance → m v_in²/(2F)·(1 +
    π²/6·(v₀/v_in)²)

Rank: closed form, position by quadrature. Tolerance: RK4 on a decay of rate r = F/(m v₀) errs by (rh)⁵/120 per step
over the 1/(rh) steps that matter: 5·(rh)⁴/120 of v₀ is taken, plus 1e-11.
"""

import math

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson

import knuckleboom as kb

MASS, COULOMB, SPEED, TRANSITION, STEP = 4.0, 10.0, 0.8, 0.05, 5e-4
RATE = COULOMB / (MASS * TRANSITION)


def speed_at(time):
    """v₀ asinh(S e^{−rt}), S = sinh(v_in/v₀)."""
    return TRANSITION * np.arcsinh(np.sinh(SPEED / TRANSITION) * np.exp(-RATE * time))


@pytest.mark.parametrize("joint", ["prismatic", "revolute"])
def test_sliding_to_rest(joint):
    machine = kb.Machine("sliding", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=MASS, inertia=(MASS, MASS, MASS))
    make = machine.prismatic if joint == "prismatic" else machine.revolute
    make("slide", machine.ground, block, axis="x", speed=SPEED)
    machine.joint_friction("friction", "slide", coulomb=COULOMB, speed=TRANSITION)
    run = kb.simulate(machine, 1.0, step=STEP, record=STEP)

    label = "travel" if joint == "prismatic" else "angle"
    bound = 5.0 * (RATE * STEP) ** 4 / 120.0 * TRANSITION + 1e-11
    speed = speed_at(run.time)
    assert run[f"slide.{label}_rate"].values == pytest.approx(speed, abs=bound)
    distance = cumulative_simpson(speed, x=run.time, initial=0.0)
    assert run[f"slide.{label}"].values == pytest.approx(distance, abs=bound + 1e-9)

    # the classical stopping distance plus the creep within the transition, π²/6·(v₀/v)² of it
    classical = MASS * SPEED**2 / (2.0 * COULOMB)
    assert run[f"slide.{label}"].values[-1] == pytest.approx(
        classical * (1.0 + math.pi**2 / 6.0 * (TRANSITION / SPEED) ** 2), rel=1e-9
    )
    assert run.energy().dissipated["friction"] == pytest.approx(0.5 * MASS * SPEED**2, rel=1e-6)


def test_viscous_part():
    """Without Coulomb friction the joint slows exponentially, v = v_in exp(−ct/m)."""
    machine = kb.Machine("viscous", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=MASS, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("slide", machine.ground, block, axis="x", speed=SPEED)
    machine.joint_friction("friction", "slide", coulomb=0.0, viscous=6.0, speed=TRANSITION)
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2)
    assert run["slide.travel_rate"].values == pytest.approx(SPEED * np.exp(-1.5 * run.time), abs=1e-11)


def test_friction_holds_against_a_smaller_push():
    """Below the Coulomb level a push only creeps, at w = w₀ atanh(push/F): what a smooth law can hold."""
    push = 4.0
    machine = kb.Machine("held", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=MASS, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("slide", machine.ground, block, axis="x")
    machine.joint_friction("friction", "slide", coulomb=COULOMB, speed=TRANSITION)
    machine.effort("push", "slide", value=push)
    run = kb.simulate(machine, 1.0, step=STEP, record=1e-2)
    # after 1 s at rates above F(1 − (push/F)²)/(m v₀) = 42 1/s the start is forgotten to e⁻⁴²
    assert run["slide.travel_rate"].values[-1] == pytest.approx(TRANSITION * math.atanh(push / COULOMB), rel=1e-10)
