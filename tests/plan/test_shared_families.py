# SPDX-License-Identifier: BSD-3-Clause
"""Inspection (mass matrix, bias) is compiled once for all couplings: their Plan and Work are of one type there.

Rank: the same quantity by another way, the couplings' own plans.
"""

import numba
import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.engine.run import system_once
from knuckleboom.layout import FAMILIES_OF, shared_by_couplings

COUPLINGS = tuple(FAMILIES_OF)


@pytest.fixture(scope="module")
def planned():
    machine = kb.catalogue.machine("naya-rod")
    couplings = [coupling for coupling in COUPLINGS if coupling != "kinematic"]  # its machine has no oil
    return {coupling: kb.build(machine, coupling=coupling) for coupling in couplings}


def test_plan_and_work_are_of_one_type(planned):
    for whole in ("plan", "work"):
        assert len({numba.typeof(shared_by_couplings(getattr(one, whole))) for one in planned.values()}) == 1
    assert len({numba.typeof(one.plan) for one in planned.values()}) > 1


def test_mass_matrix_is_compiled_once(planned):
    expected = planned["explicit"].mass_matrix()
    before = list(getattr(system_once, "signatures", ()))

    for one in planned.values():
        assert np.array_equal(one.mass_matrix(), expected)
        assert np.array_equal(one.bias(), planned["explicit"].bias())

    assert list(getattr(system_once, "signatures", ())) == before
