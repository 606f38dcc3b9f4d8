# SPDX-License-Identifier: BSD-3-Clause
"""ExternalClient: a program of one's own that reads a driven machine's signals and writes its inputs, over TCP.

    with kb.ExternalClient(8361, reads=["boom_left.length"], writes=["boom"]) as machine:
        line = machine.line()
        end = line.time + 10.0
        while line.time < end:
            line = machine.exchange({"boom": 4.0 * (2.2 - line["boom_left.length"])})

The other side is `knuckleboom drive excavator --external 8361`; what goes over the wire is in docs/cabin_external.md.
The machine keeps the time: every exchange interval it gives a line, and each line gets one answer. In lockstep it waits
for the answer; running free it goes on, and a late program gets the newest line next. Inputs that were never written
are the operator's, and so is one that is written None. Needs no more than Python: neither NumPy nor a compiler. Tested
in tests/cabin/test_external.py.
"""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any

from knuckleboom.cabin.access import LOOPBACK
from knuckleboom.cabin.external_wire import (
    ANSWER,
    EXTERNAL_PORT,
    LINE,
    LINE_HEAD,
    TEXT,
    VERSION,
    Gone,
    Wire,
    WireError,
    pack_answer,
    read_numbers,
    read_text,
)
from knuckleboom.errors import KnuckleboomError

DOOR = 5.0
"""s that a port may be closed: a machine that was just started opens it soon."""
LARGEST = 1 << 24
"""Bytes of a message: a hello names every signal of the machine."""


class ExternalError(KnuckleboomError):
    """The machine cannot be had, or not any more; the text says why."""


class ExternalLine:
    """What was asked for at one moment; `drops` and `stalls` are the interface's counts since the start."""

    __slots__ = ("_places", "drops", "sequence", "stalls", "step", "time", "values")

    def __init__(self, head: tuple[Any, ...], values: tuple[float, ...], places: Mapping[str, int]) -> None:
        self.sequence, self.step, self.time, self.drops, self.stalls = head
        self.values, self._places = values, places

    def __getitem__(self, path: str) -> float:
        return self.values[self._places[path]]

    def __repr__(self) -> str:
        return f"<line {self.sequence} at t = {self.time:g} s: {dict(zip(self._places, self.values, strict=True))}>"


def knock(host: str, port: int, timeout: float) -> socket.socket:
    """Connect; where there is no listener yet, try again for a while: both may be started at once."""
    end = time.monotonic() + min(timeout, DOOR)
    while True:
        try:
            return socket.create_connection((host, port), timeout)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


class ExternalClient:
    """A connection to a driven machine. `inputs` and `signals` tell unit and meaning of every name that there is."""

    def __init__(
        self, port: int = EXTERNAL_PORT, host: str = LOOPBACK, *, reads: Iterable[str] = (),
        writes: Iterable[str] = (), token: str = "", from_start: bool = False, timeout: float = 10.0,
    ) -> None:  # fmt: skip
        """Connect, and begin with the next line; `from_start` puts the machine back to its start for that.

        Nothing heard for `timeout` [s] is an error; a machine that is paused or still starts is heard, and waited for.
        """
        self.reads, self.writes, self.timeout = tuple(reads), tuple(writes), timeout
        self._places = {path: place for place, path in enumerate(self.reads)}
        self._held = dict.fromkeys(self.writes, math.nan)
        self._asked: int | None = None
        try:
            connection = knock(host, port, timeout)
        except OSError as error:
            reason = error.strerror or str(error)
            fix = f"Start it there: knuckleboom drive excavator --external {port}"
            raise ExternalError(f"There is no machine at port {port} of {host}: {reason}. {fix}") from error
        self._wire = Wire(connection, LARGEST)
        try:
            self._wire.send_text("join", timeout, version=VERSION, token=token)
            self.hello = self._text("hello")
            self._wire.send_text(
                "start", timeout, reads=list(self.reads), writes=list(self.writes), from_start=from_start
            )
            self._text("started")
        except BaseException as error:
            self.close()
            if isinstance(error, Gone | TimeoutError):
                raise ExternalError(f"Port {port} of {host} is not that of a machine: it does not answer.") from error
            raise
        self.inputs: dict[str, dict[str, Any]] = {one["name"]: one for one in self.hello["inputs"]}
        self.signals: dict[str, dict[str, Any]] = {one["path"]: one for one in self.hello["signals"]}

    @property
    def interval(self) -> float:
        """Time between two lines, s of the machine's time."""
        return float(self.hello["exchange"])

    def line(self) -> ExternalLine:
        """Wait for the next line, and return it; each has to be answered before the next comes."""
        if self._asked is not None:
            raise ExternalError(f"Line {self._asked} has not been answered yet: call answer({{…}}) first.")
        body = self._message(LINE)
        head, values = read_numbers(LINE_HEAD, body, len(self.reads))
        self._asked = head[0]
        return ExternalLine(head, values, self._places)

    def answer(self, inputs: Mapping[str, float | None]) -> None:
        """Hold these inputs from the line's moment on; others stay as they were, None leaves one to the operator."""
        if self._asked is None:
            raise ExternalError("There is no line to answer: call line() first.")
        for name, value in inputs.items():
            if name not in self._held:
                raise ExternalError(f"'{name}' is not among writes={list(self.writes)}.")
            number = math.nan if value is None else float(value)
            if value is not None and not math.isfinite(number):
                raise ExternalError(f"'{name}' is {value}; inputs are finite, or None for the operator's.")
            self._held[name] = number
        try:
            self._wire.send(ANSWER, pack_answer(self._asked, list(self._held.values())), self.timeout)
        except Gone:
            self._message(LINE)  # why it was closed, if that was sent
        self._asked = None

    def exchange(self, inputs: Mapping[str, float | None]) -> ExternalLine:
        """Answer the last line, and wait for the next."""
        self.answer(inputs)
        return self.line()

    def _text(self, kind: str) -> dict[str, Any]:
        while (found := read_text(self._message(TEXT)))["type"] == "status":
            pass  # it still starts
        if found["type"] != kind:
            raise ExternalError(f"The machine says '{found['type']}' where '{kind}' should come.")
        return found

    def _message(self, wanted: int) -> bytes:
        """Return the body of the next message of a kind; messages that come before it are handled."""
        end = time.monotonic() + self.timeout
        try:
            while True:
                found = self._wire.receive(max(0.0, end - time.monotonic()))
                if found is None:
                    raise ExternalError(f"Nothing was heard from the machine for {self.timeout:g} s.")
                kind, body = found
                told = read_text(body) if kind == TEXT else {}
                if told.get("type") == "refused":
                    raise ExternalError(f"The machine refused: {told.get('reason')}")
                if told.get("type") == "status" and told.get("state") == "failed":
                    raise ExternalError(str(told.get("message")))
                if kind == wanted:
                    return body
                end = time.monotonic() + self.timeout
        except Gone as error:
            raise ExternalError("The machine has ended the connection.") from error
        except WireError as error:
            raise ExternalError(f"This is not the external interface of a machine: {error}.") from error

    def close(self) -> None:
        """Leave: all inputs are the operator's again."""
        self._wire.connection.close()

    def __enter__(self) -> ExternalClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
