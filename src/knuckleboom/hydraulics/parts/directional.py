# SPDX-License-Identifier: BSD-3-Clause
"""What directional valves share: a spool that follows the input, and metering edges between ports that it opens.

    time_constant τ:   τ·ẏ = u − y          frequency f, damping ζ:   ÿ = ω²·(u − y) − 2·ζ·ω·ẏ,  ω = 2π·f

An edge is named by its ports: PA lets oil from P to A. It opens towards one end of the stroke, +1 or −1 (in valves of
two positions 1 or 0), or in the centre only. `flow` is that of any edge when it is fully open. The opening is
    one of three positions   closed up to the overlap, then in a straight line to 1; with a small smooth corner (`leak`)
    one of two positions     1 at its own end, closed from half the stroke on, give or take half the overlap; smooth
    by a table (`metering`)  what the table says, smooth and monotone between its points, level at its ends and beyond
A table is all of its edge: one of a path that the centre joins must be open in the centre, too, or it is refused.
A proportional valve takes any input, an on-off valve that of its positions; its switching time (to 95 %) is three times
the time constant. Negative overlap is underlap: edges are open together around the centre, or half-way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import BeforeValidator

from knuckleboom.describe import Fault, Net, Part, Port, param
from knuckleboom.hydraulics.parts.between import joined_twice
from knuckleboom.hydraulics.parts.following import follow, following_faults
from knuckleboom.names import closest
from knuckleboom.net import NetSignal, Opening
from knuckleboom.quantities import FlowAt, Frequency, Number, PressureDrop, Time, show


def _pairs(value: Any) -> Any:
    """Return a table as pairs, or say what a table is."""
    value = value.tolist() if hasattr(value, "tolist") else value
    rows = value if isinstance(value, (list, tuple)) else ()
    if len(rows) < 2 or any(not isinstance(row, (list, tuple)) or len(row) != 2 for row in rows):
        raise ValueError(
            f"{show(value)} is not a table; write two or more pairs of spool position and opening: [[0, 0], [1, 1]]"
        )
    return tuple(tuple(row) for row in rows)


Table = Annotated[tuple[tuple[Number, Number], ...], BeforeValidator(_pairs)]
Points = tuple[tuple[float, float], ...]
OPEN = 0.01
"""Opening from which on a path counts as open, far above the leakage of a closed edge."""


class TwoWay(Part):
    """Base of the valves between two ports."""

    P: Port = param("port at the inlet")
    A: Port = param("port at the outlet")


class ThreeWay(Part):
    """Base of the valves between pump, tank and one working port."""

    P: Port = param("port of the pump")
    T: Port = param("port of the tank")
    A: Port = param("port that positive inputs feed")


class FourWay(ThreeWay):
    """Base of the valves between pump, tank and two working ports."""

    B: Port = param("port that negative inputs feed")

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from joined_twice(self, ("A", "B"))


class Directional(Part):
    """Base of the valves whose edges one spool opens; mixed with a base that has their ports."""

    RANGE: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    EDGES: ClassVar[Mapping[str, int]] = {}
    """Edges and the end of the stroke at which they are open: 1, −1 (or rest), 0 in the centre only."""

    flow: FlowAt = param("flow through one fully open edge, and its pressure drop")
    time_constant: Time = param("lag of the spool; 0: it follows at once", "20 ms", least=0)
    overlap: Number = param("fraction of stroke before an edge opens; negative: underlap", 0.0, above=-1, below=1)
    leak: Number = param("fraction of full opening left where an edge just closes", 1e-4, least=0, below=1)
    transition: PressureDrop = param("pressure drop below which the root is smoothed", "2 bar", above=0)
    frequency: Frequency | None = param("natural frequency of the spool; instead of time_constant", None, above=0)
    damping: Number = param("damping ratio of the spool, used with frequency", 0.8, least=0)
    metering: dict[str, Table] = param("openings of edges over spool position: {PA: [[0, 0], [0.4, 0.1], [1, 1]]}", {})

    def edges(self) -> Mapping[str, int]:
        """The edges that this valve has."""
        return self.EDGES

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        yield from following_faults(self)
        yield from joined_twice(self, *((name[0], name[1]) for name in self.edges()))
        for name, points in self.metering.items():
            yield from _table_faults(name, points, list(self.edges()))

    def centre_paths(self) -> Mapping[str, float]:
        """The edges that are open in the centre, and how far."""
        return {}

    def centre_faults(self, centre: str) -> Iterator[Fault]:
        """Yield the tables that close a path which the centre, named as in the text, joins."""
        for edge, opening in self.centre_paths().items():
            points = self.metering.get(edge)
            if points is None or any(len(pair) != 2 for pair in points):
                continue
            there = opening_at(0.0, points)
            if there < min(OPEN, opening):
                rule = f"{centre} joins {edge[0]} and {edge[1]}, but the table of {edge} in metering is closed there"
                kept = sorted({position: share for position, share in points if position != 0.0} | {0.0: opening})
                table = [[position, opening if position == 0.0 else opening_at(position, points)] for position in kept]
                fix = f"Leave {edge} out of metering, or give its opening in the centre, too: {{{edge}: {table}}}"
                yield Fault(f"{rule} ({there:g} at position 0).", fix, field=f"metering.{edge}")

    def points(self, edge: str, end: int) -> Points | None:
        """Openings of an edge over the spool's position where there is no table; None for a straight line."""
        return None

    def opening(self, net: Net, spool: NetSignal, edge: str, end: int) -> Opening:
        """How far the spool opens an edge."""
        points = self.metering.get(edge) or self.points(edge, end)
        return net.edge(spool, float(end), self.overlap, self.leak) if points is None else net.table(spool, points)

    def expand(self, net: Net) -> None:
        self.meter(net, self.move(net), {})

    def move(self, net: Net) -> NetSignal:
        """Write the input and the spool that follows it."""
        low, high = self.RANGE
        command = net.input(0.0, unit="1", meaning=f"spool command, {low:g} to {high:g}", within=self.RANGE, held=True)
        return follow(net, command, self.time_constant, self.frequency, self.damping, "spool")

    def meter(self, net: Net, spool: NetSignal, instead: Mapping[str, Port]) -> None:
        """Write the edges between the valve's ports, or others instead of some."""
        for edge, end in self.edges().items():
            a, b = (instead.get(port) or getattr(self, port) for port in edge)
            net.restrictor(
                a, b, flow=self.flow, opening=self.opening(net, spool, edge, end),
                transition=self.transition, name=edge if len(self.edges()) > 1 else "flow",
            )  # fmt: skip


