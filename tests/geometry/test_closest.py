# SPDX-License-Identifier: BSD-3-Clause
"""Closest points against bounded least squares of SciPy, which know nothing of cases; and where they are not unique."""

import numpy as np
import pytest

from knuckleboom.geometry import closest
from shape_rows import compiled, least_distance, random_rotation, shape_row


def unit(vector):
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("turned", [1.0, 1e-3, 1e-7])
def test_segments(turned):
    random = np.random.default_rng(1)
    for _ in range(300):
        d_a = unit(random.normal(size=3))
        d_b = unit(d_a * random.choice((-1.0, 1.0)) + turned * random.normal(size=3))
        apart, half_a, half_b = random.normal(size=3), *random.uniform(0.0, 1.0, 2)

        s, t = compiled(closest.closest_of_segments)(tuple(apart), tuple(d_a), half_a, tuple(d_b), half_b)

        best, _ = least_distance(np.column_stack([d_a, -d_b]), apart, (half_a, half_b))
        assert abs(s) <= half_a and abs(t) <= half_b
        assert np.linalg.norm(s * d_a - t * d_b - apart) == pytest.approx(best, abs=1e-9)


def test_parallel_segments_and_segments_without_length():
    find = compiled(closest.closest_of_segments)
    x = (1.0, 0.0, 0.0)

    s, t = find((0.5, 1.0, 0.0), x, 1.0, x, 1.0)
    assert s - t == pytest.approx(0.5) and abs(s) <= 1.0 and abs(t) <= 1.0
    assert find((5.0, 1.0, 0.0), x, 1.0, x, 1.0) == (1.0, -1.0)
    assert find((5.0, 1.0, 0.0), x, 0.0, x, 1.0) == (0.0, -1.0)
    assert find((0.0, 0.0, 0.0), x, 0.0, x, 0.0) == (0.0, 0.0)


@pytest.mark.parametrize("straight", [False, True])
def test_segment_and_box(straight):
    random = np.random.default_rng(2)
    for _ in range(300):
        box = shape_row((0.0, 0.0, 0.0), None, random.uniform(0.1, 1.0, 3))[None]
        d = np.eye(3)[random.integers(3)] if straight else unit(random.normal(size=3))
        x, half = random.uniform(-2.0, 2.0, 3), random.uniform(0.0, 1.5)

        s = compiled(closest.closest_of_segment)(box, 0, tuple(x), tuple(d), half)

        best, _ = least_distance(np.column_stack([-d, np.eye(3)]), x, (half, *box[0, 12:15]))
        p = x + s * d
        assert abs(s) <= half
        assert np.linalg.norm(p - np.clip(p, -box[0, 12:15], box[0, 12:15])) == pytest.approx(best, abs=1e-9)


def test_across_is_a_unit_vector_across():
    random = np.random.default_rng(3)
    for d in [*np.eye(3), *-np.eye(3), *(unit(random.normal(size=3)) for _ in range(20))]:
        across = np.array(compiled(closest.across)(tuple(d)))

        assert across @ d == pytest.approx(0.0, abs=1e-15)
        assert across @ across == pytest.approx(1.0)


def test_axes_there_and_back():
    random = np.random.default_rng(4)
    row, p = shape_row((1.0, 2.0, 3.0), random_rotation(random))[None], random.normal(size=3)

    inside = compiled(closest.in_axes)(row, 0, tuple(p))

    np.testing.assert_allclose(compiled(closest.from_axes)(row, 0, inside), p)
