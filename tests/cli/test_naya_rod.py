# SPDX-License-Identifier: BSD-3-Clause
"""The whole path of data, as a user runs it: `knuckleboom run naya-rod` with the real engine."""

import re
import subprocess

import pytest

from cli.command_line import COMMAND, document, environment, knuckleboom
from knuckleboom.results import load

pytestmark = pytest.mark.slow

INTERRUPT = """
import os, signal, sys
from knuckleboom.cli import main, output

def press(self, fraction):
    if fraction > 0.2:
        os.kill(os.getpid(), signal.SIGINT)

output.Bar.__call__ = press
sys.exit(main(["run", "naya-rod", "--for", "2 s", "--step", "0.05 ms"]))
"""


def test_run(tmp_path):
    done = knuckleboom("run", "naya-rod", "--for", "100 ms", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Energy of 'naya-rod' from 0 s to 0.1 s" in done.stdout
    assert "residual / work done" in done.stdout
    run = load(tmp_path / "results" / "naya-rod" / "run.nc")
    assert (run.status, run.machine) == ("done", "naya-rod")
    assert run.time[-1] == pytest.approx(0.1)
    assert {path.name for path in run_files(tmp_path)} == {"naya-rod.html", "overview.png", "run.nc"}


def test_the_excavator_is_what_runs_without_a_name(tmp_path):
    done = knuckleboom("run", "--for", "10 ms", "--no-plots", "--save", "a.nc", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "a.nc").machine == "excavator"


def run_files(folder):
    return list((folder / "results" / "naya-rod").iterdir())


def test_settings_reach_the_engine(tmp_path):
    words = ["run", "naya-rod", "--for", "50ms", "--step", "0.5ms", "--record", "5ms", "--no-plots", "--save", "a.nc"]
    data = document(*words, "--integrator", "semi-implicit-euler", "--factorisation", "dense", folder=tmp_path)
    assert data["status"] == "done"
    assert (data["duration"], data["step"], data["record"]) == (0.05, 0.0005, 0.005)
    assert (data["integrator"], data["factorisation"]) == ("semi-implicit-euler", "dense")
    assert data["records"] == 11
    assert data["plots"] == []
    assert [path.name for path in tmp_path.iterdir()] == ["a.nc"]
    assert load(tmp_path / "a.nc").meta["integrator"] == "semi-implicit-euler"


def test_a_step_too_large_fails_with_a_sentence_and_keeps_what_there_is(tmp_path):
    done = knuckleboom("run", "naya-rod", "--step", "20 ms", "--no-plots", folder=tmp_path)
    assert done.returncode == 1
    assert "Simulation stopped at t = " in done.stderr and "Traceback" not in done.stderr
    kept = done.stderr.splitlines()[-1]
    assert kept.startswith("  kept ") and kept.endswith("run.nc")
    assert load(tmp_path / "results" / "naya-rod" / "run.nc").status == "failed"


def test_newton_that_finds_no_end_names_the_equation_and_keeps_results_and_report(tmp_path):
    done = knuckleboom("run", "four-bar", "--step", "0.15 s", "--coupling", "unified", folder=tmp_path)

    assert done.returncode == 1
    said = done.stderr[done.stderr.index("Warning: ") :]  # before it: that it compiles, where it does
    warning, first, _, kept = said.splitlines()
    assert warning.startswith("Warning: The energy does not add up by ")
    assert re.fullmatch(
        r"Simulation stopped at t = .* s: .* equation '[xy]' of joint 'tip' stays open by .* m?m\.", first
    )
    assert kept.startswith("  kept ") and kept.endswith("run.nc")
    folder = tmp_path / "results" / "four-bar"
    assert load(folder / "run.nc").status == "failed"
    assert "of joint &#x27;tip&#x27; stays open by" in (folder / "four-bar.html").read_text(encoding="utf-8")


def test_ctrl_c_keeps_what_was_done(tmp_path):
    done = subprocess.run(
        [COMMAND[0], "-c", INTERRUPT], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 130, done.stderr
    assert "Interrupted. Kept results up to t = " in done.stderr
    run = load(tmp_path / "results" / "naya-rod" / "run.nc")
    assert run.status == "interrupted"
    assert 0.0 < run.time[-1] < 2.0


def test_a_machine_from_a_file(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(
        "knuckleboom: 1\n"
        "machine: my pendulum\n"
        "bodies: {rod: {mass: 2 kg, com: [0.5, 0, 0], inertia: [0.01, 0.17, 0.17]}}\n"
        "joints: {foot: {kind: revolute, a: ground, b: rod, axis: y}}\n"
    )
    data = document("run", "pendulum.yaml", "--for", "0.1", "--no-plots", folder=tmp_path)
    assert data["machine"] == "my pendulum"
    assert data["energy"]["relative_residual"] < 1e-9
    assert load(tmp_path / "results" / "my-pendulum" / "run.nc")["foot.angle"].values[-1] > 0.0


def test_info():
    data = document("info", "naya-rod")
    assert (data["bodies"], data["joints"], data["coordinates"], data["loop_equations"], data["dof"]) == (1, 1, 1, 0, 1)
    assert "valve" in [one["name"] for one in data["inputs"]]
    text = knuckleboom("info", "naya-rod").stdout
    assert "loop equations" not in text and "valve" in text and "450 kg" in text
    for shown in ("ø90.97/0 × 442   0.279 to 0.721", "48.74 kN    74.99   pump", "0 to 1", "0 and more", "published"):
        assert shown in text
    numerics = knuckleboom("info", "naya-rod", "--numerics").stdout
    assert "loop equations" in numerics and "Matrices" in numerics and "realtime" in numerics


def test_harvester_counts():
    data = document("info", "harvester-30")
    assert (data["bodies"], data["coordinates"], data["loop_equations"], data["dof"]) == (30, 35, 8, 27)
    assert len(data["cut_joints"]) == 4 and len(data["dropped_rows"]) == 12


def test_show_plan_with_a_machine_has_its_sizes():
    data = document("show", "plan", "naya-rod")
    assert data["machine"] == "naya-rod"
    assert all(isinstance(size, int) for one in data["plan"] + data["work"] for size in one["shape"])
    assert all(one["meaning"] and one["owner"] for one in data["plan"] + data["work"])
