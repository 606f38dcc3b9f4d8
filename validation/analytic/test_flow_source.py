# SPDX-License-Identifier: BSD-3-Clause
"""Flow source: a rigid volume that it fills follows the oil's law, and what it supplied is in the oil.

Rank: closed form. V ė = Q gives p(t) = P(e₀ + Q t/V): the rate of the strain is constant, so that every integrator is
exact: 1e-12. Behind a lag e grows by Q (t − τ (1 − e^{−t/τ}))/V: 1e-9 with RK4, h²/τ² otherwise. Energy: ∫(p − p_T) Q
dt by quadrature over the strain.
"""

import math

import numpy as np
import pytest
from scipy.integrate import quad

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling
from references.oil import NayaOil

V, Q, START, TANK = 2e-3, 10e-3 / 60.0, 5e5, 1.01325e5
OIL = NayaOil()


def filling(coupling, duration=0.5, inputs=None, **words):
    machine = kb.Machine("filling")
    oil = machine.oil(kb.fluids.naya())
    oil.flow_source("pump", oil.tank("tank"), oil.volume("vessel", V, START), Q, **words)
    step = STEPS[coupling]
    return kb.simulate(machine, duration, step=step, record=1e-2, coupling=coupling, inputs=inputs)


@every_coupling
def test_pressure_follows_the_law_of_the_oil(coupling):
    run = filling(coupling)
    exact = OIL.pressure(OIL.strain(START) + Q * run.time / V)

    assert exact[-1] > 500e5
    assert run["vessel.pressure"].values == pytest.approx(exact, rel=1e-12)
    assert run["pump.flow"].values == pytest.approx(Q, rel=1e-15)


@every_coupling
def test_an_input_may_jump_and_turn_round(coupling):
    """Filled for 0.2 s, emptied at half the flow for 0.2 s, then held."""
    run = filling(coupling, inputs={"pump": kb.steps({0.0: Q, 0.2: -0.5 * Q, 0.4: 0.0})})
    t = run.time
    passed = Q * (np.minimum(t, 0.2) - 0.5 * np.clip(t - 0.2, 0.0, 0.2))

    assert run["vessel.pressure"].values == pytest.approx(OIL.pressure(OIL.strain(START) + passed / V), rel=1e-11)


@every_coupling
def test_delivery_that_lags(coupling):
    tau = 50e-3
    run = filling(coupling, inputs={"pump": kb.steps({0.0: 0.0, 0.1: Q})}, time_constant=tau)
    t = np.clip(run.time - 0.1, 0.0, None)
    # it starts at its input's default, and falls until 0.1 s
    fell = Q * tau * -np.expm1(-np.minimum(run.time, 0.1) / tau)
    rest = Q * math.exp(-0.1 / tau)
    rose = Q * t + (rest - Q) * tau * -np.expm1(-t / tau)
    exact = OIL.pressure(OIL.strain(START) + (fell + rose) / V)

    h = STEPS[coupling] / tau
    assert run["vessel.pressure"].values == pytest.approx(exact, rel=1e-9 if coupling == "explicit" else h * h)


@every_coupling
def test_what_it_supplies_is_in_the_oil(coupling):
    run = filling(coupling)
    audit, end = run.energy(), OIL.strain(START) + Q * 0.5 / V
    exact, _ = quad(lambda e: V * (OIL.pressure(e) - TANK), OIL.strain(START), end, epsabs=0, epsrel=1e-13)

    # powers are integrated by the coupling's own rule; the first step of two is of the implicit Euler rule: Q ṗ h²/4
    first = Q * (Q / V * OIL.bulk(START)) * STEPS[coupling] ** 2 / 4.0
    assert audit.supplied["pump"] == pytest.approx(exact, abs=1e-10 * exact if coupling == "explicit" else 1.5 * first)
    assert audit.stored["oil"].change == pytest.approx(exact, rel=1e-9)
    assert not any(audit.dissipated.values()) and audit.supplied["tank"] == 0.0
