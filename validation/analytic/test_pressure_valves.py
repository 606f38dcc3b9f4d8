# SPDX-License-Identifier: BSD-3-Clause
"""Reducing, sequence, unloading, shock and pilot-operated relief valves: characteristics and what they hold.

Rank: closed form. At constant pressures every flow is an algebraic value: 1e-12. Where a volume settles, the flows
that meet in it agree; its pressure is found by bisection on the formulas: 1e-8.
"""

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling
from analytic.rigs import dissipates, flow, fluid, on_sources, pressure, root, share, sweep

FLOW = (60e-3 / 60.0, 10e5)
TANK = 2e5


# --- reducing ---------------------------------------------------------------------------------------------------------

SETTING, BAND, RELIEF = 40e5, 5e5, 3e5
REDUCING = {"flow": FLOW, "setting": SETTING, "band": BAND}


@pytest.mark.parametrize("relief", [None, RELIEF])
def test_reducing_closes_at_its_setting(relief):
    """p_b from far below to far above the setting; the drain is at 2 bar."""
    words = {**REDUCING, "relief": relief}
    run = sweep(on_sources("reducing_valve", {"a": 150e5, "b": 1e5, "drain": TANK}, **words), b=(1e5, 81e5))

    reduced = pressure(run, "b") - TANK
    opening = share((SETTING - reduced) / BAND)
    assert flow(run, "reducing") == pytest.approx(root(FLOW, 148e5 - reduced, opening), rel=1e-12)
    assert np.all(flow(run, "reducing")[reduced >= SETTING] == 0.0)
    if relief is not None:
        opening = share((reduced - SETTING - RELIEF) / BAND)
        assert flow(run, "relieving") == pytest.approx(root(FLOW, reduced, opening), rel=1e-12)
        assert not np.any((flow(run, "reducing") > 0.0) & (flow(run, "relieving") > 0.0))
    assert dissipates(run)


@pytest.mark.parametrize("supply", [100e5, 250e5])
@every_coupling
def test_reduced_pressure_under_flow(coupling, supply):
    """A consumer (orifice) at b: the reduced pressure settles within the band below the setting, at any supply."""
    consumer = (10e-3 / 60.0, 30e5)
    machine = kb.Machine("reduced")
    oil = machine.oil(fluid())
    tank, line = oil.tank("tank", TANK), oil.volume("line", 1e-3, 5e5)
    oil.reducing_valve("it", oil.pressure("pump", supply), line, drain=tank, **REDUCING)
    oil.restrictor("consumer", line, tank, flow=consumer)
    run = kb.simulate(machine, 0.5, step=STEPS[coupling], record=1e-2, coupling=coupling)

    def net(p):
        opening = share((SETTING - (p - TANK)) / BAND)
        return root(FLOW, supply - p, opening) - root(consumer, p - TANK)

    rests = brentq(net, TANK + SETTING - BAND, TANK + SETTING, xtol=1e-4)
    assert run["line.pressure"].values[-1] == pytest.approx(rests, rel=1e-8)
    assert run["it.reducing.flow"].values[-1] == pytest.approx(run["consumer.flow"].values[-1], rel=1e-6)


def test_reducing_relieving_lets_pushed_oil_out():
    """A flow pushed into b leaves by the drain, at setting + relief + a part of the band."""
    pushed = 5e-3 / 60.0
    machine = kb.Machine("pushed")
    oil = machine.oil(fluid())
    tank, line = oil.tank("tank", TANK), oil.volume("line", 1e-3, 40e5)
    oil.reducing_valve("it", oil.pressure("pump", 150e5), line, drain=tank, relief=RELIEF, **REDUCING)
    oil.flow_source("push", tank, line, pushed)
    run = kb.simulate(machine, 0.5, step=1e-4, record=1e-2)

    def net(p):
        return root(FLOW, p - TANK, share((p - TANK - SETTING - RELIEF) / BAND)) - pushed

    rests = brentq(net, TANK + SETTING + RELIEF, TANK + SETTING + RELIEF + BAND, xtol=1e-4)
    assert run["line.pressure"].values[-1] == pytest.approx(rests, rel=1e-8)


# --- sequence and unloading -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", [1e5, 60e5])
def test_sequence_opens_by_its_inlet_alone(low):
    """Whatever the pressure at b; back through the check only where there is one."""
    words = {"flow": FLOW, "setting": "80 bar", "override": "6 bar"}
    run = sweep(on_sources("sequence_valve", {"a": 61e5, "b": low, "drain": TANK}, **words), a=(61e5, 141e5))

    a = pressure(run, "a")
    expected = root(FLOW, a - low, share((a - TANK - 80e5) / 6e5))
    assert flow(run, "sequence") == pytest.approx(expected, rel=1e-12)
    assert "it.check.flow" not in run
    assert dissipates(run)


def test_sequence_is_free_backwards_with_a_check():
    free = (60e-3 / 60.0, 3e5)
    words = {"flow": FLOW, "setting": "80 bar", "free_flow": free}
    run = sweep(on_sources("sequence_valve", {"a": 10e5, "b": 1e5, "drain": TANK}, **words), b=(1e5, 41e5))

    drop = pressure(run, "b") - 10e5
    assert flow(run, "check")[drop > 2e5] == pytest.approx(root(free, drop)[drop > 2e5], rel=1e-12)
    assert np.all(flow(run, "check")[drop <= 0.5e5] == 0.0)
    assert np.all(flow(run, "sequence") == 0.0)


