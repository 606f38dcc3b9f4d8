# SPDX-License-Identifier: BSD-3-Clause
"""Symbols: how a part is drawn in a circuit, as plain data that stands in the part's own file. Nothing here draws.

A symbol is a picture after ISO 1219 in units of the side of a valve box, x to the right, y up, its lower left corner at
(0, 0). `ports` says where the lines of its ports end, on its edge and at whole quarters of the unit: the part's fields
that name ports (P, a, x) and its own ports ("" or "a"). An end may be `pilot` or `drain`: its line is then dashed.

    SYMBOL = Symbol(0.5, 1.0, {"a": (0.25, 0.0), "b": (0.25, 1.0)}, line((0.25, 0.0), (0.25, 1.0)), "{area:mm2} mm²")

What oil comes from is drawn with its port up, what oil passes with its inlet down: pumps stand below, cylinders above
(`level`). A drawing may mirror a symbol, or turn it over where its inlet has to be above; text stays upright. `datum`
is the figure beside the name: {field:unit} is a setting in that unit. Of several the first whose settings are given is
taken. Constructors return tuples of strokes, to be added up. A part whose settings change its picture overrides
`symbol()`. Tested in tests/contract/test_every_symbol.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Point = tuple[float, float]
LineKind = Literal["pressure", "pilot", "drain"]
Level = Literal["bottom", "middle", "top"]
Side = Literal["left", "right", "up", "down"]

# --- strokes ----------------------------------------------------------------------------------------------------------


class Path(NamedTuple):
    """A line through points, or a closed area."""

    points: tuple[Point, ...]
    dashed: bool = False
    closed: bool = False
    full: bool = False


class Round(NamedTuple):
    """A circle, or the arc of it from one angle to another, anticlockwise, degrees."""

    centre: Point
    radius: float
    start: float = 0.0
    end: float = 360.0


class Text(NamedTuple):
    """A short text about a point."""

    at: Point
    text: str
    size: float = 0.25


Stroke = Path | Round | Text
Strokes = tuple[Stroke, ...]


def line(*points: Point, dashed: bool = False) -> Strokes:
    """Return a line through points; dashed for pilots and what encloses."""
    return (Path(points, dashed),)


def box(x: float, y: float, width: float = 1.0, height: float = 1.0) -> Strokes:
    """Return a rectangle by its lower left corner."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return (Path(corners, closed=True),)


def circle(x: float, y: float, radius: float) -> Strokes:
    """Return a circle."""
    return (Round((x, y), radius),)


def arc(x: float, y: float, radius: float, start: float, end: float) -> Strokes:
    """Return an arc between two angles in degrees, anticlockwise."""
    return (Round((x, y), radius, start, end),)


def text(x: float, y: float, words: str, size: float = 0.25) -> Strokes:
    """Return a short text about a point."""
    return (Text((x, y), words, size),)


def triangle(tip: Point, towards: Side, size: float = 0.25, *, full: bool = True) -> Strokes:
    """Return a triangle by its tip and where that points; full for oil, hollow for gas."""
    dx, dy = _SIDES[towards]
    x, y = tip[0] - size * dx, tip[1] - size * dy
    half = 0.5 * size
    return (Path((tip, (x - half * dy, y + half * dx), (x + half * dy, y - half * dx)), closed=True, full=full),)


def arrow(*points: Point) -> Strokes:
    """Return a line with a head at its last point."""
    return Path(points), _head(points[-2], points[-1])


def variable(x: float, y: float, size: float = 1.0) -> Strokes:
    """Return the slanted arrow through a point that says: this can be adjusted."""
    half = 0.5 * size
    return arrow((x - half, y - half), (x + half, y + half))


def spring(x: float, y: float, length: float = 0.5, *, upright: bool = False, width: float = 0.25) -> Strokes:
    """Return a zigzag from a point to the right, or upwards."""
    across = (0.0, 0.5, -0.5, 0.5, -0.5, 0.5, 0.0)
    along = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
    steps = [(length * s, width * c) for s, c in zip(along, across, strict=True)]
    return (Path(tuple((x + c, y + s) if upright else (x + s, y + c) for s, c in steps)),)


