# SPDX-License-Identifier: BSD-3-Clause
"""Winch: speed Q/D, holding pressure W/D, and a load that rings on the oil of closed ports, D = D_m·i·n/r.

With a rope: the drum and the load swing on it as two masses, ω² = k·(1/m + 1/M), M = J·(falls/drum)²; a load that
stands on the ground leaves it slack, and what is paid out then is slack rope, whatever the oil pushes.

Rank: closed form. Steady values: 1e-7 (left over from settling). Ω² = D² β (1/V_a + 1/V_b)/m far above vapour pressure:
1e-6 with RK4, 1 % of the amplitude over five periods with order 2.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from analytic.couplings import STEPS, every_coupling

MASS, GRAVITY, BULK = 500.0, 9.81, 1.4e9
D = 80e-6 / (2.0 * math.pi) * 20.0 * 2.0 / 0.2  # m³/m: 80 cm³ a turn, gear 20, two falls, drum of 0.2 m
WINCH = {"displacement": "80 cm3/rev", "gear": 20.0, "falls": 2.0, "drum": "0.2 m"}


def hanging(gravity=GRAVITY, speed=0.0):
    machine = kb.Machine("hanging", gravity=(0.0, 0.0, -gravity))
    load = machine.body("load", mass=MASS, inertia=(10.0, 10.0, 10.0))
    machine.prismatic("rope", machine.ground, load, axis="-z", start=5.0, speed=speed)
    return machine, machine.oil(kb.fluids.mineral_oil(bulk=BULK, half=100.0))


def simulate(machine, duration, coupling, **words):
    return kb.simulate(machine, duration, step=STEPS[coupling], record=1e-2, coupling=coupling, **words)


@every_coupling
def test_hoists_with_flow_over_oil_per_length(coupling):
    """Pressure at a shortens the rope: ẋ = −Q/D, D Δp = W + c |ẋ|."""
    flow, c = 12e-3 / 60.0, 4e4
    machine, oil = hanging()
    tank = oil.tank("tank")
    weight = MASS * GRAVITY
    winch = oil.winch("winch", "rope", **WINCH, viscous=c, dead_b="0.5 l", pressure_a=1e5 + weight / D)
    oil.flow_source("pump", tank, winch.a, flow)
    oil.restrictor("back", winch.b, tank, flow=("20 l/min", "20 bar"))
    run = simulate(machine, 2.0, coupling)

    assert run["rope.travel_rate"].values[-1] == pytest.approx(-flow / D, rel=1e-7)
    drop = run["winch.a.pressure"].values[-1] - run["winch.b.pressure"].values[-1]
    assert drop == pytest.approx((weight + c * flow / D) / D, rel=1e-7)
    assert run["back.flow"].values[-1] == pytest.approx(flow, rel=1e-7)
    assert run.energy().relative_residual < 1e-4


def test_holds_its_load():
    machine, oil = hanging()
    oil.winch("winch", "rope", **WINCH, pressure_a="40 bar", pressure_b="2 bar")
    rest = kb.equilibrium(machine)
    assert rest["winch.a.pressure"] - rest["winch.b.pressure"] == pytest.approx(MASS * GRAVITY / D, rel=1e-9)
    assert machine.part("winch").oil_per_length == pytest.approx(D, rel=1e-12)


@every_coupling
def test_rings_on_its_oil(coupling):
    V_a, V_b, start, speed = 50e-3, 20e-3, 200e5, 0.01
    machine, oil = hanging(gravity=0.0, speed=speed)
    oil.winch("winch", "rope", **WINCH, dead_a=V_a, dead_b=V_b, pressure_a=start, pressure_b=start, coordinate=0)
    Omega = D * math.sqrt(BULK * (1.0 / V_a + 1.0 / V_b) / MASS)
    run = simulate(machine, 5.0 * 2.0 * math.pi / Omega, coupling)

    tolerance = 1e-6 if coupling == "explicit" else 1e-2
    assert run["rope.travel_rate"].values == pytest.approx(speed * np.cos(Omega * run.time), abs=tolerance * speed)
    amplitude = speed * D * BULK / Omega
    exact = start + amplitude / V_a * np.sin(Omega * run.time)  # paying out presses oil into a
    assert run["winch.a.pressure"].values == pytest.approx(exact, abs=tolerance * amplitude / V_a)


@every_coupling
def test_leakage_lets_the_load_sink(coupling):
    """Ports joined by leakage alone: D² ẋ = leak·W once both pressures have settled."""
    leak = 5e-12
    machine, oil = hanging()
    oil.winch("winch", "rope", **WINCH, dead_a="0.5 l", dead_b="0.5 l", pressure_a=60e5 + MASS * GRAVITY / D,
              pressure_b="60 bar", leak=leak)  # fmt: skip
    run = simulate(machine, 1.0, coupling)
    assert run["rope.travel_rate"].values[-1] == pytest.approx(leak * MASS * GRAVITY / D**2, rel=1e-3)


# --- a rope that only pulls -------------------------------------------------------------------------------------------

ROPE, DRUM = 2e6, 25.0  # N/m, kg·m²
HEAVY = DRUM * (2.0 / 0.2) ** 2  # kg at the hook


def on_rope(tension, floor=False):
    machine, oil = hanging()
    if floor:
        machine.joint_stop("floor", "rope", upper=5.2, stiffness=1e8, damping=5.0)
    winch = oil.winch(
        "winch", "rope", **WINCH, dead_a="0.5 l", dead_b="0.5 l", pressure_a=20e5 + MASS * GRAVITY / D,
        pressure_b="20 bar", stiffness=ROPE, inertia=DRUM, tension=tension, damping=0.0,
    )  # fmt: skip
    return machine, oil, winch


@every_coupling
def test_rests_on_its_rope(coupling):
    machine, _, _ = on_rope(MASS * GRAVITY)
    run = simulate(machine, 0.2, coupling)
    assert np.ptp(run["rope.travel"].values) < 1e-9
    assert run["winch.hook_force"].values == pytest.approx(-MASS * GRAVITY, rel=1e-7)


def test_load_and_drum_swing_on_the_rope():
    """Without oil's stiffness (large volumes) both masses swing against each other about the stretch of rest."""
    machine, oil = hanging(gravity=0.0)
    start, taut = 20e5, 1e4
    oil.winch(
        "winch", "rope", **WINCH, dead_a="1000 m3", dead_b="1000 m3", pressure_a=start + taut / D, pressure_b=start,
        stiffness=ROPE, inertia=DRUM, tension=1.5 * taut,
    )  # fmt: skip
    machine.force("pull", "load", "-z", value=taut)
    omega = math.sqrt(ROPE * (1.0 / MASS + 1.0 / HEAVY))
    run = kb.simulate(machine, 4.0 * math.pi / omega, step=1e-4, record=1e-4, coupling="explicit")
    stretch = run["rope.travel"].values - 5.0 - run["winch.paid_out"].values
    exact = 0.5 * taut / ROPE * (np.cos(omega * np.asarray(run.time)) - 1.0)
    assert stretch == pytest.approx(exact, abs=1e-3 * taut / ROPE)


