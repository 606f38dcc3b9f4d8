# SPDX-License-Identifier: BSD-3-Clause
"""A number and its unit that a shell took apart are one word again."""

import pytest

from knuckleboom.cli import main
from knuckleboom.cli.words import join_quantities


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("run excavator --for 2 s", ["run", "excavator", "--for", "2 s"]),
        ("run --for 2 s excavator", ["run", "--for", "2 s", "excavator"]),
        ("run --step .5 ms --record 1e1 ms --json", ["run", "--step", ".5 ms", "--record", "1e1 ms", "--json"]),
        ("run --for=2 s", ["run", "--for=2 s"]),
        ("run --for 2 seconds", ["run", "--for", "2 seconds"]),
        ("run --for 10 kg", ["run", "--for", "10 kg"]),
        ("run --set lift.bore=90 mm", ["run", "--set", "lift.bore=90 mm"]),
        ("run --input boom=0:0,2 s:0.5 x.yaml", ["run", "--input", "boom=0:0,2 s:0.5", "x.yaml"]),
        ("compare naya-rod --steps 5 ms,2 ms --within 5 min",
         ["compare", "naya-rod", "--steps", "5 ms,2 ms", "--within", "5 min"]),
        ("run --for 2s m", ["run", "--for", "2s", "m"]),
        ("run --for 2 excavator", ["run", "--for", "2", "excavator"]),
        ("drive --port 8361 x.yaml", ["drive", "--port", "8361", "x.yaml"]),
        ("check 2 s", ["check", "2", "s"]),
        ("s", ["s"]),
        ("", []),
    ],
)  # fmt: skip
def test_words(typed, meant):
    assert join_quantities(typed.split()) == meant


def test_a_run_takes_them_and_says_what_is_wrong_with_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = "run four-bar --for 2 ms --step 1 ms --record 1 ms --no-plots"
    assert main(words.split()) == 0
    capsys.readouterr()
    assert main(["run", "four-bar", "--for", "10", "kg"]) == 2
    assert capsys.readouterr().err.startswith("--for: 'kg' is a unit of mass, not of time")
