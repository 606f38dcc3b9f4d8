# SPDX-License-Identifier: BSD-3-Clause
"""PID on a double integrator: the closed loop is a linear discrete-time system, solved exactly without our engine.

A mass on a rail obeys ẍ = u/m exactly; with u held, x and ẋ advance by h·ẋ + h²/2·u/m and h·u/m (zero-order hold, by
scipy's cont2discrete). The controller's own difference equations stand beside it. RK4 is exact for this motion, so the
two agree to rounding. The settled state (x = r at any load, by the integral) is a closed form.
"""

import numpy as np
import pytest
from scipy.signal import cont2discrete

import knuckleboom as kb

MASS, EVERY = 3.0, 0.01
KP, KI, KD, FILTER = 60.0, 40.0, 30.0, 0.02


def cart(load=0.0):
    machine = kb.Machine("cart", gravity=(0, 0, 0))
    body = machine.body("cart", mass=MASS, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")
    machine.force("load", body, direction="x", value=load)
    return machine


def exact_loop(setpoint, load, samples, limits=(-np.inf, np.inf), tracking=1.0, plant=None):
    """x and u at every sample of the loop, as matrices and the equations of the book."""
    A, B, *_ = cont2discrete(plant or (np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1 / MASS]]),
                             np.eye(2), np.zeros((2, 1))), EVERY)  # fmt: skip
    state, integral, derivative, before = np.zeros(2), 0.0, 0.0, 0.0
    x, u = [], []
    for k in range(samples):
        y, r = state[0], setpoint(k * EVERY)
        if k == 0:
            before, integral = y, -KP * (r - y)
        derivative = FILTER / (FILTER + EVERY) * derivative - KD / (FILTER + EVERY) * (y - before)
        wanted = KP * (r - y) + integral + derivative
        output = float(np.clip(wanted, *limits))
        x.append(y)
        u.append(output)
        integral += KI * EVERY * (r - y) + EVERY / tracking * (output - wanted)
        before = y
        state = A @ state + B[:, 0] * (output + load)
    return np.array(x), np.array(u)


def simulate(setpoint, load, duration, **words):
    level = kb.pid(
        "level", reads="rail.travel", writes="push", setpoint=setpoint, kp=KP, ki=KI, kd=KD, derivative_filter=FILTER,
        every=EVERY, **words,
    )  # fmt: skip
    return kb.simulate(cart(load), duration, step="2.5 ms", record="10 ms", controllers=[level])


@pytest.mark.parametrize("load", [0.0, -7.0])
def test_the_closed_loop_is_the_exact_discrete_one(load):
    run = simulate(kb.steps({0: 0.0, 0.5: 0.2}), load, 3.0)

    x, u = exact_loop(lambda t: 0.2 if t > 0.499 else 0.0, load, 300)

    assert run["rail.travel"].values[:-1] == pytest.approx(x, abs=1e-11)
    assert run["push.input"].values[:-1] == pytest.approx(u, abs=1e-9)


def test_at_a_limit_the_loop_with_back_calculation_is_the_exact_one():
    limits, tracking = (-0.5, 1.5), 0.3
    run = simulate(1.0, 0.0, 6.0, limits=limits, tracking=tracking)

    x, u = exact_loop(lambda t: 1.0, 0.0, 600, limits, tracking)

    assert (u == 1.5).sum() > 10 and (u == -0.5).sum() > 10, "both limits are met"
    assert run["rail.travel"].values[:-1] == pytest.approx(x, abs=1e-9)
    assert run["push.input"].values[:-1] == pytest.approx(u, abs=1e-7)


def test_the_integral_carries_any_load():
    run = simulate(0.2, -7.0, 40.0)

    assert run["rail.travel"].values[-1] == pytest.approx(0.2, abs=1e-9)
    assert run["push.input"].values[-1] == pytest.approx(7.0, abs=1e-6)
