# SPDX-License-Identifier: BSD-3-Clause
"""Shafts: two inertias on a spring, gears, a joint as a shaft, pumps and motors that load them, and their losses.

Rank: closed form. RK4 with 40 steps per radian errs by 1e-8; implicit steps of order 2 of the same size by 1e-4, as
(ω h)²/12 per radian over some 20 radians. Where torques are constant all are exact but for rounding.
"""

import numpy as np
import pytest
from scipy.linalg import expm

import knuckleboom as kb

TURN = 2.0 * np.pi
D, TANK = 45e-6 / TURN, 1e5
COUPLINGS = {"explicit": 1e-7, "unified": 5e-4, "realtime": 5e-4}
PARABOLA = {"explicit": 2e-8, "unified": 3e-5, "realtime": 5e-5}
COORDINATES = ("relative", "reference-point", "natural")
every_coordinates = pytest.mark.parametrize("coordinates", COORDINATES)


@every_coordinates
@pytest.mark.parametrize("coupling", COUPLINGS)
def test_two_inertias_on_a_spring(coupling, coordinates):
    """J₁J₂/(J₁ + J₂)·φ̈ + d·φ̇ + k·φ = 0, and the mean speed stays."""
    inertias, speeds, stiffness, damping = np.array([0.4, 0.6]), np.array([20.0, -5.0]), 400.0, 0.8
    m = kb.Machine("coupled")
    for name, inertia, speed in zip("ab", inertias, speeds, strict=True):
        m.shaft(name, inertia, speed=speed)
    m.shaft_spring("coupling", "a", "b", stiffness=stiffness, damping=damping)
    run = kb.simulate(m, 0.5, step=2.5e-4, record=1e-2, coupling=coupling, coordinates=coordinates)

    reduced = inertias.prod() / inertias.sum()
    decay, free = 0.5 * damping / reduced, np.sqrt(stiffness / reduced)
    swing = np.sqrt(free**2 - decay**2)
    twist = (speeds[1] - speeds[0]) / swing * np.exp(-decay * run.time) * np.sin(swing * run.time)
    found = run["b.angle"].values - run["a.angle"].values
    mean = (inertias @ [run["a.speed"].values, run["b.speed"].values]) / inertias.sum()
    assert found == pytest.approx(twist, abs=COUPLINGS[coupling] * np.abs(twist).max())
    assert mean == pytest.approx(inertias @ speeds / inertias.sum(), rel=1e-12)
    torque = stiffness * found + damping * (run["b.speed"].values - run["a.speed"].values)
    assert run["coupling.a_torque"].values == pytest.approx(torque, abs=1e-9)
    assert run["coupling.b_torque"].values == pytest.approx(-torque, abs=1e-9)
    audit = run.energy()
    assert abs(audit.residual) < max(COUPLINGS[coupling] ** 1.5, 1e-9) * 0.5 * inertias @ speeds**2


@every_coordinates
@pytest.mark.parametrize("ratio", [0.25, -3.0])
@pytest.mark.parametrize("coupling", COUPLINGS)
def test_gear_reduction(coupling, ratio, coordinates):
    """An effort τ in a joint that is a shaft, and a wheel on a gear: α = τ/(J_a + i²·J_b), and J_b·i·α reaches b."""
    inertia_a, inertia_b, effort = 0.3, 0.05, 2.0
    m = kb.Machine("reduction")
    m.revolute("axle", m.ground, m.body("wheel", mass=2.0, inertia=(inertia_a, inertia_a, inertia_a)), axis="y")
    m.shaft_of("one", "axle")
    m.shaft("two", inertia_b)
    m.effort("push", "axle", value=effort)
    m.gear_stage("stage", "one", "two", ratio=ratio)
    run = kb.simulate(m, 1.0, step=1e-3, record=0.1, coupling=coupling, coordinates=coordinates)

    # vectors of a wheel that turns are not parabolas; unified begins with half a step of order 1
    within = 1e-12 if coordinates != "natural" and coupling != "unified" else PARABOLA[coupling]
    rate = effort / (inertia_a + ratio**2 * inertia_b)
    assert run["axle.angle"].values == pytest.approx(0.5 * rate * run.time**2, abs=within)
    assert run["two.speed"].values == pytest.approx(ratio * rate * run.time, abs=within)
    assert run["stage.multiplier"].values[-1] == pytest.approx(-inertia_b * ratio * rate, rel=max(20.0 * within, 1e-9))
    assert abs(run.energy().residual) < 3.0 * within * effort * run["axle.angle"].values[-1]


