# SPDX-License-Identifier: BSD-3-Clause
"""The words of a method: from methods.TABLE to the command line, its lists and documents. There is no second list."""

from pathlib import Path

import pytest

from cli.command_line import document, knuckleboom
from knuckleboom import methods
from knuckleboom.catalogue import NAMES
from knuckleboom.cli.commands.list import values
from knuckleboom.cli.commands.run import method_words
from knuckleboom.engine.run import INTEGRATORS, RUNS
from knuckleboom.errors import MachineError
from knuckleboom.mechanics.accelerations import ENFORCEMENTS, FACTORISATIONS

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
    lines = [f"| {' | '.join(methods.WORDS)} | meaning |", f"|{'---|' * (len(methods.WORDS) + 1)}"]
    for row in methods.TABLE:
        words = (", ".join(f"`{value}`" for value in values(row, word)) for word in methods.WORDS)
        lines.append(f"| {' | '.join(words)} | {row.meaning} |")
    table = "\n".join(lines)

    assert table in ARCHITECTURE.read_text(encoding="utf-8"), f"ARCHITECTURE.md should have:\n{table}"


def test_words_that_do_not_go_together_are_refused_with_the_nearest_that_do(tmp_path):
    words = ("run", "naya-rod", "--coupling", "unified", "--integrator", "rk4")
    done = knuckleboom(*words, folder=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "1 problem in the method\n\n"
        "1. coupling 'unified' does not go with integrator 'rk4'.\n"
        "   The nearest that does: coupling unified, integrator trapezoidal, enforcement index3, factorisation dense.\n"
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
    words = method_words(own, given)

    assert " ".join(words[word] for word in methods.WORDS[:3]) == chosen


def test_a_machine_with_wrong_words_is_told_also_when_others_are_given():
    with pytest.raises(MachineError, match="There is no coupling 'unfied'"):
        method_words({"coupling": "unfied"}, {"coupling": "realtime"})


@pytest.mark.parametrize("name", NAMES)
def test_own_words_of_the_catalogue_go_together(name):
    own = NAMES[name]().method

    words = method_words(own, {})

    assert {word: words[word] for word in own} == dict(own)


def test_the_coupling_of_a_run(tmp_path):
    words = ("run", "naya-rod", "--for", "20 ms", "--step", "2 ms", "--no-plots", "--save", "run.nc")
    data = document(*words, "--coupling", "realtime", folder=tmp_path)

    assert [data[word] for word in methods.WORDS] == ["realtime", "fw2", "lagrange", "sparse"]
    assert data["status"] == "done"
