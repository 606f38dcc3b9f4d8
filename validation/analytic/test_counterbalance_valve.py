# SPDX-License-Identifier: BSD-3-Clause
"""Counterbalance valve: the pressure at which it opens against pilot and back pressure; a load that is let down.

Rank: closed form. At constant pressures the flow is an algebraic value, 1e-12. A load on a cylinder sinks at the
speed at which pump flow, force balance and the valve's opening agree: three equations, solved by SciPy, 1e-7.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb
from analytic.couplings import STEPS
from analytic.rigs import dissipates, flow, fluid, on_sources, pressure, root, share, sweep

FLOW, FREE = (60e-3 / 60.0, 20e5), (60e-3 / 60.0, 4e5)
SETTING, RATIO, OVERRIDE = 200e5, 4.0, 30e5
VALVE = {"flow": FLOW, "free_flow": FREE, "setting": SETTING, "ratio": RATIO, "override": OVERRIDE}


def test_opens_at_its_setting_without_pilot():
    run = sweep(on_sources("counterbalance_valve", {"a": 1e5, "b": 1e5, "x": 1e5}, **VALVE), a=(101e5, 301e5))

    load = pressure(run, "a") - 1e5
    assert flow(run, "counterbalance") == pytest.approx(root(FLOW, load, share((load - SETTING) / OVERRIDE)), rel=1e-12)
    assert np.all(flow(run, "check") == 0.0)
    assert np.all(flow(run, "counterbalance")[load <= SETTING] == 0.0)
    assert dissipates(run)


@pytest.mark.parametrize("load", [60e5, 120e5, 180e5])
@pytest.mark.parametrize("back", [1e5, 10e5])
@pytest.mark.parametrize("vented", [False, True])
def test_opening_pressure_against_pilot(load, back, vented):
    """It opens where p_a + R p_x − (1 + R) p_s = setting; p_s is that of b, or of the vent at 1 bar."""
    ports = {"a": load, "b": back, "x": 1e5} | ({"vent": 1e5} if vented else {})
    run = sweep(on_sources("counterbalance_valve", ports, **VALVE), x=(1e5, 81e5))

    spring = 1e5 if vented else back
    force = load + RATIO * pressure(run, "x") - (1.0 + RATIO) * spring
    opening = share((force - SETTING) / OVERRIDE)
    assert flow(run, "counterbalance") == pytest.approx(root(FLOW, load - back, opening), rel=1e-12)
    opens = (SETTING - load + (1.0 + RATIO) * spring) / RATIO
    assert np.all(flow(run, "counterbalance")[pressure(run, "x") <= opens] == 0.0)
    assert np.all(flow(run, "counterbalance")[pressure(run, "x") > opens] > 0.0)


def test_lifting_goes_through_the_check():
    run = sweep(on_sources("counterbalance_valve", {"a": 100e5, "b": 1e5, "x": 1e5}, **VALVE), b=(51e5, 151e5))

    drop = pressure(run, "b") - 100e5
    free = drop > 2e5
    assert flow(run, "check")[free] == pytest.approx(root(FREE, drop)[free], rel=1e-12)
    assert np.all(flow(run, "check")[drop <= 0.5e5] == 0.0)
    assert np.all(flow(run, "counterbalance") == 0.0)


@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_load_sinks_at_the_speed_of_the_pump(coupling):
    """A hanging load pulls the rod out; the pump feeds the bore side, the rod side is held back by the valve.

    v = Q/A_a; A_b v = k √(p_b − p_T) S(r); A_a (p_a − p₀) + F = A_b (p_b − p₀) + c v.  One unknown is left.
    """
    bore, rod, load, viscous, pump = 60e-3, 35e-3, 20e3, 4e4, 12e-3 / 60.0
    ratio, override = 1.0, 200e5  # one that does not swing: steady values are those of any
    area, ring = 0.25 * math.pi * bore**2, 0.25 * math.pi * (bore**2 - rod**2)
    ambient, tank = 101325.0, 1e5
    machine = kb.Machine("lowering", gravity=(0.0, 0.0, 0.0), ambient=ambient)
    block = machine.body("block", mass=500.0, inertia=(1.0, 1.0, 1.0))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.2)
    machine.force("load", block, direction="x", value=load)
    oil = machine.oil(fluid())
    start = ambient + (load + area * (20e5 - ambient)) / ring
    ram = oil.cylinder(
        "ram", machine.ground, block, bore=bore, rod=rod, stroke=1.0, closed=1.0, dead_a="0.1 l", dead_b="0.1 l",
        pressure_a="20 bar", pressure_b=start, viscous=viscous,
    )  # fmt: skip
    back = oil.tank("tank", tank)
    oil.flow_source("pump", back, ram.a, pump)
    oil.counterbalance_valve("it", ram.b, back, x=ram.a, **{**VALVE, "ratio": ratio, "override": override})
    run = kb.simulate(machine, 1.5, step=STEPS[coupling], record=1e-2, coupling=coupling)

    v = pump / area

    def balance(p_a):
        p_b = ambient + (load + area * (p_a - ambient) - viscous * v) / ring
        opening = share((p_b + ratio * p_a - (1.0 + ratio) * tank - SETTING) / override)
        return root(FLOW, p_b - tank, opening) - ring * v

    p_a = brentq(balance, 1e5, 100e5, xtol=1e-3)
    assert run["ram.speed"].values[-1] == pytest.approx(v, rel=1e-7)
    assert run["ram.a.pressure"].values[-1] == pytest.approx(p_a, rel=1e-7)
