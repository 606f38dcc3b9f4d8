# SPDX-License-Identifier: BSD-3-Clause
"""Largest forces of actuators, by hand: area times the lowest setting on the way of the oil, of the best way."""

import math

import pytest

import knuckleboom as kb
from knuckleboom.analysis.actuators import actuator_forces

BAR = 1e5
AREA, RING = math.pi / 4 * 0.1**2, math.pi / 4 * (0.1**2 - 0.06**2)


def machine():
    """A boom with a cylinder and a winch with a motor on one pump: two sections, a reducing valve, port reliefs."""
    m = kb.Machine("sections")
    boom = m.body("boom", mass=100.0, com=(1, 0, 0), inertia=(1, 10, 10))
    m.revolute("foot", m.ground, boom, axis="-y", start="20 deg")
    drum = m.body("drum", mass=50.0, inertia=(1, 1, 1))
    m.revolute("winch", m.ground, drum, axis="y")
    oil = m.oil(kb.fluids.mineral_oil())
    tank, supply = oil.tank("tank"), oil.junction("supply", "1 l")
    turning = {"displacement": "50 cm3/rev", "speed": "1500 rpm"}
    oil.load_sensing_pump("pump", tank, supply, **turning, ls=supply, cutoff="300 bar")
    oil.relief_valve("main", supply, tank, flow=("100 l/min", "300 bar"), setting="260 bar")
    foot, eye, sizes = m.ground.at(0.3, 0, -0.5), boom.at(0.9, 0, 0), {"bore": "100 mm", "rod": "60 mm"}
    lift = m.cylinder("lift", foot, eye, **sizes, stroke="0.5 m", oil=oil)
    oil.valve_4_3("boom_valve", P=supply, T=tank, A=lift.a, B=lift.b, flow=("60 l/min", "10 bar"))
    flows = {"flow": ("60 l/min", "200 bar"), "free_flow": ("60 l/min", "2 bar")}
    oil.shock_valve("guard", lift.b, tank, **flows, setting="150 bar")
    reduced = oil.junction("reduced", "0.5 l")
    oil.reducing_valve("reducer", supply, reduced, drain=tank, setting="90 bar", flow=("60 l/min", "10 bar"))
    motor = m.motor("hoist", "winch", displacement="100 cm3/rev", oil=oil, leak=1e-13)
    oil.valve_4_3("winch_valve", P=reduced, T=tank, A=motor.a, B=motor.b, flow=("60 l/min", "10 bar"))
    return m


def pushes(m):
    return {(one.actuator, one.direction): one for one in actuator_forces(kb.build(m))}


def test_the_lowest_setting_on_the_way_limits():
    found = pushes(machine())
    lift, back = found["lift", "extends"], found["lift", "retracts"]

    assert (lift.limited_by, back.limited_by) == ("main", "guard")
    assert lift.force == pytest.approx(260 * BAR * AREA) and lift.unit == "N"
    assert back.force == pytest.approx(150 * BAR * RING)
    for direction in ("forward", "back"):
        hoist = found["hoist", direction]
        assert (hoist.limited_by, hoist.unit) == ("reducer", "N*m")
        assert hoist.force == pytest.approx(90 * BAR * 100e-6 / (2 * math.pi))


def test_the_best_way_counts():
    m = machine()
    m.pressure("accumulated", "oil", "201.01325 bar")
    m.check_valve("boost", "accumulated", "reduced", flow=("10 l/min", "5 bar"))
    # what is reduced is still guarded there; the cylinder is not reached from behind a valve's edge
    found = pushes(m)
    assert found["hoist", "forward"].limited_by == "reducer" and found["lift", "extends"].limited_by == "main"

    del m.parts["reducer"]
    boosted = pushes(m)["hoist", "forward"]
    assert boosted.limited_by == "accumulated" and boosted.pressure == pytest.approx(200 * BAR)


def test_nothing_limits_a_pump_without_relief():
    m = machine()
    del m.parts["main"]
    assert pushes(m)["lift", "extends"].limited_by == "pump"
    del m.parts["pump"]
    m.pump("plain", "tank", "supply", displacement="50 cm3/rev", speed="1500 rpm")
    lift = pushes(m)["lift", "extends"]
    assert lift.force is None and lift.pressure is None and lift.limited_by == ""
    assert pushes(m)["lift", "retracts"].limited_by == "guard"


def test_no_pressure_gets_through_a_tank_that_two_circuits_share():
    m = machine()
    oil = m["oil"]
    supply, flows = oil.junction("second", "1 l"), {"flow": ("60 l/min", "200 bar"), "free_flow": ("60 l/min", "2 bar")}
    oil.load_sensing_pump(
        "second_pump", "tank", supply, displacement="20 cm3/rev", speed="1500 rpm", ls=supply, cutoff="110 bar"
    )
    drum = m.body("fan", mass=5.0, inertia=(1, 1, 1))
    m.revolute("shaft", m.ground, drum, axis="y")
    motor = m.motor("blower", "shaft", displacement="100 cm3/rev", oil=oil)
    oil.valve_4_3("fan_valve", P=supply, T="tank", A=motor.a, B=motor.b, flow=("60 l/min", "10 bar"))
    oil.shock_valve("fan_guard", motor.a, "tank", **flows, setting="140 bar")
    blower = pushes(m)["blower", "forward"]
    assert blower.limited_by == "second_pump" and blower.pressure == pytest.approx(110 * BAR)
