# SPDX-License-Identifier: BSD-3-Clause
"""kb.simulate: plan a machine, run it in blocks of steps, and hand back its results.

Between blocks the progress is shown and Ctrl-C is heard; what was computed before a failure or an interruption is kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from knuckleboom import units
from knuckleboom.engine.run import run_explicit
from knuckleboom.errors import MachineError, Problem, SimulationError
from knuckleboom.layout import OK
from knuckleboom.machine import Machine
from knuckleboom.plan import Method, Planned, build
from knuckleboom.results import Results
from knuckleboom.simulate.audit import add_totals, make_ledger
from knuckleboom.simulate.cut_joints import add_cut_joints
from knuckleboom.simulate.failure import explain
from knuckleboom.simulate.inputs import SAME, Input, read_inputs
from knuckleboom.simulate.schedule import Schedule, make_schedule

BLOCK_SECONDS = 0.1
"""Wall time that a block of steps should take: short enough for Ctrl-C, long enough to cost nothing."""


def simulate(
    machine: Machine,
    duration: float | str,
    *,
    step: float | str = "1 ms",
    record: float | str | None = None,
    inputs: Mapping[str, Any] | None = None,
    integrator: str = "rk4",
    enforcement: str = "lagrange",
    factorisation: str = "sparse",
    progress: Callable[[float], None] | None = None,
) -> Results:
    """Simulate a machine from its start for `duration` and return what was recorded every `record`.

    Raises MachineError with every problem of the machine, and SimulationError (with the results so far) when the run
    cannot go on. Ctrl-C ends the run; its results then have the status "interrupted".
    """
    method = Method(integrator, enforcement, factorisation)
    seconds, size = read_time("duration", duration), read_time("step", step)
    interval = None if record is None else read_time("record", record)
    planned = build(machine, method)
    sources = read_inputs(planned, inputs)
    jumps = [jump for source in sources for jump in source.jumps()]
    schedule = make_schedule(seconds, size, interval, jumps, planned.names.width)
    return run_blocks(planned, schedule, sources, size, progress)


def read_time(what: str, value: float | str) -> float:
    """A time in s from a number or a text with a unit."""
    try:
        return units.parse(value, "s") if isinstance(value, str) else float(value)
    except (TypeError, ValueError) as error:
        raise MachineError([Problem(f"{what}: {error}")], "the times") from None


def run_blocks(
    planned: Planned, schedule: Schedule, sources: list[Input], step: float, progress: Callable[[float], None] | None
) -> Results:
    """Run all steps, block by block."""
    record = np.full((schedule.records, planned.work_size["nrecord"]), np.nan)
    total, done, block = len(schedule.steps), 0, 1
    began, status, end = time.process_time(), OK, "done"
    planned.work.state.u[:] = sample(sources, schedule.times[:1], step)[0]
    try:
        while done < total and status == OK:
            count = min(block, total - done)
            held = sample(sources, schedule.times[done : done + count + 1], step)
            lines = schedule.lines[done : done + count + 1].copy()
            if done + count < total:
                lines[-1] = -1  # the next block begins with it
            before = time.perf_counter()
            status, taken = run_explicit(
                planned.plan, planned.work, schedule.times[done : done + count + 1],
                schedule.steps[done : done + count], held, lines, record, count,
            )  # fmt: skip
            took = time.perf_counter() - before
            done += taken
            block = next_block(count, took)
            if progress is not None:
                progress(done / total)
    except KeyboardInterrupt:
        end = "interrupted"
    message = "" if end == "done" else f"Interrupted at t = {float(planned.work.state.time[0]):.6g} s."
    meta = describe_run(planned, schedule, step, time.process_time() - began, done)
    kept = int(np.searchsorted(schedule.times[schedule.lines >= 0], float(planned.work.state.time[0]), side="right"))
    kept = min(kept, int(np.isfinite(record[:, 0]).sum()))
    names, extended = add_totals(*add_cut_joints(planned, planned.names, record[:kept]), meta["ledger"])
    results = Results(names, extended, meta | {"status": end, "message": message})
    if status != OK:
        text = explain(planned, status, step, results)
        results.meta.update(status="failed", message=text)
        raise SimulationError(text, results)
    return results


def next_block(count: int, took: float) -> int:
    """Number of steps for the next block, from what this one took."""
    if took < 0.5 * BLOCK_SECONDS:
        return 2 * count
    return max(1, math.floor(count * BLOCK_SECONDS / took))


def sample(sources: list[Input], times: np.ndarray, step: float) -> np.ndarray:
    """Values of all inputs at the starts of the steps."""
    held = np.empty((len(times), len(sources)))
    for column, source in enumerate(sources):
        held[:, column] = source.sample(times, SAME * step)
    return held


def describe_run(planned: Planned, schedule: Schedule, step: float, cpu: float, done: int) -> dict[str, Any]:
    """What a run was, saved with its results."""
    method = planned.method
    return {
        "machine": planned.machine.name,
        "coordinates": "relative",
        "coupling": "explicit",
        "integrator": method.integrator,
        "enforcement": method.enforcement,
        "factorisation": method.factorisation,
        "step": step,
        "record": schedule.interval,
        "duration": float(schedule.times[-1]),
        "steps": done,
        "cpu_seconds": cpu,
        "ledger": make_ledger(planned),
    }
