# SPDX-License-Identifier: BSD-3-Clause
"""A dashboard as data: gauges, warnings, and signals that are computed for it from lines of the record.

What is computed are sums of columns, loads of engines, the stability and the load moment; their paths begin with
`dashboard.`. What a machine's dashboard has is found in gauges.py. Tested in tests/cabin/test_gauges.py.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.cabin.load_moment import LoadMoment
from knuckleboom.cabin.stability import Stability
from knuckleboom.cabin.watch import Alarm
from knuckleboom.kernels import plain
from knuckleboom.laws.curve import curve

Array = NDArray[np.float64]

POWER, ENERGY, MOMENT = "dashboard.engine_load", "dashboard.energy", "dashboard.load_moment"
BLOWS, SCRAPING, STABILITY = "dashboard.blows", "dashboard.scraping", "dashboard.stability"


@dataclass(frozen=True)
class Gauge:
    """One gauge: shows factor·signal + offset in its unit, from low to high; docs/cabin_protocol.md."""

    title: str
    group: str
    kind: str
    path: str
    unit: str
    factor: float
    offset: float
    low: float
    high: float
    red: tuple[float, float] | None


@dataclass(frozen=True)
class Sum:
    """A signal that is the sum of columns, or less it."""

    path: str
    unit: str
    meaning: str
    columns: tuple[int, ...]
    sign: float = 1.0


@dataclass(frozen=True)
class EngineLoad:
    """A signal that is an engine's torque over what it can give at its speed; 0 where it can give none."""

    path: str
    meaning: str
    torque: int
    speed: int
    full_load: tuple[float, ...]
    """Numbers of the curve of laws/curve.py."""

    def __call__(self, line: Array) -> float:
        numbers = np.array(self.full_load)
        most, _ = plain(curve)(numbers, 0, len(numbers) // 3, float(line[self.speed]))
        return float(line[self.torque] / most) if most > 0.0 else 0.0


@dataclass(frozen=True)
class Dashboard:
    """Gauges, warnings and computed signals of one machine."""

    gauges: list[Gauge]
    alarms: list[Alarm]
    sums: list[Sum]
    moment: LoadMoment | None
    loads: tuple[EngineLoad, ...] = ()
    stability: Stability | None = None

    @property
    def signals(self) -> list[dict[str, str]]:
        """What is computed, as it is sent to clients; in the order of `compute`."""
        found = [{"path": one.path, "unit": one.unit, "meaning": one.meaning} for one in self.sums]
        found += [{"path": one.path, "unit": "1", "meaning": one.meaning} for one in self.loads]
        if self.stability is not None:
            found.append({"path": STABILITY, "unit": "1", "meaning": "1: stands on its middle; 0: all load on an edge"})
        if self.moment is not None:
            meaning = f"moment of all weights and applied forces beyond '{self.moment.hinge}' about it"
            found.append({"path": MOMENT, "unit": "N*m", "meaning": meaning})
        return found

    def compute(self, line: Array) -> list[float]:
        """Return the computed signals at one line of the record."""
        found = [one.sign * float(line.take(one.columns).sum()) for one in self.sums]
        found += [load(line) for load in self.loads]
        found += [] if self.stability is None else [self.stability(line)]
        return found if self.moment is None else [*found, self.moment(line)]

    def gauge_list(self) -> list[dict[str, Any]]:
        """Return the gauges as they are sent to clients."""
        return [asdict(gauge) for gauge in self.gauges]
