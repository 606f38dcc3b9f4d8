# SPDX-License-Identifier: BSD-3-Clause
"""Results: lookup by name, components, the Dataset, records that are not finite."""

import numpy as np
import pytest
import xarray

from knuckleboom.names import UnknownName
from knuckleboom.results import Results
from results.made_up_run import META, made_up_run, names, record


def test_a_quantity_by_name_has_unit_and_meaning():
    run = made_up_run()
    pressure = run["lift.a.pressure"]
    assert pressure.unit == "Pa"
    assert pressure.meaning == "pressure at port a of cylinder lift, absolute"
    np.testing.assert_array_equal(pressure.values, 76e5 + 1e5 * run.time)
    np.testing.assert_array_equal(pressure.time, run.time)


def test_a_wrong_name_answers_with_the_closest():
    with pytest.raises(UnknownName, match=r"Closest names: 'lift\.a\.pressure', 'lift\.b\.pressure'"):
        made_up_run()["lift.a.presure"]


def test_one_component_of_a_vector():
    run = made_up_run()
    z = run["boom.tip.position.z"]
    np.testing.assert_array_equal(z.values, run["boom.tip.position"].values[:, 2])
    assert z.meaning == "position of point tip of body boom in the world, z"
    with pytest.raises(UnknownName):
        run["boom.tip.position.w"]
    with pytest.raises(UnknownName):
        run["boom.tip.position."]


def test_find_and_iterate():
    run = made_up_run()
    assert [quantity.path for quantity in run.find("*.pressure")] == ["lift.a.pressure", "lift.b.pressure"]
    assert list(run) == names().paths
    assert "foot.angle" in run and "foot.angel" not in run


def test_dataset_has_units_meaning_and_dimensions():
    data = made_up_run().dataset
    assert isinstance(data, xarray.Dataset)
    assert set(data.sizes) == {"time", "xyz", "wxyz", "pin.row"}
    assert data["boom.tip.position"].dims == ("time", "xyz")
    assert data["boom.orientation"].dims == ("time", "wxyz")
    assert data["pin.residual"].dims == ("time", "pin.row")
    assert list(data["xyz"].values) == ["x", "y", "z"]
    assert data["lift.a.pressure"].attrs == {
        "units": "Pa",
        "long_name": "pressure at port a of cylinder lift, absolute",
    }
    assert data.attrs["machine"] == "lifting boom"
    assert float(data["lift.a.pressure"].sel(time=0.5)) == 76.5e5


def test_dataset_shares_memory_with_the_record():
    run = made_up_run()
    assert np.shares_memory(run.dataset["lift.a.pressure"].values, run.record)
    assert np.shares_memory(run.dataset["boom.tip.position"].values, run.record)
    assert run.dataset is run.dataset


def test_columns_that_do_not_follow_each_other():
    shuffled = names()
    shuffled.add("odd.position", "m", "components in another order", (3, 1, 2), "xyz")
    run = Results(shuffled, record())
    np.testing.assert_array_equal(run["odd.position"].values, record()[:, [3, 1, 2]])


def test_status_and_message():
    assert made_up_run().status == "done"
    assert made_up_run().message == ""
    stopped = Results(names(), record(), {**META, "status": "interrupted", "message": "Stopped at t = 1 s."})
    assert (stopped.status, stopped.message) == ("interrupted", "Stopped at t = 1 s.")
    with pytest.raises(ValueError, match="'over' is none of"):
        Results(names(), record(), {"status": "over"})


def test_rows_that_are_not_finite_are_left_out_and_named():
    rows = record()
    rows[40, 7] = np.nan
    rows[60, 2] = np.inf
    run = Results(names(), rows, META)
    assert len(run.time) == 40
    assert run.status == "failed"
    assert run.message == ("'boom.tip.position.y' is not finite at record 40; 61 records from there on are left out.")


def test_a_run_without_records():
    run = Results(names(), np.empty((0, 18)), META)
    assert len(run.time) == 0
    assert repr(run) == "<Results of 'lifting boom': done, nothing recorded>"
    with pytest.raises(ValueError, match="has no recorded value"):
        run["foot.angle"].at(0.0)


def test_a_record_too_narrow_is_refused():
    with pytest.raises(ValueError, match="the record has 5 columns, its names need 18"):
        Results(names(), record()[:, :5])


def test_repr_is_one_line():
    assert repr(made_up_run()) == "<Results of 'lifting boom': done, 10 quantities, 0 s to 1 s in 101 records>"


def test_find_takes_words_of_names_and_meanings():
    run = made_up_run()
    assert run.find("lift").paths == ["lift.a.pressure", "lift.b.pressure", "lift.length"]
    assert run.find("Pressure LIFT").paths == ["lift.a.pressure", "lift.b.pressure"]
    assert run.find("quaternion").paths == ["boom.orientation"]
    # "boom" is in the meaning of nothing else, "pin" also in "pin-to-pin": names come first
    assert run.find("pin").paths == ["pin.residual", "pin.multiplier", "lift.length"]
    assert run.find("").paths == []
    with pytest.raises(TypeError, match=r"^find: 3 is not a text; give words or a pattern, such as 'lift\.\*'\.$"):
        run.find(3)


def test_what_was_found_is_printed_with_units_and_meanings():
    run = made_up_run()
    assert str(run.find("*.flow")) == "spool.PA.flow  [m^3/s]  flow from P to A"
    assert repr(run.find("lfit")) == "Nothing recorded matches 'lfit'. Closest words: 'lift'."
