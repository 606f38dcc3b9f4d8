# SPDX-License-Identifier: BSD-3-Clause
"""When steps end and what is recorded: jumps off the grid, whole steps, the last part of a step, refused times."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knuckleboom as kb
from knuckleboom.simulation.schedule import Position, Schedule, make_schedule

START = Position(0, 0.0)


def whole(schedule: Schedule, duration: float):
    """The ends of all steps of a run."""
    return schedule.stretch(START, schedule.place(duration), 10**6)


def test_whole_steps_are_exactly_the_step_and_end_at_its_multiples():
    part = whole(make_schedule(0.1, 0.1, []), 1.0)

    assert list(part.sizes) == [0.1] * 10
    assert list(part.times) == [k * 0.1 for k in range(11)]
    assert list(part.k) == list(range(11)) and part.recorded.all()


def test_the_last_step_is_the_part_that_is_left():
    part = whole(make_schedule(0.1, 0.1, []), 0.35)

    assert list(part.sizes[:3]) == [0.1] * 3
    assert part.sizes[3] == pytest.approx(0.05, rel=1e-14)
    assert part.times[-1] == 0.35
    assert part.position(4) == Position(3, 0.35, True)


def test_a_run_shorter_than_a_step_is_one_short_step():
    part = whole(make_schedule(0.1, 0.1, []), 0.03)

    assert list(part.times) == [0.0, 0.03]
    assert list(part.sizes) == [0.03]
    assert list(part.recorded) == [True, False]


def test_after_a_stop_between_two_ends_the_next_step_is_the_rest():
    schedule = make_schedule(0.1, 0.1, [])

    part = schedule.stretch(schedule.place(0.125), schedule.place(0.4), 10)

    assert list(part.times) == [0.125, 0.2, 0.1 * 3, 0.4]
    assert list(part.sizes) == [0.2 - 0.125, 0.1, 0.1]


def test_a_step_ends_exactly_at_a_jump_off_the_grid():
    jump = 0.123456789
    part = whole(make_schedule(0.1, 0.1, [jump]), 0.5)

    place = list(part.times).index(jump)
    assert part.times[place - 1] == 0.1 and part.times[place + 1] == 0.2
    assert list(part.sizes) == [0.1, jump - 0.1, 0.2 - jump, 0.1, 0.1, 0.1]
    assert not part.recorded[place]


def test_a_jump_on_the_grid_adds_no_step():
    schedule = make_schedule(0.1, 0.1, [0.0, 0.1 + 0.2, 0.7, 1.0, 5.0, -1.0])

    assert np.array_equal(whole(schedule, 1.0).times, whole(make_schedule(0.1, 0.1, []), 1.0).times)


def test_two_inputs_that_jump_together_add_one_step():
    assert len(whole(make_schedule(0.1, 0.1, [0.25, 0.25 + 1e-15, 0.25]), 1.0).sizes) == 11


def test_several_jumps_may_fall_into_one_step():
    part = whole(make_schedule(0.1, 0.1, [0.11, 0.13, 0.17]), 0.2)

    assert list(part.times) == [0.0, 0.1, 0.11, 0.13, 0.17, 0.2]
    assert np.all(part.sizes > 0.0)


def test_sample_times_on_the_grid_add_no_step_however_long_the_run():
    schedule = make_schedule(1e-3, 1.0, [], [5e-3, 3e-3])
    far = Position(10**8, 10**8 * 1e-3)

    part = schedule.stretch(far, Position(10**8 + 30, (10**8 + 30) * 1e-3), 100)

    assert len(part.sizes) == 30 and set(part.sizes) == {1e-3}
    assert [int(due) for due in part.due] == [schedule.due_at(int(k)) for k in part.k]
    assert int(part.due[0]) == 1 and int(part.due[5]) == 1 | 2  # 10⁸ is a multiple of 5, 10⁸ + 5 of 15


def test_sample_times_off_the_grid_end_a_step():
    part = whole(make_schedule(1e-3, 1e-3, [], [2.5e-3]), 10e-3)

    assert list(part.times[part.due == 1]) == [m * 2.5e-3 for m in range(5)]
    assert len(part.sizes) == 12
    assert not part.recorded[3] and part.off[3]


def test_recorded_are_the_start_and_every_interval():
    schedule = make_schedule(0.1, 0.3, [0.45])
    part = whole(schedule, 1.0)

    assert part.times[part.recorded] == pytest.approx([0.0, 0.3, 0.6, 0.9])
    assert schedule.interval == pytest.approx(0.3)
    assert [schedule.lines_before(schedule.place(time)) for time in (0.0, 0.1, 0.3, 0.35, 0.9)] == [0, 1, 1, 2, 3]


@pytest.mark.slow
@given(
    st.floats(1e-3, 10.0), st.floats(1e-3, 0.5), st.floats(1e-3, 1.0), st.lists(st.floats(0.0, 10.0), max_size=5),
    st.lists(st.floats(0.02, 1.0), max_size=2), st.integers(1, 50),
)  # fmt: skip
def test_parts_of_any_size_join_to_the_whole(duration, step, record, jumps, periods, size):
    schedule = make_schedule(step, record, jumps, periods)
    end = schedule.place(duration)
    all_of_it = schedule.stretch(START, end, 10**6)

    assert all_of_it.times[0] == 0.0 and all_of_it.times[-1] == pytest.approx(duration, rel=1e-9)
    assert np.all(np.diff(all_of_it.times) > 0.0) and np.all(all_of_it.sizes > 0.0)
    assert all_of_it.sizes == pytest.approx(np.diff(all_of_it.times), rel=1e-6)
    for first in range(0, len(all_of_it.sizes), size):
        part = schedule.stretch(all_of_it.position(first), end, size)
        count = len(part.sizes)
        assert count == min(size, len(all_of_it.sizes) - first)
        for ours, theirs in zip(part, all_of_it, strict=True):
            extra = 1 if len(theirs) > len(all_of_it.sizes) else 0
            assert np.array_equal(ours, theirs[first : first + count + extra])


@given(st.floats(1e-3, 0.5), st.floats(0.01, 1.0))
def test_a_controller_is_due_at_every_multiple_of_its_period(step, period):
    schedule = make_schedule(step, step, [], [period])
    part = schedule.stretch(START, schedule.place(5.0), 10**6)

    due = part.times[part.due == 1]

    count = int(5.0 / period)
    assert count <= len(due) <= count + 2
    assert due[:count] == pytest.approx(period * np.arange(count), rel=1e-9, abs=1e-12)


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
    schedule = make_schedule(1e-3, 1e3, [])

    part = schedule.stretch(Position(999_999_998, 999_999.998), schedule.place(1e6), 10)

    assert part.times[-1] == 1e6 and list(part.sizes) == [1e-3, 1e-3]


def test_without_an_interval_about_a_thousand_lines_are_recorded():
    assert len(kb.simulate(pendulum(), 2.0, step="1 ms").time) == 1001
    assert len(kb.simulate(pendulum(), 0.01, step="1 ms").time) == 11


def test_an_interval_longer_than_the_run_records_start_and_end():
    assert list(kb.simulate(pendulum(), 1.0, step=0.1, record=100.0).time) == [0.0, 1.0]


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
