# SPDX-License-Identifier: BSD-3-Clause
"""Messages over TCP as bytes: what all our protocols between programs share, and nothing but that.

    message     u32 length of the body, u8 kind, u8 version, u16 zero, then the body; all little endian
    TEXT        a JSON object with a `type`; other kinds are a head of their own and then numbers, f64

Needs Python's own library only. A body that is longer than it may be is refused before it is read. Who uses it:
cabin/external_wire.py, halves/messages.py. Tested in tests/cabin/test_external_wire.py.
"""

from __future__ import annotations

import ipaddress
import json
import socket
import struct
import time
from typing import Any, NamedTuple, NoReturn

from knuckleboom.errors import KnuckleboomError

LOOPBACK = "127.0.0.1"
TEXT = 1
HEAD = struct.Struct("<IBBH")
PIECE = 65536
"""Bytes that are taken from the system at a time."""


class Protocol(NamedTuple):
    """What two programs speak: its name in messages, its version and its kinds of messages."""

    name: str
    version: int
    kinds: tuple[int, ...]


class WireError(KnuckleboomError):
    """A message that breaks the rules; its text says which."""


class Gone(Exception):
    """The other side has closed the connection."""


class Wire:
    """A connection that sends and receives whole messages; bodies from the other side have `most` bytes at most."""

    def __init__(self, connection: socket.socket, most: int, protocol: Protocol) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection, self.most, self.protocol = connection, most, protocol
        self._held = bytearray()

    def send(self, kind: int, body: bytes, timeout: float) -> None:
        """Send a message; a TimeoutError when the other side does not take it."""
        self.connection.settimeout(timeout)
        try:
            self.connection.sendall(HEAD.pack(len(body), kind, self.protocol.version, 0) + body)
        except TimeoutError:
            raise
        except OSError as error:
            raise Gone from error

    def send_text(self, kind: str, timeout: float, **more: Any) -> None:
        """Send a text message of a type."""
        self.send(TEXT, json.dumps({"type": kind, **more}, allow_nan=False).encode(), timeout)

    def receive(self, timeout: float) -> tuple[int, bytes] | None:
        """Return kind and body of the next message; None when it is not whole after a time, and it goes on later."""
        end = time.monotonic() + timeout
        while (found := self._cut()) is None:
            self.connection.settimeout(max(0.0, end - time.monotonic()))
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
        name, spoken, kinds = self.protocol
        if version != spoken or kind not in kinds or zero != 0:
            raise WireError(f"the bytes are no message of version {spoken} of the {name}")
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


def is_loopback(name: str) -> bool:
    """Whether a name or address without port means this computer only."""
    bare = name.strip("[]")
    if bare.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return False


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


def read_numbers(head: struct.Struct, body: bytes, count: int) -> tuple[tuple[Any, ...], tuple[float, ...]]:
    """Return the head of a message, and the numbers behind it."""
    if len(body) != head.size + 8 * count:
        raise WireError(f"a message of {len(body)} bytes; with {count} numbers it has {head.size + 8 * count}")
    return head.unpack_from(body), struct.unpack_from(f"<{count}d", body, head.size)
