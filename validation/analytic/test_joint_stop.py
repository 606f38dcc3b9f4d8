# SPDX-License-Identifier: BSD-3-Clause
"""Joint stops: elastic and dissipative bounce, force k·d·(1 + c·ḋ), never pulling.

Without damping a mass leaves the stop after π√(m/k) as fast as it came. With it, energy gives the speeds in and out:

    m v dv = −k d (1 + c v) dd   ⇒   G(v_in) = G(−v_out),   G(v) = v/c − ln(1 + c v)/c²              [after Hunt 1975]

Rank: closed form. Tolerance: the force has a kink where contact starts and ends; RK4 then errs by up to (ωh)² of the
speed in the two steps that straddle it, ω = √(k/m). Nothing else contributes at this size.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb
from references import signals

MASS, STIFFNESS, SPEED, STEP = 4.0, 4.0e4, 0.8, 2e-5
OMEGA = math.sqrt(STIFFNESS / MASS)
KINK = (OMEGA * STEP) ** 2


def bounce(damping, side="upper", joint="prismatic"):
    machine = kb.Machine("bounce", gravity=(0.0, 0.0, 0.0))
    sign = 1.0 if side == "upper" else -1.0
    block = machine.body("block", mass=MASS, inertia=(MASS, MASS, MASS))
    if joint == "prismatic":
        machine.prismatic("slide", machine.ground, block, axis="x", speed=sign * SPEED)
    else:
        machine.revolute("slide", machine.ground, block, axis="x", speed=sign * SPEED)
    limits = {side: sign * 0.01}
    machine.joint_stop("stop", "slide", stiffness=STIFFNESS, damping=damping, **limits)
    return kb.simulate(machine, 0.08, step=STEP, record=STEP)


@pytest.mark.parametrize("joint", ["prismatic", "revolute"])
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_elastic_bounce(side, joint):
    """Same speed back, contact time π/ω, deepest v/ω; a rotary stop is the same with angles (inertia = mass here)."""
    run = bounce(0.0, side, joint)
    label = "travel" if joint == "prismatic" else "angle"
    sign = 1.0 if side == "upper" else -1.0
    travel, rate = sign * run[f"slide.{label}"].values, sign * run[f"slide.{label}_rate"].values
    passes = signals.crossings(run.time, travel, rate, 0.01)
    assert rate[-1] == pytest.approx(-SPEED, rel=KINK)
    assert passes[1] - passes[0] == pytest.approx(math.pi / OMEGA, rel=KINK)
    assert travel.max() - 0.01 == pytest.approx(SPEED / OMEGA, rel=2.0 * KINK)


@pytest.mark.parametrize("damping", [0.1, 0.5, 2.0])
def test_dissipative_bounce(damping):
    """Speed out solves G(v_in) = G(−v_out); the energy lost appears as dissipated."""
    run = bounce(damping)

    def g(v):
        return v / damping - math.log1p(damping * v) / damping**2

    out = brentq(lambda v: g(SPEED) - g(-v), 1e-9, min(SPEED, (1.0 - 1e-12) / damping), xtol=1e-15)
    assert run["slide.travel_rate"].values[-1] == pytest.approx(-out, abs=KINK * SPEED)
    lost = 0.5 * MASS * (SPEED**2 - out**2)
    assert run.energy().dissipated["stop"] == pytest.approx(lost, abs=2.0 * KINK * MASS * SPEED**2)


def test_a_stop_never_pulls():
    """The force is zero or pushes back, at every recorded instant, even when leaving fast."""
    run = bounce(2.0)
    acceleration = np.diff(run["slide.travel_rate"].values)
    assert acceleration.max() < 1e-12 * SPEED


def test_ball_bounces_under_gravity_with_constant_period():
    """Between two touches of an elastic stop a fall takes 2 √(2H/g): one whole bounce is that plus the contact's
    share.
    """
    height, g = 0.05, 9.81
    machine = kb.Machine("ball", gravity=(0.0, 0.0, -g))
    ball = machine.body("ball", mass=MASS, inertia=(0.1, 0.1, 0.1))
    machine.prismatic("slide", machine.ground, ball, axis="z", start=height)
    machine.joint_stop("floor", "slide", lower=0.0, stiffness=STIFFNESS, damping=0.0)
    run = kb.simulate(machine, 0.7, step=5e-5, record=5e-5)
    travel, rate = run["slide.travel"].values, run["slide.travel_rate"].values
    tops = signals.crossings(run.time, rate, run["slide.travel_acceleration"].values)
    tops = tops[(tops > 0.01) & (np.interp(tops, run.time, travel) > 0.5 * height)]
    # contact: z = −g/ω² + R sin-like, from entry speed √(2gH): time 2/ω (π/2 + atan(g/(ω √(2gH))))
    speed = math.sqrt(2.0 * g * height)
    contact = 2.0 / OMEGA * (math.pi / 2.0 + math.atan(g / (OMEGA * speed)))
    period = 2.0 * speed / g + contact
    kink = (OMEGA * 5e-5) ** 2
    assert len(tops) >= 2
    assert np.diff(tops) == pytest.approx(period, rel=2.0 * kink)
    assert tops[0] == pytest.approx(period, rel=2.0 * kink)
    assert np.interp(tops, run.time, travel) == pytest.approx(height, rel=4.0 * kink * len(tops))
