# SPDX-License-Identifier: BSD-3-Clause
"""Overview: which pictures a run leaves behind."""

import numpy as np
import pytest
from matplotlib.image import imread

from knuckleboom.names import Names
from knuckleboom.plots import write_overview, write_pictures
from knuckleboom.plots.first import apart, first
from knuckleboom.plots.overview import MAX_LINES
from knuckleboom.results import Results
from results.made_up_run import made_up_run


def test_one_picture_per_kind_that_was_recorded(tmp_path):
    heard: list[float] = []
    written = write_pictures(made_up_run(), tmp_path / "plots", heard.append)
    assert [path.name for path in written] == [
        "lengths.png",
        "coordinates.png",
        "pressures.png",
        "flows.png",
        "loop_gaps.png",
        "energy.png",
    ]
    assert heard == sorted(heard) and heard[0] >= 0.0 and heard[-1] < 1.0
    for path in written:
        picture = imread(path)
        assert picture.shape[1] > 800
        assert np.ptp(picture) > 0.5


def test_many_quantities_are_thinned_to_those_that_move(tmp_path):
    names = Names()
    for index in range(60):
        names.add(f"joint_{index}.angle", "rad", "angle", (index + 1,))
    time = np.linspace(0.0, 1.0, 11)
    record = np.column_stack([time] + [index * time for index in range(60)])
    run = Results(names, record, {"machine": "caterpillar"})

    kept = first(run, run.find("*.angle"), MAX_LINES)
    assert [quantity.path for quantity in kept] == [f"joint_{index}.angle" for index in range(60 - MAX_LINES, 60)]
    assert [path.name for path in write_pictures(run, tmp_path)] == ["coordinates.png"]


@pytest.mark.slow
def test_a_run_without_records_is_drawn_empty(tmp_path):
    run = made_up_run()
    empty = Results(run.names, np.empty((0, 18)), run.meta)
    assert len(write_pictures(empty, tmp_path)) == 6


def test_the_overview_is_one_picture(tmp_path):
    path = write_overview(made_up_run(), tmp_path / "overview.png")
    assert path.read_bytes().startswith(b"\x89PNG")


def test_pumps_and_cylinders_come_before_what_moves_more():
    paths = ("post.pressure", "lift.a.pressure", "line.pressure", "seat.leak.flow", "pump.flow", "valve.PA.flow")
    names = Names()
    for index, path in enumerate(paths):
        names.add(path, "1", "made up", (index + 1,))
    time = np.linspace(0.0, 1.0, 11)
    record = np.column_stack([time, 9.0 * time, time, time, 9.0 * time, time, 5.0 * time])
    parts = [
        {"name": "lift", "kind": "single_acting_cylinder", "nets": {"a": "lift.a"}},
        {"name": "pump", "kind": "load_sensing_pump", "nets": {"a": "tank", "b": "line"}},
    ]
    run = Results(names, record, {"machine": "press", "circuit": {"parts": parts}})

    kept = [[one.path for one in first(run, run.find("*"), most)] for most in (2, 3, 5)]

    assert kept[0] == ["line.pressure", "pump.flow"]
    assert kept[1] == ["lift.a.pressure", "line.pressure", "pump.flow"]
    assert "seat.leak.flow" not in kept[2] and "post.pressure" in kept[2]


def test_an_angle_that_turns_on_does_not_flatten_the_others():
    names = Names()
    for index in range(3):
        names.add(f"joint_{index}.angle", "rad", "angle", (index + 1,))
    time = np.linspace(0.0, 1.0, 11)
    run = Results(names, np.column_stack([time, time, 100.0 * time, 2.0 * time]), {"machine": "sprayer"})

    assert [[one.path for one in plot] for plot in apart(run.find("*"))] == [
        ["joint_0.angle", "joint_2.angle"],
        ["joint_1.angle"],
    ]
