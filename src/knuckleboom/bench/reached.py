# SPDX-License-Identifier: BSD-3-Clause
"""Which stops of a machine were touched and which of its relief valves let oil through; of the others, what is missing.

Stops are ends of cylinders and of joint stops. A relief valve that is set above the cut-off of the pumps guards against
loads from outside, or, beside a pump, against a cut-off that fails: no lever of a machine at rest opens it, a push or a
slammed valve may. Tested in tests/bench/test_soak.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from knuckleboom.analysis.reliefs import relief_flows
from knuckleboom.analysis.workspace import limits
from knuckleboom.hydraulics.parts import LoadSensingPump, PressureCompensatedPump
from knuckleboom.plan import Planned
from knuckleboom.results import Results
from knuckleboom.units import format_si

OPEN = 1e-6  # m³/s: less is no flow through a relief valve


@dataclass
class Reached:
    """What was reached so far, and how near the rest was: in m or rad to a stop, a pressure drop in Pa of a valve."""

    planned: Planned
    names: set[str] = field(default_factory=set)
    nearest: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.flows = relief_flows(self.planned.machine)
        self.ends: dict[str, tuple[str, str, float]] = {}
        for part, (row, low, high) in limits(self.planned).items():
            for side, at in (("low", low), ("high", high)):
                if np.isfinite(at):
                    self.ends[f"{part} {side}"] = part, row, at

    def look(self, results: Results) -> None:
        """Take a piece of a run into account."""
        for name, (part, row, at) in self.ends.items():
            values = results[row if row in results else f"{part}.length"].values
            missing = float(values.min()) - at if name.endswith(" low") else at - float(values.max())
            self.nearest[name] = min(missing, self.nearest.get(name, np.inf))
            self.names |= {name} if missing <= 0.0 else set()
        for name, path in self.flows.items():
            valve: Any = self.planned.machine.parts[name]
            before, behind = (np.asarray(results[f"{port}.pressure"].values) for port in (valve.a, valve.b))
            self.nearest[name] = max(float((before - behind).max()), self.nearest.get(name, -np.inf))
            self.names |= {name} if results[path].values.max() > OPEN else set()

    def to_row(self) -> dict[str, Any]:
        """How many there are, how many were reached, and the others with their reasons."""
        return {
            "stops": len(self.ends),
            "stops_reached": len(self.names & set(self.ends)),
            "reliefs": len(self.flows),
            "reliefs_opened": len(self.names & set(self.flows)),
            "not_reached": [
                {"name": name, "reason": self.reason(name)}
                for name in (*sorted(self.ends), *sorted(self.flows))
                if name not in self.names
            ],
        }

    def reason(self, name: str) -> str:
        """What kept something from being reached, in words."""
        if name not in self.nearest:
            return "Nothing was recorded."
        if name in self.ends:
            row = self.ends[name][1]
            unit = "rad" if row.endswith(".angle") else "m"
            return f"{format_si(self.nearest[name], unit)} were missing: no lever was held long or strongly enough."
        valve: Any = self.planned.machine.parts[name]
        words = f"Set to {1e-5 * valve.setting:.0f} bar, it saw {1e-5 * self.nearest[name]:.0f} bar"
        pumps = [*self.planned.machine.of(LoadSensingPump), *self.planned.machine.of(PressureCompensatedPump)]
        own = [pump.cutoff for pump in pumps if pump.b == valve.a]
        if own and max(own) < valve.setting:
            return f"{words}; its pump is cut off at {1e-5 * max(own):.0f} bar and swings back in time."
        highest = max((pump.cutoff for pump in pumps), default=np.inf)
        if highest <= valve.setting:
            return f"{words}; pumps are cut off at {1e-5 * highest:.0f} bar, so only a load from outside can open it."
        return f"{words}."
