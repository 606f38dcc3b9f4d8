# SPDX-License-Identifier: BSD-3-Clause
"""Separating axes against sums over the corners of both boxes, axis by axis, and boxes that lie in special ways."""

import numpy as np
import pytest

from knuckleboom.geometry import box_axes
from shape_rows import all_axes, compiled, corners, random_rotation, separate, shape_row


def random_pair(random, straight):
    R = random_rotation(random)
    Q = R @ np.eye(3)[:, random.permutation(3)] if straight else random_rotation(random)
    far = random.normal(size=3) * random.uniform(0.0, 1.0)
    return shape_row(random.normal(size=3), R, random.uniform(0.05, 1.0, 3)), far, Q, random.uniform(0.05, 1.0, 3)


@pytest.mark.parametrize("straight", [False, True])
def test_along_every_axis_as_from_the_corners(straight):
    random, ways = np.random.default_rng(1), set()
    for _ in range(1000):
        a, far, Q, half = random_pair(random, straight)
        b = shape_row(a[:3] + far, Q, half)

        s, way, both, frame = separate(a, b)

        each = all_axes(a, b)
        face, edge = each[:6].max(), each[6:].max()
        by_edge = edge > face + box_axes.BETTER * abs(face)
        assert (way >= box_axes.EDGES) == by_edge
        assert s == pytest.approx(edge if by_edge else face, abs=1e-12)
        assert s == pytest.approx(each[way], abs=1e-12)
        assert (s > 0.0) == (each.max() > 0.0)
        n = np.array(compiled(box_axes.normal_of)(both, 0, 1, way, frame))
        assert (corners(b) @ n).min() - (corners(a) @ n).max() == pytest.approx(s, abs=1e-12)
        ways.add(way)
    assert len(ways) == (6 if straight else 15)


def test_edges_meet_at_their_closest_points():
    random, seen = np.random.default_rng(2), 0
    for _ in range(1000):
        a, far, Q, half = random_pair(random, False)
        b = shape_row(a[:3] + far, Q, half)
        s, way, both, frame = separate(a, b)
        if way >= box_axes.EDGES and s < 0.0:
            on_a, on_b, n, gap = compiled(box_axes.edge_points)(both, 0, 1, way, frame)
            assert gap == pytest.approx(s, abs=1e-12)
            for row, p in ((a, on_a), (b, on_b)):
                x = np.abs(row[3:12].reshape(3, 3) @ (p - row[:3])) - row[12:15]
                # on an edge: at two faces, within the third
                assert np.sort(np.abs(x))[1] < 1e-12 and x.max() < 1e-12
            # straight over each other
            np.testing.assert_allclose(np.subtract(on_b, on_a), gap * np.array(n), atol=1e-9)
            seen += 1
    assert seen > 50


def test_what_is_farther_than_reach_is_looked_at_no_further():
    a, b = shape_row((0, 0, 0), None, (1, 1, 1)), shape_row((3.0, 3.5, 0), None, (1, 1, 1))

    assert separate(a, b, 0.0)[:2] == (1.5, 1)
    assert separate(a, b, 2.0)[:2] == (1.5, 1)


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-5, 0.99e-4, 1.01e-4, 1e-3])
def test_boxes_that_lie_nearly_flat_touch_by_faces(tilt):
    c, s = np.cos(tilt), np.sin(tilt)
    R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1.0]])

    depth, way, both, frame = separate(
        shape_row((0, 0, 0), None, (1, 1, 1)), shape_row((0.1, 0.2, 1.95), R, (1, 1, 1))
    )

    assert way in (2, 5)
    assert np.abs(compiled(box_axes.normal_of)(both, 0, 1, way, frame)[2]) == pytest.approx(1.0, abs=1e-6)
    assert depth == pytest.approx(-0.05, abs=2e-3)


def test_boxes_with_one_centre_are_pushed_out_along_their_shortest_way():
    a = shape_row((1, 2, 3), None, (1.0, 0.5, 2.0))

    s, way, both, frame = separate(a, shape_row((1, 2, 3), None, (0.3, 0.2, 0.1)))

    assert (s, way) == (pytest.approx(-0.7), 1)
    assert compiled(box_axes.normal_of)(both, 0, 1, way, frame) == (0.0, 1.0, 0.0)
