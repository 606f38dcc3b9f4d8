# SPDX-License-Identifier: BSD-3-Clause
"""A circuit as lists, texts and numbers that are saved with results, and back.

A report made from a file years later draws the circuit from this, also when its kinds of parts are long unknown. A
symbol that several parts have is kept once. Tested in tests/drawing/test_drawing.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from knuckleboom.machine.circuit import Circuit, CircuitPart, Terminal
from knuckleboom.symbol import End, Path, Round, Stroke, Strokes, Symbol, Text

STROKES: dict[str, type[Path] | type[Round] | type[Text]] = {kind.__name__: kind for kind in (Path, Round, Text)}


def kept(circuit: Circuit) -> dict[str, Any]:
    """Return a circuit as plain data."""
    symbols: list[Symbol] = []
    for part in circuit.parts.values():
        if part.symbol not in symbols:
            symbols.append(part.symbol)
    return {
        "machine": circuit.machine,
        "symbols": [_plain(symbol) for symbol in symbols],
        "parts": [
            {
                "name": one.name,
                "kind": one.kind,
                "datum": one.datum,
                "nets": one.nets,
                "symbol": symbols.index(one.symbol),
            }
            for one in circuit.parts.values()
        ],
    }


def recalled(data: Mapping[str, Any]) -> Circuit:
    """Return the circuit of plain data."""
    symbols = [_symbol(one) for one in data["symbols"]]
    parts: dict[str, CircuitPart] = {}
    nets: dict[str, list[Terminal]] = {}
    for one in data["parts"]:
        parts[one["name"]] = CircuitPart(one["name"], one["kind"], symbols[one["symbol"]], one["datum"], one["nets"])
        for port, net in one["nets"].items():
            nets.setdefault(net, []).append(Terminal(one["name"], port))
    return Circuit(data["machine"], parts, nets)


def _plain(symbol: Symbol) -> dict[str, Any]:
    """Return all of a symbol but its datum, which the part has written out."""
    return {
        "size": [symbol.width, symbol.height],
        "ports": {port: list(end) for port, end in symbol.ends.items()},
        "strokes": _listed(symbol.strokes),
        "leads": {port: _listed(strokes) for port, strokes in symbol.leads.items()},
        "level": symbol.level,
        "label": symbol.label,
        "local": symbol.local,
        "quiet": list(symbol.quiet),
    }


def _listed(strokes: Strokes) -> list[list[Any]]:
    return [[type(stroke).__name__, *stroke] for stroke in strokes]


def _symbol(data: Mapping[str, Any]) -> Symbol:
    width, height = data["size"]
    return Symbol(
        width, height, {port: End(*end) for port, end in data["ports"].items()}, _strokes(data["strokes"]),
        level=data["level"], label=data["label"], local=data["local"], quiet=tuple(data["quiet"]),
        leads={port: _strokes(listed) for port, listed in data["leads"].items()},
    )  # fmt: skip


def _strokes(listed: Iterable[list[Any]]) -> Strokes:
    found: list[Stroke] = [STROKES[kind](*values) for kind, *values in listed]
    return tuple(found)
