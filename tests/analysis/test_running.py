# SPDX-License-Identifier: BSD-3-Clause
"""Shafts turn on while a machine rests, as fast as engine, pumps and gears leave: against torques by hand."""

import math

import pytest
from scipy.optimize import brentq

import knuckleboom as kb

RPM = math.pi / 30.0
RATED, DROOP, FULL, SET = 2000.0 * RPM, 0.05, 600.0, 2100.0 * RPM
CURVE = [(800.0 * RPM, 300.0), (1400.0 * RPM, 700.0), (RATED, FULL), (2300.0 * RPM, 400.0)]
D, RATED_P, ETA = 45e-6 / (2.0 * math.pi), 250e5, 0.93
TANK, RELIEF, ORIFICE = 2e5, 200e5, (100.0 / 6e4, 150e5)
GAIN = FULL / (DROOP * RATED)


def driven(ratio=None, torque=CURVE):
    """A fixed pump that an orifice loads, on the engine's shaft, or on one behind a gear."""
    m = kb.Machine("driven")
    oil = m.oil(kb.fluids.naya())
    tank, line = oil.tank("tank", TANK), oil.volume("line", "2 l", TANK)
    m.shaft("crank", inertia=2.0, speed=RATED)
    if ratio is not None:
        m.shaft("behind", inertia=0.1, speed=ratio * RATED)
        m.gear_stage("stage", "crank", "behind", ratio=ratio)
    m.engine_droop(
        "engine", "crank", torque=torque, rated_speed=RATED, setting=SET, idle=800.0 * RPM, droop=DROOP,
        stall=600.0 * RPM, drag=50.0,
    )  # fmt: skip
    oil.pump(
        "pump", tank, line, displacement=D, shaft="crank" if ratio is None else "behind", volumetric_efficiency=0.95,
        mechanical_efficiency=ETA, friction_share=0.4, rated_pressure=RATED_P, rated_speed=RATED,
    )  # fmt: skip
    oil.restrictor("load", line, tank, flow=ORIFICE)
    oil.relief_valve("relief", line, tank, flow=("200 l/min", RELIEF + 20e5), setting=RELIEF)
    return m


def by_hand(ratio=1.0):
    """Speed of the engine where droop and pump meet: flow of the orifice over D by Bernoulli, torque after Wilson."""
    leak, lost = 0.05 * D * RATED / RATED_P, 1.0 / ETA - 1.0

    def lacking(omega):
        pump = ratio * omega
        drop = brentq(lambda dp: ORIFICE[0] * math.sqrt(dp / ORIFICE[1]) + leak * dp - D * pump, 0.0, 400e5)
        torque = D * drop * (1.0 + 0.4 * lost) + 0.6 * D * RATED_P * lost * pump / RATED
        return GAIN * (SET - omega) - ratio * torque

    return brentq(lacking, 0.5 * RATED, SET, xtol=1e-12)


@pytest.mark.parametrize("ratio", [None, 0.8])
def test_speed_is_where_droop_and_pump_meet(ratio):
    state = kb.equilibrium(driven(ratio))
    # dry friction is rounded over a thousandth of the rated torque
    assert state["crank.speed"] == pytest.approx(by_hand(ratio or 1.0), rel=2e-6)
    assert abs(state["crank.acceleration"]) < 1e-9
    if ratio is not None:
        assert state["behind.speed"] == pytest.approx(ratio * state["crank.speed"], rel=1e-12)


def test_a_run_from_there_stays():
    run = kb.simulate(driven(0.8), 0.2, step=1e-3, coupling="realtime", start="equilibrium")
    assert run["crank.speed"].values == pytest.approx(run["crank.speed"].values[0], rel=1e-9)
    assert run["crank.angle"].values[-1] == pytest.approx(0.2 * run["crank.speed"].values[0], rel=1e-9)


def test_a_found_state_is_where_another_search_begins():
    first = kb.equilibrium(driven())
    again = kb.equilibrium(driven(), start=first)
    assert again["crank.speed"] == pytest.approx(first["crank.speed"], rel=1e-12)


def test_slopes_about_a_turning_shaft_are_those_of_droop_and_pump():
    """At rest but for its angle, and ∂ω̇/∂ω = −(gain + c)/J: the pump's viscous friction is lossy, too."""
    state = kb.equilibrium(driven())
    linear = kb.linearise(driven(), state)
    assert linear.at_rest
    viscous = 0.6 * D * RATED_P * (1.0 / ETA - 1.0) / RATED
    slope = float(linear.A.sel(rate="crank.speed", state="crank.speed"))
    assert slope == pytest.approx(-(GAIN + viscous) / 2.0, rel=1e-6)


def test_throttle_is_an_input():
    slow = kb.equilibrium(driven(), inputs={"engine": 1200.0 * RPM})
    assert 1000.0 * RPM < slow["crank.speed"] < 1200.0 * RPM


def test_a_shaft_that_a_gear_ties_to_a_joint_stands_with_it():
    m = kb.Machine("drum")
    m.body("drum", mass=10.0, inertia=(1.0, 1.0, 1.0), com=(0.3, 0.0, 0.0))
    m.revolute("axle", m.ground, "drum", axis="y")
    m.joint_spring("hold", "axle", stiffness=500.0)
    m.shaft_of("axle_shaft", joint="axle")
    m.shaft("rotor", inertia=0.01)
    m.gear_stage("gear", "axle_shaft", "rotor", ratio=20.0)
    state = kb.equilibrium(m)
    # m g·0.3 cos φ = k φ
    turned = brentq(lambda angle: 10.0 * 9.81 * 0.3 * math.cos(angle) - 500.0 * angle, 0.0, 1.0)
    assert state["axle.angle"] == pytest.approx(turned, rel=1e-6)
    assert state["rotor.angle"] == pytest.approx(20.0 * turned, rel=1e-6)
    assert state["rotor.speed"] == 0.0


def test_a_column_of_oil_flows_on():
    """From a source through a column, which takes 5 bar at 40 l/min, and an orifice to a tank: drops add up."""
    m = kb.Machine("line")
    oil = m.oil("oil", kb.fluids.naya())
    tank, source = oil.tank("tank", TANK), oil.pressure("source", 102e5)
    middle = oil.volume("middle", "1 l", TANK)
    oil.oil_column("column", a=source, b=middle, length="4 m", area="2 cm^2", turbulent=("40 l/min", "5 bar"))
    oil.restrictor("load", middle, tank, flow=("60 l/min", "50 bar"))
    state = kb.equilibrium(m)
    flow = math.sqrt(100e5 / (5e5 / (40.0 / 6e4) ** 2 + 50e5 / (60.0 / 6e4) ** 2))
    assert state["column.flow"] == pytest.approx(flow, rel=1e-6)
