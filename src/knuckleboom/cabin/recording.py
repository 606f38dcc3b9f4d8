# SPDX-License-Identifier: BSD-3-Clause
"""Recordings: a drive as a file, written while it happens, from which it can be computed again bit for bit.

The file (`*.kbrec`, docs/cabin_recording.md) begins with the machine, its method, the step and the whole state at the
start; then come the inputs whenever they change and, five times a second, how many steps were done. It is only appended
to, and every piece has a check sum: whatever ends the program, all but the last moment can be read. One file holds one
drive: a reset ends it and begins the next. Tested in tests/cabin/test_recording.py.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import os
import struct
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.results.files import REASONS, FileError

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

MAGIC = b"KBREC\r\n\x1a"
"""So that a file which went through a text mode is seen at once."""
FORMAT = 1
SUFFIX = ".kbrec"
HEAD, START, CHANGES, STEPS, END = 1, 2, 3, 4, 5
"""Kinds of chunks."""
FAILED = "failed"
"""How a drive ended whose next step could not be made; the others are "off", "reset" and "quit"."""
NEEDED = {"package", "code", "created", "machine", "yaml", "cite", "method", "step", "inputs", "controllers", "first"}
"""What the head says."""
VIEW = ("bounds", "size")
"""What the head says of the scene as it was at the start of the drive, unless it is of an older version: ground and
surroundings are drawn by it."""
MOST_STEPS = 10**10
"""Steps of a drive: four months of 1 ms. More is not believed."""
OPENING = struct.Struct("<8sI4x")
CHUNK = struct.Struct("<II")
CHECK = struct.Struct("<I")
NUMBER = struct.Struct("<q")


def row_type(inputs: int) -> np.dtype[Any]:
    """A change: the step that it was first held in, and the value of each input."""
    return np.dtype([("step", "<i8"), ("values", "<f8", (inputs,))])


def chunk(kind: int, payload: bytes) -> bytes:
    """A chunk as it stands in the file."""
    body = CHUNK.pack(kind, len(payload)) + payload
    return body + CHECK.pack(zlib.crc32(body))


class RecordingFile:
    """A recording that is being written. What cannot be written raises FileError."""

    def __init__(self, wanted: Path, head: dict[str, Any], start: dict[str, Array]) -> None:
        self.inputs = len(head["inputs"])
        try:
            wanted.parent.mkdir(parents=True, exist_ok=True)
            self.path, self._descriptor = open_new(wanted)
        except OSError as error:
            raise refused(wanted, error) from error
        arrays = io.BytesIO()
        np.savez(arrays, **start)  # type: ignore[arg-type]  # its stubs take the names for options
        text = json.dumps(head, ensure_ascii=False).encode()
        self._put(OPENING.pack(MAGIC, FORMAT) + chunk(HEAD, text) + chunk(START, arrays.getvalue()))

    def add(self, changes: Integers, values: Array, steps: int) -> None:
        """Append changes of the inputs, and that so many steps were done."""
        data = b""
        if len(changes):
            rows = np.empty(len(changes), row_type(self.inputs))
            rows["step"], rows["values"] = changes, values
            data = chunk(CHANGES, rows.tobytes())
        self._put(data + chunk(STEPS, NUMBER.pack(steps)))

    def end(self, reason: str, steps: int, message: str, state: str) -> None:
        """Append how it ended, and close."""
        text = {"reason": reason, "steps": steps, "message": message, "state": state}
        try:
            self._put(chunk(END, json.dumps(text, ensure_ascii=False).encode()))
            os.fsync(self._descriptor)
        finally:
            self.close()

    def close(self) -> None:
        """Let the file go as it is."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _put(self, data: bytes) -> None:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError as error:
            raise refused(self.path, error) from error


def open_new(wanted: Path) -> tuple[Path, int]:
    """Open a file that is not there yet: the wanted one, or with the first free number behind its name."""
    for number in itertools.count(1):
        path = wanted if number == 1 else wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
        try:
            return path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except FileExistsError:
            continue
    raise AssertionError


def refused(path: Path, error: OSError) -> FileError:
    """The sentence for a recording that cannot be written."""
    reason = REASONS.get(error.errno or 0, error.strerror or str(error))
    return FileError(f"Could not write the recording '{path}': {reason}.")


