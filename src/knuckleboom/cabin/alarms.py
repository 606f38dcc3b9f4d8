# SPDX-License-Identifier: BSD-3-Clause
"""What an operator is warned of, found from the parts of a machine: relief valve open, oil torn, end stop reached.

    relief       flow through the valve above 1 l/min                 one for each relief, pilot relief and shock valve
    cavitation   pressure of a volume below where its oil tears        one for each part with volumes
    end_stop     length or coordinate at or beyond a stop              one for each cylinder and joint stop

Tested in tests/cabin/test_alarms.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from knuckleboom.analysis.reliefs import relief_flows
from knuckleboom.analysis.workspace import limits
from knuckleboom.cabin.watch import Alarm, Rule
from knuckleboom.hydraulics.parts import Oil
from knuckleboom.plan import Planned

OPEN = 1e-3 / 60.0  # m³/s: 1 l/min
CLOSE = 1e-3  # m or rad: so near to a stop counts as at it, since a stop gives a little and a rod comes to rest before


def find_alarms(planned: Planned) -> list[Alarm]:
    """Return all warnings of a machine but that of the deadlines."""
    return [*_reliefs(planned), *_torn_oil(planned), *_stops(planned)]


def _reliefs(planned: Planned) -> Iterator[Alarm]:
    for name, path in relief_flows(planned.machine).items():
        rule = Rule(planned.names[path].columns[0], -np.inf, OPEN)
        yield Alarm("relief", name, f"Relief valve '{name}' is open", (rule,))


def _torn_oil(planned: Planned) -> Iterator[Alarm]:
    machine = planned.machine
    rules: dict[str, list[Rule]] = {}
    for node in planned.layout.nodes[: planned.layout.nvolume]:
        path, oil = f"{node.port}.pressure", machine.parts[node.oil]
        if node.gas is None and path in planned.names and isinstance(oil, Oil):
            limit = oil.fluid.cavitates_below(machine.ambient)
            rules.setdefault(node.part, []).append(Rule(planned.names[path].columns[0], limit, np.inf))
    for part, found in rules.items():
        yield Alarm("cavitation", part, f"The oil in '{part}' is torn (cavitation)", tuple(found))


def _stops(planned: Planned) -> Iterator[Alarm]:
    for part, (path, low, high) in limits(planned).items():
        column = planned.names[path if path in planned.names else f"{part}.length"].columns[0]
        yield Alarm("end_stop", part, f"'{part}' is at its end stop", (Rule(column, low + CLOSE, high - CLOSE),))
