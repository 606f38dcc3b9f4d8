# SPDX-License-Identifier: BSD-3-Clause
"""Check valve: orifice law when open, nothing back, nothing below cracking.

Rank: closed form. At constant pressures the flow is an algebraic value: 1e-12. The filling vessel has the √ law's
closed form (test_pressure_decay.py) while the drop is above cracking + full: 1e-7.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references.oil import orifice_constant

AREA, DENSITY, BULK, CRACKING, FULL = 2e-6, 860.0, 1.4e9, 1e5, 2e5
K = orifice_constant(AREA, DENSITY)


def between(high, low, **inputs):
    """A check from 'near' to 'far', both of fixed pressure."""
    machine = kb.Machine("check")
    oil = machine.oil(kb.fluids.mineral_oil(DENSITY, BULK))
    near, far = oil.pressure("near", high), oil.pressure("far", low)
    oil.check_valve("valve", near, far, area=AREA, cracking=CRACKING, full=FULL, transition=0.5e5)
    return kb.simulate(machine, 0.01, step=1e-3, record=1e-3, inputs=inputs or None)["valve.flow"].values


@pytest.mark.parametrize("drop", [3e5, 10e5, 200e5])
def test_open_valve_is_an_orifice(drop):
    """From cracking + full on: Q = k √Δp."""
    assert between(210e5, 210e5 - drop) == pytest.approx(K * math.sqrt(drop), rel=1e-12)


@pytest.mark.parametrize("drop", [-200e5, -1e5, 0.0, 0.5e5, 1e5])
def test_closed_valve_passes_nothing(drop):
    """Backwards, and forwards up to cracking, the flow is zero: no leak."""
    assert np.abs(between(210e5, 210e5 - drop)).max() == 0.0


def test_opening_is_monotone_and_below_the_orifice():
    flows = [between(210e5, 210e5 - drop)[-1] for drop in (1.0e5, 1.5e5, 2.0e5, 2.5e5, 3.0e5)]
    assert np.all(np.diff(flows) > 0.0)
    assert flows[2] < K * math.sqrt(2.0e5)


def test_vessel_fills_and_keeps_its_pressure():
    """A pump at 100 bar fills a vessel along the √ law down to cracking + full; switched to 10 bar, nothing comes
    back.
    """
    volume, pump = 2e-3, 100e5
    machine = kb.Machine("accumulating")
    oil = machine.oil(kb.fluids.mineral_oil(DENSITY, BULK, half=100.0))
    source, vessel = oil.pressure("pump", pump), oil.volume("vessel", volume, 20e5)
    oil.check_valve("valve", source, vessel, area=4e-7, cracking=CRACKING, full=FULL, transition=0.5e5)
    run = kb.simulate(machine, 1.5, step=1e-4, record=1e-2, inputs={"pump": kb.steps({0.0: pump, 1.0: 10e5})})

    slope = orifice_constant(4e-7, DENSITY) * BULK / (2.0 * volume)
    drop = np.clip(math.sqrt(80e5) - slope * run.time, 0.0, None) ** 2
    pressure = run["vessel.pressure"].values
    filling = (drop > 3.2e5) & (run.time < 1.0)
    assert np.count_nonzero(filling) > 5
    assert pressure[filling] == pytest.approx(pump - drop[filling], rel=1e-7)
    # it stops at the cracking pressure below the pump, and stays there when the pump goes down
    kept = pressure[run.time > 1.0]
    assert pressure[run.time <= 1.0].max() < pump - CRACKING
    assert kept == pytest.approx(kept[0], rel=1e-13)
