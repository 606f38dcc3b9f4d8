# SPDX-License-Identifier: BSD-3-Clause
"""kb.compare: every method that fits a machine at several steps, against a converged run.

    print(kb.compare(machine, "2 s", inputs={"spool": kb.steps({0: 0.0, 1: 0.1})}))

The reference is explicit RK4, its step halved until two runs agree; where that is not finite, `unified` and then
`realtime`. Errors are the largest over a grid, the common multiple of all steps: of places (origin, centre of mass and
named points of every body) and of pressures (all oil volumes). Cost is the processor time of the steps alone, nothing
recorded, compiled code warm. A method that is not within 0.5 % at any of the steps gets smaller ones until it is.
`kinematic` follows the reference's lengths: it shows what the mechanics alone cost. Tested in
tests/analysis/test_compare.py.
"""

from __future__ import annotations

import math
import statistics
import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.mechanism import AnalysisError
from knuckleboom.errors import KnuckleboomError, MachineError, Problem, SimulationError
from knuckleboom.hydraulics.parts import Oil
from knuckleboom.machine import Machine
from knuckleboom.mechanics.parts import Body
from knuckleboom.methods import TABLE, check_words, fits
from knuckleboom.results import Results
from knuckleboom.results.comparison import FOLLOWS, GOOD, Comparison, Reference, Row, relative_error
from knuckleboom.simulation.audit import energy
from knuckleboom.simulation.kinematic import followed_paths
from knuckleboom.simulation.times import read_times
from knuckleboom.simulation.whole import WholeRun

Array = NDArray[np.float64]
STEPS = ("10 ms", "5 ms", "2 ms", "1 ms")
REFERENCES = (("explicit", "rk4"), ("unified", "trapezoidal"), ("realtime", "fw2"))
"""What may be the reference: the first that runs."""
AGREE = (1e-8, 1e-6)
"""Two runs agree when no place differs by more, m, and no pressure by more, as a part of the largest."""
MOST_STEPS = 400_000
"""Steps of the reference's longest run; when it does not agree until then, the comparison says so."""
SMALLER = (2, 4, 10, 20, 40)
"""Parts of the smallest step that are tried where no given step is small enough."""
ROUNDS, LONG = 3, 1.0
"""Runs whose median counts as the cost; one that takes longer, s, is not repeated."""
REFERENCE_SHARE = 0.3
"""Of the progress, by experience."""
NEEDS_OIL = ("cointegrated", FOLLOWS)
MOST_LINES = 10_000
"""Records of the lengths that `kinematic` follows."""

PLACE = "the steps"

Progress = Callable[[float], None]