@every_coupling
def test_a_load_that_stands_leaves_it_slack(coupling):
    """Oil at 2 l/min goes on to pay out: the load comes to stand on its stop, and nothing pushes it."""
    machine, oil, winch = on_rope(MASS * GRAVITY, floor=True)
    tank = oil.tank("tank", "20 bar")
    oil.flow_source("pump", tank, winch.b, 12e-3 / 60.0)
    oil.restrictor("back", winch.a, tank, flow=("12 l/min", "10 bar"))
    run = simulate(machine, 6.0, coupling)
    slack = run["winch.paid_out"].values[-1] + 5.0 - run["rope.travel"].values[-1]
    assert slack > 0.1
    assert run["winch.hook_force"].values[-1] == 0.0 and run["winch.hook_force"].values.max() == 0.0
    assert run["floor.force"].values[-1] == pytest.approx(-MASS * GRAVITY, rel=1e-4)
    assert run["rope.travel_rate"].values[-1] == pytest.approx(0.0, abs=1e-6)
    assert run["winch.rate"].values[-1] == pytest.approx(12e-3 / 60.0 / D, rel=1e-3)


def test_a_rope_has_a_drum():
    machine, oil = hanging()
    with pytest.raises(kb.MachineError, match="it has stiffness without inertia"):
        oil.winch("winch", "rope", **WINCH, stiffness=ROPE)
    with pytest.raises(kb.MachineError, match="it has tension, but its rope has no stiffness"):
        oil.winch("winch", "rope", **WINCH, tension=10.0)
