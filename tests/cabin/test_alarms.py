# SPDX-License-Identifier: BSD-3-Clause
"""Warnings: found on every machine, quiet at rest, lit when they should be and long enough to be seen."""

import numpy as np
import pytest

from cabin.lines import COMPLETE, planned, simulate, start
from knuckleboom.cabin.alarms import find_alarms
from knuckleboom.cabin.watch import HOLD, LATE, Alarm, Rule, Watch
from knuckleboom.catalogue.ramps import Ramps
from knuckleboom.hydraulics.parts import PilotReliefValve, ReliefValve, ShockValve
from knuckleboom.interface.parts import JointStop
from knuckleboom.interface.parts.ram import Ram


@pytest.mark.parametrize("name", COMPLETE)
def test_every_valve_cylinder_and_stop_has_its_warning(name: str) -> None:
    case, plan = planned(name)
    machine, alarms = case.machine, find_alarms(plan)
    by_kind = {kind: [a.part for a in alarms if a.kind == kind] for kind in ("relief", "cavitation", "end_stop")}
    reliefs = {p.name for p in machine.parts.values() if isinstance(p, ReliefValve | PilotReliefValve | ShockValve)}
    rams = {p.name for p in machine.of(Ram)}
    assert set(by_kind["relief"]) == reliefs
    assert set(by_kind["end_stop"]) == rams | {p.name for p in machine.of(JointStop)}
    assert rams <= set(by_kind["cavitation"])
    texts = Watch(alarms).to_list()
    assert len({one["id"] for one in texts}) == len(texts)
    assert all(f"'{one['part']}'" in one["text"] for one in texts[:-1])
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


def test_slewing_brake_opens_the_shock_valve() -> None:
    """Full slew and then the lever let go: the upper structure turns on, and the valve on the outlet side opens."""
    found = lit("excavator", simulate("excavator", 4.0, slew=Ramps({0.0: 1.0, 2.0: 1.0, 2.2: 0.0})))
    assert {"relief.slew_left_guard", "relief.slew_right_guard"} & found


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
    assert look(1e5, 1e5, 1.5, 9.0, missed=1) == [False, False, True]
    assert look(1e5, 1e5, 1.5, 9.0 + 0.9 * LATE, missed=1) == [False, False, True]
    assert look(1e5, 1e5, 1.5, 9.0 + 1.1 * LATE, missed=1) == [False, False, False]
    # a reset begins to count anew
    assert look(1e5, 1e5, 1.5, 20.0, missed=0) == [False, False, False]


def test_no_alarms_but_the_deadline() -> None:
    watch = Watch([])
    assert watch.look(np.zeros(1), 0, 0.0).tolist() == [False]
    assert watch.look(np.zeros(1), 1, 0.0).tolist() == [True]
