# SPDX-License-Identifier: BSD-3-Clause
"""Boxes by separating axes against coal, 10 000 random pairs, every tenth with parallel axes.

Rank: another program, with another algorithm (GJK and EPA). The verdict must be the same every time, the depth to
2e-10 m, which is what coal has whatever its tolerances are (boxes of twice the size differ by 2.1e-10 m at most), or
within the 5 % by which a pair of edges must be better than a face. tests/geometry/test_box_axes.py has the same depths
to 1e-12 m from the corners.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from knuckleboom.geometry import box_axes
from shape_rows import compiled, shape_row

coal = pytest.importorskip("coal", reason="comes with pin of the extra 'peers'")

PAIRS = 10_000
EXACT = 2e-10  # m


def boxes(random, number):
    """A pair of boxes with sides of 0.1 to 1 m, from far apart to one in the other."""
    half = random.uniform(0.05, 0.5, (2, 3))
    R, Q = Rotation.random(2, random_state=random).as_matrix()
    if number % 10 == 0:
        Q = R @ np.eye(3)[random.permutation(3)]
        Q *= np.linalg.det(Q) * np.linalg.det(R)
    direction = random.normal(size=3)
    return half, (R, Q), random.uniform(0.0, 1.1) * direction / np.linalg.norm(direction)


def distance_by_coal(half, axes, centre, request):
    """Signed distance, m."""
    one, other = (coal.Box(*(2.0 * sides)) for sides in half)
    at, there = coal.Transform3s(axes[0], np.zeros(3)), coal.Transform3s(axes[1], centre)
    return coal.distance(one, at, other, there, request, coal.DistanceResult())


def test_verdicts_and_depths():
    random = np.random.default_rng(20)
    request = coal.DistanceRequest()
    request.gjk_tolerance = request.epa_tolerance = 1e-12
    request.gjk_max_iterations = request.epa_max_iterations = 1000
    disagreeing, off, touching, by_rule = [], [], 0, 0
    for number in range(PAIRS):
        half, axes, centre = boxes(random, number)
        rows = np.array([shape_row(np.zeros(3), axes[0], half[0]), shape_row(centre, axes[1], half[1])])
        frame = np.empty(box_axes.COLUMNS)
        compiled(box_axes.relate)(rows, 0, 1, frame)
        s, way = compiled(box_axes.separate)(rows, 0, 1, 0, np.inf, frame)
        theirs = distance_by_coal(half, axes, centre, request)
        if (s <= 0.0) != (theirs <= 0.0):
            disagreeing.append(number)
        elif s <= 0.0:
            touching += 1
            if abs(s - theirs) > EXACT:
                by_rule += 1
                if way >= box_axes.EDGES or not 0.95 * -s <= -theirs <= -s:
                    off.append((number, s, theirs))

    assert disagreeing == []
    assert off == []
    assert 0.3 * PAIRS < touching < 0.9 * PAIRS
    assert by_rule < 0.3 * touching
