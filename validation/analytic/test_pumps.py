# SPDX-License-Identifier: BSD-3-Clause
"""Pumps: flow, torque and power with their losses at the rated point, the lag of a swash plate, and the characteristics
of pressure-compensated and load-sensing control.

Rank: closed form. At constant pressures flow, torque and power are algebraic: 1e-12. A lag is an exponential: RK4 with
h/τ = 0.02 errs by 1e-9. Against an orifice the pump settles where both characteristics meet, found by bisection: 1e-7,
left over from settling.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

TURN = 2.0 * math.pi
D, SPEED, TANK = 45e-6 / TURN, 1500.0 * TURN / 60.0, 1e5
RATED = {"volumetric_efficiency": 0.94, "mechanical_efficiency": 0.91, "rated_pressure": 200e5}
IDEAL = D * SPEED


def between(kind, high, words, **more):
    machine = kb.Machine(kind)
    oil = machine.oil(kb.fluids.mineral_oil())
    ports = {name: oil.pressure(name, value) for name, value in more.items()}
    getattr(oil, kind)(
        "pump", oil.tank("tank", TANK), oil.pressure("line", high), displacement="45 cm3/rev", speed="1500 rpm",
        **ports, **words,
    )  # fmt: skip
    return machine


def at_rest(machine, **words):
    return kb.simulate(machine, 1e-3, step=1e-4, record=1e-3, **words)


def share(drop, setting, band):
    """1 below setting − band, 0 above the setting, r²(3 − 2r) between."""
    r = np.clip((setting - drop) / band, 0.0, 1.0)
    return r * r * (3.0 - 2.0 * r)


def test_fixed_pump_at_its_rated_point():
    run = at_rest(between("pump", TANK + 200e5, RATED))
    flow = run["pump.flow"].values - run["pump.leak.flow"].values
    power = run["pump.shaft_power"].values

    assert run["pump.flow"].values == pytest.approx(IDEAL, rel=1e-12)
    assert flow / IDEAL == pytest.approx(0.94, rel=1e-12)
    assert run["pump.torque"].values * SPEED == pytest.approx(power, rel=1e-12)
    assert D * 200e5 / run["pump.torque"].values == pytest.approx(0.91, rel=1e-12)
    assert flow * 200e5 / power == pytest.approx(0.94 * 0.91, rel=1e-12)

    # the audit says what the shaft took, and closes
    audit = run.energy()
    shaft = audit.shafts["pump"]
    assert shaft.work == pytest.approx(np.trapezoid(power, run.time), rel=1e-12)
    assert shaft.work == pytest.approx(shaft.friction + shaft.to_oil, rel=1e-12)
    assert shaft.to_oil == audit.supplied["pump"] and shaft.to_oil / shaft.work == pytest.approx(0.91, rel=1e-9)
    assert abs(audit.residual) < 1e-9 * shaft.work


@pytest.mark.parametrize("speed", [0.0, 800.0, -300.0])
@pytest.mark.parametrize("drop", [0.0, 50e5, 320e5])
def test_fixed_pump_elsewhere(drop, speed):
    """Leakage goes with the pressure, friction with the speed; the speed is an input."""
    omega = speed * TURN / 60.0
    run = at_rest(between("pump", TANK + drop, RATED), inputs={"pump.speed": omega})
    leak, friction = 0.06 * IDEAL / 200e5 * drop, D * 200e5 * (1.0 / 0.91 - 1.0) / SPEED * omega

    assert run["pump.flow"].values == pytest.approx(D * omega, rel=1e-12)
    assert run["pump.leak.flow"].values == pytest.approx(leak, rel=1e-9)
    assert run["pump.torque"].values == pytest.approx(D * drop + friction, rel=1e-12)
    assert run["pump.shaft_power"].values == pytest.approx((D * drop + friction) * omega, rel=1e-12)


def test_variable_pump_follows_with_a_lag():
    words = {"setting": 0.2, "time_constant": "50 ms", **RATED}
    machine = between("variable_pump", TANK + 100e5, words)
    run = kb.simulate(machine, 0.3, step=1e-3, record=1e-2, coupling="explicit", inputs={"pump": kb.steps({0.0: 0.8})})
    setting = 0.8 - 0.6 * np.exp(-run.time / 0.05)

    assert run["pump.swash"].values == pytest.approx(setting, abs=1e-8)
    assert run["pump.flow"].values == pytest.approx(IDEAL * run["pump.swash"].values, rel=1e-12)
    loss = D * 200e5 * (1.0 / 0.91 - 1.0) * SPEED
    assert run["pump.shaft_power"].values == pytest.approx(run["pump.flow"].values * 100e5 + loss, rel=1e-12)


@pytest.mark.parametrize("drop", [0.0, 150e5, 190e5, 192e5, 195e5, 199e5, 200e5, 260e5])
def test_cut_off_characteristic(drop):
    run = at_rest(between("pressure_compensated_pump", TANK + drop, {"cutoff": 200e5, "band": 10e5}))
    assert run["pump.flow"].values == pytest.approx(IDEAL * share(drop, 200e5, 10e5), rel=1e-12, abs=1e-18)


@pytest.mark.parametrize(("load", "margin"), [(50e5, 15e5), (50e5, 17e5), (50e5, 19e5), (50e5, 25e5), (185e5, 12e5)])
def test_margin_characteristic(load, margin):
    """p_P − p_LS against the flow, and the cut-off that wins at a high load."""
    words = {"cutoff": 200e5, "margin": 20e5, "margin_band": 4e5, "setting": 0.9}
    run = at_rest(between("load_sensing_pump", TANK + load + margin, words, ls=TANK + load))
    exact = 0.9 * IDEAL * share(margin, 20e5, 4e5) * share(load + margin, 200e5, 10e5)
    assert run["pump.flow"].values == pytest.approx(exact, rel=1e-12, abs=1e-18)


def settled(kind, words, flow, load, coupling, ls=False):
    """A pump that feeds a line, from which an orifice goes to a load."""
    machine = kb.Machine(kind)
    oil = machine.oil(kb.fluids.mineral_oil(half=100.0))
    tank, line = oil.tank("tank", TANK), oil.volume("line", "0.5 l", pressure="20 bar")
    end = oil.pressure("load", load)
    more = {"ls": end} if ls else {}
    getattr(oil, kind)("pump", tank, line, displacement="45 cm3/rev", speed="1500 rpm", **words, **more, **RATED)
    oil.restrictor("valve", line, end, flow=flow)
    run = kb.simulate(machine, 3.0, step=STEPS[coupling], record=1e-2, coupling=coupling)
    assert run.energy().relative_residual < (1e-3 if coupling == "realtime" else 1e-4)
    return run


@pytest.mark.parametrize("flow", [("10 l/min", "35 bar"), ("60 l/min", "300 bar")], ids=["less", "more"])
@every_coupling
def test_compensated_pump_against_an_orifice(coupling, flow):
    run = settled("pressure_compensated_pump", {"cutoff": 200e5}, flow, TANK, coupling)
    k, leak = _k(flow), 0.06 * IDEAL / 200e5

    def surplus(p):
        drop = p - TANK
        return IDEAL * share(drop, 200e5, 10e5) - leak * drop - k * math.sqrt(drop)

    rests = brentq(surplus, 2e5 + TANK, 201e5, xtol=1e-3)
    assert run["line.pressure"].values[-1] == pytest.approx(rests, rel=1e-7)
    assert run["pump.swash"].values[-1] == pytest.approx(share(rests - TANK, 200e5, 10e5), rel=1e-5)


@pytest.mark.parametrize("load", [30e5, 120e5, 183e5])
@every_coupling
def test_load_sensing_pump_keeps_its_margin(coupling, load):
    flow = ("40 l/min", "18 bar")
    run = settled("load_sensing_pump", {"cutoff": 200e5}, flow, load, coupling, ls=True)
    k, leak = _k(flow), 0.06 * IDEAL / 200e5

    def surplus(p):
        setting = share(p - load, 20e5, 4e5) * share(p - TANK, 200e5, 10e5)
        return IDEAL * setting - leak * (p - TANK) - k * math.sqrt(p - load)

    rests = brentq(surplus, load + 2e5, load + 20e5, xtol=1e-3)
    assert run["line.pressure"].values[-1] == pytest.approx(rests, rel=1e-7)
    if load < 150e5:
        assert 16e5 < run["line.pressure"].values[-1] - load < 20e5


def _k(flow):
    litres, bars = (float(text.split()[0]) for text in flow)
    return litres * 1e-3 / 60.0 / math.sqrt(bars * 1e5)
