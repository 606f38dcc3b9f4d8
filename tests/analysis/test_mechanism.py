# SPDX-License-Identifier: BSD-3-Clause
"""Independent coordinates and the rows' Jacobian on random machines: T spans what the loops allow, A is ∂s/∂q."""

import numpy as np
import pytest
from hypothesis import given, settings

from knuckleboom.analysis.mechanism import Mechanism
from knuckleboom.catalogue import NAMES
from knuckleboom.engine import run
from knuckleboom.plan import assembly
from programs.random_machines import random_ram, seeds


def test_basis_of_the_harvester():
    mechanism = Mechanism(NAMES["harvester-30"]().machine)
    basis = mechanism.basis()
    assert basis.T.shape == (mechanism.nv, mechanism.planned.dof)
    assert np.abs(mechanism.jacobian() @ basis.T).max() < 1e-12
    assert basis.T[basis.independent] == pytest.approx(np.eye(mechanism.planned.dof))
    # coordinates that were given a start stay independent
    assert np.abs(basis.T).max() < 50.0


@settings(max_examples=10)
@given(seeds)
def test_place_closes_the_loops(seed):
    random = np.random.default_rng(seed)
    mechanism = Mechanism(random_ram(random, 2).machine)
    basis, q = mechanism.basis(), mechanism.work.state.q.copy()
    closed = mechanism.place(basis, q, 1e-3 * random.normal(size=basis.T.shape[1]))
    assert closed
    assert np.abs(assembly.residual(mechanism.plan, mechanism.work)).max() < 1e-11


def test_row_jacobian_is_the_slope_of_the_rows():
    mechanism = Mechanism(NAMES["naya-rod"]().machine)
    q, step = mechanism.work.state.q.copy(), 1e-6
    assembly.close_once(mechanism.plan, mechanism.work)
    A = mechanism.row_jacobian()
    for v in range(mechanism.nv):
        values = []
        for sign in (1.0, -1.0):
            run.advance_once(
                mechanism.plan.links.index, q, sign * step * np.eye(mechanism.nv)[v], mechanism.work.state.q
            )
            assembly.close_once(mechanism.plan, mechanism.work)
            values.append(mechanism.work.rows.s.copy())
        assert A[:, v] == pytest.approx((values[0] - values[1]) / (2.0 * step), abs=1e-8)
