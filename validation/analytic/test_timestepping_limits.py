# SPDX-License-Identifier: BSD-3-Clause
"""End stops and dry friction of joints by impulses, coupling `timestepping`.

    stop      what arrives at v goes back at e v,  c v (1 + e) = ln((1 + c v)/(1 − c e v)): e of the law of forces
    belt      m ẍ + k x = −F sign(ẋ − v_b) while it slips, |k x| ≤ F while it sticks: validation/references, events
    held      a load below the friction of its joint does not move; above it slides with what is left

Rank: closed form; the belt: independent formulation, event by event. Order 1 is asserted, and that what sticks goes
with the belt to 1e-9 m/s.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from references.dry_friction import Belt

G, H = 9.81, 1e-3


def run(machine, span, step=H):
    return kb.simulate(machine, span, step=step, record=step, coupling="timestepping")


def slide(damping, speed):
    m = kb.Machine("slide", gravity=(0.0, 0.0, 0.0))
    block = m.body("block", mass=5.0, inertia=(1.0, 1.0, 1.0))
    m.prismatic("rail", m.ground, block, axis="x", speed=speed)
    m.joint_stop("end", joint="rail", lower=-0.3, upper=0.2, stiffness=1e7, damping=damping)
    return m


@pytest.mark.parametrize("speed", [2.0, -0.5])
@pytest.mark.parametrize(("cv", "rebound"), [(0.0, 1.0), (0.17, 0.9), (1.43, 0.5), (10.0, 0.1)])
def test_a_joint_stop_sends_back(cv, rebound, speed):
    results = run(slide(cv / abs(speed), speed), 0.9 if speed < 0.0 else 0.2)

    after = results["block.velocity"].values[-1, 0]
    assert after == pytest.approx(-rebound * speed, rel=5e-3 if cv > 0.0 else 1e-8, abs=5e-3 * (cv > 5.0))
    impulse = results["end.stop_impulse"].values[-1]
    assert impulse == pytest.approx(5.0 * abs(speed - after), rel=1e-9)
    lost = 0.5 * 5.0 * (speed**2 - after**2)
    assert results["end.dissipated"].values[-1] == pytest.approx(lost, abs=1e-9)


def test_a_stop_stores_what_its_spring_takes():
    """A load comes to rest on a stop from where it touches: half of what it falls is stored, half is heat."""
    m, mass, stiffness = kb.Machine("rest", gravity=(0.0, 0.0, -G)), 50.0, 1e6
    load = m.body("load", mass=mass, inertia=(1.0, 1.0, 1.0))
    m.prismatic("mast", m.ground, load, axis="z")
    m.joint_stop("end", joint="mast", lower=0.0, stiffness=stiffness)

    results = run(m, 0.5)

    half = 0.5 * (mass * G) ** 2 / stiffness
    assert results["end.stop_stored"].values[-1] == pytest.approx(half, rel=1e-6)
    assert results["energy.elastic"].values[-1] == pytest.approx(half, rel=1e-6)
    heat = results["end.dissipated"].values
    assert heat[-1] == pytest.approx(half, rel=1e-6)
    assert np.diff(heat).min() > -1e-12
    assert results["energy.residual"].values[-1] == pytest.approx(0.0, abs=1e-12)


def on_belt(belt):
    m = kb.Machine("belt", gravity=(0.0, 0.0, 0.0))
    moving, block = m.body("belt", mass=1.0, inertia=(1, 1, 1)), m.body("block", mass=belt.mass, inertia=(1, 1, 1))
    m.prismatic("drive", m.ground, moving, axis="x", speed=belt.speed)
    m.driver("motor", joint="drive", speed=belt.speed)
    m.prismatic("slip", moving, block, axis="x")
    m.spring("spring", m.ground.at(-1, 0, 0), block, stiffness=belt.stiffness, rest=1.0)
    m.joint_friction("rub", joint="slip", coulomb=belt.kinetic)
    return m


def test_a_block_on_a_belt_sticks_and_slips():
    belt, errors = Belt(), []
    for step in (2e-3, 1e-3, 5e-4):
        results = run(on_belt(belt), 3.0, step)
        position, _ = belt.solve(results.time, 0.0, belt.speed)
        errors.append(np.abs(results["block.position"].values[:, 0] - position).max())

    assert np.diff(np.log2(errors)) == pytest.approx([-1.0, -1.0], abs=0.2)
    assert errors[-1] < 2e-3  # m, of a motion of 80 mm
    slip = np.abs(results["slip.travel_rate"].values)
    sticks = belt.stiffness * position < 0.95 * belt.static
    assert slip[sticks & (results.time < 0.15)].max() < 1e-9


@pytest.mark.parametrize(("friction", "moves"), [(60.0, 0.0), (40.0, 1.0)])
def test_a_load_is_held_by_its_joint(friction, moves):
    m = kb.Machine("lift", gravity=(0.0, 0.0, -G))
    load = m.body("load", mass=5.0, inertia=(1.0, 1.0, 1.0))
    m.prismatic("mast", m.ground, load, axis="z")
    m.joint_friction("rub", joint="mast", coulomb=friction)

    results = run(m, 0.5)

    expected = moves * (G - friction / 5.0) * 0.5
    assert results["load.velocity"].values[-1, 2] == pytest.approx(-expected, abs=1e-9)
    holding = min(friction, 5.0 * G)
    assert abs(results["rub.force"].values[-1]) == pytest.approx(holding, rel=1e-6)
    assert math.isclose(results["energy.residual"].values[-1], 0.0, abs_tol=0.5)