def compare(
    machine: Machine,
    duration: float | str,
    *,
    steps: Sequence[float | str] = STEPS,
    inputs: Mapping[str, Any] | None = None,
    method: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Run every coupling with each of its integrators at every step, and say what they cost and how far they are off.

    `method` has words that the machine wants, such as {"enforcement": "augmented"}: they are used by the couplings that
    they go with. Ctrl-C ends it; what was done until then is returned, with the status "interrupted".
    """
    report = progress or (lambda fraction: None)
    check_words(method or {})
    trial = Trial(machine, *read_steps(duration, steps), dict(inputs or {}), dict(method or {}))
    reference, exact = trial.converge(report)
    contenders = list(trial.contenders())
    rows: list[Row] = []
    status = "done"
    try:
        for number, (coupling, integrator) in enumerate(contenders):
            rows.extend(trial.rows(coupling, integrator, reference, exact))
            report(REFERENCE_SHARE + (1.0 - REFERENCE_SHARE) * (number + 1) / len(contenders))
    except KeyboardInterrupt:
        status = "interrupted"
    return Comparison(machine.name, trial.duration, trial.grid, exact.travel, reference, tuple(rows), status)


def read_steps(duration: float | str, steps: Sequence[float | str]) -> tuple[float, tuple[float, ...], float]:
    """The duration, the steps from the largest to the smallest and the grid that all of them meet, s."""
    named = {f"step {number}": step for number, step in enumerate(steps, start=1)}
    times = [time for time in read_times({"duration": duration, **named}) if time is not None]
    seconds, sizes = times[0], sorted(set(times[1:]), reverse=True)
    if not sizes:
        raise MachineError(
            [Problem("There is no step to compare.", fix='Give some, e.g. steps=["2 ms", "1 ms"].')], PLACE
        )
    exact = [Fraction(size).limit_denominator(10**9) for size in sizes]
    numerator, denominator = math.lcm(*(one.numerator for one in exact)), math.gcd(*(one.denominator for one in exact))
    grid = numerator / denominator
    if grid > seconds * (1.0 + 1e-9):
        rule = f"The steps {', '.join(f'{1e3 * size:g} ms' for size in sizes)} do not meet within {seconds:g} s."
        raise MachineError([Problem(rule, fix="Give steps that divide each other, or a longer duration.")], PLACE)
    return seconds, tuple(sizes), grid


@dataclass(frozen=True)
class Seen:
    """What is compared of a run, one line for each time of the grid: places (m), pressures (Pa)."""

    places: Array
    pressures: Array

    @property
    def travel(self) -> float:
        """The longest way of any place from its start, m."""
        return float(np.linalg.norm(self.places - self.places[0], axis=2).max(initial=0.0))

    def distance(self, other: Seen) -> tuple[float, float | None]:
        """Largest difference of places, m, and of pressures in % of the largest there; None without oil in both."""
        apart = float(np.linalg.norm(self.places - other.places, axis=2).max(initial=0.0))
        if not self.pressures.size or not other.pressures.size:
            return apart, None
        return apart, 100.0 * float(np.abs(self.pressures - other.pressures).max() / np.abs(other.pressures).max())


@dataclass(frozen=True)
class Trial:
    """A machine, how long it runs at which steps, and what it is given."""

    machine: Machine
    duration: float
    steps: tuple[float, ...]
    grid: float
    inputs: Mapping[str, Any]
    words: Mapping[str, str]

    def contenders(self) -> Iterator[tuple[str, str]]:
        """Every coupling that fits the machine, with each of its integrators."""
        oil, followed = bool(self.machine.of(Oil)), bool(followed_paths(self.machine))
        for row in TABLE:
            if (row.coupling in NEEDS_OIL and not oil) or (row.coupling == FOLLOWS and not followed):
                continue
            for integrator in row.integrator:
                yield row.coupling, integrator

    def run(self, coupling: str, integrator: str, step: float, record: float, inputs: Any) -> WholeRun:
        """One method, ready to run; raises MachineError when it does not suit the machine."""
        row = next(row for row in TABLE if row.coupling == coupling)
        wanted: dict[str, Any] = {word: value for word, value in self.words.items() if fits(row, {word: value})}
        wanted |= {"coupling": coupling, "integrator": integrator}
        return WholeRun(self.machine, self.duration, step=step, record=record, inputs=inputs, **wanted)

    def converge(self, report: Progress) -> tuple[Reference, Seen]:
        """Halve the step of the first method that runs until two runs agree, see the card."""
        for number, (coupling, integrator) in enumerate(REFERENCES):
            best: tuple[Reference, Seen] | None = None
            before: Seen | None = None
            step = 0.5 * self.steps[-1]
            while step * MOST_STEPS >= self.duration:
                now = self.seen(coupling, integrator, step)
                if before is not None and now is not None:
                    apart, off = now.distance(before)
                    agree = apart <= AGREE[0] and 0.01 * (off or 0.0) <= AGREE[1]
                    best = Reference(coupling, integrator, step, apart, off, agree), now
                    if agree:
                        return best
                before = now
                step *= 0.5
                report(REFERENCE_SHARE * (number + 1.0 - step / self.steps[-1]) / len(REFERENCES))
            if best is not None:
                return best
        names = ", ".join(f"{coupling} ({integrator})" for coupling, integrator in REFERENCES)
        raise AnalysisError(
            f"'{self.machine.name}' has no reference: none of {names} runs for {self.duration:g} s, down to "
            f"{1e3 * self.duration / MOST_STEPS:.2g} ms.\n`knuckleboom run` says where and why it stops."
        )

    def seen(self, coupling: str, integrator: str, step: float) -> Seen | None:
        """What a run shows on the grid, None when it failed."""
        try:
            return self.look(self.run(coupling, integrator, step, self.grid, self.inputs).recorded())
        except SimulationError:
            return None

    def look(self, results: Results) -> Seen:
        """What is compared of results."""
        names = [signal.path for signal in results.names]
        places = [results[path].values for path in names if path.endswith(".position")]
        for body in self.machine.of(Body):
            if f"{body.name}.position" in results:
                origin, axes = results[f"{body.name}.position"].values, results[f"{body.name}.orientation"].values
                places.append(origin + turned(axes, np.array(body.com)))
        oil = [path for path in names if path.endswith(".pressure") and path.replace(".pressure", ".volume") in results]
        count = len(results.time)
        return Seen(
            np.stack(places, axis=1) if places else np.zeros((count, 0, 3)),
            np.stack([results[path].values for path in oil], axis=1) if oil else np.zeros((count, 0)),
        )

    def lengths(self, reference: Reference) -> dict[str, Any]:
        """The inputs with the lengths of the reference, once more recorded closely enough to be followed."""
        often = max(reference.step, self.duration / MOST_LINES)
        run = self.run(reference.coupling, reference.integrator, reference.step, often, self.inputs).recorded()
        return {**self.inputs, **{name: run[path] for name, path in followed_paths(self.machine).items()}}

    def rows(self, coupling: str, integrator: str, reference: Reference, exact: Seen) -> Iterator[Row]:
        """One method at all steps; at smaller ones until it is good enough where none of them is."""
        inputs = self.lengths(reference) if coupling == FOLLOWS else self.inputs
        best = math.inf
        for step in (*self.steps, *(self.steps[-1] / part for part in SMALLER)):
            if step < self.steps[-1] and best <= GOOD:
                return
            row = self.row(coupling, integrator, step, inputs, exact)
            yield row
            if row.status == "refused":
                return
            best = min(best, relative_error(row.position_error, row.pressure_error_percent, exact.travel))

    def row(self, coupling: str, integrator: str, step: float, inputs: Any, exact: Seen) -> Row:
        """Run one method at one step, recorded for its errors and then for its cost."""
        try:
            run = self.run(coupling, integrator, step, self.grid, inputs)
            results = run.recorded()
        except KnuckleboomError as error:
            status = "failed" if isinstance(error, SimulationError) else "refused"
            return Row(coupling, integrator, step, status, reason_of(error))
        apart, off = self.look(results).distance(exact)
        gaps = [
            float(np.abs(quantity.values).max(initial=0.0))
            for quantity in results.find("*.residual")
            if not quantity.path.startswith("energy.")
        ]
        work, nowhere = energy(results).work_done, float(np.abs(results["energy.residual"].values).max())
        return Row(
            coupling, integrator, step, "done", cpu_per_s=cost_of(run) / self.duration, position_error=apart,
            pressure_error_percent=off, constraint_error=max(gaps, default=None),
            energy_residual_percent=100.0 * nowhere / work if work > 0.0 else None,
            iterations=results.meta.get("iterations") or None,
        )  # fmt: skip


def reason_of(error: KnuckleboomError) -> str:
    """The sentence that says why a run is not done."""
    if isinstance(error, MachineError):
        return error.problems[0].rule
    return str(error).splitlines()[0].removeprefix("Simulation ")


def turned(axes: Array, vector: Array) -> Array:
    """A vector of a body in the world, for every unit quaternion (w, x, y, z): v + 2w(u × v) + 2u × (u × v)."""
    w, u = axes[:, :1], axes[:, 1:]
    across = np.cross(u, vector)
    return np.asarray(vector + 2.0 * (w * across + np.cross(u, across)))


def cost_of(run: WholeRun) -> float:
    """Processor time of all steps with nothing recorded, s: the median of a few runs."""
    times: list[float] = []
    while len(times) < ROUNDS and sum(times) < LONG:
        run.reset()
        began = clock.thread_time()
        run.unrecorded()
        times.append(clock.thread_time() - began)
    return statistics.median(times)
