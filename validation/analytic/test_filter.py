# SPDX-License-Identifier: BSD-3-Clause
"""Filter and local loss at constant pressures: flows through element and bypass, and by a loss factor.

Rank: closed form, algebraic: 1e-12.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb

TANK = 6e5
K = 100e-3 / 60.0 / math.sqrt(3e5)  # bypass: 100 l/min at 3 bar


def flows(drop, make):
    machine = kb.Machine("loss")
    oil = machine.oil(kb.fluids.mineral_oil(860.0))
    make(oil, oil.pressure("line", TANK + drop), oil.tank("tank", TANK))
    return kb.simulate(machine, 1e-2, step=1e-3, record=1e-3)


@pytest.mark.parametrize("bypass", [False, True])
@pytest.mark.parametrize("drop", [-3e5, -1e5, 0.0, 0.5e5, 2e5, 2.4e5, 3e5, 5e5])
def test_filter(drop, bypass):
    words = {"bypass": "2 bar", "bypass_flow": ("100 l/min", "3 bar")} if bypass else {}
    run = flows(drop, lambda oil, a, b: oil.filter("filter", a, b, flow=("60 l/min", "0.5 bar"), **words))
    r = np.clip((drop - 2e5) / 1e5, 0.0, 1.0)

    assert run["filter.flow"].values == pytest.approx(60e-3 / 60.0 * drop / 0.5e5, rel=1e-12, abs=1e-18)
    assert ("filter.bypass.flow" in run.names) == bypass
    if bypass:
        exact = K * math.sqrt(abs(drop)) * r * r * (3.0 - 2.0 * r)
        assert run["filter.bypass.flow"].values == pytest.approx(exact, rel=1e-12, abs=1e-18)
    lost = sum(audit for audit in run.energy().dissipated.values())
    power = run["filter.flow"].values[0] * drop + (run["filter.bypass.flow"].values[0] * drop if bypass else 0.0)
    assert lost == pytest.approx(1e-2 * power, rel=1e-9)


@pytest.mark.parametrize("drop", [-5e5, 0.3e5, 1e5, 20e5])
def test_local_loss(drop):
    """Δp = factor ρ/2 v², both ways."""
    run = flows(drop, lambda oil, a, b: oil.local_loss("bend", a, b, factor=1.3, diameter="16 mm"))
    speed = run["bend.flow"].values / (math.pi / 4.0 * 16e-3**2)
    assert 1.3 * 0.5 * 860.0 * speed * np.abs(speed) == pytest.approx(drop, rel=1e-12)
