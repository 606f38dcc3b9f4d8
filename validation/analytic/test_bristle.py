# SPDX-License-Identifier: BSD-3-Clause
"""Friction that sticks (LuGre): stick-slip of a mass on a belt against SciPy, the static band, and slow sliding.

    m ẍ = −k x + λ,   w = ẋ − V,   ż = w − σ₀|w|z/g(w),   λ = −(σ₀ z + σ₁ e^{−(w/v_s)²} ż + σ₂ w)  [Canudas de Wit 1995]

As published, and with the factor of laws/hold.py before σ₀|w|z/g. Rank: another program for the motion (SciPy's DOP853
at rtol 1e-13, restarted where w changes sign, where ż has a corner); closed form for the band. Tolerance 1e-9 m of a
motion of 0.1 m: RK4 at 20 µs errs by 3e-11 m in six seconds, most of it at the few corners.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import knuckleboom as kb

MASS, STIFFNESS, BELT = 1.0, 40.0, 0.1
COULOMB, BREAKAWAY, STRIBECK, SIGMA0, SIGMA1, SIGMA2 = 1.0, 2.0, 0.05, 1e4, 60.0, 0.4
BRISTLES = {
    "coulomb": COULOMB, "breakaway": BREAKAWAY, "stribeck_speed": STRIBECK, "bristle_stiffness": SIGMA0,
    "bristle_damping": SIGMA1, "viscous": SIGMA2,
}  # fmt: skip
both = pytest.mark.parametrize("hold_speed", [0.0, 0.02], ids=["LuGre", "hold"])


def on_a_belt(hold_speed):
    """A block on a belt that moves at a constant speed, held by a spring to the ground."""
    machine = kb.Machine("stick-slip", gravity=(0.0, 0.0, 0.0))
    belt = machine.body("belt", mass=5.0, inertia=(1.0, 1.0, 1.0))
    block = machine.body("block", mass=MASS, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("rollers", machine.ground, belt, axis="x", speed=BELT)
    machine.driver("drive", "rollers", speed=BELT)
    machine.prismatic("slip", belt, block, axis="x")
    machine.joint_friction("friction", "slip", hold_speed=hold_speed, **BRISTLES)
    machine.spring("spring", machine.ground.at(-5.0, 0.0, 0.0), block, stiffness=STIFFNESS, rest=5.0)
    return machine


def friction(w, z, hold_speed):
    fall = np.exp(-((w / STRIBECK) ** 2))
    g = COULOMB + (BREAKAWAY - COULOMB) * fall
    hold = 1.0
    if hold_speed > 0.0:
        part = np.clip(10.0 * (SIGMA0 * np.abs(z) / g - 0.9), 0.0, 1.0)
        hold = 1.0 - (1.0 - part**2 * (3.0 - 2.0 * part)) / (1.0 + (w / hold_speed) ** 4)
    z_dot = w - hold * SIGMA0 * np.abs(w) * z / g
    return z_dot, -(SIGMA0 * z + SIGMA1 * fall * z_dot + SIGMA2 * w)


def reference(times, hold_speed):
    """x, ẋ and z by SciPy, one piece between two changes of the sign of w."""

    def rates(_, y):
        z_dot, force = friction(y[1] - BELT, y[2], hold_speed)
        return [y[1], (force - STIFFNESS * y[0]) / MASS, z_dot]

    def turns(_, y):
        return y[1] - BELT

    turns.terminal = True
    words = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15, "max_step": 1e-3}  # between steps it is interpolated
    out = np.empty((3, len(times)))
    t, y, end = 0.0, np.array([0.0, BELT, 0.0]), times[-1]
    out[:, 0] = y
    while t < end:
        # away from a corner for a microsecond, then on to the next one
        for until, events in ((min(t + 1e-6, end), None), (end, turns)):
            piece = solve_ivp(rates, (t, until), y, events=events, dense_output=True, **words)
            inside = (times > t) & (times <= piece.t[-1])
            if inside.any():
                out[:, inside] = piece.sol(times[inside])
            t, y = float(piece.t[-1]), piece.y[:, -1]
            if t >= end:
                break
    return out


@pytest.mark.slow
@both
def test_stick_slip_on_a_belt(hold_speed):
    run = kb.simulate(on_a_belt(hold_speed), 6.0, step=2e-5, record=1e-2)
    x, v, z = reference(run.time, hold_speed)
    travel = run["slip.travel"].values + run["rollers.travel"].values
    speed = run["slip.travel_rate"].values + run["rollers.travel_rate"].values

    assert travel == pytest.approx(x, abs=1e-9)
    assert speed == pytest.approx(v, abs=1e-8)
    assert run["friction.bristle"].values == pytest.approx(z, abs=1e-10)
    # it does stick and slip: it moves with the belt for long, then back much faster, again and again
    sticking = np.abs(v - BELT) < 1e-2
    assert 0.2 < sticking.mean() < 0.95 and v.min() < -BELT
    assert np.sum(np.diff(sticking.astype(int)) == -1) >= 3


@both
@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_stick_slip_in_implicit_steps(coupling, hold_speed):
    """At 1 ms the motion stays with the explicit one for two slips, to 1 mm of 0.1 m."""
    exact = kb.simulate(on_a_belt(hold_speed), 2.0, step=2e-5, record=1e-2)
    run = kb.simulate(on_a_belt(hold_speed), 2.0, step=1e-3, record=1e-2, coupling=coupling)
    assert run["spring.length"].values == pytest.approx(exact["spring.length"].values, abs=1e-3)


def pushed(push, **words):
    machine = kb.Machine("pushed", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=MASS, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x")
    machine.joint_friction("friction", "slide", **(BRISTLES | {"bristle_damping": 150.0} | words))
    machine.effort("push", "slide")
    ramp = kb.table([0.0, 1.0, 2.0], [0.0, push, push])
    return kb.simulate(machine, 2.0, step=1e-4, record=1e-2, inputs={"push": ramp})


@both
@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_holds_within_the_static_band(share, hold_speed):
    """At rest σ₀ z carries any push up to breakaway: λ = −push, z = push/σ₀, and nothing creeps."""
    run = pushed(share * BREAKAWAY, hold_speed=hold_speed)
    assert abs(run["slide.travel_rate"].values[-1]) < 1e-9
    assert run["friction.bristle"].values[-1] == pytest.approx(share * BREAKAWAY / SIGMA0, rel=1e-6)
    assert run["friction.force"].values[-1] == pytest.approx(-share * BREAKAWAY, rel=1e-6)
    assert run.energy().relative_residual < 1e-6


@both
def test_gives_way_beyond_it(hold_speed):
    run = pushed(1.01 * BREAKAWAY, hold_speed=hold_speed)
    assert run["slide.travel_rate"].values[-1] > 0.1


@both
@pytest.mark.parametrize("speed", [-0.5, -0.02, 0.004, 0.05, 0.2])
def test_steady_sliding_is_the_stribeck_curve(speed, hold_speed):
    """−(F_c + (F_s − F_c) e^{−(w/v_s)²}) sign w − σ₂ w, once the bristles have bent."""
    machine = kb.Machine("sliding", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=MASS, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x", speed=speed)
    machine.driver("hand", "slide", speed=speed)
    machine.joint_friction("friction", "slide", hold_speed=hold_speed, **BRISTLES)
    run = kb.simulate(machine, 2.0, step=1e-4, record=1e-2)
    dry = COULOMB + (BREAKAWAY - COULOMB) * math.exp(-((speed / STRIBECK) ** 2))
    assert run["friction.force"].values[-1] == pytest.approx(-math.copysign(dry, speed) - SIGMA2 * speed, rel=1e-9)
