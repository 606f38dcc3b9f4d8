# SPDX-License-Identifier: BSD-3-Clause
"""The run that others are compared with: several methods with their steps halved, the one with the smallest error.

Every method of REFERENCES is refined, the cheapest next run first by counted work, so that a busy computer takes the
same turns, until one agrees with itself and another method has run twice, or the time is spent. What the finest run
of a method is off by is estimated from its last two halvings: with differences d₁ and d₂ of ratio r = d₁/d₂ what is
left is d₂/(r − 1), and d₂ counts at least. Two methods that disagree by more than the other one is off show an error
that halving does not: error ≥ gap − error of the other. Where differences do not fall, the method counts only as far
as another one agrees with it. Tested in tests/analysis/test_reference.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from knuckleboom.analysis.measure import Seen
from knuckleboom.analysis.mechanism import AnalysisError
from knuckleboom.analysis.trial import Progress, Trial
from knuckleboom.results.comparison import MethodName, Reference, is_converged, relative_error

REFERENCES = {("explicit", "rk4"): 1, ("unified", "trapezoidal"): 4, ("realtime", "fw2"): 2}
"""What may be the reference, and how many steps of the first one of them count as much as one of it when turns are
taken: explicit steps converge fastest where they are stable, Newton's cost most."""
AGREE = (1e-8, 1e-4)
"""A run is exact when halving its step moves no place by more, m, and no pressure by more, % of the largest."""
MOST_STEPS = 400_000
"""Steps of the longest run of a reference."""
FALLS = 1.25
"""Differences that fall by less from halving to halving say nothing about what is left."""


class Size(NamedTuple):
    """How far apart runs are: places, m, and pressures, % of the largest; None without oil."""

    place: float
    pressure: float | None


@dataclass
class Refinement:
    """A method whose step is halved: its finest run that came to its end, and by how much each halving moved it."""

    method: MethodName
    next_step: float
    finest: Seen | None = None
    step: float = math.nan
    moved: list[Size] = field(default_factory=list)
    predicted: float = 0.0
    """Processor time of the next run, s."""

    @property
    def work(self) -> float:
        """What the next run costs, for the order of turns: steps in a second, weighed by what a step costs."""
        return REFERENCES[self.method.coupling, self.method.integrator] / self.next_step

    def refine(self, trial: Trial, spent: Callable[[], float]) -> None:
        """Run it at the next step; a run that fails changes nothing but the step."""
        began = spent()
        seen = trial.seen(self.method, self.next_step)
        self.predicted = 2.0 * (spent() - began)
        if seen is not None:
            if self.finest is not None:
                self.moved.append(Size(*seen.distance(self.finest)))
            self.finest, self.step = seen, self.next_step
        self.next_step *= 0.5

    def own_error(self, which: int) -> float:
        """What the finest run is off by, from its halvings: of places (0) or pressures (1); infinite if unknown."""
        sizes = [math.nan if size[which] is None else float(size[which] or 0.0) for size in self.moved[-2:]]
        if not sizes:
            return math.inf
        if math.isnan(sizes[-1]) or sizes[-1] <= AGREE[which]:
            return sizes[-1]
        ratio = sizes[0] / sizes[1] if len(sizes) == 2 else 0.0
        return sizes[-1] * max(1.0, 1.0 / (ratio - 1.0)) if ratio >= FALLS else math.inf

    def error(self, others: Sequence[Refinement]) -> Size:
        """What the finest run is off by, also as other methods show it."""
        assert self.finest is not None
        gaps = [(other, self.finest.distance(other.finest)) for other in others if other.finest is not None]
        found: list[float | None] = []
        for which in (0, 1):
            own, apart = self.own_error(which), [(one.own_error(which), gap[which]) for one, gap in gaps]
            if math.isnan(own):
                found.append(None)
            elif own < math.inf:
                found.append(max([own, *(float(gap or 0.0) - error for error, gap in apart)]))
            else:
                nearest = min((float(gap or 0.0) for _, gap in apart), default=math.inf)
                found.append(max(float(self.moved[-1][which] or 0.0), nearest))
        return Size(found[0] or 0.0, found[1])


