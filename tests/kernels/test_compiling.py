# SPDX-License-Identifier: BSD-3-Clause
"""Our rules hold while our entry points are compiled, and Numba's own before and after."""

import numba
import numpy as np
import pytest

from knuckleboom import compiling, kernels
from knuckleboom.family import Family
from knuckleboom.kernels import entry_point


def rules():
    return tuple(getattr(owner, name) for owner, name, _ in compiling.RULES)


THEIRS = rules()


@entry_point
def gather(plan, work):
    """Writes work: sums over a frozen list of places, which is read again after every store."""
    for i in range(plan.place.shape[0]):
        work.sum[plan.place[i]] += plan.weight[plan.place[i]] * (i + 1)


@entry_point
def write_the_plan(work, plan):
    """Writes plan, which is frozen."""
    plan.weight[0] = work.sum[0]


def families():
    plan = Family("plan", {"place": np.array([2, 0, 2, 1, 0]), "weight": np.array([1.5, -2.0, 0.25])}, frozen=True)
    return plan, Family("work", {"sum": np.zeros(3)})


def test_rules_are_ours_during_a_compilation_only(monkeypatch):
    seen = []
    monkeypatch.setattr(kernels, "on_compile", lambda name, seconds: seen.append((seconds is None, rules() == THEIRS)))
    compiled = numba.njit(**kernels.OPTIONS)(gather.py_func)
    kernels._watch.entry_points[compiled] = "gather"  # one that no cache has
    plan, work = families()
    compiled(plan, work)
    assert seen == [(True, False), (False, True)] and rules() == THEIRS
    np.testing.assert_array_equal(work.sum, [1.5 * 7, -2.0 * 4, 0.25 * 4])


def test_rules_are_numbas_again_after_a_failed_compilation():
    with pytest.raises(numba.TypingError, match="readonly"):
        plan, work = families()
        write_the_plan(work, plan)
    assert rules() == THEIRS
