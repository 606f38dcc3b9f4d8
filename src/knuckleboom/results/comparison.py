# SPDX-License-Identifier: BSD-3-Clause
"""A comparison of methods on one machine: what each costs, how far it is from a converged run, and which to take.

`print(comparison)` is the best step of every method and the advice (results/comparison_text.py), `comparison.rows` has
all runs in SI, `comparison.to_dict()` plain data. `.plot()` (cost against error) and `.report()` are attached in
`knuckleboom/__init__.py`. Tested in tests/analysis/test_compare.py and test_comparison.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

from knuckleboom.methods import GRADIENTS
from knuckleboom.results import comparison_text as text
from knuckleboom.results.step_limits import (
    PLACES_WITHIN,
    PRESSURES_WITHIN,
    ExchangeStep,
    Limit,
    NearStep,
    is_quiet,
    limit_of,
)

GOOD = 0.005
"""Error, as a part of the motion and of the largest pressure, that is good enough for real time."""
REALTIME_STEPS = (5e-3, 2e-3, 1e-3)
"""s: steps at which `realtime` is always tried, as far as they meet the grid; smaller ones follow where these fail."""
RESOLVES = 0.2
"""Part of what others may be off by that the reference may be off by itself: nothing is advised from a worse one."""
NEAR = 2.0
"""Errors, or costs, within this factor of the smallest count as equally small: the other one then decides."""
SAME = 1.3
"""Costs, or errors, within this factor are the same but for noise: the first in the table of methods is taken."""
STABLE = 1.0
"""A run is stable when no place is off by more, as a part of the motion, no pressure, as a part of the largest, and no
more energy came from nowhere, as a part of the work done."""
LEAST_TRAVEL = 1e-3  # m: a machine that moves less is judged by this
FOLLOWS = "kinematic"
"""The coupling that is given what the others find: never advised."""
ITERATIVE = ("augmented", "index3", "cosimulated", GRADIENTS)
"""Words of methods that iterate until something is small enough: the cost of a step is not known beforehand."""


class MethodName(NamedTuple):
    """The words of a method."""

    coordinates: str
    coupling: str
    integrator: str
    enforcement: str
    factorisation: str

    def __str__(self) -> str:
        return f"{self.coupling} ({self.integrator}, {self.enforcement}, {self.factorisation}, {self.coordinates})"

    @property
    def bounded_cost(self) -> bool:
        """Whether every step costs the same, which is what real time asks for."""
        return not set(self) & set(ITERATIVE)

    @property
    def formulation(self) -> MethodName:
        """What decides the errors: all but the choice between direct factorisations."""
        return self if self.factorisation in ITERATIVE else self._replace(factorisation="")


@dataclass(frozen=True)
class Reference:
    """The run that counts as exact, by how much halving its step last moved it, and what it is still off by."""

    method: MethodName
    step: float
    position_difference: float
    """By how much halving its step last moved a place, m."""
    pressure_difference_percent: float | None
    """And a pressure, in % of the largest; None without oil."""
    position_error: float
    """Estimate of what it is off by, from its halvings and from other methods, m."""
    pressure_error_percent: float | None
    converged: bool
    """Whether it is exact enough to judge others by it."""
    confirmed_by: str | None = None
    """Coupling of another method that comes to the same; None where none does."""
    limit: str = ""
    """What ended its refinement: time, steps, interruption or agreement."""

    def __str__(self) -> str:
        moved = f"{1e3 * self.position_difference:.1e} mm"
        if self.pressure_difference_percent is not None:
            moved += f" and {self.pressure_difference_percent:.1e} % of the largest pressure"
        agreed = f"; {self.confirmed_by} comes to the same" if self.confirmed_by else ""
        doubt = "" if self.converged else "; it has NOT converged"
        step = text.milliseconds(self.step)
        return f"Reference: {self.method} at {step}; halving its step moved it by {moved}{agreed}{doubt}."


@dataclass(frozen=True)
class Row:
    """One method at one step: cost and errors; None where there is no such thing, or the run failed."""

    method: MethodName
    step: float
    """s"""
    status: str
    """One of done, failed (the run stopped) and refused (the method does not suit the machine)."""
    reason: str = ""
    """Why it is not done."""
    cpu_per_s: float | None = None
    """Processor time for a simulated second, s."""
    evaluations_per_step: float | None = None
    """Mean number of times that the forces and masses of the whole machine are computed in a step."""
    iterations: float | None = None
    """Mean number of Newton iterations in a step."""
    position_error: float | None = None
    """Largest over origins, centres of mass and points of all bodies on the grid, m."""
    pressure_error_percent: float | None = None
    """Largest over all oil volumes, in % of the largest pressure."""
    constraint_error: float | None = None
    """Largest constraint equation |Φ|: m, or rad for axes."""
    constraint_rate_error: float | None = None
    """Largest |Φ̇|: m/s, or rad/s."""
    constraint_acceleration_error: float | None = None
    """Largest |Φ̈|, with the accelerations that the method itself has: m/s², or rad/s²."""
    energy_residual_percent: float | None = None
    """Largest energy that appeared from nowhere, in % of the work done."""
    energy_drift_percent: float | None = None
    """Energy that had appeared from nowhere at the end: lost when below zero."""
    exchanged_percent: float | None = None
    """Largest energy that exchanges of `cosimulated` had made at any time, in % of the work done."""
    errors_with: str = ""
    """The factorisation with which the errors were measured: direct ones differ by rounding only."""

    @property
    def done(self) -> bool:
        """Whether it ran to its end."""
        return self.status == "done"

    @property
    def name(self) -> str:
        """What to call it in a sentence."""
        return f"{self.method} at {text.milliseconds(self.step)}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, the words of the method first."""
        return flat(self)