def test_speeds_that_are_not_given_follow_those_that_are():
    m = kb.Machine("train")
    m.shaft("engine", 0.5, speed="1500 rpm")
    for name in ("lay", "out"):
        m.shaft(name, 0.1)
    m.gear_stage("first", "engine", "lay", ratio=0.5)
    m.gear_stage("second", "lay", "out", ratio=-0.4)
    run = kb.simulate(m, 0.01, step=1e-3)
    start = [run[f"{name}.speed"].values[0] for name in ("engine", "lay", "out")]
    assert start == pytest.approx([50.0 * np.pi, 25.0 * np.pi, -10.0 * np.pi], rel=1e-12)


@pytest.mark.parametrize("coupling", COUPLINGS)
def test_drag_of_a_bearing(coupling):
    """ω = ω₀·exp(−c·t/J)."""
    m = kb.Machine("coasting")
    m.shaft("it", 0.5, speed=100.0)
    m.shaft_spring("bearing", "it", damping=2.0)
    run = kb.simulate(m, 0.5, step=1e-3, record=1e-2, coupling=coupling)
    assert run["it.speed"].values == pytest.approx(100.0 * np.exp(-4.0 * run.time), rel=1e-5)
    assert run.energy().dissipated["bearing"] == pytest.approx(0.25 * (1e4 - run["it.speed"].values[-1] ** 2), rel=1e-5)


def between(high, joined, kind="pump", **words):
    """A pump from a tank to a pressure; `joined` puts it on a shaft of the machine."""
    m = kb.Machine("pumping")
    shaft = joined(m)
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank", TANK), oil.pressure("line", TANK + high)
    getattr(oil, kind)("pump", tank, line, displacement=D, shaft=shaft, **words)
    return m


@every_coordinates
@pytest.mark.parametrize("coupling", COUPLINGS)
def test_a_pump_brakes_its_shaft(coupling, coordinates):
    """J·ω̇ = −D·Δp: a straight line; what leaves the shaft is in the oil."""
    drop, inertia, speed = 100e5, 0.3, 200.0
    m = between(drop, lambda m: m.shaft("crank", inertia, speed=speed).name)
    run = kb.simulate(m, 0.2, step=1e-3, record=1e-2, coupling=coupling, coordinates=coordinates)

    slowed = speed - D * drop / inertia * run.time
    assert run["crank.speed"].values == pytest.approx(slowed, rel=1e-9)
    assert run["pump.torque"].values == pytest.approx(D * drop, rel=1e-12)
    assert run["pump.shaft_torque"].values == pytest.approx(-D * drop, rel=1e-12)
    assert run["pump.flow"].values == pytest.approx(D * slowed, rel=1e-9)
    assert run["pump.shaft_power"].values == pytest.approx(D * drop * slowed, rel=1e-9)
    audit = run.energy()
    given = 0.5 * inertia * (speed**2 - slowed[-1] ** 2)
    # what the line takes up comes from the pump and, at its pressure above ambient, from the tank
    within = 1e-5 if coupling == "unified" else 1e-9
    assert -audit.supplied["line"] - audit.supplied["tank"] == pytest.approx(given, rel=within)
    assert abs(audit.residual) < within * given


LOSSES = {"volumetric_efficiency": 0.94, "mechanical_efficiency": 0.91, "rated_pressure": "200 bar"}
RATED_SPEED = 1500.0 * TURN / 60.0


def by_hand(drop, setting, speed, share):
    """Flow from a to b, leakage, and torque after Wilson: slip with Δp, dry friction with x·Δp, viscous with n."""
    lost = 1.0 / 0.91 - 1.0
    leak = 0.06 * D * RATED_SPEED / 200e5 * drop
    torque = D * setting * drop + share * lost * D * setting * abs(drop)
    return D * setting * speed, leak, torque + (1.0 - share) * lost * D * 200e5 / RATED_SPEED * speed


POINTS = [(200e5, 1.0, 1500.0), (200e5, 0.3, 1500.0), (50e5, 0.8, 2200.0), (320e5, 1.0, 700.0), (0.0, 0.5, 1000.0)]


