# SPDX-License-Identifier: BSD-3-Clause
"""bench library reports what it says, in order, and says so where something fails; its figures are in validation/."""

import numpy as np
import pytest

from cli.command_line import document
from knuckleboom.bench import library
from knuckleboom.catalogue import NAMES

ANDREWS = next(problem for problem in library.PROBLEMS if problem.name == "andrews")
ASKED = ["problem", "step_ms", "cpu_ms", "energy_drift", "position_error"]


@pytest.fixture(scope="module")
def measured():
    return library.measure(rounds=1, problems=[ANDREWS])


def test_every_mechanism_is_measured():
    """Machines with oil have benchmarks of their own."""
    kinds = {name: {part.KIND for part in make().machine.parts.values()} for name, make in NAMES.items()}
    with_oil = {name for name, found in kinds.items() if "oil" in found}
    assert {problem.name for problem in library.PROBLEMS} >= set(NAMES) - with_oil


def test_keys(measured):
    (row,) = measured["problems"]
    assert set(ASKED) <= set(row)
    assert list(row["final"]) == ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"]
    assert row["cpu_ms"] > 0.0 and row["step_ms"] == pytest.approx(0.01)


def test_every_enforcement_is_tried(measured):
    assert [row["enforcement"] for row in measured["enforcements"]] == ["lagrange", "penalty", "augmented", "index3"]


@pytest.mark.slow
@pytest.mark.parametrize("name", library.INDEX3)
def test_index3_at_10_ms_for_10_s(name):
    """Through singular poses, and with a redundant equation; 0.1 J is what the IFToMM library asks for."""
    problem = next(problem for problem in library.PROBLEMS if problem.name == name)
    found = library.index3_runs(problem, NAMES[name]())
    assert [row["coordinates"] for row in found] == ["relative", "reference-point", "natural"]
    for row in found:
        assert (row["step_ms"], row["status"]) == (10.0, "done")
        assert row["energy_drift"] < (0.1 if name == "n-four-bar" else 0.002), row["coordinates"]


def test_a_failure_is_a_row():
    """A step that is far too large ends in numbers that are no longer finite, and the row says so."""
    machine = NAMES["andrews"]().machine
    hasty = machine.case("hasty", duration=30.0, step=0.1, meaning="too hasty")
    row = library.attempt(ANDREWS, hasty, np.zeros((library.RECORDS + 1, 3)), enforcement="lagrange")
    assert row["status"].startswith("failed after") and row["position_error"] is None


@pytest.mark.slow
def test_a_machine_may_name_its_method(tmp_path):
    data = document("run", "bricard", "--for", "10 ms", "--no-plots", folder=tmp_path)
    assert data["enforcement"] == "augmented"
    data = document("run", "bricard", "--for", "10 ms", "--no-plots", "--enforcement", "penalty", folder=tmp_path)
    assert data["enforcement"] == "penalty"
