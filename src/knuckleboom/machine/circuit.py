# SPDX-License-Identifier: BSD-3-Clause
"""Circuit of a machine: its parts that have oil, and which of their ports share a pressure, as plain data.

A *net* is a port that a part has of its own ("lift.a") with every port that is joined to it. A part without a symbol,
or whose symbol has not all of its ports, is a box with its ports around it. What a drawing makes of it is in drawing/.
Tested in tests/drawing/test_drawing.py.
"""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from knuckleboom.describe import Part, Port
from knuckleboom.machine.machine import Machine
from knuckleboom.symbol import Point, Symbol, box, text
from knuckleboom.units import COMMON, HUMAN


class Terminal(NamedTuple):
    """One port of a part: a field that names a port of another, or a port of its own."""

    part: str
    port: str


@dataclass(frozen=True)
class CircuitPart:
    """A part as it is drawn: its picture, the figure beside its name, and the net at each of its ports."""

    name: str
    kind: str
    symbol: Symbol
    datum: str
    nets: dict[str, str]


@dataclass(frozen=True)
class Circuit:
    """All parts of a machine that have oil, and its nets."""

    machine: str
    parts: dict[str, CircuitPart]
    nets: dict[str, list[Terminal]]

    def document(self) -> dict[str, Any]:
        """Return it as plain data; the keys are described in docs/cli.md under `info`."""
        return {
            "parts": [
                {
                    "name": part.name,
                    "kind": part.kind,
                    "datum": part.datum,
                    "width": part.symbol.width,
                    "height": part.symbol.height,
                    "ports": [
                        {"port": port, "net": net, "line": part.symbol.ends[port].line}
                        for port, net in part.nets.items()
                    ],
                }
                for part in self.parts.values()
            ],
            "nets": [
                {"name": net, "ends": [{"part": part, "port": port} for part, port in ends]}
                for net, ends in self.nets.items()
            ],
        }


def circuit(machine: Machine) -> Circuit:
    """Return the parts that have oil, in order, and the nets between them."""
    parts: dict[str, CircuitPart] = {}
    nets: dict[str, list[Terminal]] = {}
    for part in machine.parts.values():
        joined = dict(_joined(part))
        if not joined:
            continue
        drawn = part.symbol()
        if drawn is None or not joined.keys() <= drawn.ends.keys():
            drawn = plain_box(part.KIND, tuple(joined), part.PORTS)
        parts[part.name] = CircuitPart(part.name, part.KIND, drawn, datum(part, drawn), joined)
        for port, net in joined.items():
            nets.setdefault(net, []).append(Terminal(part.name, port))
    return Circuit(machine.name, parts, nets)


def _joined(part: Part) -> Iterator[tuple[str, str]]:
    """Yield the ports of a part, its own first, each with the net it belongs to; those of a list as field[0], …"""
    for port in part.PORTS:
        yield port, str(part.port(port))
    named = [(field, value) for field, value in part.references() if isinstance(value, Port)]
    several = {field for field, count in Counter(field for field, _ in named).items() if count > 1}
    for number, (field, value) in enumerate(named):
        place = sum(other == field for other, _ in named[:number])
        yield f"{field}[{place}]" if field in several else field, str(value)


def plain_box(kind: str, ports: tuple[str, ...], own: tuple[str, ...]) -> Symbol:
    """Return a box with its own ports above and the others below, for a part that states no symbol."""
    above = [port for port in ports if port in own]
    below = [port for port in ports if port not in own]
    width = 0.5 * math.ceil(max(2.0, 0.3 * len(kind), 1.0 + max(len(above), len(below))))
    places: dict[str, Point] = {port: (0.25 + 0.5 * number, 1.0) for number, port in enumerate(above)}
    places |= {port: (0.25 + 0.5 * number, 0.0) for number, port in enumerate(below)}
    return Symbol(width, 1.0, places, box(0.0, 0.0, width, 1.0) + text(0.5 * width, 0.5, kind.replace("_", " ")))


# --- the figure beside the name ---------------------------------------------------------------------------------------


class _Settings(string.Formatter):
    """Writes {field:unit} as the part's setting in that unit, with as many digits as it takes up to four."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return an SI number in a unit, or a value as it is."""
        if not format_spec:
            return str(value)
        number = value / SIZES[format_spec]
        return f"{number:.0f}" if 1e4 <= abs(number) < 1e6 else f"{number:.4g}"


SIZES = {
    **{unit: size for units in COMMON.values() for unit, size in units.items()},
    **dict(HUMAN.values()),
    "rpm": math.tau / 60.0,
    "cm3": 1e-6,
    "1": 1.0,
    "%": 0.01,
}
"""Units that a datum may be written in, in SI."""


def datum(part: Part, symbol: Symbol) -> str:
    """Return the figure beside a part's name; "" where no setting for it is given."""
    templates = [symbol.datum] if isinstance(symbol.datum, str) else list(symbol.datum)
    for template in templates:
        fields = [str(name).split("[")[0] for _, name, _, _ in string.Formatter().parse(template) if name is not None]
        if all(getattr(part, field, None) is not None for field in fields):
            return _Settings().format(template, **{field: getattr(part, field) for field in fields})
    return ""
