# SPDX-License-Identifier: BSD-3-Clause
"""Grounds by words: what settings of a terrain they become, and what is said of those that cannot be."""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.machine.grounds import ground_settings
from knuckleboom.mechanics.heights import sampled
from knuckleboom.mechanics.parts.terrain import Terrain

MIDDLE, FRONT = (2.0, 1.0, 0.5), 4.0


def test_planes():
    assert ground_settings("level", MIDDLE, FRONT) == {"at": MIDDLE}
    steep = ground_settings("slope:10%", MIDDLE, FRONT)
    assert steep == {"at": MIDDLE, "slope": pytest.approx(math.atan(0.1)), "rises": "x"}
    assert ground_settings("slope: 6 deg:-y", MIDDLE, FRONT)["slope"] == pytest.approx(math.radians(6.0))
    assert ground_settings("slope:6deg:-y", MIDDLE, FRONT)["rises"] == "-y"
    # up where it says: the normal of a terrain that rises ahead leans back
    assert Terrain(name="floor", **ground_settings("slope", MIDDLE, FRONT)).direction[0] < 0.0


def test_rough_ground_is_as_high_as_it_says_smooth_and_level_at_its_edges():
    rough = ground_settings("rough:30cm", MIDDLE, FRONT)
    heights = np.array(rough["heights"])
    assert np.ptp(heights) == pytest.approx(0.3, abs=1e-3)
    edges = (heights[0], heights[-1], heights[:, 0], heights[:, -1])
    assert all(np.all(edge == 0.0) for edge in edges)
    # its middle is below the machine, and it goes up and down within the wheel base of one
    extent = rough["spacing"] * (len(heights) - 1)
    assert rough["at"] == (2.0 - 0.5 * extent, 1.0 - 0.5 * extent, 0.5)
    slopes = np.diff(heights, axis=0) / rough["spacing"]
    assert 0.1 < np.abs(slopes).max() < 0.5
    assert 0.5 < np.mean(np.sign(slopes[1:]) != np.sign(slopes[:-1])) * 10.0 < 5.0
    assert ground_settings("rough:30cm:1", MIDDLE, FRONT) == rough != ground_settings("rough:30cm:2", MIDDLE, FRONT)


def test_a_ridge_lies_across_and_ends_level():
    ridge = ground_settings("ridge:40 cm", MIDDLE, FRONT)
    heights = np.array(ridge["heights"])
    surface = sampled(heights, 10 * len(heights), 3)
    assert surface.max() == pytest.approx(0.4, rel=0.01) and surface.min() > -0.005
    assert np.all(heights == heights[:, :1]) and abs(surface[:20]).max() < 1e-4 and abs(surface[-20:]).max() < 1e-4
    assert ridge["at"][0] == FRONT + 1.0
    high = ridge["spacing"] * np.sum(heights[:, 0] > 0.0)
    assert high == pytest.approx(3 * 0.4, abs=2 * ridge["spacing"])


def test_a_file_has_its_middle_below_the_machine(tmp_path):
    file = tmp_path / "hill.csv"
    file.write_text("0, 0, 0\n0, 0.2, 0\n")
    found = ground_settings(f"{file}:2 m", MIDDLE, FRONT)
    assert found == {"at": (1.0, -1.0, 0.5), "heights": [[0, 0, 0], [0, 0.2, 0]], "spacing": 2.0}


def test_a_path_may_have_colons(tmp_path):
    folder = tmp_path / "a:b"
    folder.mkdir()
    (folder / "hill.csv").write_text("0, 0, 0\n0, 0.2, 0\n")
    assert ground_settings(f"{folder}/hill.csv:2 m", MIDDLE, FRONT)["spacing"] == 2.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ruogh", "there is no ground 'ruogh'.\n   Write level, slope:10%, rough:30 cm"),
        ("ruogh", "Closest names: 'rough'"),
        ("slope:10", "'slope:10': '10' has no unit"),
        ("slope:60 deg", "60 deg is not between 0 and 45 deg"),
        ("slope:5%:z", "'z' is no direction in which it rises.\n   Write one of x, -x, y, -y"),
        ("rough:-1 m", "-1 m is not between 0 and 5 m"),
        ("rough:1 m:two", "its seed 'two' is no whole number"),
        ("ridge:0.1mm", "'ridge:0.1mm': 0.1mm is not between 0.01 and 5 m"),
        ("C:/x/hill.csv:1 m", "'C:/x/hill.csv' cannot be read: no such file or directory"),
        ("C:/x/hill.csv", "'C:/x/hill.csv' does not say how far apart its heights are"),
        ("level:1 m", "'level:1 m' has too many parts"),
        ("hill.csv", "'hill.csv' does not say how far apart its heights are.\n   Write their distance behind it"),
        ("nowhere.csv:1 m", "'nowhere.csv' cannot be read: no such file or directory"),
    ],
)
def test_what_is_refused(text, said):
    with pytest.raises(kb.MachineError) as caught:
        ground_settings(text, MIDDLE, FRONT)
    assert said in str(caught.value)


def test_a_file_with_a_hole(tmp_path):
    file = tmp_path / "hill.csv"
    file.write_text("0, 0, 0\n0, , 0\n")
    with pytest.raises(kb.MachineError, match=r"hill.csv has no number in 1 place: row 2, number 2"):
        ground_settings(f"{file}:2 m", MIDDLE, FRONT)
