# SPDX-License-Identifier: BSD-3-Clause
"""Observed order of each integrator, by Richardson's three steps h, h/2, h/4, on smooth motions of every kind.

Rank: closed form (a method of order p has p). Tolerance: the ratio of differences is 2^p (1 + O(h)); at the steps
below the correction is some per cent: ±0.2 on order 4, ±0.1 on order 1.
"""

import numpy as np
import pytest

import knuckleboom as kb
from analytic.models import four_bar
from references import signals


def double_pendulum():
    machine = kb.Machine("double pendulum", gravity=(0.0, 0.0, -9.81))
    upper = machine.body("upper", mass=3.0, com=(0, 0, -0.35), inertia=(0.2, 0.2, 0.1))
    lower = machine.body("lower", mass=2.0, com=(0, 0, -0.3), inertia=(0.1, 0.1, 0.05))
    machine.revolute("shoulder", machine.ground, upper, axis="y", start=1.5, speed=0.5)
    machine.revolute("elbow", upper.at(0, 0, -0.8), lower, axis="y", start=1.0)
    return machine, ("lower.position", "lower.velocity"), 0.4


def spherical_top():
    machine = kb.Machine("top", gravity=(0.0, 0.0, -9.81))
    body = machine.body("top", mass=1.2, com=(0.05, 0, 0.25), inertia=(0.03, 0.02, 0.025))
    machine.spherical("ball", machine.ground, body, start=(0.2, 0.8, -0.3), speed=(2.0, -3.0, 9.0))
    return machine, ("top.orientation", "top.angular_velocity"), 0.4


def free_flight():
    machine = kb.Machine("free", gravity=(0.0, 0.0, -9.81))
    body = machine.body("body", mass=4.0, com=(0.2, -0.1, 0.3), inertia=(1.5, 2.0, 3.0))
    machine.free("base", machine.ground, body, start=(0, 0, 0, 0.1, 0.2, 0.3), speed=(1, 0, 2, 4.0, 5.0, -3.0))
    return machine, ("body.position", "body.orientation", "body.velocity"), 0.4


def loop():
    return four_bar(rate=12.0), ("rocker.orientation", "rocker.angular_velocity"), 0.2


def oil():
    """A mass thrown back and forth by oil through restrictors, with all drops above the transition."""
    machine = kb.Machine("oil", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=500.0, inertia=(1, 1, 1))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.0, speed=0.1)
    fluid = machine.oil(kb.fluids.naya())
    ram = fluid.cylinder(
        "ram",
        machine.ground,
        block,
        bore="63 mm",
        rod="36 mm",
        stroke="400 mm",
        pressure_a="80 bar",
        pressure_b="90 bar",
        viscous=1e3,
        leak=1e-12,
    )
    machine.restrictor("inlet", fluid.pressure("pump", "200 bar"), ram.a, area="5 mm2")
    machine.restrictor("outlet", ram.b, fluid.tank("tank"), area="4 mm2")
    return machine, ("slide.travel", "slide.travel_rate", "ram.a.pressure", "ram.b.pressure"), 0.02


CASES = {
    "double pendulum": (double_pendulum, 0.01),
    "spherical": (spherical_top, 0.01),
    "free": (free_flight, 0.01),
    "loop": (loop, 2e-3),
    "oil": (oil, 4e-4),
}


def finals(case, step, **options):
    make, _ = CASES[case]
    machine, names, duration = make()
    results = []
    for divisor in (1, 2, 4):
        run = kb.simulate(machine, duration, step=step / divisor, record=duration, **options)
        # pressures are 1e7, lengths 1: bring all to one size
        results.append(
            np.concatenate([np.ravel(run[name].values[-1]) * (1e-7 if "pressure" in name else 1.0) for name in names])
        )
    return results


@pytest.mark.parametrize("case", CASES)
def test_rk4_is_of_order_4(case):
    assert signals.observed_order(*finals(case, CASES[case][1], integrator="rk4")) == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("case", CASES)
def test_semi_implicit_euler_is_of_order_1(case):
    step = CASES[case][1] / 20.0
    order = signals.observed_order(*finals(case, step, integrator="semi-implicit-euler"))
    assert order == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("integrator", ["fw2", "lim"])
def test_linearly_implicit_methods_are_of_order_2(case, integrator):
    order = signals.observed_order(*finals(case, CASES[case][1] / 8.0, integrator=integrator))
    assert order == pytest.approx(2.0, abs=0.15)


