# SPDX-License-Identifier: BSD-3-Clause
"""Quantity: interpolation against closed forms, conversion, use as an array."""

import numpy as np
import pytest

from results.made_up_run import made_up_run


def test_at_is_exact_at_recorded_times_and_linear_between():
    run = made_up_run()
    angle = run["foot.angle"]
    assert angle.at(run.time[37]) == angle.values[37]
    assert angle.at(0.0) == angle.values[0] and angle.at(1.0) == angle.values[-1]
    assert angle.at(0.505) == pytest.approx((np.sin(0.50) + np.sin(0.51)) / 2, rel=1e-14)
    assert angle.at(0.505) == pytest.approx(np.sin(0.505), abs=0.01**2 / 8)
    assert isinstance(angle.at(0.3), float)


def test_at_several_times_and_for_vectors():
    run = made_up_run()
    assert run["lift.length"].at([0.0, 0.5, 1.0]) == pytest.approx([0.6, 0.65, 0.7])
    tip = run["boom.tip.position"].at(0.505)
    assert tip.shape == (3,)
    assert tip == pytest.approx([2 * np.cos(np.sin(0.505)), 0.0, 2 * np.sin(np.sin(0.505))], abs=1e-4)
    assert run["boom.tip.position"].at([0.1, 0.2]).shape == (2, 3)
    np.testing.assert_array_equal(run["boom.tip.position"].at(1.0), run["boom.tip.position"].values[-1])


def test_a_quaternion_between_records_keeps_length_one_and_goes_the_short_way():
    run = made_up_run()
    run.record[51:, 9:13] *= -1.0  # q and −q are one orientation
    between = run["boom.orientation"].at(0.505)
    assert np.linalg.norm(between) == pytest.approx(1.0, abs=1e-15)
    half = np.sin(0.505) / 2
    assert between == pytest.approx([np.cos(half), 0.0, np.sin(half), 0.0], abs=1e-5)


def test_outside_the_run_is_refused_with_its_limits():
    with pytest.raises(ValueError, match=r"'foot\.angle' is recorded from 0 s to 1 s; 1\.5 s is outside\."):
        made_up_run()["foot.angle"].at([0.5, 1.5])
    with pytest.raises(ValueError, match="outside"):
        made_up_run()["foot.angle"].at(float("nan"))


def test_a_time_may_be_text():
    run = made_up_run()
    assert run["lift.length"].at("500 ms") == pytest.approx(0.65)


def test_to_another_unit():
    run = made_up_run()
    bar = run["lift.a.pressure"].to("bar")
    assert bar.unit == "bar"
    assert bar.values == pytest.approx(76.0 + run.time)
    assert bar.at(0.5) == pytest.approx(76.5)
    assert bar.to("Pa").values == pytest.approx(run["lift.a.pressure"].values)
    assert run["spool.PA.flow"].to("l/min").at(1.0) == pytest.approx(60.0)
    assert run["foot.angle"].to("deg").at(1.0) == pytest.approx(np.degrees(np.sin(1.0)))
    assert run["boom.tip.position"].to("mm").values.shape == (101, 3)


def test_to_a_unit_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="bar"):
        made_up_run()["foot.angle"].to("bar")


def test_behaves_as_an_array():
    angle = made_up_run()["foot.angle"]
    assert np.max(angle) == np.sin(1.0)
    assert len(angle) == 101
    assert (np.asarray(angle) + 1.0)[0] == 1.0


def test_data_is_a_labelled_array():
    data = made_up_run()["boom.tip.position"].data
    assert data.dims == ("time", "xyz")
    assert data.attrs["units"] == "m"
    assert float(data.sel(time=0.0, xyz="x")) == 2.0
    assert made_up_run()["pin.residual"].data.dims == ("time", "pin.row")


def test_repr_says_what_it_is():
    assert repr(made_up_run()["foot.angle"]) == "<foot.angle [rad], 101 values: angle of joint foot>"
