# SPDX-License-Identifier: BSD-3-Clause
"""External: the door for a program of one's own that reads any signal of a driven machine and writes any input, by TCP.

    opened = serve.listen("127.0.0.1", 8361)
    with External(opened, mode=Mode.LOCKSTEP, exchange="2 ms") as door:
        door.admit(runner.shared, runner.facts, lambda: runner.alive)      kb.ExternalClient(8361, ...) elsewhere

The protocol is docs/cabin_external.md [Baharudin 2016, publ. IV: a socket, the simulator keeps the time]. The door is
open before the machine is there: a program that comes early gets a message that it starts, and waits. Each line has one
answer, and no line is sent before the last one was answered: no program can flood us, and a slow one gets the newest
line next. One program has the seat; others are refused. In lockstep the machine waits for it, but not longer than
`patience`; running free its inputs are the operator's while it is silent for that long. Threads of their own keep all
of this away from the page. A program that breaks a rule gets the reason, is closed and logged. Tested in
tests/cabin/test_external.py and tests/cabin/test_external_hostile.py.
"""

from __future__ import annotations

import contextlib
import json
import logging
import math
import socket
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from knuckleboom import units
from knuckleboom.cabin.access import Access
from knuckleboom.cabin.external_wire import (
    ANSWER,
    ANSWER_HEAD,
    EXCHANGE,
    LINE,
    LINE_HEAD,
    TEXT,
    VERSION,
    Gone,
    Wire,
    WireError,
    read_numbers,
    read_text,
)
from knuckleboom.cabin.shared import Command, Line, Mode, RunState, Shared
from knuckleboom.errors import KnuckleboomError
from knuckleboom.names import closest

PATIENCE = 1.0
"""s that a program may be silent."""
LARGEST = 1 << 18
"""Bytes of a message from a program: names of some thousand signals."""
GREETING = 2.0
"""s that a program may take to give its name, and again to ask for signals."""
UNREAD = 5.0
"""s that a program may read nothing."""
MEETINGS = 8
"""Connections at once, with those that are about to be refused."""
GLANCE = 0.1
"""s between looks whether all is still as it was, while something is awaited."""
HEARTBEAT = 0.5
"""s without a line after which the program gets the status of the machine."""
EARLY, NAP, DOZE = 3e-4, 5e-5, 2e-3
"""s: how long before it is due a line is looked for, how often, and how often when it does not come."""
OBEYED = 5.0
"""s that the runner may take for a command."""

log = logging.getLogger(__name__)


class ExchangeError(KnuckleboomError):
    """An exchange interval that the machine's step does not allow."""


