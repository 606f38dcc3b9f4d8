# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C as a real signal to the real command, at every stage: imports, compilation, the run, writing and drawing.

Each stage is recognised by what the process says or leaves, not by the clock. It always ends with 130 and a sentence;
from the run on with a file that can be read.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.command_line import COMMAND, environment
from knuckleboom.cli.interruption import NOTHING_KEPT
from knuckleboom.results import load

ENDLESS = ("run", "naya-rod", "--for", "50000s", "--step", "0.1ms", "--record", "1s", "--save", "out.nc")
SHORT = ("run", "naya-rod", "--for", "20ms", "--save", "out.nc", "--no-report")

# the command with checkpoints every tenth of a second, so that a file tells that it runs
SOON = """
import sys
from knuckleboom.cli import keeping, main
first, *others = keeping.Keeper.__init__.__defaults__
keeping.Keeper.__init__.__defaults__ = (0.1, *others)
main()
"""
# the command that tells and waits when it draws, or when the file is about to be on the disk
SLOW = """
import sys, time
from knuckleboom.cli import main
import knuckleboom.plots, os

def slow(real):
    def call(*values):
        print("here", file=sys.stderr, flush=True)
        until = time.monotonic() + 2.0
        while time.monotonic() < until:
            time.sleep(0.1)
        return real(*values)
    return call

stage = sys.argv.pop(1)
if stage == "drawing":
    knuckleboom.plots.write_overview = slow(knuckleboom.plots.write_overview)
else:
    real, out = os.replace, "out.nc"
    os.replace = lambda source, target: (slow(real) if str(target).endswith(out) else real)(source, target)
main()
"""


@contextmanager
def started(folder: Path, command: list[str], **more: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command of its own; it is gone afterwards, whatever happens."""
    surroundings = environment(**more)
    with subprocess.Popen(
        command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def press_when_told(process: subprocess.Popen[str], word: str) -> str:
    """Press Ctrl-C as soon as stderr has a line with the word; return what stderr says from then on."""
    assert process.stderr is not None
    for line in process.stderr:
        if word in line:
            break
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    return said


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    while not path.exists() and process.poll() is None:
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["typer", "numpy", "pydantic", "llvmlite", "knuckleboom.engine.run"])
def test_imports(tmp_path: Path, module: str) -> None:
    with started(tmp_path, [sys.executable, "-X", "importtime", *COMMAND[1:], *ENDLESS]) as process:
        said = press_when_told(process, f" {module}\n")
    told = [line for line in said.splitlines() if not line.startswith("import time:")]
    assert process.returncode == 130
    assert told == [NOTHING_KEPT] or "Interrupted. " in told[-1]
    assert "Traceback" not in said


@pytest.mark.slow
def test_compilation(tmp_path: Path) -> None:
    with started(tmp_path, [*COMMAND, *ENDLESS], KNUCKLEBOOM_CACHE_DIR=str(tmp_path / "cache")) as process:
        said = press_when_told(process, "compiling ")
    assert process.returncode == 130
    assert said.splitlines()[-1] == NOTHING_KEPT
    assert "Traceback" not in said and not (tmp_path / "out.nc").exists()


@pytest.mark.slow
def test_run(tmp_path: Path) -> None:
    out = tmp_path / "out.nc"
    with started(tmp_path, [sys.executable, "-c", SOON, *ENDLESS]) as process:
        wait_for(out, process)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)  # impatient people press twice
        _, said = process.communicate(timeout=120)
    run = load(out)
    assert process.returncode == 130
    assert said.splitlines()[-1] == f"Interrupted. Kept results up to t = {run.time[-1]:.4f} s, in out.nc"
    assert "Traceback" not in said
    assert run.status == "interrupted" and run.message.startswith("Interrupted at t = ")


@pytest.mark.slow
def test_a_killed_run_leaves_its_last_checkpoint(tmp_path: Path) -> None:
    out = tmp_path / "out.nc"
    with started(tmp_path, [sys.executable, "-c", SOON, *ENDLESS]) as process:
        wait_for(out, process)
        process.kill()
        process.wait()
    run = load(out)
    assert run.status == "interrupted" and "It was still running after t = " in run.message
    assert len(run.time) > 0 and run.energy().work_done >= 0.0


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["drawing", "writing"])
def test_after_the_run(tmp_path: Path, stage: str) -> None:
    with started(tmp_path, [sys.executable, "-c", SLOW, stage, *SHORT]) as process:
        said = press_when_told(process, "here")
    assert process.returncode == 130
    assert said == "Interrupted when the results were written already, in out.nc\n"
    assert load(tmp_path / "out.nc").status == "done"
    assert [name for name in os.listdir(tmp_path) if name.endswith(".part")] == []
