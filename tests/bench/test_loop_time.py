# SPDX-License-Identifier: BSD-3-Clause
"""bench loop-time: published numbers, the search for a stable step, ratios and what an interruption leaves."""

from dataclasses import replace

import numpy as np
import pytest

from knuckleboom.bench import loop_time
from knuckleboom.bench.loop_time import LAGRANGIAN, PUBLISHED, RECURSIVE
from knuckleboom.bench.machines import cycle_of
from knuckleboom.errors import SimulationError
from knuckleboom.simulation.whole import WholeRun


def test_the_published_table_is_consistent():
    # n of Φ_q = equations × 6n, n of M = (6n)², n of R = 6n × joint coordinates, dof = coordinates − equations
    for one in PUBLISHED:
        for column in (one.lagrangian, one.recursive):
            row = dict(zip(loop_time.NUMBERS, column, strict=True))
            wide = row["generalised_coordinates"]
            assert wide == 6 * row["bodies"] and row["M_entries"] == wide**2
            assert row["phi_q_entries"] == row["constraint_equations"] * wide
            coordinates = row["joint_coordinates"] or wide
            assert row["dof"] == coordinates - row["constraint_equations"]
            assert row["M_nonzeros"] == 30 * row["bodies"]


@pytest.mark.parametrize("one", PUBLISHED, ids=lambda one: one.machine)
def test_our_machines_have_the_published_sizes(one):
    rows = {row["what"]: row for row in loop_time.compared_counts(one, cycle_of(one.machine))}
    for what in loop_time.NUMBERS:
        if what in ("phi_q_nonzeros", "R_nonzeros"):
            continue  # joints and topology are not published
        for side in ("lagrangian", "recursive"):
            assert rows[what][f"ours_{side}_as_published"] == rows[what][f"published_{side}"], what


def test_the_step_is_halved_until_it_is_stable():
    # naya's rod on explicit steps: 2 ms fail within 10 s
    rod = replace(cycle_of("naya-rod"), duration=10.0)
    step, apart = loop_time.stable_step(rod, 4e-3)
    assert step < 2e-3 and 0.0 < apart < loop_time.SAME
    with pytest.raises(SimulationError, match="not even in steps of"):
        loop_time.stable_step(rod, 1.0)


def test_ratios_and_sentence():
    means = {(LAGRANGIAN, "dense"): 100.0, (LAGRANGIAN, "sparse"): 40.0, (RECURSIVE, "dense"): 20.0}
    row = {
        "machine": "x", "published_step_ms": 1.6, "step_ms": 0.8,
        "methods": [
            {"method": name, "factorisation": word, "loop_us_mean": mean} for (name, word), mean in means.items()
        ],
    }  # fmt: skip
    found = loop_time.finished(PUBLISHED[1], row)
    assert found["semi_recursive_gain"] == {"dense": 5.0, "sparse": None}
    assert found["sparse_change_percent"] == {"lagrangian": pytest.approx(-60.0), "recursive": None}
    assert found["sentence"] == "RK4 is not stable on our x at the published 1.6 ms: it was run at 0.8 ms."


def test_ctrl_c_keeps_what_was_measured(monkeypatch):
    count = []

    def each(run, clock):
        if len(count) == 2:
            raise KeyboardInterrupt
        count.append(run)
        return np.full(run.steps, 1e9)

    monkeypatch.setattr(loop_time, "stable_step", lambda cycle, published: (published, 0.1))
    monkeypatch.setattr(WholeRun, "each", each)
    data = loop_time.measure(seconds=0.08, published=[PUBLISHED[1], PUBLISHED[0]])
    (row,) = data["machines"]
    assert data["status"] == row["status"] == "interrupted" and data["not_run"] == ["concrete-sprayer"]
    assert [one["loop_us_mean"] for one in row["methods"]] == [pytest.approx(1e6, rel=0.01)] * 2 + [None]
    assert row["sparse_change_percent"] == {"lagrangian": None, "recursive": pytest.approx(0.0, abs=0.01)}


def test_a_method_that_fails_says_so():
    rod = cycle_of("naya-rod")
    run = WholeRun(rod.machine, 10.0, step=2e-3, inputs=rod.inputs)
    loops = loop_time.Loops("semi-recursive", 2e-3, run)
    loops.replay()
    loops.replay()
    assert loops.method["status"] == "failed" and "no longer finite" in loops.method["message"]
    assert loops.method["loop_us_mean"] is None and len(loops.over_time[1]) == 0
