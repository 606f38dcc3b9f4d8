# SPDX-License-Identifier: BSD-3-Clause
"""Thinning keeps ends and peaks and never exceeds its limit; numbers arrive as they were, in the unit people read."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import knuckleboom as kb
from knuckleboom.report.curves import PANEL_LINES, Curve, all_curves, packed, page_curves, panels, same_curves, thinned
from results.made_up_run import made_up_run


@given(
    values=arrays(np.float64, st.integers(1, 700), elements=st.floats(-1e6, 1e6)),
    most=st.integers(4, 300),
)
def test_extremes_and_ends_survive(values, most):
    time = np.arange(len(values), dtype=float)

    t, y = thinned(time, values, most)

    assert len(t) == len(y) <= max(most, 2)
    assert y.max() == values.max() and y.min() == values.min()
    assert t[0] == 0.0 and y[0] == values[0] and t[-1] == time[-1] and y[-1] == values[-1]
    assert (np.diff(t) >= 0).all()
    assert np.array_equal(y, values[t.astype(int)])


def test_a_peak_of_one_record_is_kept():
    values = np.sin(np.linspace(0, 20, 100_001))
    values[43_210] = 50.0

    t, y = thinned(np.linspace(0, 1, 100_001), values, 2000)

    assert len(y) <= 2000 and y.max() == 50.0 and t[y.argmax()] == pytest.approx(0.4321)


def test_a_constant_keeps_its_ends_only():
    assert len(thinned(np.arange(1000.0), np.full(1000, 7.0), 2000)[0]) == 2


def test_numbers_come_back():
    back = np.frombuffer(base64.b64decode(packed([1.5, -2.0, 3.25])), "<f4")
    assert back.tolist() == [1.5, -2.0, 3.25]


def test_every_component_is_a_curve_in_the_unit_people_read():
    run = made_up_run()
    curves = {curve.name: curve for curve in all_curves(run)}

    assert len(curves) == 17  # all columns but time
    assert curves["lift.a.pressure"].unit == "bar" and curves["lift.a.pressure"].values[0] == pytest.approx(76.0)
    assert curves["boom.tip.position.z"].unit == "mm" and "pin.residual[1]" in curves
    written = page_curves(list(curves.values()), {})
    assert [curve["name"] for curve in written] == list(curves)
    assert "t" not in written[0]  # its times are all the recorded ones


def test_panels_name_curves_that_exist():
    run = made_up_run()
    names = {curve.name for curve in all_curves(run)}

    for panel in panels(run, {}):
        assert panel["curves"] and set(panel["curves"]) <= names


def curve(name: str, values: np.ndarray, unit: str = "mm") -> Curve:
    return Curve(name, unit, "", np.arange(len(values), dtype=float), values)


def test_curves_that_nobody_could_tell_apart_are_known_by_the_first():
    wave = 100.0 * np.sin(np.linspace(0, 10, 500))  # a span of 200
    curves = [
        curve("left", wave), curve("right", wave + 1e-9), curve("near", wave + 0.019), curve("apart", wave + 0.021),
        curve("pressure", wave, "bar"), curve("back", wave[::-1]), curve("rest", np.zeros(500)),
        curve("also_rest", np.zeros(500)), curve("elsewhere", np.full(500, 1e-6)),
    ]  # fmt: skip

    assert same_curves(curves) == {"right": "left", "near": "left", "also_rest": "rest"}
    assert [one.get("alike") for one in page_curves(curves, same_curves(curves))][:4] == [None, "left", "left", None]


def test_the_same_curves_are_one_line_of_a_panel():
    case = kb.catalogue.NAMES["excavator"]()
    run = kb.simulate(case.machine, "0.2 s", step=case.step, inputs=case.inputs, **case.method)
    same = same_curves(all_curves(run))

    assert same["boom_right.length"] == "boom_left.length"
    for panel in panels(run, same):
        assert len({same.get(name, name) for name in panel["curves"]}) <= PANEL_LINES
        if "boom_left.length" in panel["curves"]:
            assert "boom_right.length" in panel["curves"]
