# SPDX-License-Identifier: BSD-3-Clause
"""Hostile clients: a thousand bad messages, floods, wrong tokens, foreign pages, paths that lead out. The server stays
up, the driver drives on without noticing, and each refusal has its reason in the log.
"""

import contextlib
import json
import random
import socket
import struct
import threading

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cabin.fake_cabin import FakeSource, Running, logged, running, until
from cabin.test_server import fetch, handshake, open_websocket
from knuckleboom.cabin import limits
from knuckleboom.cabin.access import Access
from knuckleboom.cabin.frame import pack_levers


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy computer may keep a driver silent for a second; that is not what is looked at here."""
    monkeypatch.setattr(limits, "SILENCE", 60.0)


class Driver(threading.Thread):
    """Drives in a thread of its own and counts what it gets."""

    def __init__(self, server: Running) -> None:
        super().__init__()
        self.client = server.client(f"?token={server.access.token}")
        self.client.text("hello")
        self.going, self.sent, self.frames, self.faults = True, 0, 0, []

    def run(self) -> None:
        try:
            while self.going:
                self.sent = self.client.levers(0.5, 200.0)
                self.client.frame()
                self.frames += 1
        except Exception as fault:
            self.faults.append(fault)

    def end(self) -> None:
        self.going = False
        self.join()
        self.client.socket.close()


def bad_messages(count: int) -> list[bytes | str]:
    """Messages of which none is right: random bytes, random text, JSON of the wrong kind, levers that are spoiled."""
    rng = random.Random(8)
    good = pack_levers(1, np.array([0.5, 200.0], np.float32))
    found: list[bytes | str] = []
    while len(found) < count:
        match len(found) % 8:
            case 0:
                found.append(rng.randbytes(rng.randrange(200)))
            case 1:
                found.append("".join(chr(rng.randrange(32, 0x2FF)) for _ in range(rng.randrange(1, 200))))
            case 2:
                found.append(json.dumps({"type": rng.choice(["drive", "Take", "", "__class__", "quit", "eval"])}))
            case 3:
                found.append(json.dumps([{"type": "take"}] * rng.randrange(1, 9)))
            case 4:
                found.append(json.dumps({"type": "speed", "value": rng.choice([-1, 0, 1e300, "1", None, [], True])}))
            case 5:
                # a lever message with one thing wrong: kind, version, count, length, a number
                spoiled = bytearray(good)
                where = rng.choice([0, 1, 2])
                spoiled[where] ^= 1 << rng.randrange(8)
                found.append(bytes(spoiled))
            case 6:
                found.append(good[: rng.randrange(len(good))] if rng.random() < 0.5 else good + rng.randbytes(4))
            case 7:
                found.append(good[:8] + struct.pack("<2f", *rng.choice([(np.nan, 0), (0, np.inf), (-np.inf, 0)])))
    return found


@pytest.mark.slow
def test_a_thousand_malformed_messages(caplog: pytest.LogCaptureFixture) -> None:
    with running() as server:
        driver = Driver(server)
        driver.start()
        messages = bad_messages(1000)
        for message in messages:
            with server.client() as client:
                client.socket.send(message)
                code, reason = client.ended()
                assert code == limits.MALFORMED, (message, reason)
                assert reason
        assert server.source.centred == 0 and server.source.asked == []
        driver.end()
        assert driver.faults == []
        assert driver.frames > 100
        steered = [levers for _, levers in server.source.steered]
        assert all(levers == [0.5, 200.0] for levers in steered)
    refusals = [text for text in logged(caplog) if text.startswith("closed client")]
    assert len(refusals) == 1000
    assert all(": " in text and len(text.split(": ", 1)[1]) > 10 for text in refusals)


def test_messages_that_are_too_large(caplog: pytest.LogCaptureFixture) -> None:
    with running() as server:
        driver = Driver(server)
        driver.start()
        for message in (b"\2" * 4097, "x" * 5000, b"\0" * 1_000_000, "ü" * 4000):
            with server.client() as client:
                client.text("hello")
                try:
                    client.socket.send(message)
                    code, _ = client.ended()
                except ConnectionClosed as closed:  # it was closed while we still wrote
                    code = closed.rcvd.code if closed.rcvd is not None else limits.TOO_LARGE
                assert code in (limits.TOO_LARGE, 1006)
        # in pieces, too
        with server.client() as client:
            client.text("hello")
            with contextlib.suppress(ConnectionClosed):
                client.socket.send(b"\2" * 1000 for _ in range(50))
            assert client.ended()[0] in (limits.TOO_LARGE, 1006)
        driver.end()
        assert driver.faults == []
    assert sum("a message of more than 4096 bytes" in text for text in logged(caplog)) == 5


def test_levers_out_of_order(caplog: pytest.LogCaptureFixture) -> None:
    with running() as server:
        for again in (5, 4, 0):
            with server.client() as client:
                client.text("hello")
                client.levers(0.1, 200.0, sequence=5)
                client.levers(0.2, 200.0, sequence=again)
                assert client.ended()[0] == limits.OUT_OF_ORDER
        assert [levers[0] for _, levers in server.source.steered] == pytest.approx([0.1] * 3)
    assert sum("after 5" in text for text in logged(caplog)) == 3


def test_floods(caplog: pytest.LogCaptureFixture) -> None:
    with running() as server:
        driver = Driver(server)
        driver.start()
        for message in ('{"type": "take"}', pack_levers, '{"type": "subscribe", "signals": []}'):
            with server.client() as client:
                client.text("hello")
                with contextlib.suppress(ConnectionClosed):
                    for number in range(20_000):
                        levers = np.zeros(2, np.float32)
                        client.socket.send(message if isinstance(message, str) else message(number + 1, levers))
                assert client.ended()[0] in (limits.TOO_MANY, 1006)
        until(lambda: driver.frames > 10)  # on a fast computer the floods are over sooner
        driver.end()
        assert driver.faults == []
        assert {levers[0] for _, levers in server.source.steered} == {0.5}
    assert sum("more than 240 messages a second" in text for text in logged(caplog)) == 3


def test_unknown_names_do_not_keep_the_driver_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for closest names is slow and everybody waits for it: once a second at most, and of short names."""
    looked: list[str] = []

    def closest(name: str, known: object) -> list[str]:
        looked.append(name)
        return ["lift.a.pressure"]

    monkeypatch.setattr("knuckleboom.cabin.server.closest", closest)
    monkeypatch.setattr(limits, "ADVICE", 3600.0)
    with running() as server:
        driver = Driver(server)
        driver.start()
        with server.client() as client:
            client.text("hello")
            with contextlib.suppress(ConnectionClosed):
                for _ in range(300):
                    client.say("subscribe", signals=["lift.a.presure" * 200])
            assert client.ended()[0] in (limits.TOO_MANY, 1006)
        before = driver.frames
        until(lambda: driver.frames > before)
        driver.end()
        assert driver.faults == []
    assert looked == [("lift.a.presure" * 200)[:80]]


