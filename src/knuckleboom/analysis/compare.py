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
from knuckleboom.analysis.equilibrium import equilibrium
from knuckleboom.analysis.measure import Seen
from knuckleboom.analysis.reference import ReferenceSearch
from knuckleboom.analysis.trial import Progress, Trial, read_only, read_steps
from knuckleboom.errors import KnuckleboomError, MachineError, Problem, SimulationError
from knuckleboom.kernels import compile_times
from knuckleboom.machine import Machine
from knuckleboom.machine.case import Case
from knuckleboom.methods import COSIMULATED, EQUILIBRIUM, GRADIENTS, check_words, choices
from knuckleboom.results.comparison import (
    FOLLOWS,
    GOOD,
    REALTIME_STEPS,
    Comparison,
    MethodName,
    NotRun,
    Reference,
    Row,
    is_near,
    is_stable,
    relative_error,
)
from knuckleboom.results.step_limits import is_quiet, limit_of
from knuckleboom.simulation.cases import case_of, complete_settings, method_of, times_of
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
USUAL = (("realtime", "fw2"), ("cosimulated", "trapezoidal"))
"""Couplings of which is said how large their steps can be, with their default integrators."""
FINE = 1.25
"""Limits of the steps of `cosimulated` are found to this factor."""
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
    duration: float | str | None = None,
    *,
    case: str | Case | None = None,
    steps: Sequence[float | str] = STEPS,
    inputs: Mapping[str, Any] | None = None,
    method: Mapping[str, str] | None = None,
    only: Sequence[str] = (),
    within: float | str = WITHIN,
    shorten: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Run every method at every step, and say what they cost and how far they are off.

    `case` is one of the machine's, by name: it says what is not given here, its start and controllers included. From a
    reference that has not converged nothing is advised. `method` has words that the machine requires, such as
    {"enforcement": "augmented"}: the reference takes them, and all methods take those that are not compared, such as
    "jumps". `only` has words that methods must have, such as
    ["relative", "sparse"]. It takes about the processor time `within`, compilation aside; with `shorten` the duration
    is shortened to what can be done in it. Ctrl-C ends it; what was done until then is returned, with the status
    "interrupted".
    """
    report = progress or (lambda fraction: None)
    check_words(method or {})
    chosen = case_of(machine, case)
    long, _ = times_of(chosen, duration, None)
    budget = Budget(read_time("within", within))
    trial, notes = make_trial(machine, chosen, read_steps(long, steps), inputs, method)
    methods, left_out = trial.methods(read_only(only))

    candidates = [Candidate(trial, same) for same in formulations(methods)]
    usual = {coupling: mark_usual(trial, candidates, coupling, rule) for coupling, rule in USUAL}
    # joint coordinates first: the others are larger
    for number, one in enumerate(sorted(candidates, key=lambda one: COORDINATES.index(one.method.coordinates))):
        if one.method.coupling != FOLLOWS and budget.spent <= PLANS_SHARE * budget.within:
            one.prepare(trial.inputs)
        report(0.5 * REFERENCE_SHARE * (number + 1) / len(candidates))
    meant = trial.duration
    if shorten:
        trial = shortened(trial, candidates, budget)
    search = ReferenceSearch(
        trial, lambda: budget.spent, REFERENCE_SHARE * budget.within,
        lambda done: report(0.5 * REFERENCE_SHARE * (1.0 + done)),
    )  # fmt: skip
    reference, exact = search.find()
    queue = Queue(trial, budget, reference, exact, report, left_out)
    status = queue.stop(candidates) if search.interrupted else queue.run(candidates)
    found = (row for one in candidates for row in one.rows)
    rows = sorted(found, key=lambda row: (methods.index(row.method), -row.step))
    return Comparison(
        machine.name, trial.duration, trial.grid, exact.travel, reference, tuple(rows), status,
        not_run=(*queue.left_out, *(out for one in candidates for out in one.left_out)),
        longest=trial.steps[0], meant=meant if trial.duration < meant else None,
        sources=tuple(dict.fromkeys(pair for one in candidates for pair in one.sources)),
        largest_pressure=exact.largest_pressure, default_realtime=usual["realtime"],
        default_cosimulated=usual["cosimulated"], notes=notes,
        case=chosen.name if chosen is not None else "", pressure_swing=exact.pressure_swing,
    )  # fmt: skip


def make_trial(
    machine: Machine, case: Case | None, times: tuple[float, tuple[float, ...], float], inputs: Any, method: Any
) -> tuple[Trial, tuple[str, ...]]:
    """What is compared, with what a case says, and notes on what of the case is not used."""
    _, inputs, controllers, stop, start = complete_settings(case, None, inputs, (), None, None)
    outside = [
        Problem(
            f"controller '{item.name}' is a function of Python, which would be timed with every method.", item.name,
            fix="Compile it with kb.compiled, or compare a case without it.",
        )
        for item in controllers
        if not item.compiled
    ]  # fmt: skip
    if outside:
        raise MachineError(outside, "the methods to compare")
    inputs = dict(inputs or {})
    notes: tuple[str, ...] = ()
    if stop:
        notes = ("Stop conditions of the case are not used: all methods are run equally long.",)
    if start == EQUILIBRIUM:
        start = equilibrium(machine, inputs=inputs, creeping=True)  # once for all methods
        notes += tuple(note for note in start.notes if any(f"'{part}' creeps" in note for part in start.creep))
    return Trial(machine, *times, inputs, method_of(machine, case, method or {}), start, controllers), notes


def mark_usual(trial: Trial, candidates: Sequence[Candidate], coupling: str, integrator: str) -> MethodName | None:
    """Have the method that a coupling stands for tried at all of its usual steps; None where it is not compared."""
    wanted = trial.wanted(coupling, integrator).formulation
    found = [one for one in candidates if one.method.coupling == coupling]
    if not found:
        return None
    one = next((one for one in found if one.method.formulation == wanted), found[0])
    fitting = [step for step in REALTIME_STEPS if is_multiple(trial.grid, step)]
    one.usual_steps = tuple(sorted({*trial.steps, *fitting}, reverse=True))
    return one.method


def is_multiple(grid: float, step: float) -> bool:
    """Whether a step meets the grid."""
    return abs(round(grid / step) * step - grid) < 1e-9 * grid and step <= grid * (1.0 + 1e-9)


def formulations(methods: Sequence[MethodName]) -> list[list[MethodName]]:
    """Methods that differ in the choice between direct factorisations only, together."""
    found: dict[MethodName, list[MethodName]] = {}
    for method in methods:
        found.setdefault(method.formulation, []).append(method)
    return list(found.values())


class Budget:
    """How much processor time there is, s; compiling does not count."""

    def __init__(self, within: float) -> None:
        self.within = within
        self._began, self._compiled = clock.thread_time(), sum(compile_times.values())

    @property
    def spent(self) -> float:
        """Processor time so far, s."""
        return max(0.0, clock.thread_time() - self._began - sum(compile_times.values()) + self._compiled)

    @property
    def left(self) -> float:
        """What is left, s."""
        return self.within - self.spent


@dataclass
class Candidate:
    """One formulation with its direct factorisations: what was found of it so far, and what to try next."""

    trial: Trial
    methods: Sequence[MethodName]
    rows: list[Row] = field(default_factory=list)
    per_step: float = 0.0
    """What a step is predicted to cost, s."""
    run: WholeRun | None = None
    inputs: Any = None
    others: dict[MethodName, Timed | Row] = field(default_factory=dict)
    """What the other factorisations cost, or why they do not run."""
    left_out: list[NotRun] = field(default_factory=list)
    sources: dict[tuple[str, str], None] = field(default_factory=dict)
    usual_steps: tuple[float, ...] = ()
    """Steps, s, of the methods that `realtime` and `cosimulated` stand for: they are refined until they are near
    enough, exchanges until they are as far apart as they can be. Empty for others.
    """
    timed_at: float = 0.0
    """The step at which `per_step` was measured, s; 0 before."""

    @property
    def method(self) -> MethodName:
        """The method with which errors are measured."""
        return self.methods[0]

    def prepare(self, inputs: Any) -> None:
        """Plan it and see what a step costs; a method that does not suit the machine has rows that say so."""
        self.inputs = inputs
        try:
            self.run = self.trial.run(self.method, self.trial.steps[0], self.trial.grid, inputs)
        except KnuckleboomError as error:
            self.rows += [failed(method, self.trial.steps[0], error) for method in self.methods]
            return
        self.per_step, self.timed_at = measure.probe(self.run), self.trial.steps[0]

    def predicted(self, step: float) -> float:
        """What a run at a step will cost, s. The oil of `cosimulated` has steps of its own, which are most of it."""
        often = self.trial.duration / (self.timed_at if self.exchanges and self.timed_at else step)
        return MARGIN * self.per_step * often + measure.ROUNDS * measure.PIECE

    @property
    def exchanges(self) -> bool:
        """Whether it is `cosimulated`."""
        return self.method.coupling == COSIMULATED.coupling

    def turn(self, step: float) -> int:
        """When a step is due: all methods at the largest step first, then at the next one. Conjugate gradients, many
        times slower than the others, come after these, and what nobody asked for comes last.
        """
        steps = self.trial.steps
        if self.usual_steps and not self.exchanges and step <= self.trial.grid:
            return -1  # cheap, and everybody is told
        if step not in steps:
            return 2 * len(steps)
        return steps.index(step) + (len(steps) if self.method.factorisation == GRADIENTS else 0)

    def next_step(self, travel: float, largest_pressure: float | None) -> float | None:
        """What to try next: the steps given, smaller ones until it is good, larger ones until it is not stable."""
        if self.run is None:
            return None
        steps, trial = self.usual_steps or self.trial.steps, self.trial
        tried = {row.step: row for row in self.rows if row.method == self.method}
        for step in steps:
            if step not in tried:
                return step
        rows = [tried[step] for step in sorted(tried)]
        errors = [relative_error(row.position_error, row.pressure_error_percent, travel) for row in rows]
        # what stays as it is, or cannot make its first step, does not get better
        stuck = errors[0] < TELLS and FALLING * errors[0] > min(errors[1:2], default=math.inf) and not self.usual_steps
        hopeless = stuck or all(never_began(row) for row in rows)
        near = any(is_quiet(row) and is_near(row, largest_pressure) for row in rows)
        poor = min(errors) > GOOD or (self.usual_steps and not near)
        if poor and not hopeless:
            for part in SMALLER:
                if steps[-1] / part not in tried:
                    return steps[-1] / part
        largest = tried[max(tried)]
        exchanging = self.exchanges and bool(self.usual_steps)
        if is_quiet(largest) if exchanging else is_stable(largest, travel):
            for times in LARGER:
                if times * trial.grid > max(tried) and times * trial.grid * LEAST_STEPS <= trial.duration:
                    return times * trial.grid
        return self.between(rows, largest_pressure) if exchanging else None

    def between(self, rows: Sequence[Row], largest_pressure: float | None) -> float | None:
        """A step between the largest at which exchanges are stable, or near enough, and the next one tried that is not;
        None where both limits are known finely enough.
        """
        for holds in (is_quiet, lambda row: is_quiet(row) and is_near(row, largest_pressure)):
            low = limit_of(rows, holds).step
            high = min((row.step for row in rows if low is not None and row.step > low), default=None)
            if low is None or high is None or high <= FINE * low:
                continue
            middle, grid = math.sqrt(low * high), self.trial.grid
            step = grid / round(grid / middle) if middle < grid else grid * round(middle / grid)
            if low * (1.0 + 1e-9) < step < high * (1.0 - 1e-9):
                return step
        return None

    def go(self, step: float, exact: Seen, budget: Budget) -> None:
        """Run it at a step: recorded for its errors, then for its cost."""
        trial, run = self.trial, self.run
        assert run is not None
        began = clock.thread_time()
        try:
            run.lay_out(trial.duration, step=step, record=max(step, trial.grid))
            gaps = measure.Violations(run.planned)
            # controllers would act once more after every look
            results = run.recorded() if trial.controllers else run.recorded(gaps, measure.LOOKS)
            self.per_step, self.timed_at = (clock.thread_time() - began) / MARGIN / run.steps, step
            evaluations, iterations = measure.evaluations(run), measure.newton_iterations(run, run.steps)
            apart, off = measure.look(trial.machine, results).distance(exact)
            cost = measure.cost_of(run, iterations)
        except KnuckleboomError as error:
            self.rows += [failed(method, step, error) for method in self.methods]
            return
        often = run.steps / trial.duration
        found = Row(
            self.method, step, "done", cpu_per_s=cost * often, evaluations_per_step=evaluations,
            iterations=results.meta.get("iterations") or None, position_error=apart, pressure_error_percent=off,
            errors_with=self.method.factorisation, **({} if trial.controllers else gaps.to_row()),
            **measure.energy_errors(results),
        )  # fmt: skip
        self.rows.append(found)
        self.sources |= dict.fromkeys((use, source) for use, source in results.meta["sources"])
        for method in self.methods[1:]:
            other = self.other(method, step, iterations, budget)
            if isinstance(other, Timed):
                share = iterations / other.iterations if iterations and other.iterations else 1.0
                self.rows.append(replace(found, method=method, cpu_per_s=share * other.per_step * often))
            elif other is not None:
                self.rows.append(replace(other, step=step))

    def other(self, method: MethodName, step: float, iterations: float | None, budget: Budget) -> Timed | Row | None:
        """What a step costs with another factorisation: timed once, since its steps are those of the first."""
        assert self.run is not None
        planned = self.run.planned
        unknowns = len(planned.work.state.v) + planned.loop_equations
        if method.factorisation == "dense" and DENSE_S * unknowns**3 > DENSE_SHARE * budget.within:
            reason = f"a dense matrix of {unknowns} unknowns takes too long for {budget.within:g} s"
            if method not in {one.method for one in self.left_out}:
                self.left_out.append(NotRun(method, None, reason))
            return None
        if method not in self.others:
            try:
                run = self.trial.run(method, step, max(step, self.trial.grid), self.inputs)
                self.others[method] = Timed(measure.cost_of(run, iterations), iterations)
            except KnuckleboomError as error:
                self.others[method] = failed(method, step, error)
        return self.others[method]


class Waiting(NamedTuple):
    """A run that waits: its turn, what it is predicted to cost, s, the number of its candidate and its step, s."""

    turn: int
    predicted: float
    number: int
    step: float


class Timed(NamedTuple):
    """What a step costs, s, with so many Newton iterations."""

    per_step: float
    iterations: float | None


@dataclass
class Queue:
    """The order in which candidates are run, step by step: of a turn the next is what is predicted to cost least."""

    trial: Trial
    budget: Budget
    reference: Reference
    exact: Seen
    report: Progress
    left_out: list[NotRun]

    def run(self, candidates: Sequence[Candidate]) -> str:
        """Run them all, as far as the time goes; return "done" or "interrupted"."""
        self.reached = REFERENCE_SHARE
        waiting: list[Waiting] = []
        try:
            if any(one.method.coupling == FOLLOWS for one in candidates):
                inputs = self.trial.lengths(self.reference)
                for one in candidates:
                    if one.method.coupling == FOLLOWS and self.budget.left > 0.0:
                        one.prepare(inputs)
            for one in candidates:
                if one.run is None and not one.rows:
                    self.left_out += [NotRun(method, None, self.too_long) for method in one.methods]
            for number in range(len(candidates)):
                self.push(waiting, candidates, number)
            while waiting:
                _, predicted, number, step = heapq.heappop(waiting)
                if predicted > self.budget.left:
                    self.leave_out(candidates[number], step)
                    continue
                candidates[number].go(step, self.exact, self.budget)
                self.push(waiting, candidates, number)
                self.tell(sum(item.predicted for item in waiting))
        except KeyboardInterrupt:
            return self.stop(candidates)
        return "done"

    def stop(self, candidates: Sequence[Candidate]) -> str:
        """Note what was not run before an interruption; return "interrupted"."""
        tried = {row.method for one in candidates for row in one.rows}
        pending = [method for one in candidates for method in one.methods if method not in tried]
        self.left_out += [NotRun(method, None, "interrupted") for method in pending]
        return "interrupted"

    @property
    def too_long(self) -> str:
        """Why something is not run."""
        return f"not within {self.budget.within:g} s"

    def push(self, waiting: list[Waiting], candidates: Sequence[Candidate], number: int) -> None:
        """Put a candidate's next step, if it has one, among those that wait."""
        one = candidates[number]
        step = one.next_step(self.exact.travel, self.exact.largest_pressure)
        if step is not None:
            heapq.heappush(waiting, Waiting(one.turn(step), one.predicted(step), number, step))
        else:
            one.run = None  # it may be large

    def leave_out(self, one: Candidate, step: float) -> None:
        """Note what there is no time for: this step and all smaller ones that were asked for."""
        if step > self.trial.steps[0]:
            return  # nobody asked for it
        tried = {row.step for row in one.rows}
        steps = [size for size in self.trial.steps if size not in tried] or [step]
        self.left_out += [NotRun(method, size, self.too_long) for size in steps for method in one.methods]

    def tell(self, ahead: float) -> None:
        """Tell how far it is, never less than before."""
        spent, ahead = self.budget.spent, min(ahead, max(self.budget.left, 0.0))
        done = REFERENCE_SHARE + (1.0 - REFERENCE_SHARE) * spent / max(spent + ahead, 1e-9)
        self.reached = max(self.reached, min(done, 1.0))
        self.report(self.reached)


