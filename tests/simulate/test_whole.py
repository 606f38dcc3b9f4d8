# SPDX-License-Identifier: BSD-3-Clause
"""WholeRun: one compiled call gives the bits of kb.simulate, with jumps between steps, drivers and every coupling."""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.simulation.whole import WholeRun
from simulate.test_session import CASES, four_bar


def same_bits(run, other):
    assert run.time.tolist() == other.time.tolist() and list(run) == list(other)
    for path in run:
        assert np.array_equal(run[path].values, other[path].values, equal_nan=True), path


@pytest.mark.parametrize("name", CASES)
def test_bits_of_simulate(name):
    make, inputs, step, duration = CASES[name]
    words = {"step": step, "record": "1.5 ms", "inputs": inputs}
    same_bits(WholeRun(make(), duration, **words).recorded(), kb.simulate(make(), duration, **words))


@pytest.mark.parametrize("coupling", ["explicit", "unified", "cointegrated", "realtime", "cosimulated"])
def test_every_coupling(coupling):
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"step": "0.2 ms", "record": "2 ms", "coupling": coupling}
    words["inputs"] = {"valve": {0.0: 0.46, 0.0031: 0.45, 0.01: 0.47}}
    same_bits(WholeRun(case.machine, 0.02, **words).recorded(), kb.simulate(case.machine, 0.02, **words))


@pytest.mark.parametrize("coupling", ["explicit", "unified", "realtime", "cosimulated"])
def test_a_function_is_asked_at_the_same_times(coupling):
    """9 ms is not nine times 1 ms to the bit: the end of the last step is k·h for both."""
    case, asked = kb.catalogue.NAMES["naya-rod"](), []

    def lever(time):
        asked.append(time)
        return 0.46 + 0.1 * time

    words = {"step": "0.2 ms", "record": "1 ms", "coupling": coupling, "inputs": {"valve": lever}}
    whole = WholeRun(case.machine, 0.009, **words).recorded()
    times, asked[:] = list(asked), []
    same_bits(whole, kb.simulate(case.machine, 0.009, **words))
    assert times == asked


def test_unrecorded_is_the_same_motion():
    run = WholeRun(four_bar(), 0.1, step="1 ms")
    recorded = run.recorded()
    run.reset()
    run.unrecorded()
    state, (column,) = run.planned.work.state, run.planned.joint_columns("a")[0]
    assert run.steps == 100 and state.time[0] == 0.1
    assert state.q[column] == recorded["a.angle"].values[-1]


def test_a_failure_is_told():
    case = kb.catalogue.NAMES["naya-rod"]()
    run = WholeRun(case.machine, 10.0, step="2 ms", inputs=case.inputs, coupling="explicit")
    with pytest.raises(kb.SimulationError, match="no longer finite") as failed:
        run.recorded()
    assert 0.0 < failed.value.results.time[-1] < 10.0
    run.reset()
    with pytest.raises(kb.SimulationError, match="no longer finite") as failed:
        run.unrecorded()
    assert len(failed.value.results.time) == 0


def test_other_steps_of_the_same_plan_are_a_run_of_their_own():
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"inputs": {"valve": {0.0: 0.46, 0.0031: 0.45}}, "coupling": "unified"}
    run = WholeRun(case.machine, 0.01, step="1 ms", record="2 ms", **words)
    run.recorded()
    run.lay_out("0.02 s", step="0.2 ms", record="1 ms")
    same_bits(run.recorded(), WholeRun(case.machine, 0.02, step="0.2 ms", record="1 ms", **words).recorded())


def test_the_first_steps_alone():
    run = WholeRun(four_bar(), 0.1, step="1 ms")
    run.unrecorded(30)
    assert run.planned.work.state.time[0] == pytest.approx(0.03)


def test_each_step_can_be_given_a_state():
    run, began, ended = WholeRun(four_bar(), 0.01, step="1 ms"), [], []
    run.each(lambda: 0, lambda k: began.append(run.planned.work.state.q.copy()))
    assert run.steps == len(began) == 10 and run.times.tolist() == [0.001 * k for k in range(10)]

    def backwards(k):
        ended.append(run.planned.work.state.q.copy())
        run.planned.work.state.q[:] = began[9 - k]

    run.each(lambda: 0, backwards)
    # what the last step left is where the second run began, and no step goes on where the one before ended
    assert not np.array_equal(ended[0], began[0]) and len(ended) == 10
    assert np.abs(ended[1] - ended[0]).max() < np.abs(ended[5] - ended[0]).max()
