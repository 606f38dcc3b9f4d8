# SPDX-License-Identifier: BSD-3-Clause
"""Units of the cabin: gauge, chart and limit of one path have the same zero, the machine's ambient pressure."""

import pytest

from cabin.lines import COMPLETE, planned, start
from knuckleboom.cabin.columns import signal_facts
from knuckleboom.cabin.gauges import make_dashboard
from knuckleboom.cabin.shown_units import Shown, input_shown, shown_in, with_shown


@pytest.mark.parametrize("name", COMPLETE)
def test_gauge_and_chart_of_a_path_show_the_same(name: str) -> None:
    _, plan = planned(name)
    ambient = plan.machine.ambient
    charts = {one["path"]: one["shown"] for one in with_shown(signal_facts(plan.names), ambient)}
    pressures = [gauge for gauge in make_dashboard(plan, start(name)).gauges if gauge.path.endswith(".pressure")]
    assert pressures
    for gauge in pressures:
        assert charts[gauge.path] == [gauge.unit, gauge.factor, gauge.offset]
        assert gauge.unit == "bar gauge"
        assert gauge.factor * ambient + gauge.offset == pytest.approx(0.0, abs=1e-12)


def test_every_pressure_says_its_zero() -> None:
    assert shown_in("Pa", "absolute pressure", 0.9e5) == Shown("bar gauge", 1e-5, -0.9)
    assert shown_in("Pa", "absolute pressure", None) == Shown("bar absolute", 1e-5)
    assert shown_in("Pa", "pressure difference that it reads", 0.9e5) == Shown("bar", 1e-5)
    for name in COMPLETE:
        _, plan = planned(name)
        for signal in plan.names:
            if signal.unit == "Pa" and "difference" not in signal.meaning:
                assert signal.meaning.startswith("absolute pressure"), signal.path


def test_other_units() -> None:
    assert shown_in("m^3/s", "flow", None).unit == "l/min"
    assert shown_in("m", "travel", None) == Shown("m", 1.0)
    assert shown_in("N*m/rad", "stiffness", None).unit == "N·m/rad"
    shaft = input_shown({"unit": "rad/s", "meaning": "speed of the shaft"}, 1e5)
    assert shaft["shown"][1] * 6.283185307179586 == pytest.approx(60.0)
