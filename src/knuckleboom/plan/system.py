# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the linear system: pairs of velocities, entries of rows, and the order in which all are eliminated."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sized
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from knuckleboom.mechanics.elements import axes, ball, deform, slide, turn
from knuckleboom.mechanics.rows.contract import OWN, ROWS, VELOCITIES
from knuckleboom.mechanics.rows.description import given
from knuckleboom.mechanics.rows.kinds import KINDS
from knuckleboom.net import Row
from knuckleboom.plan.elimination import Elimination, order_slots
from knuckleboom.plan.loops import chain, path
from knuckleboom.plan.pattern import Pattern, order_pattern
from knuckleboom.plan.topology import Link

POINTING = 0.9
"""Cosine of the largest angle between a cylinder's slide and the line to its pin at the start."""
COUNTS = {ball.KIND: ball.NV, axes.KIND: axes.NV}

Order = Elimination | Pattern


class Entry(NamedTuple):
    """A velocity that a row touches, the sign of its side (or a gear's coefficient; 0 for a coordinate's own), its link
    and its screw there.
    """

    velocity: int
    sign: float
    link: int
    screw: int


def velocities_of(link: Link) -> range:
    """The velocities of a link's movement."""
    return range(link.v, link.v + (len(link.shapes) if link.kind == deform.KIND else COUNTS.get(link.kind, 1)))


def listed_velocities(links: list[Link]) -> list[tuple[int, Link]]:
    """The links with their numbers, each velocity once: of attachments that share theirs the first one."""
    known, found = set(), []
    for number, link in enumerate(links[1:], start=1):
        if link.v not in known:
            known.add(link.v)
            found.append((number, link))
    return found


def screws_of(links: list[Link], link: int) -> dict[int, int]:
    """The screw of each velocity that moves a link."""
    chained = [links[k] for k in chain(links, link)]
    return {v: one.screw + v - one.v for one in chained for v in velocities_of(one)}


def ancestor_lists(links: list[Link]) -> list[list[int]]:
    """For each velocity its ancestors in tree order, itself last."""
    result: list[list[int]] = []
    for _, link in listed_velocities(links):
        above = [v for k in reversed(chain(links, link.parent)) for v in velocities_of(links[k])]
        own = list(velocities_of(link))
        result += [above + own[: i + 1] for i in range(len(own))]
    return result


def body_pairs(links: list[Link], touching: Container[int] = ()) -> list[list[int]]:
    """The same where every body stands on three slides of its own: those that M couples, itself last; all of a body
    that touches something, whose links are `touching`, and with shapes.
    """
    result: list[list[int]] = []
    for number, link in listed_velocities(links):
        own = list(velocities_of(link))
        if number in touching or link.kind == deform.KIND:
            above = [v for k in reversed(chain(links, link.parent)) for v in velocities_of(links[k])]
            result += [above + own[: place + 1] for place in range(len(own))]
            continue
        slides = [link.v - 3 + k for k in range(3)]
        for place in range(len(own)):
            # of the links that turn about one axis here only scalar inertias are left
            above = [] if link.kind in (slide.KIND, turn.KIND) else slides
            if link.kind == axes.KIND:
                above = [slides[place % 3]]  # M couples equal components only
            result.append(above + own[: place + 1])
    return result


def weighted(row: Row, entries: list[list[Entry]]) -> list[Entry]:
    """Entries of a row that is made of others, from those of each of them."""
    return [
        entry._replace(sign=weight if entry.sign == OWN else weight * entry.sign)
        for line, weight in zip(entries, row.weights, strict=True)
        for entry in line
    ]


def row_entries(links: list[Link], row: Row, *, free: bool = False) -> list[Entry]:
    """Velocities that a row touches; `free` where every body stands on slides of its own."""
    kind = KINDS[row.kind]
    if kind.ROW.entries == VELOCITIES:
        return [Entry(v, sign, 0, v) for v, sign in kind.touched(row.index, given(row))]
    if kind.ROW.entries == ROWS:
        return weighted(row, [row_entries(links, one, free=free) for one in row.of])
    entries = path_entries(links, *row.index[:2])
    if free and kind.ROW.turning:
        return [entry for entry in entries if links[entry.link].kind != slide.KIND]
    return entries


