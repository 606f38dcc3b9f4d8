# SPDX-License-Identifier: BSD-3-Clause
"""Lines of a sheet: every net gets a level in each channel it uses, and becomes horizontal and vertical segments.

In a channel a net runs on one level, from which it goes up and down to its columns. Nets that overlap get different
levels, in the order with fewest crossings. What is left is a tree of segments: where three or more meet there is a dot,
and a segment is dashed if all ends on one side of it are pilots or drains.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from knuckleboom.drawing.order import Ends, crossings, span
from knuckleboom.drawing.sheet import Cell, Pin, Place, Sheet
from knuckleboom.symbol import LineKind

Segment = tuple[Place, Place]

LEAST = 2
"""Least height of a channel that has lines."""


@dataclass
class Lines:
    """The segments of one net by kind of line, and the dots where it branches."""

    segments: dict[LineKind, list[Segment]]
    dots: list[Place]


def route(sheet: Sheet) -> dict[str, Lines]:
    """Give rows and channels their heights, and return the lines of every net."""
    levels = [_levels(sheet.ends(channel)) for channel in range(len(sheet.rows) + 1)]
    y, floors = 0, []
    sheet.feet, sheet.tops = [], []
    for channel, nets in enumerate(levels):
        floors.append(y)
        y += max(LEAST, 1 + max(nets.values(), default=-1) + 1) if sheet.ends(channel) else 0
        if channel < len(sheet.rows):
            height = max((cell.shape.height for cell in sheet.rows[channel]), default=0)
            sheet.feet.append(y)
            for cell in sheet.rows[channel]:
                cell.y = y + (int(cell.align * (height - cell.shape.height)) if cell.name else 0)
            y += height
            sheet.tops.append(y)
    sheet.height = y
    return _lines(sheet, levels, floors)


def _levels(ends: Mapping[str, Ends]) -> dict[str, int]:
    """Return the level of every net of a channel that is not a single straight line, counted from below."""
    running = {net: columns for net, columns in ends.items() if span(columns)[0] < span(columns)[1]}
    spans = {net: span(columns) for net, columns in running.items()}
    order: list[str] = []  # from above to below
    for net in sorted(running, key=lambda net: (spans[net][1] - spans[net][0], net)):
        # where among those above and below does it cross least?
        costs = []
        for place in range(len(order) + 1):
            cost = sum(crossings(running[other], spans[other], running[net], spans[net]) for other in order[:place])
            cost += sum(crossings(running[net], spans[net], running[other], spans[other]) for other in order[place:])
            costs.append((cost, place))
        order.insert(min(costs)[1], net)
    levels: dict[str, int] = {}
    for net in reversed(order):
        beside = [level for other, level in levels.items() if _near(spans[net], spans[other])]
        levels[net] = 1 + max(beside, default=-1)
    return levels


def _near(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Say whether two nets would touch on one level."""
    return other[0] <= one[1] + 1 and one[0] - 1 <= other[1]


def _lines(sheet: Sheet, levels: list[dict[str, int]], floors: list[int]) -> dict[str, Lines]:
    """Return the tree of segments of every net, parted by kind of line."""
    trees: dict[str, _Tree] = {}
    for channel, nets in enumerate(levels):
        meeting: dict[str, set[int]] = {}
        for cell, pin, _ in sheet.facing(channel):
            level = floors[channel] + 1 + nets.get(pin.net, 0)
            tree = trees.setdefault(pin.net, _Tree())
            tree.add_path(_path(cell, pin, level))
            if cell.name:
                tree.lines[_path(cell, pin, level)[0]] = pin.line
            meeting.setdefault(pin.net, set()).add(cell.x + pin.x)
        for net, columns in meeting.items():
            level = floors[channel] + 1 + nets.get(net, 0)
            trees[net].add_path([(x, level) for x in sorted(columns)])
    return {net: tree.parted() for net, tree in trees.items()}


def _path(cell: Cell, pin: Pin, level: int) -> list[Place]:
    """Return the places from where a symbol's line ends, or a passage, to the level of the net."""
    path = [(cell.x + x, cell.y + y) for x, y in pin.path]
    return [*path, (cell.x + pin.x, level)]


class _Tree:
    """Segments of a net as they are found, by the places they join."""

    def __init__(self) -> None:
        self.joined: dict[Place, list[Place]] = {}
        self.lines: dict[Place, LineKind] = {}

    def add_path(self, places: list[Place]) -> None:
        """Add the segments along a path."""
        for one, other in pairwise(places):
            if one != other and other not in self.joined.get(one, []):
                self.joined.setdefault(one, []).append(other)
                self.joined.setdefault(other, []).append(one)

    def _merge(self) -> None:
        """Make one segment of two that go straight on."""
        for place in list(self.joined):
            others = self.joined[place]
            if place in self.lines or len(others) != 2:
                continue
            one, other = others
            if one[0] == place[0] == other[0] or one[1] == place[1] == other[1]:
                self.joined[one][self.joined[one].index(place)] = other
                self.joined[other][self.joined[other].index(place)] = one
                del self.joined[place]

    def parted(self) -> Lines:
        """Return the segments by kind of line, and the dots."""
        self._merge()
        whole = [place for place, line in self.lines.items() if line == "pressure"]
        small: LineKind = next((line for line in self.lines.values() if line != "pressure"), "pilot")
        segments: dict[LineKind, list[Segment]] = {}
        if not self.joined:
            return Lines(segments, [])

        # from one end through the tree; a segment is solid if flow can come from both of its sides
        root = next(iter(self.lines), next(iter(self.joined)))
        order, above = [root], {root: root}
        for place in order:
            for other in self.joined[place]:
                if other not in above:
                    above[other] = place
                    order.append(other)
        count = {place: int(place in whole) for place in order}
        for place in reversed(order[1:]):
            inside = count[place]
            solid = 0 < inside < len(whole) if whole else False
            segments.setdefault("pressure" if solid else small, []).append((above[place], place))
            count[above[place]] += inside
        dots = [place for place, others in self.joined.items() if len(others) > 2]
        return Lines(segments, dots)
