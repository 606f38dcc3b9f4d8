# SPDX-License-Identifier: BSD-3-Clause
"""SVG text: shapes with their attributes, escaped, in pixels with y down. No style sheet, so that any page may hold it.

Elements carry what they stand for: `data-part` and `data-kind` on a part, `data-port` and `data-net` where a line ends
at it, `data-net` on the lines of a net.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from html import escape

from knuckleboom.drawing.picture import LINE, STEPS, Picture, Words
from knuckleboom.drawing.route import Lines
from knuckleboom.drawing.sheet import Place
from knuckleboom.symbol import LineKind, Path, Round, Stroke

STEP = 10.0
"""Pixels to a grid step."""
SPACE = ' xmlns="http://www.w3.org/2000/svg"'
"""Says what a file is; inside a page it is known."""
MARGIN = 2
"""Steps of empty border."""
FONT = 11.0
INK, GREY = "#1a1a1a", "#555555"
DASHES: dict[LineKind, str] = {"pressure": "", "pilot": "5 3", "drain": "2 2"}
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may hold."""


def clean(text: str) -> str:
    """Return a text as it may stand in an element or an attribute."""
    return escape(NOT_XML.sub("\ufffd", text), quote=True)


def number(value: float) -> str:
    """Return a coordinate in pixels, with one digit where it needs one."""
    return f"{round(value, 1):g}"


class Canvas:
    """Collects elements; places are in steps, y up, and become pixels, y down."""

    def __init__(self, title: str, width: float, height: float) -> None:
        self.width, self.height = width + 2 * MARGIN, height + 2 * MARGIN
        self.title = title
        self.origin: Place = (0, 0)
        self.elements: list[str] = []

    def at(self, x: float, y: float) -> str:
        """Return a place as two coordinates."""
        x, y = x + self.origin[0], y + self.origin[1]
        return f"{number(STEP * (MARGIN + x))} {number(STEP * (self.height - MARGIN - y))}"

    def add(self, element: str) -> None:
        """Add an element that is already text."""
        self.elements.append(element)

    def group(self, **data: str) -> None:
        """Begin a group that carries data; `end` ends it."""
        words = "".join(f' {key.replace("_", "-")}="{clean(value)}"' for key, value in data.items())
        self.add(f"<g{words}>")

    def end(self) -> None:
        """End a group."""
        self.add("</g>")

    def text(self) -> str:
        """Return the whole picture."""
        width, height = number(STEP * self.width), number(STEP * self.height)
        head = (
            f'<svg{SPACE} role="img" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="{FONT:g}" fill="none" '
            f'stroke="{INK}" stroke-width="1.2" stroke-linejoin="round">'
        )
        paper = f'<rect width="{width}" height="{height}" fill="white" stroke="none"/>'
        return "\n".join([head, f"<title>{clean(self.title)}</title>", paper, *self.elements, "</svg>"]) + "\n"

    # --- what a drawing consists of ---

    def polyline(self, places: Iterable[tuple[float, float]], extra: str = "") -> None:
        """Add a line through places."""
        self.add(f'<path d="{self._through(places)}"{extra}/>')

    def _through(self, places: Iterable[tuple[float, float]]) -> str:
        return "M" + "L".join(self.at(x, y) for x, y in places)

    def port(self, port: str, net: str, place: tuple[float, float]) -> None:
        """Mark where the line of a port ends; it cannot be seen."""
        x, y = self.at(*place).split()
        self.add(f'<path data-port="{clean(port)}" data-net="{clean(net)}" d="M{x} {y}h0" stroke="none"/>')

    def net(self, name: str, lines: Lines) -> None:
        """Add the lines of a net."""
        self.group(data_net=name)
        for kind, segments in lines.segments.items():
            path = "".join(self._through(segment) for segment in segments)
            dashes = f' stroke-dasharray="{DASHES[kind]}"' if DASHES[kind] else ""
            self.add(f'<path class="{kind}" d="{path}"{dashes}/>')
        for place in lines.dots:
            x, y = self.at(*place).split()
            self.add(f'<circle class="dot" cx="{x}" cy="{y}" r="2.5" fill="{INK}" stroke="none"/>')
        self.end()

    def area(self, places: Iterable[tuple[float, float]], ink: str = "") -> None:
        """Add a closed white area."""
        colour = f' stroke="{ink}"' if ink else ""
        self.add(f'<path d="{self._through(places)}Z" fill="white"{colour}/>')

    def disc(self, place: tuple[float, float], radius: float) -> None:
        """Add a white disc."""
        x, y = self.at(*place).split()
        self.add(f'<circle cx="{x}" cy="{y}" r="{number(STEP * radius)}" fill="white"/>')

    def picture(self, picture: Picture, at: Place = (0, 0)) -> None:
        """Add a symbol, its cell being at a place."""
        for stroke in picture.strokes:
            self._stroke(stroke, picture, at)

    def _stroke(self, stroke: Stroke, picture: Picture, at: Place) -> None:
        def place(x: float, y: float) -> tuple[float, float]:
            across, up = picture.place(x, y)
            return at[0] + across, at[1] + up

        if isinstance(stroke, Path):
            extra = ' stroke-dasharray="4 2.5"' if stroke.dashed else ""
            if stroke.closed:
                inside = INK if stroke.full else "none"
                self.add(f'<path d="{self._through(place(*p) for p in stroke.points)}Z" fill="{inside}"{extra}/>')
            else:
                self.polyline((place(*p) for p in stroke.points), extra)
        elif isinstance(stroke, Round):
            radius = number(STEP * STEPS * stroke.radius)
            if stroke.end - stroke.start >= 360.0:
                x, y = self.at(*place(*stroke.centre)).split()
                self.add(f'<circle cx="{x}" cy="{y}" r="{radius}"/>')
                return
            first, last = (self.at(*place(*point)) for point in _ends(stroke))
            large = int(stroke.end - stroke.start > 180.0)
            sweep = int(picture.mirrored != picture.turned)
            self.add(f'<path d="M{first}A{radius} {radius} 0 {large} {sweep} {last}"/>')
        else:
            across, up = place(*stroke.at)
            x, y = self.at(across, up - 0.35 * STEPS * stroke.size).split()
            self.add(
                f'<text x="{x}" y="{y}" font-size="{number(STEP * STEPS * stroke.size)}" text-anchor="middle" '
                f'fill="{INK}" stroke="none">{clean(stroke.text)}</text>'
            )

    def words(self, words: Words, at: Place = (0, 0)) -> None:
        """Add the lines of a label, the first in bold."""
        for index, text in enumerate(words.lines):
            if not text:
                continue
            x, y = self.at(at[0] + words.x, at[1] + words.y + LINE * (len(words.lines) - 1 - index)).split()
            look = f' font-weight="bold" fill="{INK}"' if index == 0 and not words.small else f' fill="{GREY}"'
            small = f' font-size="{number(0.85 * FONT)}"' if words.small else ""
            anchor = ' text-anchor="middle"' if words.middle else ""
            self.add(f'<text x="{x}" y="{y}"{anchor}{look}{small} stroke="none">{clean(text)}</text>')


def _ends(stroke: Round) -> list[tuple[float, float]]:
    """Return the two ends of an arc."""
    (x, y), r = stroke.centre, stroke.radius
    angles = (math.radians(stroke.start), math.radians(stroke.end))
    return [(x + r * math.cos(angle), y + r * math.sin(angle)) for angle in angles]