class TwoPositions(Directional):
    """Base of the valves with a rest position, 0, and one other, 1; an edge with end −1 is open at rest."""

    RANGE: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def points(self, edge: str, end: int) -> Points | None:
        half = 0.5 * (1.0 + end * self.overlap)
        return ((half, self.leak), (1.0, 1.0)) if end > 0 else ((0.0, 1.0), (half, self.leak))


def centred(end: int, opening: float, width: float, leak: float) -> Points:
    """Openings of an edge that is open in the centre and at one end, 1 or −1, or in the centre only, 0."""
    low = (-1.0, 1.0) if end < 0 else (-width, leak)
    high = (1.0, 1.0) if end > 0 else (width, leak)
    return low, (0.0, opening), high


def opening_at(position: float, points: Points) -> float:
    """Opening that a table has at a position, in straight lines between its points and level beyond its ends."""
    positions, openings = zip(*sorted(points), strict=True)
    return float(np.interp(position, positions, openings))


def _table_faults(edge: str, points: Points, edges: list[str]) -> Iterator[Fault]:
    field = f"metering.{edge}"
    if edge not in edges:
        near = tuple(closest(edge, edges))
        fix = "" if near else f"Its edges are {', '.join(edges)}."
        yield Fault(f"metering has a table of '{edge}', which is none of its edges.", fix, field, near)
    positions = [position for position, _ in points]
    if any(later <= earlier for earlier, later in pairwise(positions)):
        yield Fault(f"the positions in the table of {edge} do not rise.", "Sort its pairs, each position once.", field)
    outside = next((pair for pair in points if abs(pair[0]) > 1.0 or not 0.0 <= pair[1] <= 1.0), None)
    if outside is not None:
        rule = f"the table of {edge} has {show(outside)}; positions are -1 to 1 and openings 0 to 1."
        yield Fault(rule, "Give fractions of the stroke and of the full opening.", field)
