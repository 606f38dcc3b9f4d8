# SPDX-License-Identifier: BSD-3-Clause
"""A circuit as a sheet: pumps below, actuators above, every other part in the row as far from the pumps as it is.

A part is turned over when what it joins lies the other way round; a port on its side gets a riser towards the rest of
its net. What is `local`, such as a tank, is drawn at every line that leads there and once below, with its name and
figure. A port that nothing is joined to ends in a plug.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from knuckleboom.drawing.picture import LINE, STEPS, Picture, Words, wide
from knuckleboom.drawing.sheet import Cell, Pin, Place, Shape, Sheet, add_passages
from knuckleboom.machine.circuit import Circuit, CircuitPart
from knuckleboom.symbol import Side, Symbol


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
    used = {row: number for number, row in enumerate(sorted(set(rows.values())))}
    return {name: used[row] for name, row in rows.items()}


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
    heights = {port: _height(circuit, part, net, rows) for port, net in part.nets.items()}
    sides = {port: part.symbol.side(port) for port in part.nets}
    score = sum(
        (heights[port] - rows[part.name]) * (1.0 if side == "up" else -1.0)
        for port, side in sides.items()
        if side in ("up", "down")
    )
    turned = score < 0.0 and part.symbol.level == "middle"
    ways = {port: heights[port] > rows[part.name] for port, side in sides.items() if side in ("left", "right")}
    shapes = [_shape(circuit, part, ways, mirrored, turned) for mirrored in (False, True)]
    align = {"bottom": 1.0, "middle": 0.5, "top": 0.0}[part.symbol.level]
    return Cell(part.name, shapes, align=align)


def _height(circuit: Circuit, part: CircuitPart, net: str, rows: Mapping[str, int]) -> float:
    """Return the mean row of what else a net joins; a tank is a little below, and a plug nowhere in particular."""
    if net in local_nets(circuit):
        return rows[part.name] - 0.01
    others = [rows[name] for name, _ in circuit.nets[net] if name != part.name]
    return sum(others) / len(others) if others else float(rows[part.name])


def _shape(circuit: Circuit, part: CircuitPart, ways: Mapping[str, bool], mirrored: bool, turned: bool) -> Shape:
    """Return a part with its label, its risers, its local symbols and its plugs."""
    far = local_nets(circuit)
    picture = Picture(part.symbol, (0, 0), mirrored, turned)
    sides = {port: picture.side(port) for port in part.nets}
    open_ports = {port for port, net in part.nets.items() if net not in far and len(circuit.nets[net]) == 1}
    picture.joined = part.nets.keys() - (open_ports & set(part.symbol.quiet))

    # room on the left and below, then where everything is
    left = sum(_room(far.get(part.nets[port])) for port, side in sides.items() if side == "left")
    below = 0
    for port, net in part.nets.items():
        if net in far:
            deep = round(STEPS * far[net].symbol.height) + 1
            below = max(below, deep if sides[port] == "down" else deep - picture.end(port)[1])
    picture.at = (left, below)
    width, height = round(STEPS * part.symbol.width), round(STEPS * part.symbol.height)
    right, top = left + width, below + height

    look = Look(part, picture, Words(0.0, 0.0, []), {port: picture.end(port) for port in part.nets})
    pins = []
    reach = {"left": left, "right": right}
    for port, net in _outwards(part, look.ends, sides):
        x, y = look.ends[port]
        side = sides[port]
        if port in open_ports and port in part.symbol.quiet:
            continue
        if port in open_ports:
            look.plugs[port] = [(x, y), _beside((x, y), side)]
            continue
        path = [(x, y)]
        if side in ("left", "right") or (net in far and side == "up"):
            if side == "up":
                path.append((x, y + 1))
                side = "left" if 2 * (x - left) < width else "right"
            outwards = -1 if side == "left" else 1
            column = reach[side] + outwards * (2 if net in far else 1)
            reach[side] = column + (outwards if net in far else 0)
            path.append((column, path[-1][1]))
        if net in far:
            look.locals.append((port, net, *_hung(path, far[net].symbol)))
        else:
            up = ways.get(port, side == "up")
            pins.append(Pin(net, path[-1][0], up, path, part.symbol.ends[port].line))
    right = max(right, reach["right"])
    bent = [*look.plugs.values(), *(path for _, _, path, _ in look.locals)]
    top = max([top, *(y for path in bent for _, y in path)])

    look.label, size = _label(part, picture, pins, right, top)
    right, top = max(right, size[0]), max(top, size[1])
    right = max([right, *_names(circuit, look, pins, far)])
    return Shape(right, top, pins, look)


def _room(local: CircuitPart | None) -> int:
    return 1 if local is None else 3


def _outwards(part: CircuitPart, ends: Mapping[str, Place], sides: Mapping[str, Side]) -> Iterator[tuple[str, str]]:
    """Yield ports and nets in the order in which their risers may lie outside of each other: from the middle."""
    middle = sum(y for _, y in ends.values()) / len(ends)
    yield from sorted(part.nets.items(), key=lambda item: (abs(ends[item[0]][1] - middle), item[0]))


def _beside(place: Place, side: Side) -> Place:
    dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}[side]
    return place[0] + dx, place[1] + dy


def _hung(path: list[Place], symbol: Symbol) -> tuple[list[Place], Picture]:
    """Return a line with one step down at its end, and a local symbol there."""
    x, y = path[-1][0], path[-1][1] - 1
    end = next(iter(symbol.ends.values()))
    return [*path, (x, y)], Picture(symbol, (x - round(STEPS * end.x), y - round(STEPS * end.y)))


# --- words ------------------------------------------------------------------------------------------------------------


def _label(part: CircuitPart, picture: Picture, pins: list[Pin], right: int, top: int) -> tuple[Words, Place]:
    """Return name and figure of a part, and how far they reach."""
    lines = [part.name, *([part.datum] if part.datum else [])]
    if part.symbol.label == "above":
        first = max([picture.at[0], *(pin.x + 1 for pin in pins if pin.up)])
        y = picture.at[1] + round(STEPS * part.symbol.height) + 0.4
        return Words(first, y, lines), (first + wide(lines), math.ceil(y + LINE * len(lines)))
    middle = picture.at[1] + 0.5 * STEPS * part.symbol.height
    y = middle - 0.5 * LINE * len(lines) + 0.3
    return Words(right + 0.6, y, lines), (right + 1 + wide(lines), max(top, math.ceil(y + LINE * len(lines))))


def _names(circuit: Circuit, look: Look, pins: list[Pin], far: Mapping[str, CircuitPart]) -> Iterator[int]:
    """Name local symbols where there is more than one kind of them and nothing is in the way; yield how far it goes."""
    if len({part.name for part in far.values()}) < 2:
        return
    for _, net, _, picture in look.locals:
        x = picture.at[0] + STEPS * picture.symbol.width + 0.3
        size = wide([far[net].name], small=True)
        others = [pin.x for pin in pins if not pin.up] + [one.at[0] for *_, one in look.locals if one is not picture]
        if not any(x - 0.3 <= other <= x + size for other in others):
            look.names.append(Words(x, picture.at[1], [far[net].name], small=True))
            yield math.ceil(x + size)
