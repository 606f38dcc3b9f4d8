# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of a machine: its circuit and the topology of its mechanism, as SVG.

    m.circuit().save("circuit.svg")            m.mechanism().save("mechanism.svg")

A notebook shows a drawing by itself. Both are attached to Machine in `knuckleboom/__init__.py`. Tested in
tests/drawing/test_drawing.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knuckleboom.drawing import circuit as circuits
from knuckleboom.drawing import mechanism as mechanisms
from knuckleboom.drawing.circuit import Look
from knuckleboom.drawing.mechanism import BOX, GROUND, BodyLook, EdgeLook, Mechanism, mechanism
from knuckleboom.drawing.order import arrange
from knuckleboom.drawing.picture import STEPS, Picture, Words, wide
from knuckleboom.drawing.route import Lines, route
from knuckleboom.drawing.sheet import Place, Sheet
from knuckleboom.drawing.svg import DASHES, GREY, Canvas
from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.machine.circuit import Circuit, CircuitPart, circuit
from knuckleboom.results.files import replace_file

ZIGZAG = ((0.0, -0.8), (0.4, -0.6), (-0.4, -0.2), (0.4, 0.2), (-0.4, 0.6), (0.0, 0.8))
"""Places of a spring, from its middle."""
LEGEND = 4
"""Height of the line below a circuit that names its tanks, steps."""


@dataclass(frozen=True)
class Drawing:
    """A picture as SVG text, and what it shows as plain data."""

    svg: str
    structure: dict[str, Any]

    def save(self, path: str | Path) -> Path:
        """Write the picture to a file and return its path."""
        return replace_file(Path(path), self.svg.encode())

    def _repr_svg_(self) -> str:
        return self.svg


def draw_circuit(machine: Machine) -> Drawing:
    """Draw the hydraulic circuit of a machine; one that has problems is refused with all of them."""
    _refuse(machine)
    found = circuit(machine)
    if not found.parts:
        raise MachineError([Problem("it has no part with oil, so there is no circuit to draw.")], machine.where)
    return Drawing(circuit_svg(found), found.document())


def draw_mechanism(machine: Machine) -> Drawing:
    """Draw how the bodies of a machine hang together; one that has problems is refused with all of them."""
    _refuse(machine)
    found = mechanism(machine)
    return Drawing(mechanism_svg(found), found.document())


def _refuse(machine: Machine) -> None:
    problems = machine.check()
    if problems:
        raise MachineError(problems, machine.where)


def _arranged(sheet: Sheet) -> tuple[dict[str, Lines], int]:
    """Lay a sheet out; return its lines and how wide it is."""
    arrange(sheet)
    lines = route(sheet)
    return lines, max([cell.x + cell.width for _, cell in sheet.cells()] or [0])


# --- the circuit ------------------------------------------------------------------------------------------------------


def circuit_svg(found: Circuit) -> str:
    """Return a circuit as SVG."""
    sheet = circuits.lay_out(found)
    lines, right = _arranged(sheet)
    legend = list(_legend([part for part in found.parts.values() if part.symbol.local]))
    below = LEGEND if legend else 0
    canvas = Canvas(f"circuit of {found.machine}", max([right, *(end for *_, end in legend)]), sheet.height + below)
    canvas.origin = (0, below)
    for net, one in lines.items():
        canvas.net(net, one)
    for _, cell in sheet.cells():
        if isinstance(cell.shape.look, Look):
            _draw_part(canvas, cell.shape.look, (cell.x, cell.y))
    canvas.origin = (0, 0)
    for part, picture, words, _ in legend:
        canvas.group(data_part=part.name, data_kind=part.kind)
        canvas.picture(picture)
        canvas.end()
        for text in words:
            canvas.words(text)
    return canvas.text()


