# SPDX-License-Identifier: BSD-3-Clause
"""Equilibrium of machines with oil against closed forms: loads on trapped oil, on leaking valves, on shared cylinders.

Rank: closed form; force and flow balances written by hand. Newton ends at rounding: tolerance 1e-9; where more than one
answer would do, the shortest way there follows slopes by differences: tolerance 1e-6 (SPLIT).
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import knuckleboom as kb
from knuckleboom.catalogue.naya_rod import equilibrium as naya_equilibrium
from knuckleboom.catalogue.naya_rod import naya_rod

G = 9.81
AMBIENT = 101325.0
BORE, ROD = 0.08, 0.04
AREA_A, AREA_B = 0.25 * math.pi * BORE**2, 0.25 * math.pi * (BORE**2 - ROD**2)
PUMP, TANK = 200e5, 5e5
SPLIT = 1e-6


def hoist(mass=1000.0, rod=ROD, **settings):
    """A mass on an upright slide that stands on a cylinder."""
    machine = kb.Machine("hoist", gravity=(0, 0, -G))
    load = machine.body("load", mass=mass, inertia=(1, 1, 1))
    machine.prismatic("guide", machine.ground, load, axis="z", start=1.0)
    oil = machine.oil(kb.fluids.mineral_oil())
    lift = machine.cylinder("lift", machine.ground, load, bore=BORE, rod=rod, stroke=1.0, oil=oil, **settings)
    return machine, oil, lift


def with_valve(machine, oil, cylinder, name="valve", **settings):
    """Pump, tank and a 4/3 valve on a cylinder."""
    pump, tank = oil.pressure(f"{name}_pump", PUMP), oil.pressure(f"{name}_tank", TANK)
    machine.valve_4_3(name, P=pump, T=tank, A=cylinder.a, B=cylinder.b, flow=("100 l/min", "10 bar"), **settings)


def test_trapped_oil_below_a_load():
    """p_a = p_0 + m g/A_a: the rod side stays at ambient pressure."""
    state = kb.equilibrium(hoist()[0])

    assert state["lift.b.pressure"] == pytest.approx(AMBIENT, rel=1e-9)
    assert state["lift.a.pressure"] == pytest.approx(AMBIENT + 1000.0 * G / AREA_A, rel=1e-9)
    assert state["guide.travel"] == 1.0


def test_trapped_oil_changes_least():
    """Of all pressures with A_a p_a − A_b p_b = F those nearest to the start: δp = (A_a, −A_b) δF/(A_a² + A_b²)."""
    start_a, start_b = 10e5, 60e5
    state = kb.equilibrium(hoist(pressure_a=start_a, pressure_b=start_b)[0])

    lacking = 1000.0 * G - AREA_A * (start_a - AMBIENT) + AREA_B * (start_b - AMBIENT)
    share = lacking / (AREA_A**2 + AREA_B**2)
    assert state["lift.a.pressure"] == pytest.approx(start_a + AREA_A * share, rel=SPLIT)
    assert state["lift.b.pressure"] == pytest.approx(start_b - AREA_B * share, rel=SPLIT)
    assert state["lift.force"] == pytest.approx(1000.0 * G, rel=1e-9)


def test_oil_that_leaks_past_a_trapped_piston():
    """Pressures are equal and act on the rod alone: p = p_0 + m g/(A_a − A_b)."""
    state = kb.equilibrium(hoist(leak=1e-12)[0])

    for port in ("lift.a", "lift.b"):
        assert state[f"{port}.pressure"] == pytest.approx(AMBIENT + 1000.0 * G / (AREA_A - AREA_B), rel=1e-9)


@pytest.mark.parametrize("mass", [200.0, 1000.0, 3000.0])
@pytest.mark.parametrize(("leak", "overlap"), [(1e-3, 0.0), (1e-4, 0.05)])
def test_valve_that_leaks(mass, leak, overlap):
    """Each chamber is a divider of two edges: p_a = (P + r T)/(1 + r), p_b = (r P + T)/(1 + r), r = (o(−u)/o(u))²."""
    machine, oil, lift = hoist(mass)
    with_valve(machine, oil, lift, leak=leak, overlap=overlap)
    state = kb.equilibrium(machine)

    # p_a + p_b = P + T leaves one pressure to the force
    p_a = (mass * G + AREA_B * (PUMP + TANK) + AMBIENT * (AREA_A - AREA_B)) / (AREA_A + AREA_B)
    assert state["lift.a.pressure"] == pytest.approx(p_a, rel=1e-9)
    assert state["lift.b.pressure"] == pytest.approx(PUMP + TANK - p_a, rel=1e-9)

    def opening(u):
        y = (u - overlap) / (1.0 - overlap)
        return 0.5 * (y + math.hypot(y, 2.0 * leak)) if y > 0.0 else 2.0 * leak**2 / (math.hypot(y, 2.0 * leak) - y)

    ratio = (PUMP - p_a) / (p_a - TANK)  # r
    spool = brentq(lambda u: (opening(-u) / opening(u)) ** 2 - ratio, -0.1, 0.1, xtol=1e-15)
    assert state.moved["valve"] == pytest.approx(spool, rel=1e-6, abs=1e-12)
    assert state["valve.spool"] == pytest.approx(spool, rel=1e-6, abs=1e-12)


def test_naya_rod_from_another_spool():
    """[Naya 2011, eq. 32] has a closed form; the search begins at κ = 0.5 and 10 bar."""
    machine = naya_rod().machine
    exact = naya_equilibrium()
    for name, change in (("lift", {"pressure_a": 10e5, "pressure_b": 10e5}), ("valve", {"kappa": 0.5})):
        machine.parts[name] = machine.parts[name].model_copy(update=change)
    state = kb.equilibrium(machine)

    assert state.inputs["valve"] == pytest.approx(exact.kappa, rel=1e-9)
    assert state.moved["valve"] == pytest.approx(exact.kappa - 0.5, rel=1e-9)
    assert state["lift.a.pressure"] == pytest.approx(exact.lower, rel=1e-9)
    assert state["lift.b.pressure"] == pytest.approx(exact.upper, rel=1e-9)


def test_boom_with_a_swinging_load():
    """The load hangs plumb, and the cylinder's force has the moment of both weights about the foot."""
    boom_mass, load_mass, arm, angle = 80.0, 150.0, 2.0, math.radians(25.0)
    machine = kb.Machine("boom", gravity=(0, 0, -G))
    boom = machine.body("boom", mass=boom_mass, com=(0.5 * arm, 0, 0), inertia=(1.0, 30.0, 30.0))
    machine.revolute("foot", machine.ground, boom, axis="-y", start=angle)
    load = machine.body("load", mass=load_mass, com=(0, 0, -0.7), inertia=(5.0, 5.0, 5.0))
    machine.revolute("shackle", boom.at(arm, 0, 0), load, axis="y", start="35 deg")
    oil = machine.oil(kb.fluids.mineral_oil())
    foot, eye = machine.ground.at(0.4, 0, -0.8), boom.at(0.9, 0, 0)
    machine.cylinder("lift", foot, eye, bore=BORE, rod=ROD, stroke=0.6, oil=oil)
    state = kb.equilibrium(machine)

    pin = 0.9 * np.array([math.cos(angle), math.sin(angle)])
    along = pin - np.array([0.4, -0.8])
    lever = (pin[0] * along[1] - pin[1] * along[0]) / math.hypot(*along)
    moment = G * arm * math.cos(angle) * (0.5 * boom_mass + load_mass)
    # the load's own frame leans with the boom until the shackle undoes it
    assert state["shackle.angle"] == pytest.approx(angle, abs=1e-9)
    assert state["lift.force"] == pytest.approx(moment / lever, rel=1e-9)
    assert state["lift.a.pressure"] == pytest.approx(AMBIENT + moment / lever / AREA_A, rel=1e-9)


