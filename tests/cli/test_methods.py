# SPDX-License-Identifier: BSD-3-Clause
"""The words of a method: from methods.TABLE to the command line, its lists and documents. There is no second list."""

from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from cli.command_line import document, knuckleboom
from knuckleboom import methods
from knuckleboom.catalogue import NAMES
from knuckleboom.cli import main
from knuckleboom.cli.commands.list import choices_of
from knuckleboom.cli.commands.run import words_of
from knuckleboom.cli.machines import Task, find_task
from knuckleboom.engine.run import INTEGRATORS, RUNS
from knuckleboom.errors import MachineError
from knuckleboom.mechanics.accelerations import ENFORCEMENTS, FACTORISATIONS
from knuckleboom.names import Names
from knuckleboom.results import Results, load

ARCHITECTURE = Path(__file__).parents[2] / "ARCHITECTURE.md"


def test_every_word_of_the_table_can_be_carried_out():
    assert set(methods.choices("coupling")) == set(RUNS)
    assert set(methods.choices("integrator")) == set(INTEGRATORS)
    assert set(methods.choices("enforcement")) >= set(ENFORCEMENTS)
    assert set(methods.choices("factorisation")) == set(FACTORISATIONS)


def test_list_methods_is_the_table():
    listed = document("list", "methods")["methods"]

    assert [row["coupling"] for row in listed] == [row.coupling for row in methods.TABLE]
    for row, combination in zip(listed, methods.TABLE, strict=True):
        assert row["integrators"] == list(combination.integrator)
        assert row["meaning"] == combination.meaning
    text = knuckleboom("list", "methods").stdout
    assert all(word in text for name in methods.WORDS for word in methods.choices(name))


def test_the_architecture_shows_the_table():
    headings = [word.replace("_", " ") for word in methods.WORDS]
    lines = [f"| {' | '.join(headings)} | meaning |", f"|{'---|' * (len(methods.WORDS) + 1)}"]
    for row in methods.TABLE:
        words = (", ".join(f"`{value}`" for value in choices_of(row, word)) for word in methods.WORDS)
        lines.append(f"| {' | '.join(words)} | {row.meaning} |")
    table = "\n".join(lines)

    assert table in ARCHITECTURE.read_text(encoding="utf-8"), f"ARCHITECTURE.md should have:\n{table}"


def test_words_that_exclude_each_other_are_named():
    with pytest.raises(MachineError) as error:
        methods.Method.choose(enforcement="lagrange", factorisation="conjugate-gradients")

    rule = "coupling 'explicit' and enforcement 'lagrange' do not go with factorisation 'conjugate-gradients'."
    assert [problem.rule for problem in error.value.problems] == [rule]


def test_words_that_do_not_go_together_are_refused_with_the_nearest_that_do(tmp_path):
    words = ("run", "naya-rod", "--coupling", "unified", "--integrator", "rk4")
    done = knuckleboom(*words, folder=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "1 problem in the method\n\n"
        "1. coupling 'unified' does not go with integrator 'rk4'.\n"
        "   The nearest that does: coordinates relative, coupling unified, integrator trapezoidal, enforcement index3, "
        "factorisation dense, jumps reinitialised.\n"
    )
    assert document(*words, folder=tmp_path, code=2)["error"]["problems"][0]["rule"].startswith("coupling 'unified'")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("own", "given", "chosen"),
    [
        ({}, {}, "explicit rk4 lagrange"),
        ({"enforcement": "augmented"}, {}, "explicit rk4 augmented"),
        ({"enforcement": "augmented"}, {"integrator": "semi-implicit-euler"}, "explicit semi-implicit-euler augmented"),
        ({"enforcement": "augmented"}, {"coupling": "realtime"}, "realtime fw2 lagrange"),
        ({"coupling": "realtime"}, {"integrator": "lie"}, "realtime lie lagrange"),
        ({"coupling": "realtime"}, {"coupling": "unified"}, "unified trapezoidal index3"),
        ({"coupling": "realtime"}, {"integrator": "rk4"}, "explicit rk4 lagrange"),
    ],
)
def test_own_words_of_a_machine_hold_as_long_as_they_go_with_those_given(own, given, chosen):
    machine = kb.Machine("of no oil")
    words = words_of(Task("own", machine, machine.case("own", method=own)), given)

    assert " ".join(words[word] for word in ("coupling", "integrator", "enforcement")) == chosen


