# SPDX-License-Identifier: BSD-3-Clause
"""Height fields against SciPy's B-splines, through what was given, smooth and flat beyond; planes; areas by winding."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.interpolate import BSpline

import knuckleboom as kb
from kernel_call import callable_kernel
from knuckleboom.geometry import field
from knuckleboom.layout import PLAN_FIELDS
from knuckleboom.mechanics.heights import coefficients, sampled
from knuckleboom.plan.ground import ground_tables

TYPES = {name: kind for name, _, kind, _ in PLAN_FIELDS}


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    """What the kernels call is Python too."""
    for name in ("spline", "cell_of", "is_inside"):
        inner = getattr(field, name)
        monkeypatch.setattr(field, name, getattr(inner, "py_func", inner))


def plan_of(*terrains):
    m = kb.Machine("ground")
    for number, settings in enumerate(terrains):
        m.terrain(f"t{number}", **settings)
    return SimpleNamespace(**{name.split(".")[1]: table for name, table in ground_tables(m).items()})


def height(plan, x, y, g=0):
    return getattr(field.height_of, "py_func", field.height_of)(plan, g, x, y)


def area(plan, x, y, g=0):
    return getattr(field.area_of, "py_func", field.area_of)(plan, g, x, y)


HEIGHTS = np.random.default_rng(3).normal(size=(6, 9))
ROUGH = {"heights": HEIGHTS, "spacing": 0.5, "at": (-1.0, 2.0, 0.3)}


def test_a_field_passes_through_its_heights():
    plan = plan_of(ROUGH)
    for (i, j), given in np.ndenumerate(HEIGHTS):
        assert height(plan, -1.0 + 0.5 * i, 2.0 + 0.5 * j)[0] == pytest.approx(0.3 + given, abs=1e-13)


def test_a_field_is_the_tensor_product_of_scipys_splines():
    plan, c = plan_of(ROUGH), coefficients(HEIGHTS + 0.3, field.RING)
    knots = [np.arange(count + 3) - 1.5 - field.RING for count in c.shape]
    for x, y in np.random.default_rng(1).uniform((-2.0, 1.0), (2.5, 7.0), (50, 2)):
        s, t = (x + 1.0) / 0.5, (y - 2.0) / 0.5
        inner = BSpline(knots[1], c.T, 2)

        def along(order, s=s, t=t, inner=inner, knots=knots):
            return BSpline(knots[0], inner(t), 2)(s, order)

        across = BSpline(knots[0], inner(t, 1), 2)(s)
        assert height(plan, x, y) == pytest.approx([float(along(0)), along(1) / 0.5, across / 0.5], abs=1e-11)


def test_what_is_drawn_is_what_is_touched():
    plan, drawn = plan_of(ROUGH), sampled(HEIGHTS, 16, 29)
    for i, x in enumerate(np.linspace(-1.0, 1.5, 16)):
        for j, y in enumerate(np.linspace(2.0, 6.0, 29)):
            assert 0.3 + drawn[i, j] == pytest.approx(height(plan, x, y)[0], abs=1e-12)


def test_it_is_smooth_across_cells_and_edges_and_flat_beyond():
    plan, step = plan_of(ROUGH), 1e-7
    for x in np.arange(-2.25, 3.0, 0.25):
        for y in (1.5, 3.1, 4.0, 6.5):
            before, after = height(plan, x - step, y), height(plan, x + step, y)
            assert after == pytest.approx(before, abs=2e-4 * 0.5)
            assert (after[0] - before[0]) / (2 * step) == pytest.approx(before[1], abs=1e-4)
    assert height(plan, -1.0 - 0.8, 4.0)[1] == 0.0
    assert height(plan, -1.0 - 0.8, 4.0)[0] == height(plan, -1e9, 4.0)[0]
    assert height(plan, 1e300, 1e300)[1:] == (0.0, 0.0)
    assert height(plan, math.nan, 0.0)[1:] == (0.0, 0.0)


def test_a_field_with_the_heights_of_a_plane_is_that_plane():
    rows = [[0.2 * i - 0.1 * j for j in range(5)] for i in range(4)]
    plan = plan_of({"heights": rows, "spacing": 2.0, "at": (1.0, 0.0, 0.0)})
    for x, y in np.random.default_rng(2).uniform((0.0, -1.0), (8.0, 9.0), (40, 2)):
        assert height(plan, x, y) == pytest.approx((0.1 * (x - 1.0) - 0.05 * y, 0.1, -0.05), abs=1e-14)


def test_planes_rise_as_they_are_told():
    plan = plan_of(
        {"slope": "30 deg", "rises": (1, 1, 0), "at": (1, 2, 3)}, {"normal": (0, 0.6, 0.8), "at": (0, 0, 2)},
        {"normal": "-x", "at": (3, 0, 0)},
    )  # fmt: skip
    rise = math.tan(math.radians(30.0)) / math.sqrt(2.0)
    assert height(plan, 2.0, 5.0) == pytest.approx((3.0 + 4.0 * rise, rise, rise))
    assert height(plan, 1.0, 4.0, 1) == pytest.approx((2.0 - 3.0, 0.0, -0.75))
    assert height(plan, 0.0, 0.0, 2)[0] == -math.inf
    assert plan.index[:, field.KIND].tolist() == [field.PLANE, field.PLANE, field.WALL]
    for number in plan.number:
        n, t = number[:3], number[field.ALONG : field.ALONG + 3]
        assert np.linalg.norm(n) == pytest.approx(1.0)
        assert (n @ t, t @ t) == pytest.approx((0.0, 1.0), abs=1e-15)


def winding(corners, x, y):
    """How often an outline goes round a place."""
    p = np.array(corners) - (x, y)
    q = np.roll(p, -1, axis=0)
    turned = np.arctan2(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0], (p * q).sum(axis=1))
    return round(turned.sum() / (2 * math.pi))


def test_areas_are_inside_their_outlines_and_the_last_counts():
    star = [(0, 0), (4, 1), (1, 2), (3, 4), (0.5, 2.5), (-2, 3)]
    plan = plan_of(
        {"areas": [{"corners": [(9, 9), (8, 8)]}]},
        {"areas": [{"corners": star, "friction_factor": 0.5}, {"corners": [(1, 3), (0, 0)], "stiffness_factor": 2}]},
    )
    assert plan.index[:, field.AREA].tolist() == [0, 2]
    for x, y in np.random.default_rng(4).uniform((-3, -1), (5, 5), (300, 2)):
        wanted = 4 if 0 < x < 1 and 0 < y < 3 else 3 if winding(star, x, y) else 2
        assert area(plan, x, y, 1) == wanted
    assert plan.area[:, :2].tolist() == [[1, 1], [1, 1], [1, 1], [0.5, 1], [1, 2]]


def test_tables_have_the_types_of_the_layout():
    for name, table in ground_tables(kb.Machine("none")).items():
        assert len(table) == 0
        assert table.dtype == {"int": np.int64, "float": np.float64}[TYPES[name]]


def test_kernels_compile():
    compiled = callable_kernel(field.cell_of)
    assert compiled(2.6, 5) == (3, pytest.approx(-0.4))
