# SPDX-License-Identifier: BSD-3-Clause
"""Whether the machines run in real time: cost, worst step and errors of `realtime` over each one's work cycle.

One thread, its processor time, compiled code warm. `step_us_mean` is the whole cycle in one compiled call over its
steps, nothing recorded, inputs laid out in advance: the smallest of five. For the other two the cycle is replayed five
times, bit for bit the same, with a call from Python for every step; what an empty call takes (`call_us`: handing over
the arrays, reading the clock) is taken off. Of each step the smallest of the five counts, so that the computer's own
hiccups do not: `step_us_worst` is the largest of those, `step_us_p999` what one step in a thousand exceeds. `bound_us`
is what the work of a step can take at most, `corrected_percent` and `halved_percent` say how many were not plain ones.

`position_error_mm` is the largest distance of any cylinder's length, or of a motor's angle on a radius of 1 m, on a
grid of 10 ms, from a converged run: the same method at 0.1 ms; `cylinder_error_mm` is that of cylinders alone. The
converged run's own error is seen twice. `step_difference_mm` is how far it is from steps of 0.2 ms; for a method of
order 2 that is three times what it is off. `coupling_difference_mm` is how far it is from `unified` at 0.2 ms, which
shares the equations but neither tangent, rule nor projection with it.
`energy_residual_percent` is the most energy that appeared from nowhere, in % of what pumps and pressure sources gave.
`stages_us`: bench/stages.py. Keys: docs/cli.md. Ctrl-C keeps the machines that were measured.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.bench.levers import GRID, correction_shares
from knuckleboom.bench.machines import Cycle, complete, cycle_of
from knuckleboom.bench.rounds import Part, Progress
from knuckleboom.bench.stages import StageClock, typical
from knuckleboom.engine.linearly_implicit import PARTS_AT_A_STOP
from knuckleboom.engine.oil_pass import MOST_IN_STEP
from knuckleboom.errors import SimulationError
from knuckleboom.interface.parts import Motor
from knuckleboom.layout import PARTED_STEPS
from knuckleboom.results import Results
from knuckleboom.simulation.audit import energy
from knuckleboom.simulation.kinematic import followed_paths
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]

STEP = 1e-3  # s, where none is given
REFERENCE, COARSER = 1e-4, 2e-4  # s: steps of the converged run and of those it is compared with
REPLAYS = 5
EMPTY_CALLS = 1000
RADIUS = 1.0  # m: where the angle of a motor becomes a distance
RARE = 0.999
LOOKS = 40  # states at which stages are timed
WARM = 100  # steps before a replay, so that its first one does not find the processor's memory empty
PIECES = 5  # of the work on one machine, for the progress


def measure(
    progress: Progress | None = None, *, cycles: Sequence[Cycle] | None = None, replays: int = REPLAYS,
    step: float = STEP,
) -> dict[str, Any]:  # fmt: skip
    """Measure all complete machines, or the given ones; see the card."""
    report = progress or (lambda fraction: None)
    wanted = [cycle_of(name) for name in complete()] if cycles is None else list(cycles)
    found: list[dict[str, Any]] = []
    status = "done"
    try:
        for number, cycle in enumerate(wanted):
            share = Part(report, number / len(wanted), (number + 1) / len(wanted))
            found.append(measured(cycle, step, replays, share))
    except KeyboardInterrupt:
        status = "interrupted"
    return {
        "status": status,
        "step_ms": 1e3 * step,
        "replays": replays,
        "radius_m": RADIUS,
        "machines": found,
        "not_run": [cycle.name for cycle in wanted[len(found) :]],
    }


def measured(cycle: Cycle, step: float, replays: int, progress: Progress) -> dict[str, Any]:
    """One machine; what cannot run says so and has no numbers."""
    row: dict[str, Any] = {"machine": cycle.name, "status": "done", "message": "", "duration_s": cycle.duration}
    row["step_ms"] = 1e3 * step
    numbers = dict.fromkeys(
        ("step_us_mean", "step_us_p999", "step_us_worst", "worst_at_s", "real_time_factor", "call_us", "bound_us")
        + ("corrected_percent", "halved_percent")
        + ("position_error_mm", "position_error_of", "cylinder_error_mm", "cylinder_error_of")
        + ("energy_residual_percent", "reference", "stages_us")
    )
    try:
        run = prepared(cycle, step, cycle.realtime)
        numbers |= costs(run, step, replays, Part(progress, 0.0, 2.0 / PIECES))
        results = run.recorded()
        numbers |= correction_shares(results)
        numbers["energy_residual_percent"] = residual_percent(results)
        numbers |= errors(cycle, results, Part(progress, 2.0 / PIECES, 1.0))
    except SimulationError as error:
        row |= {"status": "failed", "message": str(error)}
    progress(1.0)
    return row | numbers


def prepared(cycle: Cycle, step: float, words: dict[str, Any]) -> WholeRun:
    """A machine's cycle laid out for a method and a step."""
    return WholeRun(cycle.machine, cycle.duration, step=step, record=GRID, inputs=cycle.inputs, **words)


