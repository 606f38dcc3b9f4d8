# SPDX-License-Identifier: BSD-3-Clause
"""Bounded rows: every solver against all modes by NumPy, closed forms, and problems without a solution."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bounded_problems import Problem, enumerate_modes, family, random_problem, violation
from kernel_call import callable_kernel
from knuckleboom.solvers import active_set, lemke, projected
from knuckleboom.solvers.bounded_rows import BOUNDED, CONE, CONE_SIDE, HELD, PYRAMID

SOLVERS = {
    "active-set": callable_kernel(active_set.solve),
    "lemke": callable_kernel(lemke.solve),
    "projected": callable_kernel(projected.solve),
}
every = pytest.mark.parametrize("solver", SOLVERS)


def solve(problem, solver="active-set", modes=None):
    """Impulses, rates and the row that would not settle."""
    bounded = family(problem)
    modes = np.zeros(len(problem.b), np.int64) if modes is None else modes
    row = SOLVERS[solver](len(problem.b), bounded, modes)
    return bounded.P, bounded.w, row


@every
@pytest.mark.parametrize("kinds", ["b", "t", "hbt", "p", "hbtp"])
def test_solution_is_one_of_all_modes(solver, kinds):
    """40 random problems of each size: 1e-7; without friction there is one solution, with friction at least one."""
    for n in (1, 2, 3, 5, 7):
        for seed in range(40):
            problem = random_problem(np.random.default_rng([n, seed]), n, kinds)
            impulse, w, row = solve(problem, solver)
            assert row == -1, (n, seed, row)
            assert w == pytest.approx(problem.A @ impulse + problem.b, abs=1e-9)
            nearest = min(np.abs(impulse - other).max() for other in enumerate_modes(problem))
            assert nearest <= 1e-7 * (1.0 + np.abs(impulse).max()), (n, seed)


@every
@pytest.mark.parametrize(("n", "kinds"), [(12, "b"), (9, "hbt"), (8, "bp")])
def test_larger_problems_too(solver, n, kinds):
    """4096, up to 19683 and up to 2916 modes."""
    for seed in range(5):
        problem = random_problem(np.random.default_rng([n, seed, 3]), n, kinds)
        impulse, _, row = solve(problem, solver)
        assert row == -1
        nearest = min(np.abs(impulse - other).max() for other in enumerate_modes(problem))
        assert nearest <= 1e-7 * (1.0 + np.abs(impulse).max()), seed


@every
def test_cones_fulfil_their_conditions(solver):
    for n in (3, 4, 7, 12, 30):
        for seed in range(60):
            problem = random_problem(np.random.default_rng([n, seed, 1]), n, "hbtc")
            impulse, _, row = solve(problem, solver)
            assert row == -1, (n, seed, row)
            assert violation(problem, impulse) <= 1e-7 * (1.0 + np.abs(impulse).max()), (n, seed)


def sliding_block(direction, kind, speed=2.0, mu=0.4, mass=3.0, h=0.01, g=9.81):
    """A block on a level plane: normal row, two rows of friction."""
    v = speed * np.array([math.cos(direction), math.sin(direction)])
    pair = [PYRAMID, PYRAMID] if kind == PYRAMID else [CONE, CONE_SIDE]
    return Problem(np.eye(3) / mass, [-g * h, *v], [BOUNDED, *pair], leader=[-1, 0, 0], friction=[0.0, mu, mu])


@every
@pytest.mark.parametrize("degrees", range(0, 360, 15))
def test_a_sliding_block_is_braked_against_its_motion_by_a_cone(solver, degrees):
    """Impulse μ m g h against the motion, in every direction; a pyramid has μ m g h along each axis: √2 at 45°."""
    mu, mass, h, g = 0.4, 3.0, 0.01, 9.81
    direction = math.radians(degrees)
    along = np.array([math.cos(direction), math.sin(direction)])

    impulse, w, row = solve(sliding_block(direction, CONE), solver)
    assert row == -1
    assert impulse == pytest.approx([mass * g * h, *(-mu * mass * g * h * along)], abs=1e-12)
    assert w == pytest.approx([0.0, *((2.0 - mu * g * h) * along)], abs=1e-12)

    impulse, _, row = solve(sliding_block(direction, PYRAMID), solver)
    bound = mu * mass * g * h
    wanted = np.clip(-2.0 * mass * along, -bound, bound)
    assert row == -1
    assert impulse == pytest.approx([mass * g * h, *wanted], abs=1e-12)


def patch(seed, speed):
    """A block on three corners with one patch of friction, cone and spin, that all of them press: a random one."""
    random = np.random.default_rng(seed)
    corners = random.uniform(-0.5, 0.5, (3, 2))
    height, mass, inertia, mu, h = random.uniform(0.05, 0.3), 20.0, random.uniform(0.5, 2.0, 3), 0.5, 0.01
    W = [[x * y for x, y in zip((1, 1, 1), (0, 0, 1), strict=True)] + [y, -x, 0.0] for x, y in corners]
    x, y = corners.mean(axis=0)
    W += [[1.0, 0.0, 0.0, 0.0, -height, -y], [0.0, 1.0, 0.0, height, 0.0, x], [0.0, 0.0, 0.0, 0.0, 0.0, 0.2]]
    W = np.array(W)
    v = np.array([*speed * random.normal(size=2), -9.81 * h, *speed * random.normal(size=3)])
    A = W @ np.diag([1.0 / mass] * 3 + list(1.0 / inertia)) @ W.T + np.diag([1e-4] * 3 + [0.0] * 3)
    kinds = [BOUNDED] * 3 + [CONE, CONE_SIDE, PYRAMID]
    return Problem(A, W @ v, kinds, leader=[-1] * 3 + [0] * 3, friction=[0.0] * 3 + [mu] * 3, more=[0] * 3 + [2] * 3)


@every
@pytest.mark.parametrize("speed", [1e-4, 0.01, 0.3])
def test_all_points_of_a_patch_bound_its_friction_together(solver, speed):
    for seed in range(20):
        problem = patch(seed, speed)
        impulse, _, row = solve(problem, solver)
        assert row == -1, seed
        assert violation(problem, impulse) < 1e-7 * max(1.0, np.abs(impulse).max()), seed


@every
@pytest.mark.parametrize("kind", [PYRAMID, CONE])
def test_a_slow_block_stops(solver, kind):
    impulse, w, row = solve(sliding_block(0.3, kind, speed=0.01), solver)
    assert row == -1
    assert w == pytest.approx(np.zeros(3), abs=1e-13)
    assert math.hypot(impulse[1], impulse[2]) == pytest.approx(3.0 * 0.01)


def test_warm_modes_are_kept_and_save_rounds():
    """The solution's own modes come out as they went in, after one round; of a cone, whose direction is kept to a
    millionth of a turn, after a few.
    """
    for seed in range(30):
        problem = random_problem(np.random.default_rng([seed, 2]), 12, "hbtp")
        modes, bounded = np.zeros(12, np.int64), family(problem)
        assert SOLVERS["active-set"](12, bounded, modes) == -1
        kept, again = modes.copy(), family(problem)
        assert SOLVERS["active-set"](12, again, modes) == -1
        assert again.count[0] == 1
        assert np.array_equal(modes, kept)
        assert np.abs(again.P - bounded.P).max() <= 1e-12


@every
def test_redundant_rows_that_agree_are_solved(solver):
    """Four legs of a table on one plane and two equal held rows: the sum is that of the statics, the shares are not."""
    legs = np.array([[1.0, x, y] for x in (-1, 1) for y in (-1, 1)])
    A = legs @ legs.T
    impulse, w, row = solve(Problem(A, -legs @ [1.0, 0.0, 0.0], [BOUNDED] * 4), solver)
    assert row == -1
    forces = legs.T @ impulse
    assert forces == pytest.approx([1.0, 0.0, 0.0], abs=1e-7)
    assert w == pytest.approx(np.zeros(4), abs=1e-8)

    impulse, _, row = solve(Problem(np.ones((2, 2)), [-1.0, -1.0], [HELD, HELD]), solver)
    assert row == -1
    assert impulse.sum() == pytest.approx(1.0, abs=1e-7)


@every
def test_of_equal_contacts_with_different_gaps_one_carries(solver):
    impulse, w, row = solve(Problem(np.ones((2, 2)), [-1.0, -2.0], [BOUNDED, BOUNDED]), solver)
    assert row == -1
    assert impulse == pytest.approx([0.0, 2.0], abs=1e-7)
    assert w == pytest.approx([1.0, 0.0], abs=1e-7)


@every
@pytest.mark.parametrize(
    "problem",
    [
        Problem(np.ones((2, 2)), [-1.0, 1.0], [HELD, HELD]),
        Problem(np.zeros((1, 1)), [-1.0], [HELD]),
        Problem(np.zeros((1, 1)), [-1.0], [BOUNDED]),
        Problem(np.array([[1.0, -1.0], [-1.0, 1.0]]), [-1.0, -1.0], [BOUNDED, BOUNDED]),
        Problem(np.full((1, 1), np.nan), [-1.0], [BOUNDED]),
        Problem(np.eye(1), [np.inf], [BOUNDED]),
    ],
    ids=["contradiction", "immobile held", "immobile contact", "vice", "nan", "infinite"],
)
def test_what_has_no_solution_names_a_row(solver, problem):
    _, _, row = solve(problem, solver)
    assert 0 <= row < len(problem.b)


LETTERS = {"b": (0.5, 0.0), "t": (0.5, 1e-6), "hbt": (0.5, 0.0), "p": (0.5, 1e-6), "hbtp": (0.5, 0.0), "c": (1.0, 1e-3)}


@pytest.mark.slow
@pytest.mark.parametrize("kinds", LETTERS)
def test_a_hundred_thousand_random_problems_are_settled(kinds):
    """Six kinds of problems with 1 to 12 rows, 16700 each; but for cones also with fewer velocities than rows."""
    fewest, compliance = LETTERS[kinds]
    for seed in range(16700):
        random = np.random.default_rng([seed, 4])
        problem = random_problem(random, int(random.integers(1, 13)), kinds, compliance, fewest)
        impulse, _, row = solve(problem)
        assert row == -1, seed
        assert violation(problem, impulse) <= 1e-6 * (1.0 + np.abs(impulse).max()), seed


@pytest.mark.slow
def test_cones_stressed_against_each_other_are_settled_but_for_a_few():
    """Cones on half as many velocities as rows with compliances of 1e-6 are where Newton's steps may cycle: all but
    one in a thousand settle, the others name a row.
    """
    missed = 0
    for seed in range(4000):
        problem = random_problem(np.random.default_rng([seed, 5]), 9, "c", 1e-6, 0.5)
        impulse, _, row = solve(problem)
        if row < 0:
            assert violation(problem, impulse) <= 1e-6 * (1.0 + np.abs(impulse).max()), seed
        missed += row >= 0
    assert missed <= 4
