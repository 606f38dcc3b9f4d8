# SPDX-License-Identifier: BSD-3-Clause
"""Messages of the external interface as bytes: what both sides of docs/cabin_external.md share, and nothing but that.

    message     u32 length of the body, u8 kind, u8 version, u16 zero, then the body; all little endian
    TEXT        a JSON object with a `type`: join, hello, start, started, status, refused
    LINE        i64 sequence, i64 step, f64 time [s], u32 drops, u32 stalls, then f64 for each signal that was asked for
    ANSWER      i64 sequence of the line that it answers, then f64 for each input; NaN leaves one to the operator

Needs Python's own library only, so that a controller on another computer needs no more. A body that is longer than it
may be is refused before it is read. Tested in tests/cabin/test_external_wire.py.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any, NoReturn

from knuckleboom.errors import KnuckleboomError

VERSION = 1
EXTERNAL_PORT = 8361
EXCHANGE = 0.002
"""s between two lines, unless given otherwise [Baharudin 2016, publ. IV]."""
TEXT, LINE, ANSWER = 1, 2, 3
HEAD = struct.Struct("<IBBH")
LINE_HEAD = struct.Struct("<qqdII")
ANSWER_HEAD = struct.Struct("<q")
PIECE = 65536
"""Bytes that are taken from the system at a time."""


class WireError(KnuckleboomError):
    """A message that breaks the rules; its text says which."""


class Gone(Exception):
    """The other side has closed the connection."""


class Wire:
    """A connection that sends and receives whole messages; bodies from the other side have `most` bytes at most."""

    def __init__(self, connection: socket.socket, most: int) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection, self.most = connection, most
        self._held = bytearray()

    def send(self, kind: int, body: bytes, timeout: float) -> None:
        """Send a message; a TimeoutError when the other side does not take it."""
        self.connection.settimeout(timeout)
        try:
            self.connection.sendall(HEAD.pack(len(body), kind, VERSION, 0) + body)
        except TimeoutError:
            raise
        except OSError as error:
            raise Gone from error

    def send_text(self, kind: str, timeout: float, **more: Any) -> None:
        """Send a text message of a type."""
        self.send(TEXT, json.dumps({"type": kind, **more}, allow_nan=False).encode(), timeout)

    def receive(self, timeout: float) -> tuple[int, bytes] | None:
        """Return kind and body of the next message; None when it is not whole after a time, and it goes on later."""
        while (found := self._cut()) is None:
            self.connection.settimeout(timeout)
            try:
                piece = self.connection.recv(PIECE)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError as error:
                raise Gone from error
            if not piece:
                raise Gone
            self._held += piece
        return found

    def _cut(self) -> tuple[int, bytes] | None:
        """Take the first message out of what has come, if it is whole."""
        if len(self._held) < HEAD.size:
            return None
        length, kind, version, zero = HEAD.unpack_from(self._held)
        if version != VERSION or kind not in (TEXT, LINE, ANSWER) or zero != 0:
            raise WireError(f"the bytes are no message of version {VERSION} of the external interface")
        if length > self.most:
            raise WireError(f"a message of {length} bytes; {self.most} are allowed")
        end = HEAD.size + length
        if len(self._held) < end:
            return None
        body = bytes(self._held[HEAD.size : end])
        del self._held[:end]
        return kind, body

    def close(self) -> None:
        """End the connection so that what was sent last still arrives."""
        try:
            self.connection.shutdown(socket.SHUT_WR)
            # unread bytes would make the system throw away what we sent
            self.connection.settimeout(0.2)
            for _ in range(64):
                if not self.connection.recv(PIECE):
                    break
        except OSError:
            pass
        finally:
            self.connection.close()


def read_text(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a text message."""
    try:
        found = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise WireError("a text message is not JSON") from None
    if not isinstance(found, dict) or not isinstance(found.get("type"), str):
        raise WireError("a text message is not a JSON object with a type")
    return found


def _no_constant(word: str) -> NoReturn:
    raise ValueError(word)


def pack_answer(sequence: int, values: Sequence[float]) -> bytes:
    """Return the body of an answer."""
    return ANSWER_HEAD.pack(sequence) + struct.pack(f"<{len(values)}d", *values)


def read_numbers(head: struct.Struct, body: bytes, count: int) -> tuple[tuple[Any, ...], tuple[float, ...]]:
    """Return the head of a line or an answer, and the numbers behind it."""
    if len(body) != head.size + 8 * count:
        raise WireError(f"a message of {len(body)} bytes; with {count} numbers it has {head.size + 8 * count}")
    return head.unpack_from(body), struct.unpack_from(f"<{count}d", body, head.size)
