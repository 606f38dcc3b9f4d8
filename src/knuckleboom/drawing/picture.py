# SPDX-License-Identifier: BSD-3-Clause
"""Symbols and words as they are placed on a sheet, in grid steps."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from knuckleboom.drawing.sheet import Place
from knuckleboom.symbol import Side, Stroke, Symbol

STEPS = 4
"""Grid steps to the side of a valve box."""
LETTER = 0.68
"""Width of a letter, steps; a little more than it has in common fonts."""
LINE = 1.3
"""Height of a line of text."""
OPPOSITE: Mapping[Side, Side] = {"left": "right", "right": "left", "up": "down", "down": "up"}


@dataclass
class Words:
    """Lines of a label, the first in bold unless it is small; x is their left or their middle, y the last base line."""

    x: float
    y: float
    lines: list[str]
    small: bool = False
    middle: bool = False


@dataclass
class Picture:
    """A symbol at a place of its cell, mirrored or turned over."""

    symbol: Symbol
    at: Place
    mirrored: bool = False
    turned: bool = False
    joined: Collection[str] = ()

    @property
    def strokes(self) -> Iterator[Stroke]:
        """What is drawn of it: leads only of ports that are joined."""
        yield from self.symbol.strokes
        for port, strokes in self.symbol.leads.items():
            if port in self.joined:
                yield from strokes

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the symbol is in the cell."""
        across = self.symbol.width - x if self.mirrored else x
        up = self.symbol.height - y if self.turned else y
        return self.at[0] + STEPS * across, self.at[1] + STEPS * up

    def end(self, port: str) -> Place:
        """Return where the line of a port ends."""
        x, y = self.place(*self.symbol.ends[port][:2])
        return round(x), round(y)

    def side(self, port: str) -> Side:
        """Return the side that a port is on."""
        side = self.symbol.side(port)
        flipped = self.mirrored if side in ("left", "right") else self.turned
        return OPPOSITE[side] if flipped else side


def wide(lines: list[str], small: bool = False) -> int:
    """Return how many steps lines of text are wide."""
    return math.ceil(max(map(len, lines), default=0) * LETTER * (0.85 if small else 1.0))
