# SPDX-License-Identifier: BSD-3-Clause
"""What clients get of a machine, once: inputs, signals, scene, gauges, controls, warnings; and where in a line of
the record everything is that they are shown.

Put together from the facts of a machine (facts.py) and its dashboard (dashboard.py), both plain data: whoever has the
plan makes them, which is the runner's process when the machine is driven. Tested in tests/cabin/test_known.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.cabin.dashboard import Dashboard
from knuckleboom.cabin.shown_units import input_shown, with_shown
from knuckleboom.cabin.watch import Watch

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """A machine as clients know it. `poses` are the columns of all bodies, 7 each; `columns` where each signal is."""

    name: str
    title: str
    step: float
    inputs: list[dict[str, Any]]
    signals: list[dict[str, Any]]
    scene: dict[str, Any]
    controls: dict[str, dict[str, list[Any]]]
    dashboard: Dashboard
    poses: NDArray[np.intp]
    columns: dict[str, int]

    @classmethod
    def of(cls, facts: Mapping[str, Any], dashboard: Dashboard, *, width: int, title: str) -> Known:
        """Put together what clients get; a line of the record has `width` columns."""
        computed = [{**one, "column": width + number} for number, one in enumerate(dashboard.signals)]
        ambient = facts.get("ambient")
        listed = with_shown([*facts["signals"], *computed], ambient)
        return cls(
            name=facts["name"], title=title, step=facts["step"],
            inputs=[input_shown(one, ambient) for one in facts["inputs"]],
            signals=[{key: one[key] for key in ("path", "unit", "meaning", "shown")} for one in listed],
            scene=facts["scene"] or {"bodies": [], "solids": [], "lines": [], "bounds": [[-1] * 3, [1] * 3], "size": 1},
            controls=facts["controls"],
            dashboard=dashboard,
            poses=np.array([body["columns"] for body in facts["bodies"]], np.intp).reshape(-1, 7),
            columns={one["path"]: one["column"] for one in listed},
        )  # fmt: skip

    def hello(self) -> dict[str, Any]:
        """Return the part of `hello` that is the same for every client."""
        return {
            "machine": self.name,
            "title": self.title,
            "step": self.step,
            "inputs": self.inputs,
            "signals": self.signals,
            "scene": self.scene,
            "gauges": self.dashboard.gauge_list(),
            "controls": self.controls,
            "warnings": Watch(self.dashboard.alarms).to_list(),
        }

    def complete(self, line: Array) -> Array:
        """Return a line of the record with what is computed for the dashboard behind it."""
        return np.concatenate([line, self.dashboard.compute(line)])
