# SPDX-License-Identifier: BSD-3-Clause
"""Row space against dense algebra, and the reduced model of a step against the step, on random machines with loops.

Plungers stand between a source of constant pressure and two places of the mechanism, so that their forces do not
change: then w(α = 1) = w⁰ + H (a + Y λ) is the rate that the full step of the mechanics gives, A v⁺ + H Ȧv. One plunger
acts on a body that is held twice over, so that its row is blocked: Y is 0 there and has no inverse.

Tolerances: Y is a solve of a matrix whose condition is some 1e4, in another order than NumPy's: 1e-10 of the largest.
"""

from __future__ import annotations

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.describe import Net, Part, Place, Port, param

STEP = 2e-3  # s
TREE = ("revolute", "prismatic", "spherical", "universal")


class Plunger(Part):
    """A chamber between two places, right on a port."""

    a: Place = param("place at one end")
    b: Place = param("place at the other end")
    at: Port = param("where its oil is")

    def expand(self, net: Net) -> None:
        row = net.length(self.a, self.b)
        low, _ = net.ends(row, None, 2.0)
        net.chamber(row, self.at, area=1e-3, dead=1e-3, at=low)


@pytest.fixture(scope="module", autouse=True)
def plungers():
    """Let machines have them."""
    kb.register(Plunger)


def random_machine(seed, *, redundant=False):
    """A tree with one or two closed loops, a body that cannot move, and plungers anywhere, also on that body."""
    random = np.random.default_rng(seed)
    m = kb.Machine(f"random {seed}", gravity=random.normal(size=3) * 5.0)
    bodies, origins = [m.ground], [np.zeros(3)]

    def at(number, point):
        return bodies[number].at(point - origins[number])

    def body(name, point):
        inertia = random.uniform(0.5, 0.8, size=3)
        bodies.append(m.body(name, mass=random.uniform(1, 5), com=random.normal(size=3) * 0.3, inertia=inertia))
        origins.append(point)
        return bodies[-1].at(0, 0, 0)

    for number in range(int(random.integers(4, 7))):
        carrier, point, axis = int(random.integers(number + 1)), random.normal(size=3), random.normal(size=3)
        kind = str(random.choice(TREE))
        second = {"second_axis": np.cross(axis, random.normal(size=3))} if kind == "universal" else {}
        getattr(m, kind)(f"j{number}", at(carrier, point), body(f"b{number}", point), axis=axis, **second)
    last, held = len(bodies) - 1, len(bodies)
    place = random.normal(size=3)
    m.free("j_held", at(0, place), body("held", place))
    m.fixed("cut_held", at(0, place), bodies[held].at(0, 0, 0), cut=True)
    for number in range(1 + redundant):
        m.spherical(f"cut{number}", at(0, origins[last]), at(last, origins[last]), cut=True)

    oil = m.oil(kb.fluids.naya())
    pairs = [(0, held), *(tuple(int(k) for k in random.choice(last + 1, 2, replace=False)) for _ in range(3))]
    for number, (one, other) in enumerate(pairs):
        foot = random.normal(size=3)
        head = foot + np.array((3.0, 0.0, 0.0)) + random.normal(size=3)
        source = oil.pressure(f"source{number}", random.uniform(2e5, 4e6))
        m.plunger(f"plunger{number}", at(one, foot), at(other, head), source)
    return m


def dense_rows(planned):
    """A of the exchanged rows, as the step had it."""
    plan, entry = planned.plan, planned.work.tangent.row_entry
    A = np.zeros((len(plan.course.stiff), planned.topology.nv))
    for i, k in enumerate(plan.course.stiff):
        for e in range(plan.tangent.path_first[k], plan.tangent.path_first[k + 1]):
            A[i, plan.tangent.path_dof[e]] += entry[e]
    return A


def one_step(machine, **words):
    """One step after some that make it move: planned, and M, Φ_q, A, w and Ȧv at its start."""
    sim = kb.Simulation(machine, coupling="cosimulated", step=STEP, **words)
    sim.step(n=20)
    planned = sim.planned
    M, jacobian = planned.mass_matrix(), planned.jacobian()
    rows = planned.plan.course.row
    planned.accelerations()
    w, bias = (np.array(values[rows]) for values in (planned.work.rows.w, planned.work.rows.bias))
    # nothing that the sides are apart is to be taken back: rates are half a step older than values
    planned.work.state.exchange[: len(rows)] = planned.work.rows.s[rows] - 0.5 * STEP * w
    sim.step()
    return planned, M, jacobian, dense_rows(planned), w, bias


def effective(M, jacobian, A):
    """A K⁻¹ Aᵀ with rows of loops that may depend on each other left to a pseudo-inverse."""
    free = np.linalg.solve(M, A.T)
    held = np.linalg.solve(M, jacobian.T)
    return A @ (free - held @ np.linalg.pinv(jacobian @ held, rcond=1e-9) @ jacobian @ free)


def check(seed, redundant=False, coordinates="relative"):
    """Compare Y with dense algebra, and the reduced model with the step, for one machine; return the blocked row."""
    machine = random_machine(seed, redundant=redundant)
    planned, M, jacobian, A, w, bias = one_step(machine, integrator="semi-implicit-euler", coordinates=coordinates)
    course = planned.work.course
    Y = effective(M, jacobian, A)
    size = np.abs(Y).max()
    np.testing.assert_allclose(course.Y, Y, atol=1e-10 * size, rtol=0)

    predicted = w + STEP * (course.free + course.Y @ course.handed)
    full = A @ planned.work.state.v + STEP * bias
    scale = np.abs(predicted).max() + STEP * np.abs(course.Y @ course.handed).max()
    np.testing.assert_allclose(predicted, full, atol=1e-12 * scale, rtol=0)
    np.testing.assert_allclose(course.speed, full, atol=1e-12 * scale, rtol=0)
    return np.abs(course.Y[0]).max() / size


@pytest.mark.parametrize("seed", range(10))
def test_reduced_model_is_the_full_step_for_constant_forces(seed):
    assert check(seed) < 1e-12


@pytest.mark.slow
def test_two_hundred_random_machines():
    for seed in range(10, 210):
        assert check(seed) < 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_loops_that_are_closed_twice(seed):
    check(seed, redundant=True)


@pytest.mark.parametrize("coordinates", ["reference-point", "natural"])
def test_bodies_on_their_own(coordinates):
    check(3, coordinates=coordinates)