def _head(start: Point, tip: Point) -> Path:
    """Return the full head of an arrow."""
    length = math.hypot(tip[0] - start[0], tip[1] - start[1])
    dx, dy = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
    x, y = tip[0] - 0.2 * dx, tip[1] - 0.2 * dy
    return Path((tip, (x - 0.07 * dy, y + 0.07 * dx), (x + 0.07 * dy, y - 0.07 * dx)), closed=True, full=True)


_SIDES: Mapping[Side, Point] = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, 1.0), "down": (0.0, -1.0)}

# --- symbols ----------------------------------------------------------------------------------------------------------


class End(NamedTuple):
    """Where the line of a port ends, and what line it is."""

    x: float
    y: float
    line: LineKind = "pressure"


def pilot(x: float, y: float) -> End:
    """Return the end of a line that carries a pressure but hardly any flow."""
    return End(x, y, "pilot")


def drain(x: float, y: float) -> End:
    """Return the end of a line that carries leakage away."""
    return End(x, y, "drain")


@dataclass(frozen=True)
class Symbol:
    """A part's picture: its size, where its lines end, its strokes, and the figure that stands beside its name."""

    width: float
    height: float
    ports: Mapping[str, Point | End]
    strokes: Strokes
    datum: str | Sequence[str] = ""
    level: Level = "middle"
    label: Literal["right", "above"] = "right"
    local: bool = False
    """Drawn at every line that leads there instead of once, as a tank is."""
    quiet: Sequence[str] = ()
    """Ports that are seldom joined, and have no plug then."""
    leads: Mapping[str, Strokes] = field(default_factory=dict)
    """Strokes that are only drawn when the port is joined, as the line to a pilot that need not be there."""
    ends: dict[str, End] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ends", {port: End(*place) for port, place in self.ports.items()})
        for port, (x, y, _) in self.ends.items():
            on_edge = x in (0.0, self.width) or y in (0.0, self.height)
            if not on_edge or any(4.0 * value % 1.0 for value in (x, y, self.width, self.height)):
                raise ValueError(
                    f"the line of port '{port}' ends at ({x:g}, {y:g}): not on the edge at a whole quarter"
                )

    def side(self, port: str) -> Side:
        """Return the side of the symbol that a port is on."""
        x, y, _ = self.ends[port]
        if y in (0.0, self.height):
            return "down" if y == 0.0 else "up"
        return "left" if x <= 0.5 * self.width else "right"


# --- what valves have in common ---------------------------------------------------------------------------------------

Places = Mapping[str, Point | End]
FOUR: Places = {"P": (0.25, 0.0), "T": (0.75, 0.0), "A": (0.25, 1.0), "B": (0.75, 1.0)}
THREE: Places = {"P": (0.25, 0.0), "T": (0.75, 0.0), "A": (0.25, 1.0)}
"""Where the ports of a valve box are."""

RAIL = 0.125
"""Room below and above the boxes of a valve, for the rails that say: it stands anywhere in between."""
ACTUATOR = 0.5
"""Width of what moves a spool."""
Actuator = Literal["solenoid", "spring"]

Flows = Sequence[str | tuple[str, ...]]
"""One position of a spool: "PA" or ("P", "A") is an arrow from P to A, "PAB" joins all; other ports are blocked."""


def directional(
    places: Places, positions: Sequence[Flows], *, rails: bool = False,
    left: Sequence[Actuator] = ("spring", "solenoid"), right: Sequence[Actuator] = ("spring", "solenoid"),
    width: float = 1.0, datum: str | Sequence[str] = "",
) -> Symbol:  # fmt: skip
    """Return a directional valve: a box for each position, lines on the one at rest, the middle or last one.

    `places` are the ports on a box of this width; `rails` mark a proportional valve; `left` and `right` are what moves
    the spool, one below the other.
    """
    rest = len(positions) - 1 if len(positions) < 3 else 1
    margin, total = ACTUATOR, ACTUATOR + width * len(positions) + ACTUATOR
    height = 1.0 + 2.0 * RAIL
    strokes: Strokes = ()
    for number, flows in enumerate(positions):
        strokes += _position(margin + width * number, places, flows, width)
    if rails:
        first, last = margin, margin + width * len(positions)
        strokes += line((first, 0.05), (last, 0.05)) + line((first, height - 0.05), (last, height - 0.05))
    strokes += _actuators(left, margin, "left") + _actuators(right, margin + width * len(positions), "right")

    ports: dict[str, Point | End] = {}
    for port, place in places.items():
        end = End(*place)
        at, edge = margin + width * rest + end.x, 0.0 if end.y == 0.0 else height
        ports[port] = End(at, edge, end.line)
        strokes += line((at, edge), (at, RAIL + end.y))
    return Symbol(total, height, ports, strokes, datum, label="above")


