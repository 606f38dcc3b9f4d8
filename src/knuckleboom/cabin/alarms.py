# SPDX-License-Identifier: BSD-3-Clause
"""What an operator is warned of, found from the parts of a machine: relief valve open, cavitation, end stop reached,
engine lugged down or stalled, about to tip over.

    relief       flow through the valve above 1 l/min                 one for each relief, pilot relief and shock valve
    cavitation   pressure of a volume below where its oil tears        one for each part with volumes
    end_stop     length or coordinate at or beyond a stop              one for each cylinder and joint stop
    lug_down     the governor wants more torque than at full load      one for each engine
    stall        speed at or below that at which it gives no torque    one for each engine
    tipping      stability (stability.py) below a tenth                one for a machine that stands on the ground

Parts that an operator calls by one name (titles.py), like the cylinders on both sides of a boom, share one warning.
Tested in tests/cabin/test_alarms.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from knuckleboom.analysis.reliefs import relief_flows
from knuckleboom.analysis.workspace import limits
from knuckleboom.cabin.engines import engine_columns
from knuckleboom.cabin.titles import called, moved, words
from knuckleboom.cabin.watch import Alarm, Rule
from knuckleboom.hydraulics.parts import Oil, ShockValve
from knuckleboom.interface.parts import EngineDroop, JointStop
from knuckleboom.plan import Planned

OPEN = 1e-3 / 60.0  # m³/s: 1 l/min
CLOSE = 1e-3  # m or rad: so near to a stop counts as at it, since a stop gives a little and a rod comes to rest before
LUGGED = 0.05  # of the rated torque: so much more than full load the governor wants before it counts
TIPS = 0.1
"""Stability below which a machine is about to tip over."""
VALVES = ("relief", "shock", "guard", "valve")  # words in a valve's name that the warning says already


def find_alarms(planned: Planned) -> list[Alarm]:
    """Return all warnings of a machine but that of the deadlines."""
    found: dict[tuple[str, str], Alarm] = {}
    for alarm in (*_reliefs(planned), *_torn_oil(planned), *_stops(planned), *_engines(planned)):
        first = found.get((alarm.kind, alarm.text))
        found[alarm.kind, alarm.text] = alarm if first is None else replace(first, rules=first.rules + alarm.rules)
    return list(found.values())


def _reliefs(planned: Planned) -> Iterator[Alarm]:
    for name, path in relief_flows(planned.machine).items():
        shock = isinstance(planned.machine.parts[name], ShockValve)
        where = [word for word in words(name).split() if word not in VALVES]
        text = f"{'Shock' if shock else 'Relief'} valve open" + (f": {' '.join(where)}" if where else "")
        yield Alarm("relief", name, text, (Rule(planned.names[path].columns[0], -np.inf, OPEN),))


def _torn_oil(planned: Planned) -> Iterator[Alarm]:
    machine = planned.machine
    for node in planned.layout.nodes[: planned.layout.nvolume]:
        path, oil = f"{node.port}.pressure", machine.parts[node.oil]
        if node.gas is None and path in planned.names and isinstance(oil, Oil):
            rule = Rule(planned.names[path].columns[0], oil.fluid.cavitates_below(machine.ambient), np.inf)
            yield Alarm("cavitation", node.part, f"Cavitation: {called(machine, node.part)}", (rule,))


def _stops(planned: Planned) -> Iterator[Alarm]:
    machine = planned.machine
    for name, (path, low, high) in limits(planned).items():
        part = machine.parts[name]
        what = moved(machine, str(part.joint)) if isinstance(part, JointStop) else called(machine, name)
        column = planned.names[path if path in planned.names else f"{name}.length"].columns[0]
        text = f"{what[0].upper()}{what[1:]} at its end stop"
        yield Alarm("end_stop", name, text, (Rule(column, low + CLOSE, high - CLOSE),))


def _engines(planned: Planned) -> Iterator[Alarm]:
    for engine in planned.machine.of(EngineDroop):
        columns, gain = engine_columns(planned, engine), engine.gain
        # gain·(setting − speed) − torque, the setting as far as it acts
        wanted = ((columns.speed, -1.0), (columns.torque, -1.0 / gain))
        most = LUGGED * engine.full_load(engine.rated_speed) / gain
        name = words(engine.name).capitalize()
        rule = Rule(columns.setting, -np.inf, most, wanted, (engine.idle, engine.most))
        yield Alarm("lug_down", engine.name, f"{name} lugged down", (rule,))
        yield Alarm("stall", engine.name, f"{name} stalled", (Rule(columns.speed, engine.stall, np.inf),))


def tipping(machine: str, column: int) -> Alarm:
    """The warning of a machine that is about to tip over; `column` is that of its stability."""
    return Alarm("tipping", machine, "Tipping over", (Rule(column, TIPS, np.inf),))
