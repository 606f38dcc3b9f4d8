# SPDX-License-Identifier: BSD-3-Clause
"""A cabin without a machine, for tests of the server: two levers, one body that turns, and everything that is asked of
it written down. The server runs in a thread of its own on a free port; clients are those of the package websockets.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from websockets.sync.client import ClientConnection, connect

from knuckleboom.cabin import frame
from knuckleboom.cabin.access import Access
from knuckleboom.cabin.controls import make_controls
from knuckleboom.cabin.dashboard import Dashboard, Gauge
from knuckleboom.cabin.frame import SUBPROTOCOL, Moment, pack_levers, read_frame
from knuckleboom.cabin.known import Known
from knuckleboom.cabin.limits import Message
from knuckleboom.cabin.page_files import File
from knuckleboom.cabin.serve import listen, serve
from knuckleboom.cabin.server import Cabin
from knuckleboom.cabin.source import COUNTS, Sight
from knuckleboom.cabin.watch import Alarm, Rule

INPUTS = [
    {"name": "boom", "unit": "1", "low": -1.0, "high": 1.0, "rest": 0.0, "meaning": "spool command, -1 to 1"},
    {"name": "pump.speed", "unit": "rad/s", "low": 0.0, "high": 300.0, "rest": 200.0, "meaning": "speed of the shaft"},
]
REST = [0.0, 200.0]
PAGE = {
    "/": File(b"<!doctype html><p>cabin", "text/html; charset=utf-8", '"1"', False),
    "/index.html": File(b"<!doctype html><p>cabin", "text/html; charset=utf-8", '"1"', False),
    "/assets/main-1.js": File(b"1", "text/javascript; charset=utf-8", '"2"', True),
}


def known() -> Known:
    """A machine of one body and one pressure."""
    labels = [f"arm.position.{x}" for x in "xyz"] + [f"arm.orientation.{x}" for x in "wxyz"] + ["lift.a.pressure"]
    signals = [{"path": path, "unit": "1", "meaning": "", "column": 1 + n} for n, path in enumerate(labels)]
    scene = {"bodies": ["arm"], "solids": [], "lines": [], "bounds": [[0, 0, 0], [1, 1, 1]], "size": 1.0}
    bodies = [{"name": "arm", "columns": list(range(1, 8))}]
    facts = {"name": "fake", "step": 1e-3, "inputs": INPUTS, "signals": signals, "bodies": bodies, "scene": scene}
    facts["controls"] = make_controls(INPUTS)
    gauge = Gauge("lift a", "cylinders", "bar", "lift.a.pressure", "bar", 1e-5, -1.0, 0.0, 300.0, (250.0, 300.0))
    torn = Alarm("cavitation", "lift", "The oil in 'lift' is torn (cavitation)", (Rule(8, 5e4, np.inf),))
    return Known.of(facts, Dashboard([gauge], [torn], [], None), width=9, title="a fake machine")


def line(time_s: float) -> np.ndarray:
    """The record at a time: the arm turns, the pressure rises by 1 bar a second."""
    return np.array([time_s, 0, 0, 0, np.cos(time_s / 2), 0, np.sin(time_s / 2), 0, 1e5 * (1 + time_s)])


class FakeSource:
    """A machine that only remembers."""

    mode, duration = "live", None

    def __init__(self, opens_after: float = 0.0, failure: Exception | None = None) -> None:
        self.known: Known | None = None
        self.levers, self.sequence = np.array(REST), 0
        self.steered: list[tuple[int, list[float]]] = []
        self.centred = 0
        self.asked: list[Message] = []
        self.missed = 0
        self.closed = False
        self._opens_after, self._failure = opens_after, failure
        self._begun = time.monotonic()

    def open(self) -> None:
        time.sleep(self._opens_after)
        if self._failure is not None:
            raise self._failure
        self.known = known()

    def close(self) -> None:
        self.closed = True

    def is_new(self) -> bool:
        return True

    def look(self) -> Sight | None:
        at = time.monotonic() - self._begun
        return Sight(at, line(at), self.levers, 0, self.sequence, self.missed, 1.0)

    def status(self) -> dict[str, Any]:
        state, message = ("running", "") if self.known is not None else ("starting", "compiling …")
        figure = 1.0 if self.known is not None else None
        return {
            "state": state, "speed": figure, "reached": figure, "missed": self.missed,
            **dict.fromkeys(COUNTS, None if figure is None else 1), "step_mean_us": figure, "step_worst_us": figure,
            "lateness_worst_us": figure, "priority": False, "priority_text": "", "recording": False,
            "record_file": "", "held": [], "message": message,
        }  # fmt: skip

    def steer(self, levers: np.ndarray, sequence: int) -> None:
        self.levers, self.sequence = levers, sequence
        self.steered.append((sequence, levers.tolist()))

    def centre(self) -> None:
        self.levers = np.array(REST)
        self.centred += 1

    def ask(self, message: Message) -> str:
        self.asked.append(message)
        return "" if message.kind != "seek" else "A machine that runs has no other times."


class Running:
    """A server that runs; `port`, `cabin` and `source` are its own."""

    def __init__(self, source: Any, access: Access | None = None, page: dict[str, File] | None = None) -> None:
        self.source = source
        self.access = access or Access("127.0.0.1")
        self.cabin = Cabin(source, PAGE if page is None else page, self.access)
        self.socket = listen("127.0.0.1", 0)
        self.port = self.socket.getsockname()[1]
        self._ready, self._stop = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._run)
        self.failure: BaseException | None = None

    def _run(self) -> None:
        async def main() -> None:
            self._loop = asyncio.get_running_loop()
            await serve(self.cabin, self.socket, self._ready.set, self._stop)

        try:
            asyncio.run(main())
        except BaseException as error:
            self.failure = error
            self._ready.set()

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(10.0)

    def stop(self) -> None:
        """End the server."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10.0)
        assert not self._thread.is_alive()
        assert self.failure is None, self.failure

    def join(self) -> None:
        """Wait until it has ended by itself."""
        self._thread.join(10.0)
        assert not self._thread.is_alive()

    def client(self, query: str = "", **options: Any) -> Helper:
        """Connect; options are those of websockets."""
        options.setdefault("subprotocols", [SUBPROTOCOL])
        options.setdefault("compression", None)
        options.setdefault("proxy", None)
        options.setdefault("close_timeout", 0.2)
        options.setdefault("ping_interval", None)
        return Helper(connect(f"ws://127.0.0.1:{self.port}/live{query}", sock=short_line(self.port), **options))


