# SPDX-License-Identifier: BSD-3-Clause
"""In which order a rest of the oil is searched for: as little as possible moves, and what has no hold is known by name.

    1  oil by itself                       inputs held, rows standing: relax
    2  all loads on the oil alone          no input moves, no pressure falls below ambient; else none falls at all: the
                                           shortest step would let suction valves open
    3  one actuator after the other        the others rigid: by the oil, else by the nearest valves' inputs, else with
                                           pressures below ambient, else with these inputs moved as an operator would
    4  all inputs together                 if some actuators still have no hold; inputs that need not move go back
    5  slow motion                         what is left creeps, or nothing steady is found

Rows that work against each other count as one actuator. An actuator that is too weak whatever valves do (unheld.py) is
not searched for. Tested in tests/analysis/test_unheld.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.resting_oil import LOWEST, NEGLIGIBLE_FLOW, STILL, Standing, metering_signal
from knuckleboom.analysis.weakness import weakness

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

UNMOVED = 1e-12  # of an input: rounding


class Rest(NamedTuple):
    """What was found: X, its value before the load was put on, how it ended, and the groups of rows without a hold.

    It "rests", "creeps" where the inputs that are given cannot hold the load, is "overloaded" where no steady state is
    found, or "restless" where not even the oil by itself comes to rest. `moved_for` has inputs, by their places in X,
    and the group for which each was moved.
    """

    X: Array
    unloaded: Array
    ending: str
    unheld: tuple[int, ...] = ()
    moved_for: tuple[tuple[int, int], ...] = ()


def find_rest(standing: Standing) -> Rest:
    """Bring the oil to rest under the load, else into the slow motion that the load and the inputs leave."""
    X, rested = standing.relax(standing.start())
    return Search(standing, X).run() if rested else Rest(X, X, "restless")


class Search:
    """One search from the state where the oil rests by itself."""

    def __init__(self, standing: Standing, unloaded: Array) -> None:
        self.standing, self.unloaded = standing, unloaded
        self.ambient = float(standing.plan.oil.ambient[0])
        self.nothing = np.zeros(standing.size, bool)

    def run(self) -> Rest:
        """All orders in turn, until one holds every load."""
        standing = self.standing
        for lowest in (self.everywhere(self.ambient), self.as_they_are()):
            found, done = self.carry(self.unloaded, self.nothing, lowest)
            if done:
                return Rest(found, self.unloaded, "rests")
        rest = self.one_by_one()
        standing.active[:] = True
        if not rest.unheld:
            return rest
        if standing.is_input.any() and not any(weakness(standing, group) for group in rest.unheld):
            found, done = self.all_inputs()
            if done:
                return Rest(found, self.unloaded, "rests")
        found, steady = standing.relax(self.unloaded, moving=True)
        if steady and self.stands(found):
            found[standing.is_creep] = 0.0
            return Rest(found, self.unloaded, "rests")
        return Rest(found, self.unloaded, "creeps" if steady else "overloaded", rest.unheld)

    def stands(self, X: Array) -> bool:
        """Whether the speeds in X are rounding, or displace no more than a negligible flow."""
        slow = float(np.max(np.abs(X[self.standing.is_creep]), initial=0.0)) < STILL
        return slow or self.standing.creeping_flow(X) <= NEGLIGIBLE_FLOW

    def everywhere(self, pressure: float) -> Array:
        """The same lowest pressure for all volumes."""
        return np.full(self.standing.nvolume, pressure)

    def as_they_are(self) -> Array:
        """The pressures without load as the lowest."""
        self.standing.residual(self.unloaded)
        return self.standing.pressures().copy()

    def carry(self, X: Array, inputs: Mask, lowest: Array) -> tuple[Array, bool]:
        """Put the loads of the active groups on."""
        standing = self.standing
        standing.lowest, standing.at_floor = lowest, np.zeros(standing.nvolume, bool)
        found, part = standing.carry(X, standing.is_state | inputs)
        return found, part == 1.0

    def one_by_one(self) -> Rest:
        """Add the load of one group after the other, so that only what it needs moves."""
        standing, X = self.standing, self.unloaded
        released, lowest = self.nothing.copy(), self.everywhere(self.ambient)
        unheld: list[int] = []
        moved_for: list[tuple[int, int]] = []
        standing.active[:] = False
        for group in range(len(standing.groups)):
            standing.active |= standing.group_of == group
            found, inputs, floor = self.hold(X, group, released, lowest)
            if found is None:
                standing.active &= standing.group_of != group
                unheld.append(group)
                continue
            for column in np.flatnonzero(inputs & ~released).tolist():
                moved_for.append((column, group))
            X, released, lowest = found, released | inputs, floor
        return Rest(X, self.unloaded, "rests", tuple(unheld), tuple(moved_for))

    def hold(self, X: Array, group: int, released: Mask, lowest: Array) -> tuple[Array | None, Mask, Array]:
        """Carry one more group: return X or None, the inputs that may move for it, and the lowest pressures."""
        standing = self.standing
        lower = np.where(chambers_of(standing, group), LOWEST, lowest)
        near = nearest_inputs(standing, group) & standing.is_input
        weak = None
        for floor in (lowest, lower):
            for inputs in (self.nothing, near)[: 2 if near.any() else 1]:
                if inputs.any() and weak is None:
                    weak = weakness(standing, group)
                if inputs.any() and weak:
                    continue
                found, done = self.carry(X, released | inputs, floor)
                if done:
                    return found, inputs, floor
            if not standing.at_floor.any():
                break
        if near.any() and not weak:
            standing.lowest = lower
            found, done = standing.operate(X, released | near)
            if done:
                return found, near, lower
        return None, near, lowest

    def all_inputs(self) -> tuple[Array, bool]:
        """Every input may move; those that need not go back to where they were."""
        standing = self.standing
        for pressure in (self.ambient, LOWEST):
            found, done = self.carry(self.unloaded, standing.is_input, self.everywhere(pressure))
            if done:
                break
            if not standing.at_floor.any():
                return found, False
        else:
            return found, False
        moved = np.abs(found - self.unloaded)
        needed = standing.is_input & (moved > UNMOVED)
        for column in sorted(np.flatnonzero(needed).tolist(), key=lambda one: float(moved[one])):
            fewer = needed.copy()
            fewer[column] = False
            other, done = self.carry(self.unloaded, fewer, self.everywhere(pressure))
            if done:
                found, needed = other, fewer
        return found, True


def chambers_of(standing: Standing, group: int) -> Mask:
    """Volumes that are chambers of a group's rows."""
    rows = {id(standing.layout.rows[int(number)]) for number in standing.rows[standing.groups[group]]}
    ports = {chamber.port for chamber in standing.layout.chambers if id(chamber.row) in rows}
    return np.array([node.port in ports for node in standing.layout.nodes[: standing.nvolume]], bool)


def nearest_inputs(standing: Standing, group: int) -> Mask:
    """Inputs of the valves that oil from each of a group's chambers meets first; oil does not pass through sources."""
    layout, found = standing.layout, np.zeros(standing.size, bool)
    sources = {node.port for node in layout.nodes if node.source is not None}
    numbers = {id(signal): standing.nx + number for number, signal in enumerate(layout.inputs)}
    for start in np.flatnonzero(chambers_of(standing, group)).tolist():
        reached, layer = {layout.nodes[start].port}, {layout.nodes[start].port}
        met: set[int] = set()
        while layer and not met:
            further = set()
            for branch in layout.branches:
                if branch.a in layer or branch.b in layer:
                    signal = metering_signal(branch)
                    if signal is not None and id(signal) in numbers:
                        met.add(numbers[id(signal)])
                    further |= {branch.a, branch.b}
            layer = further - reached - sources
            reached |= layer
        found[list(met)] = True
    return found
