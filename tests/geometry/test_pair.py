# SPDX-License-Identifier: BSD-3-Clause
"""Any two kinds in any order: spots of b and a are those of a and b, swapped; and the same wherever they are."""

import itertools

import numpy as np
import pytest

from knuckleboom.geometry.spots import GAP, HOLDER, NORMAL, OF_LINE
from shape_rows import BOX, CAPSULE, SPHERE, random_rotation, random_shape, shape_row, spots_of

KINDS = (SPHERE, CAPSULE, BOX)


@pytest.mark.parametrize("kinds", list(itertools.product(KINDS, KINDS)))
def test_sides_are_swapped(kinds):
    random, seen = np.random.default_rng(1), 0
    for _ in range(100):
        a, b = (random_shape(kind, random, 0.3) for kind in kinds)
        spots, other = spots_of(kinds[0], a, kinds[1], b), spots_of(kinds[1], b, kinds[0], a)
        assert (len(spots) > 0) == (len(other) > 0)
        if len(spots) and kinds[0] != kinds[1]:
            assert len(spots) == len(other)
            np.testing.assert_array_equal(spots[:, :3], other[:, 3:6])
            np.testing.assert_array_equal(spots[:, NORMAL : NORMAL + 3], -other[:, NORMAL : NORMAL + 3])
            np.testing.assert_array_equal(spots[:, GAP:HOLDER], other[:, GAP:HOLDER])
            held = np.where(spots[:, HOLDER] == OF_LINE, OF_LINE, 1.0 - spots[:, HOLDER])
            np.testing.assert_array_equal(other[:, HOLDER], held)
        elif len(spots):  # ends of capsules are those of the first
            assert spots[:, GAP].min() == pytest.approx(other[:, GAP].min(), abs=1e-12)
        seen += len(spots) > 0
    assert seen > 10


@pytest.mark.parametrize("kinds", list(itertools.combinations_with_replacement(KINDS, 2)))
def test_spots_move_with_the_pair(kinds):
    random = np.random.default_rng(2)
    for _ in range(50):
        a, b = (random_shape(kind, random, 0.3) for kind in kinds)
        R, p = random_rotation(random), random.normal(size=3)
        moved = [
            np.concatenate([p + R @ row[:3], (row[3:12].reshape(3, 3) @ R.T).ravel(), row[12:]]) for row in (a, b)
        ]

        spots, after = spots_of(kinds[0], a, kinds[1], b), spots_of(kinds[0], moved[0], kinds[1], moved[1])

        assert len(spots) == len(after)
        if len(spots):
            np.testing.assert_allclose(after[:, :3], p + spots[:, :3] @ R.T, atol=1e-9)
            np.testing.assert_allclose(after[:, GAP:], spots[:, GAP:], atol=1e-9)


def test_a_pair_far_apart_has_no_spots():
    for kind, other in itertools.product(KINDS, KINDS):
        random = np.random.default_rng(3)
        a, b = random_shape(kind, random), random_shape(other, random)
        b[:3] += 100.0
        assert len(spots_of(kind, a, other, b)) == 0
    assert shape_row((0, 0, 0)).shape == (16,)
