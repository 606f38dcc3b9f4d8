# SPDX-License-Identifier: BSD-3-Clause
"""bench levers: what is thrown, what is compared, and what becomes of a failure and of Ctrl-C."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench import levers
from knuckleboom.bench.machines import Cycle, cycle_of, held


def test_every_lever_jumps_as_told_and_a_seed_repeats_itself():
    machine = cycle_of("harvester-30").machine
    thrown = levers.throws(machine, "harvester-30", 60.0, 11)

    assert len(thrown) == 10 and all(path.endswith("_valve") for path in thrown)
    assert (
        thrown == levers.throws(machine, "harvester-30", 60.0, 11) != levers.throws(machine, "harvester-30", 60.0, 12)
    )
    for moves in thrown.values():
        times, values = np.array(list(moves)), list(moves.values())[1:]
        assert times[0] == 0.0 and np.diff(times).min() >= 0.149 and np.diff(times).max() <= 0.801
        assert np.allclose(1e3 * times, np.round(1e3 * times)) and {-1.0, 0.0, 1.0} <= set(values)
        assert min(values) == -1.0 and max(values) == 1.0
        anywhere = np.mean([value not in (-1.0, 0.0, 1.0) for value in values])
        assert 0.1 < anywhere < 0.4


@pytest.mark.slow
def test_a_smaller_step_is_nearer_and_the_converged_run_has_converged():
    crane = cycle_of("crane-one-cylinder")
    data = levers.measure(cycles=[crane], steps=(5e-4, 2e-3), seeds=(3, 4), seconds=1.0)

    assert data["status"] == "done" and data["not_run"] == []
    for seed in (3, 4):
        fine, coarse = (row for row in data["runs"] if row["seed"] == seed)
        (reference,) = (row for row in data["references"] if row["seed"] == seed)
        assert 0.0 < fine["mm"] < coarse["mm"] and 0.0 < fine["bar"] < coarse["bar"]
        assert reference["half_step_mm"] < 0.3 * fine["mm"] and reference["unified_mm"] < 0.3 * fine["mm"]
        assert coarse["mm_of"] == "lift" and coarse["bar_of"] in ("lift.a", "lift.b")
        assert 0.0 < coarse["mm_at_s"] <= 1.0
    assert [(row["step_ms"], row["seeds"], row["failed"]) for row in data["summary"]] == [(0.5, 2, 0), (2.0, 2, 0)]


def test_differences_are_what_they_say():
    crane = cycle_of("crane-one-cylinder")
    run = kb.simulate(crane.machine, "0.1 s", step="1 ms", record="10 ms", coupling="realtime")
    other = kb.simulate(crane.machine, "0.1 s", step="1 ms", record="10 ms", coupling="realtime")
    other["lift.length"].values[4] += 3e-3
    other["lift.b.pressure"].values[7] -= 60e5
    found = levers.largest_differences(crane.machine, run, other)

    assert found["mm"] == pytest.approx(3.0) and found["mm_at_s"] == pytest.approx(0.04)
    assert found["bar"] == pytest.approx(60.0) and found["bar_of"] == "lift.b"
    row = {"machine": "crane", "step_ms": 1.0, "seed": 1, "status": "done", "corrected_percent": 2.0}
    good = row | {"seed": 2, "mm": 0.1, "bar": 49.0, "halved_percent": 1.0}
    summed = levers.summarise([row | found | {"halved_percent": 0.0}, good], "crane", 1.0)
    assert (summed["seeds"], summed["within"], summed["worst_mm_seed"], summed["halved_percent"]) == (2, 1, 1, 0.5)


def test_corrected_and_halved_steps_are_those_of_the_run():
    machine = cycle_of("harvester-30").machine
    moves = {path: kb.steps(values) for path, values in levers.throws(machine, "harvester-30", 0.5, 11).items()}
    run = kb.simulate(machine, "0.5 s", step="5 ms", inputs=moves, coupling="realtime")
    found, percent = levers.correction_shares(run), 100.0 / run.meta["steps"]

    assert found["corrected_percent"] == pytest.approx(percent * run.meta["corrected_steps"]) and run.meta["steps"] > 99
    assert found["halved_percent"] == pytest.approx(percent * run.meta["halved_steps"])
    assert all(0.0 < share < 100.0 for share in found.values())
    unified = kb.simulate(held(machine), "5 ms", step="1 ms", coupling="unified")
    assert levers.correction_shares(unified) == {"corrected_percent": 0.0, "halved_percent": 0.0}


def test_a_failure_counts_and_ctrl_c_keeps_what_was_done(monkeypatch):
    crane, real = cycle_of("crane-one-cylinder"), levers.WholeRun
    broken = Cycle("broken", crane.machine, 1.0)

    def whole(machine, seconds, *, step, **options):
        if step == 2e-3:
            raise kb.SimulationError("pressure at 'lift.a' is no longer finite")
        return real(machine, seconds, step=step, **options)

    monkeypatch.setattr(levers, "WholeRun", whole)
    (row,) = levers.measure(cycles=[broken], steps=(2e-3,), seeds=(1,), seconds=0.1)["runs"]
    assert row["status"] == "failed" and "no longer finite" in row["message"] and row["mm"] is None

    monkeypatch.setattr(levers, "REFERENCE", 2e-3)
    data = levers.measure(cycles=[broken], steps=(1e-3,), seeds=(1,), seconds=0.1)
    assert data["references"][0]["status"] == "failed" and data["runs"][0]["status"] == "no reference"
    assert (data["summary"][0]["within"], data["summary"][0]["failed"], data["summary"][0]["worst_mm"]) == (0, 1, None)

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(levers, "WholeRun", interrupted)
    data = levers.measure(cycles=[crane], seeds=(1, 2), seconds=0.1)
    assert data["status"] == "interrupted" and data["runs"] == []
    assert data["not_run"] == [{"machine": "crane-one-cylinder", "seed": seed} for seed in (1, 2)]
