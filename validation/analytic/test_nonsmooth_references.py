# SPDX-License-Identifier: BSD-3-Clause
"""References for contact and friction, each by a second route: SciPy's events, statics, energy, small steps, Siconos.

Rank on the ladder: closed form where there is one, otherwise a second formulation; the crank also another program.
These tests do not run the simulator. Steps are of first order, and their tolerances say what was measured.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from references import clearance_crank, dry_friction, impacts, sliding_rod

G = 9.81


# --- ball and boxes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_bouncing_ball_against_events_of_scipy(e):
    """Five impacts found by SciPy: times and heights to 1e-9."""

    def floor(_, y):
        return y[0]

    floor.terminal, floor.direction = True, -1.0
    y, now, found = [1.0, 0.0], 0.0, []
    for _ in range(5 if e > 0.0 else 1):
        done = solve_ivp(lambda _, y: [y[1], -G], (now, now + 3.0), y, events=floor, rtol=1e-12, atol=1e-13)
        middle = 0.5 * (now + done.t[-1])
        height = y[0] + y[1] * (middle - now) - 0.5 * G * (middle - now) ** 2
        assert impacts.bouncing_ball(np.array([middle]), 1.0, e)[0] == pytest.approx(height, abs=1e-9)
        now = float(done.t[-1])
        found.append(now)
        y = [0.0, -e * done.y[1, -1]]
    assert np.array(found) == pytest.approx(impacts.impact_times(1.0, e, len(found)), abs=1e-9)


def test_bouncing_ball_comes_to_rest_in_finite_time():
    times = impacts.impact_times(1.0, 0.5, 60)
    rest = impacts.rest_time(1.0, 0.5)
    assert times[-1] == pytest.approx(rest, rel=1e-12)
    assert impacts.bouncing_ball(np.array([0.5 * rest, rest + 1e-9, rest + 1.0]), 1.0, 0.5)[1:] == pytest.approx([0, 0])
    assert impacts.rest_time(1.0, 1.0) == np.inf


def test_stack_of_ten_boxes_against_the_equations_of_all_boxes():
    """Force and moment of each box with a force at either corner of each face: 20 equations, 20 unknowns."""
    random = np.random.default_rng(1)
    masses, places, half = random.uniform(1.0, 5.0, 10), random.uniform(-0.05, 0.05, 10), 0.2
    corner = np.stack([places - half, places + half], axis=1)  # of each box's lower face
    matrix, right = np.zeros((20, 20)), np.zeros(20)
    for k in range(10):
        matrix[2 * k, 2 * k : 2 * k + 2] = 1.0
        matrix[2 * k + 1, 2 * k : 2 * k + 2] = corner[k] - places[k]
        if k < 9:
            matrix[2 * k, 2 * k + 2 : 2 * k + 4] = -1.0
            matrix[2 * k + 1, 2 * k + 2 : 2 * k + 4] = -(corner[k + 1] - places[k])
        right[2 * k] = masses[k] * G
    forces = np.linalg.solve(matrix, right).reshape(10, 2)

    assert impacts.stack_loads(masses)[0] == pytest.approx(forces.sum(axis=1), rel=1e-12)
    centres = (forces * corner).sum(axis=1) / forces.sum(axis=1)
    assert impacts.stack_centres(masses, places) == pytest.approx(centres, rel=1e-9, abs=1e-12)
    normal, tangential = impacts.stack_loads(masses, degrees=20.0)
    assert tangential / normal == pytest.approx(np.full(10, np.tan(np.radians(20.0))))


# --- incline ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("degrees", "speed"), [(30.0, 1.5), (30.0, -1.5), (10.0, 2.0), (10.0, -2.0), (10.0, 0.0)])
def test_block_on_an_incline_against_small_steps(degrees, speed):
    """Steps of velocity whose friction is what stops within them, at most μ N: 1e-4 s, error about g h."""
    mu, h, span = 0.3, 1e-4, 1.5
    v, x, steps = speed, 0.0, []
    for _ in range(round(span / h)):
        v += h * G * np.sin(np.radians(degrees))
        v -= np.sign(v) * min(abs(v), h * mu * G * np.cos(np.radians(degrees)))
        x += h * v
        steps.append(x)
    time = h * np.arange(1, len(steps) + 1)
    way, rate = dry_friction.on_incline(time, degrees, mu, speed)
    assert way == pytest.approx(np.array(steps), abs=2e-3)
    assert np.gradient(way, time)[1:-1] == pytest.approx(rate[1:-1], abs=2e-3)
    if speed > 0.0:
        assert dry_friction.across_incline(time, degrees, mu, (speed, 0.0))[:, 0] == pytest.approx(way, abs=1e-6)


def test_block_across_an_incline_keeps_its_hodograph():
    """With ψ the angle of v to the slope, |v| sin ψ/tan(ψ/2)^k is constant, k = μ/tan α. (Its hodograph.)"""
    degrees, mu = 25.0, 0.3
    time = np.linspace(0.0, 1.0, 2001)
    motion = dry_friction.across_incline(time, degrees, mu, (-0.5, 1.5))
    assert np.gradient(motion[:, 1], time)[1:-1] == pytest.approx(motion[1:-1, 3], abs=1e-5)
    psi = np.arctan2(motion[:, 3], motion[:, 2])
    kept = np.hypot(motion[:, 2], motion[:, 3]) * np.sin(psi) / np.tan(0.5 * psi) ** (mu / np.tan(np.radians(degrees)))
    assert kept == pytest.approx(np.full(2001, kept[0]), rel=1e-8)


# --- belt -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("x", "v"), [(0.0, 0.0), (0.1, 0.0), (-0.15, 0.0), (0.0, 1.0), (0.0, 0.2)])
def test_block_on_a_belt_against_small_steps(x, v):
    """Implicit steps of 1e-5 s with one coefficient: friction is what keeps the belt's speed, at most F."""
    belt, h, span = dry_friction.Belt(), 1e-5, 3.0
    whole = belt.mass + h * h * belt.stiffness
    place, speed, steps = x, v, []
    for _ in range(round(span / h)):
        free = (belt.mass * speed - h * belt.stiffness * place) / whole
        grip = h * belt.kinetic / whole
        speed = free + min(max(belt.speed - free, -grip), grip)
        place += h * speed
        steps.append(place)
    exact, _ = belt.solve(h * np.arange(1, len(steps) + 1), x, v)
    assert exact == pytest.approx(np.array(steps), abs=5e-5)