def test_wrong_words_of_a_case_are_refused_when_it_is_made():
    with pytest.raises(MachineError, match="there is no coupling 'unfied'"):
        kb.Machine("of no oil").case("own", method={"coupling": "unfied"})


@pytest.mark.parametrize("name", NAMES)
def test_own_words_of_the_catalogue_go_together(name):
    own = NAMES[name]().method

    words = words_of(find_task(name), {})

    assert {word: words[word] for word in own} == dict(own)


def run_of(*words, folder, code=0):
    return document(
        "run", "naya-rod", "--for", "20 ms", "--step", "2 ms", "--no-plots", *words, folder=folder, code=code
    )


@pytest.mark.slow
def test_the_words_of_a_run(tmp_path):
    data = run_of("--coupling", "realtime", "--coordinates", "reference-point", "--save", "run.nc", folder=tmp_path)

    words = ["reference-point", "realtime", "fw2", "lagrange", "sparse"]
    assert [data[word] for word in methods.WORDS] == words + [None] * (len(methods.WORDS) - len(words))
    assert load(tmp_path / "run.nc").meta["coordinates"] == "reference-point"
    assert (data["status"], data["power_step"]) == ("done", None)


@pytest.mark.slow
def test_numbers_of_a_method(tmp_path):
    words = ("--coupling", "unified", "--spectral-radius", "0", "--penalty", "1e8")
    data = run_of(*words, folder=tmp_path)

    assert (data["integrator"], data["spectral_radius"], data["penalty"]) == ("generalised-alpha", 0.0, 1e8)
    error = run_of("--spectral-radius", "1.2", folder=tmp_path, code=2)["error"]
    assert "spectral_radius 1.2 is not between 0 (damps most) and 1 (damps nothing)." in error["message"]


@pytest.mark.slow
def test_the_words_of_a_cointegrated_run(tmp_path):
    words = (
        "--coupling",
        "cointegrated",
        "--power-integrator",
        "euler",
        "--power-step",
        "0.2 ms",
        "--jumps",
        "published",
    )
    data = run_of(*words, folder=tmp_path)

    assert [data[word] for word in ("power_integrator", "jumps")] == ["euler", "published"]
    assert data["power_step"] == pytest.approx(2e-4)
    error = run_of("--coupling", "unified", "--power-step", "1 ms", folder=tmp_path, code=2)["error"]
    assert "coupling 'unified' has no power_step" in error["message"]


@pytest.mark.slow
def test_cylinders_follow_an_earlier_run(tmp_path):
    earlier, kept = tmp_path / "oil.nc", tmp_path / "kinematic.nc"
    run_of("--step", "0.1 ms", "--save", str(earlier), folder=tmp_path)

    data = run_of("--coupling", "kinematic", "--from", str(earlier), "--save", str(kept), folder=tmp_path)

    assert (data["status"], data["coupling"]) == ("done", "kinematic")
    oil, held = load(earlier), load(kept)
    assert held["lift.length"].values == pytest.approx(oil["lift.length"].at(held.time), abs=1e-9)
    assert not held.find("*.pressure")


@pytest.mark.slow
def test_a_run_does_not_replace_the_one_it_follows(tmp_path):
    earlier = tmp_path / "oil.nc"
    run_of("--step", "0.1 ms", "--save", str(earlier), folder=tmp_path)
    before = earlier.read_bytes()
    words = ("--coupling", "kinematic", "--from", str(earlier), "--save", str(earlier))
    error = run_of(*words, folder=tmp_path, code=2)["error"]

    assert "which --from reads; give --save another file." in error["message"]
    assert earlier.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--from", "run.nc"), "--from gives lengths to follow, which only --coupling kinematic does"),
        (("--coupling", "kinematic", "--from", "no.nc"), "--from: "),
        (("--coupling", "kinematic", "--from", "run.nc"), "'run.nc' is a run of 'rod' and has no lift.length."),
    ],
)
def test_what_cannot_be_followed_is_said(tmp_path, monkeypatch, capsys, words, told):
    monkeypatch.chdir(tmp_path)
    names = Names()
    names.add("rod.angle", "rad", "angle", 1)
    Results(names, np.zeros((2, 2)), {"machine": "rod"}).to_netcdf("run.nc")

    assert main(["run", "naya-rod", *words]) == 2
    assert told in capsys.readouterr().err
