# SPDX-License-Identifier: BSD-3-Clause
"""What clients are told of a machine, once: inputs, signals, scene, gauges, controls, warnings; and where in a line of
the record everything is that they are shown.

Made from the plan and the first line, by whoever has both: the runner's process when the machine is driven, the server
when a run is played again. Plain data that can be handed to another process. Tested in tests/cabin/test_known.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.cabin.alarms import Watch
from knuckleboom.cabin.controls import make_controls
from knuckleboom.cabin.dashboard import Dashboard, make_dashboard
from knuckleboom.machine.outline import outline
from knuckleboom.names import Names, component_labels
from knuckleboom.plan import Planned
from knuckleboom.report.scene import Scene

Array = NDArray[np.float64]
NO_DASHBOARD = Dashboard([], [], [], None)


@dataclass(frozen=True)
class Known:
    """A machine as clients know it. `poses` are the columns of all bodies, 7 each; `columns` where each signal is."""

    name: str
    title: str
    step: float
    inputs: list[dict[str, Any]]
    signals: list[dict[str, str]]
    scene: dict[str, Any]
    dashboard: Dashboard
    poses: NDArray[np.intp]
    columns: dict[str, int]

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
            "controls": make_controls(self.inputs),
            "warnings": Watch(self.dashboard.alarms).to_list(),
        }

    def complete(self, line: Array) -> Array:
        """Return a line of the record with what is computed for the dashboard behind it."""
        return np.concatenate([line, self.dashboard.compute(line)])


def know(planned: Planned, line: Array, *, title: str, step: float, inputs: Sequence[Mapping[str, Any]]) -> Known:
    """Return what clients are told of a machine; `line` is that of its start."""
    dashboard = make_dashboard(planned, line)
    return assemble(
        planned.names, len(line), line, name=planned.machine.name, title=title, step=step, inputs=inputs,
        outline=outline(planned.machine), dashboard=dashboard,
    )  # fmt: skip


def assemble(
    names: Names, width: int, line: Array, *, name: str, title: str, step: float, inputs: Sequence[Mapping[str, Any]],
    outline: Mapping[str, Any], dashboard: Dashboard = NO_DASHBOARD,
) -> Known:  # fmt: skip
    """Put together what clients are told, from names, outline and dashboard; the record has `width` columns."""
    signals: list[dict[str, str]] = []
    columns: dict[str, int] = {}
    for signal in names:
        for column, label in zip(signal.columns, component_labels(signal), strict=True):
            signals.append({"path": label, "unit": signal.unit, "meaning": signal.meaning})
            columns[label] = column
    for number, computed in enumerate(dashboard.signals):
        signals.append(computed)
        columns[computed["path"]] = width + number
    bodies = [body for body in outline["bodies"] if f"{body}.position" in names and f"{body}.orientation" in names]
    poses = [(*names[f"{body}.position"].columns, *names[f"{body}.orientation"].columns) for body in bodies]
    where = np.array(poses, np.intp).reshape(-1, 7)
    scene = Scene(dict(outline), bodies, line[where][None]).to_dict(np.zeros(1))
    shown = {key: scene[key] for key in ("bodies", "solids", "lines", "bounds", "size")}
    listed = [dict(one) for one in inputs]
    return Known(name, title, step, listed, signals, shown, dashboard, where, columns)
