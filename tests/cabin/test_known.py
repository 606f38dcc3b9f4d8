# SPDX-License-Identifier: BSD-3-Clause
"""What clients are told of a machine: plain JSON of a bearable size, with columns where the record has them."""

import json
import pickle

import numpy as np
import pytest

from cabin.lines import COMPLETE, planned, start
from knuckleboom.cabin.facts import facts, reach
from knuckleboom.cabin.known import Known
from knuckleboom.simulation.live import LiveRun, realtime_words


def known(name: str) -> Known:
    case, _ = planned(name)
    live = LiveRun(case.machine, step=case.step, **realtime_words(case.method))
    told = facts(live, reach(case))
    return Known.of(told, told["dashboard"], width=len(start(name)), title=case.meaning)


@pytest.mark.parametrize("name", COMPLETE)
def test_hello_is_plain_and_complete(name: str) -> None:
    case, plan = planned(name)
    found = known(name)
    hello = json.loads(json.dumps(found.hello(), allow_nan=False))
    assert len(json.dumps(hello)) < 1_000_000
    assert hello["machine"] == case.machine.name and hello["title"] == case.meaning
    assert len(hello["signals"]) == len(found.columns) == len({one["path"] for one in hello["signals"]})
    assert set(hello["scene"]["bodies"]) == {body.name for body in case.machine.bodies()} - {"ground"}
    assert {gauge["path"] for gauge in hello["gauges"]} <= set(found.columns)
    assert len(pickle.loads(pickle.dumps(found)).signals) == len(found.signals)


@pytest.mark.parametrize("name", COMPLETE)
def test_columns_are_where_the_record_has_them(name: str) -> None:
    _, plan = planned(name)
    found, line = known(name), start(name)
    whole = found.complete(line)
    labels = plan.names.column_labels()
    for path, column in found.columns.items():
        if not path.startswith("dashboard."):
            assert labels[column] == path
    assert len(whole) == len(line) + len(found.dashboard.signals)
    for signal, value in zip(found.dashboard.signals, found.dashboard.compute(line), strict=True):
        assert whole[found.columns[signal["path"]]] == value
    for body, columns in zip(found.scene["bodies"], found.poses, strict=True):
        x, w = plan.names[f"{body}.position"].columns[0], plan.names[f"{body}.orientation"].columns[0]
        assert (columns[0], columns[3]) == (x, w)
        assert np.linalg.norm(line[columns[3:]]) == pytest.approx(1.0)
