# SPDX-License-Identifier: BSD-3-Clause
"""bench harvester reports what it says: on the first tenths of a second, without judging any cost."""

import pytest

from knuckleboom.bench import harvester
from knuckleboom.bench.harvester import Contestant

ASKED = ["coupling", "step_ms", "step_us", "real_time_factor", *harvester.ERRORS]
FEW = [Contestant("realtime", "fw2", 5e-4), Contestant("realtime", "fw2", 2e-3)]


@pytest.fixture(scope="module")
def measured():
    return harvester.measure(rounds=1, duration=0.4, contestants=FEW)


def test_every_coupling_is_measured_at_several_steps():
    couplings = [one.coupling for one in harvester.CONTESTANTS]
    assert all(couplings.count(name) >= 3 for name in ("realtime", "unified", "explicit"))


@pytest.mark.slow
def test_keys_and_sizes(measured):
    fine, coarse = measured["runs"]

    assert set(ASKED) <= set(fine)
    assert fine["real_time_factor"] == pytest.approx(500.0 / fine["step_us"])
    for key in harvester.ERRORS:
        assert 0.0 < fine[key] < coarse[key]
    assert measured["order"]["head"] > 1.5 and measured["reference"]["stroke_difference_mm"] < 1e-4


def test_a_failure_has_no_errors():
    assert harvester.compare(None, {}) == dict.fromkeys(harvester.ERRORS)
