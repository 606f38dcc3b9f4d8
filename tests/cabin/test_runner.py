# SPDX-License-Identifier: BSD-3-Clause
"""The runner as a process: driven from outside, really killed, left alone by its parent, interrupted, refused.

Nothing may be left over: no process, no shared memory, no word on the terminal.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import knuckleboom as kb
from cabin.driving import ask, until
from knuckleboom.cabin.recording import read_recording
from knuckleboom.cabin.runner import Runner
from knuckleboom.cabin.shared import Command, RunState

MACHINE = "crane-one-cylinder"

PARENT = """
import sys, time
import knuckleboom as kb
from knuckleboom.cabin.runner import Runner

if __name__ == "__main__":
    try:
        with Runner(kb.catalogue.NAMES["crane-one-cylinder"](), record=sys.argv[1], priority=False) as runner:
            print(runner.process.pid, flush=True)
            time.sleep(60)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def there(pid: int) -> bool:
    """Whether a process is there and is no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def driven(runner: Runner, seconds: float) -> int:
    """Move the last lever for some time; return the steps done."""
    rest = [one["rest"] for one in runner.facts["inputs"]]
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        number += 1
        runner.shared.write_levers([*rest[:-1], 0.01 * (number % 50)], number)
        time.sleep(0.01)
    return runner.shared.status.steps


@pytest.mark.slow
def test_it_is_driven_and_ends(tmp_path):
    with Runner(kb.catalogue.NAMES[MACHINE](), record=tmp_path / "a.kbrec", paused=True) as runner:
        pid, shared = runner.process.pid, runner.shared
        assert runner.facts["name"] and shared.priority_text
        until(lambda: shared.status.state == RunState.PAUSED)
        ask(shared, Command.RESUME)
        driven(runner, 0.5)
        ask(shared, Command.PAUSE)
        line = shared.read_line()
    assert not there(pid)
    run = kb.replay(tmp_path / "a.kbrec")
    assert run.meta["recording"]["ended"] == "quit"
    assert run.meta["recording"]["bit_equal"] is True
    assert run.record[-1, : len(line.values)].tolist() == line.values.tolist()
    runner.stop()  # once more does no harm


@pytest.mark.slow
def test_a_recording_survives_kill_9_up_to_the_last_second(tmp_path):
    runner = Runner(kb.catalogue.NAMES[MACHINE](), record=tmp_path / "killed.kbrec")
    try:
        steps = driven(runner, 2.0)
        os.kill(runner.process.pid, signal.SIGKILL)
        runner.process.join()
        assert not runner.alive
    finally:
        runner.stop()
    found = read_recording(tmp_path / "killed.kbrec")
    assert found.end is None
    assert found.steps * 1e-3 > steps * 1e-3 - 1.0
    run = kb.replay(tmp_path / "killed.kbrec")
    assert run.time[-1] == pytest.approx(found.steps * 1e-3)
    assert "has no end" in run.message
    assert run.meta["recording"]["changes"] > 20


@pytest.mark.slow
def test_it_ends_when_its_parent_is_killed(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, tmp_path / "a.kbrec"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as parent:
        pid = int(parent.stdout.readline())
        assert there(pid)
        parent.kill()
        parent.wait()
        until(lambda: not there(pid), "the end of the orphan")
        assert parent.stderr.read() == ""
    assert read_recording(tmp_path / "a.kbrec").end["reason"] == "quit"


@pytest.mark.slow
def test_ctrl_c_is_the_parents_to_hear(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, tmp_path / "a.kbrec"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as parent:  # fmt: skip
        pid = int(parent.stdout.readline())
        os.killpg(parent.pid, signal.SIGINT)  # as a terminal does: to all of them
        out, error = parent.communicate(timeout=120)
        assert (parent.returncode, out, error) == (0, "interrupted\n", "")
        assert not there(pid)
    assert read_recording(tmp_path / "a.kbrec").end["reason"] == "quit"


@pytest.mark.slow
def test_ctrl_c_before_it_is_ready_leaves_nothing(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, tmp_path / "a.kbrec"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as parent:  # fmt: skip
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        pids = until(lambda: len(found := children.read_text().split()) > 1 and found, "the runner's process")
        os.killpg(parent.pid, signal.SIGINT)
        out, error = parent.communicate(timeout=120)
        assert (parent.returncode, out, error) == (0, "interrupted\n", "")
        until(lambda: not any(there(int(pid)) for pid in pids), "the end of all processes")


@pytest.mark.slow
def test_a_request_to_terminate_ends_it_well(tmp_path):
    runner = Runner(kb.catalogue.NAMES[MACHINE](), record=tmp_path / "a.kbrec", priority=False)
    runner.process.terminate()
    runner.process.join(120)
    assert runner.process.exitcode == 0
    assert runner.shared.status.state is RunState.ENDED
    runner.stop()
    assert read_recording(tmp_path / "a.kbrec").end["reason"] == "quit"


@pytest.mark.slow
def test_what_cannot_be_driven_is_refused_here():
    case = kb.catalogue.NAMES[MACHINE]()
    with pytest.raises(kb.MachineError, match="step"):
        Runner(case, step="1 bar")