def path_entries(links: list[Link], a: int, b: int) -> list[Entry]:
    """Velocities of the path from link a to link b."""
    return [
        Entry(v, sign, k, links[k].screw + v - links[k].v)
        for k, sign in path(links, a, b)
        for v in velocities_of(links[k])
    ]


@dataclass
class Differences:
    """Screws for rows between two attachments of one body, whose shapes move both ends: A_j = W·(S_bj − S_aj)."""

    first: int
    """The row of motion.S that the first of them gets."""
    numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    """By the screws of b and of a."""

    @classmethod
    def of(cls, links: list[Link]) -> Differences:
        """None yet; they come after all screws of links."""
        return cls(1 + max((one.screw + len(velocities_of(one)) - 1 for one in links[1:]), default=-1))

    def entries(self, links: list[Link], row: Row, *, free: bool) -> list[Entry]:
        """As row_entries, with one entry for each velocity of a path."""
        if KINDS[row.kind].ROW.entries == ROWS:
            return weighted(row, [self.entries(links, one, free=free) for one in row.of])
        return self.once(row_entries(links, row, free=free))

    def way(self, links: list[Link], a: int, b: int) -> list[Entry]:
        """The entries of the path from link a to link b, one for each velocity."""
        return self.once(path_entries(links, a, b))

    def once(self, entries: list[Entry]) -> list[Entry]:
        """One entry for each velocity of a path."""
        found: dict[int, Entry] = {}
        for entry in entries:
            other = found.get(entry.velocity)
            if other is not None:  # the sides come in the order a, b
                of_both = self.numbers.setdefault((entry.screw, other.screw), self.first + len(self.numbers))
                entry = entry._replace(screw=of_both)
            found[entry.velocity] = entry
        return list(found.values())

    def table(self) -> np.ndarray:
        """links.between."""
        return np.array(list(self.numbers), np.int64).reshape(-1, 2)


def closing_velocities(links: list[Link], row: Row, start: np.ndarray) -> list[int]:
    """The two velocities of a cylinder (a turn, then a slide along the line to the pin) that close its loop alone."""
    if not row.planar:
        return []
    a, b = row.index[:2]
    for sign, link, pin in ((-1.0, a, row.numbers[0:3]), (1.0, b, row.numbers[3:6])):
        side = [links[k] for k, side_sign in path(links, a, b) if side_sign == sign]
        if len(side) != 2 or (side[0].kind, side[1].kind) != (slide.KIND, turn.KIND):
            continue
        # from the turn's axis to the pin at the start, in the axes of the slide
        arm = side[0].R.T @ side[0].p + pin + (0.0, 0.0, start[side[0].q])
        if abs(arm[2]) > POINTING * float(np.linalg.norm(arm)) and links[link] is side[0]:
            return [side[0].v, side[1].v]
    return []