def _legend(parts: list[CircuitPart]) -> Iterator[tuple[CircuitPart, Picture, list[Words], int]]:
    """Yield symbol and words of what is drawn in many places, and how far they reach."""
    x = 0
    for part in parts:
        first = x + STEPS * part.symbol.width + 0.6
        second = first + wide([part.name]) + 0.8
        end = round(second) + wide([part.datum]) + 2
        words = [Words(first, 0.2, [part.name]), Words(second, 0.2, ["", part.datum])]
        yield part, Picture(part.symbol, (x, 0)), words, end
        x = end + 2


def _draw_part(canvas: Canvas, look: Look, at: Place) -> None:
    """Draw a symbol with its label and what hangs on it."""
    part = look.part
    canvas.group(data_part=part.name, data_kind=part.kind)
    canvas.picture(look.picture, at)
    for port, (x, y) in look.ends.items():
        canvas.port(port, part.nets[port], (at[0] + x, at[1] + y))
    canvas.end()
    canvas.words(look.label, at)
    for port, net, path, picture in look.locals:
        canvas.group(data_local=net)
        dashes = DASHES[part.symbol.ends[port].line]
        extra = f' stroke-dasharray="{dashes}"' if dashes else ""
        canvas.polyline(((at[0] + x, at[1] + y) for x, y in path), extra)
        canvas.picture(picture, at)
        canvas.end()
    for path in look.plugs.values():
        canvas.polyline((at[0] + x, at[1] + y) for x, y in path)
        x, y = at[0] + path[-1][0], at[1] + path[-1][1]
        canvas.polyline([(x - 0.4, y - 0.4), (x + 0.4, y + 0.4)])
        canvas.polyline([(x - 0.4, y + 0.4), (x + 0.4, y - 0.4)])
    for words in look.names:
        canvas.words(words, at)


# --- the mechanism ----------------------------------------------------------------------------------------------------


def mechanism_svg(found: Mechanism) -> str:
    """Return a mechanism's topology as SVG."""
    sheet = mechanisms.lay_out(found)
    lines, right = _arranged(sheet)
    canvas = Canvas(f"mechanism of {found.machine}", right, sheet.height)
    for net, one in lines.items():
        canvas.net(net, one)
    for _, cell in sheet.cells():
        look = cell.shape.look
        if isinstance(look, BodyLook):
            _draw_body(canvas, look, (cell.x, cell.y))
        elif isinstance(look, EdgeLook):
            _draw_edge(canvas, look, (cell.x, cell.y))
    return canvas.text()


def _draw_body(canvas: Canvas, look: BodyLook, at: Place) -> None:
    """Draw a box with a name; the ground is hatched below."""
    (x, y), right = at, at[0] + look.width
    canvas.group(data_body=look.name)
    canvas.area([(x, y), (right, y), (right, y + BOX), (x, y + BOX)])
    if look.name == GROUND:
        for start in range(x + 1, right + 1):
            canvas.polyline([(start, y), (start - 0.8, y - 0.8)])
    canvas.end()
    canvas.words(Words(x + 0.5 * look.width, y + 0.5 * BOX - 0.4, [look.name], middle=True))


def _draw_edge(canvas: Canvas, look: EdgeLook, at: Place) -> None:
    """Draw a joint as a circle, a spring as a zigzag, anything else as a small box."""
    edge, (x, y) = look.edge, (at[0] + look.x, at[1] + look.y)
    corners = [(x - 0.4, y - 0.8), (x + 0.4, y - 0.8), (x + 0.4, y + 0.8), (x - 0.4, y + 0.8)]
    canvas.group(data_part=edge.names[0], data_kind=edge.kind)
    if edge.joint:
        canvas.disc((x, y), 0.5)
    elif edge.kind == "spring":
        canvas.area(corners, "white")
        canvas.polyline((x + side, y + up) for side, up in ZIGZAG)
    else:
        canvas.area(corners, GREY)
    canvas.end()
    for name in edge.names[1:]:
        canvas.group(data_part=name, data_kind=edge.kind)
        canvas.end()
    canvas.words(look.words, at)