class External:
    """The door of one machine, open from here to `close`. `starting` says what the machine does until it is there."""

    def __init__(
        self, opened: socket.socket, starting: Callable[[], str] = str, *, token: str = "", mode: Mode = Mode.FREE,
        exchange: float | str = EXCHANGE, patience: float = PATIENCE,
    ) -> None:  # fmt: skip
        self._opened, self._starting, self._access = opened, starting, Access("", token)
        self._mode, self._exchange, self._patience = mode, exchange, patience
        self._served: Served | None = None
        self._alive: Callable[[], bool] = lambda: True
        self._reason = ""
        self._seat, self._meetings = threading.Lock(), threading.BoundedSemaphore(MEETINGS)
        self._known, self._closing = threading.Event(), threading.Event()
        self._threads: list[threading.Thread] = []
        opened.settimeout(GLANCE)
        self._begin(self._listen)

    def admit(self, shared: Shared, facts: Mapping[str, Any], alive: Callable[[], bool]) -> None:
        """The machine is there, as long as it is `alive`: programs may take part."""
        self._served = Served(shared, facts, self._mode, self._exchange, self._patience)
        self._alive = alive
        self._known.set()

    def fail(self, reason: str) -> None:
        """The machine will never be there: programs that wait for it get the reason."""
        self._reason = reason
        self._known.set()

    def close(self) -> None:
        """Close the listener; a connected program gets a message."""
        self._closing.set()
        for thread in list(self._threads):
            thread.join()
        self._opened.close()

    def __enter__(self) -> External:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- at the door ---

    def _begin(self, function: Any, *arguments: Any) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=function, args=arguments, name="knuckleboom external", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                connection, address = self._opened.accept()
            except TimeoutError:
                continue
            except OSError as error:
                log.warning("the external interface cannot take a connection: %s", error)
                time.sleep(GLANCE)
                continue
            if self._meetings.acquire(blocking=False):
                self._begin(self._meet, connection, address[0])
            else:
                log.warning("refused an external program of %s: %d connections at once", address[0], MEETINGS)
                connection.close()

    def _meet(self, connection: socket.socket, address: str) -> None:
        """Serve one connection from its first message to its end."""
        wire = Wire(connection, LARGEST)
        try:
            self._greet(wire, address)
        except (WireError, TimeoutError) as error:
            reason = str(error) if isinstance(error, WireError) else f"nothing read for {UNREAD:g} s"
            log.warning("refused an external program of %s: %s", address, reason)
            with contextlib.suppress(Gone, TimeoutError):
                wire.send_text("refused", GLANCE, reason=reason)
        except Gone:
            pass
        except Exception:
            log.exception("a fault of ours in the external interface")
        finally:
            wire.close()
            self._meetings.release()

    def _greet(self, wire: Wire, address: str) -> None:
        joined = self._text(wire, "join", ("version", "token"))
        if joined["version"] != VERSION:
            raise WireError(f"this machine speaks version {VERSION} of the external interface")
        fault = self._access.token_fault(str(joined["token"]))
        if fault:
            raise WireError(fault)
        if not self._seat.acquire(blocking=False):
            raise WireError("another external program is connected already")
        try:
            served = self._await(wire)
            if served is not None:
                self._serve(wire, served, address)
        finally:
            self._seat.release()

    def _await(self, wire: Wire) -> Served | None:
        """Return the machine when it is there, and tell meanwhile that it starts; None when it could not."""
        told = -math.inf
        while not self._known.wait(GLANCE):
            self.stay()
            if time.monotonic() - told > HEARTBEAT:
                told = time.monotonic()
                wire.send_text("status", UNREAD, state="starting", message=self._starting())
        if self._served is None:
            wire.send_text("status", UNREAD, state="failed", message=self._reason)
        return self._served

    def _serve(self, wire: Wire, served: Served, address: str) -> None:
        try:
            wire.send(TEXT, served.hello, UNREAD)
            columns, places, from_start = served.wanted(self._text(wire, "start", ("reads", "writes", "from_start")))
            log.info("an external program of %s reads %d signals, writes %d inputs", address, len(columns), len(places))
            Exchange(self, served, wire, columns, places).run(from_start)
        finally:
            served.shared.close_external()

    def _text(self, wire: Wire, kind: str, keys: tuple[str, ...]) -> dict[str, Any]:
        """Return the text message that has to come now."""
        end = time.monotonic() + GREETING
        while (found := wire.receive(GLANCE)) is None:
            self.stay()
            if time.monotonic() > end:
                raise WireError(f"no message '{kind}' within {GREETING:g} s")
        told = read_text(found[1]) if found[0] == TEXT else {}
        if told.pop("type", "") != kind or set(told) != set(keys):
            raise WireError(f"the first messages should be join and start; '{kind}' has the keys {', '.join(keys)}")
        return told

    def stay(self) -> None:
        """Raise what ends a connection from our side."""
        ended = self._served is not None and self._served.shared.status.state == RunState.ENDED
        if ended or self._closing.is_set() or not self._alive():
            raise WireError("the machine has ended")


class Served:
    """A machine that is ready, as the listener has it: its names, its description, and its block."""

    def __init__(
        self, shared: Shared, facts: Mapping[str, Any], mode: Mode, exchange: float | str, patience: float
    ) -> None:
        self.shared, self.mode, self.patience = shared, mode, patience
        self._step = float(facts["step"])
        self.steps = steps_of(exchange, self._step)
        self._inputs = [one["name"] for one in facts["inputs"]]
        self._columns = {one["path"]: one["column"] for one in facts["signals"]}
        self.hello = hello(facts, mode, self.steps, patience)
        self._count = shared.block["external"]["line"]["count"]

    def wanted(self, asked: dict[str, Any]) -> tuple[list[int], list[int], bool]:
        """Return columns of the signals to read, places of the inputs to write, and whether to begin at the start."""
        reads = self._find(asked["reads"], "signal", self._columns)
        writes = self._find(asked["writes"], "input", {name: place for place, name in enumerate(self._inputs)})
        if len(set(writes)) < len(writes):
            raise WireError("an input is named twice in writes")
        if not isinstance(asked["from_start"], bool):
            raise WireError("from_start is neither true nor false")
        return reads, writes, asked["from_start"]

    def _find(self, names: Any, kind: str, known: Mapping[str, int]) -> list[int]:
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise WireError(f"{kind}s are asked for by a list of names")
        for name in names:
            if name not in known:
                near = closest(name[:100], known)
                offered = f" Closest names: {', '.join(near)}." if near else ""
                raise WireError(f"There is no {kind} '{name[:100]}'.{offered}")
        return [known[name] for name in names]

    def open(self, from_start: bool) -> None:
        """Let the machine take part, on request at its very first step."""
        if not from_start:
            self.shared.open_external(self.mode, self.steps, self.patience)
            return
        paused = self.shared.status.state == RunState.PAUSED
        self._ask(Command.PAUSE)
        self._ask(Command.RESET)
        self.shared.open_external(self.mode, self.steps, self.patience)
        if not paused:
            self._ask(Command.RESUME)

    def _ask(self, command: Command) -> None:
        end = time.monotonic() + OBEYED
        try:
            number = self.shared.send(command)
        except TimeoutError as error:
            raise WireError(str(error)) from error
        while not self.shared.done(number):
            if time.monotonic() > end:
                raise WireError("the machine does not obey")
            time.sleep(DOZE)

    def newest(self) -> int:
        """Number of the newest line."""
        return int(self._count[0])

    def take(self) -> Line:
        """Return the newest line."""
        line = self.shared.read_exchange()
        assert line is not None
        return line

    def period(self) -> float:
        """Time between two lines by the clock on the wall, s."""
        return self.steps * self._step / float(self.shared.block["status"]["asked"][0])


