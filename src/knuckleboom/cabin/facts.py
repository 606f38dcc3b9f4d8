# SPDX-License-Identifier: BSD-3-Clause
"""Facts: what clients get of a machine once, as plain data.

    name, step         the machine's name, size of a step [s]
    ambient            pressure around the machine [Pa], the zero of gauge pressures
    inputs             {name, unit, low, high, rest, meaning, kind}; kind is "lever", "pump" or "other"
    signals            {path, unit, meaning, column}: each column of a line, a vector has one for each component
    bodies             {name, columns}: where the seven numbers of a body's pose stand (x y z, qw qx qy qz)
    scene              report/scene.py's form without poses
    controls           which lever moves what (controls.py)
    dashboard          gauges, warnings and what is computed for them (dashboard.py)

Valves go from −1 to 1 (0 to 1 with two positions), pumps from nothing to their own, other inputs as far as the
machine's own work cycle takes them. Tested in tests/cabin/test_facts.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from knuckleboom.analysis.lifting import lifting_signs
from knuckleboom.cabin.columns import body_facts, signal_facts
from knuckleboom.cabin.controls import make_controls, unknown_levers
from knuckleboom.cabin.gauges import make_dashboard
from knuckleboom.hydraulics.parts import Pressure
from knuckleboom.hydraulics.parts.directional import Directional, TwoPositions
from knuckleboom.hydraulics.parts.pumping import Pumping
from knuckleboom.interface.parts import EngineDroop, Payload
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.machine.over_time import Steps, Table
from knuckleboom.report.scene import scene
from knuckleboom.simulation.inputs import read_constant
from knuckleboom.simulation.live import LiveInput, LiveRun

LOOKS = 400
"""Times at which functions of the work cycle are looked at."""


def reach(case: Case) -> dict[str, list[Any]]:
    """Values that each input has in the machine's own work cycle, as they were given."""
    found: dict[str, list[Any]] = {}
    for name, given in case.inputs.items():
        if isinstance(given, Steps | Table):
            found[name] = list(given.values)
        elif isinstance(given, Mapping):
            found[name] = list(given.values())
        elif callable(given):
            found[name] = [float(given(time)) for time in np.linspace(0.0, case.duration, LOOKS)]
        else:
            found[name] = [given]
    return found


def facts(live: LiveRun, reached: Mapping[str, list[Any]]) -> dict[str, Any]:
    """Everything that clients get once of a machine at its start."""
    names = live.planned.names
    outline = live.moment()
    drawn = scene(outline)
    if drawn is not None:
        del drawn["time"], drawn["poses"]
    inputs = [input_facts(live, one, reached.get(one.name, [])) for one in live.inputs]
    return {
        "name": live.planned.machine.name,
        "step": live.step_size,
        "ambient": live.planned.machine.ambient,
        "inputs": inputs,
        "controls": controls_of(live.planned.machine, inputs),
        "signals": signal_facts(names),
        "bodies": body_facts(names, drawn["bodies"] if drawn is not None else ()),
        "scene": drawn,
        "dashboard": make_dashboard(live.planned, outline.record[0]),
    }


def controls_of(machine: Machine, inputs: list[dict[str, Any]]) -> dict[str, dict[str, list[Any]]]:
    """Which lever moves what; of levers without a description it is found out which way they lift."""
    unknown = unknown_levers(inputs, machine.levers)
    return make_controls(inputs, machine.levers, lifting_signs(machine, unknown) if unknown else {})


def input_facts(live: LiveRun, one: LiveInput, reached: list[Any]) -> dict[str, Any]:
    """What clients get of one input."""
    low, high, kind = span(live, one, reached)
    return {
        "name": one.name, "unit": one.unit, "low": low, "high": high, "rest": one.rest, "meaning": one.meaning,
        "kind": kind,
    }  # fmt: skip


def span(live: LiveRun, one: LiveInput, reached: list[Any]) -> tuple[float, float, str]:
    """How far an input goes, and whether it is a lever, a pump's or another's."""
    signal = next((signal for signal in live.planned.layout.inputs if signal.path == one.name), None)
    part = live.planned.machine.parts.get(signal.part) if signal is not None else None
    if isinstance(part, Directional):
        return (0.0 if isinstance(part, TwoPositions) else -1.0), 1.0, "lever"
    if isinstance(part, Pumping):
        most = max(1.0, one.rest) if one.unit == "1" else max(0.0, one.rest)
        return min(0.0, one.rest), most, "pump"
    if isinstance(part, Payload):
        return 0.0, part.most, "other"
    if isinstance(part, EngineDroop):
        return min(part.idle, one.rest), max(part.torque[-1][0], one.rest), "other"
    if isinstance(part, Pressure):
        ambient = live.planned.machine.ambient
        return min(ambient, one.rest), max(ambient, one.rest), "pump"
    values = [one.rest, *(read_constant(one.name, value, one.unit) for value in reached)]
    low, high = min(values), max(values)
    if low == high:
        size = abs(low) or 1.0
        low, high = -size, size
    return low, high, "other"
