# SPDX-License-Identifier: BSD-3-Clause
"""Names: order, lookup, closest names, patterns, refusal of signals that make no sense."""

import pickle

import pytest

from knuckleboom.names import Names, Signal, UnknownName


@pytest.fixture
def names() -> Names:
    names = Names()
    names.add("foot.angle", "rad", "angle of joint foot", (1,))
    names.add("lift.a.pressure", "Pa", "pressure at port a of cylinder lift", (2,))
    names.add("lift.b.pressure", "Pa", "pressure at port b of cylinder lift", 3)
    names.add("boom.tip.position", "m", "position of point tip of body boom in the world", (4, 5, 6), "xyz")
    names.add("pin.residual", "m", "gap of closing joint pin", [7, 8], "row")
    return names


def test_keeps_order_and_counts_columns(names):
    assert names.paths == ["foot.angle", "lift.a.pressure", "lift.b.pressure", "boom.tip.position", "pin.residual"]
    assert len(names) == 5
    assert names.width == 9
    assert "foot.angle" in names and "foot" not in names


def test_lookup_gives_the_signal(names):
    assert names["lift.b.pressure"] == Signal("lift.b.pressure", "Pa", "pressure at port b of cylinder lift", (3,))


def test_unknown_name_offers_the_closest(names):
    with pytest.raises(UnknownName) as caught:
        names["lift.a.presure"]

    assert isinstance(caught.value, KeyError)
    assert caught.value.closest == ["lift.a.pressure", "lift.b.pressure"]
    assert str(caught.value) == (
        "There is no quantity named 'lift.a.presure'. Closest names: 'lift.a.pressure', 'lift.b.pressure'."
    )


def test_a_part_name_alone_offers_its_quantities(names):
    with pytest.raises(UnknownName, match=r"'lift\.a\.pressure', 'lift\.b\.pressure'"):
        names["lift"]


def test_nothing_close_is_said_plainly(names):
    with pytest.raises(UnknownName) as caught:
        names["zzz"]
    assert str(caught.value) == "There is no quantity named 'zzz'."


def test_unknown_name_survives_pickling(names):
    error = UnknownName("lift.a.presure", names.paths)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_find_by_pattern(names):
    assert [signal.path for signal in names.find("*.pressure")] == ["lift.a.pressure", "lift.b.pressure"]
    assert [signal.path for signal in names.find("boom.*")] == ["boom.tip.position"]
    assert names.find("nothing.*") == []


def test_column_labels(names):
    assert names.column_labels() == [
        "time",
        "foot.angle",
        "lift.a.pressure",
        "lift.b.pressure",
        "boom.tip.position.x",
        "boom.tip.position.y",
        "boom.tip.position.z",
        "pin.residual[0]",
        "pin.residual[1]",
    ]


def test_a_path_cannot_be_added_twice(names):
    with pytest.raises(ValueError, match=r"'foot\.angle' is named twice"):
        names.add("foot.angle", "rad", "again", (9,))


@pytest.mark.parametrize(
    ("columns", "dim", "text"),
    [
        ((), None, "no column"),
        ((1, 2), None, "2 columns but no dimension"),
        ((1, 2), "xyz", "'xyz' but has 2 columns"),
        ((1, 2, 3), "wxyz", "'wxyz' but has 3 columns"),
        ((1, 2, 3), "uvw", "use xyz, wxyz or row"),
    ],
)
def test_senseless_signals_are_refused(columns, dim, text):
    with pytest.raises(ValueError, match=text):
        Signal("boom.tip.position", "m", "position", columns, dim)
