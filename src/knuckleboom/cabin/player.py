# SPDX-License-Identifier: BSD-3-Clause
"""Player: a run that is shown again, with a time that can be stopped, slowed down and moved by hand.

Between two records everything is taken as straight, turns of bodies too, so that slow motion is smooth; what is shown
at a recorded time is the record. At the end it stops. Times count from the beginning of the record, as `seek` and
`duration` count: a recording may begin in the middle of a drive. Tested in tests/cabin/test_player.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.cabin import frame
from knuckleboom.cabin.known import Known
from knuckleboom.cabin.limits import Message
from knuckleboom.cabin.source import COUNTS, Sight

Array = NDArray[np.float64]

Played = tuple[Known, Array, NDArray[np.intp], dict[str, int | None]]

INDEX = 1e-9
"""s: two times that are no farther apart are the same."""


class Player:
    """A source that shows a record. `load` returns what is known of the machine, the record, input columns, and the
    COUNTS of the whole run, None where its method has none.
    """

    mode = "replay"

    def __init__(self, load: Callable[[], Played], clock: Callable[[], float] = time.monotonic) -> None:
        self.known: Known | None = None
        self.duration: float | None = None
        self._load, self._clock = load, clock
        self._record, self._inputs = np.zeros((1, 1)), np.zeros(0, np.intp)
        self._counts: dict[str, int | None] = dict.fromkeys(COUNTS)
        self._speed, self._playing, self._from, self._since = 1.0, False, 0.0, clock()
        self._changed = True

    def open(self) -> None:
        known, record, inputs, self._counts = self._load()
        self._record, self._inputs = _same_side(record, known.poses), inputs
        self.duration = float(record[-1, 0] - record[0, 0])
        self._from, self._since, self._playing = 0.0, self._clock(), True
        self.known = known

    def close(self) -> None:
        pass

    @property
    def position(self) -> float:
        """Where it is, s from the beginning of the record."""
        length = self.duration or 0.0
        if not self._playing:
            return self._from
        at = self._from + self._speed * (self._clock() - self._since)
        if at >= length:
            self._from, self._playing = length, False
        return min(at, length)

    def _go(self, position: float | None = None, playing: bool | None = None, speed: float | None = None) -> None:
        at = self.position if position is None else position
        self._from, self._since = min(max(at, 0.0), self.duration or 0.0), self._clock()
        self._playing = self._playing if playing is None else playing
        self._speed = self._speed if speed is None else speed
        self._changed = True

    def is_new(self) -> bool:
        return self._playing or self._changed

    def look(self) -> Sight | None:
        if self.known is None:
            return None
        self._changed = False
        begin = self._record[0, 0]
        at = begin + self.position
        times = self._record[:, 0]
        after = int(np.searchsorted(times, at + INDEX, side="right"))
        line = self._record[after - 1]
        if after < len(times) and at > times[after - 1] + INDEX:
            share = (at - times[after - 1]) / (times[after] - times[after - 1])
            line = (1.0 - share) * line + share * self._record[after]
        flags = 0 if self._playing else frame.PAUSED
        reached = self._speed if self._playing else 0.0
        return Sight(float(line[0] - begin), line, line[self._inputs], flags, reached=reached)

    def status(self) -> dict[str, Any]:
        playing = self._playing
        return {
            "state": "starting" if self.known is None else "running" if playing else "paused",
            "speed": self._speed,
            "reached": self._speed if playing else 0.0,
            "missed": 0,
            **self._counts,
            "step_mean_us": None,
            "step_worst_us": None,
            "lateness_worst_us": None,
            "priority": False,
            "priority_text": "",
            "recording": False,
            "record_file": "",
            "held": [],
            "message": "reading the run …" if self.known is None else "",
        }

    def steer(self, levers: Array, sequence: int) -> None:
        pass

    def centre(self) -> None:
        pass

    def ask(self, message: Message) -> str:
        match message.kind:
            case "pause":
                self._go(playing=False)
            case "resume":
                # at the end it begins anew
                ended = self.position >= (self.duration or 0.0) - INDEX
                self._go(position=0.0 if ended else None, playing=True)
            case "speed":
                self._go(speed=message.value)
            case "seek":
                self._go(position=message.value)
            case "reset":
                self._go(position=0.0)
            case "step":
                times = self._record[:, 0] - self._record[0, 0]
                after = int(np.searchsorted(times, self.position + INDEX, side="right"))
                self._go(position=float(times[min(after, len(times) - 1)]), playing=False)
            case "record":
                return "A run that is played again cannot be recorded."
        return ""


def _same_side(record: Array, poses: NDArray[np.intp]) -> Array:
    """Return the record with quaternions that do not jump from q to −q, which are the same turn, between two lines."""
    found = record.copy()
    for columns in poses[:, 3:]:
        q = found[:, columns]
        jumps = np.where(np.einsum("ij,ij->i", q[1:], q[:-1]) < 0.0, -1.0, 1.0)
        found[1:, columns] *= np.cumprod(jumps)[:, None]
    return found