def test_stick_slip_with_two_coefficients_is_periodic():
    """With F_s > F_k the block sticks, slips once and sticks again: the cycle of the closed form."""
    belt = dry_friction.Belt(static=6.0)
    omega = np.sqrt(belt.stiffness / belt.mass)
    lead = (belt.static - belt.kinetic) / belt.stiffness
    slip = 2.0 * (np.pi - np.arctan(omega * lead / belt.speed)) / omega
    period = slip + 2.0 * lead / belt.speed
    time = np.linspace(0.0, 4.0 * period, 4001)
    x, v = belt.solve(time, 0.0, belt.speed)
    settled = time > 1.5 * period
    later = np.interp(time[settled][:1000] + period, time, x)
    assert later == pytest.approx(x[settled][:1000], abs=1e-5)
    assert v.max() <= belt.speed * (1.0 + 1e-12)
    assert np.diff(x) == pytest.approx(0.5 * (v[1:] + v[:-1]) * np.diff(time), abs=1e-5)


# --- rod --------------------------------------------------------------------------------------------------------------


def test_rod_without_friction_leaves_the_wall_at_two_thirds_of_its_height():
    rod = sliding_rod.SlidingRod(friction=0.0)
    motion, left = rod.solve(np.linspace(0.0, 2.0, 5001))
    angle, rate = motion[~np.isnan(motion[:, 0])].T
    assert np.cos(angle[-1]) == pytest.approx(2.0 / 3.0 * np.cos(rod.start), abs=2e-3)
    exact, _ = rod.solve(np.array([0.0, left]))
    assert np.cos(exact[-1, 0]) == pytest.approx(2.0 / 3.0 * np.cos(rod.start), abs=1e-10)
    assert rate**2 == pytest.approx(3.0 * G / rod.length * (np.cos(rod.start) - np.cos(angle)), abs=1e-8)


