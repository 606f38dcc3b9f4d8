# SPDX-License-Identifier: BSD-3-Clause
"""kb.replay: a recorded drive computed again, as Results.

    run = kb.replay("excavator.kbrec")
    run.report("drive.html")

The machine, its state at the start and every change of its inputs come from the file; kb.Simulation makes the steps
that the cabin's loop made, so that on the same computer with the same version each number is the same, bit for bit.
Where the state at the end is known it is compared, and a difference is reported. Tested in tests/cabin/test_replay.py.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.cabin.recording import FAILED, Recording, read_recording
from knuckleboom.control.controller import Controller
from knuckleboom.errors import KnuckleboomError, MachineError, Problem, SimulationError
from knuckleboom.kernels import code_hash
from knuckleboom.machine import from_yaml
from knuckleboom.machine.over_time import Steps
from knuckleboom.results import FileError, Results
from knuckleboom.simulation.session import Simulation

COMPARED = ("q", "v", "angle", "x", "energy", "memory", "time")
"""Arrays of the state that are compared at the end."""


def digest_of(state: Mapping[str, NDArray[np.float64]]) -> str:
    """The bits of a state, in 32 hexadecimal digits."""
    bits = hashlib.blake2b(digest_size=16)
    for name in COMPARED:
        bits.update(np.ascontiguousarray(state[name]).tobytes())
    return bits.hexdigest()


def replay(
    path: str | os.PathLike[str] | Recording, *, record: float | str | None = None,
    controllers: Sequence[Controller] = (), progress: Callable[[float], None] | None = None,
) -> Results:  # fmt: skip
    """Compute a recorded drive again and return its results, recorded every `record`; raises FileError for a file that
    cannot be read. A drive that failed gives results with status "failed".
    """
    recording = path if isinstance(path, Recording) else read_recording(path)
    head, first = recording.head, int(recording.head["first"])
    refuse_other_controllers(head["controllers"], controllers)
    step = float(head["step"])
    begin = {"at": np.array([first, 0]), "at_time": np.array([first * step])}
    with fitting(recording):
        machine = from_yaml(head["yaml"])
        machine.cite = head["cite"]
        sim = Simulation(
            machine, step=step, record=record, inputs=held_inputs(recording), controllers=controllers, **head["method"]
        )
        sim.restore(sim.snapshot() | recording.start | begin)
    failed = recording.end is not None and recording.end["reason"] == FAILED
    end = recording.steps + (1 if failed else 0)  # the step that failed is tried again
    try:
        if end > first:
            sim.run_until(end * step, progress=progress)
        results = sim.results()
    except SimulationError as error:
        if error.results is None:
            raise
        results = error.results
    told = notes(recording, results, digest_of(sim.snapshot()))
    results.meta["recording"] = {
        "file": recording.path.name, "package": head["package"], "created": head["created"],
        "steps": recording.steps, "changes": len(recording.changes), "ended": ended(recording),
        "bit_equal": bit_equal(recording, digest_of(sim.snapshot())),
    }  # fmt: skip
    results.meta["message"] = " ".join(filter(None, [results.message, *told]))
    return results


@contextlib.contextmanager
def fitting(recording: Recording) -> Iterator[None]:
    """Say in words that what a recording says of itself does not fit together."""
    try:
        lacking = [name for name in COMPARED if name not in recording.start]
        if lacking:
            raise ValueError(f"the start has no {', '.join(lacking)}")
        yield
    except (KnuckleboomError, TypeError, ValueError, KeyError) as error:
        rule = f"The recording '{recording.path}' cannot be replayed: its machine, method, inputs and start do not fit."
        raise FileError(f"{rule} It was damaged, or written by another program: {error}") from error


def held_inputs(recording: Recording) -> dict[str, Any]:
    """For each input its values over time; a number where it never changed."""
    step = float(recording.head["step"])
    found: dict[str, Any] = {}
    for number, name in enumerate(recording.names):
        values = recording.values[:, number]
        if len(values) == 0:
            continue
        new = np.concatenate([[True], values[1:] != values[:-1]])
        times, kept = (recording.changes[new] * step).tolist(), values[new].tolist()
        found[name] = Steps(tuple(times), tuple(kept)) if len(kept) > 1 else kept[0]
    return found


def ended(recording: Recording) -> str:
    """How the drive ended: "off", "reset", "quit", "failed", or "cut" where the file does not tell."""
    return str(recording.end["reason"]) if recording.end is not None else "cut"


def bit_equal(recording: Recording, state: str) -> bool | None:
    """Whether the state at the end is what it was; None where that was not kept."""
    return state == recording.end["state"] if recording.end is not None else None


def notes(recording: Recording, results: Results, state: str) -> list[str]:
    """Sentences on what a reader of the results should know of the recording."""
    told = []
    head, last = recording.head, recording.steps * float(recording.head["step"])
    if recording.doubt:
        told.append(f"The recording can be read up to t = {last:.6g} s: {recording.doubt}.")
    elif recording.end is None:
        told.append(f"The recording has no end; it goes up to t = {last:.6g} s: the program was ended, or still runs.")
    if ended(recording) == FAILED and results.status != FAILED:
        told.append("When it was driven it failed at the end; computed again it did not.")
    if bit_equal(recording, state) is False:
        reason = "on another computer or with other versions below it"
        if head["code"] != code_hash():
            version = results.meta.get("version")
            reason = f"by knuckleboom {head['package']}, other code than this one ({version}), or on another computer"
        told.append(f"The state at the end is not that of the drive: it was recorded {reason}.")
    return told


def refuse_other_controllers(names: Sequence[str], given: Sequence[Controller]) -> None:
    """A drive with controllers needs them again: a file cannot keep a function."""
    had, have = list(names), [item.name for item in given]
    if had == have:
        return
    wanted = f"It was driven with {', '.join(had)}" if had else "It was driven without controllers"
    fix = "Write kb.replay(path, controllers=[...]) with the same ones in the same order."
    raise MachineError([Problem(f"{wanted}, and is replayed with {', '.join(have) or 'none'}.", fix=fix)], "the replay")
