# SPDX-License-Identifier: BSD-3-Clause
"""Displacement machine: speed Q/D, torque D Δp, the spring of its oil, and a closed circuit that loses nothing.

Rank: closed form. Steady speed and torque: 1e-7 (left over from settling). A shaft on two closed ports rings at
Ω² = D² β (1/V_a + 1/V_b)/J, exactly linear far above vapour pressure: 1e-6 with RK4, 1 % of the amplitude over five
periods with order 2 at Ω h = 0.035. Σ V e of a closed circuit is constant: 1e-12.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

D = 100e-6 / (2.0 * math.pi)  # 100 cm³ a turn
J, BULK = 2.0, 1.4e9


def shaft(speed=0.0):
    machine = kb.Machine("shaft", gravity=(0.0, 0.0, 0.0))
    rotor = machine.body("rotor", mass=10.0, inertia=(J, J, J))
    machine.revolute("axle", machine.ground, rotor, axis="x", speed=speed)
    return machine, machine.oil(kb.fluids.mineral_oil(bulk=BULK, half=100.0))


def simulate(machine, duration, coupling, **words):
    return kb.simulate(machine, duration, step=STEPS[coupling], record=1e-2, coupling=coupling, **words)


@pytest.mark.parametrize("leak", [0.0, 1e-12])
@every_coupling
def test_steady_speed(coupling, leak):
    """Q = D ω + G Δp and D Δp = c ω, so that ω = Q D/(D² + G c): Q/D without leakage."""
    flow, c = 6e-3 / 60.0, 50.0
    machine, oil = shaft()
    tank = oil.tank("tank")
    motor = oil.motor("motor", "axle", "100 cm3/rev", viscous=c, leak=leak, dead_b="0.5 l")
    oil.flow_source("pump", tank, motor.a, flow)
    oil.restrictor("back", motor.b, tank, flow=("20 l/min", "20 bar"))
    run = simulate(machine, 2.0, coupling)
    speed = flow * D / (D * D + leak * c)

    assert run["axle.angle_rate"].values[-1] == pytest.approx(speed, rel=1e-7)
    drop = run["motor.a.pressure"].values[-1] - run["motor.b.pressure"].values[-1]
    assert drop == pytest.approx(c * speed / D, rel=1e-7)
    assert run["back.flow"].values[-1] == pytest.approx(flow, rel=1e-7)
    assert run.energy().relative_residual < 1e-4


@every_coupling
def test_stall_torque(coupling):
    """Held by a torsion spring between two pressures it turns until the spring takes D Δp, and then passes no oil."""
    high, low, stiffness = 120e5, 20e5, 200.0
    machine, oil = shaft()
    motor = oil.motor("motor", "axle", "100 cm3/rev", pressure_a=high, pressure_b=low)
    oil.restrictor("inlet", oil.pressure("pump", high), motor.a, flow=("6 l/min", "5 bar"))
    oil.restrictor("outlet", motor.b, oil.tank("tank", low), flow=("6 l/min", "5 bar"))
    machine.joint_spring("spring", "axle", stiffness=stiffness, damping=40.0)
    run = simulate(machine, 3.0, coupling)

    assert run["motor.torque"].values[-1] == pytest.approx(D * (high - low), rel=1e-7)
    assert run["axle.angle"].values[-1] == pytest.approx(D * (high - low) / stiffness, rel=1e-7)
    assert abs(run["inlet.flow"].values[-1]) < 1e-7 * D


@every_coupling
def test_rings_on_its_oil(coupling):
    V_a, V_b, start, speed = 0.5e-3, 0.2e-3, 200e5, 2.0
    machine, oil = shaft(speed)
    oil.motor("motor", "axle", "100 cm3/rev", dead_a=V_a, dead_b=V_b, pressure_a=start, pressure_b=start, coordinate=0)
    Omega = D * math.sqrt(BULK * (1.0 / V_a + 1.0 / V_b) / J)
    run = simulate(machine, 5.0 * 2.0 * math.pi / Omega, coupling)
    amplitude = speed * D * BULK / Omega

    tolerance = 1e-6 if coupling == "explicit" else 1e-2
    assert run["axle.angle_rate"].values == pytest.approx(speed * np.cos(Omega * run.time), abs=tolerance * speed)
    for port, volume, sign in (("a", V_a, -1.0), ("b", V_b, 1.0)):
        exact = start + sign * amplitude / volume * np.sin(Omega * run.time)
        assert run[f"motor.{port}.pressure"].values == pytest.approx(exact, abs=tolerance * amplitude / volume)


@every_coupling
def test_a_closed_circuit_keeps_its_oil_and_its_energy(coupling):
    """A pump from b to a: what leaves one side enters the other, and its work is in the shaft, the oil and the leak."""
    machine, oil = shaft()
    motor = oil.motor(
        "motor", "axle", "100 cm3/rev", pressure_a="50 bar", pressure_b="50 bar", dead_b="0.3 l", leak=2e-12,
        viscous=3.0, coulomb=2.0,
    )  # fmt: skip
    oil.flow_source("pump", motor.b, motor.a, "10 l/min", time_constant="30 ms")
    run = simulate(machine, 1.0, coupling, inputs={"pump": kb.steps({0.0: "10 l/min", 0.5: "-5 l/min"})})
    kept = 0.1e-3 * run["motor.a.strain"].values + 0.3e-3 * run["motor.b.strain"].values
    audit = run.energy()

    assert kept == pytest.approx(kept[0], rel=1e-12)
    assert np.ptp(run["motor.a.pressure"].values) > 10e5
    assert audit.relative_residual < (1e-9 if coupling == "explicit" else 1e-3)
    assert audit.supplied["pump"] > 0.0 and audit.dissipated["motor"] > 0.0


def test_kinematic_coupling_holds_its_angle():
    """A motor's own motion, given back to it without oil, takes the torque that it had: J α + c ω."""
    machine, oil = shaft()
    tank = oil.tank("tank")
    motor = oil.motor("motor", "axle", "100 cm3/rev", dead_a="5 l")
    oil.flow_source("pump", tank, motor.a, "6 l/min")
    oil.restrictor("back", motor.b, tank, flow=("20 l/min", "20 bar"))
    machine.joint_friction("bearing", "axle", coulomb=0.0, viscous=2.0)
    before = kb.simulate(machine, 1.0, step=1e-3, record=1e-2, coupling="unified")
    after = kb.simulate(machine, 1.0, step=1e-3, record=1e-2, coupling="kinematic", inputs=before)

    # between its points the motion is a spline of the recorded angle
    size = np.abs(before["motor.torque"].values).max()
    assert after["motor.angle"].values == pytest.approx(before["motor.angle"].values, abs=1e-9)
    within = slice(5, -5)
    torque = before["motor.torque"].values[within]
    assert after["motor.torque"].values[within] == pytest.approx(torque, abs=1e-2 * size)