def test_two_cylinders_share_a_load():
    """δp_i = A_i F/ΣA²: the least change of the four pressures, here of the two that may rise."""
    machine, oil, _ = hoist(5000.0)
    machine.cylinder("second", machine.ground, "load", bore=0.05, rod=0.0, stroke=1.0, oil=oil)
    state = kb.equilibrium(machine)

    other = 0.25 * math.pi * 0.05**2
    share = 5000.0 * G / (AREA_A**2 + other**2)
    assert state["lift.a.pressure"] - AMBIENT == pytest.approx(AREA_A * share, rel=SPLIT)
    assert state["second.a.pressure"] - AMBIENT == pytest.approx(other * share, rel=SPLIT)
    assert state["lift.force"] + state["second.force"] == pytest.approx(5000.0 * G, rel=1e-9)
    assert "cylinder 'lift' and cylinder 'second' share the load" in str(state)


def test_motor_holds_a_drum():
    """displacement·(p_a − p_b) is the moment of the weight; trapped oil moves both ways alike while it can."""
    mass, arm, displacement = 300.0, 0.4, 1e-4
    machine = kb.Machine("winch", gravity=(0, 0, -G))
    drum = machine.body("drum", mass=mass, com=(arm, 0, 0), inertia=(1, 20, 20))
    machine.revolute("shaft", machine.ground, drum, axis="-y")
    oil = machine.oil(kb.fluids.mineral_oil())
    machine.motor("drive", "shaft", displacement, oil, pressure_a=100e5, pressure_b=100e5)
    state = kb.equilibrium(machine)

    half = 0.5 * mass * G * arm / displacement
    assert state["drive.a.pressure"] == pytest.approx(100e5 + half, rel=SPLIT)
    assert state["drive.b.pressure"] == pytest.approx(100e5 - half, rel=SPLIT)
    assert state["drive.a.pressure"] - state["drive.b.pressure"] == pytest.approx(2.0 * half, rel=1e-9)


