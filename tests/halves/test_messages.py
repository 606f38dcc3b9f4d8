# SPDX-License-Identifier: BSD-3-Clause
"""Messages of the interface of halves as bytes, written by hand; and what is no message."""

import json
import socket
import struct

import pytest

from knuckleboom.halves import messages
from knuckleboom.wire import Wire, WireError


@pytest.fixture
def ends():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = socket.create_connection(listener.getsockname())
        other, _ = listener.accept()
    with one, other:
        yield one, Wire(other, 1000, messages.HALVES)


def test_numbers_as_bytes(ends):
    raw, wire = ends
    body = messages.pack(7, 0.25, 0.005, [1.5, -2.0])
    assert body == struct.pack("<qdddd", 7, 0.25, 0.005, 1.5, -2.0)
    raw.sendall(struct.pack("<IBBH", len(body), 2, 1, 0) + body)
    assert messages.receive(wire, 2, 1.0) == (7, 0.25, 0.005, (1.5, -2.0))


def test_an_end_with_rows(ends):
    raw, wire = ends
    text = json.dumps({"type": "end", "rows": [[1.25], [0.1]]}).encode()
    raw.sendall(struct.pack("<IBBH", len(text), 1, 1, 0) + text)
    with pytest.raises(messages.Lost) as ended:
        messages.receive(wire, 1, 1.0)
    assert ended.value.ended and ended.value.rows == ([1.25], [0.1])


@pytest.mark.parametrize(
    ("kind", "body", "reason"),
    [
        (3, b"", "the bytes are no message of version 1 of the interface of halves"),
        (2, b"x" * 2000, "a message of 2000 bytes; 1000 are allowed"),
        (2, b"x" * 32, "a message of 32 bytes; with 2 numbers it has 40"),
        (1, b"[1]", "a text message is not a JSON object with a type"),
        (1, b'{"type": "hello"}', "a text 'hello' where numbers should come"),
        (1, b'{"type": "end", "rows": [[1], ["x"]]}', "rows that are no two lists of numbers"),
    ],
)
def test_what_is_no_message(ends, kind, body, reason):
    raw, wire = ends
    raw.sendall(struct.pack("<IBBH", len(body), kind, 1, 0) + body)
    with pytest.raises(WireError, match=reason):
        messages.receive(wire, 2, 1.0)


def test_silence_and_a_connection_that_is_gone(ends):
    raw, wire = ends
    with pytest.raises(TimeoutError):
        messages.receive(wire, 1, 0.01)
    raw.close()
    with pytest.raises(messages.Gone):
        messages.receive(wire, 1, 1.0)
