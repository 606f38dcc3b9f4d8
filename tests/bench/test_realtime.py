# SPDX-License-Identifier: BSD-3-Clause
"""bench realtime reports what it says: on half a second of two small machines, without judging any cost.

The stages are not compiled for it: tests/bench/test_stages.py has them.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.bench import levers, machines, realtime, stages
from knuckleboom.bench.machines import Cycle, cycle_of
from knuckleboom.catalogue import NAMES
from knuckleboom.simulation.whole import WholeRun


@pytest.fixture(autouse=True)
def no_stages(monkeypatch):
    monkeypatch.setattr(realtime, "StageClock", lambda planned, step: lambda: dict.fromkeys(stages.STAGES, 1.0))


def short(name, seconds=0.5):
    whole = cycle_of(name)
    return Cycle(name, whole.machine, seconds, whole.inputs, whole.method)


def test_the_list_has_what_the_catalogue_has():
    assert "harvester-30" in machines.complete() and set(machines.complete()) <= set(NAMES)


def test_numbers_of_a_machine():
    row = realtime.measure(cycles=[short("crane-one-cylinder")], replays=2)["machines"][0]

    assert row["status"] == "done" and row["position_error_of"] == "lift"
    assert row["real_time_factor"] == pytest.approx(1e3 / row["step_us_mean"])
    assert 0.0 < row["step_us_p999"] <= row["step_us_worst"]
    assert (row["cylinder_error_mm"], row["cylinder_error_of"]) == (row["position_error_mm"], "lift")  # it has no motor
    assert sum(row["stages_us"].values()) == pytest.approx(row["step_us_mean"])
    # two steps and two couplings agree far better than the coarse step with the fine one
    reference = row["reference"]
    assert 0.0 < reference["step_difference_mm"] < 0.3 * row["position_error_mm"] < 0.01
    assert reference["coupling_difference_mm"] < 0.3 * row["position_error_mm"]
    assert 0.0 < row["energy_residual_percent"] < 0.1


def test_motors_count_among_positions_and_not_among_cylinders():
    row = realtime.measure(cycles=[short("concrete-sprayer", 0.3)], replays=1)["machines"][0]

    assert row["position_error_of"].endswith("_motor") and not row["cylinder_error_of"].endswith("_motor")
    assert 0.0 < row["cylinder_error_mm"] < row["position_error_mm"]


def test_another_step():
    data = realtime.measure(cycles=[short("crane-one-cylinder", 0.1)], replays=1, step=2e-3)
    row = data["machines"][0]

    assert data["step_ms"] == row["step_ms"] == 2.0
    assert row["real_time_factor"] == pytest.approx(2e3 / row["step_us_mean"])
    assert row["bound_us"] > 5.0 * row["step_us_mean"]
    assert 0.0 <= row["halved_percent"] <= 100.0 and 0.0 <= row["corrected_percent"] <= 100.0
    assert row["worst_at_s"] in [pytest.approx(0.002 * k) for k in range(50)]


@pytest.mark.slow
def test_corrected_and_halved_steps_are_those_of_one_run():
    """Not of all the replays before it."""
    machine = cycle_of("harvester-30").machine
    moves = {path: kb.steps(values) for path, values in levers.throws(machine, "harvester-30", 0.3, 11).items()}
    row = realtime.measure(cycles=[Cycle("slammed", machine, 0.3, moves)], replays=1, step=5e-3)["machines"][0]
    run = kb.simulate(machine, 0.3, step="5 ms", inputs=moves, coupling="realtime")

    assert row["status"] == "done"
    for what in ("corrected", "halved"):
        assert 0.0 < row[f"{what}_percent"] < 100.0
        assert row[f"{what}_percent"] == pytest.approx(100.0 * run.meta[f"{what}_steps"] / run.meta["steps"])


def test_a_failure_is_a_row_and_ctrl_c_keeps_what_was_done(monkeypatch):
    real, broken, good = realtime.prepared, short("naya-rod", 10.0), short("crane-one-cylinder", 0.1)

    def prepared(cycle, step, words):
        if cycle is good:
            raise KeyboardInterrupt
        return real(cycle, step, {"coupling": "explicit"})  # which its oil does not stand in steps of 2 ms

    monkeypatch.setattr(realtime, "prepared", prepared)
    data = realtime.measure(cycles=[broken, good], replays=1, step=2e-3)

    (row,) = data["machines"]
    assert row["status"] == "failed" and "no longer finite" in row["message"] and row["step_us_mean"] is None
    assert data["status"] == "interrupted" and data["not_run"] == ["crane-one-cylinder"]


def test_each_step_by_a_call_of_its_own_is_the_same_motion():
    cycle = short("crane-one-cylinder", 0.05)
    run = WholeRun(cycle.machine, cycle.duration, step="1 ms", inputs=cycle.inputs, **cycle.realtime)
    ticks = iter(range(1000))
    took = run.each(lambda: next(ticks))
    state = run.planned.work.state
    assert took.tolist() == [1] * 50 and state.time[0] == pytest.approx(0.05)
    stepped = state.q.copy()
    run.reset()
    assert run.empty_calls(lambda: next(ticks), 3).tolist() == [1, 1, 1] and state.time[0] == 0.0
    run.unrecorded()
    assert np.array_equal(state.q, stepped) and np.isfinite(stepped).all()
