# SPDX-License-Identifier: BSD-3-Clause
"""A rigid column of oil: between two tanks by its resistances, and between two volumes as an oscillator.

Rank: closed form. Q = √(Δp/R)·tanh(√(Δp·R)·t/L) with a resistance by the square of the flow, Δp/r·(1 − exp(−r·t/L))
with a laminar one. RK4 errs by 1e-9, implicit steps of order 2 by (h·√(Δp·R)/L)²/12 = 1e-5. Small swings between
volumes have the frequency √(B/L·(1/V_a + 1/V_b)); their oil has a constant bulk modulus.
"""

import numpy as np
import pytest

import knuckleboom as kb

COUPLINGS = {"explicit": 1e-8, "unified": 5e-5, "realtime": 5e-5}
COORDINATES = ("relative", "reference-point", "natural")
DENSITY, LENGTH, AREA = 860.0, 20.0, 2e-4
INERTANCE = DENSITY * LENGTH / AREA
FLUID = {"law": "constant", "density": DENSITY, "bulk": 1.4e9}
every_coupling = pytest.mark.parametrize("coupling", COUPLINGS)


def between_tanks(drop, **words):
    m = kb.Machine("column")
    oil = m.oil("oil", FLUID)
    high, low = oil.pressure("high", 20e5 + drop), oil.pressure("low", 20e5)
    oil.oil_column("it", LENGTH, AREA, a=high, b=low, **words)
    return m


@every_coupling
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("drop", [8e5, -8e5])
def test_between_two_tanks(coupling, coordinates, drop):
    quadratic = 5e5 / 1e-3**2
    m = between_tanks(drop, turbulent=(1e-3, 5e5))
    run = kb.simulate(m, 1.0, step=1e-3, record=1e-2, coupling=coupling, coordinates=coordinates)

    final, rate = np.sqrt(abs(drop) / quadratic), np.sqrt(abs(drop) * quadratic) / INERTANCE
    flow = np.sign(drop) * final * np.tanh(rate * run.time)
    passed = np.sign(drop) * final / rate * np.log(np.cosh(rate * run.time))
    assert run["it.flow"].values == pytest.approx(flow, abs=COUPLINGS[coupling] * final)
    assert run["it.volume"].values == pytest.approx(passed, abs=COUPLINGS[coupling] * abs(passed[-1]))
    assert run["it.acceleration"].values[0] == pytest.approx(drop / INERTANCE, rel=1e-9)
    audit = run.energy()
    work = abs(drop * passed[-1])
    kinetic = 0.5 * INERTANCE * flow[-1] ** 2
    assert audit.dissipated["it"] == pytest.approx(work - kinetic, rel=1e-4)
    assert abs(audit.residual) < {"explicit": 1e-8}.get(coupling, 1e-5) * work


@every_coupling
def test_laminar(coupling):
    linear = 5e5 / 1e-3
    run = kb.simulate(between_tanks(8e5, laminar=(1e-3, 5e5)), 1.0, step=1e-3, record=1e-2, coupling=coupling)
    flow = 8e5 / linear * (1.0 - np.exp(-linear / INERTANCE * run.time))
    assert run["it.flow"].values == pytest.approx(flow, abs=COUPLINGS[coupling] * flow[-1])


def test_it_coasts_from_its_first_flow():
    """Without a pressure drop: Q = Q₀/(1 + R·Q₀·t/L)."""
    run = kb.simulate(between_tanks(0.0, turbulent=(1e-3, 5e5), flow="60 l/min"), 1.0, step=1e-3, coupling="explicit")
    assert run["it.flow"].values == pytest.approx(1e-3 / (1.0 + 5e8 / INERTANCE * run.time), rel=1e-9)


@every_coupling
def test_between_two_volumes(coupling):
    """Small swings: ω² = B/L·(1/V_a + 1/V_b); each volume takes what the other loses."""
    m = kb.Machine("swing")
    oil = m.oil("oil", FLUID)
    one, other = oil.volume("one", "2 l", 51e5), oil.volume("other", "6 l", 50e5)
    oil.oil_column("it", LENGTH, AREA, a=one, b=other)
    omega = np.sqrt(1.4e9 / INERTANCE * (1.0 / 2e-3 + 1.0 / 6e-3))
    run = kb.simulate(m, 4.0 * 2.0 * np.pi / omega, step=2e-4, record=2e-3, coupling=coupling)

    flow = 1e5 / (INERTANCE * omega) * np.sin(omega * run.time)
    drop = run["one.pressure"].values - run["other.pressure"].values
    assert run["it.flow"].values == pytest.approx(flow, abs=5e-3 * flow.max())
    assert drop == pytest.approx(1e5 * np.cos(omega * run.time), abs=5e-3 * 1e5)
    assert abs(run.energy().residual) < {"explicit": 1e-6}.get(coupling, 1e-3) * 0.5 * INERTANCE * flow.max() ** 2


def test_an_open_end_is_at_ambient_pressure():
    m = kb.Machine("jet")
    oil = m.oil("oil", FLUID)
    oil.oil_column("it", LENGTH, AREA, a=oil.pressure("high", 1e5 + m.ambient))
    run = kb.simulate(m, 0.1, step=1e-3, record=1e-2)
    assert run["it.flow"].values == pytest.approx(1e5 / INERTANCE * run.time, rel=1e-9)