@pytest.mark.parametrize("share", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("drop, setting, rpm", POINTS)
def test_losses_of_a_pump_with_a_given_speed(drop, setting, rpm, share):
    m = kb.Machine("pumping")
    oil = m.oil(kb.fluids.mineral_oil())
    tank, line = oil.tank("tank", TANK), oil.pressure("line", TANK + drop)
    oil.variable_pump("pump", tank, line, displacement=D, speed=f"{rpm} rpm", setting=setting, rated_speed="1500 rpm",
                      friction_share=share, **LOSSES)  # fmt: skip
    run = kb.simulate(m, 1e-3, step=1e-4, record=1e-3)
    speed = rpm * TURN / 60.0
    flow, leak, torque = by_hand(drop, setting, speed, share)
    assert run["pump.flow"].values == pytest.approx(flow, rel=1e-12)
    if leak:
        assert run["pump.leak.flow"].values == pytest.approx(leak, rel=1e-9)
    assert run["pump.torque"].values == pytest.approx(torque, rel=1e-12)
    assert run["pump.shaft_power"].values == pytest.approx(torque * speed, rel=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("drop, setting, rpm", POINTS)
def test_losses_of_a_pump_on_a_shaft(drop, setting, rpm, share):
    """At the first moment: J·ω̇ is minus the torque. On the shaft dry friction is that of an oil's torque rounded at 0,
    √(T² + r²) − r with r = D·p_r/1000: it lacks up to its share of r.
    """
    speed, inertia = rpm * TURN / 60.0, 0.3
    more = {"rated_speed": "1500 rpm", "friction_share": share, **LOSSES}
    m = between(drop, lambda m: m.shaft("crank", inertia, speed=speed).name, "variable_pump", setting=setting, **more)
    run = kb.simulate(m, 1e-3, step=1e-4, record=1e-3, coupling="explicit")
    flow, leak, torque = by_hand(drop, setting, speed, share)
    assert run["pump.flow"].values[0] == pytest.approx(flow, rel=1e-12)
    assert run["pump.torque"].values[0] == pytest.approx(torque, rel=1e-12)
    assert run["pump.shaft_power"].values[0] == pytest.approx(torque * speed, rel=1e-12)
    rounding = share * (1.0 / 0.91 - 1.0) * 1e-3 * D * 200e5
    assert -rounding - 1e-9 <= -inertia * run["crank.acceleration"].values[0] - torque <= 1e-9
    assert run["pump.leak.flow"].values[0] == pytest.approx(leak, rel=1e-9) if leak else True
    assert abs(run.energy().residual) < 1e-9 * 0.5 * inertia * speed**2


@pytest.mark.parametrize("coupling", COUPLINGS)
def test_a_pump_turns_a_motor(coupling):
    """A closed circuit of oil with a constant bulk modulus: both speeds and both pressures are linear, exp(A·t)."""
    size, inertias, speed, bulk = 2e-4, np.array([0.4, 0.3]), 20.0, 1.4e9
    m = kb.Machine("hydrostatic")
    m.shaft("fast", inertias[0], speed=speed)
    m.shaft("slow", inertias[1])
    oil = m.oil("oil", {"law": "constant", "density": 860.0, "bulk": bulk})
    words = {"dead_a": size, "dead_b": size, "pressure_a": "400 bar", "pressure_b": "400 bar"}
    motor = oil.motor("motor", displacement=2.0 * D, shaft="slow", **words)
    oil.pressure_compensated_pump("pump", motor.b, motor.a, displacement=D, shaft="fast", cutoff="900 bar")
    step = {"explicit": 1e-4, "unified": 1e-4, "realtime": 1e-4}[coupling]
    run = kb.simulate(m, 0.1, step=step, record=1e-3, coupling=coupling)

    A = np.zeros((3, 3))  # of both speeds and the pressure difference
    A[0, 2], A[1, 2] = -D / inertias[0], 2.0 * D / inertias[1]
    A[2, :2] = 2.0 * bulk / size * D, -4.0 * bulk / size * D
    known = np.array([expm(A * t) @ [speed, 0.0, 0.0] for t in run.time]).T
    within = {"explicit": 1e-6}.get(coupling, 1e-3)
    assert run["fast.speed"].values == pytest.approx(known[0], abs=within * speed)
    assert run["slow.speed"].values == pytest.approx(known[1], abs=within * speed)
    drop = run["motor.a.pressure"].values - run["motor.b.pressure"].values
    assert drop == pytest.approx(known[2], abs=within * np.abs(known[2]).max())
    assert run["motor.torque"].values == pytest.approx(2.0 * D * drop, rel=1e-9)
    assert abs(run.energy().residual) < within * 0.5 * inertias[0] * speed**2
