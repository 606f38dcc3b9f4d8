# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom run` around the engine: what is kept, said and returned when it is done, fails, is interrupted or the
disk is full. The engine is replaced by made-up results; tests/cli/test_naya_rod.py runs the real one.
"""

import errno
import json
import os

import pytest

import knuckleboom as kb
from knuckleboom.cli import machines, main
from knuckleboom.cli.commands import run as run_file
from knuckleboom.errors import SimulationError
from knuckleboom.results import EnergyAudit, Results, load
from results.made_up_run import META, made_up_run, names, record


@pytest.fixture(autouse=True)
def made_up(monkeypatch, tmp_path):
    """Stand in an empty folder, with a machine and an engine that need no time."""
    monkeypatch.chdir(tmp_path)
    machine = kb.Machine("lifting boom")
    task = machines.Task("lifting-boom", machine, machine.case("lift", duration=1.0, step=0.001))
    monkeypatch.setattr(machines, "find_task", lambda word, case: task)
    audit = EnergyAudit({"kinetic": (50.0, 14.6)}, dissipated={"lift": 35.4}, machine="lifting boom", end_time=1.0)
    monkeypatch.setattr(Results, "energy", lambda self: audit, raising=False)
    give(monkeypatch, Results(names(), record(), META))


def give(monkeypatch, results, failure=None):
    """Let the engine give these results, or fail with them."""

    def simulate(task, settings, bar, keeper):
        bar(0.5)
        return results, failure or ""

    monkeypatch.setattr(run_file, "simulate", simulate)


def test_done(capsys, tmp_path):
    assert main(["run"]) == 0
    said = capsys.readouterr()
    assert "Energy of 'lifting boom' from 0 s to 1 s" in said.out
    assert "10 quantities at 101 times, computed in " in said.out
    assert f"results   {os.path.join('results', 'lifting-boom', 'run.nc')}" in said.out
    assert said.err == ""
    folder = tmp_path / "results" / "lifting-boom"
    assert load(folder / "run.nc").record.shape == (101, 18)
    assert sorted(path.name for path in folder.iterdir()) == ["lifting-boom.html", "overview.png", "run.nc"]
    assert f"report    {os.path.join('results', 'lifting-boom', 'lifting-boom.html')}" in said.out


def test_a_picture_of_each_kind(tmp_path):
    assert main(["run", "--plots", str(tmp_path / "pictures")]) == 0
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == [
        "coordinates.png",
        "energy.png",
        "flows.png",
        "lengths.png",
        "loop_gaps.png",
        "pressures.png",
    ]


def test_json_is_one_document_and_nothing_else(capsys):
    assert main(["run", "--json", "--for", "1", "--step", "2 ms"]) == 0
    said = capsys.readouterr()
    data = json.loads(said.out)
    assert data["status"] == "done" and data["message"] == ""
    assert data["time"] == 1.0 and data["records"] == 101 and data["quantities"] == 10
    assert data["results"] == os.path.join("results", "lifting-boom", "run.nc")
    assert [os.path.basename(path) for path in data["plots"]] == ["overview.png"]
    assert data["energy"]["stored"]["kinetic"]["end"] == 14.6
    assert said.err == ""


def test_reports(monkeypatch, capsys, tmp_path):
    assert main(["run", "--report", "deep/x.html", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["report"] == os.path.join("deep", "x.html")
    assert (tmp_path / "deep" / "x.html").is_file()
    assert main(["run", "--no-report", "--save", "a/run.nc", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["report"] is None
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["run.nc"]
    assert main(["run", "--no-report", "--report", "x.html"]) == 2
    assert "contradict" in capsys.readouterr().err
    assert main(["run", "--report", "deep"]) == 2
    assert "--report: 'deep' is a folder" in capsys.readouterr().err
    give(
        monkeypatch,
        Results(names(), record()[:0], {**META, "status": "failed", "message": "It stopped."}),
        "It stopped.",
    )
    assert main(["run", "--report", "none.html"]) == 1
    assert "nothing was recorded" in (tmp_path / "none.html").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_costs_nothing_else(monkeypatch, capsys, tmp_path):
    real = os.replace

    def full(source, target):
        if str(target).endswith(".html"):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    assert main(["run"]) == 1
    said = capsys.readouterr()
    assert "Energy of 'lifting boom'" in said.out and "lifting-boom.html' (" in said.err and "disk is full" in said.err
    assert load(tmp_path / "results" / "lifting-boom" / "run.nc").status == "done"


def test_save_plots_and_csv(tmp_path):
    assert main(["run", "--save", "deep/out.nc", "--plots", "pictures"]) == 0
    assert len(list((tmp_path / "pictures").iterdir())) == 6
    assert load("deep/out.nc").status == "done"
    assert main(["run", "--save", "out.csv", "--no-plots"]) == 0
    assert (tmp_path / "out.csv").read_text().startswith("time [s],foot.angle [rad],")
    assert not (tmp_path / "results").exists()


def test_a_failed_run_keeps_what_was_computed(monkeypatch, capsys, tmp_path):
    results = Results(names(), record()[:40], {**META, "status": "failed", "message": "not finite"})
    give(monkeypatch, results, "Simulation stopped at t = 0.3950 s: pressure at 'lift.a' is no longer finite.")
    assert main(["run"]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("Simulation stopped at t = 0.3950 s: pressure at 'lift.a' is no longer finite.\n")
    kept = os.path.join("results", "lifting-boom", "run.nc")
    assert f"  kept              results up to t = 0.3900 s, in {kept}" in said.err
    assert "Traceback" not in said.err
    assert len(load(kept).time) == 40
    assert main(["run", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["status"] == "failed" and "no longer finite" in data["message"] and data["time"] == 0.39


def test_an_interrupted_run_keeps_what_was_computed_and_draws_nothing(monkeypatch, capsys, tmp_path):
    give(monkeypatch, Results(names(), record()[:40], {**META, "status": "interrupted", "message": "Ctrl-C"}))
    assert main(["run"]) == 130
    kept = tmp_path / "results" / "lifting-boom" / "run.nc"
    assert "Interrupted. Kept results up to t = 0.3900 s, in " in capsys.readouterr().err
    assert load(kept).status == "interrupted"
    assert [path.name for path in kept.parent.iterdir()] == ["run.nc"]


def test_interrupted_before_the_first_record(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(run_file, "simulate", interrupted)
    assert main(["run"]) == 130
    assert capsys.readouterr().err == "Interrupted before there was anything to keep.\n"
    assert main(["run", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["error"]["exit_code"] == 130


def test_a_failure_without_results_is_a_sentence(monkeypatch, capsys):
    def failing(*_):
        raise SimulationError("The loops of 'lifting boom' cannot be closed from the start pose.")

    monkeypatch.setattr(run_file, "simulate", failing)
    assert main(["run"]) == 1
    assert capsys.readouterr().err == "The loops of 'lifting boom' cannot be closed from the start pose.\n"


def test_a_run_without_records(monkeypatch, capsys):
    give(monkeypatch, Results(names(), record()[:0], {**META, "status": "failed"}), "It stopped at once.")
    assert main(["run"]) == 1
    assert "kept              no results: nothing was recorded" in capsys.readouterr().err


def test_a_disk_that_fills_up_sends_results_elsewhere(monkeypatch, capsys, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    real = os.replace

    def full(source, target):
        if "elsewhere" not in str(target) and str(target).endswith("run.nc"):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    assert main(["run"]) == 1
    said = capsys.readouterr()
    assert "the disk is full." in said.err and "The results are in " in said.err
    assert "Energy of 'lifting boom'" in said.out
    found = list(elsewhere.glob("*run.nc"))
    assert len(found) == 1 and load(found[0]).record.shape == (101, 18)


def test_a_disk_full_everywhere_is_a_sentence(monkeypatch, capsys):
    real = os.replace

    def full(source, target):
        if str(target).endswith("run.nc"):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    assert main(["run"]) == 1
    said = capsys.readouterr().err
    assert said.count("the disk is full.") == 2 and "The results are lost." in said and "Traceback" not in said
    assert os.path.join("results", "lifting-boom", "run.nc") in said


@pytest.mark.parametrize("place", ["file/out.nc", "folder"])
def test_a_place_that_cannot_be_written_is_refused_before_the_run(monkeypatch, capsys, tmp_path, place):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()

    def never(*_):
        raise AssertionError("it ran")

    monkeypatch.setattr(run_file, "simulate", never)
    assert main(["run", "--save", place]) == 2
    assert place in capsys.readouterr().err


def test_a_benchmark_that_lacks_a_program_says_how_to_get_it(monkeypatch, capsys):
    def missing(name):
        raise ModuleNotFoundError(f"No module named '{name}'", name="exudyn")

    monkeypatch.setattr("importlib.import_module", missing)
    assert main(["bench", "speed"]) == 1
    assert capsys.readouterr().err == (
        "This benchmark needs the package 'exudyn', which is not installed.\n"
        "Install what it measures with: pip install 'knuckleboom[peers]'\n"
    )


def test_times_may_be_text_or_bare_seconds():
    assert run_file.seconds("--for", "2") == 2.0
    assert run_file.seconds("--for", "1500ms") == 1.5
    assert run_file.seconds("--for", "0.5 min") == 30.0
    assert run_file.seconds("--for", None) is None


# --- a CSV file of chosen quantities ---


def test_columns_units_and_times_of_a_csv_file_are_chosen():
    words = ["--signals", "lift.*.pressure,foot.angle", "--units", "human", "--every", "500ms"]
    assert main(["run", "--no-plots", "--save", "out.csv", *words]) == 0

    with open("out.csv", encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert lines[1] == "time [s],lift.a.pressure [bar],lift.b.pressure [bar],foot.angle [deg]"
    assert [line.split(",")[0] for line in lines[2:]] == ["0", "0.5", "1"]


def test_only_a_csv_file_has_chosen_columns(capsys):
    assert main(["run", "--save", "out.nc", "--signals", "lift.*", "--every", "1ms"]) == 2
    assert capsys.readouterr().err == (
        "--signals and --every: only a CSV file has chosen columns and times; give --save a name such as run.csv.\n"
    )


def test_unknown_columns_are_refused_before_the_run(monkeypatch, capsys):
    monkeypatch.setattr(run_file, "simulate", lambda task, settings, bar, keeper: keeper(1, names(), made_up_run))
    assert main(["run", "--save", "out.csv", "--signals", "foot.angel"]) == 2
    assert capsys.readouterr().err == "No recorded quantity matches 'foot.angel'. Closest names: 'foot.angle'.\n"


def test_too_many_lines_leave_the_whole_record(capsys):
    assert main(["run", "--no-plots", "--save", "out.csv", "--every", "1ns"]) == 1
    assert "--every: 1e-09 s would make" in (said := capsys.readouterr().err)
    assert said.endswith("The file has the whole record instead.\n")
    with open("out.csv", encoding="utf-8") as file:
        assert len(file.readlines()) == 102
