# SPDX-License-Identifier: BSD-3-Clause
"""Shapes as features: corners, ends, rims and the points on which cylinders stand; hulls; what a body is drawn as."""

import itertools
import math

import numpy as np
import pytest

from knuckleboom.interface import outlines


def centres(outline):
    return np.array([one.centre for one in outline.features])


def test_a_box_has_its_eight_corners():
    found = outlines.box((0.4, 0.6, 1.0))

    assert {tuple(row) for row in centres(found)} == set(itertools.product((-0.2, 0.2), (-0.3, 0.3), (-0.5, 0.5)))
    assert (found.size, found.resting) == (0.4, 4)


def test_a_capsule_has_two_balls():
    found = outlines.capsule(0.1, 0.8, (0.0, 1.0, 0.0))

    assert centres(found).tolist() == [[0.0, -0.4, 0.0], [0.0, 0.4, 0.0]]
    assert [one.radius for one in found.features] == [0.1, 0.1]


@pytest.mark.parametrize("axis", [(0.0, 0.0, 1.0), (0.6, 0.0, -0.8), (1.0, 0.0, 0.0)])
def test_a_cylinder_has_two_rims_and_stands_on_points_inside_of_them(axis):
    found = outlines.cylinder(0.2, 1.0, axis)
    rims, feet = found.features[:2], centres(found)[2:]

    assert [one.axis for one in rims] == [axis, axis]
    assert centres(found)[:2] == pytest.approx(np.outer([-0.5, 0.5], axis))
    assert np.abs(feet @ axis) == pytest.approx(np.full(8, 0.5))
    assert np.linalg.norm(feet - np.outer(feet @ axis, axis), axis=1) == pytest.approx(np.full(8, 0.19))
    assert feet.mean(axis=0) == pytest.approx([0.0, 0.0, 0.0], abs=1e-15)


def test_a_hull_leaves_out_what_is_inside():
    corners = list(itertools.product((0.0, 1.0), repeat=3))
    found = outlines.hull([*corners, (0.5, 0.5, 0.5), (0.2, 0.7, 0.4), corners[0]])

    assert {tuple(row) for row in centres(found)} == set(corners)
    assert found.resting == 4
    plate = outlines.hull([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    assert (len(plate.features), plate.resting) == (3, 3)


def test_what_a_body_is_drawn_as_is_placed_and_taken_together():
    turned = outlines.drawn("cylinder", (0.1, 0.4), (1.0, 2.0, 3.0), (math.pi / 2, 0.0, 0.0))
    both = outlines.together([turned, outlines.drawn("box", (0.2, 0.2, 0.2), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))])

    assert turned.features[0].centre == pytest.approx((1.0, 2.2, 3.0))
    assert turned.features[0].axis == pytest.approx((0.0, -1.0, 0.0))
    assert (len(both.features), both.size, both.resting) == (18, 0.1, 4)
