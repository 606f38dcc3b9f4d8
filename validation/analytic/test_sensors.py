# SPDX-License-Identifier: BSD-3-Clause
"""Sensors: what they read at once, how a lag follows a jump, and what an in-line sensor costs.

Rank: closed form. A lag of τ follows a jump as an exponential: RK4 with h/τ = 0.01 errs by 1e-11 of it. At once: 1e-12.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

HIGH, LOW, TAU, STEP = 80e5, 30e5, 0.02, 2e-4


def bench():
    machine = kb.Machine("sensors")
    oil = machine.oil(kb.fluids.mineral_oil())
    return machine, oil, oil.pressure("line", HIGH), oil.tank("tank", LOW)


@pytest.mark.parametrize("kind", ["pressure_sensor", "differential_pressure_sensor"])
def test_jump(kind):
    machine, oil, line, tank = bench()
    ports, what, rest = ((line,), "pressure", 0.0) if kind == "pressure_sensor" else ((line, tank), "difference", LOW)
    getattr(oil, kind)("slow", *ports, time_constant=TAU)
    getattr(oil, kind)("quick", *ports)
    jump = kb.steps({0.0: HIGH, 0.05: 200e5})
    run = kb.simulate(machine, 0.2, step=STEP, record=1e-2, coupling="explicit", inputs={"line": jump})
    after = run.time > 0.05 + 0.5 * STEP
    exact = np.where(after, 200e5 + (HIGH - 200e5) * np.exp(-(run.time - 0.05) / TAU), HIGH) - rest

    assert run[f"slow.{what}"].values == pytest.approx(exact, rel=1e-9)
    assert run[f"quick.{what}"].values == pytest.approx(run["line.pressure"].values - rest, rel=1e-12)
    assert run[f"slow.{what}"].unit == run[f"quick.{what}"].unit == "Pa"


@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_lag_in_implicit_steps(coupling):
    """Order 2 at h/τ = 0.05: 1e-3 of the jump."""
    machine, oil, line, _ = bench()
    oil.pressure_sensor("slow", line, time_constant=TAU)
    run = kb.simulate(
        machine, 0.1, step=1e-3, record=1e-2, coupling=coupling, inputs={"line": kb.steps({0.0: HIGH, 0.01: 200e5})}
    )  # fmt: skip
    exact = np.where(run.time > 0.0105, 200e5 + (HIGH - 200e5) * np.exp(-(run.time - 0.01) / TAU), HIGH)
    assert run["slow.pressure"].values == pytest.approx(exact, abs=1e-3 * (200e5 - HIGH))


def test_flow_and_power_in_line():
    """k √Δp from the catalogue's pair, the power (p_a − p_low) Q, and the loss (p_a − p_b) Q."""
    machine, oil, line, tank = bench()
    oil.flow_sensor("flow", line, tank, drop=("60 l/min", "2 bar"))
    oil.power_sensor("power", line, tank, drop=("60 l/min", "2 bar"), low=oil.tank("return", "1 bar"))
    run = kb.simulate(machine, 1e-2, step=1e-3, record=1e-3, coupling="explicit")
    flow = 60e-3 / 60.0 * math.sqrt((HIGH - LOW) / 2e5)

    assert run["flow.flow"].values == pytest.approx(flow, rel=1e-12)
    assert run["power.power"].values == pytest.approx((HIGH - 1e5) * flow, rel=1e-12)
    assert run["power.power"].unit == "W"
    assert run["flow.loss"].values[-1] == pytest.approx(1e-2 * (HIGH - LOW) * flow, rel=1e-9)
