# SPDX-License-Identifier: BSD-3-Clause
"""A volume empties through a restrictor into the tank: the √ law, the smooth transition below it, and a real fluid.

Constant bulk modulus B:    √Δp = √Δp₀ − (k B/2V) t              above the transition
                            r²/(5 − r²) ∝ exp(−(5/2) κ t)        below it, r = Δp/Δp_tr, κ = k B/(V √Δp_tr)
(the odd cubic that meets the root in value and slope is r(5 − r²)/4). Naya's oil: t(p) by quadrature
(references/oil.py). Rank: closed form. There are no bodies at all in these machines. Tolerance: RK4 on decays of at
most κ = 15 1/s with 1 ms steps errs by κ·t·(κh)⁴/120 < 1e-8; 'half' of the fluid is set to 100 Pa, so its bulk
modulus is constant to (100 Pa/p)² < 1e-8.
"""

import numpy as np
import pytest

import knuckleboom as kb
from references.oil import NayaOil, discharge_time, orifice_constant

VOLUME, START, TANK, AREA, BULK = 2e-3, 200e5, 1e5, 2e-7, 1.4e9
STEP = 1e-3


def emptying(fluid, transition="2 bar", area=AREA, duration=3.0):
    machine = kb.Machine("emptying")
    oil = machine.oil(fluid)
    vessel, tank = oil.volume("vessel", VOLUME, START), oil.tank("tank", TANK)
    machine.restrictor("leak", vessel, tank, area=area, transition=transition)
    return kb.simulate(machine, duration, step=STEP, record=1e-2, coupling="explicit")


def test_root_law():
    """√Δp falls along a straight line while Δp is above the transition."""
    run = emptying(kb.fluids.mineral_oil(860.0, BULK, half=100.0))
    slope = orifice_constant(AREA, 860.0) * BULK / (2.0 * VOLUME)
    exact = TANK + np.clip(np.sqrt(START - TANK) - slope * run.time, 0.0, None) ** 2
    above = exact - TANK > 2.1e5
    pressure = run["vessel.pressure"].values
    assert pressure[above] == pytest.approx(exact[above], rel=1e-7)
    assert 0.2 < np.mean(above) < 1.0
    assert run["leak.flow"].values[above] == pytest.approx(
        orifice_constant(AREA, 860.0) * np.sqrt(pressure[above] - TANK), rel=1e-12
    )


def test_smooth_transition():
    """With the transition above the start pressure the whole discharge follows the cubic's closed form."""
    transition = 250e5
    run = emptying(kb.fluids.mineral_oil(860.0, BULK, half=100.0), transition=transition)
    kappa = orifice_constant(AREA, 860.0) * BULK / (VOLUME * np.sqrt(transition))
    first = ((START - TANK) / transition) ** 2
    ratio = first / (5.0 - first) * np.exp(-2.5 * kappa * run.time)
    exact = transition * np.sqrt(5.0 * ratio / (1.0 + ratio))
    # near the tank's 1 bar the bulk modulus is constant to (100 Pa/1 bar)² = 1e-6
    assert run["vessel.pressure"].values - TANK == pytest.approx(exact, rel=1e-6, abs=1e-6 * START)


def test_naya_oil():
    """Time at each recorded pressure against the quadrature with β(p)."""
    run = emptying(kb.fluids.naya())
    pressure = run["vessel.pressure"].values
    k = orifice_constant(AREA, 850.0)
    above = np.flatnonzero(pressure - TANK > 2.1e5)[1::20]
    exact = [discharge_time(p, START, TANK, VOLUME, k, NayaOil()) for p in pressure[above]]
    assert len(above) > 5
    assert run.time[above] == pytest.approx(np.array(exact), rel=1e-7)


@pytest.mark.parametrize("drop", [-100e5, -3e5, -1e5, 0.0, 0.4e5, 1.9e5, 2e5, 150e5])
def test_flow_between_fixed_pressures(drop):
    """The law itself, both ways: odd, a root above the transition of 2 bar, the cubic below; algebraic, 1e-12."""
    machine = kb.Machine("fixed pressures")
    oil = machine.oil(kb.fluids.mineral_oil(860.0, BULK))
    machine.restrictor("orifice", oil.pressure("near", 200e5), oil.pressure("far", 200e5 - drop), area=AREA)
    flow = kb.simulate(machine, 0.005, step=STEP, record=STEP, coupling="explicit")["orifice.flow"].values
    r = drop / 2e5
    root = np.sign(drop) * np.sqrt(abs(drop)) if abs(r) >= 1.0 else np.sqrt(2e5) * r * (5.0 - r * r) / 4.0
    assert flow == pytest.approx(orifice_constant(AREA, 860.0) * root, rel=1e-11, abs=1e-18)


def test_two_restrictors_in_series():
    """Pump - k₁ - small volume - k₂ - tank: p = (k₁² p_P + k₂² p_T)/(k₁² + k₂²); it settles at 600 1/s."""
    pump, one, two = 100e5, 3e-6, 2e-6
    machine = kb.Machine("series")
    oil = machine.oil(kb.fluids.mineral_oil(860.0, BULK))
    middle = oil.volume("middle", 0.1e-3, 10e5)
    machine.restrictor("first", oil.pressure("pump", pump), middle, area=one)
    machine.restrictor("second", middle, oil.tank("tank", TANK), area=two)
    run = kb.simulate(machine, 0.2, step=1e-4, record=1e-2, coupling="explicit")
    exact = (one**2 * pump + two**2 * TANK) / (one**2 + two**2)
    assert run["middle.pressure"].values[-1] == pytest.approx(exact, rel=1e-10)
    together = orifice_constant(one * two / np.hypot(one, two), 860.0) * np.sqrt(pump - TANK)
    assert run["first.flow"].values[-1] == pytest.approx(together, rel=1e-10)
    assert run["second.flow"].values[-1] == pytest.approx(together, rel=1e-10)


def test_two_volumes_meet_at_the_common_pressure():
    """Two vessels joined by a restrictor end at the pressure that keeps V₁e₁ + V₂e₂, here the volume-weighted mean."""
    machine = kb.Machine("two vessels")
    oil = machine.oil(kb.fluids.mineral_oil(860.0, BULK, half=100.0))
    one, two = oil.volume("one", 2e-3, 200e5), oil.volume("two", 1e-3, 50e5)
    machine.restrictor("link", one, two, area=AREA)
    run = kb.simulate(machine, 5.0, step=STEP, record=1e-2, coupling="explicit")
    mean = (2.0 * 200e5 + 1.0 * 50e5) / 3.0
    mixed = (2.0 * run["one.pressure"].values + run["two.pressure"].values) / 3.0
    assert mixed == pytest.approx(mean, rel=1e-8)
    # below the transition the difference decays at (5/4)·k B (1/V₁ + 1/V₂)/√Δp_tr = 38 1/s
    assert run["one.pressure"].values[-1] == pytest.approx(mean, rel=1e-8)


def test_dissipated_energy():
    """The restrictor turns p·Q into heat: audit residual below 1e-8 of the energy that was stored in the oil."""
    run = emptying(kb.fluids.naya())
    stored = VOLUME * 0.5 * START**2 / 1.5e9
    assert abs(run.energy().residual) < 1e-8 * stored
