# SPDX-License-Identifier: BSD-3-Clause
"""When steps end and what is recorded: jumps off the grid, whole steps, the last part of a step, refused times."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.simulation.schedule import Schedule, make_schedule


def whole(schedule: Schedule):
    """Times, sizes and lines of the whole run."""
    return schedule.part(0, schedule.total)


def test_whole_steps_are_exactly_the_step_and_end_at_its_multiples():
    times, sizes, lines = whole(make_schedule(1.0, 0.1, 0.1, [], 1))

    assert list(sizes) == [0.1] * 10
    assert list(times) == [k * 0.1 for k in range(10)] + [1.0]
    assert list(lines) == list(range(11))


def test_the_last_step_is_the_part_that_is_left():
    times, sizes, _ = whole(make_schedule(0.35, 0.1, None, [], 1))

    assert list(sizes[:3]) == [0.1] * 3
    assert sizes[3] == pytest.approx(0.05, rel=1e-14)
    assert times[-1] == 0.35


def test_a_run_shorter_than_a_step_is_one_short_step():
    times, sizes, lines = whole(make_schedule(0.03, 0.1, None, [], 1))

    assert list(times) == [0.0, 0.03]
    assert list(sizes) == [0.03]
    assert list(lines) == [0, 1]


def test_a_step_ends_exactly_at_a_jump_off_the_grid():
    jump = 0.123456789
    times, sizes, lines = whole(make_schedule(0.5, 0.1, None, [jump], 1))

    place = list(times).index(jump)
    assert times[place - 1] == 0.1 and times[place + 1] == 0.2
    assert list(sizes) == [0.1, jump - 0.1, 0.2 - jump, 0.1, 0.1, 0.1]
    assert lines[place] == -1


def test_a_jump_on_the_grid_adds_no_step():
    plain = make_schedule(1.0, 0.1, None, [], 1)

    schedule = make_schedule(1.0, 0.1, None, [0.0, 0.1 + 0.2, 0.7, 1.0, 5.0, -1.0], 1)

    assert schedule.total == plain.total == 10
    assert np.array_equal(whole(schedule)[0], whole(plain)[0])


def test_two_inputs_that_jump_together_add_one_step():
    schedule = make_schedule(1.0, 0.1, None, [0.25, 0.25 + 1e-15, 0.25], 1)

    assert schedule.total == 11


def test_several_jumps_may_fall_into_one_step():
    times, sizes, _ = whole(make_schedule(0.2, 0.1, None, [0.11, 0.13, 0.17], 1))

    assert list(times) == [0.0, 0.1, 0.11, 0.13, 0.17, 0.2]
    assert np.all(sizes > 0.0)


def test_recorded_are_the_start_every_interval_and_the_end():
    schedule = make_schedule(1.0, 0.1, 0.3, [0.45], 1)
    times, _, lines = whole(schedule)

    assert times[lines >= 0] == pytest.approx([0.0, 0.3, 0.6, 0.9, 1.0])
    assert list(lines[lines >= 0]) == [0, 1, 2, 3, 4]
    assert schedule.records == 5 and schedule.interval == pytest.approx(0.3)


def test_without_an_interval_about_a_thousand_lines_are_recorded():
    assert make_schedule(10.0, 1e-4, None, [], 1).records == 1001
    assert make_schedule(0.01, 1e-3, None, [], 1).records == 11


def test_an_interval_longer_than_the_run_records_start_and_end():
    assert make_schedule(1.0, 0.1, 100.0, [], 1).records == 2


@given(
    st.floats(1e-3, 10.0), st.floats(1e-3, 0.5), st.floats(1e-3, 1.0), st.lists(st.floats(0.0, 10.0), max_size=5),
    st.integers(1, 50),
)  # fmt: skip
def test_parts_of_any_size_join_to_the_whole(duration, step, record, jumps, size):
    schedule = make_schedule(duration, step, record, jumps, 1)
    times, sizes, lines = whole(schedule)

    assert times[0] == 0.0 and times[-1] == duration
    assert np.all(np.diff(times) > 0.0) and np.all(sizes > 0.0)
    assert sizes == pytest.approx(np.diff(times), rel=1e-6)
    assert list(lines[lines >= 0]) == list(range(schedule.records))
    for first in range(0, schedule.total, size):
        count = min(size, schedule.total - first)
        part = schedule.part(first, count)
        assert np.array_equal(part[0], times[first : first + count + 1])
        assert np.array_equal(part[1], sizes[first : first + count])
        assert np.array_equal(part[2], lines[first : first + count + 1])
    assert [schedule.steps_until(float(time)) for time in times] == list(range(schedule.total + 1))


def pendulum():
    machine = kb.Machine("pendulum")
    body = machine.body("bob", mass=1.0, com=(1, 0, 0), inertia=(1, 1, 1))
    machine.revolute("pin", machine.ground, body, axis="y")
    return machine


REFUSED = [
    ({"duration": -1.0}, "duration is -1 s; it must be longer than 0 s and finite."),
    ({"duration": 0.0}, "duration is 0 s; it must be longer than 0 s and finite."),
    ({"duration": math.nan}, "duration is nan s; it must be longer than 0 s and finite."),
    ({"duration": math.inf}, "duration is inf s; it must be longer than 0 s and finite."),
    ({"step": 0.0}, "step is 0 s; it must be longer than 0 s and finite."),
    ({"record": -0.1}, "record is -0.1 s; it must be longer than 0 s and finite."),
    ({"step": "1 mm"}, "step: 'mm' is a unit of length, not of time; use one such as in"),
    ({"duration": "10"}, "duration: '10' has no unit; write it like"),
    ({"duration": None}, 'duration is None, which is not a time.\n   Write it like "10 s".'),
    ({"duration": "1e6 h", "step": "1 us"}, "3.6e+09 s in steps of 1e-06 s are more than 1e+09 steps."),
]


@pytest.mark.parametrize(("times", "sentence"), REFUSED, ids=lambda value: str(value)[:40])
def test_times_that_make_no_sense_are_refused(times, sentence):
    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(pendulum(), **{"duration": 1.0, **times})

    assert str(caught.value).startswith(f"1 problem in the times\n\n1. {sentence}")


def test_all_wrong_times_are_refused_at_once():
    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(pendulum(), -1.0, step="1 mm", record=0.0)

    rules = [problem.rule for problem in caught.value.problems]
    assert len(rules) == 3
    assert {rule.split()[0].rstrip(":") for rule in rules} == {"duration", "step", "record"}


def test_a_record_that_is_too_large_is_refused_with_a_sentence():
    with pytest.raises(kb.MachineError) as caught:
        kb.simulate(pendulum(), 1e5, step="1 ms", record="1 ms")

    assert str(caught.value).startswith("1 problem in the times\n\n1. The record would take ")
    assert "GiB: 100000001 lines of " in str(caught.value)
    assert "Record less often, e.g. every 100 s." in str(caught.value)


def test_a_long_run_needs_no_memory_for_its_schedule():
    schedule = make_schedule(1e6, 1e-3, 1e3, [], 100)

    times, sizes, lines = schedule.part(999_999_998, 2)

    assert schedule.total == 10**9
    assert times[-1] == 1e6 and list(sizes) == [1e-3, 1e-3]
    assert lines[-1] == schedule.records - 1


def test_the_engine_steps_to_a_jump_off_the_grid_exactly():
    """A force that acts from t = 0.0123 s on: speed and travel are those of the closed form, to rounding."""
    machine = kb.Machine("cart", gravity=(0, 0, 0))
    body = machine.body("cart", mass=1.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")

    run = kb.simulate(machine, 0.1, step=0.01, record=0.01, inputs={"push": {0: 0.0, 0.0123: 1.0}})

    since = np.maximum(run.time - 0.0123, 0.0)
    assert run["rail.travel_rate"].values == pytest.approx(since, abs=1e-16)
    assert run["rail.travel"].values == pytest.approx(since**2 / 2, abs=1e-17)
    assert run.meta["steps"] == 11
