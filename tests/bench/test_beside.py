# SPDX-License-Identifier: BSD-3-Clause
"""tools/beside.py: two trees are measured in turns, each with its own knuckleboom; here both are this one."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def beside(*words):
    command = [sys.executable, str(ROOT / "tools" / "beside.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_steps_and_cranes_of_a_tree_beside_itself():
    words = ("--machines", "crane-one-cylinder", "--samples", "2", "--seconds", "0.2", "--step", "2ms", "--cranes", "1")
    done = beside(str(ROOT), str(ROOT), "--parts", "step,cranes", *words, "--json")
    assert done.returncode == 0, done.stderr

    data = json.loads(done.stdout)
    (row,) = data["machines"]
    assert (data["status"], data["samples"], data["step_ms"]) == ("done", 2, 2.0) and row[
        "machine"
    ] == "crane-one-cylinder"
    assert row["change_percent"] == pytest.approx(100.0 * (row["new_us"] / row["old_us"] - 1.0))
    assert row["old_spread_percent"] >= 0.0 and row["old_us"] > 0.0
    assert data["cranes"]["old"] == data["cranes"]["new"] and data["cranes"]["new"]["realtime"]["counted"] == 1
    assert "compile" not in data and "step: sample 2 of 2, new" in done.stderr


@pytest.mark.slow
def test_bytes_of_a_tree_beside_itself():
    done = beside(
        str(ROOT), str(ROOT), "--parts", "bytes", "--machines", "crane-one-cylinder", "--methods", "relative", "--json"
    )
    assert done.returncode == 0, done.stderr

    found = json.loads(done.stdout)["bytes"]
    assert found["different"] == found["in_one_tree"] == [] and found["ended_early"] == 0
    assert found["equal"] > 20


def imported():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return importlib.import_module("beside")
    finally:
        sys.path.pop(0)


def test_what_differs_is_named():
    beside = imported()
    old = {"ended": "", "record": {"lift.length": "a", "same": "a"}, "state": {"q": "b", "v": "c", "gone": "d"}}
    record = {"lift.length": "e", "same": "a", "new": "a"}
    new = {"ended": "", "record": record, "state": {"q": "b", "v": "f", "more": "g"}}
    assert beside.differing(old, old) == []
    assert beside.differing(old, new) == ["lift.length", "state.v"]
    data = {"bytes": {"equal": 1, "different": [{"machine": "m", "method": "way", "fields": ["record"]}],
                      "in_one_tree": ["m other"], "ended_early": 0}}  # fmt: skip
    assert "\n".join(beside.lines(data)).splitlines() == [
        "bytes: 1 of 2 runs are equal (0 of them end early in both)", "  m, way: record", "  in one tree only: m other",
    ]  # fmt: skip


def test_numbers_for_people():
    beside = imported()
    compared = beside.compare_samples({"old": [2.0, 2.2, 2.1, 2.4], "new": [3.0, 3.0, 3.3, 3.6]}, "us")
    assert compared == pytest.approx(
        {"old_us": 2.0, "old_spread_percent": 5.0, "new_us": 3.0, "new_spread_percent": 0.0, "change_percent": 50.0}
    )
    crane = {"median_mrad": 0.1, "p90_mrad": 1.0, "worst_mrad": 3.0, "worst_seed": 7, "counted": 48}
    lever = {"machine": "excavator", "step_ms": 2.0, "worst_mm": None, "worst_bar": None, "within": 0, "seeds": 1}
    cranes = {"realtime": crane, "unified": crane}
    data = {
        "machines": [{"machine": "excavator", **compared}],
        "cranes": {"new": cranes},
        "levers": {"new": {"summary": [lever]}},
    }
    text = "\n".join(beside.lines(data))
    assert "+50.0 %" in text and "90 % 1" in text and "of 48" in text and "0 of 1" in text


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("/nowhere", str(ROOT)), "'/nowhere' is no work tree: it has no src/knuckleboom"),
        ((str(ROOT), str(ROOT), "--parts", "bytes,time"), "'time' is none of bytes, step, compile, cranes, levers"),
        ((str(ROOT), str(ROOT), "--step", "1kg"), "'1kg' is not a time such as 1ms"),
    ],
)
def test_wrong_words(words, text):
    done = beside(*words)
    assert done.returncode == 2 and text in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("part", ["bytes", "step"])
def test_an_unknown_machine_is_told_with_its_tree(part):
    done = beside(str(ROOT), str(ROOT), "--parts", part, "--machines", "excavatr", "--samples", "1")
    assert done.returncode == 1 and "There is no machine 'excavatr' in the catalogue of this tree." in done.stderr
    assert f"failed with the tree {ROOT}" in done.stderr and "Traceback" not in done.stderr
