# SPDX-License-Identifier: BSD-3-Clause
"""Topology of a mechanism as a sheet: the ground below, every body as many joints above it as the tree takes.

Bodies and attachments are boxes, joints circles on the lines between them; joints of the tree are solid, cut ones,
which close loops, dashed. Cylinders, springs, dampers and rods have a picture of their own; several of a kind between
the same two bodies are drawn once, with their number. What turns or pushes a joint stands beside its kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from knuckleboom.describe import JointName
from knuckleboom.drawing.picture import LINE, Words, wide
from knuckleboom.drawing.sheet import Cell, Pin, Shape, Sheet, add_passages
from knuckleboom.machine import Machine
from knuckleboom.machine.outline import outline
from knuckleboom.mechanics.parts import Driver, Gear
from knuckleboom.plan.topology import attachments_by_body, choose_tree, wanted_coordinates
from knuckleboom.symbol import LineKind

GROUND = "ground"
BOX = 3
"""Height of a body's box, steps."""
SPACE = 3
"""Least distance of two lines at a box."""


@dataclass(frozen=True)
class Edge:
    """Something between two bodies: a joint, or a line such as a cylinder; several of a kind have all their names."""

    names: tuple[str, ...]
    kind: str
    a: str
    b: str
    joint: bool
    cut: bool = False
    moved_by: tuple[str, ...] = ()

    @property
    def line(self) -> LineKind:
        """How its lines are drawn."""
        return "pilot" if self.cut else "pressure"

    @property
    def below(self) -> str:
        """Name of its line to the body nearer to the ground; no part has a colon in its name."""
        return f"{self.names[0]}:below"

    @property
    def above(self) -> str:
        """Name of its line to the other body."""
        return f"{self.names[0]}:above"

    @property
    def label(self) -> list[str]:
        """What stands beside it."""
        if len(self.names) > 1:
            return [f"{len(self.names)} {self.kind}s", f"{self.names[0]} …"]
        return [self.names[0], ", ".join((self.kind.replace("_", " "), *self.moved_by))]


@dataclass(frozen=True)
class Mechanism:
    """Bodies with their distance from the ground in joints, and what is between them."""

    machine: str
    depths: dict[str, int]
    edges: list[Edge] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        """Return it as plain data; the keys are described in docs/cli.md under `info`."""

        def ends(name: str, edge: Edge) -> dict[str, Any]:
            return {"name": name, "kind": edge.kind, "a": edge.a, "b": edge.b}

        edges = [(name, edge) for edge in self.edges for name in edge.names]
        return {
            "bodies": [{"name": name, "depth": depth} for name, depth in self.depths.items()],
            "joints": [
                {**ends(name, edge), "cut": edge.cut, "moved_by": [*edge.moved_by]}
                for name, edge in edges
                if edge.joint
            ],
            "lines": [ends(name, edge) for name, edge in edges if not edge.joint],
        }


def mechanism(machine: Machine) -> Mechanism:
    """Return the bodies of a machine and what is between them."""
    order, cut = choose_tree(machine, wanted_coordinates(machine))
    drawn = outline(machine)
    joints = {one["name"]: one for one in drawn["joints"]}
    depths, held = {GROUND: 0}, attachments_by_body(machine)
    for joint, reverse in order:
        near, far = (joints[joint.name][end][0] for end in ("ba" if reverse else "ab"))
        depths[far] = depths[near] + 1
        depths |= {one.name: depths[far] + 1 for one in held.get(far, ())}
    movers = dict(_movers(machine))
    loops = {joint.name for joint in cut}
    edges = [
        Edge((name,), one["kind"], one["a"][0], one["b"][0], True, name in loops, tuple(movers.get(name, ())))
        for name, one in joints.items()
    ]
    for body, ones in held.items():
        edges += [Edge((f"{body} to {one.name}",), one.KIND, body, one.name, False) for one in ones]
    together: dict[tuple[str, str, str], list[str]] = {}
    for one in drawn["lines"]:
        together.setdefault((one["kind"], one["a"][0], one["b"][0]), []).append(one["name"])
    edges += [Edge(tuple(names), kind, a, b, False) for (kind, a, b), names in together.items()]
    placed = {name: depths[name] for name in drawn["bodies"]}
    return Mechanism(machine.name, placed, edges)