def shortened(trial: Trial, candidates: Sequence[Candidate], budget: Budget) -> Trial:
    """The trial with a duration in which every method can be run at the larger half of the steps, rounded down.

    Conjugate gradients, many times slower than all others, do not count.
    """
    often = sum(1.0 / step for step in trial.steps[: -(-len(trial.steps) // 2)])
    known = {one.method.formulation: one.per_step for one in candidates}
    total = 0.0
    for one in candidates:
        # what follows the reference is not planned yet, and about as dear as unified
        method = one.method.formulation
        per_step = known.get(method._replace(coupling="unified"), 0.0) if method.coupling == FOLLOWS else one.per_step
        if method.factorisation != GRADIENTS:
            total += MARGIN * per_step * often * trial.duration
    share = (1.0 - REFERENCE_SHARE) * budget.left / max(total, 1e-9)
    if share >= 1.0:
        return trial
    wanted = share * trial.duration
    size = 10.0 ** math.floor(math.log10(wanted))
    rounded = max(step * size for step in (1.0, 2.0, 5.0) if step * size <= wanted * (1.0 + 1e-9))
    least = min(SHORTEST * trial.grid, trial.duration)
    found = max(round(rounded / trial.grid) * trial.grid, least)
    for one in candidates:
        one.trial = replace(trial, duration=found)
    return replace(trial, duration=found)


def failed(method: MethodName, step: float, error: KnuckleboomError) -> Row:
    """The row of a run that did not come to its end."""
    return Row(method, step, "failed" if isinstance(error, SimulationError) else "refused", reason_of(error))


def never_began(row: Row) -> bool:
    """Whether a run could not make its first step: smaller ones will not help."""
    return row.status == "failed" and row.reason.startswith("stopped at t = 0 s")


def reason_of(error: KnuckleboomError) -> str:
    """The sentence that says why a run is not done."""
    if isinstance(error, MachineError):
        return error.problems[0].rule
    return str(error).splitlines()[0].removeprefix("Simulation ")
