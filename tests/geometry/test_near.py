# SPDX-License-Identifier: BSD-3-Clause
"""Near pairs: those whose bounds overlap, in their planned order, the same by all pairs and by a sweep."""

import numpy as np
import pytest

from knuckleboom.geometry import near
from shape_rows import compiled


def planned(count, random, part):
    """Pairs of shapes that may touch, as first and other."""
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count) if random.random() < part]
    first = np.searchsorted([a for a, _ in pairs], np.arange(count + 1)).astype(np.int64)
    return pairs, first, np.array([b for _, b in pairs], np.int64)


def random_bounds(count, random, stretch=(1.0, 1.0, 1.0)):
    low = random.uniform(0.0, 10.0, (count, 3)) * stretch
    return np.hstack([low, low + random.uniform(0.1, 2.0, (count, 3))])


def overlapping(pairs, bounds):
    return [
        number
        for number, (a, b) in enumerate(pairs)
        if (bounds[a, :3] <= bounds[b, 3:]).all() and (bounds[b, :3] <= bounds[a, 3:]).all()
    ]


@pytest.mark.parametrize("count", [1, 2, 10, 63, 64, 150])
@pytest.mark.parametrize("part", [1.0, 0.3])
def test_near_pairs_are_those_that_overlap_in_planned_order(count, part):
    random = np.random.default_rng(count)
    pairs, first, other = planned(count, random, part)
    order, hits = np.arange(count), np.zeros(count, np.int64)
    marked, found = np.zeros(len(pairs), np.int64), np.full(len(pairs), -1)
    seen = 0
    for step in range(12):
        # one axis after the other is the widest; shapes at the same place, too
        bounds = random_bounds(count, random, np.roll((3.0, 1.0, 1.0), step))
        bounds[: count // 10] = bounds[0]

        number = compiled(near.find_near)(first, other, bounds, order, marked, hits, found)

        assert found[:number].tolist() == overlapping(pairs, bounds)
        assert not marked.any() and not hits.any()
        assert sorted(order) == list(range(count))
        seen += number
    assert seen > 0 or count <= 10


def test_what_is_sorted_before_changes_nothing():
    random = np.random.default_rng(1)
    pairs, first, other = planned(100, random, 0.5)
    bounds = random_bounds(100, random)
    results = []
    for _ in range(5):
        found, marked, hits = np.full(len(pairs), -1), np.zeros(len(pairs), np.int64), np.zeros(100, np.int64)
        order = random.permutation(100)
        number = compiled(near.find_near)(first, other, bounds, order, marked, hits, found)
        results.append(found[:number].tolist())

    assert all(result == overlapping(pairs, bounds) for result in results)