def _position(x0: float, places: Places, flows: Flows, width: float) -> Strokes:
    """Return one box of a spool, with its arrows and blocked ports."""
    at = {port: (x0 + place[0], RAIL + place[1]) for port, place in places.items()}
    middle = RAIL + 0.5
    bend = middle - (0.2 if any(len(flow) > 2 for flow in flows) else 0.0)
    strokes = box(x0, RAIL, width)
    for flow in flows:
        ends = [at[port] for port in flow]
        if len(ends) > 2:
            xs = [x for x, _ in ends]
            if len(set(xs)) > 1:
                strokes += line((min(xs), middle), (max(xs), middle))
            for x, y in ends:
                strokes += line((x, y), (x, middle))
        elif ends[0][1] == ends[1][1]:
            strokes += arrow(ends[0], (ends[0][0], bend), (ends[1][0], bend), ends[1])
        else:
            strokes += arrow(*ends)
    for port, (x, y) in at.items():
        if not any(port in flow for flow in flows):
            stop = y + (0.2 if y < middle else -0.2)
            strokes += line((x, y), (x, stop)) + line((x - 0.1, stop), (x + 0.1, stop))
    return strokes


def _actuators(words: Sequence[Actuator], x: float, side: Literal["left", "right"]) -> Strokes:
    """Return what moves a spool from one side, one above the other beside the box that begins or ends at x."""
    strokes: Strokes = ()
    room = 1.0 / max(1, len(words))
    for number, word in enumerate(reversed(words)):
        wide, low = ACTUATOR, RAIL + room * number
        start, middle = (x - wide if side == "left" else x), low + 0.5 * room
        if word == "spring":
            strokes += spring(start, middle, wide)
        else:
            strokes += box(start, middle - 0.2, wide, 0.4) + line((start, middle - 0.2), (start + wide, middle + 0.2))
    return strokes


def pressure_valve(
    *, opens: bool, sensed: Literal["a", "b", "x"] = "a", drained: str = "", free: bool = False,
    pilots: Sequence[str] = (), behind: Sequence[str] = (), datum: str | Sequence[str] = "",
) -> Symbol:  # fmt: skip
    """Return a valve that a pressure opens (or closes) against a spring: one box with an arrow from a up to b.

    The pressure that acts on it is that of `a`, of `b`, or of a port x of its own; `pilots` are more ports that act on
    the same side, `behind` those that act with the spring; `drained` is the port of the spring's chamber; `free` adds a
    check valve from b to a beside it.
    """
    left, low = 0.25, 0.25
    axis, middle, top, spring_end = left + 0.5, low + 0.5, low + 1.25, left + 1.5
    across = left + 0.25 if opens else axis
    strokes = box(left, low) + line((axis, 0.0), (axis, low)) + line((axis, low + 1.0), (axis, top))
    strokes += arrow((across, low), (across, low + 1.0)) + spring(left + 1.0, middle)
    strokes += arrow((left + 1.05, middle - 0.25), (left + 1.45, middle + 0.25))  # the setting can be adjusted
    ports: dict[str, Point | End] = {"a": (axis, 0.0), "b": (axis, top)}
    leads: dict[str, Strokes] = {}
    taps = {"a": 0.125, "b": top - 0.125}
    if sensed in taps:
        strokes += line((axis, taps[sensed]), (0.0, taps[sensed]), (0.0, middle), (left, middle), dashed=True)
    else:
        ports[sensed] = pilot(0.0, middle)
        leads[sensed] = line((0.0, middle), (left, middle), dashed=True)
    width = spring_end
    if free:
        strokes += check_beside(axis, spring_end + 0.5, top, turned=True)
        width = spring_end + 0.75
    sides = [(0.0, left, pilots, 0.25 if sensed != "b" else -0.25), (width, left + 1.0, behind, 0.25)]
    for end, start, names, height in sides:
        for number, port in enumerate(names):
            y = middle + (height if number == 0 else 0.0)
            ports[port] = pilot(end, y)
            leads[port] = line((end, y), (start, y), dashed=True)
    if drained:
        ports[drained] = drain(width, middle - 0.25)
        leads[drained] = line((left + 1.0, middle - 0.25), (width, middle - 0.25), dashed=True)
    return Symbol(width, top, ports, strokes, datum, leads=leads)