@dataclass
class System:
    """What the linear system is made of; `coupled` are velocities that something else couples, all with all."""

    links: list[Link]
    pairs: list[list[int]]
    """For each velocity those that M couples with it and that come before it, itself last."""
    paths: list[list[Entry]]
    """Entries of the loop rows."""
    coupled: list[list[int]] = field(default_factory=list)

    @property
    def slides(self) -> set[int]:
        """Velocities that turn nothing."""
        return {link.v for link in self.links if link.kind == slide.KIND}

    def listed_pairs(self) -> list[tuple[int, int]]:
        """All pairs as the tables list them: of each velocity, first those with slides."""
        slides = self.slides
        return [(j, k) for j, above in enumerate(self.pairs) for k in sorted(above, key=lambda k: k not in slides)]

    @property
    def shared(self) -> list[int]:
        """Velocities that several links share."""
        return sorted({v for link in self.links if link.kind == deform.KIND for v in velocities_of(link)})

    def shared_pairs(self) -> list[list[tuple[int, int, int]]]:
        """For each screw of an attachment its velocity with all that M couples with it, and the screws of these."""
        found = []
        for number, link in enumerate(self.links):
            if link.kind == deform.KIND:
                screws = screws_of(self.links, number)
                found += [[(j, k, screws[k]) for k in self.pairs[j]] for j in velocities_of(link)]
        return found

    def tree_order(self, kept: list[Row], start: np.ndarray) -> Elimination:
        """The order of a machine in joint coordinates."""
        touched = [[entry.velocity for entry in line] for line in self.paths]
        closing = [
            closing_velocities(self.links, row, start) or every for row, every in zip(kept, touched, strict=True)
        ]
        return order_slots(self.pairs, touched, closing, self.coupled)

    def pattern_order(self, closing: list[list[int]] | None) -> Pattern:
        """The order of a large system: `closing` are the velocities that close each row alone, all without it."""
        touched = [[entry.velocity for entry in line] for line in self.paths]
        return order_pattern([*self.pairs, *self.coupled], touched, touched if closing is None else closing)

    def tables(self, order: Order) -> dict[str, np.ndarray]:
        """The arrays of the family `system` that the machine decides."""
        slot = order.velocity_slot.tolist()
        slides = self.slides
        first = starts(self.pairs)
        sliding = np.array([sum(k in slides for k in above) for above in self.pairs], np.int64)
        pairs = [(k, order.address(slot[j], slot[k])) for j, k in self.listed_pairs()]
        loop_slot = order.loop_slot.tolist()
        entries = [
            (v, sign, order.address(slot[v], loop_slot[r]), order.address(slot[v], slot[v]), screw)
            for r, line in enumerate(self.paths)
            for v, sign, _, screw in line
        ]
        shares = self.shared_pairs()
        carrier = {v: number for number, link in listed_velocities(self.links) for v in velocities_of(link)}
        above = {number: screws_of(self.links, number) for number in set(carrier.values())}
        return {
            "system.pair_first": first,
            "system.pair_turning": first[:-1] + sliding,
            "system.pair_ancestor": np.array([k for k, _ in pairs], np.int64),
            "system.pair_screw": np.array([above[carrier[j]][k] for j, k in self.listed_pairs()], np.int64),
            "system.shared_place": np.array([order.address(slot[v], slot[v]) for v in self.shared], np.int64),
            "system.share_first": starts(shares),
            "system.share_ancestor": np.array([k for line in shares for _, k, _ in line], np.int64),
            "system.share_screw": np.array([screw for line in shares for _, _, screw in line], np.int64),
            "system.share_address": np.array(
                [order.address(slot[j], slot[k]) for line in shares for j, k, _ in line], np.int64
            ),
            "system.pair_address": np.array([address for _, address in pairs], np.int64),
            "system.path_first": starts(self.paths),
            "system.path_dof": np.array([entry[0] for entry in entries], np.int64),
            "system.path_screw": np.array([entry[4] for entry in entries], np.int64),
            "system.path_sign": np.array([entry[1] for entry in entries], float),
            "system.path_address": np.array([entry[2] for entry in entries], np.int64),
            "system.path_diagonal": np.array([entry[3] for entry in entries], np.int64),
            "system.loop_address": np.array([order.address(s, s) for s in loop_slot], np.int64),
            "system.loop_slot": order.loop_slot,
            "system.velocity_slot": order.velocity_slot,
            "system.slot_start": order.start,
            "system.slot_depth": order.depth,
            "system.slot_ancestor": order.ancestor,
            "system.slot_sign": order.sign,
            "system.trunk": np.array([order.trunk], np.int64),
            "system.target": order.target,
            "system.block_first": self.blocks(),
        }

    def blocks(self) -> np.ndarray:
        """First velocity of the block of each: those of a free body together, any other alone."""
        block = np.arange(len(self.pairs))
        for number, link in enumerate(self.links):
            if link.kind in COUNTS and [self.links[k].kind for k in chain(self.links, number)[1:4]] == [slide.KIND] * 3:
                block[link.v - 3 : link.v + COUNTS[link.kind]] = link.v - 3
        return block


def starts(lists: Iterable[Sized]) -> np.ndarray:
    """First entry of each list when they are written one after the other, with the end appended."""
    return np.cumsum([0, *(len(entries) for entries in lists)]).astype(np.int64)