@pytest.mark.parametrize("friction", [0.1, 0.2, 0.3])
def test_rod_loses_what_friction_takes(friction):
    rod = sliding_rod.SlidingRod(friction=friction)
    _, left = rod.solve(np.array([0.0, 3.0]))
    time = np.linspace(0.0, left, 4001)
    motion, _ = rod.solve(time)
    energy = rod.energy(motion[:, 0], motion[:, 1])
    power = np.array([rod.loss(*y) for y in motion])
    lost = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(time))])
    assert np.isfinite(left)
    assert energy + lost == pytest.approx(np.full(len(time), energy[0]), abs=1e-6)
    assert np.all([rod.forces(*y)[2] > 0.0 for y in motion])


# --- slider-crank with clearance --------------------------------------------------------------------------------------

SICONOS = {
    2.0e-3: (0.04393614652195465 * 2.0 * np.pi, -0.1351018528775760, 120.8242092110994, -56.68029347554309),
    4.0e-3: (0.07764572442825846 * 2.0 * np.pi, -0.2339611122220714, 93.91204405191783, -42.90587745641455),
}
"""θ₁, θ₂ and rates before and after the first impact: `SliderCrankMoreauJeanDirectProjectionOSI.ref` of
github.com/siconos/siconos, steps of 1e-4 s."""


def test_crank_against_siconos():
    """Its steps are of first order: ours of that size are as far from the exact motion at 2 ms, 0.3 % of the rates."""
    crank = clearance_crank.ClearanceCrank()
    motion, found = crank.by_events(np.array(list(SICONOS)), most=1)
    wanted = np.array(list(SICONOS.values()))
    assert 2.6e-3 < found[0] < 2.8e-3  # 2.71 ms by its gap and gap rate at 2.7 ms
    assert motion[:, :2] == pytest.approx(wanted[:, :2], rel=3e-3)
    assert motion[:, 3:5] == pytest.approx(wanted[:, 2:], rel=1.2e-2)
    stepped = crank.by_steps(2e-3, 1e-4)[2][-1]
    assert 0.5 < np.abs(stepped[:2] - motion[0, 3:5]).max() / np.abs(wanted[0, 2:] - motion[0, 3:5]).max() < 2.0


def test_crank_by_steps_converges_to_the_events():
    """Through three impacts in 8 ms: first order, 3.2e-4 rad at 1e-5 s and 6.4e-5 rad at 2e-6 s."""
    crank = clearance_crank.ClearanceCrank()
    end = 8e-3
    exact, found = crank.by_events(np.array([0.0, end]), most=10)
    errors = [np.abs(crank.by_steps(end, h)[1][-1] - exact[-1, :3]).max() for h in (1e-5, 2e-6)]
    assert len(found) == 3
    assert errors[1] < 1e-4
    assert errors[1] < 0.25 * errors[0]


@pytest.mark.parametrize(("restitution", "friction"), [(1.0, 0.0), (0.4, 0.0), (0.4, 0.01), (0.0, 0.1)])
def test_crank_never_gains_energy(restitution, friction):
    crank = clearance_crank.ClearanceCrank(restitution=restitution, friction=friction)
    _, angles, rates = crank.by_steps(0.03, 2e-6 if restitution == 1.0 else 1e-5)
    energy = np.array([crank.energy(q, v) for q, v in zip(angles, rates, strict=True)])
    assert np.diff(energy).max() < 2e-4 * energy[0]
    assert energy[-1] < energy[0] * (1.0 + 1e-3)
    if restitution == 1.0:
        assert energy[-1] == pytest.approx(energy[0], rel=1e-3)  # 2e-3 at 1e-5 s: first order