@dataclass
class Recording:
    """A recording as it was read: `doubt` says what is wrong with it, `end` is None where it has none."""

    path: Path
    head: dict[str, Any]
    start: dict[str, Array]
    changes: Integers
    values: Array
    steps: int
    end: dict[str, Any] | None = None
    doubt: str = ""

    @property
    def view(self) -> dict[str, Any]:
        """Bounds and size of the scene at the start of the drive, which may be long before that of the recording."""
        view = self.head.get("view")
        if not isinstance(view, dict) or set(view) != set(VIEW):
            return {}
        try:
            bounds, size = np.array(view["bounds"], float), float(view["size"])
        except (TypeError, ValueError):
            return {}
        sound = bounds.shape == (2, 3) and np.isfinite(bounds).all() and math.isfinite(size) and size > 0.0
        return {"bounds": bounds.tolist(), "size": size} if sound else {}

    @property
    def duration(self) -> float:
        """Time that was driven, s."""
        return float((self.steps - self.head["first"]) * self.head["step"])

    @property
    def names(self) -> list[str]:
        """Names of the inputs."""
        return [str(name) for name in self.head["inputs"]]


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """Read a recording as far as it is whole; raise FileError where not even its beginning is."""
    source = Path(path)
    if not source.is_file():
        raise FileError(f"There is no recording '{source}'.")
    try:
        data = source.read_bytes()
    except OSError as error:
        raise FileError(f"Could not read '{source}': {error.strerror}.") from error
    if data[:5] != MAGIC[:5]:
        raise FileError(f"'{source}' is not a recording of a drive ({SUFFIX}).")
    if len(data) < OPENING.size or data[: len(MAGIC)] != MAGIC:
        raise FileError(f"The recording '{source}' is damaged at its very beginning; nothing of it can be read.")
    version = OPENING.unpack_from(data)[1]
    if version != FORMAT:
        rule = f"The recording '{source}' has format {version}; this version of knuckleboom reads format {FORMAT}."
        raise FileError(f"{rule} Replay it with the version that wrote it, or a newer one.")
    reader = _Reader(source, data)
    reader.read()
    return reader.recording()


def checked_head(head: Any) -> dict[str, Any]:
    """Return a head that says everything, each thing in its kind and range; raise ValueError for another one."""
    if not isinstance(head, dict) or not set(head) >= NEEDED:
        raise ValueError("it lacks something")
    texts = [head[name] for name in ("package", "code", "created", "machine", "yaml", "cite")]
    lists = [head[name] for name in ("inputs", "controllers")]
    step = head["step"]
    if not all(isinstance(text, str) for text in texts) or not isinstance(head["method"], dict):
        raise ValueError("a text is none")
    if not all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists):
        raise ValueError("names are none")
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0.0 < step < math.inf:
        raise ValueError("the step is none")
    checked_steps(head["first"])
    return head


def checked_steps(steps: Any) -> int:
    """Return a number of steps that can be believed; raise ValueError for another one."""
    if isinstance(steps, bool) or not isinstance(steps, int) or not 0 <= steps <= MOST_STEPS:
        raise ValueError("no number of steps")
    return steps


@dataclass
class _Reader:
    """Goes through the chunks until the end or the first that is not whole."""

    path: Path
    data: bytes
    at: int = OPENING.size
    head: dict[str, Any] | None = None
    start: dict[str, Array] | None = None
    rows: list[Any] = field(default_factory=list)
    steps: int = 0
    end: dict[str, Any] | None = None
    doubt: str = ""

    def read(self) -> None:
        while self.at < len(self.data) and self.end is None:
            if self.at + CHUNK.size > len(self.data):
                self.doubt = "its last piece is cut off"
                return
            kind, size = CHUNK.unpack_from(self.data, self.at)
            stop = self.at + CHUNK.size + size
            if stop + CHECK.size > len(self.data):
                self.doubt = "its last piece is cut off"
                return
            if CHECK.unpack_from(self.data, stop)[0] != zlib.crc32(self.data[self.at : stop]):
                self.doubt = f"it is damaged at byte {self.at}"
                return
            try:
                self._take(kind, self.data[self.at + CHUNK.size : stop])
            except (ValueError, KeyError, TypeError, OSError, struct.error, zipfile.BadZipFile):
                self.doubt = f"what stands at byte {self.at} makes no sense"
                return
            self.at = stop + CHECK.size

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == HEAD:
            self.head = checked_head(json.loads(payload))
            self.steps = self.head["first"]
        elif kind == START:
            with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
                self.start = {name: arrays[name] for name in arrays.files}
        elif kind == CHANGES and self.head is not None:
            rows = np.frombuffer(payload, row_type(len(self.head["inputs"])))
            steps = np.concatenate([[self.rows[-1]["step"][-1]] if self.rows else [-1], rows["step"]])
            if (np.diff(steps) <= 0).any() or not np.isfinite(rows["values"]).all():
                raise ValueError("steps must grow and values be finite")
            self.rows.append(rows)
        elif kind == STEPS:
            self.steps = max(self.steps, checked_steps(NUMBER.unpack(payload)[0]))
        elif kind == END:
            end = json.loads(payload)
            words = {name: str(end[name]) for name in ("reason", "message", "state")}
            self.steps, self.end = max(self.steps, checked_steps(end["steps"])), words

    def recording(self) -> Recording:
        """What was read; FileError where that is not enough to begin."""
        if self.head is None or self.start is None:
            reason = self.doubt or "its beginning lacks"
            raise FileError(f"Nothing of the recording '{self.path}' can be replayed: {reason}.")
        rows = np.concatenate(self.rows) if self.rows else np.empty(0, row_type(len(self.head["inputs"])))
        # of steps that were begun; one that was not done counts where it failed
        failed = self.end is not None and self.end["reason"] == FAILED
        rows = rows[rows["step"] < max(self.steps + (1 if failed else 0), int(self.head["first"]) + 1)]
        return Recording(
            self.path, self.head, self.start, rows["step"].astype(np.int64), rows["values"].astype(np.float64),
            self.steps, self.end, self.doubt,
        )  # fmt: skip