@pytest.mark.parametrize("coupling", ["explicit", "unified", "realtime"])
def test_driven_it_pumps(coupling):
    """Turned backwards at a given speed it takes D ω from b and puts it through a relief valve at a."""
    speed = -20.0
    machine, oil = shaft()
    tank = oil.tank("tank")
    motor = oil.motor("pump", "axle", "100 cm3/rev", dead_b="0.5 l")
    oil.restrictor("suction", tank, motor.b, flow=("60 l/min", "2 bar"))
    oil.relief_valve("relief", motor.a, tank, setting="100 bar", flow=("60 l/min", "110 bar"))
    machine.driver("engine", "axle", speed=speed)
    run = simulate(machine, 1.0, coupling)
    drop = run["pump.a.pressure"].values[-1] - run["pump.b.pressure"].values[-1]

    assert run["relief.flow"].values[-1] == pytest.approx(-D * speed, rel=1e-7)
    assert 100e5 < drop < 110e5
    assert run["engine.torque"].values[-1] == pytest.approx(-D * drop, rel=1e-7)


def test_efficiencies_at_the_rated_point():
    """Turned at its rated speed between its rated pressures it takes D n/η_v and gives D p η_m: algebraic, 1e-9."""
    speed, drop = 1500.0 * 2.0 * math.pi / 60.0, 200e5
    machine, oil = shaft(speed)
    machine.driver("brake", "axle", speed=speed)
    motor = oil.motor(
        "motor", "axle", "100 cm3/rev", pressure_a=drop + 5e5, pressure_b=5e5, volumetric_efficiency=0.93,
        mechanical_efficiency=0.9, rated_pressure=drop, rated_speed="1500 rpm",
    )  # fmt: skip
    # what feeds and drains it holds its pressures where they are
    flow = D * speed / 0.93
    oil.flow_source("feed", oil.tank("tank"), motor.a, flow)
    oil.flow_source("drain", motor.b, oil.tank("sump"), flow)
    run = kb.simulate(machine, 0.01, step=1e-4, record=1e-3)

    assert run["motor.a.pressure"].values - run["motor.b.pressure"].values == pytest.approx(drop, rel=1e-9)
    assert run["motor.leak.flow"].values == pytest.approx(flow - D * speed, rel=1e-9)
    assert run["motor.torque"].values == pytest.approx(0.9 * D * drop, rel=1e-9)
