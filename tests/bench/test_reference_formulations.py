# SPDX-License-Identifier: BSD-3-Clause
"""The papers' formulations in plain NumPy: against closed forms, against each other, and their rows by differences.

Evidence: closed form (pendulum, four-bar and slider-crank by energy, plates and posts, Euler's equations), then two
formulations written apart, which share the machine's description and the table of rows, not how anything moves.
Limits: accelerations 1e-9, reactions 1e-8, relative to the largest.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from knuckleboom.bench.references import four_bar, natural, natural_rod, naya_rod, reference_point, slider_crank
from knuckleboom.bench.references.one_dof import STEP
from knuckleboom.bench.references.small_machine import (
    GRAVITY,
    GROUND,
    ROWS,
    Body,
    Joint,
    Machine,
    State,
    at_rest,
    inside,
    joint_at,
)

X, Y, Z = np.eye(3)
FORMULATIONS = (reference_point.lagrange, natural.lagrange)
names = pytest.mark.parametrize("solve", FORMULATIONS, ids=["reference-point", "natural"])


# --- machines ---------------------------------------------------------------------------------------------------------


def turned(rng):
    theta = rng.normal(size=4)
    return reference_point.rotation(theta / np.linalg.norm(theta))


def random_body(rng):
    A = rng.normal(size=(3, 3))
    return Body(1.0 + rng.random(), 0.3 * np.eye(3) + 0.1 * A @ A.T, 0.2 * rng.normal(size=3))


def random_state(rng, n):
    vectors = rng.normal(size=(3, n, 3))
    return State(vectors[0], np.array([turned(rng) for _ in range(n)]), vectors[1], vectors[2])


def random_machine(seed):
    """Seven bodies in a row by all kinds of joint, from the ground and, by a spherical joint, back to it."""
    rng = np.random.default_rng(seed)
    kinds = [*rng.permutation(list(ROWS)), "spherical"]
    n = len(ROWS)
    state = random_state(rng, n)
    ends = [(k - 1, k) for k in range(n)] + [(n - 1, GROUND)]
    joints = [joint_at(kind, a, b, state, *rng.normal(size=(3, 3))) for kind, (a, b) in zip(kinds, ends, strict=True)]
    machine = Machine([random_body(rng) for _ in range(n)], joints)
    return machine, reference_point.consistent(machine, state), 5.0 * rng.normal(size=(n, 6))


def pendulum(seed):
    """A lopsided body on a hinge askew, and where the hinge is: (machine, state, place, axis, speed)."""
    rng = np.random.default_rng(seed)
    body, place, axis, speed = random_body(rng), rng.normal(size=3), rng.normal(size=3), 3.0
    axis /= np.linalg.norm(axis)
    still = at_rest(rng.normal(size=(1, 3)), [turned(rng)])
    machine = Machine([body], [joint_at("revolute", GROUND, 0, still, place, axis, rng.normal(size=3))])
    omega = speed * axis
    return machine, still._replace(velocity=np.cross(omega, still.place - place), omega=omega[None]), place, axis


def bar(mass, length, thickness=0.02):
    """Slender along x, its origin in the middle; a little inertia about x so that M can be inverted."""
    return Body(mass, np.diag([mass * thickness**2, mass * length**2 / 12.0, mass * length**2 / 12.0]))


def four_bar_pose(theta):
    """Corners O, P, Q, D in the x-z plane."""
    far = four_bar.far_pin(complex(theta))
    ends = ((0.0, 0.0), (four_bar.A * np.cos(theta), four_bar.A * np.sin(theta)), far, (four_bar.D, 0.0))
    return [np.array([complex(x).real, 0.0, complex(y).real]) for x, y in ends]


def four_bar_machine(theta, speed, kinds=("revolute", "universal", "spherical", "revolute")):
    """Crank O-P, coupler P-Q, rocker D-Q; the given kinds make it not redundant, four hinges make it so three times."""
    begin, P, Q, D = four_bar_pose(theta)
    lengths = (four_bar.A, four_bar.B, four_bar.C)
    bars = [bar(*one) for one in zip((four_bar.MASS_A, four_bar.MASS_B, four_bar.MASS_C), lengths, strict=True)]
    sides = [P - begin, Q - P, Q - D]
    axes = [np.column_stack([u, Y, np.cross(u, Y)]) for u in (s / np.linalg.norm(s) for s in sides)]
    state = at_rest([0.5 * (begin + P), 0.5 * (P + Q), 0.5 * (D + Q)], axes)
    ends = ((GROUND, 0, begin), (0, 1, P), (1, 2, Q), (2, GROUND, D))
    joints = [
        joint_at(kind, a, b, state, place, Y, axes[1][:, 2]) for kind, (a, b, place) in zip(kinds, ends, strict=True)
    ]
    machine = Machine(bars, joints)
    return machine, moving(machine, state, lambda omega: -omega[0, 1], speed)


def slider_crank_machine(theta, speed):
    y, z = slider_crank.crank_end(theta)
    C, P, S = np.array([0.0, *slider_crank.CENTRE]), np.array([0.0, y, z]), slider_crank.travel(theta) * X
    u = (S - P) / slider_crank.ROD
    n = np.cross(X, u) / np.linalg.norm(np.cross(X, u))
    bodies = [
        Body(slider_crank.CRANK_MASS, np.diag([slider_crank.CRANK_INERTIA, 2e-4, 3e-4])),
        Body(slider_crank.ROD_MASS, np.diag(slider_crank.ROD_INERTIA)),
        Body(slider_crank.SLIDER_MASS, 1e-3 * np.eye(3)),
    ]
    rod = np.column_stack([u, n, np.cross(u, n)])
    state = at_rest([0.5 * (C + P), 0.5 * (P + S), S], [np.eye(3), rod, np.eye(3)])
    joints = [
        joint_at("revolute", GROUND, 0, state, C, X, Y),
        joint_at("spherical", 0, 1, state, P, X, Y),
        joint_at("universal", 2, 1, state, S, X, n),
        joint_at("prismatic", GROUND, 2, state, S, X, Y),
    ]
    machine = Machine(bodies, joints)
    return machine, moving(machine, state, lambda omega: omega[0, 0], speed)


def moving(machine, state, measured, speed):
    """The one motion that the joints leave free, at the speed that `measured` finds in the angular velocities."""
    _, values, directions = np.linalg.svd(reference_point.constraints(machine, state).slope)
    assert np.sum(values > 1e-9) == 6 * len(machine.bodies) - 1
    v = directions[-1].reshape(-1, 6)
    omega = np.einsum("bij,bj->bi", state.axes, v[:, 3:])
    scale = speed / measured(omega)
    return state._replace(velocity=scale * v[:, :3], omega=scale * omega)


def by_energy(energies, angle, speed):
    """s̈ = −(½ J′ ṡ² + V′)/J by a complex step."""
    inertia, potential = energies(complex(angle, STEP))
    return -(0.5 * inertia.imag / STEP * speed**2 + potential.imag / STEP) / inertia.real


def close(found, expected, limit):
    """Within the limit, relative to the largest expected."""
    return np.abs(found - expected).max() <= limit * max(1.0, np.abs(expected).max())


# --- rows by differences ----------------------------------------------------------------------------------------------


def moved(state, time):
    """The pose after a while at constant velocity and angular velocity, exact."""
    axes = []
    for R, omega in zip(state.axes, state.omega, strict=True):
        size = np.linalg.norm(omega)
        half = 0.5 * size * time
        axes.append(reference_point.rotation(np.concatenate([[np.cos(half)], np.sin(half) * omega / size])) @ R)
    return state._replace(place=state.place + time * state.velocity, axes=np.array(axes))


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("ends", [(0, 1), (GROUND, 0), (1, GROUND)])
def test_rows_and_their_rates_by_differences(kind, ends):
    rng = np.random.default_rng(7)
    state, apart = random_state(rng, 2), random_state(rng, 2)
    frames = joint_at(kind, *ends, state, *rng.normal(size=(3, 3)))
    joint = Joint(kind, *ends, inside(ends[0], apart, frames.F), inside(ends[1], apart, frames.M))  # not assembled
    h = 1e-5

    rows = reference_point.joint_rows(state, joint)
    after, before = (reference_point.joint_rows(moved(state, time), joint) for time in (h, -h))

    v = reference_point.stacked(state)
    assert close((after.value - before.value) / (2.0 * h), rows.slope @ v, 1e-8)
    assert close(rows.rate, rows.slope @ v, 1e-14)
    # the angular velocity in the world's axes stays, so ω̄ does too: it is the axis of the turn
    assert close((after.slope - before.slope) / (2.0 * h), rows.slope_rate, 1e-8)

    # natural coordinates: the same rows, quadratic in q
    q, rate = natural.coordinates(state)
    same = natural.Quadratic(*(np.concatenate(part) for part in zip(*natural.joint_rows(2, joint), strict=True)))
    assert close(same.value(q), rows.value, 1e-13)
    assert close(same.slope(q) @ rate, rows.rate, 1e-13)
    assert close((same.value(q + rate) - same.value(q - rate)) / 2.0, same.slope(q) @ rate, 1e-13)
    assert close((same.slope(q + rate) - same.slope(q - rate)) @ rate / 2.0, same.bias(rate), 1e-13)


def test_euler_parameters():
    rng = np.random.default_rng(3)
    theta, rate = rng.normal(size=(2, 4))
    theta /= np.linalg.norm(theta)
    rate -= theta * (theta @ rate)
    h = 1e-6

    A = reference_point.rotation(theta)
    A_rate = (reference_point.rotation(theta + h * rate) - reference_point.rotation(theta - h * rate)) / (2.0 * h)
    spin = A.T @ A_rate
    omega = reference_point.local_g(theta) @ rate

    assert close(A.T @ A, np.eye(3), 1e-15) and np.linalg.det(A) > 0.0
    assert close(np.array([spin[2, 1], spin[0, 2], spin[1, 0]]), omega, 1e-9)  # half of it without eq. 2.8's factor 2
    assert close(0.25 * reference_point.local_g(theta).T @ omega, rate, 1e-15)
    found = reference_point.euler_parameters(A)
    assert close(found * np.sign(found @ theta), theta, 1e-14)


# --- accelerations and reactions against closed forms -----------------------------------------------------------------


@names
@pytest.mark.parametrize("seed", range(3))
def test_pendulum(solve, seed):
    machine, state, place, axis = pendulum(seed)
    body, R, omega = machine.bodies[0], state.axes[0], state.omega[0]
    arm = state.place[0] + R @ body.centre - place
    J_C = R @ body.inertia @ R.T
    about_axis = axis @ J_C @ axis + body.mass * np.sum(np.cross(axis, arm) ** 2)
    angular = axis * (axis @ np.cross(arm, body.mass * GRAVITY)) / about_axis
    centre = np.cross(angular, arm) + np.cross(omega, np.cross(omega, arm))
    force = body.mass * (centre - GRAVITY)
    moment = J_C @ angular + np.cross(omega, J_C @ omega) + np.cross(arm, force)

    found = solve(machine, state)

    assert close(found.angular[0], angular, 1e-12)
    assert close(found.reactions[0], np.concatenate([moment, force]), 1e-12)


@names
@pytest.mark.parametrize("theta", [0.3, 1.9, 4.0])
def test_four_bar(solve, theta):
    speed = 20.0
    machine, state = four_bar_machine(theta, speed)
    far = four_bar.far_pin(complex(theta, STEP))
    Q_rate = speed * np.array([far[0].imag, 0.0, far[1].imag]) / STEP

    found = solve(machine, state)

    # loop closure: the far pin's velocity from the coupler and from the rocker
    for body, along in ((1, 0.5 * four_bar.B), (2, 0.5 * four_bar.C)):
        arm = along * state.axes[body][:, 0]
        assert close(state.velocity[body] + np.cross(state.omega[body], arm), Q_rate, 1e-12)
    assert close(-found.angular[0, 1], by_energy(four_bar.energies, theta, speed), 1e-10)

    # the crank carries its pins' forces
    crank = machine.bodies[0].mass * (found.acceleration[0] - GRAVITY)
    assert close(found.reactions[0, 3:] - found.reactions[1, 3:], crank, 1e-10)


@pytest.mark.parametrize("theta", [0.3, 4.0])
def test_redundant_four_bar_has_unique_accelerations(theta):
    machine, state = four_bar_machine(theta, 20.0, ("revolute",) * 4)
    exact = by_energy(four_bar.energies, theta, 20.0)

    for solve in (*FORMULATIONS, reference_point.augmented):
        assert close(-solve(machine, state).angular[0, 1], exact, 1e-9)


@names
@pytest.mark.parametrize("theta", [0.0, 1.0, 2.5, 5.0])
def test_slider_crank(solve, theta):
    machine, state = slider_crank_machine(theta, 6.0)

    found = solve(machine, state)

    assert close(found.angular[0, 0], by_energy(slider_crank.energies, theta, 6.0), 1e-10)


@names
def test_plates_and_posts(solve):
    """Down an inclined post (cylindrical, prismatic), on an inclined plate (planar), held fast (fixed)."""
    body = Body(3.0, np.diag([0.2, 0.3, 0.4]))
    axis = np.array([0.6, 0.0, 0.8])
    still = at_rest([[1.0, 2.0, 3.0]])
    along = axis * (axis @ GRAVITY)
    place = still.place[0] + 0.5 * X

    for kind, acceleration in (
        ("cylindrical", along), ("prismatic", along), ("planar", GRAVITY - along), ("fixed", np.zeros(3))
    ):  # fmt: skip
        joint = joint_at(kind, GROUND, 0, still, place, axis, Y)
        found = solve(Machine([body], [joint]), still)
        force = body.mass * (acceleration - GRAVITY)
        moment = np.cross(still.place[0] - place, force)

        assert close(found.acceleration[0], acceleration, 1e-13)
        assert close(found.angular[0], np.zeros(3), 1e-13)
        assert close(found.reactions[0], np.concatenate([moment, force]), 1e-12)

        # the ground gets the opposite at the same place
        turned_round = joint_at(kind, 0, GROUND, still, place, axis, Y)
        assert close(solve(Machine([body], [turned_round]), still).reactions[0], -found.reactions[0], 1e-12)


# --- formulations against each other ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_all_joints_in_all_formulations(seed):
    machine, state, wrenches = random_machine(seed)

    expected = reference_point.lagrange(machine, state, wrenches)
    for solve in (natural.lagrange, reference_point.lagrange_in_euler_parameters, reference_point.augmented):
        found = solve(machine, state, wrenches)
        assert close(found.acceleration, expected.acceleration, 1e-9)
        assert close(found.angular, expected.angular, 1e-9)
        assert close(found.multipliers, expected.multipliers, 1e-8)
        assert close(found.reactions, expected.reactions, 1e-8)


def test_penalty_error_falls_with_alpha():
    machine, state, wrenches = random_machine(5)
    exact = reference_point.lagrange(machine, state, wrenches)

    errors = [
        np.abs(reference_point.penalty(machine, state, wrenches, alpha=alpha).acceleration - exact.acceleration).max()
        for alpha in (1e5, 1e6, 1e7)
    ]

    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.01)
    assert errors[1] / errors[2] == pytest.approx(10.0, rel=0.01)
    assert errors[2] < 1e-3


@pytest.mark.parametrize("solve", [reference_point.lagrange, reference_point.augmented])
def test_stabilisation_pulls_back(solve):
    machine, state, _ = random_machine(6)
    rng = np.random.default_rng(6)
    off = state._replace(place=state.place + 0.01 * rng.normal(size=state.place.shape), velocity=state.velocity + 0.1)
    held = reference_point.Stabilisation(0.7, 30.0)

    found = solve(machine, off, None, held)

    rows = reference_point.constraints(machine, off)
    rate = np.hstack([found.acceleration, reference_point.local(off, found.angular)]).ravel()
    second = rows.slope @ rate + rows.slope_rate @ reference_point.stacked(off)
    assert np.abs(rows.value).max() > 1e-3 and np.abs(rows.rate).max() > 1e-2
    assert close(second, -2.0 * 0.7 * 30.0 * rows.rate - 30.0**2 * rows.value, 1e-9)


def test_iteration_that_does_not_converge_says_so():
    machine, state, _ = random_machine(0)
    with pytest.raises(ArithmeticError, match="has not met 1e-12 in 2 iterations"):
        reference_point.augmented(machine, state, alpha=1.0, most=2)


# --- motion -----------------------------------------------------------------------------------------------------------


def energy(machine, state):
    total = 0.0
    for body, place, R, velocity, omega in zip(machine.bodies, *state, strict=True):
        arm = R @ body.centre
        centre, local = velocity + np.cross(omega, arm), R.T @ omega
        total += 0.5 * body.mass * centre @ centre + 0.5 * local @ body.inertia @ local
        total -= body.mass * machine.gravity @ (place + arm)
    return total


def natural_end(machine, start, duration, step):
    """Bodies after a run of index 3, and its last point; α Δt² stays, four passes project velocities to rounding."""
    method = natural.Index3(step, alpha=4e3 / step**2, change=1e-13, passes=4)
    end = natural.motion(machine, start, duration, method)[-1]
    return natural.state_of(end.q, end.v), end


def test_spherical_pendulum_keeps_energy_and_momentum():
    """A symmetric body on a ball: E and the angular momentum about the vertical stay."""
    body = Body(2.0, np.diag([0.1, 0.1, 0.02]), np.array([0.0, 0.0, -0.7]))
    still = at_rest([[0.0, 0.0, 0.0]], [reference_point.rotation(np.array([np.cos(0.4), np.sin(0.4), 0.0, 0.0]))])
    machine = Machine([body], [joint_at("spherical", GROUND, 0, still, np.zeros(3), Z, X)])
    start = still._replace(omega=np.array([[1.0, 0.5, 2.0]]))

    def kept(state):
        R = state.axes[0]
        return np.array([energy(machine, state), Z @ R @ body.inertia_at_origin @ R.T @ state.omega[0]])

    by_scipy = reference_point.motion(machine, start, np.array([0.5, 1.0]))
    coarse, fine = (natural_end(machine, start, 1.0, step)[0] for step in (0.01, 0.005))

    for state in by_scipy:
        assert close(kept(state), kept(start), 1e-9)
    assert np.abs(kept(fine) - kept(start)).max() < 1e-3 * kept(start).max()
    ratio = np.abs(coarse.axes - by_scipy[-1].axes).max() / np.abs(fine.axes - by_scipy[-1].axes).max()
    assert ratio == pytest.approx(4.0, rel=0.1)


def test_free_gyroscope_follows_eulers_equations():
    J = np.array([0.1, 0.2, 0.25])
    machine = Machine([Body(1.0, np.diag(J))], gravity=np.zeros(3))
    start = at_rest([[0.0, 0.0, 0.0]])._replace(omega=np.array([[0.3, 4.0, 0.2]]))
    times = np.linspace(0.0, 2.0, 5)

    def rates(_, w):
        return np.cross(J * w, w) / J

    euler = solve_ivp(rates, (0.0, 2.0), start.omega[0], method="DOP853", t_eval=times, rtol=1e-12, atol=1e-13)

    states = reference_point.motion(machine, start, times)
    fine, coarse = (natural_end(machine, start, 2.0, step)[0] for step in (0.005, 0.01))

    for state, local in zip(states, euler.y.T, strict=True):
        assert close(state.axes[0].T @ state.omega[0], local, 1e-9)
        assert close(state.axes[0] @ (J * local), J * start.omega[0], 1e-9)  # momentum in the world
    errors = [np.abs(state.axes[0].T @ state.omega[0] - euler.y[:, -1]).max() for state in (coarse, fine)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_natural_four_bar_moves_alike_with_order_two():
    machine, start = four_bar_machine(0.3, 20.0)
    duration = 0.1
    exact = reference_point.motion(machine, start, np.array([duration]))[-1]
    answer = reference_point.lagrange(machine, exact)
    crank = four_bar.crank(np.array([0.0, duration]))[-1]

    assert close(exact.axes[0][:, 0], np.array([np.cos(crank), 0.0, np.sin(crank)]), 1e-9)

    errors = []
    for step in (0.001, 0.0005):
        state, end = natural_end(machine, start, duration, step)
        slope = natural.constraints(machine).slope(end.q)
        here = reference_point.lagrange(machine, state)
        held, newtons = (
            natural.reactions(machine, state, slope, part[: len(answer.multipliers)])
            for part in (end.holding, end.multipliers)
        )
        errors.append([
            np.abs(part).max() for part in (state.place - exact.place, held - answer.reactions, newtons - held)
        ])  # fmt: skip
        assert np.abs(natural.constraints(machine).value(end.q)).max() < 1e-13
        assert np.abs(slope @ end.v).max() < 1e-12
        # what holds the projected accelerations is what index 1 has in the same state; λ has α times the rounding of Φ
        assert close(end.a.reshape(-1, 4, 3)[:, 0], here.acceleration, 1e-9)
        assert close(held, here.reactions, 1e-7)

    orders = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert orders == pytest.approx([2.0, 2.0, 1.0], abs=0.1)  # λ* alone has order 1


# --- the rod ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def converged():
    return naya_rod.solve("Radau", True, 0.001)


def test_rod_tangents_by_differences():
    """Eqs 34, 36 and 37; ∂h/∂p of the paper leaves out dβ/dp, which is (dβ/dp/β) h."""
    rod = natural_rod.Rod(naya_rod.equilibrium()[2] - 0.01)
    at = natural_rod.start(natural_rod.PUBLISHED, rod)
    q, v, p = at.q, np.array([0.1, 0.2, 0.2, 0.4, 0.05]), at.p * 1.1
    oil, loads = rod.oil(0.0, q, v, p), rod.loads(0.0, q, v, p)

    def slope(f, x, h):
        return np.column_stack([(f(x + h * e) - f(x - h * e)) / (2.0 * h) for e in np.eye(len(x))])

    bulk_slope = slope(lambda p: np.array([naya_rod.bulk_modulus(one) for one in p]), p, 1.0).diagonal()
    bulk = np.array([naya_rod.bulk_modulus(one) for one in p])
    assert close(slope(lambda q: rod.oil(0.0, q, v, p).h, q, 1e-6), oil.h_q, 1e-8)
    assert close(slope(lambda v: rod.oil(0.0, q, v, p).h, v, 1e-6), oil.h_v, 1e-8)
    assert close(slope(lambda p: rod.oil(0.0, q, v, p).h, p, 10.0), oil.h_p + np.diag(bulk_slope / bulk * oil.h), 1e-8)
    assert close(slope(lambda v: rod.loads(0.0, q, v, p).Q, v, 1e-3), -loads.C, 1e-8)
    assert close(slope(lambda p: rod.loads(0.0, q, v, p).Q, p, 1e3), loads.Q_p, 1e-8)


def test_rod_moves_as_in_one_angle():
    """Index 1 in five coordinates against the equation of the angle, at some speed."""
    rod = natural_rod.Rod(0.45)
    theta, omega, p = 0.7, 0.4, np.array([3.0e6, 4.5e6])
    end, across = np.array([np.cos(theta), np.sin(theta)]), np.array([-np.sin(theta), np.cos(theta)])
    s = naya_rod.length(theta)
    s_rate = 0.25 * np.sqrt(3.0) * np.sin(theta) / s * omega
    q, v = np.concatenate([0.5 * end, end, [s]]), np.concatenate([0.5 * omega * across, omega * across, [s_rate]])

    at = natural_rod.PUBLISHED.start(rod, q, v, p)

    expected = naya_rod.rates(np.array([theta, omega, *p]), 0.45, True, 0.0)
    assert close(rod.rows.value(q), np.zeros(4), 1e-15)
    assert close(at.a[2:4], expected[1] * across - omega**2 * end, 1e-10)
    assert close(at.p_rate, np.array(expected[2:]), 1e-12)


@pytest.mark.slow
def test_rod_as_published(converged):
    """10 ms, α = 1e10, tolerance 1e-7: within 0.15 mm, one iteration but for the steps after jumps."""
    run = natural_rod.run(natural_rod.PUBLISHED)

    apart = np.abs(run.s - converged["s"][::10])
    assert 0.1e-3 < apart.max() < 0.15e-3
    assert run.norms[:, 0].max() < 1e-7
    assert run.iterations.max() <= 3 and np.sum(run.iterations > 1) <= 5
    assert apart[run.time <= 2.0].max() < 1e-9

    # carried rates let the motion come half a step late
    late = 0.005 * converged["sdot"][::10]
    settled = ((run.time > 2.2) & (run.time <= 6.0)) | (run.time > 6.2)
    assert (converged["s"][::10] - run.s)[settled] == pytest.approx(late[settled], rel=0.02)

    # so at half the step it is half as far off
    finer = natural_rod.run(replace(natural_rod.PUBLISHED, step=0.005))
    assert np.abs(finer.s - converged["s"][::5]).max() == pytest.approx(0.5 * apart.max(), rel=0.02)
    assert finer.norms[:, 0].max() < 1e-7


def test_rod_has_order_two_away_from_jumps(converged):
    """A second with the spool held beside its neutral place, from consistent rates: what 2 s to 3 s is in the paper.

    Errors are taken 0.1 s after the start, when the oil, which rings at 36 Hz, has settled.
    """
    begin, _, change = naya_rod.JUMPS[1]
    rod = natural_rod.Rod(naya_rod.equilibrium()[2] + change)
    errors = []
    for step in (0.004, 0.002, 0.001):
        method = natural.Index3(step)
        run = natural_rod.histories(method.run(rod, natural_rod.start(method, rod), round(1.0 / step)))
        exact = converged["s"][round(begin / 0.001) :: round(step / 0.001)][: len(run.s)]
        errors.append(np.abs(run.s - exact)[run.time > 0.1].max())
        assert run.norms[:, 0].max() < 1e-7

    assert errors[-1] < 1e-6
    assert np.log2(np.array(errors[:-1]) / np.array(errors[1:])) == pytest.approx([2.0, 2.0], abs=0.1)


def test_newton_that_does_not_converge_says_when():
    machine, start = four_bar_machine(0.3, 20.0)
    with pytest.raises(ArithmeticError, match=r"in 1 iterations at t = 0\.5 s"):
        natural.motion(machine, start, 0.5, natural.Index3(0.5, most=1))
