# SPDX-License-Identifier: BSD-3-Clause
"""Round pairs: the closest spot against bounded least squares, shares, and special places."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from knuckleboom.geometry.spots import GAP, NORMAL, SHARE
from shape_rows import (
    BOX,
    CAPSULE,
    SPHERE,
    all_axes,
    least_distance,
    random_rotation,
    random_shape,
    shape_row,
    spots_of,
)

A, B, N = slice(0, 3), slice(3, 6), slice(NORMAL, NORMAL + 3)
RADIUS = 15


def solid(row):
    """Columns and limits of the points of a shape without its radius."""
    return row[3:12].reshape(3, 3).T, row[12:15]


def least_gap(a, b):
    """Distance of two shapes by least squares, below 0 only by their radii."""
    (e, limit_a), (f, limit_b) = solid(a), solid(b)
    keep = np.concatenate([limit_a, limit_b]) > 0.0
    columns, limits = np.hstack([e, -f])[:, keep], np.concatenate([limit_a, limit_b])[keep]
    target = b[:3] - a[:3]
    distance = least_distance(columns, target, limits)[0] if keep.any() else np.linalg.norm(target)
    return distance - a[RADIUS] - b[RADIUS], distance


@pytest.mark.parametrize(
    "kinds", [(SPHERE, SPHERE), (SPHERE, CAPSULE), (CAPSULE, CAPSULE), (SPHERE, BOX), (CAPSULE, BOX)]
)
def test_the_closest_spot(kinds):
    random, seen = np.random.default_rng(1), 0
    for _ in range(400):
        a, b = (random_shape(kind, random) for kind in kinds)
        gap, distance = least_gap(a, b)
        if distance < 1e-6:
            continue  # one goes through the other

        spots = spots_of(kinds[0], a, kinds[1], b, reach=100.0)

        assert spots[:, GAP].min() == pytest.approx(gap, abs=1e-8)
        assert spots[0, GAP] == pytest.approx(gap, abs=1e-8)
        assert 0.5 <= spots[0, SHARE] <= 1.0 and spots[:, SHARE].sum() <= 2.0 + 1e-12
        np.testing.assert_allclose(np.linalg.norm(spots[:, N], axis=1), 1.0)
        radii = a[RADIUS] + b[RADIUS]
        np.testing.assert_allclose(
            np.einsum("ik,ik->i", spots[:, N], spots[:, B] - spots[:, A]) - radii, spots[:, GAP], atol=1e-12
        )
        for row, points in ((a, spots[:, A]), (b, spots[:, B])):
            inside = np.abs((points - row[:3]) @ row[3:12].reshape(3, 3).T) - row[12:15]
            assert inside.max() < 1e-12
        assert len(spots_of(kinds[0], a, kinds[1], b, reach=gap - 1e-6)) == 0
        seen += 1
    assert seen > 200


def test_a_sphere_inside_a_box_comes_out_by_the_nearest_face():
    random = np.random.default_rng(2)
    for _ in range(100):
        half, R = random.uniform(0.2, 1.0, 3), random_rotation(random)
        x = random.uniform(-1.0, 1.0, 3) * half
        box = shape_row((1, 2, 3), R, half)

        spot = spots_of(SPHERE, shape_row((1, 2, 3) + R @ x, None, radius=0.1), BOX, box)[0]

        face = int(np.argmin(half - np.abs(x)))
        assert spot[GAP] == pytest.approx(-(half - np.abs(x))[face] - 0.1)
        np.testing.assert_allclose(spot[N], -np.sign(x[face]) * R[:, face])


def test_spots_do_not_jump_where_the_centre_of_a_sphere_goes_into_a_box():
    box = shape_row((0, 0, 0), None, (1, 1, 1))
    out, at, within = (
        spots_of(SPHERE, shape_row((0.3, 0.2, 1.0 + d), radius=0.1), BOX, box)[0] for d in (1e-12, 0.0, -1e-12)
    )

    np.testing.assert_allclose(out, at, atol=1e-11)
    np.testing.assert_allclose(within, at, atol=1e-11)


def test_spheres_with_one_centre_are_pushed_up():
    spot = spots_of(SPHERE, shape_row((1, 2, 3), radius=0.1), SPHERE, shape_row((1, 2, 3), radius=0.2))[0]

    assert spot[GAP] == pytest.approx(-0.3)
    assert tuple(spot[N]) == (0.0, 0.0, 1.0)


def test_a_sphere_on_the_axis_of_a_capsule_comes_out_sideways():
    spot = spots_of(SPHERE, shape_row((0, 0, 0.2), radius=0.1), CAPSULE, shape_row((0, 0, 0), None, 0.5, 0.2))[0]

    assert spot[GAP] == pytest.approx(-0.3)
    assert spot[NORMAL + 2] == 0.0


def turned(angle, about=(1.0, 0.0, 0.0)):
    return Rotation.from_rotvec(angle * np.asarray(about)).as_matrix()


def test_a_log_along_a_log_has_spots_at_both_ends_of_what_is_side_by_side():
    one, other = shape_row((0, 0, 0), None, 2.0, 0.1), shape_row((0.19, 0, 1.0), None, 2.0, 0.1)

    spots = spots_of(CAPSULE, one, CAPSULE, other)

    np.testing.assert_allclose(spots[:, GAP], -0.01)
    assert spots[:, SHARE].sum() == pytest.approx(2.0)
    assert spots[:, 2].min() == pytest.approx(-1.0) and spots[:, 2].max() == pytest.approx(2.0)


@pytest.mark.parametrize("angle", [1e-12, 1e-6, 1e-4])
def test_logs_side_by_side_feel_no_jump_where_the_closest_end_changes(angle):
    """Force and moment of springs with the shares, at ± a small angle, differ by what the angle does."""

    def pressed(angle):
        one, other = shape_row((0, 0, 0), None, 2.0, 0.1), shape_row((0.199, 0, 0), turned(angle, (0, 1, 0)), 2.0, 0.1)
        spots = spots_of(CAPSULE, one, CAPSULE, other)
        force = spots[:, SHARE] * np.maximum(-spots[:, GAP], 0.0)
        return np.array([force.sum(), force @ spots[:, 2]])

    np.testing.assert_allclose(pressed(angle), pressed(-angle) * (1.0, -1.0), atol=1e-12)
    np.testing.assert_allclose(pressed(angle), pressed(0.0), atol=10 * angle)


def test_crossing_logs_touch_in_one_place():
    spots = spots_of(
        CAPSULE, shape_row((0, 0, 0), None, 2.0, 0.1), CAPSULE, shape_row((0.19, 0, 0), turned(np.pi / 2), 2.0, 0.1)
    )

    assert spots[:, SHARE].sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(spots[0, A], 0.0, atol=1e-15)


def test_logs_whose_axes_meet_part_across_both():
    one = shape_row((0, 0, 0), None, 2.0, 0.1)

    spot = spots_of(CAPSULE, one, CAPSULE, shape_row((1e-9, 0, 0), turned(np.pi / 2), 2.0, 0.1))[0]
    assert tuple(np.abs(spot[N])) == pytest.approx((1.0, 0.0, 0.0))
    same = spots_of(CAPSULE, one, CAPSULE, one)
    np.testing.assert_allclose(same[:, GAP], -0.2)
    np.testing.assert_allclose(same[:, NORMAL + 2], 0.0)


def test_a_capsule_without_length_is_a_sphere():
    random = np.random.default_rng(3)
    for kind in (SPHERE, CAPSULE, BOX):
        for _ in range(50):
            other, ball = random_shape(kind, random), random_shape(SPHERE, random)
            as_sphere = spots_of(SPHERE, ball, kind, other)
            as_capsule = spots_of(CAPSULE, ball, kind, other)
            assert len(as_sphere) == len(as_capsule) == len(as_capsule[:1])
            if len(as_sphere):
                assert as_capsule[0, GAP] == pytest.approx(as_sphere[0, GAP], abs=1e-12)


@pytest.mark.parametrize("tilt", [-1e-4, -1e-9, 0.0, 1e-9, 1e-4])
def test_a_log_lies_across_a_box_on_both_sides(tilt):
    log = shape_row((0.1, 0.0, 1.099), turned(np.pi / 2 + tilt, (0, 1, 0)), 3.0, 0.1)

    spots = spots_of(CAPSULE, log, BOX, shape_row((0, 0, 0), None, (1, 1, 1)))

    assert spots[:, 0].min() == pytest.approx(-1.0, abs=2e-4) and spots[:, 0].max() == pytest.approx(1.0, abs=2e-4)
    np.testing.assert_allclose(spots[:, GAP], -0.001, atol=2.2 * abs(tilt) + 1e-12)
    assert spots[:, SHARE].sum() == pytest.approx(2.0)


def test_a_log_along_an_edge_of_a_box_has_spots_at_both_ends():
    for yaw in (0.0, 1e-6, -1e-6):
        log = shape_row((0.0, 1.05, 1.05), turned(np.pi / 2, (0, 1, 0)) @ turned(yaw, (1, 0, 0)), 0.5, 0.1)

        spots = spots_of(CAPSULE, log, BOX, shape_row((0, 0, 0), None, (1, 1, 1)))

        assert np.ptp(spots[:, 0]) == pytest.approx(1.0)
        np.testing.assert_allclose(spots[:, GAP], 0.05 * np.sqrt(2.0) - 0.1, atol=1e-6)


def test_an_axis_that_goes_through_a_box_comes_out_along_the_least_separating_axis():
    random, ways = np.random.default_rng(4), set()
    for _ in range(2000):
        log, box = random_shape(CAPSULE, random), random_shape(BOX, random)
        if least_gap(log, box)[1] > 1e-9:
            continue
        each = all_axes(log, box)
        face, edge = each[3:6].max(), each[[12, 13, 14]].max()

        spots = spots_of(CAPSULE, log, BOX, box)

        by_edge = edge > face + 0.05 * abs(face)
        ways.add(bool(by_edge))
        if by_edge:
            assert len(spots) == 1 and spots[0, GAP] == pytest.approx(edge - log[RADIUS], abs=1e-9)
        else:
            way = box[3:12].reshape(3, 3)[int(np.argmax(each[3:6]))]
            assert len(spots) == 2 and (np.abs(spots[:, N] @ way) == pytest.approx(1.0))
            # no deeper than along the axis, deeper than the radius alone
            assert face - log[RADIUS] - 1e-9 <= spots[:, GAP].min() < -log[RADIUS] + 1e-9
    assert ways == {True, False}
