# SPDX-License-Identifier: BSD-3-Clause
"""Recorder: takes changes of the inputs from the loop to a file, beside it.

The loop only puts them into a ring in memory (loop.Journal); `drain`, called a few times a second by a thread of no
hurry, writes them. A drive that cannot be recorded any more goes on, and says so. Tested in tests/cabin/test_worker.py.
"""

from __future__ import annotations

import datetime
import threading
from pathlib import Path
from typing import Any

import numpy as np

from knuckleboom.cabin.loop import Journal
from knuckleboom.cabin.recording import SUFFIX, RecordingFile
from knuckleboom.cabin.replay import digest_of
from knuckleboom.cabin.shared import Shared
from knuckleboom.results import FileError
from knuckleboom.simulation.live import LiveRun

CHANGES = 1 << 16
"""Changes of inputs that may wait to be written: a minute of them at every step of 1 ms."""


class Recorder:
    """Recordings of a machine, one at a time; `head` is what their heads say, `wanted` the file of the first."""

    def __init__(self, live: LiveRun, shared: Shared, head: dict[str, Any], wanted: Path | None, folder: Path) -> None:
        self._live, self._shared, self._head = live, shared, head
        self._wanted, self._folder = wanted, folder
        count = len(head["inputs"])
        on, head_at, tail_at, lost = (np.zeros(1, np.int64) for _ in range(4))
        self.journal = Journal(on, head_at, tail_at, lost, np.zeros(CHANGES, np.int64), np.zeros((CHANGES, count)))
        self._lock = threading.Lock()
        self._file: RecordingFile | None = None

    @property
    def on(self) -> bool:
        """Whether a drive is being recorded."""
        return self._file is not None

    def begin(self) -> None:
        """Record from this moment on; the loop must not be running."""
        with self._lock:
            if self._file is not None:
                return
            journal = self.journal
            journal.head[0] = journal.tail[0] = journal.lost[0] = 0
            now = datetime.datetime.now(datetime.UTC)
            wanted = self._wanted or self._folder / f"{self._head['machine']}-{now:%Y%m%d-%H%M%S}{SUFFIX}"
            head = self._head | {"created": now.isoformat(timespec="seconds"), "first": self._steps}
            try:
                self._file = RecordingFile(wanted, head, self._live.planned.snapshot())
            except FileError as error:
                self._shared.set_text("message", str(error))
                return
            journal.on[0] = 1
            self._shared.set_text("record_file", str(self._file.path))
            self._shared.block["status"]["recording"] = 1

    def drain(self) -> None:
        """Write what has gathered."""
        with self._lock:
            self._drain()

    def end(self, reason: str, message: str = "") -> None:
        """Write the rest and how it ended; the loop must not be running."""
        with self._lock:
            self._drain()
            if self._file is None:
                return
            file = self._file
            self._stop()
            try:
                file.end(reason, self._steps, message, digest_of(self._live.planned.snapshot()))
            except FileError as error:
                self._shared.set_text("message", str(error))

    @property
    def _steps(self) -> int:
        return int(self._shared.block["status"]["steps"][0])

    def _drain(self) -> None:
        if self._file is None:
            return
        journal = self.journal
        steps = self._steps  # before the head: changes of all these steps are in the ring already
        tail, head = int(journal.tail[0]), int(journal.head[0])
        places = np.arange(tail, head) % CHANGES
        try:
            self._file.add(journal.step[places], journal.values[places], steps)
            if journal.lost[0]:
                raise FileError(f"The recording '{self._file.path}' ends here: it could not be written fast enough.")
        except FileError as error:
            self._file.close()
            self._stop()
            self._shared.set_text("message", str(error))
            return
        journal.tail[0] = head

    def _stop(self) -> None:
        self.journal.on[0], self._file = 0, None
        self._shared.block["status"]["recording"] = 0