@dataclass(frozen=True)
class NotRun:
    """A method that was not run, or not at a step, and why."""

    method: MethodName
    step: float | None
    """s; None for all steps"""
    reason: str


@dataclass(frozen=True)
class Comparison:
    """All methods that were run on a machine; `status` is "interrupted" when Ctrl-C ended it."""

    machine: str
    duration: float
    grid: float
    travel: float
    """The longest path of any place from its start, m."""
    reference: Reference
    rows: Sequence[Row]
    status: str = "done"
    not_run: Sequence[NotRun] = ()
    longest: float = math.inf
    """The largest step that was asked for, s: larger ones are only tried to see where a method is stable."""
    meant: float | None = None
    """How long it would have run, s, where that was shortened to keep to the time."""
    sources: Sequence[tuple[str, str]] = ()
    """What the methods and the machine use, and the source that it names."""
    largest_pressure: float | None = None
    """The largest of the reference, Pa; None without oil."""
    default_realtime: MethodName | None = None
    """The method that `realtime` stands for on this machine; None takes the first that was run."""
    default_cosimulated: MethodName | None = None
    """The same of `cosimulated`."""
    notes: Sequence[str] = ()
    """What else there is to say, such as what of a case was not used."""
    case: str = ""
    """Name of the case; empty without one."""
    pressure_swing: float | None = None
    """By how much a pressure of the reference changed at most, Pa; None without oil."""

    plot: ClassVar[Callable[..., Any]]
    report: ClassVar[Callable[..., Any]]

    def error(self, row: Row | Reference) -> float:
        """The worse of both errors: of places as a part of the motion, of pressures as a part of the largest."""
        return relative_error(row.position_error, row.pressure_error_percent, self.travel)

    @property
    def too_small(self) -> bool:
        """Whether so little moved, and pressures changed so little, that a machine that stood would be as good."""
        return self.travel < LEAST_TRAVEL and (self.pressure_swing or 0.0) < PRESSURES_WITHIN

    def stable(self, row: Row) -> bool:
        """Whether a run stayed where the machine is: to its end, and not far off."""
        return is_stable(row, self.travel)

    # --- methods ---

    @property
    def formulations(self) -> list[MethodName]:
        """All methods that were run, factorisations taken together, in the order of the table of methods."""
        return list(dict.fromkeys(row.method.formulation for row in self.rows))

    def of(self, formulation: MethodName) -> list[Row]:
        """The runs of a method with all its factorisations."""
        return [row for row in self.rows if row.method.formulation == formulation]

    def best(self, rows: Sequence[Row]) -> Row | None:
        """The cheapest of some runs that is good enough; else the most accurate one; None when none was done."""
        done = [row for row in rows if row.done and row.step <= self.longest * (1.0 + 1e-9)]
        good = [row for row in done if self.error(row) <= GOOD]
        return min(good, key=cost) if good else min(done, key=lambda row: (self.error(row), cost(row)), default=None)

    def stability(self, formulation: MethodName) -> Limit:
        """The largest step at which a method is stable, and at all smaller ones that were tried."""
        return limit_of([row for row in self.of(formulation) if row.status != "refused"], self.stable)

    # --- advice ---

    @property
    def realtime(self) -> Row | None:
        """Of those whose steps all cost the same the best of the cheapest with good errors; else the best fast one.

        None from a reference that has not converged.
        """
        fixed = [row for row in self._judged() if row.method.bounded_cost and cost(row) < 1.0]
        good = [row for row in fixed if self.error(row) <= GOOD]
        least = min((cost(row) for row in good), default=0.0)
        near = [row for row in good if cost(row) <= NEAR * least]
        return first_of(near or fixed, self.error)

    @property
    def accurate(self) -> Row | None:
        """The cheapest of those with the smallest error, the reference's own error counting as equal.

        None from a reference that has not converged.
        """
        rows = self._judged()
        if not rows:
            return None
        limit = NEAR * max(min(self.error(row) for row in rows), self.error(self.reference))
        return first_of([row for row in rows if self.error(row) <= limit], cost)

    @property
    def realtime_step(self) -> NearStep | None:
        """The step that `realtime` needs; None where it was not run, or the reference has not converged."""
        # larger steps were only tried to see where it is stable
        longest = max(self.longest, REALTIME_STEPS[0]) * (1.0 + 1e-9)
        rows = self._runs_of("realtime", self.default_realtime)
        return self._near_step([row for row in rows if row.step <= longest])

    @property
    def cosimulated_step(self) -> ExchangeStep | None:
        """How far apart exchanges of `cosimulated` can be; None where it was not run, or too little happened."""
        rows = self._runs_of("cosimulated", self.default_cosimulated)
        if not rows or self.too_small:
            return None
        limit, near_limit = limit_of(rows, is_quiet), limit_of(rows, lambda row: is_quiet(row) and self.is_near(row))
        shown = next((row for row in rows if row.step == limit.step), min(rows, key=lambda row: row.step))
        accurate = self._near_step([row for row in rows if row.step <= (limit.step or 0.0)])
        return ExchangeStep(limit.step, limit.bounded, shown.exchanged_percent, accurate, near_limit.bounded)

    def _runs_of(self, coupling: str, default: MethodName | None) -> list[Row]:
        """The runs of the method that a coupling stands for, else of the first with it, that suit the machine."""
        rows = [row for row in self.rows if row.method.coupling == coupling and row.status != "refused"]
        wanted = default or (rows[0].method if rows else None)
        return [row for row in rows if row.method == wanted]

    def _near_step(self, rows: Sequence[Row]) -> NearStep | None:
        """The largest step of some runs that is near enough, else the nearest; None where that cannot be said."""
        done = [row for row in rows if row.done]
        if not done or not self.reference.converged or self.too_small:
            return None
        largest = limit_of(rows, self.is_near).step
        row = next((row for row in done if row.step == largest), min(done, key=self.error))
        assert row.position_error is not None
        return NearStep(row.step, largest is not None, row.position_error, self.pressure_of(row))

    def is_near(self, row: Row) -> bool:
        """Whether a run is within what a step of `realtime` may be off by."""
        return is_near(row, self.largest_pressure)

    def pressure_of(self, row: Row | Reference) -> float | None:
        """The error of pressures, Pa; None without oil."""
        return pascals(row.pressure_error_percent, self.largest_pressure)

    def _judged(self) -> list[Row]:
        if not self.reference.converged or self.too_small:
            return []
        longest = self.longest * (1.0 + 1e-9)
        return [row for row in self.rows if row.done and row.method.coupling != FOLLOWS and row.step <= longest]

    @property
    def advice(self) -> str:
        """Which to use for real time and which for accuracy, why, which step `realtime` needs and how far apart
        exchanges of `cosimulated` can be; or why not.
        """
        steps = text.realtime_step(self.realtime_step), text.cosimulated_step(self.cosimulated_step)
        whole = " ".join(filter(None, (self._whole_advice(), *steps)))
        return f"Interrupted; of what was run until then: {whole}" if self.status == "interrupted" else whole

    def _whole_advice(self) -> str:
        fast, exact = self.realtime, self.accurate
        if not self.reference.converged:
            return text.no_advice(self)
        if self.too_small:
            return text.too_small(self)
        if exact is None and any(row.done and row.method.coupling == FOLLOWS for row in self.rows):
            return f"Nothing is advised: {FOLLOWS} is given what the others find."
        if exact is None:
            return text.nothing_done(self)
        if fast is None:
            first = "None of these with a bounded cost per step is fast enough for real time."
        else:
            why = f"{self._speed(fast)}, every step costs the same, and it is {self._off(fast)} off"
            doubt = "" if self.error(fast) <= GOOD else "; no smaller error was seen in real time"
            first = f"For real time take {fast.name}: {why}{doubt}."
        if fast is exact:
            return f"{first} It also has the smallest error seen."
        return f"{first} For accuracy take {exact.name}: the smallest error, {self._off(exact)}; {self._speed(exact)}."

    def _speed(self, row: Row) -> str:
        spent = row.cpu_per_s or math.nan
        if spent < 1.0:
            return f"{text.factor(1.0 / spent)} times faster than the machine"
        return f"{text.factor(spent)} times slower"

    def _off(self, row: Row) -> str:
        place, pressure = text.errors(self, row)
        return f"{place} mm" + (f" and {pressure} % of the largest pressure" if pressure != "-" else "")

    def __str__(self) -> str:
        return text.whole(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data under stable keys, described in docs/cli.md."""
        place = {id(row): number for number, row in enumerate(self.rows)}
        fast, exact, step, exchange = self.realtime, self.accurate, self.realtime_step, self.cosimulated_step
        methods = []
        for method in dict.fromkeys(row.method for row in self.rows):
            best = self.best([row for row in self.rows if row.method == method])
            stable = self.stability(method.formulation)
            methods.append(
                {
                    **method._asdict(), "best": None if best is None else place[id(best)],
                    "largest_stable_step": stable.step, "unstable_above": stable.bounded,
                }
            )  # fmt: skip
        return {
            "machine": self.machine,
            "case": self.case,
            "status": self.status,
            "duration": self.duration,
            "meant_duration": self.meant or self.duration,
            "grid": self.grid,
            "travel": self.travel,
            "largest_pressure": self.largest_pressure,
            "pressure_swing": self.pressure_swing,
            "reference": flat(self.reference),
            "runs": [row.to_dict() for row in self.rows],
            "methods": methods,
            "not_run": [flat(one) for one in self.not_run],
            "realtime": None if fast is None else place[id(fast)],
            "accurate": None if exact is None else place[id(exact)],
            "realtime_step": None if step is None else {**asdict(step), "text": text.realtime_step(step)},
            "cosimulated_step":
                None if exchange is None else {**asdict(exchange), "text": text.cosimulated_step(exchange)},
            "advice": self.advice,
            "notes": list(self.notes),
        }  # fmt: skip


def flat(item: Reference | Row | NotRun) -> dict[str, Any]:
    """Return plain data with the words of the method first; null for a number that is not known, infinite inside."""
    data = {key: None if value == math.inf else value for key, value in asdict(item).items()}
    del data["method"]
    return {**item.method._asdict(), **data}


def cost(row: Row) -> float:
    """Processor time for a simulated second, s; infinite where it is not known."""
    return math.inf if row.cpu_per_s is None else row.cpu_per_s


def first_of(rows: Sequence[Row], size: Callable[[Row], float]) -> Row | None:
    """Of some runs the first whose size is the smallest one but for noise; None without runs."""
    least = min(map(size, rows), default=0.0)
    return next((row for row in rows if size(row) <= SAME * least), None)


def relative_error(position: float | None, pressure_percent: float | None, travel: float) -> float:
    """The worse of an error of places (m), as a part of the motion, and one of pressures; infinite without one."""
    if position is None:
        return math.inf
    return max(position / max(travel, LEAST_TRAVEL), 0.01 * (pressure_percent or 0.0))


def is_stable(row: Row, travel: float) -> bool:
    """Whether a run came to its end and did not get out of hand."""
    error = relative_error(row.position_error, row.pressure_error_percent, travel)
    return row.done and max(error, 0.01 * (row.energy_residual_percent or 0.0)) <= STABLE


def pascals(percent: float | None, largest: float | None) -> float | None:
    """A part of the largest pressure in Pa; None without oil."""
    return None if percent is None or largest is None else 0.01 * percent * largest


def is_near(row: Row, largest_pressure: float | None) -> bool:
    """Whether a run is within what a step of `realtime` may be off by."""
    off = pascals(row.pressure_error_percent, largest_pressure) or 0.0
    return row.position_error is not None and row.position_error <= PLACES_WITHIN and off <= PRESSURES_WITHIN


def resolution(travel: float, largest_pressure: float | None) -> tuple[float, float | None]:
    """What a reference may be off by to judge others: places, m, and pressures, Pa, None without oil."""
    place = RESOLVES * min(GOOD * max(travel, LEAST_TRAVEL), PLACES_WITHIN)
    return place, None if largest_pressure is None else RESOLVES * min(GOOD * largest_pressure, PRESSURES_WITHIN)


def is_converged(
    position: float, pressure_percent: float | None, travel: float, largest_pressure: float | None
) -> bool:
    """Whether a reference that is off by so much is exact enough to judge others."""
    place, pressure = resolution(travel, largest_pressure)
    return position <= place and (pascals(pressure_percent, largest_pressure) or 0.0) <= (pressure or 0.0)
