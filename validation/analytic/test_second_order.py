# SPDX-License-Identifier: BSD-3-Clause
"""Second-order spool: its step response, below, at and above critical damping.

Rank: closed form. ÿ = ω² (u − y) − 2 ζ ω ẏ from rest. RK4 at ω h = 0.013: 1e-9. The implicit couplings are of order 2:
ω h = 0.126 and 0.063, and the error falls by 4.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling
from kernel_call import callable_kernel
from knuckleboom.hydraulics.elements import second_order

FREQUENCY, HEIGHT = 20.0, 0.7
OMEGA = 2.0 * math.pi * FREQUENCY


def step_response(t, damping):
    """y(t) and ẏ(t) after a unit step, by the roots of s² + 2 ζ ω s + ω²."""
    if damping == 1.0:
        decay = np.exp(-OMEGA * t)
        return 1.0 - decay * (1.0 + OMEGA * t), OMEGA**2 * t * decay
    root = np.sqrt(complex(damping**2 - 1.0))
    one, two = OMEGA * (-damping + root), OMEGA * (-damping - root)
    rate = OMEGA**2 * (np.exp(one * t) - np.exp(two * t)) / (one - two)
    value = 1.0 + (two * np.exp(one * t) - one * np.exp(two * t)) / (one - two)
    return value.real, rate.real


def run_spool(coupling, damping, step):
    """A valve between closed volumes: the spool moves, and oil with it."""
    machine = kb.Machine("spool")
    oil = machine.oil(kb.fluids.mineral_oil())
    pump, tank = oil.pressure("pump", "100 bar"), oil.tank("tank")
    a, b = oil.volume("a", "1 l", "10 bar"), oil.volume("b", "1 l", "10 bar")
    oil.valve_4_3("valve", P=pump, T=tank, A=a, B=b, flow=("20 l/min", "35 bar"), frequency=FREQUENCY, damping=damping)
    inputs = {"valve": kb.steps({0.0: 0.0, 0.02: HEIGHT})}
    return kb.simulate(machine, 0.2, step=step, record=4e-3, coupling=coupling, inputs=inputs)


def error(coupling, damping, step):
    run = run_spool(coupling, damping, step)
    value, rate = step_response(np.clip(run.time - 0.02, 0.0, None), damping)
    return max(
        np.abs(run["valve.spool"].values - HEIGHT * value).max(),
        np.abs(run["valve.spool_rate"].values - HEIGHT * rate).max() / OMEGA,
    )


@pytest.mark.parametrize("damping", [0.0, 0.3, 1.0, 2.5])
@every_coupling
def test_step_response(coupling, damping):
    # of order 2 the undamped phase is late by ω³ h² t/12 = 0.03 at the end
    implicit = 0.025 if damping == 0.0 else 3e-3
    assert error(coupling, damping, STEPS[coupling]) < (1e-8 if coupling == "explicit" else implicit)


@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_order_of_the_implicit_couplings(coupling):
    coarse, fine = error(coupling, 0.5, 1e-3), error(coupling, 0.5, 0.5e-3)

    assert fine < 1e-3
    assert 3.3 < coarse / fine < 4.7


def test_the_closed_form_of_an_implicit_step_against_a_dense_solve():
    """(1 − τ J) δ = r with the slopes J of the law by differences, which are exact: it is linear."""
    random = np.random.default_rng(5)
    law, correction = callable_kernel(second_order.law), callable_kernel(second_order.correction)
    for _ in range(20):
        columns = random.uniform(1.0, 1e5), random.uniform(0.0, 1e3)
        tau, r = random.uniform(1e-4, 1e-1), random.normal(size=2)
        at_rest = np.array(law(0.3, 0.0, 0.0, *columns))
        J = np.array([np.array(law(0.3, *unit, *columns)) - at_rest for unit in np.eye(2)]).T

        ours = correction(tau, *r, *columns)

        assert ours == pytest.approx(np.linalg.solve(np.eye(2) - tau * J, r), rel=1e-9)
