# SPDX-License-Identifier: BSD-3-Clause
"""bench loop-time: published numbers, whether RK4 runs the cycle, ratios and what an interruption leaves."""

from dataclasses import replace

import numpy as np
import pytest

from knuckleboom.bench import loop_time
from knuckleboom.bench.loop_time import LAGRANGIAN, PUBLISHED, RECURSIVE
from knuckleboom.bench.machines import cycle_of
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


def test_whether_rk4_runs_the_cycle():
    # naya's rod in explicit steps: 2 ms fail within 10 s, 0.25 ms do not
    rod = replace(cycle_of("naya-rod"), duration=10.0)
    for step, runs in ((2e-3, False), (0.25e-3, True)):
        found = loop_time.checked(rod, loop_time.prepared(rod, step, rod.realtime), step)
        assert found["rk4_runs"] is runs and found["difference_mm"] < 1.0


def test_ratios_and_sentence():
    means = {(LAGRANGIAN, "dense"): 100.0, (LAGRANGIAN, "sparse"): 40.0, (RECURSIVE, "dense"): 20.0}
    row = {
        "machine": "x", "step_ms": 1.6, "rk4_runs": False,
        "methods": [
            {"method": name, "factorisation": word, "loop_us_mean": mean} for (name, word), mean in means.items()
        ],
    }  # fmt: skip
    found = loop_time.finished(PUBLISHED[1], row)
    assert found["semi_recursive_gain"] == {"dense": 5.0, "sparse": None}
    assert found["sparse_change_percent"] == {"lagrangian": pytest.approx(-60.0), "recursive": None}
    told = "RK4 does not run our x in steps of 1.6 ms: each of its steps begins at a state of realtime."
    assert found["sentence"] == told


def test_ctrl_c_keeps_what_was_measured(monkeypatch):
    count = []

    def each(run, clock, before=None):
        if len(count) == 4:
            raise KeyboardInterrupt
        for k in range(run.steps):
            if before is not None:
                before(k)
        count.append(run)
        return np.full(run.steps, 1e9)

    monkeypatch.setattr(WholeRun, "each", each)
    data = loop_time.measure(seconds=0.08, published=[PUBLISHED[1], PUBLISHED[0]])
    (row,) = data["machines"]
    assert data["status"] == row["status"] == "interrupted" and data["not_run"] == ["concrete-sprayer"]
    # the states, then realtime, semi-recursive twice; the fourth did not end
    assert [one["loop_us_mean"] for one in row["methods"]] == [pytest.approx(1e6, rel=0.01)] * 3 + [None]
    assert row["sparse_change_percent"] == {"lagrangian": None, "recursive": pytest.approx(0.0, abs=0.01)}
    assert row["states"] == 50 and row["difference_mm"] < 1.0


def test_a_method_that_fails_says_so():
    rod = cycle_of("naya-rod")
    run = WholeRun(rod.machine, 10.0, step=2e-3, inputs=rod.inputs, coupling="explicit")
    loops = loop_time.Loops("semi-recursive", run, None)
    loops.replay()
    loops.replay()
    assert loops.method["status"] == "failed" and "no longer finite" in loops.method["message"]
    assert loops.method["loop_us_mean"] is None and len(loops.over_time[1]) == len(loops.over_time[0]) == 0