def costs(run: WholeRun, step: float, replays: int, progress: Progress) -> dict[str, Any]:
    """Mean, 99.9 % and worst of a step and its stages, µs; in rounds, so that a slow spell falls on all alike."""
    clock, stages = time.thread_time_ns, StageClock(run.planned, step)
    wholes: list[float] = []
    calls: list[float] = []
    steps = np.full(run.steps, np.inf)
    looks: list[list[dict[str, float]]] = []
    for number in range(replays):
        run.reset()
        run.unrecorded(WARM)
        run.reset()
        began = clock()
        run.unrecorded()
        wholes.append(float(clock() - began))
        calls.append(float(np.median(run.empty_calls(clock, EMPTY_CALLS))))
        run.reset()
        run.unrecorded(WARM)
        run.reset()
        steps = np.minimum(steps, run.each(clock))
        looks.append([])
        run.recorded(watch=lambda: looks[-1].append(stages()), looks=LOOKS)
        progress((number + 1.0) / replays)
    steps, mean, found = 1e-3 * (steps - min(calls)), 1e-3 * min(wholes) / run.steps, typical(looks)
    return {
        "step_us_mean": mean,
        "step_us_p999": float(np.quantile(steps, RARE)),
        "step_us_worst": float(steps.max()),
        "worst_at_s": float(run.times[np.argmax(steps)]),
        "real_time_factor": 1e6 * step / mean,
        "call_us": 1e-3 * min(calls),
        "bound_us": bound_us(run, steps, 1e-3 * min(calls)),
        "stages_us": {**found, "rest": mean - sum(found.values())},
    }


def bound_us(run: WholeRun, steps: Array, call: float) -> float:
    """What the work of a step can take at most, µs: the beginning of a whole one, four parts, and all iterations of the
    oil.

    Every step does as much as any other but for these. The longest of the cycle's steps that were made once and not
    corrected counts five times. What an iteration takes is seen in steps that are all in doubt: their limits are 0.
    """
    planned, limits = run.planned, run.planned.plan.tableau.doubtful
    counts, spent = np.zeros((run.steps + 1, 3)), np.zeros(run.steps + 1)

    def note(k: int) -> None:
        counts[k], spent[k] = planned.work.tableau.count[:3], planned.work.tableau.spent[0]

    def replayed() -> Array:
        run.reset()
        took = run.each(time.thread_time_ns, note)
        note(run.steps)
        return np.asarray(1e-3 * took - call, np.float64)

    replayed()
    plain = float(steps[(np.diff(counts, axis=0) == 0.0).all(axis=1)].max(initial=float(np.median(steps))))
    kept = limits.copy()
    limits[:] = 0.0, 0.0, np.inf  # all misfit, none is in four parts at a stop
    try:
        took = replayed()
    finally:
        limits[:] = kept
    made = run.steps + 2.0 * counts[-1, PARTED_STEPS]  # steps in halves were made three times
    extra = max(took.sum() - made * float(np.median(steps)), 0.0)
    iteration = extra / spent[1:].sum() if spent[1:].any() else 0.0
    return (1.0 + PARTS_AT_A_STOP) * plain + MOST_IN_STEP * iteration


def errors(cycle: Cycle, results: Results, progress: Progress) -> dict[str, Any]:
    """Position error against the converged run, and how far that is from others."""
    ours = places(cycle, results)
    exact = prepared(cycle, REFERENCE, cycle.realtime)
    there = places(cycle, exact.recorded())
    progress(0.4)
    coarser = places(cycle, prepared(cycle, COARSER, cycle.realtime).recorded())
    progress(0.6)
    try:
        unified = prepared(cycle, COARSER, {"coupling": "unified"}).recorded()
        other: float | None = farthest(there, places(cycle, unified))[0]
    except SimulationError:
        other = None
    progress(1.0)
    error, name = farthest(there, ours)
    turned = {motor.name for motor in cycle.machine.of(Motor)}
    sliding, slide = farthest({name: values for name, values in there.items() if name not in turned}, ours)
    return {
        "position_error_mm": error,
        "position_error_of": name,
        "cylinder_error_mm": sliding,
        "cylinder_error_of": slide,
        "reference": {
            "step_ms": 1e3 * REFERENCE,
            "coarser_step_ms": 1e3 * COARSER,
            "step_difference_mm": farthest(there, coarser)[0],
            "coupling": "unified",
            "coupling_difference_mm": other,
        },
    }


def places(cycle: Cycle, results: Results) -> dict[str, Array]:
    """Lengths of cylinders and angles of motors on their radius, m, on the grid."""
    arms = {motor.name: RADIUS for motor in cycle.machine.of(Motor)}
    return {
        name: arms.get(name, 1.0) * np.asarray(results[path].values)
        for name, path in followed_paths(cycle.machine).items()
    }


def farthest(some: dict[str, Array], others: dict[str, Array]) -> tuple[float, str]:
    """The largest distance of two runs, mm, and which quantity has it."""
    apart = {name: 1e3 * float(np.abs(some[name] - others[name]).max()) for name in some}
    name = max(apart, key=lambda one: apart[one], default="")
    return apart.get(name, 0.0), name


def residual_percent(results: Results) -> float | None:
    """The most energy that appeared from nowhere, in % of what sources gave; None where there is no source."""
    given = sum(work for work in energy(results).supplied.values() if work > 0.0)
    return 100.0 * float(np.abs(results["energy.residual"].values).max()) / given if given > 0.0 else None
