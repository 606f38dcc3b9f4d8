# SPDX-License-Identifier: BSD-3-Clause
"""Warnings: found on every machine, quiet at rest, lit when they should be and long enough to be seen."""

import warnings

import numpy as np
import pytest

import knuckleboom as kb
from cabin.lines import COMPLETE, planned, simulate, start
from knuckleboom.analysis.workspace import limits
from knuckleboom.cabin.alarms import find_alarms
from knuckleboom.cabin.engines import engine_columns
from knuckleboom.cabin.watch import HOLD, LATE, MANY, Alarm, Rule, Watch
from knuckleboom.catalogue import NAMES, Case
from knuckleboom.hydraulics.parts import PilotReliefValve, ReliefValve, ShockValve
from knuckleboom.interface.parts import JointStop
from knuckleboom.interface.parts.ram import Ram
from knuckleboom.machine.over_time import ramps
from knuckleboom.plan import build


@pytest.mark.parametrize("name", COMPLETE)
def test_every_valve_cylinder_and_stop_has_its_warning(name: str) -> None:
    case, plan = planned(name)
    machine, alarms = case.machine, find_alarms(plan)
    reliefs = {p.name for p in machine.parts.values() if isinstance(p, ReliefValve | PilotReliefValve | ShockValve)}
    rams, stops = [p.name for p in machine.of(Ram)], [p.name for p in machine.of(JointStop)]
    assert {alarm.part for alarm in alarms if alarm.kind == "relief"} == reliefs
    ends = [alarm for alarm in alarms if alarm.kind == "end_stop"]
    columns = {name: plan.names[path if path in plan.names else f"{name}.length"].columns[0]
               for name, (path, _, _) in limits(plan).items()}  # fmt: skip
    assert sorted(columns) == sorted([*rams, *stops])
    assert sorted(rule.column for alarm in ends for rule in alarm.rules) == sorted(columns.values())
    torn = {rule.column for alarm in alarms if alarm.kind == "cavitation" for rule in alarm.rules}
    assert {plan.names[f"{name}.a.pressure"].columns[0] for name in rams} <= torn
    texts = Watch(alarms).to_list()
    for key in ("id", "text"):
        assert len({one[key] for one in texts}) == len(texts)
    assert not [one["text"] for one in texts if "_" in one["text"] or "'" in one["text"]]
    assert not Watch(alarms).look(start(name), 0, 1.0).any()


def lit(name: str, record: np.ndarray) -> set[str]:
    _, plan = planned(name)
    watch = Watch(find_alarms(plan))
    ids = [one["id"] for one in watch.to_list()]
    found = set()
    for line in record:
        found |= {one for one, on in zip(ids, watch.look(line, 0, line[0]), strict=True) if on}
    return found


def test_bucket_cylinder_driven_into_its_end() -> None:
    """Curling on and on: the end stop is reached; the pump's cut-off is below the relief, which stays closed."""
    found = lit("excavator", simulate("excavator", 4.0, bucket=1.0))
    assert "end_stop.bucket_cylinder" in found
    assert not {one for one in found if one.startswith("end_stop.boom")}


def test_both_boom_cylinders_at_their_end_are_one_line_that_goes_when_the_end_is_left() -> None:
    lever = ramps({0.0: 1.0, 8.0: 1.0, 8.1: -1.0})
    record, (_, plan) = simulate("excavator", 11.0, boom=lever), planned("excavator")
    watch = Watch(find_alarms(plan))
    texts = [one["text"] for one in watch.to_list()]
    shown = [[text for text, on in zip(texts, watch.look(line, 0, line[0]), strict=True) if on and "end" in text]
             for line in record]  # fmt: skip
    assert ["Boom cylinder at its end stop"] in shown
    assert shown[-1] == []


def test_slewing_brake_opens_the_shock_valve() -> None:
    """Full slew and then the lever let go: the upper structure turns on, and the valve on the outlet side opens."""
    found = lit("excavator", simulate("excavator", 4.0, slew=ramps({0.0: 1.0, 2.0: 1.0, 2.2: 0.0})))
    assert {"relief.slew_left_guard", "relief.slew_right_guard"} & found


def with_hook(share: float, limited: bool) -> Case:
    """The excavator with an engine of a share of its torque, with or without torque limiter, and a hook."""
    case = NAMES["excavator"]()
    case.machine.force("hook", case.machine["bucket_shell"].at(0.70, 0.0, 0.30), "-z")
    engine, pump = case.machine.part("engine"), case.machine.part("pump")
    given = {key: getattr(engine, key) for key in engine.model_fields_set}
    case.machine.put(type(engine)(**given | {"torque": tuple((n, share * t) for n, t in engine.torque)}))
    if not limited:
        kept = {key: getattr(pump, key) for key in pump.model_fields_set if key != "torque_limit"}
        case.machine.put(type(pump)(**kept))
    return case


