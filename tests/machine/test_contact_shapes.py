# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that nobody has drawn look like what of them touches.

Rank of evidence: places of corners and axes, known from the settings.
"""

import math

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.machine.outline import outline
from knuckleboom.machine.placement import rotation


def shapes(**settings):
    """Shapes of a body with one contact, off its origin and turned about z."""
    m = kb.Machine("one")
    body = m.body("thing", mass=1.0, inertia=(1, 1, 1))
    m.terrain("floor")
    m.free("flight", m.ground, body, start=(0, 0, 5, 0, 0, 0))
    m.contact("skin", body.at(1, 2, 3, rpy=(0, 0, "90 deg")), **settings)
    return outline(m)["bodies"]["thing"]["shapes"]


@pytest.mark.parametrize(
    ("settings", "form", "size"),
    [
        ({"sphere": 0.2}, "sphere", [0.2]),
        ({"box": (1, 2, 3)}, "box", [1, 2, 3]),
        ({"capsule": (0.1, 0.5)}, "capsule", [0.1, 0.5]),
        ({"cylinder": (0.1, 0.5)}, "cylinder", [0.1, 0.5]),
    ],
)
def test_a_contact_is_drawn_where_it_is(settings, form, size):
    (one,) = shapes(**settings)
    assert one["shape"] == form and list(one["size"]) == size and one["at"] == [1, 2, 3]
    along_x = np.array(rotation(tuple(one["rpy"])))[:, 0]
    if form == "box":
        assert along_x == pytest.approx([0, 1, 0], abs=1e-12)


@pytest.mark.parametrize("axis", ["x", "y", "z", "-z", (1, 1, 1)])
def test_what_has_an_axis_lies_along_it(axis):
    (one,) = shapes(capsule=(0.1, 0.5), axis=axis)
    along = np.array(rotation(tuple(one["rpy"])))[:, 2]
    given = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "-z": (0, 0, -1)}.get(axis, (1, 1, 1))
    x, y, z = given
    assert along == pytest.approx(np.array([-y, x, z]) / math.hypot(*given), abs=1e-9)


def test_a_hull_is_drawn_by_its_edges():
    corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.1, 0.1, 0.1))
    (one,) = shapes(hull=corners)
    assert one["shape"] == "line" and {tuple(p) for p in one["points"]} == set(corners[:4])
    flat = ((0, 0, 0), (1, 0, 0), (1, 1, 0))
    (one,) = shapes(hull=flat)
    assert [tuple(p) for p in one["points"]] == [*flat, flat[0]]


def test_a_wheel_is_drawn_as_its_tire_and_what_has_looks_keeps_them():
    m = kb.Machine("wheel")
    wheel = m.body("wheel", mass=50.0, inertia=(1, 2, 1))
    drawn = m.body("drawn", mass=50.0, inertia=(1, 2, 1))
    drawn.shape("sphere", size=0.3)
    m.terrain("floor")
    for number, body in enumerate((wheel, drawn)):
        m.free(f"flight_{number}", m.ground, body, start=(0, number, 1, 0, 0, 0))
        m.tire(f"tire_{number}", body, radius=0.6, width=0.4, load="10 kN")
    bodies = outline(m)["bodies"]
    (one,) = bodies["wheel"]["shapes"]
    assert one["shape"] == "cylinder" and list(one["size"]) == [0.6, 0.4]
    assert np.array(rotation(tuple(one["rpy"])))[:, 2] == pytest.approx([0, 1, 0], abs=1e-12)
    assert [one["shape"] for one in bodies["drawn"]["shapes"]] == ["sphere"]
