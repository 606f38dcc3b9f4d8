# SPDX-License-Identifier: BSD-3-Clause
"""Gauges of every complete machine: what an operator looks for, on scales that fit, with values that add up."""

import numpy as np
import pytest

from cabin.lines import COMPLETE, planned, simulate, start
from knuckleboom.cabin.dashboard import ENERGY, MOMENT, POWER, STABILITY, Dashboard
from knuckleboom.cabin.gauges import make_dashboard, round_up
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts import EngineDroop, Motor, Winch
from knuckleboom.interface.parts.ram import Ram


def dashboard(name: str) -> Dashboard:
    return make_dashboard(planned(name)[1], start(name))


@pytest.mark.parametrize("name", COMPLETE)
def test_every_machine_has_what_an_operator_looks_for(name: str) -> None:
    case, plan = planned(name)
    found = dashboard(name)
    paths = [gauge.path for gauge in found.gauges]
    assert len(set(paths)) == len(paths)
    assert {POWER, MOMENT, ENERGY} <= set(paths)
    for pump in case.machine.of(Pumping):
        assert f"{pump.b}.pressure" in paths and f"{pump.name}.flow" in paths
    for part in (*case.machine.of(Ram), *case.machine.of(Motor), *case.machine.of(Winch)):
        assert all(f"{part.name}.{port}.pressure" in paths for port in part.PORTS)
    assert [gauge.title for gauge in found.gauges if gauge.group == "joints"]
    labels = {label: column for column, label in enumerate(plan.names.column_labels())}
    line, computed = start(name), dict(zip([s["path"] for s in found.signals], found.compute(start(name)), strict=True))
    for gauge in found.gauges:
        value = computed[gauge.path] if gauge.path in computed else line[labels[gauge.path]]
        shown = gauge.factor * value + gauge.offset
        assert gauge.low - 1e-9 <= shown <= gauge.high, gauge
        assert gauge.red is None or not gauge.red[0] < shown <= gauge.red[1], gauge
        # red is the low end of what must not fall, the high end of all else
        if gauge.path == STABILITY:
            assert gauge.red is not None and gauge.low == gauge.red[0] < gauge.red[1] < gauge.high
        else:
            assert gauge.red is None or gauge.low < gauge.red[0] < gauge.red[1] == gauge.high


def test_pressures_are_above_ambient() -> None:
    gauges = {gauge.path: gauge for gauge in dashboard("excavator").gauges}
    tank = gauges["boom_left.a.pressure"]
    assert tank.factor * 101325.0 + tank.offset == pytest.approx(0.0, abs=1e-12)
    assert (tank.unit, tank.high, tank.red) == ("bar gauge", 400.0, (343.0, 400.0))
    slew = gauges["slew_motor.a.pressure"]
    assert slew.red == (260.0, 300.0)  # its shock valves


def test_engine_load_and_energy_over_a_lift() -> None:
    """∫ T·ω dt of the record is what the engine gave; its load is T over the full-load curve at its speed."""
    case, plan = planned("excavator")
    found, record = dashboard("excavator"), simulate("excavator", 2.0, boom=0.5)
    paths = [one["path"] for one in found.signals]
    computed = np.array([found.compute(line) for line in record])
    power, energy = computed[:, paths.index(POWER)], computed[:, paths.index(ENERGY)]
    speed, torque = (record[:, plan.names[path].columns[0]] for path in ("engine_shaft.speed", "engine.torque"))
    given = float(np.trapezoid(torque * speed, record[:, 0]))
    assert energy[0] == 0.0
    assert energy[-1] == pytest.approx(given, rel=0.01)
    assert power.max() > 20e3

    # where the curve is straight between its points, a smooth one is within 2 %
    (engine,) = case.machine.of(EngineDroop)
    full = np.array([engine.full_load(one) for one in speed])
    assert computed[:, paths.index("dashboard.engine_share")] == pytest.approx(torque / full, rel=0.02)
    gauges = {gauge.title: gauge for gauge in found.gauges}
    assert [gauge.title for gauge in found.gauges][:3] == ["engine load", "engine speed", "power of the pumps"]
    assert (gauges["engine load"].unit, gauges["engine load"].red) == ("%", (95.0, 100.0))
    shown = gauges["engine speed"]
    assert (shown.unit, shown.high) == ("1/min", 2500.0)
    assert shown.factor * record[0, plan.names[shown.path].columns[0]] == pytest.approx(1985.0, abs=1.0)


def test_pumps_without_an_engine_are_its_load() -> None:
    """∫ power dt of the record, less what the shafts lose by friction, is what the pumps gave to the oil."""
    case, _ = planned("harvester-25")
    found, record = dashboard("harvester-25"), simulate("harvester-25", 1.0)
    paths = [one["path"] for one in found.signals]
    computed = np.array([found.compute(line) for line in record])
    power, energy = computed[:, paths.index(POWER)], computed[:, paths.index(ENERGY)]
    lost = sum(pump.shaft_viscous * pump.speed**2 for pump in case.machine.of(Pumping)) * record[-1, 0]
    assert found.gauges[0].title == "engine load"
    assert energy[-1] == pytest.approx(float(np.trapezoid(power, record[:, 0])) - lost, rel=0.01, abs=20.0)


def test_load_moment_grows_when_the_stick_reaches_out() -> None:
    found, record = dashboard("excavator"), simulate("excavator", 2.0, stick=-0.5)
    assert found.moment is not None
    assert found.moment(record[-1]) > 1.05 * found.moment(record[0])


def test_telescope_scales_are_the_strokes() -> None:
    gauges = {gauge.path: gauge for gauge in dashboard("harvester-30").gauges}
    slide = gauges["telescope_slide.travel"]
    assert (slide.low, slide.high) == (0.0, 2.0)
    log = gauges["log_slide.travel"]
    assert (log.low, log.high) == (-2.0, 2.0)


@pytest.mark.parametrize("name", ["naya-rod", "ylinen-cylinder", "crane-one-cylinder"])
def test_small_machines_have_a_dashboard_too(name: str) -> None:
    found = dashboard(name)
    assert found.gauges
    assert np.isfinite(found.compute(start(name))).all()


def test_machine_without_oil() -> None:
    _, plan = planned("four-bar")
    found = make_dashboard(plan, np.zeros(plan.names.width))
    assert (found.gauges, found.alarms, found.signals, found.compute(np.zeros(plan.names.width))) == ([], [], [], [])


def test_scales_end_at_round_numbers() -> None:
    assert [round_up(x) for x in (0.0, 0.9, 1.0, 1.01, 37.0, 377.3, 450.0, 9.9)] == [1, 1, 1, 1.5, 40, 400, 500, 10]
