# SPDX-License-Identifier: BSD-3-Clause
"""Warnings for the operator: relief valve open, oil torn, end stop reached, deadlines missed.

    relief       flow through the valve above 1 l/min                 one for each relief, pilot relief and shock valve
    cavitation   pressure of a volume below where its oil tears        one for each part with volumes
    end_stop     length or coordinate at or beyond a stop              one for each cylinder and joint stop
    deadline     the computer was late within the last second          one, the last

A rule is a column of the record and the range in which it is quiet. A warning has one rule or several; all of them are
looked at in one go. What is lit shows at least half a second, so that an eye catches it.
Tested in tests/cabin/test_alarms.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.reliefs import relief_flows
from knuckleboom.analysis.workspace import limits
from knuckleboom.hydraulics.parts import Oil
from knuckleboom.plan import Planned

Array = NDArray[np.float64]

OPEN = 1e-3 / 60.0  # m³/s: 1 l/min
HOLD = 0.5  # s of wall time that a warning shows at least
LATE = 1.0  # s of wall time that a missed deadline shows
CLOSE = 1e-3  # m or rad: so near to a stop counts as at it, since a stop gives a little and a rod comes to rest before
DEADLINE = {"id": "deadline", "kind": "deadline", "part": "", "text": "This computer is too slow: deadlines missed"}


@dataclass(frozen=True)
class Rule:
    """Lit when a column of the record is not between low and high."""

    column: int
    low: float
    high: float


@dataclass(frozen=True)
class Alarm:
    """One warning: what `hello` says of it, and when it is lit."""

    kind: str
    part: str
    text: str
    rules: tuple[Rule, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what clients are told."""
        return {"id": f"{self.kind}.{self.part}", "kind": self.kind, "part": self.part, "text": self.text}


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


@dataclass
class Watch:
    """Looks at lines of the record, and remembers for how long a warning still shows."""

    alarms: list[Alarm]
    columns: NDArray[np.intp] = field(init=False)
    low: Array = field(init=False)
    high: Array = field(init=False)
    first: NDArray[np.intp] = field(init=False)
    until: Array = field(init=False)
    missed: int = 0

    def __post_init__(self) -> None:
        rules = [rule for alarm in self.alarms for rule in alarm.rules]
        self.columns = np.array([rule.column for rule in rules], np.intp)
        self.low, self.high = np.array([rule.low for rule in rules]), np.array([rule.high for rule in rules])
        counts = [len(alarm.rules) for alarm in self.alarms]
        self.first = np.concatenate(([0], np.cumsum(counts[:-1]))).astype(np.intp)
        self.until = np.full(len(self.alarms) + 1, -np.inf)

    def to_list(self) -> list[dict[str, Any]]:
        """Return all warnings as clients are told, the one of the deadlines last."""
        return [*(alarm.to_dict() for alarm in self.alarms), dict(DEADLINE)]

    def look(self, line: Array, missed: int, now: float) -> NDArray[np.bool_]:
        """Return which warnings are lit; `now` is a clock of the wall, s."""
        if self.alarms:
            values = line[self.columns]
            lit = np.logical_or.reduceat((values < self.low) | (values > self.high), self.first)
            self.until[:-1][lit] = now + HOLD
        if missed > self.missed:
            self.until[-1] = now + LATE
        self.missed = missed
        return self.until > now
