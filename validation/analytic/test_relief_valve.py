# SPDX-License-Identifier: BSD-3-Clause
"""Relief valve: its characteristic, and the pressure at which it holds a pump.

Rank: closed form. At constant pressures the flow is an algebraic value, k √Δp r² (3 − 2 r): 1e-12. With a flow source
the pressure settles where the characteristic passes the pump's flow, found by bisection: 1e-8.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

SETTING, OVERRIDE, BACK, VOLUME = 150e5, 10e5, 2e5, 2e-3
K = 60e-3 / 60.0 / math.sqrt(160e5)  # 60 l/min at 160 bar
WORDS = {"setting": SETTING, "override": OVERRIDE, "flow": ("60 l/min", "160 bar")}


def characteristic(drop):
    r = np.clip((drop - SETTING) / OVERRIDE, 0.0, 1.0)
    return K * np.sqrt(drop) * r * r * (3.0 - 2.0 * r)


@pytest.mark.parametrize("drop", [0.0, 100e5, 150e5, 151e5, 155e5, 159e5, 160e5, 300e5])
def test_characteristic(drop):
    machine = kb.Machine("relief")
    oil = machine.oil(kb.fluids.mineral_oil())
    oil.relief_valve("relief", oil.pressure("line", BACK + drop), oil.tank("tank", BACK), **WORDS)
    flow = kb.simulate(machine, 0.01, step=1e-3, record=1e-3)["relief.flow"].values

    assert flow == pytest.approx(characteristic(drop), rel=1e-12, abs=0.0)
    assert (flow > 0.0).all() == (drop > SETTING)


@pytest.mark.parametrize("flow", [1e-3 / 60.0, 20e-3 / 60.0, 59e-3 / 60.0])
@every_coupling
def test_holds_a_pump(coupling, flow):
    """Nothing gets out below the setting; then the whole flow does, and its power is lost in the valve."""
    machine = kb.Machine("held pump")
    oil = machine.oil(kb.fluids.mineral_oil(half=100.0))
    tank, line = oil.tank("tank", BACK), oil.volume("line", VOLUME, BACK)
    oil.flow_source("pump", tank, line, flow)
    oil.relief_valve("relief", line, tank, **WORDS)
    opens = VOLUME * (SETTING / 1.4e9) / flow  # V Δp/(β Q), but for 100 Pa of softness
    run = kb.simulate(machine, 2.0 * opens + 0.2, step=STEPS[coupling], record=1e-3, coupling=coupling)
    drop = run["line.pressure"].values - BACK
    rests = brentq(lambda p: characteristic(p) - flow, SETTING, SETTING + OVERRIDE, xtol=1e-3)

    assert np.all(run["relief.flow"].values[run.time < 0.99 * opens] == 0.0)
    assert drop[-1] == pytest.approx(rests, rel=1e-8)
    assert drop.max() < SETTING + OVERRIDE
    power = np.diff(run["relief.loss"].values[-3:-1]) / 1e-3
    assert power == pytest.approx(flow * rests, rel=1e-6)
    # a linearly implicit step lags behind a valve that opens within it
    assert run.energy().relative_residual < (1e-3 if coupling == "realtime" else 1e-4)
