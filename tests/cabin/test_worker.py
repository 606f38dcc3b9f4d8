# SPDX-License-Identifier: BSD-3-Clause
"""Commands to the running machine, recordings on command, and a failure that a reset mends."""

import numpy as np
import pytest

import knuckleboom as kb
from cabin.driving import ask, make_worker, running, until
from knuckleboom.cabin.limits import FASTEST, SLOWEST
from knuckleboom.cabin.recording import read_recording
from knuckleboom.cabin.shared import Command, RunState

MACHINE = "crane-one-cylinder"


@pytest.fixture
def worker(tmp_path):
    return make_worker(MACHINE, tmp_path)


def rest_of(worker):
    return [one.rest for one in worker.live.inputs]


def test_it_begins_with_a_line_of_the_start(worker):
    line = worker.shared.read_line()
    assert (line.step, line.time) == (0, 0.0)
    assert line.levers.tolist() == rest_of(worker)


def test_pause_resume_and_single_steps(worker):
    with running(worker) as shared:
        until(lambda: shared.status.state == RunState.PAUSED)
        ask(shared, Command.STEP, 1)
        ask(shared, Command.STEP, 5)
        assert (shared.status.steps, shared.read_line().step) == (6, 6)
        ask(shared, Command.RESUME)
        until(lambda: shared.status.steps > 20)
        ask(shared, Command.PAUSE)
        steps = shared.status.steps
        assert (shared.status.state, shared.read_line().step) == (RunState.PAUSED, steps)
    assert shared.status.state is RunState.ENDED
    assert shared.status.steps == steps


def test_a_command_ends_many_single_steps(worker):
    with running(worker) as shared:
        shared.send(Command.STEP, 10**9)
        until(lambda: shared.status.steps > 2)
        ask(shared, Command.PAUSE)
        assert shared.status.steps < 10**9


@pytest.mark.parametrize(("asked", "taken"), [(0.1, 0.1), (4.0, 4.0), (-1.0, SLOWEST), (1e9, FASTEST)])
def test_speeds_are_taken_within_bounds(worker, asked, taken):
    with running(worker) as shared:
        ask(shared, Command.SPEED, asked)
        assert shared.status.asked == taken


def test_slow_motion_hears_commands_between_steps(worker):
    with running(worker) as shared:
        ask(shared, Command.SPEED, 0.001)
        ask(shared, Command.RESUME)
        ask(shared, Command.SPEED, 1.0)
        until(lambda: shared.status.steps > 5)


def test_reset_returns_to_the_start_and_keeps_running(worker):
    first = worker.shared.read_line().values
    with running(worker) as shared:
        ask(shared, Command.SPEED, 1000.0)
        shared.write_levers([*rest_of(worker)[:-1], 0.7], 1)
        ask(shared, Command.STEP, 200)
        assert shared.read_line().values[0] == 0.2
        ask(shared, Command.RESET)
        status = shared.status
        assert (status.state, status.steps, status.resets, status.missed) == (RunState.PAUSED, 0, 1, 0)
        shared.write_levers(rest_of(worker), 2)
        ask(shared, Command.STEP, 1)
        ask(shared, Command.RESET)
        np.testing.assert_array_equal(shared.read_line().values, first)
        ask(shared, Command.RESUME)
        ask(shared, Command.RESET)
        assert shared.status.state is RunState.RUNNING


def test_corrected_steps_are_those_of_the_same_drive_in_a_simulation(tmp_path):
    worker = make_worker("harvester-30", tmp_path, step="5 ms", record=tmp_path / "slams.kbrec")
    names = [one.name for one in worker.live.inputs]
    with running(worker) as shared:
        ask(shared, Command.SPEED, 1000.0)
        ask(shared, Command.STEP, 5)
        assert (shared.status.corrected, shared.status.halved) == (0, 0), "at rest"
        for number, side in enumerate((1.0, -1.0, 1.0)):
            moved = {"lift_valve": side, "fold_valve": -side}
            shared.write_levers([moved.get(*one) for one in zip(names, rest_of(worker), strict=True)], number + 1)
            ask(shared, Command.STEP, 20)
        driven = shared.status
        ask(shared, Command.RESET)
        assert (shared.status.corrected, shared.status.halved, shared.status.unresolved) == (0, 0, 0)
    run = kb.replay(tmp_path / "slams.kbrec")
    assert driven.corrected > 0
    for what in ("corrected", "halved", "unresolved"):
        assert getattr(driven, what) == run.meta[f"{what}_steps"], what


