# SPDX-License-Identifier: BSD-3-Clause
"""Shapes in world axes are those of the link moved there; bounds are the extremes of their points."""

import numpy as np
import pytest

from knuckleboom.geometry import placed
from shape_rows import compiled, random_rotation, shape_row


def test_a_shape_moves_with_its_link():
    random = np.random.default_rng(1)
    axes, R, p = random_rotation(random), random_rotation(random), random.normal(size=3)
    planned = shape_row((1.0, 2.0, 3.0), axes, (0.1, 0.2, 0.3), 0.4)[None]
    rows = np.full((1, placed.COLUMNS), np.nan)

    links = np.array([np.full(9, np.nan), R.ravel()]), np.array([np.full(3, np.nan), p])
    compiled(placed.place)(planned, 0, 1, *links, rows)

    np.testing.assert_allclose(rows[0], shape_row(p + R @ (1.0, 2.0, 3.0), R @ axes, (0.1, 0.2, 0.3), 0.4), atol=1e-15)


@pytest.mark.parametrize(("half", "radius"), [((0.4, 0.5, 0.6), 0.0), (0.7, 0.2), ((0.0, 0.0, 0.0), 0.3)])
def test_bounds_are_the_extremes_of_the_corners(half, radius):
    random = np.random.default_rng(2)
    centre, R = random.normal(size=3), random_rotation(random)
    bounds = np.full((1, 6), np.nan)

    row = shape_row(centre, R, half, radius)
    compiled(placed.bound)(row[None], 0, 0.05, bounds)

    signs = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T
    corners = centre + (signs * row[placed.HALF : placed.RADIUS]) @ R.T
    np.testing.assert_allclose(bounds[0, :3], corners.min(axis=0) - radius - 0.05, atol=1e-15)
    np.testing.assert_allclose(bounds[0, 3:], corners.max(axis=0) + radius + 0.05, atol=1e-15)
