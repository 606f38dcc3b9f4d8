# SPDX-License-Identifier: BSD-3-Clause
"""`info` and `modes` say of which state their frequencies are, and with which inputs, for people and with --json."""

import json

import pytest

from knuckleboom.cli import main

PENDULUM = """\
knuckleboom: 1
machine: pendulum
bodies: {rod: {mass: 2 kg, com: [1, 0, 0], inertia: [0.1, 0.1, 0.1]}}
joints: {foot: {kind: revolute, a: ground, b: rod, axis: y, start: 80 deg}}
efforts: {push: {joint: foot}}
cases: {push: {duration: 1 s, inputs: {push: 1 N*m}}}
"""
AT_REST = "at the equilibrium, where the machine rests, with inputs"
AT_START = "at the machine's own start, with inputs"


@pytest.fixture(autouse=True)
def _pendulum(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pendulum.yaml").write_text(PENDULUM, encoding="utf-8")


def said(capsys, *words):
    assert main([*words]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("info",), f"They are those {AT_REST} at their own values; knuckleboom modes has those at the start."),
        (("info", "--case", "push"), f"They are those {AT_REST} as case 'push' begins; "),
        (("modes",), f"They are those {AT_START} as case 'push' begins; --equilibrium has those where it rests"),
        (("modes", "--equilibrium"), f"They are those {AT_REST} as case 'push' begins."),
    ],
    ids=lambda item: " ".join(item) if isinstance(item, tuple) else "",
)
def test_for_people(capsys, words, text):
    assert text in said(capsys, words[0], "pendulum.yaml", *words[1:])


def test_as_data(capsys):
    info = json.loads(said(capsys, "info", "pendulum.yaml", "--json"))["frequencies"]
    assert (info["at"], info["case"]) == ("equilibrium", None)
    start = json.loads(said(capsys, "modes", "pendulum.yaml", "--json"))
    rest = json.loads(said(capsys, "modes", "pendulum.yaml", "--equilibrium", "--json"))
    assert [(one["at"], one["case"]) for one in (start, rest)] == [("start", "push"), ("equilibrium", "push")]
    # at 80° the pendulum is almost upside down or hanging: the states differ, and so do their frequencies
    assert info["modes"][0]["frequency_hz"] != pytest.approx(start["modes"][0]["frequency_hz"], rel=1e-3)
