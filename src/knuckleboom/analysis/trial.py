# SPDX-License-Identifier: BSD-3-Clause
"""What methods are compared on: a machine, how long it runs at which steps, and what it is given.

Tested in tests/analysis/test_compare.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from knuckleboom.analysis.measure import Seen, look
from knuckleboom.control.controller import Controller
from knuckleboom.errors import MachineError, Problem, SimulationError
from knuckleboom.hydraulics.parts import Oil
from knuckleboom.machine import Machine
from knuckleboom.methods import DAMPED, TABLE, WORDS, Combination, choices, fits
from knuckleboom.names import closest
from knuckleboom.plan.impulses import TIMESTEPPING
from knuckleboom.plan.planned import has_impulses
from knuckleboom.results.comparison import FOLLOWS, MethodName, NotRun, Reference
from knuckleboom.simulation.kinematic import followed_paths
from knuckleboom.simulation.times import read_times
from knuckleboom.simulation.whole import WholeRun

NEEDS_OIL = ("cointegrated", "cosimulated", FOLLOWS)
MOST_LINES = 10_000
"""Records of the lengths that `kinematic` follows."""
PLACE = "the steps"

Progress = Callable[[float], None]


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


def read_only(only: Sequence[str]) -> dict[str, set[str]]:
    """Words that methods must have, sorted by their kind; raise MachineError with all that no method has."""
    kinds = {value: word for word in reversed(MethodName._fields) for value in choices(word)}
    problems, wanted = [], dict[str, set[str]]()
    for value in only:
        if value in kinds:
            wanted.setdefault(kinds[value], set()).add(value)
            continue
        near = tuple(closest(value, kinds))
        fix = "Give words of `knuckleboom list methods`, such as relative, realtime or sparse."
        problems.append(Problem(f"No method has the word '{value}'.", fix=fix, closest=near))
    if problems:
        raise MachineError(problems, "the methods to compare")
    return wanted


@dataclass(frozen=True)
class Trial:
    """A machine, how long it runs at which steps, and what it is given."""

    machine: Machine
    duration: float
    steps: tuple[float, ...]
    grid: float
    inputs: Mapping[str, Any]
    words: Mapping[str, str]
    start: Any = None
    controllers: Sequence[Controller] = ()

    def methods(self, only: Mapping[str, set[str]]) -> tuple[list[MethodName], list[NotRun]]:
        """Every method of the table that has the words wanted, and those of them that do not fit the machine."""
        oil, followed = bool(self.machine.of(Oil)), bool(followed_paths(self.machine))
        impulses = has_impulses(self.machine)
        found: list[MethodName] = []
        left_out: list[NotRun] = []
        for row in TABLE:
            for method in all_of(row):
                if any(getattr(method, word) not in values for word, values in only.items()):
                    continue
                if row.coupling in NEEDS_OIL and not oil:
                    left_out.append(NotRun(method, None, "the machine has no oil"))
                elif row.coupling == FOLLOWS and not followed:
                    left_out.append(NotRun(method, None, "the machine has neither cylinders nor motors"))
                elif row.coupling == TIMESTEPPING and not impulses:
                    left_out.append(NotRun(method, None, "nothing touches, stops or rubs in the machine"))
                else:
                    found.append(method)
        if not found and not left_out:
            words = ", ".join(sorted(value for values in only.values() for value in values))
            fix = "`knuckleboom list methods` shows what goes together."
            raise MachineError([Problem(f"No method has all of the words {words}.", fix=fix)], "the methods to compare")
        return list(dict.fromkeys(found)), left_out

    def run(self, method: MethodName, step: float, record: float, inputs: Any) -> WholeRun:
        """One method, ready to run; raises MachineError when it does not suit the machine."""
        extra = {word: value for word, value in self.words.items() if word not in MethodName._fields}
        # of rows that differ in other words that which goes with most
        wanted: dict[str, Any] = max(
            ({word: value for word, value in extra.items() if goes_with(row, method, word, value)}
             for row in TABLE if method in all_of(row)),
            key=len, default={},
        )  # fmt: skip
        wanted |= method._asdict()
        return WholeRun(
            self.machine, self.duration, step=step, record=record, inputs=inputs, start=self.start,
            controllers=self.controllers, **wanted,
        )  # fmt: skip

    def wanted(self, coupling: str, integrator: str) -> MethodName:
        """A coupling and an integrator with the other words that the machine wants, as far as they go together."""
        given = {"coupling": coupling, "integrator": integrator}
        row = next(row for row in TABLE if fits(row, given))
        own = {word: value for word, value in self.words.items() if word in WORDS and fits(row, {word: value})}
        return next(
            method
            for method in all_of(row)
            if all(getattr(method, word, value) == value for word, value in (own | given).items())
        )

    def seen(self, method: MethodName, step: float) -> Seen | None:
        """What a run shows on the grid, None when it failed."""
        try:
            return look(self.machine, self.run(method, step, self.grid, self.inputs).recorded())
        except SimulationError:
            return None

    def lengths(self, reference: Reference) -> dict[str, Any]:
        """The inputs with the lengths of the reference, once more recorded closely enough to be followed."""
        often = max(reference.step, self.duration / MOST_LINES)
        run = self.run(reference.method, reference.step, often, self.inputs).recorded()
        return {**self.inputs, **{name: run[path] for name, path in followed_paths(self.machine).items()}}


def goes_with(row: Combination, method: MethodName, word: str, value: Any) -> bool:
    """Whether a word or number of the method goes with a line of the table and the words that are compared."""
    if word in WORDS:
        return fits(row, {word: value})
    has = {
        "power_step": bool(row.power_integrator), "spectral_radius": method.integrator == DAMPED,
        "penalty": method.enforcement != "lagrange",
    }  # fmt: skip
    return has[word]


def all_of(row: Combination) -> Iterator[MethodName]:
    """Every method of a line of the table."""
    words = (row.coordinates, (row.coupling,), row.integrator, row.enforcement, row.factorisation)
    return itertools.starmap(MethodName, itertools.product(*words))