class Exchange:
    """Lines and answers of one program."""

    def __init__(self, door: External, served: Served, wire: Wire, columns: list[int], places: list[int]) -> None:
        self._door, self._served, self._wire = door, served, wire
        self._columns, self._places = np.array(columns, np.intp), np.array(places, np.intp)
        self._nothing = np.full(served.shared.inputs, np.nan)
        self._answered = 0

    def run(self, from_start: bool) -> None:
        """Exchange until one side ends it."""
        served, shared = self._served, self._served.shared
        self._answered = served.newest()
        served.open(from_start)
        self._wire.send_text("started", UNREAD)
        due = time.monotonic()
        while True:
            self._wait(due)
            line, stands = served.take(), shared.external
            due = time.monotonic() + served.period()
            head = LINE_HEAD.pack(line.sequence, line.step, line.time, stands.drops, stands.stalls)
            self._wire.send(LINE, head + line.values.take(self._columns).astype("<f8").tobytes(), UNREAD)
            shared.write_external(self._answer(line.sequence), line.sequence)
            self._answered = line.sequence

    def _wait(self, due: float) -> None:
        """Wait for a line that is newer than the last; tell meanwhile how the machine stands."""
        served, shared = self._served, self._served.shared
        time.sleep(max(0.0, min(due - time.monotonic() - EARLY, GLANCE)))
        looked = beaten = time.monotonic()
        while served.newest() <= self._answered:
            now = time.monotonic()
            if now - looked > GLANCE:
                looked = now
                self._go_on()
                if self._wire.receive(0.0) is not None:
                    raise WireError("an answer although no line was sent")
            if now - beaten > HEARTBEAT:
                beaten = now
                state = shared.status.state
                self._wire.send_text("status", UNREAD, state=state.name.lower(), message=shared.message)
            time.sleep(NAP if now - due < GLANCE else DOZE)

    def _answer(self, sequence: int) -> Any:
        """Wait for the answer to a line, and return a value for each input; NaN for those that are not written."""
        asked, silent = time.monotonic(), False
        while (found := self._wire.receive(GLANCE)) is None:
            self._go_on()
            if not silent and self._served.mode == Mode.FREE and time.monotonic() - asked > self._served.patience:
                silent = True
                self._served.shared.write_external(self._nothing, self._answered)
                log.warning("the external program is silent: its inputs are the operator's until it answers")
        kind, body = found
        if kind != ANSWER:
            raise WireError("after the message 'start' only answers should come")
        (answered,), numbers = read_numbers(ANSWER_HEAD, body, len(self._places))
        if answered != sequence:
            raise WireError(f"an answer to line {answered}; the line to answer is {sequence}")
        if any(map(math.isinf, numbers)):
            raise WireError("an answer with a number that is not finite")
        values = self._nothing.copy()
        values[self._places] = numbers
        return values

    def _go_on(self) -> None:
        """Raise what ends the exchange: the machine has ended, or has given up waiting."""
        self._door.stay()
        if self._served.shared.external.mode == Mode.NONE:
            raise WireError(f"no answer within {self._served.patience:g} s: the machine goes on without")


def steps_of(exchange: float | str, step: float) -> int:
    """Return how many steps an exchange interval has, a whole number of at least one."""
    wanted = units.parse(exchange, "s") if isinstance(exchange, str) else float(exchange)
    count = round(wanted / step) if math.isfinite(wanted) else 0
    if count < 1 or not math.isclose(count * step, wanted, rel_tol=1e-9):
        raise ExchangeError(
            f"An exchange interval of {1e3 * wanted:g} ms is not a whole number of steps of {1e3 * step:g} ms. "
            f"The nearest that is: {1e3 * max(1, count) * step:g} ms."
        )
    return count


def hello(facts: Mapping[str, Any], mode: Mode, steps: int, patience: float) -> bytes:
    """Return the message `hello`: names, units and meanings of everything, and how the exchange goes."""
    told = {
        "type": "hello", "version": VERSION, "machine": facts["name"], "step": facts["step"],
        "mode": mode.name.lower(), "exchange": steps * facts["step"], "patience": patience,
        "inputs": [{key: one[key] for key in ("name", "unit", "low", "high", "rest", "meaning")}
                   for one in facts["inputs"]],
        "signals": [{key: one[key] for key in ("path", "unit", "meaning")} for one in facts["signals"]],
    }  # fmt: skip
    return json.dumps(told, allow_nan=False).encode()
