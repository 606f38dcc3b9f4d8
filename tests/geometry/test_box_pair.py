# SPDX-License-Identifier: BSD-3-Clause
"""The patch of two boxes: corners of a face within the sides of another, against linear programming; shares that do not
jump; spots on both surfaces.
"""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from knuckleboom.geometry.box_axes import COLUMNS, EDGES
from knuckleboom.geometry.box_pair import CORNERS, ROOM
from knuckleboom.geometry.spots import GAP, HOLDER, NORMAL, SHARE
from shape_rows import BOX, random_rotation, separate, shape_row, spots_of

A, B = slice(0, 3), slice(3, 6)


def random_boxes(random, touching=True):
    while True:
        a = shape_row(random.normal(size=3), random_rotation(random), random.uniform(0.1, 1.0, 3))
        b = shape_row(
            a[:3] + random.normal(size=3) * 0.7, random_rotation(random), random.uniform(0.1, 1.0, 3)
        )
        if not touching or separate(a, b)[0] < 0.0:
            return a, b


def axes(row):
    return row[3:12].reshape(3, 3)


def test_a_box_on_a_box_has_four_spots_of_equal_share():
    spots = spots_of(BOX, shape_row((0, 0, 0), None, (2, 2, 1)), BOX, shape_row((0.5, 0.2, 1.99), None, (1, 0.5, 1)))

    assert len(spots) == 4
    np.testing.assert_allclose(spots[:, NORMAL : NORMAL + 3], [[0, 0, 1]] * 4)
    np.testing.assert_allclose(spots[:, GAP], -0.01)
    np.testing.assert_allclose(spots[:, SHARE], 1.0)
    assert {tuple(np.round(x, 9)) for x in spots[:, 3:5]} == {(x, y) for x in (-0.5, 1.5) for y in (-0.3, 0.7)}


def test_a_corner_of_a_box_that_hangs_over_is_cut_off():
    spots = spots_of(BOX, shape_row((0, 0, 0), None, (1, 1, 1)), BOX, shape_row((0.5, 0.2, 1.99), None, (1, 1, 1)))

    assert {tuple(np.round(x, 9)) for x in spots[:, 3:5]} == {(x, y) for x in (-0.5, 1.0) for y in (-0.8, 1.0)}


def test_patches_are_whole_faces_within_the_sides():
    """In any direction the outermost spot is as far as the outermost point that a linear program finds."""
    random, faces = np.random.default_rng(1), 0
    for _ in range(150):
        a, b = random_boxes(random)
        depth, way, _, _ = separate(a, b)
        spots = spots_of(BOX, a, BOX, b, reach=10.0)
        if way >= EDGES or len(spots) == 1:
            continue
        faces += 1
        own, other = (a, b) if way < 3 else (b, a)
        n = spots[0, NORMAL : NORMAL + 3] * (1.0 if way < 3 else -1.0)
        points = spots[:, B if way < 3 else A]
        # unknowns: where on the face of the other that looks at n, within its sides and those of the own face
        along = axes(other) @ n
        m = int(np.argmax(np.abs(along)))
        p, q = [k for k in range(3) if k != m]
        middle = other[:3] - np.sign(along[m]) * other[12 + m] * axes(other)[m]
        columns = np.column_stack([axes(other)[p], axes(other)[q]])
        sides = np.array([axes(own)[k] for k in range(3) if k != way % 3])
        halves = np.array([own[12 + k] for k in range(3) if k != way % 3])
        offset = sides @ (middle - own[:3])
        for c in random.normal(size=(4, 3)):
            found = linprog(
                -c @ columns, A_ub=np.vstack([sides @ columns, -sides @ columns]),
                b_ub=np.concatenate([halves - offset, halves + offset]),
                bounds=[(-other[12 + p], other[12 + p]), (-other[12 + q], other[12 + q])],
            )  # fmt: skip
            assert found.status == 0
            assert (points @ c).max() == pytest.approx(c @ middle - found.fun, abs=1e-9)
        gaps = (points - own[:3]) @ n - own[12 + way % 3]
        np.testing.assert_allclose(spots[:, GAP], gaps, atol=1e-12)
        assert gaps.min() >= depth - 1e-12
        assert spots[:, SHARE].sum() == pytest.approx(4.0)
    assert faces > 60