@pytest.mark.parametrize("drained", [False, True])
def test_unloading_is_opened_from_elsewhere(drained):
    words = {"flow": FLOW, "setting": "120 bar", "override": "5 bar"}
    ports = {"a": 90e5, "b": 11e5, "x": 100e5} | ({"drain": 1e5} if drained else {})
    run = sweep(on_sources("unloading_valve", ports, **words), x=(101e5, 141e5))

    spring = 1e5 if drained else 11e5
    opening = share((pressure(run, "x") - spring - 120e5) / 5e5)
    assert flow(run) == pytest.approx(root(FLOW, 79e5, opening), rel=1e-12)


@every_coupling
def test_second_consumer_waits_for_the_first(coupling):
    """Two volumes: the second gets nothing until the first has reached the setting."""
    machine = kb.Machine("sequence")
    oil = machine.oil(fluid())
    tank, first, second = oil.tank("tank"), oil.volume("first", 2e-3, 2e5), oil.volume("second", 2e-3, 2e5)
    oil.flow_source("pump", tank, first, "6 l/min")
    oil.sequence_valve("it", first, second, drain=tank, flow=FLOW, setting="50 bar", override="5 bar")
    run = kb.simulate(machine, 0.2, step=STEPS[coupling], record=1e-3, coupling=coupling)

    before = run["first.pressure"].values < 50e5
    assert np.count_nonzero(before) > 20
    assert run["second.pressure"].values[before] == pytest.approx(2e5, rel=1e-9)
    assert run["second.pressure"].values[-1] > 40e5
    assert run["first.pressure"].values[-1] > 50e5


# --- shock ------------------------------------------------------------------------------------------------------------


def test_shock_valve_relieves_and_sucks():
    free = (60e-3 / 60.0, 2e5)
    words = {"flow": FLOW, "setting": "80 bar", "override": "10 bar", "free_flow": free, "transition": "0.1 bar"}
    run = sweep(on_sources("shock_valve", {"a": 1e5, "b": 10e5}, **words), a=(1e5, 161e5))

    drop = pressure(run, "a") - 10e5
    assert flow(run, "relief") == pytest.approx(root(FLOW, drop, share((drop - 80e5) / 10e5)), rel=1e-12)
    sucked = root(free, -drop, share((-drop - 0.05e5) / 0.2e5))
    assert flow(run, "check") == pytest.approx(np.maximum(sucked, 0.0), rel=1e-12)
    assert dissipates(run)


# --- pilot-operated relief --------------------------------------------------------------------------------------------

SMALL = (1e-3 / 60.0, 4e5)
PILOT = {"setting": 150e5, "spring": 4e5, "pilot_override": 5e5, "pilot_flow": SMALL, "flow": (0.01, 160e5)}


def settled(q, vented=False):
    """Pressures of line and pilot chamber at which a flow q passes; the chamber's balance inside the line's."""

    def chamber(p):
        def net(c):
            out = root(SMALL, c - TANK, 1.0 if vented else share((c - TANK - 150e5) / 5e5))
            return root(SMALL, p - c) - out

        return brentq(net, TANK, p, xtol=1e-6)

    def net(p):
        c = chamber(p)
        return root(PILOT["flow"], p - TANK, share((p - c - 4e5) / 4e5)) + root(SMALL, p - c) - q

    p = brentq(net, TANK + 1e5, 300e5, xtol=1e-6)
    return p, chamber(p)


@pytest.mark.parametrize("q", [6e-3 / 60.0, 60e-3 / 60.0, 200e-3 / 60.0])
@pytest.mark.parametrize("coupling", ["unified", "realtime"])
def test_pilot_relief_holds_a_pump(coupling, q):
    machine = kb.Machine("held pump")
    oil = machine.oil(fluid())
    tank, line = oil.tank("tank", TANK), oil.volume("line", 2e-3, 100e5)
    oil.flow_source("pump", tank, line, q)
    oil.pilot_relief_valve("it", line, tank, volume="20 cm3", pressure="100 bar", **PILOT)
    run = kb.simulate(machine, 2.0, step=STEPS[coupling], record=1e-2, coupling=coupling)

    p, c = settled(q)
    assert run["line.pressure"].values[-1] == pytest.approx(p, rel=1e-7)
    assert run["it.pilot_chamber.pressure"].values[-1] == pytest.approx(c, rel=1e-7)
    assert run["it.orifice.flow"].values[-1] == pytest.approx(run["it.pilot.flow"].values[-1], rel=1e-6)


def test_vent_unloads_the_pump():
    """Vent to the tank: what is left is the spring, and the drop of the vent's own flow."""
    q = 60e-3 / 60.0
    machine = kb.Machine("unloaded pump")
    oil = machine.oil(fluid())
    tank, line = oil.tank("tank", TANK), oil.volume("line", 2e-3, 100e5)
    oil.flow_source("pump", tank, line, q)
    oil.pilot_relief_valve("it", line, tank, volume="20 cm3", pressure="100 bar", vent=tank, **PILOT)
    run = kb.simulate(machine, 1.0, step=1e-3, record=1e-2, coupling="unified")

    p, c = settled(q, vented=True)
    assert run["line.pressure"].values[-1] == pytest.approx(p, rel=1e-6)
    assert run["it.pilot_chamber.pressure"].values[-1] == pytest.approx(c, rel=1e-6)
    assert p < 20e5
