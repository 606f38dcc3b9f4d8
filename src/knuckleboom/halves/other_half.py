# SPDX-License-Identifier: BSD-3-Clause
"""OtherHalf: a half of a machine that another process computes, as a run has it.

    with kb.OtherHalf(8362) as half:
        run = kb.simulate(machine, "3 s", step="10 ms", power=half)          its power side is there
        run = kb.simulate(machine, "3 s", step="10 ms", mechanics=half)      its mechanics is there

It listens from here on, on this computer unless told otherwise, or connects to one that listens: two runs of ours are
halves of each other. The other process is one with kb.PowerHalf or kb.MechanicsHalf, or anything that speaks the
protocol of docs/foreign_halves.md. Tested in tests/halves/.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knuckleboom.halves import messages
from knuckleboom.halves.messages import PATIENCE, PORT, VERSION, WAIT, Gone, HalfError, Lost, Wire, WireError
from knuckleboom.simulation.elsewhere import Ended, LinkError, Message
from knuckleboom.wire import LOOPBACK, is_loopback

GREETING = 5.0
"""s that a program may take to say join."""


class OtherHalf:
    """The way to a process with the other half of a machine."""

    def __init__(
        self, port: int = PORT, host: str = LOOPBACK, *, connect: bool = False, rows: Iterable[str] = (),
        patience: float | str = PATIENCE, wait: float | str = WAIT, token: str = "",
    ) -> None:  # fmt: skip
        """Listen at a port (0: any that is free), or, with `connect`, connect to one that listens when a run begins.

        `rows` are the names of what both halves share, all actuators unless given. The other half may be silent for
        `patience` in an exchange, and for `wait` until it is there. A host other than this computer needs a token.
        """
        self.host, self._connect, self._token = host, connect, token
        self._rows = tuple(rows)
        self.patience, self._wait = messages.seconds("patience", patience), messages.seconds("wait", wait)
        self._wire: Wire | None = None
        self._opened: socket.socket | None = None
        self.port = messages.port_number(port)
        if not connect:
            if not is_loopback(host) and not token:
                raise HalfError(f"Host {host} can be reached from other computers. Give a token='...' for both halves.")
            self._opened = listen(host, self.port)
            self.port = int(self._opened.getsockname()[1])

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of what both halves share, if they were given."""
        return self._rows

    # --- what a run calls ---

    def open(self, greeting: Mapping[str, Any]) -> list[str]:
        """Wait for the other half, and return the names of the rows in the order in which they travel."""
        self.end()
        if self._connect:
            hello = self._join(str(greeting["computes"]))
            return [str(row["name"]) for row in hello["rows"]]
        self._wire = self._accept(greeting)
        return [str(row["name"]) for row in greeting["rows"]]

    def send(self, message: Message) -> None:
        """Send the numbers of an exchange."""
        self._checked(lambda wire: wire.send(messages.NUMBERS, messages.pack(*message), self.patience))

    def receive(self, count: int) -> Message:
        """Wait for those of the other half."""
        return Message(*self._checked(lambda wire: messages.receive(wire, count, self.patience)))

    def end(self, message: str = "", rows: tuple[Sequence[float], Sequence[float]] | None = None) -> None:
        """Say that this half has ended, and where its rows are, or why it failed, and close the connection."""
        wire, self._wire = self._wire, None
        if wire is None:
            return
        with contextlib.suppress(Gone, TimeoutError):
            if message:
                wire.send_text("failed", GREETING, reason=message.splitlines()[0])
            else:
                wire.send_text("end", GREETING, rows=rows)
        wire.close()

    def close(self) -> None:
        """End, and listen no more."""
        self.end()
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def __enter__(self) -> OtherHalf:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- the connection ---

    def _checked(self, act: Any) -> Any:
        """What an action with the connection returns; all that can go wrong there as a LinkError."""
        if self._wire is None:
            raise LinkError("the connection was closed", "a new run of both halves")
        try:
            return act(self._wire)
        except Lost as error:
            if error.ended:
                raise Ended(str(error), "the same duration for both halves", error.rows) from error
            raise LinkError(str(error), "what its own message says") from error
        except TimeoutError as error:
            remedy = f'a longer patience (now {self.patience:g} s), kb.OtherHalf(patience="60 s"), or see what it does'
            raise LinkError(f"no message came from it for {self.patience:g} s", remedy) from error
        except Gone as error:
            raise LinkError("it closed the connection", "what that process printed when it ended") from error
        except WireError as error:
            raise LinkError(f"it sent {error}", "the messages of docs/foreign_halves.md") from error

    def _accept(self, greeting: Mapping[str, Any]) -> Wire:
        """Wait for a half that may take part; others are refused."""
        if self._opened is None:
            raise LinkError("the listener was closed", "the run inside the with block of kb.OtherHalf")
        end, refused = time.monotonic() + self._wait, ""
        while (left := end - time.monotonic()) > 0.0:
            self._opened.settimeout(left)
            try:
                connection, _ = self._opened.accept()
            except TimeoutError:
                break
            wire = Wire(connection, messages.LARGEST, messages.HALVES)
            refused = self._greet(wire, greeting)
            if not refused:
                return wire
            with contextlib.suppress(Gone, TimeoutError):
                wire.send_text("refused", GREETING, reason=refused)
            wire.close()
        what = f"nobody took part at port {self.port} of {self.host} within {self._wait:g} s"
        other = "PowerHalf" if greeting["computes"] == "mechanics" else "MechanicsHalf"
        last = f" (the last that tried was refused: {refused})" if refused else ""
        raise LinkError(what + last, f"to start the other process: kb.{other}({self.port}), or a longer wait")

    def _greet(self, wire: Wire, greeting: Mapping[str, Any]) -> str:
        """Exchange greetings; why not, if it may not take part."""
        try:
            told = messages.text(wire, "join", GREETING)
            if told.get("version") != VERSION:
                return f"this half speaks version {VERSION} of the interface of halves"
            if self._token and not messages.same(self._token, told.get("token", "")):
                return "the token is another"
            if told.get("computes") == greeting["computes"]:
                return f"this half computes '{greeting['computes']}', too"
            hello = {"type": "hello", "version": VERSION, "patience": self.patience, **greeting}
            wire.send(messages.TEXT, messages.encoded(hello), GREETING)
        except (WireError, Lost) as error:
            return str(error)
        except (Gone, TimeoutError):
            return "it said nothing"
        return ""

    def _join(self, computes: str) -> dict[str, Any]:
        try:
            connection = messages.connect(self.host, self.port, self._wait)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LinkError(
                f"there is no half at port {self.port} of {self.host}: {reason}", "to start the one that listens"
            ) from error
        self._wire = Wire(connection, messages.LARGEST, messages.HALVES)
        return dict(self._checked(lambda wire: messages.join(wire, computes, self._token, self._wait)))


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; a HalfError that says why there is none."""
    opened = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen(4)
    except OSError as error:
        opened.close()
        reason = error.strerror or str(error)
        raise HalfError(f"Nobody can listen at port {port} of {host}: {reason}. Choose another port.") from error
    return opened
