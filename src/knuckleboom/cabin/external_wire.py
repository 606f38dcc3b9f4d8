# SPDX-License-Identifier: BSD-3-Clause
"""Messages of the external interface as bytes: what both sides of docs/cabin_external.md share, and nothing but that.

    message     u32 length of the body, u8 kind, u8 version, u16 zero, then the body; all little endian
    TEXT        a JSON object with a `type`: join, hello, start, started, status, refused
    LINE        i64 sequence, i64 step, f64 time [s], u32 drops, u32 stalls, then f64 for each signal that was asked for
    ANSWER      i64 sequence of the line that it answers, then f64 for each input; NaN leaves one to the operator

The bytes are those of wire.py. Needs Python's own library only, so that a controller on another computer needs no more.
Tested in tests/cabin/test_external_wire.py.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence

from knuckleboom import wire
from knuckleboom.wire import TEXT, Gone, Protocol, WireError, read_numbers, read_text

__all__ = [
    "ANSWER", "ANSWER_HEAD", "EXCHANGE", "EXTERNAL_PORT", "LINE", "LINE_HEAD", "TEXT", "VERSION", "Gone", "Wire",
    "WireError", "pack_answer", "read_numbers", "read_text",
]  # fmt: skip

VERSION = 1
EXTERNAL_PORT = 8361
EXCHANGE = 0.002
"""s between two lines, unless given otherwise [Baharudin 2016, publ. IV]."""
LINE, ANSWER = 2, 3
LINE_HEAD = struct.Struct("<qqdII")
ANSWER_HEAD = struct.Struct("<q")
EXTERNAL = Protocol("external interface", VERSION, (TEXT, LINE, ANSWER))


class Wire(wire.Wire):
    """A connection of the external interface."""

    def __init__(self, connection: socket.socket, most: int) -> None:
        super().__init__(connection, most, EXTERNAL)


def pack_answer(sequence: int, values: Sequence[float]) -> bytes:
    """Return the body of an answer."""
    return ANSWER_HEAD.pack(sequence) + struct.pack(f"<{len(values)}d", *values)
