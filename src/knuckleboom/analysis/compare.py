# SPDX-License-Identifier: BSD-3-Clause
"""kb.compare: every method that fits a machine at several steps, against a converged run.

    print(kb.compare(machine, "2 s", inputs={"spool": kb.steps({0: 0.0, 1: 0.1})}))

Errors are the largest over a grid, the common multiple of all steps: of places (origin, centre of mass and named points
of every body) and of pressures (all oil volumes). A method that is not within 0.5 % at any of the steps gets smaller
ones until it is; one that is stable at the largest gets larger ones until it is not. Direct factorisations differ by
rounding only: errors are measured with the first, what a step costs with each. `kinematic` follows the reference's
lengths: it shows what the mechanics alone cost. All methods are run at the largest step first, then at the next one,
the cheapest first; what would not fit into the processor time `within` is not run, and listed. Tested in
tests/analysis/test_compare.py.
"""

from __future__ import annotations

import heapq
import math
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from knuckleboom.analysis import measure
from knuckleboom.analysis.measure import Seen
from knuckleboom.analysis.trial import Progress, Trial, read_only, read_steps
from knuckleboom.errors import KnuckleboomError, MachineError, SimulationError
from knuckleboom.kernels import compile_times
from knuckleboom.machine import Machine
from knuckleboom.methods import GRADIENTS, check_words, choices
from knuckleboom.results.comparison import (
    FOLLOWS,
    GOOD,
    Comparison,
    NotRun,
    Reference,
    Row,
    Way,
    is_stable,
    relative_error,
)
from knuckleboom.simulation.times import read_time
from knuckleboom.simulation.whole import WholeRun

STEPS = ("10 ms", "5 ms", "2 ms", "1 ms")
SMALLER = (2, 4, 10, 20, 40)
"""Parts of the smallest step that are tried where no given step is small enough."""
FALLING, TELLS = 1.25, 0.1
"""An error that does not fall by this factor from step to step will not fall at smaller ones; larger ones than TELLS,
as parts of the motion, say nothing yet."""
LARGER = (2, 4, 8)
"""Multiples of the grid that are tried to see where a method is no longer stable."""
LEAST_STEPS = 10
"""A run of fewer steps shows nothing."""
WITHIN = "90 s"
REFERENCE_SHARE = 0.3
"""Of the time, for the converged run; and of the progress, together with the plans."""
PLANS_SHARE = 0.4
"""Of the time: methods that are not planned by then are not run."""
DENSE_SHARE = 0.02
"""Of the time, that a step with a dense matrix may take."""
DENSE_S = 2e-9
"""What a step with a dense matrix of n unknowns takes at least, over n³, s."""
COORDINATES = choices("coordinates")
MARGIN = 1.3
"""A run takes longer than its steps: records, looks at the constraints, timing."""
SHORTEST = 20
"""A duration is not shortened below this many times of the grid."""


