# SPDX-License-Identifier: BSD-3-Clause
"""Replay gives every bit of a drive: on every machine that has inputs, live in the loop against kb.replay.

A short drive by a seeded operator, steps by the loop as fast as it can; compared is the whole last line of the record,
which the loop made at other moments than the replay does. Rank: second formulation in our own code.
"""

import numpy as np
import pytest

import knuckleboom as kb
from cabin.driving import ask, make_worker, running, until
from knuckleboom.cabin.facts import facts, reach
from knuckleboom.cabin.recording import read_recording
from knuckleboom.cabin.shared import Command
from knuckleboom.results import FileError

BIG = (
    "excavator", "concrete-sprayer", "harvester-25", "harvester-30", "mine-loader", "mobile-crane", "forwarder-crane",
)  # fmt: skip
SMALL = (
    "naya-rod", "cosim-arm", "peiret-arm", "ylinen-cylinder", "ylinen-boom", "rahikainen-crane", "crane-one-cylinder",
    "andrews",
)  # fmt: skip
PIECES, STEPS = 6, 25


def test_no_machine_with_inputs_is_forgotten():
    with_inputs = {
        name for name, case in kb.catalogue.NAMES.items() if kb.build(case().machine, coupling="realtime").layout.inputs
    }
    assert with_inputs == {*BIG, *SMALL}


@pytest.mark.parametrize("name", BIG + SMALL)
def test_replay_is_bit_equal(name, tmp_path):
    step = "0.1 ms" if name == "andrews" else "1 ms"  # it turns fast
    worker = make_worker(name, tmp_path, step=step, record=tmp_path / "drive.kbrec")
    told = facts(worker.live, reach(kb.catalogue.NAMES[name]()))["inputs"]
    rng = np.random.default_rng(7)
    with running(worker) as shared:
        ask(shared, Command.SPEED, 1000.0)
        for piece in range(PIECES):
            wanted = [rng.uniform(one["low"], one["high"]) if one["kind"] != "pump" else one["rest"] for one in told]
            shared.write_levers(wanted, piece + 1)
            ask(shared, Command.STEP, STEPS)
        last = until(shared.read_line)
        assert (last.step, last.applied) == (PIECES * STEPS, PIECES)
        ask(shared, Command.RECORD, 0.0)
    run = kb.replay(tmp_path / "drive.kbrec", record=7 * worker.live.step_size)
    assert run.meta["recording"]["bit_equal"] is True
    assert run.meta["recording"]["changes"] == PIECES
    np.testing.assert_array_equal(run.record[-1, : len(last.values)], last.values)


@pytest.fixture
def drive(tmp_path):
    worker = make_worker("crane-one-cylinder", tmp_path, record=tmp_path / "drive.kbrec")
    with running(worker) as shared:
        ask(shared, Command.STEP, 20)
    return read_recording(tmp_path / "drive.kbrec")


def test_another_state_at_the_end_is_told(drive):
    drive.end["state"] = "0" * 32
    run = kb.replay(drive)
    assert run.meta["recording"]["bit_equal"] is False
    assert "The state at the end is not that of the drive: it was recorded on another computer" in run.message
    drive.head |= {"package": "0.0.1", "code": "f" * 32}
    assert f"recorded by knuckleboom 0.0.1, other code than this one ({kb.__version__})" in kb.replay(drive).message


def test_what_was_cut_or_damaged_is_told(drive):
    drive.end, drive.doubt = None, "it is damaged at byte 4711"
    run = kb.replay(drive)
    assert run.message == "The recording can be read up to t = 0.02 s: it is damaged at byte 4711."
    assert (run.meta["recording"]["ended"], run.meta["recording"]["bit_equal"]) == ("cut", None)


def test_a_failure_that_does_not_come_again_is_told(drive):
    drive.end["reason"] = "failed"
    assert "computed again it did not" in kb.replay(drive).message


def test_controllers_are_needed_again(drive):
    drive.head["controllers"] = ["hold"]
    with pytest.raises(kb.MachineError, match="It was driven with hold, and is replayed with none"):
        kb.replay(drive)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda drive: drive.head["method"].update(colour="red"),
        lambda drive: drive.start.update(q=np.zeros(99)),
        lambda drive: drive.start.update(q=np.array(["x"] * drive.start["q"].size)),
        lambda drive: drive.start.pop("q"),
    ],
    ids=["method", "shape", "kind", "lacking"],
)
def test_what_does_not_fit_its_machine_is_told(drive, spoil):
    spoil(drive)
    with pytest.raises(FileError, match=r"drive.kbrec' cannot be replayed: its machine, method, inputs and start"):
        kb.replay(drive)


def test_nothing_driven_is_the_start(drive):
    drive.steps, drive.changes, drive.values, drive.end = 0, drive.changes[:0], drive.values[:0], None
    assert kb.replay(drive).time.tolist() == [0.0]


def test_results_are_kept_and_reported(drive, tmp_path):
    run = kb.replay(drive)
    run.to_netcdf(tmp_path / "run.nc")
    assert kb.load(tmp_path / "run.nc").meta["recording"] == run.meta["recording"]
    assert run.report(tmp_path / "run.html").stat().st_size > 10_000
