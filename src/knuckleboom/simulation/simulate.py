# SPDX-License-Identifier: BSD-3-Clause
"""kb.simulate: plan a machine, run it in blocks of steps, and hand back its results.

Between blocks the progress is shown and Ctrl-C is heard; what was computed before a failure or an interruption is kept.
Tested in tests/simulate/.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from knuckleboom import units
from knuckleboom.engine.run import run_explicit
from knuckleboom.errors import MachineError, Problem, SimulationError
from knuckleboom.layout import OK
from knuckleboom.machine import Machine
from knuckleboom.plan import Method, Planned, build
from knuckleboom.results import Results
from knuckleboom.simulation.audit import add_totals, energy, make_ledger
from knuckleboom.simulation.cut_joints import add_cut_joints
from knuckleboom.simulation.failure import explain, explain_input
from knuckleboom.simulation.inputs import SAME, Array, InputFault, Source, read_inputs, sample
from knuckleboom.simulation.motions import Driven, read_motions
from knuckleboom.simulation.provenance import provenance
from knuckleboom.simulation.schedule import Schedule, check_times, make_schedule

DOUBTFUL = 0.01
"""Part of the work done by which the energy may not add up without a warning."""
Watch = Callable[[int, Callable[[], Results]], None]
"""Called before the first block and after every one, with the number of lines that the record will have and a function
that gives the results so far; what it raises ends the run."""
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
    watch: Watch | None = None,
) -> Results:
    """Simulate a machine from its start for `duration` and return what was recorded every `record`.

    Raises MachineError with every problem of the machine, and SimulationError (with the results so far) when the run
    cannot go on. Ctrl-C ends the run; its results then have the status "interrupted".
    """
    method = Method(integrator, enforcement, factorisation)
    seconds, size, interval = read_times(duration, step, record)
    planned = build(machine, method, read_motions(machine, inputs or {}))
    sources = [*read_inputs(planned, inputs), *map(Driven, planned.motions)]
    jumps = [jump for source in sources for jump in source.jumps()]
    schedule = make_schedule(seconds, size, interval, jumps, planned.work_size["nrecord"])
    return run_blocks(planned, schedule, sources, progress, watch)


def read_times(
    duration: float | str, step: float | str, record: float | str | None
) -> tuple[float, float, float | None]:
    """Duration, step and recording interval in s; all that make no sense are refused at once."""
    problems: list[Problem] = []

    def read(what: str, value: Any) -> float:
        try:
            return units.parse(value, "s") if isinstance(value, str) else float(value)
        except ValueError as error:
            problems.append(Problem(f"{what}: {error}."))
        except TypeError:
            problems.append(Problem(f"{what} is {value!r}, which is not a time.", fix='Write it like "10 s".'))
        return 1.0  # any time that makes sense: the problem is noted

    times = read("duration", duration), read("step", step), None if record is None else read("record", record)
    problems += check_times(*times)
    if problems:
        raise MachineError(problems, "the times")
    return times


def run_blocks(
    planned: Planned, schedule: Schedule, sources: Sequence[Source], progress: Callable[[float], None] | None,
    watch: Watch | None = None,
) -> Results:  # fmt: skip
    """Run all steps, block by block."""
    record = np.full((schedule.records, planned.work_size["nrecord"]), np.nan)
    total, done, block = schedule.total, 0, 1
    began, status, end, slack = time.process_time(), OK, "done", SAME * schedule.step
    fault: InputFault | None = None

    def so_far(end: str = "interrupted", message: str = "It was still running at t =") -> Results:
        # lines are filled in order, and those that were not are still NaN
        kept = int(np.isfinite(record[:, 0]).sum())
        reached = float(planned.work.state.time[0])
        meta = describe_run(planned, schedule, time.process_time() - began, schedule.steps_until(reached))
        names, extended = add_totals(*add_cut_joints(planned, planned.names, record[:kept]), meta["ledger"])
        text = f"{message} {reached:.6g} s." if end == "interrupted" else ""
        return Results(names, extended, meta | {"status": end, "message": text})

    try:
        if watch is not None:
            watch(schedule.records, so_far)
        held, fault = sample(sources, np.zeros(1), slack)
        while done < total and status == OK and fault is None:
            count = min(block, total - done)
            times, sizes, lines = schedule.part(done, count)
            following, fault = sample(sources, times[1:], slack)
            if fault is not None:
                # up to the time of the fault the inputs are known: only the line there cannot be filled
                count = len(following) + 1
                following = np.vstack([following, np.zeros((1, held.shape[1]))])
            if fault is not None or done + count < total:
                lines[count] = -1  # the next block begins with it
            held = np.vstack([held[-1:], following])
            before = time.perf_counter()
            u, motions = split(planned, held)
            status, taken = run_explicit(planned.plan, planned.work, times, sizes, u, motions, lines, record, count)
            took = time.perf_counter() - before
            done += taken
            block = next_block(count, took)
            if progress is not None:
                progress(done / total)
            if watch is not None:
                watch(schedule.records, so_far)
    except KeyboardInterrupt:
        end = "interrupted"
    results = so_far(end, "Interrupted at t =")
    if status != OK:
        text = explain(planned, status, results)
    elif fault is not None and end == "done":
        text = explain_input(fault, results)
    else:
        text = doubt(results)
        if text:
            results.meta["message"] = f"{results.message} {text}".strip()
            warnings.warn(text, RuntimeWarning, stacklevel=3)
        return results
    results.meta.update(status="failed", message=text)
    raise SimulationError(text, results) from fault


def split(planned: Planned, held: Array) -> tuple[Array, Array]:
    """What is held, as inputs and as motions of the drivers, for run_explicit."""
    nu = planned.work_size["nu"]
    motions = held[:, nu:].reshape(len(held), -1, 3) if planned.motions else np.empty((len(held), 0, 3))
    return np.ascontiguousarray(held[:, :nu]), np.ascontiguousarray(motions)


def doubt(results: Results) -> str:
    """A sentence when the energy does not add up, so that a step that is too large does not pass for a result."""
    residual = energy(results).relative_residual if len(results.time) > 1 else None
    if residual is None or residual < DOUBTFUL:
        return ""
    step = f"{1e3 * results.meta['step']:g} ms"
    rule = f"The energy does not add up by {residual:.1%} of the work done"
    return f"{rule}: the step ({step}) is too large, try a smaller one."


def next_block(count: int, took: float) -> int:
    """Number of steps for the next block, from what this one took."""
    if took < 0.5 * BLOCK_SECONDS:
        return 2 * count
    return max(1, math.floor(count * BLOCK_SECONDS / took))


def describe_run(planned: Planned, schedule: Schedule, cpu: float, done: int) -> dict[str, Any]:
    """What a run was, saved with its results."""
    method = planned.method
    return {
        "machine": planned.machine.name,
        "coordinates": "relative",
        "coupling": "explicit",
        "integrator": method.integrator,
        "enforcement": method.enforcement,
        "factorisation": method.factorisation,
        "step": schedule.step,
        "record": schedule.interval,
        "duration": schedule.duration,
        "steps": done,
        "cpu_seconds": cpu,
        "ledger": make_ledger(planned),
        **provenance(planned),
    }
