# SPDX-License-Identifier: BSD-3-Clause
"""The server as its clients see it: greeting, frames, roles, levers, slow readers, the page."""

import http.client
import socket
import time

import numpy as np
import pytest

from cabin.fake_cabin import REST, FakeSource, Running, logged, running, until
from knuckleboom.cabin import frame, limits
from knuckleboom.cabin import server as rhythm
from knuckleboom.cabin.page_files import NOT_BUILT, read_page
from knuckleboom.cabin.watch import MANY
from knuckleboom.errors import KnuckleboomError


def test_hello_has_everything() -> None:
    with running() as server, server.client() as client:
        hello = client.text("hello")

    assert set(hello) == {
        "type", "version", "client", "mode", "machine", "title", "step", "inputs", "signals", "scene", "gauges",
        "controls", "warnings", "token_needed", "duration",
    }  # fmt: skip
    assert (hello["version"], hello["client"], hello["mode"], hello["token_needed"]) == (1, 1, "live", False)
    assert set(hello["scene"]) == {"bodies", "solids", "lines", "bounds", "size"}
    assert [one["path"] for one in hello["signals"]][:2] == ["arm.position.x", "arm.position.y"]
    assert [one["kind"] for one in hello["warnings"]] == ["cavitation", "deadline"]
    assert hello["controls"] == {"default": {"right.y": ["boom", 1, "boom", "−", "+"]}}


def test_frames_show_what_was_subscribed_to() -> None:
    with running() as server, server.client() as client:
        client.text("hello")
        assert client.frame().signals.size == 0
        client.say("subscribe", signals=["lift.a.pressure", "arm.orientation.w"])
        until(lambda: client.frame().signals.size == 2)
        one = client.frame()
        assert one.signals[0] == pytest.approx(1e5 * (1 + one.time), rel=1e-6)
        assert one.signals[1] == pytest.approx(np.cos(one.time / 2), rel=1e-6)
        assert one.poses[0, 3] == one.signals[1]
        np.testing.assert_array_equal(one.levers, REST)
        assert not one.warnings.any()


def test_unknown_signal_is_answered_with_the_closest() -> None:
    with running() as server, server.client() as client:
        client.text("hello")
        client.say("subscribe", signals=["lift.a.presure"])
        assert client.text("refused")["reason"] == (
            "There is no signal 'lift.a.presure'. Closest names: lift.a.pressure."
        )
        client.frame()


@pytest.mark.slow
def test_missed_deadlines_are_a_warning() -> None:
    with running() as server, server.client() as client:
        client.text("hello")
        client.frame()
        server.source.missed = MANY
        until(lambda: client.frame().warnings[-1])
        assert client.frame().missed == MANY
        until(lambda: not client.frame().warnings[-1])


@pytest.mark.slow
def test_clients_hear_of_the_machine_before_it_is_ready() -> None:
    with running(FakeSource(opens_after=0.6)) as server, server.client() as client:
        status = client.text("status")
        assert (status["state"], status["message"]) == ("starting", "compiling …")
        assert status["speed"] is status["reached"] is status["step_mean_us"] is None
        client.say("pause")
        assert client.text("refused")["reason"] == "The machine is not ready yet."
        client.say("subscribe", signals=["lift.a.pressure"])
        assert client.text("refused")["reason"] == "The machine is not known yet: wait for hello."
        client.text("hello")
        client.text("status", state="running")
        client.frame()


def test_machine_that_cannot_be_made_ready_ends_the_server_after_saying_why() -> None:
    fault = KnuckleboomError("'boom' has no mass.")
    server = Running(FakeSource(opens_after=0.3, failure=fault))
    server.start()
    with server.client() as client:
        assert client.text("status", state="failed")["message"] == "'boom' has no mass."
        client.ended()
    server.join()
    assert server.failure is fault


def test_levers_are_clipped_and_come_back_applied() -> None:
    with running() as server, server.client() as client:
        client.text("hello")
        sequence = client.levers(-7.0, 1e9)
        until(lambda: client.frame().applied == sequence)
        np.testing.assert_array_equal(client.frame().levers, [-1.0, 300.0])


