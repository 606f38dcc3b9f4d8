# SPDX-License-Identifier: BSD-3-Clause
"""What parts write in a circuit, noted without planning: pressures that they fix, volumes, inputs, ways that
oil can take.

A part gets the same signals, openings and oil as in a plan (machine/expansion.py); its rows have a unit, a label
and bodies, but no place on a tree, as the machine may not hang together yet. Tested by tests/contract/test_net.py
and by the rules that use it, in tests/errors/.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from knuckleboom.describe import Part, Place, Port
from knuckleboom.hydraulics.parts.oil import Oil
from knuckleboom.machine.expanding import ExpandError, expand_part
from knuckleboom.machine.expansion import Expansion
from knuckleboom.machine.machine import GROUND, Machine
from knuckleboom.mechanics.parts.joint import Joint
from knuckleboom.mechanics.parts.shaft_of import ShaftOf
from knuckleboom.net import UNPLANNED, NetSignal, Opening, Row

LEAKS = ("leak", "rod_leak", "rod_leak_a")
"""Names of laminar branches that are leakage of a part, not a way that oil is meant to take."""


class Way(NamedTuple):
    """An orifice from a to b: `open` is its smallest opening, 0..1; with `by` pressures open it, from `setting` on."""

    a: str
    b: str
    open: float = 1.0
    by: Mapping[str, float] | None = None
    setting: float = 0.0


@dataclass
class CircuitRecorder(Expansion):
    """A `Net` that notes what a part does to ports; what a reference should name may be missing."""

    fixed: list[str] = field(default_factory=list, init=False)
    starts: list[float] = field(default_factory=list, init=False)
    ways: list[Way] = field(default_factory=list, init=False)

    # oil

    def volume(self, port: str, size: float, start: float, *, elastic: float = 0.0) -> None:
        super().volume(port, size, start, elastic=elastic)
        self.starts.append(start)

    def pressure(self, port: str, value: float | NetSignal) -> None:
        super().pressure(port, value)
        self.fixed.append(port)

    def _has_oil(self, port: str) -> bool:
        return isinstance(self.machine.parts.get(self.oil_of(port)), Oil)

    def density(self, port: str) -> float:
        return super().density(port) if self._has_oil(port) else 1.0

    def viscosity(self, port: str) -> float:
        return super().viscosity(port) if self._has_oil(port) else 1.0

    def restrictor(self, a: str, b: str, *, opening: float | Opening = 1.0, **size: Any) -> None:
        super().restrictor(a, b, opening=opening, **size)
        self.ways.append(Way(a, b, smallest(opening)))

    def laminar(self, a: str, b: str, *, conductance: float, name: str = LEAKS[0]) -> None:
        super().laminar(a, b, conductance=conductance, name=name)
        if name not in LEAKS:
            self.ways.append(Way(a, b))

    def opened(self, a: str, b: str, *, by: Mapping[str, float], setting: float, full: float, **size: Any) -> None:
        super().opened(a, b, by=by, setting=setting, full=full, **size)
        self.ways.append(Way(a, b, 0.0, by, setting))

    def displacement(
        self, row: Row, a: str | None, b: str | None, displacement: float, setting: NetSignal | None
    ) -> None:  # fmt: skip
        super().displacement(row, a, b, displacement, setting)
        if row.unit == "m^3" and a is not None and b is not None:
            self.ways.append(Way(a, b))  # a column of oil

    def ports(self) -> Iterator[str]:
        """Yield all ports whose pressure is read or oil moved."""
        for branch in self.branches:
            yield from (branch.a, branch.b, *branch.pilots)
        yield from (chamber.port for chamber in self.chambers)
        for state in self.steered_states:
            yield from state.steered.ports if state.steered else ()
        for reading in self.readings:
            yield from (port for port in (reading.high, reading.low) if port)

    # rows

    def _row(self, unit: str, label: str = "", bodies: tuple[str, str] = ("", "")) -> Row:
        row = Row(self.part, UNPLANNED, (UNPLANNED,) * 4, np.full(12, np.nan), unit, label, bodies=bodies)
        self.rows.append(row)
        return row

    def _body(self, place: Place) -> str:
        with contextlib.suppress(KeyError):
            return self.machine.locate(place).body
        return ""

    def length(self, a: Place, b: Place) -> Row:
        return self._row("m", bodies=(self._body(a), self._body(b)))

    def coordinate(self, joint: str, index: int) -> Row:
        part = self.machine.parts.get(joint)
        if not isinstance(part, Joint) or not 0 <= index < len(part.COORDINATES):
            return self._row("m")
        label, kind = part.COORDINATES[index]
        return self._row("rad" if kind == "angle" else "m", label)

    def scalar(self, part: str, title: str = "") -> Row:
        described = self.machine.parts.get(part)
        if isinstance(described, ShaftOf):
            row = self.coordinate(described.joint, described.coordinate)
        else:
            scalar = described.scalar_inertia() if described is not None else None
            row = self._row("rad", "angle") if scalar is None else self._row(scalar.unit, scalar.words[0])
            row.scalar = True
        row.title = title
        return row

    def direction(self, place: Place, direction: tuple[float, float, float], frame: str) -> Row:
        return self._row("m", bodies=(GROUND, self._body(place)))

    def turn(self, body: str, axis: tuple[float, float, float], frame: str) -> Row:
        return self._row("rad", bodies=(GROUND, body))


def smallest(opening: float | Opening) -> float:
    """How far a restrictor is open at least: a table by its points; every other spool can close it."""
    if not isinstance(opening, Opening):
        return opening
    return min((open_by for _, open_by in opening.points), default=0.0)


def record(machine: Machine, part: Part) -> CircuitRecorder:
    """Expand one part; an ExpandError when it cannot be."""
    net = CircuitRecorder(machine)
    net.part = part.name
    expand_part(part, net)
    return net


def expand_parts(machine: Machine) -> Iterator[tuple[Part, CircuitRecorder]]:
    """Expand every part with oil whose own values are right, and yield what was noted."""
    for part in machine.parts.values():
        if not part.PORTS and not any(isinstance(value, Port) for _, value in part.references()):
            continue
        if any(True for _ in part.faults()):
            continue
        with contextlib.suppress(ExpandError):  # which is a problem of its own
            yield part, record(machine, part)


def input_names(machine: Machine) -> Iterator[str]:
    """Yield the names of all inputs, as a run takes them."""
    for part in machine.parts.values():
        if any(True for _ in part.faults()):
            continue
        with contextlib.suppress(ExpandError):
            yield from (signal.path for signal in record(machine, part).inputs)