def test_pump_on_its_relief_valve():
    """The line rises until the relief valve takes what the pump gives."""
    machine, oil, _ = hoist()
    tank, line = oil.pressure("tank", TANK), oil.volume("line", "1 l", pressure="1 bar")
    machine.flow_source("pump", tank, line, "10 l/min")
    machine.relief_valve("relief", line, tank, flow=("50 l/min", "10 bar"), setting="180 bar", override="10 bar")
    state = kb.equilibrium(machine)

    def lacking(p):
        r = min(max((p - TANK - 180e5) / 10e5, 0.0), 1.0)
        return 50.0 * math.sqrt((p - TANK) / 10e5) * r * r * (3.0 - 2.0 * r) - 10.0

    assert state["line.pressure"] == pytest.approx(brentq(lacking, 181e5, 199e5, xtol=1e-6), rel=1e-9)
    assert state["relief.flow"] == pytest.approx(10.0 / 60000.0, rel=1e-9)


def test_creep_past_a_piston_without_rod():
    """Equal areas: A (p_a − p_b) = m g, and what leaks past lets it sink at leak·(p_a − p_b)/A."""
    leak, area = 2e-12, AREA_A
    machine, _, _ = hoist(rod=0.0, leak=leak)
    with pytest.raises(kb.AnalysisError, match="creeps at"):
        kb.equilibrium(machine)
    state = kb.equilibrium(machine, creeping=True)

    drop = 1000.0 * G / area
    assert state["lift.a.pressure"] - state["lift.b.pressure"] == pytest.approx(drop, rel=1e-9)
    assert state.creep["lift"] == pytest.approx(-leak * drop / area, rel=1e-9)
    assert state["lift.speed"] == pytest.approx(-leak * drop / area, rel=1e-9)


@pytest.mark.parametrize("kind", ["pilot_check", "counterbalance_valve"])
def test_load_on_a_holding_valve(kind):
    """Float centre: line and rod side are at tank pressure T; trapped is p_a = p_0 + (m g + A_b (T − p_0))/A_a."""
    machine, oil, lift = hoist()
    pump, tank = oil.pressure("pump", PUMP), oil.pressure("tank", TANK)
    line = oil.volume("line", "0.2 l", pressure=TANK)
    flow = {"flow": ("60 l/min", "10 bar")}
    if kind == "pilot_check":
        machine.pilot_check("lock", line, lift.a, x=lift.b, **flow)
    else:
        words = {"setting": "150 bar", "free_flow": ("60 l/min", "5 bar"), **flow}
        machine.counterbalance_valve("lock", lift.a, line, x=lift.b, **words)
    machine.valve_4_3("valve", P=pump, T=tank, A=line, B=lift.b, centre="float", leak=0.0, overlap=0.1, **flow)
    state = kb.equilibrium(machine)

    assert not state.moved
    assert state["line.pressure"] == pytest.approx(TANK, rel=1e-9)
    assert state["lift.b.pressure"] == pytest.approx(TANK, rel=1e-9)
    exact = AMBIENT + (1000.0 * G + AREA_B * (TANK - AMBIENT)) / AREA_A
    assert state["lift.a.pressure"] == pytest.approx(exact, rel=1e-9)


def test_regeneration_carries_its_load_on_the_rod():
    """Regenerative centre: both sides at pump pressure P hold m g = (A_a − A_b) (P − p_0) and no other load."""
    mass = (AREA_A - AREA_B) * (PUMP - AMBIENT) / G
    machine, oil, lift = hoist(mass)
    with_valve(machine, oil, lift, centre="regenerative", leak=0.0, overlap=0.1)
    state = kb.equilibrium(machine)

    assert state["lift.a.pressure"] == pytest.approx(PUMP, rel=1e-9)
    assert state["lift.b.pressure"] == pytest.approx(PUMP, rel=1e-9)
    assert abs(state.moved.get("valve", 0.0)) < 1e-6
