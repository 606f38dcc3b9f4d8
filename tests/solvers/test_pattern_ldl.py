# SPDX-License-Identifier: BSD-3-Clause
"""L D Lᵀ on sparse patterns against numpy's dense solution: bodies with joints and rods, and random definite ones.

The order waits for a joint's outer body only, so these tests are also the trial of the proof that pivots keep their
signs (docs/decisions/sparse_order.md). Rank: another program.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from free_bodies import FreeBodies, chain, packed, trees_with_rods, velocities_of
from kernel_call import callable_kernel
from knuckleboom.plan.pattern import order_pattern
from knuckleboom.solvers import pattern_ldl, tree_ldl

factor, solve = callable_kernel(pattern_ldl.factor), callable_kernel(tree_ldl.solve)
EPS = np.finfo(float).eps
CONDITION = 1e7
seeds = st.integers(0, 2**32 - 1)


def factored(order, K, floor=None):
    L = packed(order, K)[0]
    floor = np.zeros(len(K)) if floor is None else floor
    return factor(order.start, order.depth, order.target, order.sign, floor, L), L


def solved(order, L, b):
    x = b.copy()
    solve(order.start, order.depth, order.ancestor.astype(np.uintp), L, x)
    return x


def factors(order, packed_L):
    """Unit lower L and D as full matrices: K = Lᵀ D L, from the last slot to the first."""
    size = len(order.sign)
    slots = np.repeat(np.arange(size), order.depth + 1)
    L = np.zeros((size, size))
    L[slots, order.ancestor] = packed_L
    D = L.diagonal().copy()
    np.fill_diagonal(L, 1.0)
    return L, D


def assert_solved(order, K, b):
    """The signs of the pivots, and the solution to the bound of any L D Lᵀ: |K x − b| ≤ c n ε |Lᵀ||D||L||x|."""
    assume(np.linalg.cond(K) < CONDITION)
    status, packed_L = factored(order, K)
    assert status == -1
    L, D = factors(order, packed_L)
    assert np.array_equal(np.sign(D), order.sign)
    size = np.abs(L.T) @ np.diag(np.abs(D)) @ np.abs(L)
    assert (np.abs(L.T @ np.diag(D) @ L - K) <= 4 * len(b) * EPS * size).all()
    x = solved(order, packed_L, b)
    assert (np.abs(K @ x - b) <= 4 * len(b) * EPS * size @ np.abs(x)).all()
    # the same bound carried to the solution, and as much for the error of numpy's
    exact = np.linalg.solve(K, b)
    bound = 8 * len(b) * EPS * np.abs(np.linalg.inv(K)) @ size @ np.abs(exact)
    assert (np.abs(x - exact) <= bound).all()


@pytest.mark.slow
@given(trees_with_rods(), seeds, st.booleans())
def test_bodies_with_joints_and_rods_are_solved_as_by_numpy(tree, seed, careful):
    case = FreeBodies(*tree, seed, careful)
    assert_solved(case.order, case.matrix(), case.b)


@given(trees_with_rods(), seeds)
def test_compliant_joints_are_solved_as_by_numpy(tree, seed):
    case = FreeBodies(*tree, seed)
    assert_solved(case.order, case.matrix(compliance=1e-3), case.b)


@given(st.integers(1, 14), st.integers(0, 8), seeds)
def test_a_definite_system_is_solved_in_any_order(nv, nrow, seed):
    """With a compliance in every row the matrix is quasi-definite, and no row need wait for a velocity."""
    random = np.random.default_rng(seed)
    coupled = [[velocity] for velocity in range(nv)] + [
        random.choice(nv, random.integers(1, min(nv, 4) + 1), replace=False).tolist() for _ in range(4)
    ]
    rows = [random.choice(nv, random.integers(1, min(nv, 4) + 1), replace=False).tolist() for _ in range(nrow)]
    order = order_pattern(coupled, rows, [[] for _ in rows])
    K = np.zeros((nv + nrow, nv + nrow))
    for velocities in coupled:
        root = random.normal(size=(len(velocities), len(velocities)))
        slots = order.velocity_slot[velocities]
        K[np.ix_(slots, slots)] += root @ root.T + 0.1 * np.eye(len(slots))
    for row, velocities in zip(order.loop_slot, rows, strict=True):
        K[row, order.velocity_slot[velocities]] = random.normal(size=len(velocities))
        K[:, row] = K[row]
        K[row, row] = -random.uniform(0.1, 1.0)

    assert_solved(order, K, random.normal(size=nv + nrow))


@pytest.mark.parametrize("careful", [False, True])
def test_a_long_chain_is_solved_as_by_numpy(careful):
    case = chain(40, careful)
    K = case.matrix()
    status, L = factored(case.order, K)
    x = solved(case.order, L, case.b)

    assert status == -1
    assert np.abs(K @ x - case.b).max() <= 1e-10 * np.abs(x).max()
    assert x == pytest.approx(np.linalg.solve(K, case.b), rel=1e-6, abs=1e-8 * np.abs(x).max())


@given(seeds)
def test_a_redundant_row_is_lifted_and_moves_nothing(seed):
    """The same rod twice: velocities are those with one rod, but for the lift times the multiplier."""
    case = FreeBodies([-1, 0, 0], [(1, 2), (1, 2)], seed)
    case.phi[-1], case.b[-1] = case.phi[-2], case.b[-2]
    K, b = case.matrix(), np.zeros(len(case.b))
    b[case.order.velocity_slot], b[case.order.loop_slot] = np.split(case.b, [18])
    once = np.delete(np.arange(len(b)), case.order.loop_slot[-1])
    assume(np.linalg.cond(K[np.ix_(once, once)]) < 1e4)
    floor = np.zeros(len(b))
    floor[case.order.loop_slot] = 1e-12
    status, L = factored(case.order, K, floor)
    diagonal = L[case.order.start + case.order.depth]
    exact = np.linalg.solve(K[np.ix_(once, once)], b[once])
    moved = np.isin(once, case.order.velocity_slot)

    assert status == -1
    assert np.sum(diagonal == -1e-12) == 1, "one pivot is lifted to the floor"
    assert solved(case.order, L, b)[once[moved]] == pytest.approx(exact[moved], abs=1e-7 * np.abs(exact).max())


def test_a_planar_four_bar_of_revolute_joints_is_solved():
    """Three of the five rows that close it are redundant: their pivots are lifted, the rest moves as it should."""
    case = FreeBodies([-1], [], seed=3)
    corners = np.array([[0.0, 0, 0], [0, 1, 0], [2, 2, 0], [2, 0, 0]])
    phi, coupled, rows, closing = [], [velocities_of(body) for body in range(3)], [], []
    centres = (corners[:-1] + corners[1:]) / 2
    for joint, corner in enumerate(corners):
        for line in range(5):
            row = np.zeros(18)
            for body, side in ((joint - 1, -1.0), (joint, 1.0)):
                if 0 <= body < 3 and line < 3:
                    row[6 * body + line] = side
                    row[6 * body + 3 : 6 * body + 6] = side * np.cross(corner - centres[body], np.eye(3)[line])
                elif 0 <= body < 3:
                    row[6 * body + line] = side
            phi.append(row)
            rows.append([v for body in (joint - 1, joint) if 0 <= body < 3 for v in velocities_of(body)])
            closing.append(velocities_of(joint) if joint < 3 else list(range(18)))
    phi = np.array(phi)
    order = order_pattern(coupled, rows, closing)
    M = np.kron(np.diag([1.0, 2.0, 3.0]), case.M)
    K = np.zeros((38, 38))
    K[np.ix_(order.velocity_slot, order.velocity_slot)] = M
    K[np.ix_(order.loop_slot, order.velocity_slot)] = phi
    K[np.ix_(order.velocity_slot, order.loop_slot)] = phi.T
    push = np.random.default_rng(1).normal(size=18)
    b, floor = np.zeros(38), np.zeros(38)
    b[order.velocity_slot], floor[order.loop_slot] = push, 1e-12
    status, L = factored(order, K, floor)
    x = solved(order, L, b)
    free = np.linalg.svd(phi)[2][np.linalg.matrix_rank(phi) :].T
    exact = free @ np.linalg.solve(free.T @ M @ free, free.T @ push)

    assert status == -1 and free.shape == (18, 1)
    assert np.sum(L[order.start + order.depth] == -1e-12) == 3
    assert x[order.velocity_slot] == pytest.approx(exact, abs=1e-9)


def test_a_velocity_without_mass_is_named():
    case = FreeBodies([-1, 0], [], seed=1)
    slot, K = int(case.order.velocity_slot[9]), case.matrix()
    K[slot], K[:, slot] = 0.0, 0.0

    assert factored(case.order, K)[0] == slot


def test_what_is_not_a_number_is_no_pivot():
    case = FreeBodies([-1, 0], [], seed=1)
    K = case.matrix()
    K[0, 0] = np.nan

    assert factored(case.order, K)[0] == 0