def check(*, loaded: bool = True, pilots: Sequence[str] = (), datum: str | Sequence[str] = "") -> Symbol:
    """Return a check valve, free from a up to b; with a spring, and with ports of pilots that lift it."""
    ports: dict[str, Point | End] = {"a": (0.5, 0.0), "b": (0.5, 1.25)}
    leads: dict[str, Strokes] = {}
    strokes = line((0.5, 0.0), (0.5, 0.25)) + seat(0.5, 0.25)
    strokes += spring(0.5, 0.75, 0.25, upright=True, width=0.2) if loaded else line((0.5, 0.75), (0.5, 1.0))
    strokes += line((0.5, 1.0), (0.5, 1.25))
    for number, port in enumerate(pilots):
        x = 0.0 if number == 0 else 1.0
        ports[port] = pilot(x, 0.25)
        leads[port] = line((x, 0.25), (0.5, 0.25), dashed=True)
    return Symbol(1.0, 1.25, ports, strokes, datum, leads=leads)


def seat(x: float, y: float, *, turned: bool = False) -> Strokes:
    """Return a ball of 0.5 in its seat, flow upwards; turned: flow downwards."""
    up = -1.0 if turned else 1.0
    tip = y + 0.5 if turned else y
    radius, lift = 0.15, 0.15 * math.sqrt(2.0)
    strokes = line((x - 0.25, tip + 0.25 * up), (x, tip), (x + 0.25, tip + 0.25 * up))
    strokes += circle(x, tip + lift * up, radius)
    return strokes + line((x, tip + (lift + radius) * up), (x, tip + 0.5 * up))


def check_beside(axis: float, x: float, height: float, *, turned: bool = False) -> Strokes:
    """Return a check valve at x, beside a line of this height at `axis`: free upwards, or downwards when turned."""
    low, foot, head = 0.5 * height - 0.25, 0.125, height - 0.125
    strokes = line((axis, foot), (x, foot), (x, low)) + seat(x, low, turned=turned)
    return strokes + line((x, low + 0.5), (x, head), (axis, head))


def throttle(*, laminar: bool = False, datum: str | Sequence[str] = "") -> Symbol:
    """Return a restrictor from a up to b: an orifice, or a long gap that depends on viscosity."""
    strokes = line((0.5, 0.0), (0.5, 1.0))
    if laminar:
        strokes += line((0.35, 0.25), (0.35, 0.75)) + line((0.65, 0.25), (0.65, 0.75))
    else:
        strokes += arc(0.15, 0.5, 0.25, -60.0, 60.0) + arc(0.85, 0.5, 0.25, 120.0, 240.0)
    return Symbol(1.0, 1.0, {"a": (0.5, 0.0), "b": (0.5, 1.0)}, strokes, datum)


def pump(*, adjustable: bool = False, datum: str | Sequence[str] = "", pilots: Sequence[str] = ()) -> Symbol:
    """Return a pump that takes oil from a, below, to b, above; pilots act on its displacement, from the left."""
    strokes = circle(0.75, 0.75, 0.5) + triangle((0.75, 1.25), "up", 0.3)
    strokes += line((0.75, 0.0), (0.75, 0.25)) + line((0.75, 1.25), (0.75, 1.5))
    strokes += line((1.25, 0.7), (1.5, 0.7)) + line((1.25, 0.8), (1.5, 0.8))  # the shaft
    if adjustable:
        strokes += variable(0.75, 0.75, 1.2)
    ports: dict[str, Point | End] = {"a": (0.75, 0.0), "b": (0.75, 1.5)}
    leads: dict[str, Strokes] = {}
    for number, port in enumerate(pilots):
        ports[port] = pilot(0.0, 0.75 + 0.25 * number)
        leads[port] = line((0.0, 0.75 + 0.25 * number), (0.25, 0.75 + 0.25 * number), dashed=True)
    return Symbol(1.5, 1.5, ports, strokes, datum, level="bottom", leads=leads)
