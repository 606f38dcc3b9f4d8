# SPDX-License-Identifier: BSD-3-Clause
"""What the player needs of a recording of a drive (*.kbrec) or of results (*.nc): facts, dashboard, record and counts.

A recording has the machine in it; it is computed again first. Results have no machine: gauges and warnings are those of
the machine that is named on the command line, else of the catalogue's machine of that name, provided that its
quantities are where the file has them; without one the run is played all the same, with every signal but no gauges.
Tested in tests/cabin/test_played.py.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.cabin.columns import body_facts, signal_facts
from knuckleboom.cabin.dashboard import Dashboard
from knuckleboom.cabin.known import Known
from knuckleboom.cabin.player import Played
from knuckleboom.cabin.recording import SUFFIX
from knuckleboom.cabin.source import COUNTS
from knuckleboom.results.files import FileError

if TYPE_CHECKING:
    from knuckleboom.machine.case import Case
    from knuckleboom.plan import Planned
    from knuckleboom.results import Results

Array = NDArray[np.float64]
LINE = 0.01
"""s between lines of a recording that is computed again, unless that is too much."""
MOST = 25_000_000
"""Numbers of a record that is kept in memory."""


def load_played(path: Path, find: Callable[[], Case] | None = None) -> Played:
    """Return what the player takes of a run; `find` returns the machine of it."""
    case = None if find is None else find()
    planned: Planned | None
    view: dict[str, Any] = {}
    if path.suffix == SUFFIX:
        results, planned, view = _computed_again(path)
    else:
        from knuckleboom.results import load

        results = load(path)
        planned = _plan_of(results, case)
    if len(results.time) == 0:
        raise FileError(f"'{path}' has no moment to show: nothing was recorded.")
    dashboard = Dashboard([], [], [], None)
    if planned is not None:
        from knuckleboom.cabin.gauges import make_dashboard

        dashboard = make_dashboard(planned, results.record[0])
    elif case is not None:
        raise FileError(f"'{path}' is a run of '{results.machine}' with other quantities than the given machine's.")
    inputs, columns = _inputs(results)
    facts = {**_facts(results, view), "inputs": inputs, **_machine_facts(planned, inputs)}
    title = f"run of '{results.machine}' from {path.name}"
    known = Known.of(facts, dashboard, width=results.record.shape[1], title=title)
    counts = {name: results.meta.get("steps" if name == "steps" else f"{name}_steps") for name in COUNTS}
    return known, results.record, columns, counts


def _computed_again(path: Path) -> tuple[Results, Planned, dict[str, Any]]:
    from knuckleboom.cabin.recording import read_recording
    from knuckleboom.cabin.replay import fitting, replay
    from knuckleboom.machine import from_yaml
    from knuckleboom.plan import build

    recording = read_recording(path)
    with fitting(recording):
        planned = build(from_yaml(recording.head["yaml"]), **recording.head["method"])
    step = float(recording.head["step"])
    lines = max(LINE, recording.duration * planned.names.width / MOST)
    results = replay(recording, record=step * max(1, round(lines / step)))
    return results, planned, recording.view


def _plan_of(results: Results, case: Case | None) -> Planned | None:
    """The plan of the machine that was run, if its quantities are those of the results."""
    from knuckleboom import catalogue
    from knuckleboom.plan import build

    if case is None and results.machine in catalogue.NAMES:
        case = catalogue.NAMES[results.machine]()
    if case is None:
        return None
    words = {key: results.meta[key] for key in ("coordinates", "coupling") if results.meta.get(key)}
    planned = build(case.machine, **words)
    same = all(signal.path in results.names and results.names[signal.path] == signal for signal in planned.names)
    return planned if same else None


def _facts(results: Results, view: dict[str, Any]) -> dict[str, Any]:
    """What the record says of a run; a recording is seen as its drive was, on the same ground."""
    from knuckleboom.report.scene import scene

    drawn = scene(results)
    names = results.names
    return {
        "name": results.machine,
        "step": float(results.meta.get("step", 0.0)),
        "signals": signal_facts(names),
        "bodies": body_facts(names, drawn["bodies"] if drawn is not None else ()),
        "scene": None if drawn is None else {key: drawn[key] for key in drawn if key not in ("time", "poses")} | view,
    }


def _machine_facts(planned: Planned | None, inputs: list[dict[str, Any]]) -> dict[str, Any]:
    """What only the machine has: the pressure around it, and what it says of its levers."""
    from knuckleboom.cabin.controls import make_controls
    from knuckleboom.cabin.facts import controls_of

    if planned is None:
        return {"ambient": None, "controls": make_controls(inputs)}
    return {"ambient": planned.machine.ambient, "controls": controls_of(planned.machine, inputs)}


def _inputs(results: Results) -> tuple[list[dict[str, Any]], NDArray[np.intp]]:
    """Inputs as the record has them: `<part>.input`, ranging as far as they went; levers from −1 to 1."""
    found, columns = [], []
    for signal in results.names.find("*.input"):
        values = results.record[:, signal.columns[0]]
        rest, low, high = float(values[0]), float(values.min()), float(values.max())
        if signal.unit == "1" and low >= -1.0 and high <= 1.0:
            low, high = (-1.0, 1.0) if "-1 to 1" in signal.meaning else (0.0, 1.0)
        name = signal.path.removesuffix(".input")
        span = {"low": low, "high": high, "rest": rest}
        kind = "lever" if low < 0.0 < high else "other"
        found.append({"name": name, "unit": signal.unit, **span, "meaning": signal.meaning, "kind": kind})
        columns.append(signal.columns[0])
    return found, np.array(columns, np.intp)