def test_a_spot_is_on_both_and_as_deep_as_the_axis_says():
    random, single = np.random.default_rng(2), 0
    for _ in range(500):
        a, b = random_boxes(random)
        spots = spots_of(BOX, a, BOX, b)
        assert 1 <= len(spots) <= 8
        n = spots[:, NORMAL : NORMAL + 3]
        np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0)
        np.testing.assert_allclose(np.einsum("ik,ik->i", n, spots[:, B] - spots[:, A]), spots[:, GAP], atol=1e-12)
        assert (spots[:, SHARE] > 0.0).all()
        single += len(spots) == 1
    assert 0 < single < 400


def in_order(spots):
    """Spots by their places, rounded."""
    return spots[np.lexsort(np.round(spots[:, :3], 6).T)]


def test_swapped_boxes_have_the_same_spots():
    random = np.random.default_rng(3)
    for _ in range(200):
        a, b = random_boxes(random)
        one, other = spots_of(BOX, a, BOX, b), spots_of(BOX, b, BOX, a)

        assert len(one) == len(other)
        expected = np.hstack([other[:, B], other[:, A], -other[:, NORMAL : NORMAL + 3], other[:, GAP:HOLDER]])
        np.testing.assert_allclose(in_order(one)[:, :HOLDER], in_order(expected), atol=1e-9)


@pytest.mark.parametrize("turn", [0.0, 1e-12, 1e-8, 1e-4, 0.02])
def test_shares_and_centre_do_not_jump_where_corners_part(turn):
    """Two equal boxes turned a little on each other have a patch of eight corners, in pairs."""
    R = Rotation.from_rotvec([0, 0, turn]).as_matrix()

    spots = spots_of(BOX, shape_row((0, 0, 0), None, (1, 1, 1)), BOX, shape_row((0, 0, 1.99), R, (1, 1, 1)))

    assert spots[:, SHARE].sum() == pytest.approx(4.0)
    weights = spots[:, SHARE] / 4.0
    np.testing.assert_allclose(weights @ spots[:, B], [0, 0, 0.99], atol=1e-9)
    spread = np.einsum("i,ij,ik->jk", weights, spots[:, 3:5], spots[:, 3:5])
    np.testing.assert_allclose(spread, np.eye(2), atol=4 * turn + 1e-9)


def test_apart_within_reach_and_beyond():
    a = shape_row((0, 0, 0), None, (1, 1, 1))

    assert len(spots_of(BOX, a, BOX, shape_row((0, 0, 2.1), None, (1, 1, 1)))) == 0
    np.testing.assert_allclose(spots_of(BOX, a, BOX, shape_row((0, 0, 2.1), None, (1, 1, 1)), 0.2)[:, GAP], 0.1)
    # beside the face, within reach along the axis alone
    beside = spots_of(BOX, a, BOX, shape_row((2.1, 2.05, 0), None, (1, 1, 1)), 0.2)
    np.testing.assert_allclose(beside[:, GAP], 0.1)


def test_one_box_inside_another_comes_out_by_the_nearest_face():
    spots = spots_of(BOX, shape_row((0, 0, 0), None, (1, 1, 1)), BOX, shape_row((0, 0, 0.5), None, (0.2, 0.2, 0.2)))

    np.testing.assert_allclose(spots[:, NORMAL : NORMAL + 3], [[0, 0, 1]] * 4)
    np.testing.assert_allclose(spots[:, GAP], -0.7)


def test_the_frame_is_large_enough():
    assert CORNERS + 2 * ROOM == COLUMNS
