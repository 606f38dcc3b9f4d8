# SPDX-License-Identifier: BSD-3-Clause
"""Stop conditions: where they stop, what they say, how they are refused; texts and functions stop at the same line."""

import numpy as np
import pytest

import knuckleboom as kb
from simulate.test_session import cart

WORDS = {"step": "1 ms", "record": "10 ms", "inputs": {"push": 2.0}}
"""a = 1 m/s²: travel t²/2, speed t."""


@pytest.mark.parametrize(
    ("condition", "time", "says"),
    [
        ("rail.travel > 0.082 m", 0.41, "rail.travel > 0.082 m (it is 0.08405 m)"),
        ("rail.travel > 82mm", 0.41, "rail.travel > 82mm (it is 0.08405 m)"),
        ("rail.travel_rate >= 0.255", 0.26, "rail.travel_rate >= 0.255 (it is 0.26 m/s)"),
        ("cart.velocity.x>0.245", 0.25, "cart.velocity.x>0.245 (it is 0.25 m/s)"),
        ("push.input < 3 N", 0.0, "push.input < 3 N (it is 2 N)"),
        ("push.input <= 2", 0.0, "push.input <= 2 (it is 2 N)"),
    ],
)
def test_a_run_stops_at_the_first_line_that_fulfils_a_condition(condition, time, says):
    run = kb.simulate(cart(), 1.0, stop=condition, **WORDS)

    assert run.status == "stopped"
    assert run.message == f"Stopped at t = {time:g} s: {says}."
    assert run.time[-1] == pytest.approx(time)
    whole = kb.simulate(cart(), 1.0, **WORDS)
    assert np.array_equal(run.record, whole.record[: len(run.time)])


def test_a_condition_that_never_holds_stops_nothing():
    run = kb.simulate(cart(), 0.5, stop=["rail.travel < 0 m", "push.input > 2 N"], **WORDS)

    assert run.status == "done" and run.message == "" and run.time[-1] == 0.5


def test_a_function_stops_at_the_same_line_as_a_text():
    def far(outputs):
        return outputs["rail.travel"] > 0.082

    run = kb.simulate(cart(), 1.0, stop=["rail.travel > 1 m", far], **WORDS)
    by_text = kb.simulate(cart(), 1.0, stop="rail.travel > 0.082", **WORDS)

    assert run.status == "stopped" and run.message == "Stopped at t = 0.41 s: 'far' says so."
    assert np.array_equal(run.record, by_text.record)


def test_a_function_that_fails_is_named():
    def wrong(outputs):
        return outputs["nothing"] > 1.0

    with pytest.raises(kb.SimulationError, match="stop condition 'wrong' failed with UnknownName"):
        kb.simulate(cart(), 1.0, stop=wrong, **WORDS)


@pytest.mark.parametrize("how", ["text", "function"])
def test_a_stopped_simulation_goes_on_to_the_next_line(how):
    stop = "rail.travel > 0.082 m" if how == "text" else lambda outputs: outputs["rail.travel"] > 0.082
    sim = kb.Simulation(cart(), stop=stop, **WORDS)

    assert sim.run_for("1 s") == "stopped" and sim.time == pytest.approx(0.41)
    assert sim["rail.travel"] == pytest.approx(0.41**2 / 2)
    assert sim.run_for("1 s") == "stopped" and sim.time == pytest.approx(0.42)
    sim.step()
    assert sim.status == "done" and sim.time == pytest.approx(0.421)

    whole = kb.simulate(cart(), 1.0, **WORDS)
    assert np.array_equal(sim.results().record[:-1], whole.record[:43])


@pytest.mark.slow
@pytest.mark.parametrize("wrap", [kb.compiled, lambda function: function], ids=["inside", "outside"])
@pytest.mark.parametrize("how", ["text", "function"])
def test_a_controller_is_not_sampled_twice_where_it_stopped(how, wrap):
    def count(time, reads, writes, memory, parameters):
        memory[0] += 1.0
        writes[0] = 2.0 + 0.001 * memory[0]

    def simulation(stop):
        controller = kb.Controller(wrap(count), reads=[], writes="push", every="5 ms", memory=1)
        return kb.Simulation(cart(), step="1 ms", record="10 ms", controllers=[controller], stop=stop)

    whole = simulation(None)
    whole.run_until(0.5)
    sim = simulation("rail.travel > 0.05" if how == "text" else lambda outputs: outputs["rail.travel"] > 0.05)
    stops = 0
    while sim.run_until(0.5) == "stopped":
        stops += 1

    assert stops > 10
    assert np.array_equal(sim.results().record, whole.results().record)


def test_until_a_condition_holds():
    sim = kb.Simulation(cart(), **WORDS)

    assert sim.run_until("rail.travel > 0.082 m", within="1 s") == "stopped"
    assert sim.time == pytest.approx(0.41)
    assert sim.run_until("rail.travel > 10 m", within="0.1 s") == "done"
    assert sim.time == pytest.approx(0.51)
    assert sim.run_for("0.1 s") == "done", "a condition of one call is of that call only"
    with pytest.raises(kb.MachineError, match="needs the longest time"):
        sim.run_until("rail.travel > 1 m")


REFUSED = [
    ("rail.travl > 1 m", "there is no quantity named 'rail.travl'; closest names: 'rail.travel'"),
    ("rail.travel > 1 kg", "'kg' is a unit of mass, not of length"),
    ("rail.travel == 1 m", "it is not a condition."),
    ("rail.travel", "it is not a condition."),
    (3, "it is not a condition."),
    ("cart.position > 1 m", "'cart.position' has 3 components; name one, such as cart.position.x"),
    ("rail.travel > nan", "'nan' is not a number with a unit"),
]


@pytest.mark.parametrize(("condition", "sentence"), REFUSED, ids=[str(condition) for condition, _ in REFUSED])
def test_a_wrong_condition_is_refused_with_a_reason(condition, sentence):
    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(cart(), 1.0, stop=["rail.travel > 1 m", condition], **WORDS)

    assert sentence in str(caught.value)
    assert str(caught.value).startswith("1 problem in the stop conditions")