@pytest.mark.parametrize(
    ("share", "limited", "expected"),
    [(1.0, True, set()), (1.0, False, {"lug_down.engine"}), (0.5, False, {"lug_down.engine", "stall.engine"})],
)
def test_engine_is_lugged_down_and_stalls(share: float, limited: bool, expected: set[str]) -> None:
    """Boom up at full lever with 45 kN on the hook: without its limiter the pump takes more than the engine has."""
    case = with_hook(share, limited)
    plan = build(case.machine, coupling="realtime")
    inputs = {"boom": ramps({0.1: 0.0, 0.6: 1.0}), "hook": ramps({0.0: 0.0, 0.5: 45e3})}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        run = kb.simulate(case.machine, 2.5, step=1e-3, record=0.01, inputs=inputs, coupling="realtime")
    watch = Watch(find_alarms(plan))
    texts = {one["id"]: one["text"] for one in watch.to_list()}
    assert texts["lug_down.engine"] == "Engine lugged down" and texts["stall.engine"] == "Engine stalled"
    found = set()
    for line in run.record[:, : plan.names.width]:
        found |= {one for one, on in zip(texts, watch.look(line, 0, line[0]), strict=True) if on}
    assert {one for one in found if one.endswith(".engine")} == expected


@pytest.mark.parametrize(("setting", "acts"), [(0.0, 80.0), (150.0, 150.0), (1e3, 240.0)])
@pytest.mark.parametrize(("lacks", "expected"), [(20.0, False), (30.0, True)])
def test_lug_down_counts_the_setting_that_acts(setting: float, acts: float, lacks: float, expected: bool) -> None:
    """The droop line of the setting kept within idle and the end of the curve, 25 N·m above the torque."""
    m = kb.Machine("powered")
    m.shaft("crank", 1.5)
    m.engine_droop("engine", "crank", torque=[[80.0, 450.0], [200.0, 500.0], [240.0, 380.0]], rated_speed=200.0,
                   setting=150.0, idle=80.0, stall=50.0, droop=0.05)  # fmt: skip
    plan = build(m, coupling="realtime")
    columns, line = engine_columns(plan, m.parts["engine"]), np.zeros(plan.names.width)
    line[columns.setting], line[columns.speed], line[columns.torque] = setting, acts - 2.0, 100.0 - lacks  # 50·2
    watch = Watch(find_alarms(plan))
    found = dict(zip([one["id"] for one in watch.to_list()], watch.look(line, 0, 0.0), strict=True))
    assert found["lug_down.engine"] == expected and not found["stall.engine"]


def test_rules_and_how_long_they_show() -> None:
    alarms = [
        Alarm("cavitation", "lift", "torn", (Rule(1, 5e4, np.inf), Rule(2, 5e4, np.inf))),
        Alarm("end_stop", "lift", "end", (Rule(3, 1.0, 2.0),)),
    ]
    watch = Watch(alarms)

    def look(a: float, b: float, length: float, now: float, missed: int = 0) -> list[bool]:
        return watch.look(np.array([0.0, a, b, length]), missed, now).tolist()

    assert look(1e5, 1e5, 1.5, 0.0) == [False, False, False]
    assert look(1e5, 1e4, 1.5, 1.0) == [True, False, False]
    assert look(1e5, 1e5, 2.1, 1.0 + 0.9 * HOLD) == [True, True, False]
    assert look(1e5, 1e5, 1.5, 1.0 + 1.1 * HOLD) == [False, True, False]
    # a few late steps now and then harm nobody
    few = MANY - 1
    assert look(1e5, 1e5, 1.5, 5.0, missed=few) == [False, False, False]
    assert look(1e5, 1e5, 1.5, 5.0 + 1.1 * LATE, missed=2 * few) == [False, False, False]
    assert look(1e5, 1e5, 1.5, 9.0, missed=2 * few + MANY) == [False, False, True]
    assert look(1e5, 1e5, 1.5, 9.0 + 0.9 * LATE, missed=2 * few + MANY) == [False, False, True]
    assert look(1e5, 1e5, 1.5, 9.0 + 1.1 * LATE, missed=2 * few + MANY) == [False, False, False]
    # a reset begins to count anew
    assert look(1e5, 1e5, 1.5, 20.0, missed=0) == [False, False, False]
    assert look(1e5, 1e5, 1.5, 20.1, missed=MANY) == [False, False, True]


def test_no_alarms_but_the_deadline() -> None:
    watch = Watch([])
    assert watch.look(np.zeros(1), 0, 0.0).tolist() == [False]
    assert watch.look(np.zeros(1), MANY, 0.0).tolist() == [True]
