# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C keeps what was done: raised between two blocks, and as a real signal to a process in its compiled run."""

import importlib
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import knuckleboom as kb

RUN = importlib.import_module("knuckleboom.simulation.session")

OTHER_PROCESS = """
import sys
import knuckleboom as kb

case = kb.catalogue.NAMES["naya-rod"]()
told = []

def progress(part):
    # the other side presses Ctrl-C when it reads this line; the run would take hours
    if not told:
        told.append(part)
        print("running", flush=True)

run = kb.simulate(case.machine, 5e4, step="0.1 ms", record="1 s", inputs=case.inputs, progress=progress)
run.to_netcdf(sys.argv[1])
print(run.status, flush=True)
"""


def interrupted_after(calls):
    """A progress callback in which Ctrl-C is pressed."""
    told = []

    def progress(part):
        told.append(part)
        if len(told) == calls:
            raise KeyboardInterrupt

    return progress


def test_ctrl_c_between_blocks_keeps_what_was_done(monkeypatch):
    monkeypatch.setattr(RUN, "next_block", lambda count, took: 10)
    case = kb.catalogue.NAMES["naya-rod"]()
    words = {"step": "0.1 ms", "record": "0.3 ms", "inputs": case.inputs}

    run = kb.simulate(case.machine, 1.0, progress=interrupted_after(6), **words)

    assert run.status == "interrupted"
    assert run.message == "Interrupted at t = 0.0051 s."
    assert run.meta["steps"] == 51
    assert run.time[-1] == pytest.approx(0.0048)
    whole = kb.simulate(case.machine, 0.0102, **words)
    assert np.array_equal(run.record, whole.record[: len(run.time)])
    assert np.isfinite(run.energy().residual)


def test_ctrl_c_after_the_first_block_keeps_the_start():
    case = kb.catalogue.NAMES["naya-rod"]()

    run = kb.simulate(case.machine, 1.0, step="0.1 ms", inputs=case.inputs, progress=interrupted_after(1))

    assert run.status == "interrupted"
    assert list(run.time) == [0.0]


def test_ctrl_c_in_a_users_function_keeps_what_was_done():
    machine = kb.Machine("cart")
    body = machine.body("cart", mass=1.0, inertia=(1, 1, 1))
    machine.prismatic("rail", machine.ground, body, axis="x")
    machine.force("push", body, direction="x")

    def push(t):
        if t > 0.5:
            raise KeyboardInterrupt
        return 1.0

    run = kb.simulate(machine, 1.0, step="1 ms", inputs={"push": push})

    assert run.status == "interrupted"
    assert 0.0 < run.time[-1] <= 0.5
    assert run["rail.travel_rate"].values == pytest.approx(run.time, rel=1e-12)


def test_ctrl_c_after_the_last_step_is_no_harm():
    case = kb.catalogue.NAMES["naya-rod"]()

    run = kb.simulate(case.machine, 1e-4, step="0.1 ms", inputs=case.inputs, progress=interrupted_after(1))

    assert run.status == "interrupted"
    assert list(run.time) == [0.0, 1e-4]


def test_an_interrupted_run_is_saved_and_read_back(tmp_path):
    case = kb.catalogue.NAMES["naya-rod"]()
    run = kb.simulate(case.machine, 1.0, step="0.1 ms", inputs=case.inputs, progress=interrupted_after(3))

    back = kb.load(run.to_netcdf(tmp_path / "run.nc"))

    assert back.status == "interrupted" and back.message == run.message
    assert np.array_equal(back.record, run.record)


@pytest.mark.slow
def test_a_real_signal_in_the_compiled_run_keeps_what_was_done(tmp_path):
    path = tmp_path / "run.nc"
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, str(path)], stdout=subprocess.PIPE, env=surroundings, text=True
    ) as other:
        try:
            assert other.stdout.readline() == "running\n"
            other.send_signal(signal.SIGINT)
            assert other.communicate(timeout=300)[0] == "interrupted\n"
        finally:
            other.kill()

    run = kb.load(path)
    assert other.returncode == 0
    assert run.status == "interrupted" and run.message.startswith("Interrupted at t = ")
    assert len(run.time) >= 1 and np.isfinite(run.record).all()
    assert np.isfinite(run.energy().residual)
