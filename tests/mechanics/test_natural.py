# SPDX-License-Identifier: BSD-3-Clause
"""Natural coordinates: loop rows are quadratic at any point and vectors, and M is that of a body's points of mass."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.engine.run import system_once
from knuckleboom.layout import OK
from knuckleboom.mechanics.parts import Body

T = 1e-3
seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def planned():
    """Every kind of joint as a constraint, a rod and a driven distance."""
    m = kb.Machine("joints")
    kinds = ("revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "fixed")
    before, bodies = m.ground, []
    for number, kind in enumerate(kinds):
        body = m.body(f"b{number}", mass=1.0 + number, com=(0.1, -0.05 * number, 0.2), inertia=(0.3, 0.2, 0.4))
        words = {"axis": ("x", "y", "z")[number % 3]} if kind not in ("spherical", "fixed") else {}
        words |= {"second_axis": "y"} if kind == "universal" else {}
        getattr(m, kind)(kind, before.at(0.3, 0.1, 0.2 * number), body.at(-0.1, 0.0, 0.3), **words)
        before = body
        bodies.append(body)
    m.rod("rod", m.ground.at(1, 2, 0), bodies[3].at(0.1, 0.2, 0.0))
    m.driver("pull", a=m.ground.at(0, 3, 0), b=before.at(0, 0, 0.1), speed=0.1)
    return kb.build(m, coordinates="natural")


def evaluate(planned, q, v):
    """s, w and bias of the loop rows."""
    planned.set_state(q, v)
    assert system_once(planned.plan, planned.work) == OK
    count = planned.loop_equations
    return tuple(np.array(getattr(planned.work.rows, name))[:count] for name in ("s", "w", "bias"))


@settings(max_examples=20)
@given(seeds)
def test_rates_are_derivatives_even_where_no_body_is_rigid(planned, seed):
    """Cubic and higher terms are zero, so that central differences are exact."""
    random = np.random.default_rng(seed)
    q, v = random.normal(size=planned.topology.nq), random.normal(size=planned.topology.nv)
    planned.work.rows.target[:, 1:] = 0.0  # the driver stands still: its rows are compared at one time
    before, now, after = (evaluate(planned, q + t * v, v) for t in (-T, 0.0, T))

    assert len(planned.plan.rows.driven) == 1
    assert now[1] == pytest.approx((after[0] - before[0]) / (2 * T), rel=1e-7, abs=1e-7)
    assert now[2] == pytest.approx((after[0] - 2 * now[0] + before[0]) / T**2, rel=1e-6, abs=1e-6)


def test_the_mass_matrix_is_that_of_points(planned):
    """∫ [1 x]ᵀ[1 x] dm, a body as eight points with the same mass, centre and inertia; for all three components."""
    M = planned.mass_matrix()
    for body in planned.machine.of(Body):
        xx, yy, zz = body.inertia[:3]
        spread = np.sqrt(np.array([yy + zz - xx, xx + zz - yy, xx + yy - zz]) / (2.0 * body.mass))
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        points = np.c_[np.ones(8), np.asarray(body.com) + corners * spread]
        block = body.mass / 8.0 * points.T @ points
        first = planned.topology.links[planned.topology.bodies[body.name].link].v - 3
        assert M[first : first + 12, first : first + 12] == pytest.approx(np.kron(block, np.eye(3)), abs=1e-12)
