# SPDX-License-Identifier: BSD-3-Clause
"""Shared: the one block of memory between the running machine and those that drive or watch it.

    shared = Shared.create(inputs=6, columns=1200)      the owner: Runner does this
    shared = Shared.attach(descriptor)                  another process, to which the owner's was handed over
    shared.write_levers([0.3, 0, 0, 0, 0, 0], sequence=17)
    shared.send(Command.SPEED, 0.1)
    shared.status.missed, shared.read_line().values

The memory has no name in the file system (memfd): it is gone with the last process that has it, however that ends.
Each word has one writer. Values that belong together lie twice, in slots that are written in turn; a counter says which
is whole, and a reader that was overtaken reads again. While a machine runs, lines are 5 ms apart at least, and those
for the external interface an exchange, so that takes a pause of that long in the middle of a copy. Levers are finite;
for the external interface NaN leaves an input to the operator.
Linux only, as the loop's clock is. Tested in tests/cabin/test_shared.py.
"""

from __future__ import annotations

import enum
import math
import mmap
import os
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

VERSION = 2
RING = 64
"""Commands that may wait."""
TEXT = 8192
"""Bytes of a message."""
TRIES = 100
"""How often a reader that was overtaken reads again."""


class RunState(enum.IntEnum):
    """What the machine is doing."""

    STARTING = 0
    RUNNING = 1
    PAUSED = 2
    FAILED = 3
    ENDED = 4


class Command(enum.IntEnum):
    """What can be asked of the runner; STEP's argument is the number of steps, SPEED's the factor, RECORD's 1 or 0."""

    PAUSE = 1
    RESUME = 2
    STEP = 3
    SPEED = 4
    RESET = 5
    RECORD = 6
    QUIT = 7


class Mode(enum.IntEnum):
    """How the external interface takes part."""

    NONE = 0
    LOCKSTEP = 1
    FREE = 2


class Status(NamedTuple):
    """What the runner says of itself; in the block it is a record with the same fields (STATUS)."""

    state: RunState
    steps: int  # done since the start or the last reset
    time: float  # s
    asked: float  # speed: 1 is real time
    reached: float  # speed over the last quarter of a second; 0 when it does not run
    missed: int  # steps that ended after the next was due
    forgotten: int  # times that it was 100 ms late, and went on from there without catching up
    step_mean_us: float  # wall time of a step; this and what follows since the start or the last reset
    step_worst_us: float
    lateness_mean_us: float  # how much later than due a step began
    lateness_worst_us: float
    corrected: int  # steps whose oil was made again
    halved: int  # steps made in parts
    unresolved: int  # steps left as they were though in doubt
    applied: int  # sequence number of the levers that the last step had
    priority: bool  # real-time priority was granted
    recording: bool
    resets: int
    alive: int  # monotonic clock of the runner's last sign of life, ns


KINDS = get_type_hints(Status)
STATUS = np.dtype([(name, "f8" if kind is float else "i8") for name, kind in KINDS.items()], align=True)


class Line(NamedTuple):
    """A moment of the machine: every column of the record, and the inputs as they were applied."""

    sequence: int
    step: int
    time: float
    applied: int
    values: Array
    levers: Array


class ExternalState(NamedTuple):
    """How the external interface stands: `asked` lines were given to it, `answered` is the last it replied to."""

    mode: Mode
    exchange: int
    asked: int
    answered: int
    drops: int
    stalls: int


def block_type(inputs: int, columns: int) -> np.dtype[Any]:
    """Everything in the block, in order; sizes come first, so that who attaches can find them."""
    values, lines = ("values", "f8", (inputs,)), ("values", "f8", (columns,))
    lever_slot = np.dtype([("sequence", "i8"), values], align=True)
    line_slot = np.dtype(
        [("sequence", "i8"), ("step", "i8"), ("time", "f8"), ("applied", "i8"), lines, ("levers", "f8", (inputs,))],
        align=True,
    )
    return np.dtype(
        [
            ("version", "i8"), ("inputs", "i8"), ("columns", "i8"),
            ("status", STATUS),
            ("command", [("sent", "i8"), ("done", "i8"), ("kind", "i8", (RING,)), ("argument", "f8", (RING,))]),
            ("levers", [("count", "i8"), ("slot", lever_slot, (2,))]),
            ("line", [("count", "i8"), ("slot", line_slot, (2,))]),
            ("external", [
                ("mode", "i8"), ("exchange", "i8"), ("patience", "i8"),
                ("answered", "i8"), ("drops", "i8"), ("stalls", "i8"),
                ("levers", [("count", "i8"), ("slot", lever_slot, (2,))]),
                ("line", [("count", "i8"), ("slot", line_slot, (2,))]),
            ]),
            ("message", [("size", "i8"), ("text", "u1", (TEXT,))]),
            ("priority_text", [("size", "i8"), ("text", "u1", (TEXT,))]),
            ("record_file", [("size", "i8"), ("text", "u1", (TEXT,))]),
        ],
        align=True,
    )  # fmt: skip


