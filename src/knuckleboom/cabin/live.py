# SPDX-License-Identifier: BSD-3-Clause
"""Live: a machine that runs in the runner's process, as the server sees it.

The machine is described and its process started in the thread that opens it; importing what that needs takes longer
than the server does to begin. Tested in tests/cabin/test_live.py.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.cabin import frame
from knuckleboom.cabin.known import Known
from knuckleboom.cabin.limits import Message
from knuckleboom.cabin.shared import Command, RunState, Status
from knuckleboom.cabin.source import COUNTS, Sight
from knuckleboom.errors import KnuckleboomError

if TYPE_CHECKING:
    from knuckleboom.cabin.external import External
    from knuckleboom.cabin.runner import Runner
    from knuckleboom.machine.case import Case

Array = NDArray[np.float64]

LONG = 4.0
"""s after which making ready is probably compiling."""
READYING = "Getting the machine ready …"
COMPILING = "Compiling the machine: once after an update, for about a minute …"
GONE = "The process of the machine has ended. Start the cabin again; the terminal may say why."
FAULT = "The machine could not start; the terminal of knuckleboom drive says why."
COMMANDS = {"pause": Command.PAUSE, "resume": Command.RESUME, "reset": Command.RESET}


class Live:
    """A source that is driven. `find` returns the machine, `described` is called when that went well, and `door` opens
    the external interface, if there is to be one; it is given a function that says what the start is doing.
    """

    mode = "live"
    duration: float | None = None

    def __init__(
        self, find: Callable[[], Case], *, record: Path | None = None, priority: bool = True,
        described: Callable[[], None] = lambda: None, door: Callable[[Callable[[], str]], External] | None = None,
    ) -> None:  # fmt: skip
        self.known: Known | None = None
        self._find, self._described = find, described
        self._record, self._priority, self._make_door = record, priority, door
        self._runner: Runner | None = None
        self._door: External | None = None
        self._begun, self._seen, self._sequence, self._closed = time.monotonic(), -1, 0, False
        self._rest = np.zeros(0)

    def open(self) -> None:
        self._door = None if self._make_door is None else self._make_door(lambda: str(self.status()["message"]))
        try:
            self._start()
        except BaseException as error:
            if self._door is not None:
                self._door.fail(str(error) if isinstance(error, KnuckleboomError) else FAULT)
            raise

    def _start(self) -> None:
        case = self._find()
        self._described()
        from knuckleboom.cabin.runner import Runner

        runner = Runner(case, step=case.step, record=self._record, priority=self._priority)
        if self._closed:
            runner.stop()
            return
        facts = runner.facts
        if self._door is not None:
            try:
                self._door.admit(runner.shared, facts, lambda: runner.alive)
            except BaseException:
                runner.stop()
                raise
        self._rest = np.array([one["rest"] for one in facts["inputs"]], float)
        self._runner = runner
        self.known = Known.of(facts, facts["dashboard"], width=runner.shared.columns, title=case.meaning)

    def close(self) -> None:
        self._closed = True
        if self._door is not None:
            self._door.close()
        if self._runner is not None:
            self._runner.stop()

    def is_new(self) -> bool:
        return self._runner is None or int(self._runner.shared.block["line"]["count"][0]) != self._seen

    def look(self) -> Sight | None:
        runner = self._runner
        line = None if runner is None else runner.shared.read_line()
        if runner is None or line is None:
            return None
        self._seen = line.sequence
        status = runner.shared.status
        flags = frame.PAUSED if status.state != RunState.RUNNING else 0
        flags |= frame.RECORDING if status.recording else 0
        flags |= frame.FAILED if status.state in (RunState.FAILED, RunState.ENDED) else 0
        return Sight(line.time, line.values, line.levers, flags, line.applied, status.missed, status.reached)

    def status(self) -> dict[str, Any]:
        if self._runner is None:
            message = COMPILING if time.monotonic() - self._begun > LONG else READYING
            return _told(None, "starting", message, "", "", [])
        shared, alive = self._runner.shared, self._runner.alive
        status = shared.status
        state = status.state.name.lower() if alive else "failed"
        message = shared.message or ("" if alive else GONE)
        names = [one["name"] for one in self._runner.facts["inputs"]]
        held = [names[number] for number in shared.held_outside()]
        return _told(status, state, message, shared.priority_text, shared.record_file, held)

    def steer(self, levers: Array, sequence: int) -> None:
        if self._runner is not None:
            self._sequence = sequence
            self._runner.shared.write_levers(levers, sequence)

    def centre(self) -> None:
        if self._runner is not None:
            self._runner.shared.write_levers(self._rest, self._sequence)

    def ask(self, message: Message) -> str:
        if self._runner is None or not self._runner.alive:
            return GONE
        command, argument = COMMANDS.get(message.kind), 0.0
        match message.kind:
            case "step":
                command, argument = Command.STEP, 1.0
            case "speed":
                command, argument = Command.SPEED, message.value
            case "record":
                command, argument = Command.RECORD, float(message.value)
            case "seek":
                return "A machine that runs has no other times: only a run that is played again has."
        assert command is not None
        try:
            self._runner.shared.send(command, argument)
        except TimeoutError:
            return "The machine does not listen."
        return ""


def _told(
    status: Status | None, state: str, message: str, priority_text: str, record_file: str, held: list[str]
) -> dict[str, Any]:  # fmt: skip
    """The message `status`; numbers that are not there yet are null."""

    def number(name: str) -> float | None:
        value = math.nan if status is None else float(getattr(status, name))
        return value if math.isfinite(value) else None

    return {
        "state": state,
        "speed": number("asked"),
        "reached": number("reached"),
        "missed": 0 if status is None else status.missed,
        **{name: None if status is None else getattr(status, name) for name in COUNTS},
        **{name: number(name) for name in ("step_mean_us", "step_worst_us", "lateness_worst_us")},
        "priority": status is not None and status.priority,
        "priority_text": priority_text,
        "recording": status is not None and status.recording,
        "record_file": record_file,
        "held": held,
        "message": message,
    }
