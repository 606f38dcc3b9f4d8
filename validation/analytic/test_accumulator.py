# SPDX-License-Identifier: BSD-3-Clause
"""Accumulators: polytropes of the gas, filled and emptied, the inlet, and the loop of a piston that rubs.

Rank: closed form. p = p₀ (1 − e)^−n is algebraic: 1e-12. A constant flow fills at a constant rate, so that what is in
gas and line is what was pumped: 1e-12 of it. Stored energy is ∫(p − p_ambient) dV: 1e-9.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

SIZE, PRECHARGE, AMBIENT, FLOW = 2e-3, 60e5, 1.01325e5, 6e-3 / 60.0
K = 60e-3 / 60.0 / math.sqrt(5e5)  # inlet: 60 l/min at 5 bar


def charged(exponent, start=PRECHARGE, kind="accumulator", **words):
    machine = kb.Machine("accumulator", ambient=AMBIENT)
    oil = machine.oil(kb.fluids.mineral_oil(half=100.0))
    line = oil.junction("line", size="1 l", pressure=start)
    words = {"flow": ("60 l/min", "5 bar"), "exponent": exponent, "pressure": start} | words
    getattr(oil, kind)("gas", line, size=SIZE, precharge=PRECHARGE, **words)
    return machine, oil, line


@pytest.mark.parametrize("exponent", [1.0, 1.2, 1.4], ids=["isothermal", "polytropic", "adiabatic"])
@every_coupling
def test_polytrope(coupling, exponent):
    machine, oil, line = charged(exponent)
    oil.flow_source("pump", oil.tank("tank"), line, FLOW)
    run = kb.simulate(machine, 8.0, step=STEPS[coupling], record=0.2, coupling=coupling)
    e, p = run["gas.strain"].values, run["gas.pressure"].values

    assert p == pytest.approx(PRECHARGE * (1.0 - e) ** -exponent, rel=1e-12)
    assert e[-1] > 0.35
    # gas volume: p V^n is constant
    assert p * (SIZE * (1.0 - e)) ** exponent == pytest.approx(PRECHARGE * SIZE**exponent, rel=1e-12)
    kept = SIZE * e + 1e-3 * run["line.strain"].values
    assert kept - kept[0] == pytest.approx(FLOW * run.time, abs=1e-12 * FLOW * 8.0)


@pytest.mark.parametrize("exponent", [1.0, 1.4])
def test_energy_of_the_gas(exponent):
    machine, oil, line = charged(exponent, start=100e5)
    oil.flow_source("pump", oil.tank("tank"), line, 10.0 * FLOW)
    run = kb.simulate(machine, 0.2, step=2e-5, record=1e-2)
    e = run["gas.strain"].values
    work = -np.log1p(-e) if exponent == 1.0 else ((1.0 - e) ** (1.0 - exponent) - 1.0) / (exponent - 1.0)
    stored = SIZE * (PRECHARGE * work - AMBIENT * e)

    assert np.diff(run["gas.energy"].values) == pytest.approx(np.diff(stored), rel=1e-9)
    assert run.energy().relative_residual < 1e-8


@every_coupling
def test_emptied(coupling):
    """Let down to a tank below its precharge it gives all its oil, and its pressure goes down to the tank's."""
    machine, oil, line = charged(1.4, start=150e5)
    tank = oil.tank("tank", "5 bar")
    oil.restrictor("drain", line, tank, flow=("20 l/min", "50 bar"))
    run = kb.simulate(machine, 12.0, step=STEPS[coupling], record=0.1, coupling=coupling)
    held = SIZE * run["gas.strain"].values
    full = SIZE * (1.0 - (150e5 / PRECHARGE) ** (-1.0 / 1.4))

    assert held[0] == pytest.approx(full, rel=1e-12)
    assert run["gas.pressure"].values.min() > 4.99e5
    assert run["gas.pressure"].values[-1] == pytest.approx(5e5, rel=1e-6)
    assert abs(held[-1]) < 1e-2 * full
    # all of it went through the drain, with what the line let go
    lost = held[0] - held[-1] + 1e-3 * (run["line.strain"].values[0] - run["line.strain"].values[-1])
    assert lost == pytest.approx(full, rel=2e-2)
    # a linearly implicit step of 1 ms loses some at the corner where the gas runs empty
    assert run.energy().relative_residual < (1e-3 if coupling == "realtime" else 1e-4)


