# SPDX-License-Identifier: BSD-3-Clause
"""The order in which a large, sparse system is eliminated, its pattern with all fill, and every address, listed once.

Slots are eliminated backwards, as in plan/elimination.py; but a slot's row in L has only the entries that are not zero,
so that a chain of n free bodies costs O(n) (solvers/pattern_ldl.py and pattern_lu.py). The order is that of minimum
degree: next comes the slot with the fewest neighbours left. Slots with the same neighbours go together.

Velocities may go at any time. A multiplier waits for the velocities that close its row; then its pivot is negative and
nothing is exchanged while factoring. All velocities of its row are always enough. Fewer are, and fill is far less, for

    a joint of the tree     those of its outer body alone
    a joint that cuts       those of all bodies between its ends in the tree, without their common ancestor

docs/decisions/sparse_order.md has the proof.
Validated by: tests/plan/test_pattern.py, tests/solvers/test_pattern_ldl.py
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np


@dataclass
class Pattern:
    """Tables of the plan that say where each entry stands; `target` is long, hence of 32 bits."""

    velocity_slot: np.ndarray
    loop_slot: np.ndarray
    start: np.ndarray
    """First entry of each slot's row in L."""
    depth: np.ndarray
    """How many entries stand before the diagonal of each row."""
    ancestor: np.ndarray
    """Slot of each entry, ascending; the last of a row is its diagonal."""
    target: np.ndarray
    """Where each product of two entries of one row is taken off, in the order of factor."""
    sign: np.ndarray
    places: list[dict[int, int]]
    """Where each row has the entry of a slot."""
    trunk: int = 0
    """Slots that carry all others: none is known here."""

    def address(self, one: int, other: int) -> int:
        """Where the entry of two slots stands in L, in the row of the later one (or on the diagonal)."""
        low, high = (one, other) if one < other else (other, one)
        place = self.places[high].get(low)
        if place is None:
            raise ValueError(f"slots {low} and {high} have no entry: nothing couples them")
        return place


def order_pattern(coupled: list[list[int]], rows: list[list[int]], closing: list[list[int]]) -> Pattern:
    """Order velocities and loop rows on these velocities, and list all addresses.

    `coupled` are velocities that couple all with all: those of each body, and those that a row with slopes pushes;
    each velocity is in one of them at least. `closing` are the velocities that each row waits for (see above).
    """
    nv = 1 + max((max(velocities, default=-1) for velocities in coupled), default=-1)
    near = neighbours(nv, coupled, rows)
    sequence = minimum_degree(near, [[] for _ in range(nv)] + closing)
    slot = np.zeros(len(near), np.int64)
    slot[sequence[::-1]] = np.arange(len(near))

    lines = filled_lines(near, slot.tolist())
    ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
    depth = np.array([len(line) - 1 for line in lines], np.int64)
    start = ends - depth - 1
    ancestor = np.fromiter((other for line in lines for other in line), np.int64, int(ends[-1]))
    places = [
        {other: first + place for place, other in enumerate(line)}
        for first, line in zip(start.tolist(), lines, strict=True)
    ]
    sign = np.ones(len(near))
    sign[slot[nv:]] = -1.0
    return Pattern(slot[:nv], slot[nv:], start, depth, ancestor, update_targets(lines, places), sign, places)


def neighbours(nv: int, coupled: list[list[int]], rows: list[list[int]]) -> list[set[int]]:
    """What each unknown couples with, without itself: velocities first, then the rows' multipliers."""
    near: list[set[int]] = [set() for _ in range(nv + len(rows))]
    for velocities in coupled:
        for velocity in velocities:
            near[velocity].update(velocities)
    for multiplier, velocities in enumerate(rows, nv):
        near[multiplier].update(velocities)
        for velocity in velocities:
            near[velocity].add(multiplier)
    for unknown, others in enumerate(near):
        others.discard(unknown)
    return near


def minimum_degree(near: list[set[int]], waits: list[list[int]]) -> list[int]:
    """The unknowns in the order of elimination: always the one with the fewest neighbours that waits for nothing."""
    groups = alike(near, waits)
    group_of = [0] * len(near)
    for number, members in enumerate(groups):
        for unknown in members:
            group_of[unknown] = number
    around = [{group_of[other] for other in near[members[0]]} - {number} for number, members in enumerate(groups)]
    open_waits = [{group_of[other] for other in waits[members[0]]} for members in groups]
    waiting: list[list[int]] = [[] for _ in groups]
    for number, awaited in enumerate(open_waits):
        for other in awaited:
            waiting[other].append(number)

    weight = [len(members) for members in groups]
    degree = [weight[number] + sum(weight[other] for other in others) for number, others in enumerate(around)]
    # of several with the same degree the last goes first: bodies are numbered from the ground outwards
    heap = [(degree[number], -number) for number, awaited in enumerate(open_waits) if not awaited]
    heapq.heapify(heap)
    sequence: list[int] = []
    gone = [False] * len(groups)
    while heap:
        known, negative = heapq.heappop(heap)
        number = -negative
        if gone[number] or known != degree[number]:
            continue
        gone[number] = True
        sequence.extend(reversed(groups[number]))
        # what is left around it couples all with all from now on
        for other in around[number]:
            gained = around[number] - around[other]
            gained.discard(other)
            around[other] |= gained
            around[other].discard(number)
            degree[other] += sum(weight[new] for new in gained) - weight[number]
        for other in waiting[number]:
            open_waits[other].discard(number)
        for other in {*around[number], *waiting[number]}:
            if not open_waits[other]:
                heapq.heappush(heap, (degree[other], -other))
    return sequence


def alike(near: list[set[int]], waits: list[list[int]]) -> list[list[int]]:
    """Unknowns that may go together without more fill: coupled ones with the same neighbours, as a body's velocities,
    and multipliers with the same velocities that wait for the same of them: once these are gone, they are coupled.
    """
    groups: dict[object, list[int]] = {}
    for unknown, others in enumerate(near):
        awaited = frozenset(waits[unknown])
        shared = others if awaited & others else others | {unknown}
        groups.setdefault((frozenset(shared), awaited), []).append(unknown)
    return list(groups.values())


def filled_lines(near: list[set[int]], slot: list[int]) -> list[list[int]]:
    """For each slot those before it that it has entries with, after fill, ascending, and itself."""
    before: list[set[int]] = [set() for _ in near]
    for unknown, others in enumerate(near):
        own = slot[unknown]
        before[own].update(place for place in (slot[other] for other in others) if place < own)
    for own in range(len(near) - 1, -1, -1):
        if before[own]:
            parent = max(before[own])
            before[parent] |= before[own]
            before[parent].discard(parent)
    return [[*sorted(others), own] for own, others in enumerate(before)]


def update_targets(lines: list[list[int]], places: list[dict[int, int]]) -> np.ndarray:
    """Addresses of the products of each row's entries: slots and entries backwards, each with those up to itself."""
    counts = (len(line) * (len(line) - 1) // 2 for line in lines)
    targets = (
        places[line[last]][other]
        for line in reversed(lines)
        for last in range(len(line) - 2, -1, -1)
        for other in line[: last + 1]
    )
    return np.fromiter(targets, np.uint32, sum(counts))
