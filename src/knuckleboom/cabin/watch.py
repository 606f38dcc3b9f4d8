# SPDX-License-Identifier: BSD-3-Clause
"""Looks at lines of the record for what an operator must be warned of.

A rule is a column of the record or of what is computed behind it (known.py), or a weighted sum of columns, and the
range in which it is quiet. A warning has one rule or several; all of them are looked at in one go. What is lit shows at
least half a second, so that an eye catches it. The last warning is that of missed deadlines, which are not in the
record: of so many that an operator may notice, as a few do no harm. What a machine is watched for is found in
alarms.py. Tested in tests/cabin/test_alarms.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

HOLD = 0.5  # s of wall time that a warning shows at least
LATE = 1.0  # s of wall time over which missed deadlines are counted, and that they show
MANY = 50  # missed deadlines in that time that somebody may notice: one of twenty at steps of 1 ms
DEADLINE = {"id": "deadline", "kind": "deadline", "part": "", "text": "Computer too slow: deadlines missed"}


@dataclass(frozen=True)
class Rule:
    """Lit when a column of a line, kept within a range, with others added by weight, is outside low..high."""

    column: int
    low: float
    high: float
    added: tuple[tuple[int, float], ...] = ()
    kept: tuple[float, float] = (-np.inf, np.inf)


@dataclass(frozen=True)
class Alarm:
    """One warning: what `hello` says of it, and when it is lit. `part` is the first of several that it is about."""

    kind: str
    part: str
    text: str
    rules: tuple[Rule, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what is sent to clients."""
        return {"id": f"{self.kind}.{self.part}", "kind": self.kind, "part": self.part, "text": self.text}


@dataclass
class Watch:
    """Looks at lines of the record, and remembers for how long a warning still shows."""

    alarms: list[Alarm]
    columns: NDArray[np.intp] = field(init=False)
    low: Array = field(init=False)
    high: Array = field(init=False)
    first: NDArray[np.intp] = field(init=False)
    added: list[tuple[int, int, float]] = field(init=False)
    least: Array = field(init=False)
    most: Array = field(init=False)
    until: Array = field(init=False)
    missed: int = 0
    since: float = -np.inf

    def __post_init__(self) -> None:
        rules = [rule for alarm in self.alarms for rule in alarm.rules]
        self.columns = np.array([rule.column for rule in rules], np.intp)
        self.added = [(place, *more) for place, rule in enumerate(rules) for more in rule.added]
        self.least, self.most = np.array([rule.kept for rule in rules]).reshape(-1, 2).T
        self.low, self.high = np.array([rule.low for rule in rules]), np.array([rule.high for rule in rules])
        counts = [len(alarm.rules) for alarm in self.alarms]
        self.first = np.concatenate(([0], np.cumsum(counts[:-1]))).astype(np.intp)
        self.until = np.full(len(self.alarms) + 1, -np.inf)

    def to_list(self) -> list[dict[str, Any]]:
        """Return all warnings as they are sent to clients, the one of the deadlines last."""
        return [*(alarm.to_dict() for alarm in self.alarms), dict(DEADLINE)]

    def look(self, line: Array, missed: int, now: float) -> NDArray[np.bool_]:
        """Return which warnings are lit; `now` is a clock of the wall, s."""
        if self.alarms:
            values = np.minimum(np.maximum(line[self.columns], self.least), self.most)
            for place, column, weight in self.added:
                values[place] += weight * line[column]
            lit = np.logical_or.reduceat((values < self.low) | (values > self.high), self.first)
            self.until[:-1][lit] = now + HOLD
        if missed - self.missed >= MANY:
            self.until[-1] = now + LATE
        if now - self.since >= LATE or missed < self.missed:
            self.since, self.missed = now, missed
        return self.until > now
