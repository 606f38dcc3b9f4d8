# SPDX-License-Identifier: BSD-3-Clause
"""Low-pass filters: the step response at every sample is that of the continuous filter, closed form.

First order 1 − exp(−t/τ). Second order, damped, critical and over-damped: the textbook step responses; and for an
arbitrary held input the solution of the state equation by scipy's matrix exponential (second formulation).
"""

import math

import numpy as np
import pytest
from scipy.linalg import expm

import knuckleboom as kb

H = 0.01
TIMES = H * np.arange(200)


def response(block, inputs):
    """What a filter that is at rest at zero writes for these inputs, one a sample."""
    memory, writes = np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(1)
    parameters = np.array([*block.parameters.values(), *block.constants.values()])
    out = np.empty(len(inputs))
    for k, value in enumerate(inputs):
        block.function(k * H, np.array([value]), writes, memory, parameters)
        out[k] = writes[0]
    return out


@pytest.mark.parametrize("lag", [0.003, 0.05, 1.0])
def test_first_order_step(lag):
    block = kb.low_pass("f", reads="u", time_constant=lag, every=H)

    assert response(block, np.ones(200)) == pytest.approx(1.0 - np.exp(-TIMES / lag), abs=1e-14)


def second_order_step(omega, zeta, t):
    if zeta < 1.0:
        turning = omega * math.sqrt(1.0 - zeta**2)
        swing = np.cos(turning * t) + zeta * omega / turning * np.sin(turning * t)
        return 1.0 - np.exp(-zeta * omega * t) * swing
    if zeta == 1.0:
        return 1.0 - (1.0 + omega * t) * np.exp(-omega * t)
    fast, slow = (omega * (zeta + sign * math.sqrt(zeta**2 - 1.0)) for sign in (1.0, -1.0))
    return 1.0 - (fast * np.exp(-slow * t) - slow * np.exp(-fast * t)) / (fast - slow)


@pytest.mark.parametrize("zeta", [0.1, math.sqrt(0.5), 1.0, 2.0])
@pytest.mark.parametrize("frequency", [1.0, 20.0])
def test_second_order_step(frequency, zeta):
    block = kb.low_pass("f", reads="u", frequency=frequency, damping=zeta, every=H)

    exact = second_order_step(2.0 * math.pi * frequency, zeta, TIMES)

    assert response(block, np.ones(200)) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("zeta", [0.3, 1.0, 1.7])
def test_any_held_input(zeta):
    omega = 2.0 * math.pi * 3.0
    inputs = np.random.default_rng(1).normal(size=200)
    A = np.array([[0.0, 1.0, 0.0], [-(omega**2), -2.0 * zeta * omega, omega**2], [0.0, 0.0, 0.0]])
    exact, state = [0.0], np.zeros(2)
    for value in inputs[:-1]:
        state = (expm(A * H) @ [*state, value])[:2]
        exact.append(state[0])

    block = kb.low_pass("f", reads="u", frequency="3 Hz", damping=zeta, every=H)

    assert response(block, inputs) == pytest.approx(np.array(exact), abs=1e-12)


def test_inside_a_run_it_is_the_filter_of_the_sampled_quantity():
    """A cart pushed by a constant force: speed t is sampled every 10 ms; the filter's answer by the same recurrence."""
    machine = kb.Machine("cart", gravity=(0, 0, 0))
    body = machine.body("cart", mass=1.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x", value=1.0)
    block = kb.low_pass("f", reads="rail.travel_rate", time_constant="30 ms", every="10 ms")

    run = kb.simulate(machine, 0.5, step="1 ms", record="10 ms", controllers=[block])

    # of a staircase of steps of H: Σ H·(1 − exp(−(t − t_k)/τ))
    exact = [sum(H * (1.0 - math.exp(-H * (n - k) / 0.03)) for k in range(1, n)) for n in range(50)]
    assert run["f.output"].values[:-1] == pytest.approx(exact, abs=1e-12)