def compare(
    machine: Machine,
    duration: float | str,
    *,
    steps: Sequence[float | str] = STEPS,
    inputs: Mapping[str, Any] | None = None,
    method: Mapping[str, str] | None = None,
    only: Sequence[str] = (),
    within: float | str = WITHIN,
    shorten: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Run every method at every step, and say what they cost and how far they are off.

    `method` has words that the machine wants, such as {"enforcement": "augmented"}: the reference takes them, and all
    methods take those that are not compared, such as "jumps". `only` has words that methods must have, such as
    ["relative", "sparse"]. It takes about the processor time `within`, compilation aside; with `shorten` the duration
    is shortened to what can be done in it. Ctrl-C ends it; what was done until then is returned, with the status
    "interrupted".
    """
    report = progress or (lambda fraction: None)
    check_words(method or {})
    budget = Budget(read_time("within", within))
    trial = Trial(machine, *read_steps(duration, steps), dict(inputs or {}), dict(method or {}))
    ways, left_out = trial.ways(read_only(only))

    contenders = [Contender(trial, same) for same in formulations(ways)]
    # joint coordinates first: the others are larger
    for number, one in enumerate(sorted(contenders, key=lambda one: COORDINATES.index(one.way.coordinates))):
        if one.way.coupling != FOLLOWS and budget.spent <= PLANS_SHARE * budget.within:
            one.prepare(trial.inputs)
        report(0.5 * REFERENCE_SHARE * (number + 1) / len(contenders))
    meant = trial.duration
    if shorten:
        trial = shortened(trial, contenders, budget)
    reference, exact = trial.converge(
        lambda done: report(0.5 * REFERENCE_SHARE * (1.0 + done)), lambda steps: budget.allows_reference(steps)
    )
    contest = Contest(trial, budget, reference, exact, report, left_out)
    status = contest.run(contenders)
    rows = sorted((row for one in contenders for row in one.rows), key=lambda row: (ways.index(row.way), -row.step))
    return Comparison(
        machine.name, trial.duration, trial.grid, exact.travel, reference, tuple(rows), status,
        not_run=(*contest.left_out, *(out for one in contenders for out in one.left_out)),
        longest=trial.steps[0], meant=meant if trial.duration < meant else None,
        sources=tuple(dict.fromkeys(pair for one in contenders for pair in one.sources)),
    )  # fmt: skip


def formulations(ways: Sequence[Way]) -> list[list[Way]]:
    """Methods that differ in the choice between direct factorisations only, together."""
    found: dict[Way, list[Way]] = {}
    for way in ways:
        found.setdefault(way.formulation, []).append(way)
    return list(found.values())


class Budget:
    """How much processor time there is, s; compiling does not count."""

    def __init__(self, within: float) -> None:
        self.within = within
        self._began, self._compiled = clock.thread_time(), sum(compile_times.values())
        self._reference_began: tuple[float, float] | None = None

    @property
    def spent(self) -> float:
        """Processor time so far, s."""
        return max(0.0, clock.thread_time() - self._began - sum(compile_times.values()) + self._compiled)

    @property
    def left(self) -> float:
        """What is left, s."""
        return self.within - self.spent

    def allows_reference(self, steps: float) -> bool:
        """Whether the reference may have so many steps more: they take as long as all of its steps so far, which were
        about as many.
        """
        if self._reference_began is None:
            self._reference_began = self.spent, steps
            return True
        began, first = self._reference_began
        so_far = self.spent - began
        return so_far * steps / max(steps - first, 1.0) <= REFERENCE_SHARE * self.within


@dataclass
class Contender:
    """One formulation with its direct factorisations: what was found of it so far, and what to try next."""

    trial: Trial
    ways: Sequence[Way]
    rows: list[Row] = field(default_factory=list)
    per_step: float = 0.0
    """What a step is predicted to cost, s."""
    run: WholeRun | None = None
    inputs: Any = None
    others: dict[Way, Timed | Row] = field(default_factory=dict)
    """What the other factorisations cost, or why they do not run."""
    left_out: list[NotRun] = field(default_factory=list)
    sources: dict[tuple[str, str], None] = field(default_factory=dict)

    @property
    def way(self) -> Way:
        """The method with which errors are measured."""
        return self.ways[0]

    def prepare(self, inputs: Any) -> None:
        """Plan it and see what a step costs; a method that does not suit the machine has rows that say so."""
        self.inputs = inputs
        try:
            self.run = self.trial.run(self.way, self.trial.steps[0], self.trial.grid, inputs)
        except KnuckleboomError as error:
            self.rows += [failed(way, self.trial.steps[0], error) for way in self.ways]
            return
        self.per_step = measure.probe(self.run)

    def predicted(self, step: float) -> float:
        """What a run at a step will cost, s."""
        return MARGIN * self.per_step * self.trial.duration / step + measure.ROUNDS * measure.PIECE

    def turn(self, step: float) -> int:
        """When a step is due: all methods at the largest step first, then at the next one. Conjugate gradients, many
        times slower than the others, come after these, and what nobody asked for comes last.
        """
        steps = self.trial.steps
        if step not in steps:
            return 2 * len(steps)
        return steps.index(step) + (len(steps) if self.way.factorisation == GRADIENTS else 0)

    def next_step(self, travel: float) -> float | None:
        """What to try next: the steps given, smaller ones until it is good, larger ones until it is not stable."""
        if self.run is None:
            return None
        steps, trial = self.trial.steps, self.trial
        tried = {row.step: row for row in self.rows if row.way == self.way}
        for step in steps:
            if step not in tried:
                return step
        rows = [tried[step] for step in sorted(tried)]
        errors = [relative_error(row.position_error, row.pressure_error_percent, travel) for row in rows]
        # what stays as it is, or cannot make its first step, does not get better
        stuck = errors[0] < TELLS and FALLING * errors[0] > min(errors[1:2], default=math.inf)
        hopeless = stuck or all(never_began(row) for row in rows)
        if min(errors) > GOOD and not hopeless:
            for part in SMALLER:
                if steps[-1] / part not in tried:
                    return steps[-1] / part
        largest = tried[max(tried)]
        if is_stable(largest, travel):
            larger = (times * trial.grid for times in LARGER)
            return next((h for h in larger if h > max(tried) and h * LEAST_STEPS <= trial.duration), None)
        return None

    def go(self, step: float, exact: Seen, budget: Budget) -> None:
        """Run it at a step: recorded for its errors, then for its cost."""
        trial, run = self.trial, self.run
        assert run is not None
        began = clock.thread_time()
        try:
            run.lay_out(trial.duration, step=step, record=max(step, trial.grid))
            gaps = measure.Violations(run.planned)
            results = run.recorded(gaps, measure.LOOKS)
            self.per_step = (clock.thread_time() - began) / MARGIN / run.steps
            evaluations, iterations = measure.evaluations(run), measure.newton_iterations(run, run.steps)
            apart, off = measure.look(trial.machine, results).distance(exact)
            cost = measure.cost_of(run, iterations)
        except KnuckleboomError as error:
            self.rows += [failed(way, step, error) for way in self.ways]
            return
        often = run.steps / trial.duration
        found = Row(
            self.way, step, "done", cpu_per_s=cost * often, evaluations_per_step=evaluations,
            iterations=results.meta.get("iterations") or None, position_error=apart, pressure_error_percent=off,
            errors_with=self.way.factorisation, **gaps.to_row(), **measure.energy_errors(results),
        )  # fmt: skip
        self.rows.append(found)
        self.sources |= dict.fromkeys((use, source) for use, source in results.meta["sources"])
        for way in self.ways[1:]:
            other = self.other(way, step, iterations, budget)
            if isinstance(other, Timed):
                share = iterations / other.iterations if iterations and other.iterations else 1.0
                self.rows.append(replace(found, way=way, cpu_per_s=share * other.per_step * often))
            elif other is not None:
                self.rows.append(replace(other, step=step))

    def other(self, way: Way, step: float, iterations: float | None, budget: Budget) -> Timed | Row | None:
        """What a step costs with another factorisation: timed once, since its steps are those of the first."""
        assert self.run is not None
        planned = self.run.planned
        unknowns = len(planned.work.state.v) + planned.loop_equations
        if way.factorisation == "dense" and DENSE_S * unknowns**3 > DENSE_SHARE * budget.within:
            reason = f"a dense matrix of {unknowns} unknowns takes too long for {budget.within:g} s"
            self.left_out += [NotRun(way, None, reason)] if way not in {one.way for one in self.left_out} else []
            return None
        if way not in self.others:
            try:
                run = self.trial.run(way, step, max(step, self.trial.grid), self.inputs)
                self.others[way] = Timed(measure.cost_of(run, iterations), iterations)
            except KnuckleboomError as error:
                self.others[way] = failed(way, step, error)
        return self.others[way]


class Waiting(NamedTuple):
    """A run that waits: its turn, what it is predicted to cost, s, the number of its contender and its step, s."""

    turn: int
    predicted: float
    number: int
    step: float


class Timed(NamedTuple):
    """What a step costs, s, with so many Newton iterations."""

    per_step: float
    iterations: float | None


@dataclass
class Contest:
    """The order in which contenders are run, step by step: of a turn the next is what is predicted to cost least."""

    trial: Trial
    budget: Budget
    reference: Reference
    exact: Seen
    report: Progress
    left_out: list[NotRun]

    def run(self, contenders: Sequence[Contender]) -> str:
        """Run them all, as far as the time goes; return "done" or "interrupted"."""
        self.reached = REFERENCE_SHARE
        waiting: list[Waiting] = []
        try:
            if any(one.way.coupling == FOLLOWS for one in contenders):
                inputs = self.trial.lengths(self.reference)
                for one in contenders:
                    if one.way.coupling == FOLLOWS and self.budget.left > 0.0:
                        one.prepare(inputs)
            for one in contenders:
                if one.run is None and not one.rows:
                    self.left_out += [NotRun(way, None, self.too_long) for way in one.ways]
            for number in range(len(contenders)):
                self.push(waiting, contenders, number)
            while waiting:
                _, predicted, number, step = heapq.heappop(waiting)
                if predicted > self.budget.left:
                    self.leave_out(contenders[number], step)
                    continue
                contenders[number].go(step, self.exact, self.budget)
                self.push(waiting, contenders, number)
                self.tell(sum(item.predicted for item in waiting))
        except KeyboardInterrupt:
            tried = {row.way for one in contenders for row in one.rows}
            pending = [way for one in contenders for way in one.ways if way not in tried]
            self.left_out += [NotRun(way, None, "interrupted") for way in pending]
            return "interrupted"
        return "done"

    @property
    def too_long(self) -> str:
        """Why something is not run."""
        return f"not within {self.budget.within:g} s"

    def push(self, waiting: list[Waiting], contenders: Sequence[Contender], number: int) -> None:
        """Put a contender's next step, if it has one, among those that wait."""
        one = contenders[number]
        step = one.next_step(self.exact.travel)
        if step is not None:
            heapq.heappush(waiting, Waiting(one.turn(step), one.predicted(step), number, step))
        else:
            one.run = None  # it may be large

    def leave_out(self, one: Contender, step: float) -> None:
        """Note what there is no time for: this step and all smaller ones that were asked for."""
        if step > self.trial.steps[0]:
            return  # nobody asked for it
        tried = {row.step for row in one.rows}
        steps = [size for size in self.trial.steps if size not in tried] or [step]
        self.left_out += [NotRun(way, size, self.too_long) for size in steps for way in one.ways]

    def tell(self, ahead: float) -> None:
        """Tell how far it is, never less than before."""
        spent, ahead = self.budget.spent, min(ahead, max(self.budget.left, 0.0))
        done = REFERENCE_SHARE + (1.0 - REFERENCE_SHARE) * spent / max(spent + ahead, 1e-9)
        self.reached = max(self.reached, min(done, 1.0))
        self.report(self.reached)


def shortened(trial: Trial, contenders: Sequence[Contender], budget: Budget) -> Trial:
    """The trial with a duration in which every method can be run at the larger half of the steps, rounded down.

    Conjugate gradients, many times slower than all others, do not count.
    """
    often = sum(1.0 / step for step in trial.steps[: -(-len(trial.steps) // 2)])
    known = {one.way.formulation: one.per_step for one in contenders}
    total = 0.0
    for one in contenders:
        # what follows the reference is not planned yet, and about as dear as unified
        way = one.way.formulation
        per_step = known.get(way._replace(coupling="unified"), 0.0) if way.coupling == FOLLOWS else one.per_step
        if way.factorisation != GRADIENTS:
            total += MARGIN * per_step * often * trial.duration
    share = (1.0 - REFERENCE_SHARE) * budget.left / max(total, 1e-9)
    if share >= 1.0:
        return trial
    wanted = share * trial.duration
    size = 10.0 ** math.floor(math.log10(wanted))
    rounded = max(step * size for step in (1.0, 2.0, 5.0) if step * size <= wanted * (1.0 + 1e-9))
    least = min(SHORTEST * trial.grid, trial.duration)
    found = max(round(rounded / trial.grid) * trial.grid, least)
    for one in contenders:
        one.trial = replace(trial, duration=found)
    return replace(trial, duration=found)


def failed(way: Way, step: float, error: KnuckleboomError) -> Row:
    """The row of a run that did not come to its end."""
    return Row(way, step, "failed" if isinstance(error, SimulationError) else "refused", reason_of(error))


def never_began(row: Row) -> bool:
    """Whether a run could not make its first step: smaller ones will not help."""
    return row.status == "failed" and row.reason.startswith("stopped at t = 0 s")


def reason_of(error: KnuckleboomError) -> str:
    """The sentence that says why a run is not done."""
    if isinstance(error, MachineError):
        return error.problems[0].rule
    return str(error).splitlines()[0].removeprefix("Simulation ")
