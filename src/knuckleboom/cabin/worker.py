# SPDX-License-Identifier: BSD-3-Clause
"""Worker: what the runner does with a machine: runs the loop, obeys commands, records, and tells of failures.

The compiled loop runs until a command waits; then Python has the machine to itself for a moment. A failed step leaves
the machine at its last good state with the sentence that kb.simulate would raise; only a reset or the end follow. What
may take time (writing recordings) is done by another thread with `recorder.drain`. Tested in
tests/cabin/test_worker.py.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from knuckleboom.cabin import recording
from knuckleboom.cabin.limits import FASTEST, SLOWEST
from knuckleboom.cabin.loop import COMMAND, FAILED, Desk, LineSlot, Mail, loop
from knuckleboom.cabin.recorder import Recorder
from knuckleboom.cabin.shared import Command, RunState, Shared
from knuckleboom.simulation.live import LiveRun

FOREVER = 2**62
PAUSE = 0.002
"""Time between looks for a command while nothing runs, s."""
WARM = 50
"""Steps before the start, so that the first ones do not find the processor's memory empty."""
FIGURES = (
    "steps", "time", "reached", "missed", "forgotten", "corrected", "halved", "unresolved", "step_mean_us",
    "step_worst_us", "lateness_mean_us", "lateness_worst_us",
)  # fmt: skip
"""What begins anew with a reset."""


class Worker:
    """A machine with its shared block; `run` carries out commands until the end, in the thread that calls it."""

    def __init__(
        self, live: LiveRun, head: dict[str, Any], *, record: Path | None = None, folder: Path, paused: bool = False
    ) -> None:
        self.live, self._inputs = live, live.inputs
        count = len(self._inputs)
        self.shared = shared = Shared.create(count, live.width)
        rest = np.array([one.rest for one in self._inputs])
        shared.write_levers(rest, 0)
        self.recorder = Recorder(live, shared, head, record, folder)
        live.warm_up(WARM)
        self._desk = Desk(
            held=live.held, column=np.array([one.column for one in self._inputs], np.int64), ratio=live.ratios,
            levers=rest, outer=np.full(count, np.nan), applied=rest.copy(), seen=np.array([0, 0, -1]),
            sums=np.zeros(3), heed=np.zeros(1, np.int64), leave=np.zeros(1, np.int64), marks=np.zeros(3, np.int64),
            work_time=live.planned.work.state.time, work_count=live.planned.work.tableau.count,
        )  # fmt: skip
        self._machine = live.call
        self._mail = mail_of(shared)
        self._status = shared.block["status"]
        self._paused = paused
        self._go(0)  # compiled or loaded now, and the first line is there
        if record is not None:
            self.recorder.begin()

    def leave(self) -> None:
        """End soon, whatever it does: for other threads."""
        self._desk.leave[0] = 1

    def run(self) -> None:
        """Run until the command to quit."""
        self._set_state(RunState.PAUSED if self._paused else RunState.RUNNING)
        while not self._desk.leave[0]:
            self._desk.heed[0] = self.shared.commands_done
            if self._state == RunState.RUNNING:
                self._go(FOREVER)
            elif self.shared.next_command() is None:
                self._status["alive"] = time.monotonic_ns()
                time.sleep(PAUSE)
            while (asked := self.shared.next_command()) is not None and not self._desk.leave[0]:
                self._obey(*asked)
                self.shared.acknowledge()
        self.recorder.end("quit")
        self._status["reached"] = 0.0
        self._set_state(RunState.ENDED)

    @property
    def _state(self) -> int:
        return int(self._status["state"][0])

    def _set_state(self, state: RunState) -> None:
        self._status["state"] = state

    def _go(self, most: int) -> None:
        """Let the loop run; a failed step becomes a sentence."""
        reason, failure = loop(*self._machine, self._desk, self.recorder.journal, self._mail, self.live.step_size, most)
        if reason == FAILED:
            self._fail(int(failure))
        elif reason != COMMAND:
            self._status["reached"] = 0.0

    def _fail(self, status: int) -> None:
        self.live.stand_at(int(self._status["steps"][0]))
        sentence = self.live.sentence(status)
        self.recorder.end(recording.FAILED, sentence)
        self.shared.set_text("message", sentence)
        self._status["reached"] = 0.0
        self._set_state(RunState.FAILED)

    def _obey(self, command: Command, argument: float) -> None:
        """Carry out one command; what makes no sense in the present state does nothing."""
        failed = self._state == RunState.FAILED
        if command == Command.QUIT:
            self.leave()
        elif command == Command.RESET:
            self._reset()
        elif command == Command.SPEED:
            self._status["asked"] = min(max(argument, SLOWEST), FASTEST)
        elif command == Command.RECORD:
            self._record(argument != 0.0 and not failed)
        elif command == Command.PAUSE and not failed:
            self._status["reached"] = 0.0
            self._set_state(RunState.PAUSED)
        elif command == Command.RESUME and not failed:
            self._set_state(RunState.RUNNING)
        elif command == Command.STEP and not failed:
            self._single(max(1, int(argument)))

    def _single(self, steps: int) -> None:
        """Make so many steps and pause; a command that comes meanwhile ends them."""
        self._set_state(RunState.PAUSED)
        self._desk.heed[0] = self.shared.commands_done + 1  # this command itself is still open
        self._go(steps)

    def _record(self, on: bool) -> None:
        if on:
            self.recorder.begin()
        else:
            self.recorder.end("off")

    def _reset(self) -> None:
        """Return to the start, running as before, or paused after a failure; a recording goes on in another file."""
        recorded = self.recorder.on
        self.recorder.end("reset")
        self.live.reset()
        for name in FIGURES:
            self._status[name] = 0
        self._status["resets"] += 1
        self._desk.sums[:] = 0.0
        self._desk.seen[2], self._desk.marks[0] = -1, 0
        self._desk.outer[:] = np.nan  # the external interface has not said anything yet
        self._desk.applied[:] = self._desk.levers
        self.shared.set_text("message", "")
        if self._state == RunState.FAILED:
            self._set_state(RunState.PAUSED)
        if recorded:
            self.recorder.begin()
        self._go(0)


# --- the shared block as the loop takes it ---


def mail_of(shared: Shared) -> Mail:
    """The words of the block, each as an array of its own."""
    block = shared.block
    command, levers, line, outer = block["command"], block["levers"], block["line"], block["external"]
    return Mail(
        status=block["status"], sent=command["sent"],
        lever_count=levers["count"], lever_sequence=pair(levers, "sequence"), levers=pair(levers, "values"),
        line_count=line["count"], line=line_slots(line),
        **{name: outer[name] for name in ("mode", "exchange", "patience", "answered", "drops", "stalls")},
        outer_count=outer["levers"]["count"], outer_sequence=pair(outer["levers"], "sequence"),
        outer=pair(outer["levers"], "values"), outer_line_count=outer["line"]["count"],
        outer_line=line_slots(outer["line"]),
    )  # fmt: skip


def pair(place: Any, name: str) -> tuple[Any, Any]:
    """A field of both slots: values as they are, a word as an array of one."""
    field = place["slot"][name]
    return (field[0, 0], field[0, 1]) if field.ndim > 2 else (field[0, 0:1], field[0, 1:2])


def line_slots(place: Any) -> tuple[LineSlot, LineSlot]:
    """Both slots of a line."""
    fields = [pair(place, name) for name in LineSlot._fields]
    return LineSlot(*(even for even, _ in fields)), LineSlot(*(odd for _, odd in fields))