@dataclass
class ReferenceSearch:
    """Refines methods until one is exact, or the time is spent."""

    trial: Trial
    spent: Callable[[], float]
    allowed: float
    """Processor time, s."""
    report: Progress
    interrupted: bool = False

    def find(self) -> tuple[Reference, Seen]:
        """The reference and its finest run; AnalysisError when no method runs twice."""
        trial = self.trial
        first = 0.5 * trial.steps[-1]
        everything = [Refinement(trial.wanted(*words), first) for words in REFERENCES]
        began, limit = self.spent(), "steps"
        try:
            while waiting := [one for one in everything if one.next_step * MOST_STEPS >= trial.duration]:
                known = any(one.moved for one in everything)
                if known and self.exact(everything):
                    limit = "agreement"
                    break
                cheapest = min(waiting, key=lambda one: one.work)
                if known and self.spent() - began + cheapest.predicted > self.allowed:
                    limit = "time"
                    break
                cheapest.refine(trial, self.spent)
                self.report(min(1.0, (self.spent() - began) / max(self.allowed, 1e-9)))
        except KeyboardInterrupt:
            if not any(one.moved for one in everything):
                raise
            self.interrupted, limit = True, "interruption"
        self.report(1.0)
        return self.best(everything, limit)

    def exact(self, everything: Sequence[Refinement]) -> bool:
        """Whether a method agrees with itself, and another one has run twice, to disagree if it does."""
        twice = [one for one in everything if one.moved]
        return len(twice) > 1 and any(
            error.place <= AGREE[0] and (error.pressure or 0.0) <= AGREE[1]
            for error in (one.error(others(one, twice)) for one in twice)
        )

    def best(self, everything: Sequence[Refinement], limit: str) -> tuple[Reference, Seen]:
        """The method with the smallest error; `limit` is what ended the search."""
        twice = [one for one in everything if one.moved]
        if not twice:
            names = ", ".join(f"{coupling} ({integrator})" for coupling, integrator in REFERENCES)
            raise AnalysisError(
                f"'{self.trial.machine.name}' has no reference: none of {names} runs for {self.trial.duration:g} s, "
                f"down to {1e3 * self.trial.duration / MOST_STEPS:.2g} ms.\n`knuckleboom run` says where and why it "
                "stops."
            )
        errors = {one.method: one.error(others(one, twice)) for one in twice}
        travel = min(one.finest.travel for one in twice if one.finest is not None)
        taken = min(twice, key=lambda one: relative_error(*errors[one.method], travel))
        assert taken.finest is not None
        error = errors[taken.method]
        converged = is_converged(*error, taken.finest.travel, taken.finest.largest_pressure)
        near = [one for one in others(taken, twice) if converged and agrees(taken, one, error)]
        found = Reference(
            taken.method, taken.step, *taken.moved[-1], position_error=error.place,
            pressure_error_percent=error.pressure, confirmed_by=near[0].method.coupling if near else None,
            converged=converged, limit=limit,
        )  # fmt: skip
        return found, taken.finest


def others(one: Refinement, everything: Sequence[Refinement]) -> list[Refinement]:
    """All but one."""
    return [other for other in everything if other is not one]


def agrees(one: Refinement, other: Refinement, error: Size) -> bool:
    """Whether another method is as near as both are exact, and exact enough itself for that to mean something."""
    assert one.finest is not None and other.finest is not None
    gap, travel, largest = one.finest.distance(other.finest), one.finest.travel, one.finest.largest_pressure
    near = all(
        float(gap[which] or 0.0) <= float(error[which] or 0.0) + least_error(other, which) for which in (0, 1)
    )
    return near and is_converged(*gap, travel, largest)


def least_error(one: Refinement, which: int) -> float:
    """What a method is off by, or its last halving where that is not known: of places (0) or pressures (1)."""
    own = one.own_error(which)
    return own if math.isfinite(own) else float(one.moved[-1][which] or 0.0)