def test_recordings_on_command_one_for_each_drive(worker, tmp_path):
    with running(worker) as shared:
        ask(shared, Command.SPEED, 1000.0)
        ask(shared, Command.STEP, 30)
        ask(shared, Command.RECORD, 1.0)
        first = shared.record_file
        assert shared.status.recording
        shared.write_levers([*rest_of(worker)[:-1], 0.5], 1)
        ask(shared, Command.STEP, 20)
        ask(shared, Command.RESET)
        assert shared.status.recording and shared.record_file != first
        ask(shared, Command.STEP, 10)
        ask(shared, Command.RECORD, 0.0)
        assert not shared.status.recording
        second = shared.record_file
        assert shared.message == ""
    one, two = kb.replay(first), kb.replay(second)
    assert (one.meta["recording"]["ended"], one.meta["recording"]["bit_equal"]) == ("reset", True)
    assert (two.meta["recording"]["ended"], two.meta["recording"]["bit_equal"]) == ("off", True)
    assert (one.time[0], one.time[-1]) == (30e-3, 50e-3)
    assert (two.time[0], two.time[-1]) == (0.0, 10e-3)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".kbrec", ".kbrec"]


def test_a_recording_that_cannot_be_written_is_told_and_the_drive_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    worker = make_worker(MACHINE, tmp_path, record=tmp_path / "file" / "drive.kbrec")
    with running(worker) as shared:
        ask(shared, Command.STEP, 3)
        assert "Could not write the recording" in shared.message
        assert (shared.status.recording, shared.status.steps) == (False, 3)


def test_changes_faster_than_the_disk_are_told(worker, tmp_path, monkeypatch):
    with running(worker) as shared:
        ask(shared, Command.RECORD, 1.0)
        worker.recorder.journal.lost[0] = 1  # what the loop says when the ring is full
        worker.recorder.drain()
        assert "could not be written fast enough" in shared.message
        assert not shared.status.recording
        ask(shared, Command.STEP, 2)
    assert read_recording(shared.record_file).end is None


def test_a_failure_is_a_sentence_and_a_reset_mends_it(tmp_path):
    worker = make_worker("excavator", tmp_path, record=tmp_path / "failing.kbrec")
    rest = rest_of(worker)
    with running(worker) as shared:
        ask(shared, Command.SPEED, 1000.0)
        ask(shared, Command.STEP, 40)
        pushed = [1e300 if one.name == "resistance" else one.rest for one in worker.live.inputs]
        shared.write_levers(pushed, 1)
        ask(shared, Command.RESUME)
        until(lambda: shared.status.state == RunState.FAILED)
        message = shared.message
        assert message.startswith("Simulation stopped at t = 0.0")
        assert "  try               " in message and "  kept" not in message
        failed_at = shared.status.steps
        for command in (Command.RESUME, Command.STEP, Command.PAUSE):
            ask(shared, command, 1.0)
        assert (shared.status.state, shared.status.steps) == (RunState.FAILED, failed_at)
        shared.write_levers(rest, 2)
        ask(shared, Command.RESET)
        assert (shared.status.state, shared.message) == (RunState.PAUSED, "")
        ask(shared, Command.STEP, 20)
        assert shared.status.steps == 20
    run = kb.replay(tmp_path / "failing.kbrec")
    assert run.status == "failed"
    assert run.meta["recording"]["bit_equal"] is True
    assert message.splitlines()[0] in run.message