class Shared:
    """The block as one process sees it. `block` is a NumPy record of everything, for the loop."""

    def __init__(self, descriptor: int, inputs: int, columns: int) -> None:
        self._descriptor = descriptor
        self.inputs, self.columns = inputs, columns
        kind = block_type(inputs, columns)
        memory = mmap.mmap(descriptor, kind.itemsize)
        self.block: Any = np.frombuffer(memory, kind, 1)
        self._lock, self._sending = threading.Lock(), threading.Lock()

    @classmethod
    def create(cls, inputs: int, columns: int) -> Shared:
        """A new block for a machine with so many inputs and columns of its record."""
        descriptor = os.memfd_create("knuckleboom", os.MFD_CLOEXEC)
        os.ftruncate(descriptor, block_type(inputs, columns).itemsize)
        shared = cls(descriptor, inputs, columns)
        for name, value in (("version", VERSION), ("inputs", inputs), ("columns", columns)):
            shared.block[name] = value
        shared.block["status"]["asked"] = 1.0
        shared.block["external"]["exchange"] = 1
        shared.block["external"]["levers"]["slot"]["values"] = np.nan
        return shared

    @classmethod
    def attach(cls, descriptor: int) -> Shared:
        """The block of another process, by a descriptor that was handed over and is the block's own from now on."""
        version, inputs, columns = np.frombuffer(os.pread(descriptor, 24, 0), np.int64).tolist()
        if version != VERSION:
            os.close(descriptor)
            raise ValueError(f"the runner's memory has version {version}, this program reads {VERSION}")
        return cls(descriptor, inputs, columns)

    @property
    def descriptor(self) -> int:
        """The file descriptor in this process, to be handed over."""
        return self._descriptor

    def close(self) -> None:
        """Let go of it; the memory is freed when no process has it any more."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor, self.block = -1, None

    # --- what the machine does ---

    @property
    def status(self) -> Status:
        """What the runner says of itself now."""
        numbers = self.block["status"][0].item()
        return Status(*(kind(number) for kind, number in zip(KINDS.values(), numbers, strict=True)))

    @property
    def message(self) -> str:
        """Why it failed, or what else should be reported; empty when all is well."""
        return self._text("message")

    @property
    def priority_text(self) -> str:
        """Whether it has real-time priority, in a sentence."""
        return self._text("priority_text")

    @property
    def record_file(self) -> str:
        """The file of the present recording, or of the last one; empty before the first."""
        return self._text("record_file")

    def set_text(self, field: str, text: str) -> None:
        """The runner's: put a text into `message`, `priority_text` or `record_file`."""
        data = text.encode()[:TEXT]
        self.block[field]["size"] = 0
        self._fence()
        self.block[field]["text"][0, : len(data)] = np.frombuffer(data, np.uint8)
        self._fence()
        self.block[field]["size"] = len(data)

    def _text(self, field: str) -> str:
        size = int(self.block[field]["size"][0])
        self._fence()
        return bytes(self.block[field]["text"][0, :size]).decode(errors="ignore")

    def read_line(self) -> Line | None:
        """The newest line as a consistent copy; None before the first."""
        return self._read(self.block["line"])

    def _read(self, place: Any) -> Line | None:
        for _ in range(TRIES):
            count = int(place["count"][0])
            if count == 0:
                return None
            slot = place["slot"][0, count % 2]
            self._fence()
            line = Line(
                count, int(slot["step"]), float(slot["time"]), int(slot["applied"]),
                slot["values"].copy(), slot["levers"].copy(),
            )  # fmt: skip
            self._fence()
            if int(place["count"][0]) <= count and int(slot["sequence"]) == count:
                return line
            time.sleep(0.0)
        raise TimeoutError("the line changed during every try to read it")

    # --- driving ---

    def write_levers(self, values: Sequence[float] | Array, sequence: int) -> None:
        """Hold these values from the next step on: one for each input, finite. For one writer at a time."""
        given = np.asarray(values, np.float64)
        if given.shape != (self.inputs,) or not np.isfinite(given).all():
            raise ValueError(f"levers are {values!r}, and should be {self.inputs} finite numbers")
        self._write(self.block["levers"], given, sequence)

    def read_levers(self) -> tuple[Array, int]:
        """What was written last, and its sequence number: for the one who writes."""
        place = self.block["levers"]
        slot = place["slot"][0, int(place["count"][0]) % 2]
        return slot["values"].copy(), int(slot["sequence"])

    def _write(self, place: Any, values: Array, sequence: int) -> None:
        count = int(place["count"][0]) + 1
        slot = place["slot"][0, count % 2]
        slot["values"], slot["sequence"] = values, sequence
        self._fence()
        place["count"] = count

    def send(self, command: Command, argument: float = 0.0) -> int:
        """Ask the runner for something; returns the command's number. For one process, any of its threads."""
        if not math.isfinite(argument):
            raise ValueError(f"{command.name} of {argument} makes no sense")
        with self._sending:
            place = self.block["command"]
            sent = int(place["sent"][0])
            if sent - int(place["done"][0]) >= RING:
                raise TimeoutError(f"{RING} commands wait already, the runner does not take them")
            place["kind"][0, sent % RING], place["argument"][0, sent % RING] = command, argument
            self._fence()
            place["sent"] = sent + 1
            return sent + 1

    @property
    def commands_done(self) -> int:
        """Number of the last command that was carried out."""
        return int(self.block["command"]["done"][0])

    def done(self, number: int) -> bool:
        """Whether the command with this number was carried out."""
        return self.commands_done >= number

    def next_command(self) -> tuple[Command, float] | None:
        """The runner's: what is asked next, until `acknowledge`."""
        place = self.block["command"]
        done = int(place["done"][0])
        if int(place["sent"][0]) <= done:
            return None
        self._fence()
        return Command(int(place["kind"][0, done % RING])), float(place["argument"][0, done % RING])

    def acknowledge(self) -> None:
        """The runner's: the command is carried out."""
        self._fence()
        self.block["command"]["done"] += 1

    # --- the external interface ---

    def open_external(self, mode: Mode, exchange: int, patience: float) -> None:
        """Take part from the next multiple of `exchange` steps on. In lockstep the machine waits for an answer to each
        line, but not longer than `patience` [s]: then it goes on without (mode NONE) and counts a stall.
        """
        place = self.block["external"]
        place["mode"] = Mode.NONE
        self.write_external(np.full(self.inputs, np.nan), self.external.asked)
        place["exchange"], place["patience"] = max(1, exchange), int(1e9 * patience)
        place["drops"] = place["stalls"] = 0
        self._fence()
        place["mode"] = mode

    def close_external(self) -> None:
        """Leave all inputs to the operator from the next step on."""
        self.block["external"]["mode"] = Mode.NONE

    @property
    def external(self) -> ExternalState:
        """How the exchange stands."""
        place = self.block["external"][0]
        exchange, answered, drops, stalls = (int(place[name]) for name in ("exchange", "answered", "drops", "stalls"))
        return ExternalState(Mode(int(place["mode"])), exchange, int(place["line"]["count"]), answered, drops, stalls)

    def held_outside(self) -> list[int]:
        """Numbers of the inputs that the external interface holds now, in the operator's place."""
        place = self.block["external"]
        if int(place["mode"][0]) == Mode.NONE:
            return []
        newest = place["levers"]["slot"][0, int(place["levers"]["count"][0]) % 2]
        return [int(number) for number in np.flatnonzero(~np.isnan(newest["values"]))]

    def read_exchange(self) -> Line | None:
        """The newest line for the external interface; its `sequence` is what an answer names."""
        return self._read(self.block["external"]["line"])

    def write_external(self, values: Sequence[float] | Array, answer_to: int) -> None:
        """Answer a line: a value for each input, NaN for those that are left to the operator."""
        given = np.asarray(values, np.float64)
        if given.shape != (self.inputs,) or np.isinf(given).any():
            raise ValueError(f"external inputs are {values!r}, and should be {self.inputs} numbers, finite or NaN")
        self._write(self.block["external"]["levers"], given, answer_to)
        self._fence()
        self.block["external"]["answered"] = answer_to

    def _fence(self) -> None:
        """What was read and written before is so before what follows, on processors that reorder, too.

        Two passes of a lock are a full barrier: the release of the first is not overtaken by the second's acquisition.
        """
        with self._lock:
            pass
        with self._lock:
            pass
