# SPDX-License-Identifier: BSD-3-Clause
"""What two halves of a machine send each other over TCP: texts of greeting and end, and numbers. wire.py has the bytes.

    text        join, hello, refused, end, failed: docs/foreign_halves.md
    numbers     i64 sequence, f64 time [s], f64 size [s] of the exchange, then f64 in the order of the rows in hello

                from the mechanics      of each row: s, w, three of its course, a; then Y row by row
                from the power side     of each row: mean force, end force, ∫ (H/2 − t) λ dt, value, work

Tested in tests/halves/test_messages.py.
"""

from __future__ import annotations

import hmac
import json
import socket
import struct
import time
from collections.abc import Sequence
from operator import index
from typing import Any, SupportsIndex

from knuckleboom import units
from knuckleboom.errors import KnuckleboomError
from knuckleboom.wire import LOOPBACK, TEXT, Gone, Protocol, Wire, WireError, read_numbers, read_text

__all__ = [
    "HALVES", "LARGEST", "LOOPBACK", "NUMBERS", "PATIENCE", "PORT", "TEXT", "VERSION", "WAIT", "Gone", "HalfError",
    "Lost", "Wire", "WireError", "connect", "encoded", "join", "pack", "port_number", "receive", "same", "seconds",
    "text",
]  # fmt: skip

VERSION, PORT, LAST_PORT = 1, 8362, 65535
NUMBERS = 2
HEAD = struct.Struct("<qdd")
HALVES = Protocol("interface of halves", VERSION, (TEXT, NUMBERS))
LARGEST = 1 << 20
"""Bytes of a message: Y of some hundred rows."""
PATIENCE, WAIT = "10 s", "120 s"
"""How long the other half may be silent in an exchange, and until it is there: it may have to compile."""
ROW_KEYS = ("name", "unit", "force", "valued")
"""What hello says of each row."""
NAP = 0.05
"""s between two tries to connect."""


class HalfError(KnuckleboomError):
    """Another half that cannot be had, or not any more; the text says why."""


class Lost(HalfError):
    """A half that ended or failed, by its own words: `ended` where it came to its end, with its rows there."""

    def __init__(self, text: str, *, ended: bool = False, rows: Any = None) -> None:
        super().__init__(text)
        self.ended, self.rows = ended, read_rows(rows)


def read_rows(given: Any) -> tuple[list[float], list[float]] | None:
    """Values and rates of rows as a text has them; None where it has none."""
    if given is None:
        return None
    try:
        s, w = ([float(value) for value in column] for column in given)
    except (TypeError, ValueError):
        raise WireError("rows that are no two lists of numbers") from None
    return s, w


def seconds(what: str, given: float | str) -> float:
    """A time that a user gave, s."""
    found = units.parse(given, "s") if isinstance(given, str) else float(given)
    if not found > 0.0 or found == float("inf"):
        raise HalfError(f"{what} is {given!r}, which is no time. Give one such as '10 s'.")
    return found


def port_number(given: Any) -> int:
    """A port that a user gave; 0 is any that is free."""
    whole = isinstance(given, SupportsIndex) and not isinstance(given, bool)
    if not whole or not 0 <= index(given) <= LAST_PORT:
        fix = f"Give a number up to {LAST_PORT}, such as {PORT}; a computer's name goes into host='...'."
        raise HalfError(f"port is {given!r}, which is no port. {fix}")
    return index(given)


def pack(sequence: int, moment: float, size: float, values: Sequence[float]) -> bytes:
    """The body of a message of numbers."""
    return HEAD.pack(sequence, moment, size) + struct.pack(f"<{len(values)}d", *values)


def receive(wire: Wire, count: int, patience: float) -> tuple[int, float, float, tuple[float, ...]]:
    """Wait for the next numbers; raise Lost, WireError, Gone or TimeoutError where they do not come."""
    found = wire.receive(patience)
    if found is None:
        raise TimeoutError
    kind, body = found
    if kind == TEXT:
        told = read_text(body)
        if told["type"] == "end":
            raise Lost("it has ended", ended=True, rows=told.get("rows"))
        if told["type"] in ("failed", "refused"):
            raise Lost(f"it {told['type']}: {told.get('reason', '')}")
        raise WireError(f"a text '{told['type'][:50]}' where numbers should come")
    head, values = read_numbers(HEAD, body, count)
    return (*head, values)


def text(wire: Wire, kind: str, patience: float) -> dict[str, Any]:
    """Wait for a text of a type; the same errors."""
    found = wire.receive(patience)
    if found is None:
        raise TimeoutError
    told = read_text(found[1]) if found[0] == TEXT else {"type": "numbers"}
    if told["type"] in ("refused", "failed"):
        raise Lost(f"it {told['type']}: {told.get('reason', '')}")
    if told["type"] != kind:
        raise WireError(f"'{told['type'][:50]}' where '{kind}' should come")
    return told


def connect(host: str, port: int, wait: float) -> socket.socket:
    """Connect, and try again for a time where nobody listens yet: both may be started at once."""
    end = time.monotonic() + wait
    while True:
        try:
            return socket.create_connection((host, port), max(NAP, end - time.monotonic()))
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(NAP)


def join(wire: Wire, computes: str, token: str, wait: float) -> dict[str, Any]:
    """Say who we are, and return the other half's hello, checked."""
    wire.send_text("join", wait, version=VERSION, computes=computes, token=token)
    hello = text(wire, "hello", wait)
    if hello.get("version") != VERSION:
        raise WireError(f"version {hello.get('version')} of the {HALVES.name}, where {VERSION} is spoken here")
    if hello.get("computes") == computes:
        raise Lost(f"both halves compute {'the mechanics' if computes == 'mechanics' else 'the power side'}")
    rows = hello.get("rows")
    whole = isinstance(rows, list) and all(isinstance(row, dict) and set(row) >= set(ROW_KEYS) for row in rows)
    if not whole or not isinstance(hello.get("step"), float | int):
        raise WireError("a hello without rows and step")
    return hello


def same(one: str, other: Any) -> bool:
    """Whether two tokens are the same, in constant time."""
    return hmac.compare_digest(one.encode(), str(other).encode())


def encoded(hello: dict[str, Any]) -> bytes:
    """A text message as bytes."""
    return json.dumps(hello, allow_nan=False).encode()