def test_second_client_watches_and_takes_over_on_release() -> None:
    with running() as server, server.client() as first, server.client() as second:
        assert first.text("role", clients=2)["driver"]
        role = second.text("role", clients=2)
        assert not role["driver"] and role["driver_present"]
        for client in (first, second):
            client.text("hello")

        # its levers and commands have no effect
        second.levers(1.0, 0.0)
        assert second.text("refused")["reason"] == "Somebody else holds the levers."
        second.say("pause")
        assert second.text("refused")["reason"] == "Only who holds the levers may do that."
        second.say("take")
        assert "you are next" in second.text("refused")["reason"]
        assert server.source.steered == [] and server.source.asked == []

        first.levers(0.5, 200.0)
        until(lambda: server.source.levers[0] == 0.5)
        first.say("release")
        assert second.text("role", driver=True)["driver_present"]
        assert not first.text("role", driver=False)["driver"]
        np.testing.assert_array_equal(server.source.levers, REST)
        second.levers(-0.5, 200.0)
        until(lambda: server.source.levers[0] == -0.5)


def test_driver_that_disappears_lets_go_at_once() -> None:
    with running() as server, server.client() as watcher:
        watcher.text("hello")
        watcher.say("release")
        watcher.text("role", driver_present=False)
        driver = server.client()
        driver.text("hello")
        driver.levers(1.0, 250.0)
        until(lambda: server.source.levers[0] == 1.0)
        # no goodbye: the line is cut
        driver.socket.socket.shutdown(socket.SHUT_RDWR)
        watcher.text("role", driver_present=False, clients=1)
        np.testing.assert_array_equal(server.source.levers, REST)
        watcher.say("take")
        watcher.text("role", driver=True)


@pytest.mark.slow
def test_silent_driver_lets_go_after_a_second_and_drives_on() -> None:
    with running() as server, server.client() as driver:
        driver.text("hello")
        driver.levers(1.0, 250.0)
        until(lambda: server.source.levers[0] == 1.0)
        begun = time.monotonic()
        until(lambda: server.source.levers[0] == 0.0)
        assert time.monotonic() - begun >= limits.SILENCE - 0.1
        assert server.source.centred == 1
        driver.levers(0.25, 250.0)
        until(lambda: server.source.levers[0] == 0.25)


def test_commands_of_the_driver() -> None:
    with running() as server, server.client() as client:
        client.text("hello")
        client.say("speed", value=0.1)
        client.say("record", on=True)
        for kind in ("pause", "step", "resume", "reset"):
            client.say(kind)
        client.say("seek", time=1.0)
        assert client.text("refused")["reason"] == "A machine that runs has no other times."
        asked = [(message.kind, message.value) for message in server.source.asked]
        assert asked == [
            ("speed", 0.1), ("record", True), ("pause", None), ("step", None), ("resume", None), ("reset", None),
            ("seek", 1.0),
        ]  # fmt: skip


@pytest.mark.slow
def test_slow_reader_gets_the_newest_frames_and_slows_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """A client that reads nothing for three seconds, with a large subscription so that its line fills up."""
    with running() as server, server.client() as other:
        slow = server.client(max_queue=1)
        slow.text("hello")
        slow.say("subscribe", signals=["lift.a.pressure"] * 200)
        other.text("hello")
        first = last = other.frame()
        while last.sequence - first.sequence < 150:
            last = other.frame()
        # the other one has kept up: what it reads now is new
        assert server.cabin._frames - last.sequence < 5
        waiting = next(one for one in server.cabin.crew.members if one.number == 2)
        assert len(waiting._texts) <= 64
        # the slow one has missed frames: after the few that its line holds come new ones, none of those between
        until(lambda: slow.frame().sequence > last.sequence)
        read = slow.frame().sequence
        assert slow.frame().sequence > read
        assert slow.read < 100
        slow.socket.close()