@pytest.mark.parametrize("case", CASES)
def test_linearly_implicit_euler_is_of_order_1(case):
    order = signals.observed_order(*finals(case, CASES[case][1] / 20.0, integrator="lie"))
    assert order == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("integrator", ["trapezoidal", "generalised-alpha"])
def test_unified_is_of_order_2(case, integrator):
    words = {"coupling": "unified", "integrator": integrator, "jumps": "published"}
    order = signals.observed_order(*finals(case, CASES[case][1] / 4.0, **words))
    assert order == pytest.approx(2.0, abs=0.15)


def sledge():
    """A pendulum on a sledge that a cylinder moves to and fro, and the cylinder's length over time."""
    machine = kb.Machine("sledge", gravity=(0.0, 0.0, -9.81))
    block = machine.body("block", mass=50.0, inertia=(1, 1, 1))
    bob = machine.body("bob", mass=3.0, com=(0, 0, -0.4), inertia=(0.1, 0.1, 0.05))
    machine.prismatic("slide", machine.ground, block, axis="x", start=1.0)
    machine.revolute("pin", block, bob, axis="y", start=0.8)
    ram = {"bore": "40 mm", "rod": "20 mm", "stroke": "400 mm"}
    machine.oil(kb.fluids.naya()).cylinder("ram", machine.ground, block, **ram)

    def told(t):
        return 1.0 + 0.1 * np.sin(7 * t), 0.7 * np.cos(7 * t), -4.9 * np.sin(7 * t)

    return machine, told


def test_kinematic_is_of_order_2():
    """The sledge is where it is told, the pendulum swings, and the work of the cylinder adds up."""
    machine, told = sledge()
    names, ends, residuals = ("bob.position", "bob.velocity", "ram.force"), [], []
    for step in (0.01, 0.005, 0.0025):
        run = kb.simulate(machine, 0.4, step=step, record=0.4, coupling="kinematic", inputs={"ram": told})
        ends.append(np.concatenate([np.ravel(run[name].values[-1]) for name in names]))
        residuals.append(abs(run.energy().residual))
        assert run["slide.travel"].values[-1] == pytest.approx(told(0.4)[0], abs=1e-9)
    assert signals.observed_order(*ends) == pytest.approx(2.0, abs=0.15)
    assert np.log2(residuals[0] / residuals[1]) > 1.85
    assert np.log2(residuals[1] / residuals[2]) > 1.85


@pytest.mark.parametrize("power, expected", [("euler", 1.0), ("rk4", 2.0), ("trapezoidal", 2.0)])
def test_cointegrated_has_the_order_of_its_slower_half(power, expected):
    """The oil's own step is a third of the mechanics', and both are halved: the forward Euler rule leaves order 1."""
    make, step = CASES["oil"]
    machine, names, duration = make()
    results = []
    for divisor in (1, 2, 4):
        size = step / 4.0 / divisor
        run = kb.simulate(
            machine, duration, step=size, record=duration, coupling="cointegrated", power_integrator=power,
            power_step=size / 3.0, jumps="published",
        )  # fmt: skip
        values = [run[name].values[-1] * (1e-7 if "pressure" in name else 1.0) for name in names]
        results.append(np.array(values))
    assert signals.observed_order(*results) == pytest.approx(expected, abs=0.15)


def test_semi_implicit_euler_on_a_spring_is_the_known_map():
    """v⁺ = v − hω²x, x⁺ = x + h v⁺ keeps x² ω² + v² − hω² x v: exactly conserved by the symplectic form of the
    method.
    """
    machine = kb.Machine("spring", gravity=(0.0, 0.0, 0.0))
    block = machine.body("block", mass=2.0, inertia=(1, 1, 1))
    machine.prismatic("slide", machine.ground, block, axis="x", start=0.3)
    machine.joint_spring("spring", "slide", stiffness=200.0)
    step = 5e-3
    sim = kb.Simulation(machine, step=step, record=step, integrator="semi-implicit-euler")
    sim.run_until(2.0)
    run = sim.results()
    x, v = run["slide.travel"].values, run["slide.travel_rate"].values
    kept = 100.0 * x**2 + v**2 - step * 100.0 * x * v
    assert kept == pytest.approx(kept[0], rel=1e-11)