def test_reasons_in_letters_of_many_bytes() -> None:
    with running() as server, server.client() as client:
        client.say("\N{GRINNING FACE}" * 40)
        code, reason = client.ended()
    assert code == limits.MALFORMED
    assert reason.startswith("there is no message of type '\N{GRINNING FACE}")
    assert 116 < len(reason.encode()) <= 123


def test_what_clients_write_cannot_forge_the_log(caplog: pytest.LogCaptureFixture) -> None:
    forged = "gone\n12:00:00 closed client 1 (127.0.0.1): too many"
    with running() as server:
        with server.client() as client:
            client.text("hello")
            client.socket.close(1002, forged)
        with server.client() as client:
            client.say(forged)
            client.ended()
        until(lambda: len(server.cabin.crew.members) == 0)
    assert len(logged(caplog)) == 2
    assert not any("\n" in text for text in logged(caplog))


def test_bytes_that_are_no_websocket(caplog: pytest.LogCaptureFixture) -> None:
    rng = random.Random(3)
    with running() as server:
        driver = Driver(server)
        driver.start()
        for _ in range(20):
            raw = open_websocket(server.port)
            raw.sendall(b"\xff" + rng.randbytes(300))
            raw.settimeout(5.0)
            with pytest.raises((ConnectionError, StopIteration)):
                while raw.recv(65536):
                    pass
                raise StopIteration
            raw.close()
        # text that is not UTF-8: opcode 1, masked with zeros
        raw = open_websocket(server.port)
        raw.sendall(bytes([0x81, 0x82, 0, 0, 0, 0]) + b"\xff\xfe")
        while raw.recv(65536):
            pass
        raw.close()
        for junk in (b"\0" * 100, b"GET /live\r\n\r\n", b"\x16\x03\x01" + rng.randbytes(100)):
            raw = socket.create_connection(("127.0.0.1", server.port))
            raw.sendall(junk)
            raw.close()
        driver.end()
        assert driver.faults == []
        until(lambda: len(server.cabin.crew.members) == 0)
    assert sum(text.startswith("closed client") for text in logged(caplog)) == 21


