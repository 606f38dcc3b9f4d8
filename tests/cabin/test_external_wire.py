# SPDX-License-Identifier: BSD-3-Clause
"""Messages of the external interface: the documented bytes, pieces, and what is refused before it is read."""

import json
import socket
import struct

import pytest

from knuckleboom.cabin.external_wire import (
    ANSWER,
    ANSWER_HEAD,
    LINE,
    LINE_HEAD,
    TEXT,
    Gone,
    Wire,
    WireError,
    pack_answer,
    read_numbers,
    read_text,
)


@pytest.fixture
def ends():
    one, other = tcp_pair()
    yield Wire(one, 1000), other
    one.close()
    other.close()


def tcp_pair():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen(1)
        one = socket.create_connection(door.getsockname())
        return one, door.accept()[0]


def test_an_answer_has_the_documented_bytes(ends):
    wire, other = ends
    wire.send(ANSWER, pack_answer(7, [0.5, -1.0]), 1.0)
    body = struct.pack("<q2d", 7, 0.5, -1.0)
    assert other.recv(1000) == struct.pack("<IBBH", 24, 3, 1, 0) + body
    assert read_numbers(ANSWER_HEAD, body, 2) == ((7,), (0.5, -1.0))


def test_a_line_has_the_documented_bytes():
    body = struct.pack("<qqdII", 3, 4, 0.004, 1, 2) + struct.pack("<d", 2.5)
    assert read_numbers(LINE_HEAD, body, 1) == ((3, 4, 0.004, 1, 2), (2.5,))
    for wrong in (body[:-1], body + b"\0", b""):
        with pytest.raises(WireError, match="with 1 numbers it has 40"):
            read_numbers(LINE_HEAD, wrong, 1)


def test_messages_come_in_pieces_and_several_at_once(ends):
    wire, other = ends
    text = json.dumps({"type": "join"}).encode()
    data = struct.pack("<IBBH", len(text), TEXT, 1, 0) + text + struct.pack("<IBBHq", 8, ANSWER, 1, 0, 5)
    for place in range(0, len(data), 7):
        other.sendall(data[place : place + 7])
        if place < len(text):
            assert wire.receive(0.01) is None
    assert wire.receive(1.0) == (TEXT, text)
    assert read_text(text) == {"type": "join"}
    assert wire.receive(1.0) == (ANSWER, struct.pack("<q", 5))
    other.close()
    with pytest.raises(Gone):
        wire.receive(1.0)


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ((1001, TEXT, 1, 0), "a message of 1001 bytes; 1000 are allowed"),
        ((2**32 - 1, LINE, 1, 0), "1000 are allowed"),
        ((0, 4, 1, 0), "no message of version 1"),
        ((0, TEXT, 2, 0), "no message of version 1"),
        ((0, TEXT, 1, 9), "no message of version 1"),
    ],
)
def test_a_wrong_head_is_refused_before_its_body_comes(ends, head, text):
    wire, other = ends
    other.sendall(struct.pack("<IBBH", *head))
    with pytest.raises(WireError, match=text):
        wire.receive(1.0)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"type": 1}', b"\xff\xfe", b'{"type": NaN}', b"[" * 900])
def test_text_that_is_none(body):
    with pytest.raises(WireError, match="a text message is not"):
        read_text(body)


def test_what_nobody_takes_is_a_timeout(ends):
    wire, _ = ends
    with pytest.raises(TimeoutError):
        wire.send(LINE, bytes(50_000_000), 0.05)
