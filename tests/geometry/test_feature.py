# SPDX-License-Identifier: BSD-3-Clause
"""Lowest points of balls and rims against points all around; how they move against differences; gaps to a field
against the nearest of its points. The kernels run as plain Python, in a process of their own.
"""

import json
import math

import numpy as np
import pytest

import knuckleboom as kb
from plain_python import answers_of

NORMAL = np.array([0.2, -0.3, 0.9]) / np.linalg.norm([0.2, -0.3, 0.9])
AXES = {
    "ball": np.zeros(3), "lying": np.array([0.6, 0.8, 0.0]), "askew": np.array([0.5, 0.1, -0.7]),
    "standing": NORMAL, "nearly": NORMAL + 4e-4 * np.array([1.0, 0.5, 0.0]),
}  # fmt: skip
RADIUS, STEP = 0.4, 1e-6


def unit(a):
    size = np.linalg.norm(a)
    return a / size if size > 0.0 else a


def rotated(turn, a):
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(turn).apply(a)


def lowest_of(name):
    from knuckleboom.geometry import feature

    a = unit(AXES[name])
    offset, below = feature.lowest(RADIUS, tuple(a), tuple(NORMAL), feature.BOWL)
    return {"offset": offset, "below": below}


def moved_of(name):
    """Motions of the lowest point, those of differences, and rates of the gap both ways."""
    from knuckleboom.geometry import feature

    a, centre = unit(AXES[name]), np.array([0.3, -0.2, 0.5])
    n, found = tuple(NORMAL), []
    p = centre + feature.lowest(RADIUS, tuple(a), n, feature.BOWL)[0]
    for motion in np.eye(6):
        turn, shift = motion[:3], motion[3:]
        ours = feature.moved(RADIUS, tuple(a), n, tuple(p), feature.BOWL, tuple(turn), tuple(shift))
        ends, gaps = [], []
        for sign in (-STEP, STEP):
            c = rotated(sign * turn, centre) + sign * shift
            offset, below = feature.lowest(RADIUS, tuple(rotated(sign * turn, a)), n, feature.BOWL)
            ends.append(c + offset)
            gaps.append(NORMAL @ c - below)
        rate = NORMAL @ (np.cross(turn, p) + shift)
        found.append(
            {"moved": [list(ours), ((ends[1] - ends[0]) / (2 * STEP)).tolist()],
             "gap": [rate, (gaps[1] - gaps[0]) / (2 * STEP)]}
        )  # fmt: skip
    return found


def gaps_of():
    """Gaps of balls to a field, and distances to the nearest of many of its points."""
    from types import SimpleNamespace

    from scipy.optimize import minimize

    from knuckleboom.geometry import feature, field
    from knuckleboom.plan.ground import ground_tables

    m = kb.Machine("ground")
    heights = 0.05 * np.random.default_rng(5).normal(size=(12, 12))
    m.terrain("field", heights=heights, spacing=0.5)
    ground = SimpleNamespace(**{name.split(".")[1]: table for name, table in ground_tables(m).items()})
    found = []
    for x, y in np.random.default_rng(6).uniform(1.0, 4.0, (20, 2)):
        z = field.height_of(ground, 0, x, y)[0] + 0.15
        gap, _, _ = feature.gap_to(ground, 0, (x, y, z), 0.16, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

        def far(at, x=x, y=y, z=z):
            return math.dist((x, y, z), (*at, field.height_of(ground, 0, *at)[0]))

        best = minimize(far, (x, y), tol=1e-12, method="Nelder-Mead")
        found.append([gap, best.fun - 0.16])
    return found


@pytest.fixture(scope="module")
def plain():
    return answers_of(__file__)


@pytest.mark.parametrize("name", ["ball", "lying", "askew"])
def test_nothing_of_a_feature_is_lower(plain, name):
    a, found = unit(AXES[name]), plain[name]["lowest"]
    around = unit(np.cross(a, [1.0, 2.0, 3.0])) if a.any() else NORMAL
    angles = np.linspace(0.0, 2 * math.pi, 20001)
    circle = RADIUS * (np.outer(np.cos(angles), around) + np.outer(np.sin(angles), np.cross(a, around)))

    if a.any():
        assert found["below"] == pytest.approx(-(circle @ NORMAL).min(), rel=1e-7)
    assert NORMAL @ found["offset"] == pytest.approx(-found["below"])
    assert np.linalg.norm(found["offset"]) == pytest.approx(RADIUS)


def test_a_standing_rim_presses_in_its_middle(plain):
    found = plain["standing"]["lowest"]

    assert found["offset"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    assert found["below"] == pytest.approx(0.5e-3 * RADIUS)


@pytest.mark.parametrize("name", AXES)
def test_features_move_as_differences_say_and_no_energy_comes_of_it(plain, name):
    for one in plain[name]["moved"]:
        ours, differences = one["moved"]
        assert ours == pytest.approx(differences, abs=1e-5 * (100.0 if name == "nearly" else 1.0))
        # the gap's rate is that of the material point
        assert one["gap"][0] == pytest.approx(one["gap"][1], abs=1e-8)


def test_the_gap_to_a_field_is_the_distance_to_its_nearest_point(plain):
    gaps = np.array(plain["gaps"])

    assert gaps[:, 0] == pytest.approx(gaps[:, 1], abs=1e-6)
    assert np.ptp(gaps[:, 1]) > 2e-3


if __name__ == "__main__":
    answers = {name: {"lowest": lowest_of(name), "moved": moved_of(name)} for name in AXES} | {"gaps": gaps_of()}
    print(json.dumps(answers, default=lambda value: value.tolist()))