@pytest.mark.slow
def test_reader_that_never_reads_is_closed(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PATIENCE", 0.5)
    with running() as server, server.client() as other:
        other.text("hello")
        raw = open_websocket(server.port)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        until(lambda: len(server.cabin.crew.members) == 2)
        stuck = server.cabin.crew.members[1]
        stuck.columns = np.zeros(20_000, np.intp)
        until(lambda: other.frame() and len(server.cabin.crew.members) == 1, wait=20.0)
        raw.close()
        other.frame()
    assert [text.split(" (")[0] for text in logged(caplog) if "nothing read for 0.5 s" in text] == ["closed client 2"]


def handshake(port: int, host: str = "", origin: str = "") -> socket.socket:
    """Ask for a WebSocket by hand."""
    raw = socket.create_connection(("127.0.0.1", port))
    lines = [
        "GET /live HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: {frame.SUBPROTOCOL}", *([f"Origin: {origin}"] if origin else []), "", "",
    ]  # fmt: skip
    raw.sendall("\r\n".join(lines).encode())
    return raw


def open_websocket(port: int) -> socket.socket:
    """Open a WebSocket by hand and read nothing but the answer."""
    raw, answer = handshake(port), b""
    while b"\r\n\r\n" not in answer:
        answer += raw.recv(1)
    assert b" 101 " in answer.split(b"\r\n")[0]
    return raw


def test_page_is_handed_out_with_strict_headers() -> None:
    with running() as server:
        for path, kind, kept in (("/", "text/html", False), ("/assets/main-1.js", "text/javascript", True)):
            answer = fetch(server.port, path)
            assert answer.status == 200
            assert answer.headers["Content-Type"].startswith(kind)
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert ("immutable" in answer.headers["Cache-Control"]) is kept
            policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
            assert policy["default-src"] == "'none'"
            assert policy["script-src"] == policy["style-src"] == "'self'"
            assert policy["connect-src"] == f"'self' ws://127.0.0.1:{server.port} wss://127.0.0.1:{server.port}"
            again = fetch(server.port, path, headers={"If-None-Match": answer.headers["ETag"]})
            assert again.status == 304
        assert fetch(server.port, "/", "HEAD").status == 200
        assert fetch(server.port, "/", "POST").status == 405
        assert fetch(server.port, "/", "BREW").status == 405
        assert fetch(server.port, "/missing.js").status == 404


def test_page_that_is_not_built_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    with running(page=read_page(tmp_path_factory.mktemp("empty"))) as server, server.client() as client:
        assert NOT_BUILT in fetch(server.port, "/").text
        client.text("hello")


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.text = response.status, response.headers, response.read().decode()


def fetch(port: int, path: str, method: str = "GET", headers: dict[str, str] | None = None) -> Answer:
    """Ask for a path exactly as it is written."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.putrequest(method, path, skip_host="host" in {key.lower() for key in headers or {}})
        for key, value in (headers or {}).items():
            connection.putheader(key, value)
        connection.endheaders()
        return Answer(connection.getresponse())
    finally:
        connection.close()


@pytest.mark.slow
def test_status_comes_again_and_again_and_is_complete() -> None:
    with running() as server, server.client() as client:
        client.text("hello")
        for _ in range(8):
            status = client.text("status")
        assert set(status) == {
            "type", "state", "speed", "reached", "missed", "steps", "corrected", "halved", "unresolved", "step_mean_us",
            "step_worst_us", "lateness_worst_us", "priority", "priority_text", "recording", "record_file",
            "held", "message", "server_ms",
        }  # fmt: skip


@pytest.mark.slow
def test_who_moves_a_lever_sees_it_before_the_next_frame_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as server, server.client() as driver, server.client() as watcher:
        for client in (driver, watcher):
            client.text("hello")
        monkeypatch.setattr(rhythm, "FRAME", 1000.0)
        for client in (driver, watcher):  # the frames that were due already
            with pytest.raises(TimeoutError):
                while True:
                    client.frame(wait=1.0)
        number = driver.levers(*(value + 0.25 for value in REST))
        assert driver.frame().applied == number
        with pytest.raises(TimeoutError):
            watcher.frame(wait=0.5)
