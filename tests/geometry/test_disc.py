# SPDX-License-Identifier: BSD-3-Clause
"""A disc over a plane: its lowest point by search, the rate of its gap by differences, on its side, any heading."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.spatial.transform import Rotation

import knuckleboom as kb
from knuckleboom.geometry import disc
from knuckleboom.kernels import plain

over_plane, heading, touch_disc = plain(disc.over_plane), plain(disc.heading), plain(disc.touch_disc)
small = st.floats(-0.5, 0.5)
R = 0.7


def touching(C, a, slope):
    """What touches a plane through the origin with these slopes."""
    s, out, q, n = over_plane(tuple(C), tuple(a), R, 0.0, 0.0, 0.0, *slope)
    t1 = heading(tuple(a), n)
    return s, tuple(np.array(q) - out * np.array(n)), n, t1, tuple(np.cross(n, t1))


def axle(roll, yaw):
    """An axle along y, turned."""
    return Rotation.from_euler("xz", (roll, yaw)).apply((0.0, 1.0, 0.0))


@given(small, st.floats(-3.0, 3.0), small, small)
def test_it_is_the_deepest_point_of_the_circle(roll, yaw, by_x, by_y):
    a, C = axle(roll, yaw), np.array([0.3, -0.2, 0.9])
    s, p, n, t1, t2 = touching(C, a, (by_x, by_y))
    one = np.cross(a, (0.0, 0.0, 1.0))
    one /= np.linalg.norm(one)
    other = np.cross(one, a)
    normal = np.array([-by_x, -by_y, 1.0]) / math.sqrt(1.0 + by_x**2 + by_y**2)

    def gap(angle):
        return normal @ (C + R * (math.cos(angle) * one + math.sin(angle) * other))

    deepest = min(minimize_scalar(gap, (start, start + 1.0), tol=1e-12).fun for start in (0.0, 1.5, 3.0, 4.5))
    assert s == pytest.approx(deepest, abs=1e-9)
    np.testing.assert_allclose(n, normal, atol=1e-14)
    assert normal @ np.array(p) == pytest.approx(0.0, abs=1e-14)
    np.testing.assert_allclose(np.array([n, t1, t2]) @ np.array([n, t1, t2]).T, np.eye(3), atol=1e-12)
    assert np.array(t1) @ a == pytest.approx(0.0, abs=1e-12)


def test_it_heads_ahead_with_its_axle_to_the_left():
    s, p, n, t1, t2 = touching((0.0, 0.0, 0.6), (0.0, 1.0, 0.0), (0.0, 0.0))

    assert s == pytest.approx(-0.1)
    assert (p, n, t1, t2) == ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


@given(st.floats(-1.6, 1.6), small, small, st.integers(0, 5))
def test_the_gap_changes_as_the_material_moves_there(roll, by_x, by_y, component):
    a, C = axle(roll, 0.4), np.array([0.3, -0.2, 0.9])
    _, p, n, _, _ = touching(C, a, (by_x, by_y))
    h = 1e-6
    turn, shift = np.zeros(3), np.zeros(3)
    (turn if component < 3 else shift)[component % 3] = 1.0
    gaps = []
    for step in (h, -h):
        moved = Rotation.from_rotvec(step * turn)
        gaps.append(touching(moved.apply(C) + step * shift, moved.apply(a), (by_x, by_y))[0])

    material = np.array(n) @ (np.cross(turn, p) + shift)
    assert (gaps[0] - gaps[1]) / (2.0 * h) == pytest.approx(material, abs=1e-8)


@pytest.mark.parametrize("lean", [0.0, 1e-9, 0.01, 0.03])
def test_on_its_side_it_is_a_shallow_bowl_and_nothing_is_singular(lean):
    a = (0.0, math.sin(lean), math.cos(lean))

    s, p, n, t1, t2 = touching((0.0, 0.0, 0.1), a, (0.0, 0.0))

    assert s == pytest.approx(0.1 - 0.5 * R * (math.sin(lean) ** 2 + disc.SHOULDER**2) / disc.SHOULDER)
    assert np.linalg.norm(p) <= R * lean / disc.SHOULDER + 1e-12
    np.testing.assert_allclose(np.array([n, t1, t2]) @ np.array([n, t1, t2]).T, np.eye(3), atol=1e-12)


def test_on_a_field_too_whatever_its_lean():
    """Rates of the gap against those of the material at 1 m/s and 1 rad/s, on noise of 20 cm every 2 m, 0 to 10 cm
    deep. Without steps to the foot the median is 0.06 m/s.
    """
    random = np.random.default_rng(7)
    m = kb.Machine("field")
    m.terrain("field", heights=0.2 * random.normal(size=(15, 15)), spacing=2.0, at=(-14.0, -14.0, 0.0))
    m.free("f", m.ground, m.body("wheel", mass=1.0, inertia=(1, 1, 1)), start=(0, 0, 5, 0, 0, 0))
    m.tire("tire", "wheel", radius=R, width=0.5, load="10 kN")
    ground = kb.build(m).plan.ground
    h, off = 1e-6, []
    for _ in range(200):
        turn = Rotation.random(random_state=random)
        a, C = turn.apply((0.0, 1.0, 0.0)), np.array([*random.uniform(-6.0, 6.0, 2), 2.0])
        for _ in range(5):  # lower it until it is as deep
            C[2] -= touch_disc(ground, tuple(C), tuple(a), R, 0.0)[0] + 0.05
        C[2] += random.uniform(-0.05, 0.05)
        s, _, p, n, _, _ = touch_disc(ground, tuple(C), tuple(a), R, 0.0)
        spin, speed = random.normal(size=3), random.normal(size=3)
        gaps = []
        for step in (h, -h):
            moved = Rotation.from_rotvec(step * spin)
            gaps.append(touch_disc(ground, tuple(C + step * speed), tuple(moved.apply(a)), R, 0.0)[0])
        material = np.array(n) @ (speed + np.cross(spin, np.array(p) - C))
        off.append(abs((gaps[0] - gaps[1]) / (2.0 * h) - material))

    assert np.quantile(off, 0.95) < 0.01
    assert np.median(off) < 1e-3
