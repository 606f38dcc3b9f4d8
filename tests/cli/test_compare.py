# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom compare` as a user's shell runs it: what it prints and writes, what it refuses, what Ctrl-C leaves."""

import json
import subprocess
import sys

import pytest

from cli.command_line import environment, knuckleboom

SOME = ("compare", "four-bar", "--for", "50 ms", "--steps", "10ms,5ms", "--only", "relative,explicit,realtime")

# the command that is interrupted after a few runs
PRESSED = """
from knuckleboom.analysis.compare import Candidate
from knuckleboom.cli import main

real, count = Candidate.go, []

def go(self, *rest):
    if len(count) == 7:
        raise KeyboardInterrupt
    count.append(rest)
    real(self, *rest)

Candidate.go = go
main()
"""


@pytest.mark.slow
def test_a_table_a_picture_and_a_report(tmp_path):
    done = knuckleboom(*SOME, "--plot", "x.svg", "--report", "deep/x.html", folder=tmp_path)

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "four-bar, case swing, 0.05 s; largest errors on a grid of 10 ms"
    assert lines[-2:] == ["report    deep/x.html", "picture   x.svg"]
    assert "For real time take " in lines[-3]
    assert (tmp_path / "x.svg").read_text().startswith("<?xml")
    assert "methods compared" in (tmp_path / "deep" / "x.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_is_wrong_is_said_before_anything_runs(tmp_path):
    wrong = (
        (("--only", "relativ"), "No method has the word 'relativ'."),
        (("--within", "2 kg"), "--within: 'kg' is a unit of mass, not of time"),
        (("--report", "."), "--report: '.' is a folder; name a file in it."),
    )
    for words, text in wrong:
        done = knuckleboom("compare", "four-bar", *words, folder=tmp_path)
        assert done.returncode == 2 and text in done.stderr


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_done(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PRESSED, *SOME, "--json", "--report", "x.html"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300,
    )  # fmt: skip

    assert done.returncode == 130, done.stderr
    data = json.loads(done.stdout)
    assert data["status"] == "interrupted" and data["report"] == "x.html"
    assert len({tuple(run.values())[:5] for run in data["runs"]}) >= 3
    assert "interrupted" in {one["reason"] for one in data["not_run"]}
    assert "interrupted" in (tmp_path / "x.html").read_text(encoding="utf-8")
