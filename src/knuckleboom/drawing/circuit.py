# SPDX-License-Identifier: BSD-3-Clause
"""A circuit as a sheet: pumps below, actuators above, every other part in the row as far from the pumps as it is.

A part is turned over when what it joins lies the other way round; a port on its side gets a riser towards the rest of
its net. What is `local`, such as a tank, is drawn at every line that leads there and once below, with its name and
figure. A port that nothing is joined to ends in a plug.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from knuckleboom.drawing.picture import LINE, STEPS, Picture, Words, wide
from knuckleboom.drawing.sheet import GAP, Cell, Pin, Place, Shape, Sheet, add_passages
from knuckleboom.machine.circuit import Circuit, CircuitPart
from knuckleboom.symbol import Side

MIRROR = 15.0
"""What it costs to mirror a part, in steps of line: equal parts should look alike."""
WIDEST = 400
"""Steps that a row may take before it is parted."""


@dataclass
class Look:
    """What is drawn of a part beside its lines."""

    part: CircuitPart
    picture: Picture
    label: Words
    ends: dict[str, Place]
    locals: list[tuple[str, str, list[Place], Picture]] = field(default_factory=list)
    """Port, net, line and picture of every local symbol, such as a tank."""
    plugs: dict[str, list[Place]] = field(default_factory=dict)
    names: list[Words] = field(default_factory=list)


def lay_out(circuit: Circuit) -> Sheet:
    """Return the parts of a circuit as cells in rows, with the passages of its nets."""
    rows = levels(circuit)
    sheet = Sheet([[] for _ in range(1 + max(rows.values(), default=0))])
    for name, row in rows.items():
        sheet.rows[row].append(_cell(circuit, circuit.parts[name], rows))
    add_passages(sheet)
    return sheet


# --- rows -------------------------------------------------------------------------------------------------------------


def local_nets(circuit: Circuit) -> dict[str, CircuitPart]:
    """Return the nets that are drawn as a symbol at every line, with the part they belong to."""
    return {net: part for part in circuit.parts.values() if part.symbol.local for net in part.nets.values()}


def levels(circuit: Circuit) -> dict[str, int]:
    """Return the row of every part that is not local."""
    drawn = {name: part for name, part in circuit.parts.items() if not part.symbol.local}
    bottom = [name for name, part in drawn.items() if part.symbol.level == "bottom"]
    top = [name for name, part in drawn.items() if part.symbol.level == "top"]
    from_below, from_above = _distances(circuit, drawn, bottom), _distances(circuit, drawn, top)
    middle = {name: from_below[name] for name in drawn if name in from_below and name not in (*bottom, *top)}
    floating = {name: from_above[name] for name in drawn if name in from_above and name not in (*middle, *bottom, *top)}
    last = max([*middle.values(), *floating.values(), 0]) + 1
    rows = {}
    for name in drawn:
        if name in bottom or name in top:
            rows[name] = 0 if name in bottom else last
        else:
            rows[name] = middle.get(name, last - floating.get(name, last - 1))
    rows |= _leaves(circuit, drawn, rows, last - 1)
    return _split(drawn, rows)


def _split(drawn: Mapping[str, CircuitPart], rows: Mapping[str, int]) -> dict[str, int]:
    """Return the rows without gaps, and those that would be too wide as several, parts described together together."""
    found: dict[str, int] = {}
    number = 0
    for row in sorted(set(rows.values())):
        names = [name for name in drawn if rows[name] == row]
        widths = [STEPS * drawn[name].symbol.width + wide([name, drawn[name].datum]) + GAP for name in names]
        pieces = math.ceil(sum(widths) / WIDEST)
        reach = 0.0
        for name, width in zip(names, widths, strict=True):
            found[name] = number + int(pieces * reach / sum(widths))
            reach += width
        number += pieces
    return found


def _leaves(
    circuit: Circuit, drawn: Mapping[str, CircuitPart], rows: Mapping[str, int], highest: int
) -> dict[str, int]:
    """Return the rows of parts at a single net, such as sensors: beside the highest of what else it joins."""
    far, found = local_nets(circuit), {}
    single = {name: set(part.nets.values()) - set(far) for name, part in drawn.items() if part.symbol.level == "middle"}
    leaves = {name: nets.pop() for name, nets in single.items() if len(nets) == 1}
    for name, net in leaves.items():
        beside = [rows[other] for other, _ in circuit.nets[net] if other not in leaves and rows[other] <= highest]
        if beside:
            found[name] = max(1, *beside)
    return found


def _distances(circuit: Circuit, drawn: Mapping[str, CircuitPart], start: list[str]) -> dict[str, int]:
    """Return how many parts it takes to get from some parts to each other one, if possible along lines with flow."""
    found = dict.fromkeys(start, 0)
    far = local_nets(circuit)
    for kinds in (("pressure",), ("pressure", "pilot", "drain")):
        queue = list(found)
        for name in queue:
            part = drawn[name]
            for port, net in part.nets.items():
                if net in far or part.symbol.ends[port].line not in kinds:
                    continue
                for other, end in circuit.nets[net]:
                    joined = other in drawn and drawn[other].symbol.ends[end].line in kinds
                    if joined and other not in found:
                        found[other] = found[name] + 1
                        queue.append(other)
    return found


# --- cells ------------------------------------------------------------------------------------------------------------


def _cell(circuit: Circuit, part: CircuitPart, rows: Mapping[str, int]) -> Cell:
    """Return the cell of a part, as it is and mirrored."""
    row, far = rows[part.name], local_nets(circuit)
    heights = {port: _height(circuit, part, net, rows, far) for port, net in part.nets.items()}
    sides = {port: part.symbol.side(port) for port in part.nets}
    ways = {port: heights[port] > row for port, side in sides.items() if side in ("left", "right")}
    turned = part.symbol.level == "middle" and _upside_down(part, heights, sides, row, far)
    shapes = [_Builder(circuit, part, ways, Picture(part.symbol, (0, 0), one, turned)).shape() for one in (False, True)]
    align = {"bottom": 1.0, "middle": 0.5, "top": 0.0}[part.symbol.level]
    return Cell(part.name, shapes, align=align, reluctance=MIRROR)


def _height(
    circuit: Circuit, part: CircuitPart, net: str, rows: Mapping[str, int], far: Mapping[str, CircuitPart]
) -> float:
    """Return the mean row of what else a net joins; a tank is a little below, and a plug nowhere in particular."""
    if net in far:
        return rows[part.name] - 0.01
    others = [rows[name] for name, _ in circuit.nets[net] if name != part.name]
    return sum(others) / len(others) if others else float(rows[part.name])


def _upside_down(
    part: CircuitPart, heights: Mapping[str, float], sides: Mapping[str, Side], row: int, far: Mapping[str, CircuitPart]
) -> bool:
    """Say whether what a part joins lies the other way round; a tank between other lines stays below."""
    below = [port for port, side in sides.items() if side == "down"]
    if len(below) > 1 and any(part.nets[port] in far for port in below):
        return False
    signs = {"up": 1.0, "down": -1.0, "left": 0.0, "right": 0.0}
    return sum(signs[side] * (heights[port] - row) for port, side in sides.items()) < 0.0


class _Builder:
    """Puts together what belongs to a part, around its symbol at (0, 0), and then moves it to where its cell begins."""

    def __init__(self, circuit: Circuit, part: CircuitPart, ways: Mapping[str, bool], picture: Picture) -> None:
        self.part, self.ways, self.picture = part, ways, picture
        self.far = local_nets(circuit)
        self.named = len({one.name for one in self.far.values()}) > 1
        self.sides = {port: picture.side(port) for port in part.nets}
        self.open = {port for port, net in part.nets.items() if net not in self.far and len(circuit.nets[net]) == 1}
        picture.joined = part.nets.keys() - (self.open & set(part.symbol.quiet))
        self.width, self.height = round(STEPS * part.symbol.width), round(STEPS * part.symbol.height)
        self.reach = {"left": 0, "right": self.width}
        self.pins: list[Pin] = []
        ends = {port: picture.end(port) for port in part.nets}
        self.look = Look(part, picture, Words(0.0, 0.0, []), ends)

    def shape(self) -> Shape:
        """Return the part with its label, its risers, its local symbols and its plugs."""
        middle = 0.5 * self.height
        lines = [port for port, net in self.part.nets.items() if net not in self.far and port not in self.open]
        for port in sorted(lines, key=lambda port: (abs(self.look.ends[port][1] - middle), port)):
            self._add_pin(port)
        for port in sorted(self.open - set(self.part.symbol.quiet)):
            place = self.look.ends[port]
            self.look.plugs[port] = [place, _beside(place, self.sides[port])]
        hung = [port for port, net in self.part.nets.items() if net in self.far]
        for port in sorted(hung, key=lambda port: (self.look.ends[port][1], port)):
            self._hang(port)
        self._add_label()
        return self._moved()

    def _aside(self, side: str, path: list[Place], room: int) -> list[Place]:
        """Return a path that goes on to a column beside the part, with some room left on both sides of it."""
        outwards = -1 if side == "left" else 1
        column = self.reach[side] + outwards * room
        self.reach[side] = column + outwards * (room - 1)
        return [*path, (column, path[-1][1])]

    def _add_pin(self, port: str) -> None:
        """Add the column by which the line of a port leaves; from a side it goes by a riser."""
        path, side = [self.look.ends[port]], self.sides[port]
        if side in ("left", "right"):
            path = self._aside(side, path, room=1)
        up = self.ways.get(port, side == "up")
        self.pins.append(Pin(self.part.nets[port], path[-1][0], up, path, self.part.symbol.ends[port].line))

    def _hang(self, port: str) -> None:
        """Hang a local symbol below a port, or beside the part if that is on a side or above."""
        local = self.far[self.part.nets[port]]
        path, side = [self.look.ends[port]], self.sides[port]
        x, y = path[0]
        if side == "up":
            path.append((x, y + 1))
            side = "left" if 2 * x < self.width else "right"
        if side != "down":
            path = self._aside(side, path, room=2)
        x, y = path[-1][0], path[-1][1] - 1
        end = next(iter(local.symbol.ends.values()))
        picture = Picture(local.symbol, (x - round(STEPS * end.x), y - round(STEPS * end.y)))
        self.look.locals.append((port, self.part.nets[port], [*path, (x, y)], picture))
        if self.named:
            self._name(local, picture, side)

    def _name(self, local: CircuitPart, picture: Picture, side: str) -> None:
        """Write the name of a local symbol outside of it; below the part on a side where no line is."""
        size = wide([local.name], small=True)
        left = picture.at[0] - size - 0.3
        right = picture.at[0] + STEPS * local.symbol.width + 0.3
        if side == "down":
            lines = [pin.x for pin in self.pins if not pin.up]
            lines += [one.at[0] + 1 for *_, one in self.look.locals if one is not picture]
            free = [x for x in (right, left) if not any(x - 0.5 <= line <= x + size + 0.5 for line in lines)]
            if not free:
                return
            x = free[0]
        else:
            x = left if side == "left" else right
            self.reach[side] = math.floor(left) if side == "left" else math.ceil(right + size)
        self.look.names.append(Words(x, picture.at[1], [local.name], small=True))

    def _add_label(self) -> None:
        """Write name and figure of the part, to the right of it or above it."""
        lines = [self.part.name, *([self.part.datum] if self.part.datum else [])]
        if self.part.symbol.label == "above":
            x: float = max([0, *(pin.x + 1 for pin in self.pins if pin.up)])
            y = 0.6 + max([self.height, *(place[1] for _, _, path, _ in self.look.locals for place in path)])
        else:
            x, y = self.reach["right"] + 0.6, 0.5 * self.height - 0.5 * LINE * len(lines) + 0.3
        self.look.label = Words(x, y, lines)

    def _moved(self) -> Shape:
        """Return everything moved so that it begins at (0, 0), and how large it is."""
        look = self.look
        label, size = look.label, wide(look.label.lines)
        paths = [*(pin.path for pin in self.pins), *look.plugs.values(), *(path for _, _, path, _ in look.locals)]
        places = [(0.0, 0.0), (self.width, self.height), (self.reach["left"], 0.0), (self.reach["right"], 0.0)]
        places += [place for path in paths for place in path] + [one.at for *_, one in look.locals]
        places += [(words.x, words.y) for words in look.names]
        places += [(words.x + wide(words.lines, small=True), words.y) for words in look.names]
        places += [(label.x, label.y), (label.x + size, label.y + LINE * len(label.lines))]
        dx, dy = -math.floor(min(x for x, _ in places)), -math.floor(min(y for _, y in places))

        def move(path: list[Place]) -> list[Place]:
            return [(x + dx, y + dy) for x, y in path]

        for pin in self.pins:
            pin.x, pin.path = pin.x + dx, move(pin.path)
        for picture in (look.picture, *(one for *_, one in look.locals)):
            picture.at = (picture.at[0] + dx, picture.at[1] + dy)
        for words in (label, *look.names):
            words.x, words.y = words.x + dx, words.y + dy
        look.ends = {port: (x + dx, y + dy) for port, (x, y) in look.ends.items()}
        look.plugs = {port: move(path) for port, path in look.plugs.items()}
        look.locals = [(port, net, move(path), picture) for port, net, path, picture in look.locals]
        right, top = math.ceil(max(x for x, _ in places)) + dx, math.ceil(max(y for _, y in places)) + dy
        return Shape(right, top, self.pins, look)


def _beside(place: Place, side: Side) -> Place:
    dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}[side]
    return place[0] + dx, place[1] + dy
