# SPDX-License-Identifier: BSD-3-Clause
"""Results and recordings as the player gets them."""

from pathlib import Path

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.cabin.played import load_played
from knuckleboom.catalogue import NAMES, Case
from knuckleboom.results import Results
from knuckleboom.results.files import FileError


def run(name: str = "naya-rod", seconds: float = 0.02) -> Results:
    case = NAMES[name]()
    return kb.simulate(case.machine, seconds, step=case.step, inputs=case.inputs, **case.method)


def test_results_of_a_catalogue_machine(tmp_path: Path) -> None:
    results = run()
    path = results.to_netcdf(tmp_path / "run.nc")
    known, record, inputs, counts = load_played(path)
    np.testing.assert_array_equal(record, results.record)
    assert known.name == "naya-rod" and known.title == "run of 'naya-rod' from run.nc"
    assert [gauge.title for gauge in known.dashboard.gauges]
    assert counts == {"steps": results.meta["steps"], "corrected": None, "halved": None, "unresolved": None}
    assert "energy.residual" in known.columns  # also what a run adds to the record
    assert len(known.complete(record[0])) == record.shape[1] + len(known.dashboard.signals)
    for number, one in zip(inputs, known.inputs, strict=True):
        assert known.columns[f"{one['name']}.input"] == number
        assert one["low"] <= one["rest"] <= one["high"]


def test_results_of_an_unknown_machine_play_without_gauges(tmp_path: Path) -> None:
    results = run()
    results.meta["machine"] = "my own"
    path = results.to_netcdf(tmp_path / "run.nc")
    known, *_ = load_played(path)
    assert known.dashboard.gauges == [] and known.scene["bodies"]

    # with its machine they are there
    known, *_ = load_played(path, lambda: NAMES["naya-rod"]())
    assert known.dashboard.gauges

    def other() -> Case:
        return NAMES["crane-one-cylinder"]()

    with pytest.raises(FileError, match="a run of 'my own' with other quantities"):
        load_played(path, other)


def test_counts_of_a_realtime_run(tmp_path: Path) -> None:
    results = run("crane-one-cylinder")
    results.meta |= {"corrected_steps": 3, "halved_steps": 1}
    *_, counts = load_played(results.to_netcdf(tmp_path / "run.nc"))
    assert counts == {"steps": results.meta["steps"], "corrected": 3, "halved": 1, "unresolved": 0}


def test_empty_results(tmp_path: Path) -> None:
    results = run()
    path = Results(results.names, results.record[:0], results.meta).to_netcdf(tmp_path / "run.nc")
    with pytest.raises(FileError, match="nothing was recorded"):
        load_played(path)


def test_machine_changed_since(tmp_path: Path) -> None:
    """A catalogue machine of that name with other quantities: gauges might point anywhere, so there are none."""
    results = run("crane-one-cylinder")
    results.meta["machine"] = "naya-rod"
    known, *_ = load_played(results.to_netcdf(tmp_path / "run.nc"))
    assert known.dashboard.gauges == []
