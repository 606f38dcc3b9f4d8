# SPDX-License-Identifier: BSD-3-Clause
"""Levers that are held where the load does not rest: for the start of a run they are let go.

A run begins at the equilibrium with such levers at their rest position, and from there they act. Where not even that
rests, valves that are given go to where the load rests. Each lever that was let go has a sentence with the reason.
Tested in tests/analysis/test_released.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.mechanism import Basis, Mechanism
from knuckleboom.analysis.resting_oil import Standing, metering_inputs
from knuckleboom.analysis.resting_reasons import described, no_hold
from knuckleboom.analysis.resting_search import UNMOVED, Rest, find_rest, nearest_inputs
from knuckleboom.net import NetSignal
from knuckleboom.simulation.start import HELD_AT_REST

Array = NDArray[np.float64]


class Lever(NamedTuple):
    """A lever that is held: its signal, the value given, whether that is off its rest position, whom it moves, why."""

    signal: NetSignal
    given: float
    pulled: bool
    whose: str
    why: str


class Release:
    """A search for rest with levers let go, from a state where the given ones let nothing rest."""

    def __init__(self, mechanism: Mechanism, basis: Basis, given: Collection[str], follow: Callable[[], None]) -> None:
        """`follow` puts spools where their inputs are."""
        self.mechanism, self.basis, self.given, self.follow = mechanism, basis, given, follow
        self.before = mechanism.planned.snapshot()

    def find(self, standing: Standing, rest: Rest) -> tuple[Standing, Rest, dict[str, str]]:
        """A standing that rests with levers let go, and a sentence for each; what was there before where none does."""
        levers = self.levers(standing, rest)
        pulled = [lever for lever in levers if lever.pulled]
        if pulled:
            released, found = self.search({lever.signal.path for lever in pulled}, pulled)
            if found.ending in ("rests", "creeps"):
                return released, found, said(released, found, pulled)
        if rest.ending != "creeps":
            released, found = self.search(set(self.given), [])
            if found.ending == "rests":
                return released, found, said(released, found, levers)
        self.mechanism.planned.restore(self.before)
        standing.put(rest.X)
        return standing, rest, {}

    def search(self, free: set[str], at_rest: list[Lever]) -> tuple[Standing, Rest]:
        """Search for rest with some inputs free to move, some of them from their rest position."""
        planned, numbers = self.mechanism.planned, self.numbers()
        planned.restore(self.before)
        for lever in at_rest:
            planned.work.state.u[numbers[id(lever.signal)]] = lever.signal.default
        self.follow()
        released = Standing(self.mechanism, self.basis, [path for path in self.given if path not in free])
        return released, find_rest(released)

    def numbers(self) -> dict[int, int]:
        """The place of every input."""
        return {id(signal): number for number, signal in enumerate(self.mechanism.planned.layout.inputs)}

    def levers(self, standing: Standing, rest: Rest) -> list[Lever]:
        """Given inputs of valves that are near what has no hold, all of them where that is not known."""
        numbers, found = self.numbers(), dict[str, Lever]()
        groups = {group: nearest_inputs(standing, group) for group in rest.unheld}
        for signal in metering_inputs(self.mechanism):
            if signal.path not in self.given:
                continue
            number = numbers[id(signal)]
            moved = [group for group, near in groups.items() if near[standing.nx + number]]
            if moved or not groups:
                value = float(rest.X[standing.nx + number])
                places = [place for group in moved for place in np.flatnonzero(standing.groups[group]).tolist()]
                whose = " and ".join(described(standing, place) for place in places)
                why = "; ".join(text for group in moved if (text := no_hold(standing, rest, group)))
                found[signal.path] = Lever(signal, value, abs(value - signal.default) > UNMOVED, whose, why)
        return list(found.values())


def said(standing: Standing, rest: Rest, levers: list[Lever]) -> dict[str, str]:
    """A sentence for each lever that is held elsewhere than where the load rests, by its path."""
    now = {signal.path: float(rest.X[standing.nx + i]) for i, signal in enumerate(standing.layout.inputs)}
    places = {lever.signal.path: lever for lever in levers}
    return {path: sentence(one, now[path]) for path, one in places.items() if abs(now[path] - one.given) > UNMOVED}


def sentence(lever: Lever, now: float) -> str:
    """What a lever that is held does, why, and where the equilibrium has it."""
    path, why = lever.signal.path, f" ({lever.why})" if lever.why else ""
    at = f"'{path}' at {0.0 if abs(now) < UNMOVED else now:.4g}"
    if lever.pulled:
        moved = f", which moves {lever.whose}" if lever.whose else ", at which nothing rests"
        place = "its rest position" if abs(now - lever.signal.default) < UNMOVED else "where the load rests"
        head = f"Input '{path}' is held at {lever.given:.4g}{moved}{why}"
        return f"{head}: the equilibrium is that with {at}, {place}, and from there the input acts."
    load = f"the load of {lever.whose}" if lever.whose else "the load"
    head = f"{HELD_AT_REST.format(path=path)} {lever.given:.4g}, where {load} does not rest{why}"
    fix = "Leave the input out, or put a valve there that holds the load"
    return f"{head}. The equilibrium is that with {at}, and from there the load moves. {fix}."