def _movers(machine: Machine) -> Iterator[tuple[str, list[str]]]:
    """Yield the joints that something turns, drives or gears, with its kind and name."""
    found: dict[str, list[str]] = {}
    for part in machine.parts.values():
        if part.PORTS or isinstance(part, (Driver, Gear)):
            for _, value in part.references():
                if isinstance(value, JointName):
                    found.setdefault(str(value), []).append(f"{part.KIND} {part.name}")
    yield from found.items()


# --- the sheet --------------------------------------------------------------------------------------------------------


@dataclass
class BodyLook:
    """A box with a name."""

    name: str
    width: int


@dataclass
class EdgeLook:
    """A joint or line, where its picture is and where its words are."""

    edge: Edge
    x: int
    y: int
    words: Words


def lay_out(found: Mechanism) -> Sheet:
    """Return bodies in even rows and what is between them in odd ones, with the passages of the lines."""
    sheet = Sheet([[] for _ in range(2 * max(found.depths.values()) + 2)])
    ends: dict[str, list[Pin]] = {name: [] for name in found.depths}
    for edge in found.edges:
        low, high = sorted((edge.a, edge.b), key=found.depths.__getitem__)
        level = found.depths[low] == found.depths[high]
        sheet.rows[2 * found.depths[high] + (1 if level else -1)].append(_edge_cell(edge, level))
        ends[low].append(Pin(edge.below, 0, True, [(0, BOX)], edge.line))
        ends[high].append(Pin(edge.above, 0, level, [(0, BOX if level else 0)], edge.line))
    for name, pins in ends.items():
        sheet.rows[2 * found.depths[name]].append(_body_cell(name, pins))
    while sheet.rows and not sheet.rows[-1]:
        sheet.rows.pop()
    add_passages(sheet)
    return sheet


def _body_cell(name: str, pins: list[Pin]) -> Cell:
    """Return a box that is wide enough for its name and its lines, with these spread along its edges."""
    most = max(sum(pin.up == up for pin in pins) for up in (False, True))
    width = max(wide([name]) + 2, SPACE * (most + 1))
    for up in (False, True):
        edge = [pin for pin in pins if pin.up == up]
        for number, pin in enumerate(edge):
            pin.x = round((number + 1) * width / (len(edge) + 1))
            pin.path = [(pin.x, y) for _, y in pin.path]
    return Cell(name, [Shape(width, BOX, pins, BodyLook(name, width))], loose=True)


def _edge_cell(edge: Edge, level: bool) -> Cell:
    """Return the picture of a joint or line with its words; between two bodies of one row it is an arch."""
    words = Words(3.0 if level else 1.2, 0.35, edge.label)
    width, height = math.ceil(words.x) + wide(edge.label), max(3, round(LINE * len(edge.label)))
    if not level:
        pins = [Pin(edge.below, 0, False, [(0, 1)], edge.line), Pin(edge.above, 0, True, [(0, 1)], edge.line)]
        return Cell(edge.names[0], [Shape(width, height, pins, EdgeLook(edge, 0, 1, words))])
    shapes = []
    for left, right in ((edge.below, edge.above), (edge.above, edge.below)):
        pins = [Pin(left, 0, False, [(1, 2), (0, 2)], edge.line), Pin(right, 2, False, [(1, 2), (2, 2)], edge.line)]
        shapes.append(Shape(width, height, pins, EdgeLook(edge, 1, 2, words)))
    return Cell(edge.names[0], shapes)
