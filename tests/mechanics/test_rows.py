# SPDX-License-Identifier: BSD-3-Clause
"""Rows of every kind on random machines: w = ds/dt = A v, bias = Ȧ v, and forces by the transpose of A.

The motion is q ⊕ t v with constant v, so that dw/dt is the bias. The machines are closed at q = 0, where all bodies
have the axes of the world, and are then moved to any pose: a row means the same whether its loop is open or not.
Tolerance: central differences over t = ±1e-4 s err by t²/6 times a third derivative (v³ times a length, some tens) and
by rounding 1e-16/t: below 1e-6 of a rate of order one; sums of a few products are good to 1e-12.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.engine.run import advance_once, system_once
from knuckleboom.layout import OK
from knuckleboom.mechanics.joints import JOINTS
from knuckleboom.mechanics.rows.geometry import ROW_B, ROW_KIND
from knuckleboom.mechanics.rows.kinds import NUMBER

T = 1e-4  # s
CLOSING = [kind for kind in JOINTS if JOINTS[kind].cut]
WITH_VALUE = ("point_dot", "axis_dot", "distance", "gear", "length", "coordinate")
seeds = st.integers(0, 2**32 - 1)


def random_machine(seed):
    """A tree with a joint of each kind, closed by a cut joint of each kind, with every part that acts on a row."""
    random = np.random.default_rng(seed)
    m = kb.Machine("rows", gravity=random.normal(size=3))
    bodies, origins = [m.ground], [np.zeros(3)]

    def turned(number, point, rpy=(0.0, 0.0, 0.0)):
        """The place of a body at a point of the world."""
        return bodies[number].at(point - origins[number], rpy=rpy)

    def axes(kind):
        axis = random.normal(size=3)
        return {"axis": axis} | ({"second_axis": np.cross(axis, random.normal(size=3))} if kind == "universal" else {})

    # one body per kind of joint that moves; the first is free, and every other hangs on one before it
    kinds = ["free", *random.permutation([kind for kind in JOINTS if kind not in ("free", "fixed")])]
    for number, kind in enumerate(kinds):
        carrier, point, rpy = int(random.integers(number + 1)), random.normal(size=3), random.uniform(-1, 1, size=3)
        bodies.append(m.body(f"b{number}", mass=1.0, com=random.normal(size=3), inertia=(0.3, 0.4, 0.5)))
        origins.append(point + 0.3 * random.normal(size=3))
        getattr(m, kind)(f"j{number}", turned(carrier, point, rpy), turned(-1, point, rpy), **axes(kind))

    def ends():
        one, other = random.choice(len(bodies), 2, replace=False)
        return int(one), int(other)

    for kind in CLOSING:
        (one, other), point, rpy = ends(), random.normal(size=3), random.uniform(-1, 1, size=3)
        getattr(m, kind)(f"cut_{kind}", turned(one, point, rpy), turned(other, point, rpy), cut=True, **axes(kind))

    # parts on rows: the two points of a rod or spring are apart
    one, other = ends()
    m.rod("rod", turned(one, random.normal(size=3)), turned(other, random.normal(size=3) + (3.0, 0, 0)))
    one, other = ends()
    m.spring("spring", turned(one, random.normal(size=3)), turned(other, random.normal(size=3) - (3.0, 0, 0)), 1e2)
    turning = [f"j{kinds.index(kind)}" for kind in ("revolute", "cylindrical", "universal")]
    m.gear("gear", turning[0], turning[2], ratio=float(random.normal()), coordinate_b=1)
    m.effort("effort", turning[1], 1)
    m.effort("effort_ball", f"j{kinds.index('spherical')}", int(random.integers(3)))
    for frame in ("world", "body"):
        body = int(random.integers(1, len(bodies)))
        m.force(f"force_{frame}", turned(body, random.normal(size=3)), random.normal(size=3), frame=frame)
        m.torque(f"torque_{frame}", bodies[body], random.normal(size=3), frame=frame)
    return kb.build(m), random


def put_anywhere(planned, random):
    """A random pose and velocity; returns q and v."""
    u, v = random.uniform(-1.5, 1.5, size=planned.topology.nv), random.normal(size=planned.topology.nv)
    q = planned.work.state.q.copy()
    advance_once(planned.plan.links.index, planned.work.state.q.copy(), u, q)
    return q, v


def evaluate(planned, q, v):
    """s, w and bias of all rows."""
    planned.set_state(q, v)
    assert system_once(planned.plan, planned.work) == OK
    return tuple(np.array(getattr(planned.work.rows, name)) for name in ("s", "w", "bias"))


def at_time(planned, q, v, t):
    moved = q.copy()
    advance_once(planned.plan.links.index, q, t * v, moved)
    return evaluate(planned, moved, v)


def matrix(planned, q):
    """A, column by column: the rates when one velocity is 1 and the others 0."""
    return np.stack([evaluate(planned, q, unit)[1] for unit in np.eye(planned.topology.nv)], axis=1)


@pytest.mark.slow
@settings(max_examples=30)
@given(seeds)
def test_rate_is_the_derivative_of_the_value(seed):
    planned, random = random_machine(seed)
    q, v = put_anywhere(planned, random)
    before, after = at_time(planned, q, v, -T)[0], at_time(planned, q, v, T)[0]
    w = evaluate(planned, q, v)[1]
    names, q_index = np.array(list(NUMBER))[planned.plan.rows.index[:, ROW_KIND]], planned.plan.rows.index[:, ROW_B]
    valued = np.isin(names, WITH_VALUE) & ~((names == "coordinate") & (q_index < 0))

    # those of bodies on their own are in validation/analytic/test_coordinates.py
    of_bodies = {"held_angle", "row_sum", "rigid", "travel", "angle"}
    assert set(names) == set(NUMBER) - of_bodies, "every kind of row of joint coordinates is there"
    assert w[valued] == pytest.approx(((after - before) / (2 * T))[valued], rel=1e-6, abs=1e-6)


@pytest.mark.slow
@settings(max_examples=30)
@given(seeds)
def test_bias_is_the_derivative_of_the_rate_at_constant_velocity(seed):
    planned, random = random_machine(seed)
    q, v = put_anywhere(planned, random)
    before, after = at_time(planned, q, v, -T)[1], at_time(planned, q, v, T)[1]
    bias = evaluate(planned, q, v)[2]

    assert bias == pytest.approx((after - before) / (2 * T), rel=1e-6, abs=1e-5)


@settings(max_examples=20)
@given(seeds)
def test_rate_is_linear_in_the_velocities_by_the_matrix_that_closes_the_loops(seed):
    planned, random = random_machine(seed)
    q, v = put_anywhere(planned, random)
    A = matrix(planned, q)
    w = evaluate(planned, q, v)[1]

    assert w == pytest.approx(A @ v, rel=1e-12, abs=1e-12)
    assert planned.jacobian() == pytest.approx(A[: planned.loop_equations], rel=1e-12, abs=1e-12)


@settings(max_examples=20)
@given(seeds)
def test_forces_reach_the_mechanism_by_the_transposed_matrix(seed):
    planned, random = random_machine(seed)
    q, v = put_anywhere(planned, random)
    A, system = matrix(planned, q), planned.work.system

    def generalised(size):
        planned.work.state.u[:] = size * random.normal(size=len(planned.work.state.u))
        planned.plan.forces.number[:, [0, 2, 3]] *= size  # stiffness, damping and preload of the spring
        evaluate(planned, q, v)
        return np.array(system.effort - system.bias), np.array(planned.work.rows.force)

    loaded, force = generalised(1.0)
    free, _ = generalised(0.0)

    assert np.count_nonzero(force) == len(force) - planned.loop_equations, "every interface row pushes"
    assert loaded - free == pytest.approx(A.T @ force, rel=1e-10, abs=1e-10)
