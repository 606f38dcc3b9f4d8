# SPDX-License-Identifier: BSD-3-Clause
"""What of blows and of sliding is heard: energies and powers from sums over time, and how loud they are."""

import pytest

from cabin.page.in_node import in_node

FOLLOW = """({ touches }, frames) => {
    const values = new Map(), wanted = [];
    const heard = touches({ want: (who, paths) => wanted.push(...paths), value: (path) => values.get(path) });
    return { wanted, heard: frames.map(([time, blows, scraping]) => {
        if (blows !== null) values.set("dashboard.blows", blows).set("dashboard.scraping", scraping);
        return heard(time);
    }) };
}"""


def test_blows_between_frames_are_heard_and_leaps_are_not():
    frames = [[0.0, None, None], [0.1, 5.0, 10.0], [0.2, 25.0, 60.0], [0.3, 24.0, 60.0], [9.0, 900.0, 900.0],
              [0.0, 0.0, 0.0], [0.02, 0.0, 4.0]]  # fmt: skip
    said = in_node("listening.js", FOLLOW, frames)

    assert said["wanted"] == ["dashboard.blows", "dashboard.scraping"]
    blows = [one["blow"] for one in said["heard"]]
    sliding = [one["scraping"] for one in said["heard"]]
    assert blows == [0, 0, 20, 0, 0, 0, 0]
    assert sliding == pytest.approx([0, 0, 500, 0, 0, 0, 200])


@pytest.mark.parametrize(("size", "loud"), [(1.0, 0.0), (10.0, 0.0), (100.0, 0.5), (1000.0, 1.0), (1e9, 1.0)])
def test_loudness_goes_by_ratios(size, loud):
    assert in_node("sound.js", "({ loudness }, size) => loudness(size, 10, 1000)", size) == pytest.approx(loud)
