# SPDX-License-Identifier: BSD-3-Clause
"""bench ylinen: rests by the closed form, a start without transient, and what three actuators make of one flow."""

import pytest

from knuckleboom.bench import ylinen

pytestmark = pytest.mark.slow
DURATION = 3.6  # s: the flow stops at 2.5 s


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    return tmp_path_factory.mktemp("ylinen") / "ylinen.png"


@pytest.fixture(scope="module")
def measured(picture):
    return ylinen.measure(duration=DURATION, figure=picture)


def boom(measured, actuator):
    return next(row for row in measured["boom"] if row["actuator"] == actuator)


def test_rests_by_the_closed_form(measured):
    """Rank: closed form; Newton goes on to rounding."""
    resting = [row for row in measured["at_rest"] if row["rests"]]
    assert len(resting) == len(ylinen.SHARES)
    for row in resting:
        assert row["pressure"] == pytest.approx(row["pressure_exact"], rel=1e-9)
        assert row["friction"] == pytest.approx(row["friction_exact"], abs=1e-5)  # N, of a load of 20 kN
        assert row["bend"] == pytest.approx(row["bend_exact"], abs=1e-12)
        assert row["drift"] < 1.0 and row["moved"] < 1e-9


def test_beyond_breakaway_nothing_rests(measured):
    (refused,) = (row for row in measured["at_rest"] if not row["rests"])
    assert abs(refused["friction_exact"]) > measured["breakaway"]
    assert refused["pressure"] is None and refused["drift"] is None


def test_from_rest_there_is_no_start_transient(measured):
    balanced, unbalanced = measured["motion"]
    assert balanced["start"] == "equilibrium" and balanced["peak_acceleration_before"] < 1e-6
    assert unbalanced["peak_acceleration_before"] > 1.0
    assert unbalanced["peak_acceleration"] > 3.0 * balanced["peak_acceleration"]


def test_a_driven_constraint_does_what_the_flow_says(measured):
    # the table of its motion has a point every 10 ms, with a spline between
    assert boom(measured, "driven constraint")["length_off_mm"] < 1e-3
    assert boom(measured, "driven constraint")["vibration_after"] < 1e-3


def test_the_rod_rings_at_the_boom_s_own_frequency(measured):
    """Closed form at the start pose; the lever is another one where the boom stops, by some per cent."""
    rod = boom(measured, "length-controlled rod")
    assert rod["frequency"] == pytest.approx(measured["own_frequency"], rel=0.1)


def test_the_cylinder_rings_lower_and_dies_away(measured):
    """Its oil column is longer where the boom stops, and its seals and its drained side take energy."""
    rod, cylinder = boom(measured, "length-controlled rod"), boom(measured, "cylinder element")
    assert cylinder["vibration_after"] < 0.5 * rod["vibration_after"]
    assert cylinder["length_off_mm"] > 0.1


def test_the_picture_is_written(measured, picture):
    assert picture.stat().st_size > 10_000 and measured["figure"] == str(picture)
    assert measured["sentence"].count(".") == 1 and measured["sentence"].endswith(".")