def short_line(port: int) -> socket.socket:
    """A connection in which little waits to be read: what a busy test reads late is new all the same."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.connect(("127.0.0.1", port))
    return found


class Helper:
    """A client of tests."""

    def __init__(self, connected: Any) -> None:
        self.socket: ClientConnection = connected.__enter__()
        self.hello: dict[str, Any] = {}
        self._sequence, self.read = 0, 0
        self._unread: list[dict[str, Any]] = []

    def __enter__(self) -> Helper:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def text(self, kind: str, wait: float = 5.0, **wanted: Any) -> dict[str, Any]:
        """Return the next text message of a kind, with these values; others are kept, but for status."""

        def fits(one: dict[str, Any]) -> bool:
            return one["type"] == kind and all(one[key] == value for key, value in wanted.items())

        until = time.monotonic() + wait
        while True:
            for one in self._unread:
                if fits(one):
                    self._unread.remove(one)
                    return one
            self._unread = [one for one in self._unread if one["type"] != "status"]
            self._read(until)

    def frame(self, wait: float = 5.0) -> Moment:
        """Return the next frame."""
        until = time.monotonic() + wait
        while True:
            data = self._read(until)
            if data is not None:
                self.read += 1
                return read_frame(data, len(self.hello.get("warnings", [])))

    def _read(self, until: float) -> bytes | None:
        """Read one message; a text is kept, a frame returned."""
        message = self.socket.recv(timeout=until - time.monotonic())
        if isinstance(message, bytes):
            return message
        self._unread.append(json.loads(message))
        if self._unread[-1]["type"] == "hello":
            self.hello = self._unread[-1]
        return None

    def say(self, kind: str, **more: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **more}))

    def levers(self, *values: float, sequence: int | None = None) -> int:
        """Move the levers; returns the sequence number."""
        self._sequence = self._sequence + 1 if sequence is None else sequence
        self.socket.send(pack_levers(self._sequence, np.array(values, np.float32)))
        return self._sequence

    def ended(self, wait: float = 5.0) -> tuple[int, str]:
        """Read until the server closes; return its code and reason."""
        from websockets.exceptions import ConnectionClosed

        until = time.monotonic() + wait
        try:
            while True:
                self.socket.recv(timeout=until - time.monotonic())
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd is not None else (1006, "")


@contextmanager
def running(source: Any = None, **options: Any) -> Iterator[Running]:
    """A server in a thread, ended in the end."""
    found = Running(FakeSource() if source is None else source, **options)
    found.start()
    try:
        yield found
    finally:
        found.stop()


def until(condition: Any, wait: float = 5.0) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + wait
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def logged(caplog: Any) -> list[str]:
    """What the server wrote into its log."""
    return [record.getMessage() for record in caplog.records if record.name.startswith("knuckleboom.cabin")]


LOG = logging.WARNING
__all__ = ["LOG", "REST", "FakeSource", "Helper", "Running", "frame", "logged", "running", "until"]
