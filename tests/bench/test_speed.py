# SPDX-License-Identifier: BSD-3-Clause
"""bench speed measures what it says; how fast the machine is, is not asserted here."""

import math

import pytest

from knuckleboom.bench import speed, start_time


@pytest.fixture(scope="module")
def measured():
    return speed.measure(rounds=1, starts=False)


@pytest.mark.slow
class TestSpeed:
    def test_counts(self, measured):
        counts = [measured[key] for key in ("bodies", "coordinates", "loop_equations", "dof")]
        assert counts == [30, 35, 8, 27]

    def test_keys(self, measured):
        assert list(measured) == [
            "bodies", "coordinates", "loop_equations", "dof", "evaluation_us", "rk4_step_us", "dense_rk4_step_us",
            "peers", "ratio_to_fastest_peer", "cold_start_s", "warm_start_s", "scaling", "scaling_exponent",
        ]  # fmt: skip
        assert [list(row) for row in measured["scaling"]] == [["bodies", "evaluation_us"]] * 4

    def test_every_peer_converged_and_keeps_its_loops(self, measured):
        assert [row["name"] for row in measured["peers"]] == ["MuJoCo", "Pinocchio", "Exudyn"]
        for row in measured["peers"]:
            assert row["step_us"] > 0.0 and row["setting"]
            assert row["constraint_error"] < 1e-5

    def test_ratio_is_of_the_fastest_peer(self, measured):
        fastest = min(row["step_us"] for row in measured["peers"])
        assert measured["ratio_to_fastest_peer"] == pytest.approx(fastest / measured["rk4_step_us"])

    def test_exponent_is_the_slope(self, measured):
        first, last = measured["scaling"][0], measured["scaling"][-1]
        ends = math.log(last["evaluation_us"] / first["evaluation_us"]) / math.log(last["bodies"] / first["bodies"])
        assert measured["scaling_exponent"] == pytest.approx(ends, abs=0.4)


def test_setting_that_is_wrong_along_the_motion_is_not_reported(monkeypatch):
    """MuJoCo's CG is right from a cold start and stops early from a warm one; it must not count, however fast."""

    class Fake:
        name = "Program"

        def __init__(self, setting, along):
            self.setting, self.along = setting, along

        def constraint_error(self):
            return 0.0

    monkeypatch.setattr(speed, "convergence", lambda peer, situation: (1e-5, peer.along))
    times = {"fast step": 1.0, "fast evaluation": 0.2, "slow step": 2.0, "slow evaluation": 0.5}

    (row,) = speed._fastest([Fake("fast", 1e-2), Fake("slow", 1e-9)], None, times)

    assert (row["step_us"], row["setting"].split(";")[0]) == (2.0, "slow")


def test_failed_process_is_reported():
    with pytest.raises(start_time.BenchError, match="'knuckleboom run no-such-machine' ended with 2"):
        start_time.start_times("no-such-machine")
