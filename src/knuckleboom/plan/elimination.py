# SPDX-License-Identifier: BSD-3-Clause
"""The order in which velocities and loop multipliers are eliminated, and the addresses of all entries in L.

Slots are numbered from the root to the leaves and eliminated backwards. A multiplier stands just before the first
velocity of its row, so that all velocities of its loop are eliminated before it and its pivot is negative. Where a few
of them can close the loop alone at every pose (the barrel and rod of a cylinder), it stands before these only, and the
rest of the machine is not burdened with it. The elimination tree follows from the matrix: the parent of a slot is its
last neighbour before it, after fill; a slot's row in L has one entry for every ancestor (solvers/tree_ldl.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from knuckleboom.solvers.tree_ldl import TRUNK


@dataclass
class Elimination:
    """Tables of the plan that say where each entry stands."""

    velocity_slot: np.ndarray
    loop_slot: np.ndarray
    start: np.ndarray
    depth: np.ndarray
    ancestor: np.ndarray
    sign: np.ndarray
    trunk: int
    target: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint32))
    """None: where products go follows from depths (plan/pattern.py has a list)."""

    def address(self, one: int, other: int) -> int:
        """Where the entry of two slots stands in L, in the row of the later one (or on the diagonal)."""
        return int(self.start[max(one, other)] + self.depth[min(one, other)])


def order_slots(
    ancestors: list[list[int]], rows: list[list[int]], closing: list[list[int]], pushed: list[list[int]]
) -> Elimination:
    """Lay out L for velocities with these ancestors (tree order, themselves last) and loop rows on these velocities.

    `closing` are the velocities of each row that can close it alone, all of them in general; `pushed` are velocities
    that a row with slopes couples, all with all.
    """
    before: dict[int, list[int]] = {}
    for row, velocities in enumerate(closing):
        before.setdefault(min(velocities), []).append(row)

    velocity_slot = np.zeros(len(ancestors), np.int64)
    loop_slot = np.zeros(len(rows), np.int64)
    count = 0
    for velocity in range(len(ancestors)):
        for row in before.get(velocity, ()):
            loop_slot[row] = count
            count += 1
        velocity_slot[velocity] = count
        count += 1

    # neighbours with a smaller slot, then fill while eliminating from the last
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for velocity, above in enumerate(ancestors):
        neighbours[velocity_slot[velocity]].update(int(velocity_slot[k]) for k in above if k != velocity)
    for row, velocities in enumerate(rows):
        for velocity in velocities:
            low, high = sorted((int(velocity_slot[velocity]), int(loop_slot[row])))
            neighbours[high].add(low)
    for velocities in pushed:
        slots = sorted(int(velocity_slot[velocity]) for velocity in velocities)
        for place, high in enumerate(slots):
            neighbours[high].update(slots[:place])
    parent = [-1] * count
    for slot in range(count - 1, -1, -1):
        if neighbours[slot]:
            parent[slot] = max(neighbours[slot])
            neighbours[parent[slot]].update(neighbours[slot] - {parent[slot]})

    depth, start = np.zeros(count, np.int64), np.zeros(count, np.int64)
    ancestor: list[int] = []
    chains: list[list[int]] = []
    for slot in range(count):
        chain = [] if parent[slot] < 0 else [*chains[parent[slot]], parent[slot]]
        chains.append(chain)
        depth[slot], start[slot] = len(chain), len(ancestor)
        ancestor.extend([*chain, slot])
    sign = np.ones(count)
    sign[loop_slot] = -1.0
    stem = list(range(TRUNK))
    hang = count > TRUNK and all(chain[:TRUNK] == stem[: len(chain)] for chain in chains)
    trunk = TRUNK if hang and all(depth[slot] >= min(slot, TRUNK) for slot in range(count)) else 0
    return Elimination(velocity_slot, loop_slot, start, depth, np.array(ancestor, np.int64), sign, trunk)