def test_wrong_tokens(caplog: pytest.LogCaptureFixture) -> None:
    access = Access.choose("0.0.0.0", "right")
    with running(access=access) as server:
        driver = Driver(server)
        driver.start()
        for query in ("", "?token=", "?token=wrong", "?token=right%20", "?token=RIGHT", "?tok=right", "?token=%ff"):
            with server.client(query) as client:
                code, reason = client.ended()
                assert code == limits.NO_TOKEN
                assert reason in ("a token is needed", "the token is wrong")
        driver.end()
        assert driver.faults == []
        assert len(server.cabin.crew.members) <= 1
    assert sum("token" in text for text in logged(caplog)) == 7
    assert not any("right" in text for text in logged(caplog))


def test_wrong_origins_and_hosts(caplog: pytest.LogCaptureFixture) -> None:
    with running() as server:
        own = f"http://127.0.0.1:{server.port}"
        with server.client(origin=own) as client:
            client.text("hello")
        for origin in ("http://evil.example", f"{own}.evil.example", "null", "http://127.0.0.1:1"):
            with pytest.raises(InvalidStatus) as refused:
                server.client(origin=origin)
            assert refused.value.response.status_code == 403
        # a foreign name that was made to lead here
        foreign = handshake(server.port, host="evil.example", origin="http://evil.example")
        assert foreign.recv(12) == b"HTTP/1.1 403"
        foreign.close()
        assert fetch(server.port, "/", headers={"Host": "evil.example"}).status == 403
        with pytest.raises(InvalidStatus):
            server.client(subprotocols=["knuckleboom.2"])
    assert sum("may not connect" in text for text in logged(caplog)) == 4
    assert sum("is not this computer" in text for text in logged(caplog)) == 2
    assert sum("speaks knuckleboom.1" in text for text in logged(caplog)) == 1


PATHS = (
    "/../pyproject.toml", "/..%2f..%2fserver.py", "/%2e%2e/%2e%2e/etc/passwd", "/assets/../../server.py",
    "//etc/passwd", "/assets/..%5c..%5cserver.py", "/index.html%00.js", "/./index.html", "/assets//main-1.js",
    "/INDEX.HTML", "/.git/config", "/index.html/", "/assets/", "/assets", "/%00", "/~root", "/server.py", "/live/x",
    "/?../../server.py/../x", "/%252e%252e/x", "/" + "a" * 4000, "http://evil.example/x",
)  # fmt: skip


def test_paths_that_lead_out(caplog: pytest.LogCaptureFixture) -> None:
    with running() as server:
        for path in PATHS:
            answer = fetch(server.port, path)
            if path.startswith("/?"):
                assert answer.status == 200 and "cabin" in answer.text  # what follows a question mark is no path
                continue
            assert answer.status == (404 if path.startswith("/") else 403), path
            assert "import" not in answer.text and "root:" not in answer.text
        with pytest.raises(InvalidStatus):
            handshaken = server.client()
            handshaken.socket.close()
            server.client("/../live")
    refused = [text for text in logged(caplog) if text.startswith("refused GET")]
    assert len(refused) == len(PATHS) - 1


def test_more_clients_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(limits, "CLIENTS", 3)
    with running() as server:
        clients = [server.client() for _ in range(3)]
        for client in clients:
            client.text("hello")
        with server.client() as fourth:
            assert fourth.ended() == (limits.FULL, "3 clients are connected already")
        clients.pop().socket.close()
        until(lambda: len(server.cabin.crew.members) == 2)
        with server.client() as fourth:
            fourth.text("hello")
        for client in clients:
            client.frame()
            client.socket.close()
    assert sum("3 clients are connected already" in text for text in logged(caplog)) == 1


def test_levers_before_the_machine_is_known() -> None:
    with running(FakeSource(opens_after=0.5)) as server, server.client() as client:
        client.levers(1.0, 1.0)
        assert client.ended() == (limits.MALFORMED, "a lever message before the machine is known")
