# SPDX-License-Identifier: BSD-3-Clause
"""Coupling `timestepping` beside independent solutions of rigid contact (validation/references), over the whole motion.

    ball       dropped from 1 m, e = 0.5 and 1: heights over time             closed form
    incline    a block pushed up a slope stops and slides back; one pushed across it turns downhill
    belt       a block on a spring and a belt: stick and slip                 closed form, piece by piece
    rod        slides down a wall with friction at both ends, and leaves it
    crank      slider with 1 mm clearance in its guide: three impacts of two corners, friction  [Flores 2010]

Rank: closed form (ball, belt, incline along the slope), independent solution by SciPy (others).

The references are rigid; contact here has a stiffness, made so large that it does not show. Largest errors of places
over the whole motion, of steps of 1 ms: ball 4.6 mm of 1 m (e = 0.5) and 8.9 mm (e = 1), inclines 1.0 mm, belt 1.7 mm,
rod 0.6 mm; it leaves the wall 8 ms early, where its force on the wall has become small. Crank: 53 µm after three
impacts with steps of 10 µs, 10 µm with 2 µs, of a slider that moved 36 mm: first order.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import knuckleboom as kb
from references import clearance_crank, dry_friction, impacts, sliding_rod

G = 9.81


def run(machine, span, step):
    return kb.simulate(machine, span, step=step, record=step, coupling="timestepping")


@pytest.mark.parametrize("restitution", [0.5, 1.0])
def test_a_ball_follows_the_closed_form(restitution):
    m = kb.Machine("ball", gravity=(0.0, 0.0, -G))
    body = m.body("ball", mass=2.0, inertia=(0.02, 0.02, 0.02))
    m.free("f", m.ground, body, start=(0, 0, 1.1, 0, 0, 0))
    m.terrain("floor")
    m.contact("skin", body, sphere=0.1, restitution=restitution, friction=0.0)
    h = 1e-3
    results = run(m, 1.2, h)
    exact = impacts.bouncing_ball(results.time, 1.0, restitution)
    error = np.abs(results["ball.position"].values[:, 2] - 0.1 - exact).max()
    assert error < 5.0 * h * math.sqrt(2.0 * G)


def slope_block(degrees, friction, velocity):
    """A block that does not tip on a level plane, with gravity tilted towards x."""
    tilt = math.radians(degrees)
    m = kb.Machine("slope", gravity=(G * math.sin(tilt), 0.0, -G * math.cos(tilt)))
    body = m.body("block", mass=10.0, inertia=(1e3, 1e3, 1e3))
    out = 0.1 - 10.0 * G * math.cos(tilt) / 4e6  # as deep as it rests
    m.free("f", m.ground, body, start=(0, 0, out, 0, 0, 0), speed=(*velocity, 0, 0, 0, 0))
    m.terrain("floor")
    m.contact("sole", body, box=(0.4, 0.4, 0.2), stiffness=1e6, friction=friction, breakaway=friction)
    return m


@pytest.mark.parametrize(("degrees", "speed"), [(30.0, -1.5), (10.0, 2.0), (10.0, -2.0)])
def test_a_block_goes_up_and_down_an_incline(degrees, speed):
    h = 1e-3
    results = run(slope_block(degrees, 0.3, (speed, 0.0)), 1.2, h)
    way, _ = dry_friction.on_incline(results.time, degrees, 0.3, speed)
    error = np.abs(results["block.position"].values[:, 0] - way).max()
    assert error < 1.0 * h * abs(speed)


def test_a_block_pushed_across_an_incline_turns_downhill():
    h = 1e-3
    results = run(slope_block(25.0, 0.3, (-0.5, 1.5)), 1.0, h)
    exact = dry_friction.across_incline(results.time, 25.0, 0.3, (-0.5, 1.5))
    error = np.abs(results["block.position"].values[:, :2] - exact[:, :2]).max()
    assert error < 1.0 * h * 1.5


@pytest.mark.parametrize(("x", "v"), [(0.0, 0.0), (0.1, 0.0), (0.0, 0.2)])
def test_a_block_on_a_belt_sticks_and_slips(x, v):
    reference = dry_friction.Belt()
    mu, height = reference.kinetic / (reference.mass * G), 0.1
    m = kb.Machine("belt", gravity=(0.0, 0.0, -G))
    belt = m.body("belt", mass=10.0, inertia=(1.0, 1.0, 1.0))
    block = m.body("block", mass=reference.mass, inertia=(1e3, 1e3, 1e3))
    m.prismatic("rail", m.ground.at(0, 0, -height), belt, axis="x", speed=reference.speed)
    m.driver("motor", joint="rail", speed=reference.speed)
    m.free("f", m.ground, block, start=(x, 0, height - reference.mass * G / 4e6, 0, 0, 0), speed=(v, 0, 0, 0, 0, 0))
    m.spring("spring", m.ground.at(-10, 0, height), block, stiffness=reference.stiffness, rest=10.0)
    for name, body, size in (("top", belt, (4.0, 1.0, 2 * height)), ("sole", block, (0.2, 0.2, 2 * height))):
        m.contact(name, body, box=size, friction=mu, breakaway=mu, stiffness=2e6)
    h = 1e-3
    results = run(m, 2.0, h)
    exact, _ = reference.solve(results.time, x, v)
    error = np.abs(results["block.position"].values[:, 0] - exact).max()
    assert error < 2e-3


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_a_rod_slides_down_a_wall_and_leaves_it(friction):
    reference, thin = sliding_rod.SlidingRod(friction=friction), 1e-3
    inertia = reference.mass * reference.length**2 / 12.0
    m = kb.Machine("rod", gravity=(0.0, 0.0, -G))
    rod = m.body("rod", mass=reference.mass, inertia=(inertia, inertia, 1e-3))
    half, start = 0.5 * reference.length, reference.start
    m.free("f", m.ground, rod, start=(half * math.sin(start), 0, half * math.cos(start), 0, -start, 0))
    m.terrain("wall", normal="x", at=(-thin, 0, 0))
    m.terrain("floor", at=(0, 0, -thin))
    m.contact(
        "skin", rod, capsule=(thin, reference.length), friction=friction, breakaway=friction, stiffness=1e7,
        restitution=1e-9,
    )  # fmt: skip
    h = 1e-3
    _, left = reference.solve(np.array([0.0, 3.0]))
    results = run(m, round(left, 2) + 0.05, h)
    time = results.time[results.time < left]
    motion, _ = reference.solve(time)
    angle = motion[:, 0]
    place = results["rod.position"].values[: len(time), [0, 2]]
    error = np.abs(place - half * np.stack([np.sin(angle), np.cos(angle)], axis=1)).max()
    wall = results["skin.wall.normal_force"].values
    gone = results.time[np.flatnonzero(wall > 0.0)[-1]]
    assert error < 1e-3
    assert gone == pytest.approx(left, abs=10 * h)


def test_a_crank_with_clearance_strikes_its_guide():
    reference = clearance_crank.ClearanceCrank()
    m = kb.Machine("clearance", gravity=(0.0, -G, 0.0))
    (m1, m2, m3), (j1, j2, j3) = reference.masses, reference.inertias
    crank = m.body("crank", mass=m1, com=(0.5 * reference.crank, 0, 0), inertia=(j1, j1, j1))
    rod = m.body("rod", mass=m2, com=(0.5 * reference.rod, 0, 0), inertia=(j2, j2, j2))
    slider = m.body("slider", mass=m3, inertia=(j3, j3, j3))
    m.revolute("main", m.ground, crank, axis="z", speed=150.0)
    m.revolute("pin", crank.at(reference.crank, 0, 0), rod, axis="z", speed=-225.0)
    m.revolute("wrist", rod.at(reference.rod, 0, 0), slider, axis="z", speed=75.0)
    wall = reference.b + reference.clearance
    m.terrain("upper", normal="-y", at=(0, wall, 0))
    m.terrain("lower", normal="y", at=(0, -wall, 0))
    m.contact(
        "corners", slider, box=(2 * reference.a, 2 * reference.b, 0.02), stiffness=1e8,
        restitution=reference.restitution, friction=reference.friction, breakaway=reference.friction,
    )  # fmt: skip
    end, errors = 8e-3, []
    exact, found = reference.by_events(np.array([0.0, end]), most=10)
    for h in (1e-5, 2e-6):
        results = run(m, end, h)
        place = results["slider.position"].values[-1, :2]
        errors.append(np.abs(place - reference.slider(exact[-1, :3])).max())
    assert len(found) == 3
    assert errors[1] < 2e-5
    assert errors[1] < 0.3 * errors[0]