def test_inlet_is_an_orifice():
    machine = kb.Machine("inlet")
    oil = machine.oil(kb.fluids.mineral_oil())
    oil.accumulator(
        "gas", oil.pressure("line", 103e5), size=SIZE, precharge=PRECHARGE, pressure=100e5, flow=("60 l/min", "5 bar")
    )
    run = kb.simulate(machine, 1e-3, step=1e-4, record=1e-4)
    drop = 103e5 - run["gas.pressure"].values
    assert run["gas.flow"].values == pytest.approx(K * np.sqrt(drop), rel=1e-12)


@pytest.mark.parametrize("drop", [-4e5, -2e5, -0.99e5, -0.5e5, 0.0, 0.9e5, 1.5e5, 3e5, 6e5])
def test_piston_moves_when_friction_is_overcome(drop):
    """Within ±friction nothing flows; beyond it k √Δp S(r), r = (|Δp| − friction)/(5 bar − friction)."""
    machine = kb.Machine("piston")
    oil = machine.oil(kb.fluids.mineral_oil())
    oil.piston_accumulator(
        "gas", oil.pressure("line", 100e5 + drop), size=SIZE, precharge=PRECHARGE, pressure=100e5, friction=1e5,
        flow=("60 l/min", "5 bar"),
    )  # fmt: skip
    run = kb.simulate(machine, 1e-4, step=1e-5, record=1e-5)
    real = 100e5 + drop - run["gas.pressure"].values
    r = np.clip((np.abs(real) - 1e5) / 4e5, 0.0, 1.0)
    exact = np.sign(real) * K * np.sqrt(np.abs(real)) * r * r * (3.0 - 2.0 * r)

    assert run["gas.fill.flow"].values - run["gas.draw.flow"].values == pytest.approx(exact, rel=1e-12, abs=1e-18)
    assert (np.abs(exact) > 0.0).all() == (abs(drop) > 1e5)
    assert run["gas.fill.flow"].values.min() >= 0.0 and run["gas.draw.flow"].values.min() >= 0.0


def test_loop_of_a_rubbing_piston():
    """Slowly filled and drawn, the line is ±friction from the gas: 2·friction·V is lost in a cycle of volume V.

    At 0.6 l/min the orifice adds little: S(r) = Q/(k √Δp) gives r = 0.08, Δp = friction + 0.32 bar. So drop and loss
    per volume lie between friction and friction + 0.5 bar.
    """
    machine, oil, line = charged(1.2, start=100e5, kind="piston_accumulator", friction=1e5)
    oil.flow_source("pump", oil.tank("tank"), line, FLOW / 10.0)
    flow = FLOW / 10.0
    run = kb.simulate(
        machine, 6.0, step=1e-3, record=1e-2, coupling="unified", inputs={"pump": kb.steps({0.0: flow, 3.0: -flow})}
    )
    drop = run["line.pressure"].values - run["gas.pressure"].values
    filling, drawing = (run.time > 1.0) & (run.time < 2.9), run.time > 4.5
    assert np.all((drop[filling] > 1e5) & (drop[filling] < 1.5e5))
    assert np.all((drop[drawing] < -1e5) & (drop[drawing] > -1.5e5))
    held = SIZE * run["gas.strain"].values
    moved = 2.0 * held.max() - held[0] - held[-1]
    assert 1e5 < run.energy().dissipated["gas"] / moved < 1.5e5
    assert run.energy().relative_residual < 1e-3
