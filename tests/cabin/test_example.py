# SPDX-License-Identifier: BSD-3-Clause
"""examples/boom_controller.py and the examples of docs/cabin_external.md, as a user runs them."""

import importlib.util
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

import knuckleboom as kb
from cabin.driving import ask, make_worker, running
from cabin.test_drive import driving
from cabin.test_external import door
from cli.command_line import environment, knuckleboom
from knuckleboom.cabin.facts import facts
from knuckleboom.cabin.shared import Command, Mode

EXAMPLE = Path(__file__).parents[2] / "examples" / "boom_controller.py"
START = 22.0  # degrees, of the excavator's boom


def example():
    spec = importlib.util.spec_from_file_location("boom_controller", EXAMPLE)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.slow
def test_the_boom_is_lifted_and_held(tmp_path):
    """In lockstep and as fast as it goes: up by 9 degrees within 5 s, and there a second later; the machine rocks on
    its tracks until then, so that the bound is 0.3 degrees where the controller rests within 0.2.
    """
    worker = make_worker("excavator", tmp_path)
    with running(worker) as shared, door(shared, facts(worker.live, {}), mode=Mode.LOCKSTEP, patience=30.0) as port:
        ask(shared, Command.SPEED, 1000.0)
        ask(shared, Command.RESUME)
        controller = example()
        with kb.ExternalClient(port, reads=[controller.ANGLE, controller.RATE], writes=["boom"]) as machine:
            first = machine.line()
            machine.answer({})
            there = controller.hold(machine, math.radians(31.0), 5.0)
            later = controller.hold(machine, math.radians(31.0), 1.0)
    assert math.degrees(first[controller.ANGLE]) == pytest.approx(START, abs=0.1)
    for line in (there, later):
        assert math.degrees(line[controller.ANGLE]) == pytest.approx(31.0, abs=0.3)
    assert later.time - there.time == pytest.approx(1.0, abs=0.01)
    assert (later.drops, later.stalls) == (0, 0)


@pytest.mark.slow
def test_as_programs_of_their_own(tmp_path):
    """From the command line, in real time; nothing is said about how fast this computer is."""
    with driving("excavator", "--external", "0", "--lockstep", "--no-priority", folder=tmp_path) as drive:
        port = drive.document["external"]
        # the machine still starts: the program waits for it
        command = [sys.executable, str(EXAMPLE), "--port", str(port), "--angle", "25.0", "--seconds", "2"]
        said = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=420)
        assert said.returncode == 0, said.stderr
        first, last = said.stdout.splitlines()
        assert first == "excavator, a line every 2 ms, lockstep"
        assert float(last.split()[2]) == pytest.approx(25.0, abs=0.6)
        code, log = drive.end()
    assert code == 0 and "refused" not in log and "Traceback" not in log
    # and nobody there
    said = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=60)
    assert said.returncode == 1
    assert said.stderr.startswith(f"There is no machine at port {port} of 127.0.0.1") and "Traceback" not in said.stderr


def test_the_examples_of_the_page(tmp_path, monkeypatch):
    """docs/cabin_external.md as printed, but for the port, and for 0.2 s instead of ten."""
    page = (EXAMPLE.parents[1] / "docs" / "cabin_external.md").read_text(encoding="utf-8")
    control, replace, servo = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(replace, {})
    assert "slew_motor" in kb.read("electric.yaml").parts
    exec(servo, made := {})
    assert made["servo"].check() == []
    worker = make_worker("excavator", tmp_path)
    with running(worker) as shared, door(shared, facts(worker.live, {}), mode=Mode.LOCKSTEP, patience=30.0) as port:
        ask(shared, Command.SPEED, 1000.0)
        ask(shared, Command.RESUME)
        assert "8361" in control and "+ 10.0" in control
        exec(control.replace("8361", str(port)).replace("+ 10.0", "+ 0.2"), {})
        assert shared.external.answered >= 100


@pytest.mark.slow
def test_an_interval_between_steps_ends_the_command(tmp_path):
    words = ("crane-one-cylinder", "--external", "0", "--exchange", "1.5ms", "--port", "0", "--no-browser")
    done = knuckleboom("drive", *words, folder=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "--exchange: An exchange interval of 1.5 ms is not a whole number of steps of 1 ms" in done.stderr


def test_words_that_do_not_go_together(tmp_path):
    (tmp_path / "run.nc").touch()
    for words, text in (
        (["--lockstep"], "add its port, --external 8361"),
        (["--external", "8361", "--exchange", "soon"], "--exchange"),
        (["run.nc", "--external", "8361"], "has no inputs"),
    ):
        done = knuckleboom("drive", *words, "--no-browser", folder=tmp_path)
        assert done.returncode == 2 and text in done.stderr and "Traceback" not in done.stderr
