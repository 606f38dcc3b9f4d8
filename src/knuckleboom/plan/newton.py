# SPDX-License-Identifier: BSD-3-Clause
"""Where everything stands in Newton's matrix: all of it row by row, or its pattern, the lower half before the upper."""

from __future__ import annotations

import numpy as np

from knuckleboom.mechanics.elements import axes, deform
from knuckleboom.mechanics.rows.contract import PATH
from knuckleboom.mechanics.rows.description import declared
from knuckleboom.net import Row
from knuckleboom.plan.system import Entry, Order, System, row_entries, starts
from knuckleboom.plan.topology import Link


class Places:
    """Addresses in newton.J of unknowns: velocities first, then the multipliers of the loop rows."""

    def __init__(self, order: Order, *, whole: bool) -> None:
        self.order, self.whole = order, whole
        self.slots = [*order.velocity_slot.tolist(), *order.loop_slot.tolist()]

    @property
    def entries(self) -> int:
        """How many numbers the matrix has."""
        return len(self.slots) ** 2 if self.whole else 2 * len(self.order.ancestor)

    def of(self, row: int, column: int) -> int:
        """Where an entry stands."""
        if self.whole:
            return row * len(self.slots) + column
        one, other = self.slots[row], self.slots[column]
        return self.order.address(one, other) + (len(self.order.ancestor) if one < other else 0)


def wrench_paths(links: list[Link], all_rows: list[Row], quadratic: set[int], *, free: bool) -> list[list[Entry]]:
    """Entries of all rows whose Φ_q or A turns with its wrench: not of coordinates, and not of quadratic loop rows."""
    geared = {id(row) for gear in all_rows for row in gear.of}
    still = [declared(row).entries != PATH or (row.measures and id(row) not in geared) for row in all_rows]
    return [
        [] if still[number] or number in quadratic else row_entries(links, row, free=free)
        for number, row in enumerate(all_rows)
    ]


def newton_tables(
    system: System, places: Places, paths: list[list[Entry]], pushes: list[list[Entry]], shared: set[tuple[int, int]]
) -> dict[str, np.ndarray]:
    """The places of pairs, loop rows, turning rows (`paths`) and rows with slopes (`pushes`; `shared` by a circuit)."""
    nv, links = len(system.pairs), system.links
    flat = [entry for line in paths for entry in line]
    vectors = {number: 1 - link.v for number, link in enumerate(links) if link.kind == axes.KIND}
    shaped = {number for number, link in enumerate(links) if link.kind == deform.KIND}
    kinds = [-1 if k in shaped else v + vectors[k] if k in vectors else 0 for v, _, k, _ in flat]
    turned = [places.of(c[0], e[0]) for line in paths for e in line for c in line]
    entries = [(v, nv + r) for r, line in enumerate(system.paths) for v, _, _, _ in line]
    first = np.full((len(pushes), len(pushes)), -1, np.int64)
    pushed: list[int] = []
    for one, other in sorted({(k, k) for k in range(len(pushes))} | shared):
        first[one, other] = len(pushed)
        pushed += [places.of(e[0], c[0]) for e in pushes[one] for c in pushes[other]]
    return {
        "newton.path_first": starts(paths),
        "newton.path_dof": np.array([entry.velocity for entry in flat], np.int64),
        "newton.path_screw": np.array([entry.screw for entry in flat], np.int64),
        "newton.path_entry": np.array([place for line in paths for place in places_among(line)], np.int64),
        "newton.path_sign": np.array([entry.sign for entry in flat], float),
        "newton.path_link": np.array([entry.link for entry in flat], np.int64),
        "newton.path_axis": np.array(kinds, np.int64),
        "newton.place_first": np.cumsum([0, *(len(line) ** 2 for line in paths)])[:-1].astype(np.int64),
        "newton.place": np.array(turned, np.int64),
        "newton.pair_place": both_places(places, system.listed_pairs()),
        "newton.share_place": both_places(places, [(j, k) for line in system.shared_pairs() for j, k, _ in line]),
        "newton.shared_place": np.array([places.of(v, v) for v in system.shared], np.int64),
        "newton.path_place": both_places(places, entries),
        "newton.loop_place": np.array([places.of(nv + r, nv + r) for r in range(len(system.paths))], np.int64),
        "newton.push_first": first,
        "newton.push_place": np.array(pushed, np.int64),
        "newton.whole": np.array([int(places.whole)], np.int64),
    }


def places_among(line: list[Entry]) -> list[int]:
    """The place of each entry's velocity among those of a row, each velocity once."""
    order = list(dict.fromkeys(entry.velocity for entry in line))
    return [order.index(entry.velocity) for entry in line]


def both_places(places: Places, entries: list[tuple[int, int]]) -> np.ndarray:
    """Where the entries of pairs of unknowns stand, both ways."""
    return np.array([(places.of(i, j), places.of(j, i)) for i, j in entries], np.int64).reshape(-1, 2)
