# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom report`: a result file becomes a page; what is wrong with the files is a sentence and exit code 2."""

import json

import pytest

from knuckleboom.cli import main
from results.made_up_run import made_up_run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made_up_run().to_netcdf("run.nc")
    (tmp_path / "data.csv").write_text("time [s],lift.a.pressure [bar]\n0.25,76.75\n0.75,75.25\n")
    return tmp_path


def test_beside_the_results_unless_told_otherwise(folder, capsys):
    assert main(["report", "run.nc"]) == 0
    assert capsys.readouterr().out == "report    run.html\n"
    assert (folder / "run.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert main(["report", "run.nc", "--save", "deep/x.html"]) == 0
    assert (folder / "deep" / "x.html").is_file()


def test_measured_data_is_compared(capsys):
    assert main(["report", "run.nc", "--measured", "data.csv"]) == 0
    assert "1.118" in capsys.readouterr().out
    assert main(["report", "run.nc", "--measured", "data.csv", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["measured"] == [
        {"name": "lift.a.pressure", "unit": "bar", "points": 2, "compared": 2, "rms": pytest.approx(1.25**0.5),
         "max": pytest.approx(-1.5), "max_time": 0.75}
    ]  # fmt: skip
    assert data["animation"] is False  # the made-up run has no outline


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.nc"], "There is no result file 'nothing.nc'."),
        (["data.csv"], "'data.csv' is a table over time, not a file with results."),
        (["run.nc", "--save", "."], "is a folder"),
        (["run.nc", "--save", "run.nc"], "is the result file itself"),
        (["run.nc", "--measured", "none.csv"], "cannot be read: no such file"),
        ([], "RESULTS"),
    ],
)
def test_what_cannot_be_used_is_refused(capsys, words, said):
    assert main(["report", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_bad_table_is_answered_with_all_its_lines(folder, capsys):
    (folder / "bad.csv").write_text("time [s],lift.a.presure [bar]\n0,1\n0,x\n")
    assert main(["report", "run.nc", "--measured", "bad.csv", "--json"]) == 2
    problems = json.loads(capsys.readouterr().out)["error"]["problems"]
    assert [problem["lines"] for problem in problems] == [[1, 1], [3, 3], [3, 3]]
    assert problems[0]["closest"][0] == "lift.a.pressure"
