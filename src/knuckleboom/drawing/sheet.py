# SPDX-License-Identifier: BSD-3-Clause
"""A sheet to be laid out: cells in rows, joined by nets that run in the channels between the rows.

Everything is in whole grid steps, x to the right, y up. Channel r lies below row r, and one more above the last row. A
cell is as wide as all that belongs to it (symbol, label, local tanks, the risers of ports on its sides), so that a line
which keeps to the channels and to the columns of pins never meets another cell. A pin is a column of its cell that a
net leaves by, up or down; a *passage* is a cell that is nothing but such a column, where a net crosses a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from knuckleboom.symbol import LineKind

Place = tuple[int, int]

GAP = 2
"""Least distance of neighbouring cells."""


@dataclass
class Pin:
    """A column of a cell that a net leaves by; `path` leads there from where the symbol's line ends."""

    net: str
    x: int
    up: bool
    path: list[Place] = field(default_factory=list)
    line: LineKind = "pressure"


@dataclass
class Shape:
    """One way to draw a cell: its size, its pins, and what else the drawing needs of it."""

    width: int
    height: int
    pins: list[Pin]
    look: Any = None


@dataclass
class Cell:
    """A thing in a row; where there are several shapes, the layout takes the one with the shorter lines.

    With `loose` pins the layout may put the pins of one edge into any order. `reluctance` is what the second shape
    costs, in steps of line.
    """

    name: str
    shapes: list[Shape]
    loose: bool = False
    align: float = 0.5
    reluctance: float = 0.0
    chosen: int = 0
    x: int = 0
    y: int = 0

    @property
    def shape(self) -> Shape:
        """The shape that is drawn."""
        return self.shapes[self.chosen]

    @property
    def width(self) -> int:
        """Its width."""
        return self.shape.width

    def pins(self, up: bool) -> Iterator[Pin]:
        """Yield the pins of one edge."""
        return (pin for pin in self.shape.pins if pin.up == up)


Ending = tuple[Cell, Pin, bool]
"""Cell and pin of a net's end in a channel, and whether it comes from above."""


@dataclass
class Sheet:
    """Rows of cells from below to above; `tops` and `feet` are filled by the routing."""

    rows: list[list[Cell]]
    feet: list[int] = field(default_factory=list)
    tops: list[int] = field(default_factory=list)
    height: int = 0
    known: dict[int, dict[str, list[Ending]]] = field(default_factory=dict)

    def facing(self, channel: int) -> Iterator[Ending]:
        """Yield cell and pin of everything that ends in a channel, and whether it comes from above."""
        if channel < len(self.rows):
            for cell in self.rows[channel]:
                for pin in cell.pins(up=False):
                    yield cell, pin, True
        if channel > 0:
            for cell in self.rows[channel - 1]:
                for pin in cell.pins(up=True):
                    yield cell, pin, False

    def joined(self, channel: int) -> dict[str, list[Ending]]:
        """Return what ends in a channel by net; kept until `forget`, since moving cells does not change it."""
        if channel not in self.known:
            found = self.known[channel] = {}
            for ending in self.facing(channel):
                found.setdefault(ending[1].net, []).append(ending)
        return self.known[channel]

    def forget(self) -> None:
        """Forget what ends where, because a cell has taken another shape."""
        self.known.clear()

    def ends(self, channel: int) -> dict[str, tuple[list[int], list[int]]]:
        """Return the columns of every net in a channel: those from above and those from below."""
        return {
            net: (
                [cell.x + pin.x for cell, pin, above in endings if above],
                [cell.x + pin.x for cell, pin, above in endings if not above],
            )
            for net, endings in self.joined(channel).items()
        }

    def cells(self) -> Iterator[tuple[int, Cell]]:
        """Yield every cell with the number of its row."""
        for number, row in enumerate(self.rows):
            for cell in row:
                yield number, cell


def passage(net: str) -> Cell:
    """Return a cell in which a net crosses a row."""
    return Cell("", [Shape(0, 0, [Pin(net, 0, True, [(0, 0)]), Pin(net, 0, False, [(0, 0)])])])


def add_passages(sheet: Sheet) -> None:
    """Let every net cross the rows between the channels it has pins in."""
    spans: dict[str, tuple[int, int]] = {}
    for number, cell in sheet.cells():
        for pin in cell.shape.pins:
            channel = number + 1 if pin.up else number
            low, high = spans.get(pin.net, (channel, channel))
            spans[pin.net] = min(low, channel), max(high, channel)
    for net, (low, high) in spans.items():
        for number in range(low, high):
            sheet.rows[number].append(passage(net))
