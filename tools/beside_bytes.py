# SPDX-License-Identifier: BSD-3-Clause
"""What every method computes on machines of the catalogue, as digests: a part of tools/beside_sample.py.

Every row of the method table is run with its defaults and with each other value of each word. A run has some hundred
steps of the machine's case with inputs that jump on and off the steps' ends, two compiled controllers (one due between
steps), one in Python, a snapshot in the middle and a return to it. Only what both trees have is used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

import knuckleboom as kb
from knuckleboom.catalogue import NAMES
from knuckleboom.errors import KnuckleboomError
from knuckleboom.methods import TABLE, WORDS

STEPS = 60
"""Steps before the snapshot, and again after it."""
SIZES = {"explicit": 5e-5, "realtime": 1e-3}
"""s, step of a coupling; that of others is OTHER."""
OTHER = 2e-3
WORDS_OF_METHOD = tuple(word for word in WORDS if word != "coupling")


def methods() -> Iterator[dict[str, Any]]:
    """Words of every method that is run."""
    for row in TABLE:
        words = {"coupling": row.coupling}
        words |= {word: getattr(row, word)[0] for word in WORDS_OF_METHOD if getattr(row, word)}
        yield words
        for word in WORDS_OF_METHOD:
            for value in getattr(row, word)[1:]:
                yield words | {word: value}


def digests(machine: str, only: str) -> dict[str, Any]:
    """By method: the digests of each recorded quantity, of each field of the state, and how the run ended."""
    case = NAMES[machine]()
    followed: dict[str, Any] = {}
    found = {}
    for words in methods():
        title = " ".join(words.values())
        if only not in title:
            continue
        if words["coupling"] == "kinematic" and not followed:
            followed = lengths(case)
        found[title] = run(case, words, followed)
    return found


def lengths(case: Any) -> dict[str, Any]:
    """The lengths and angles that cylinders and motors follow: those of a `realtime` run of the case, if it can be run
    so; else there are none, which ends the run that wants them.
    """
    from knuckleboom.simulation.kinematic import followed_paths

    duration = 2.0 * (STEPS + 2) * OTHER
    try:
        earlier = kb.simulate(case.machine, duration, step=1e-3, inputs=case.inputs, coupling="realtime")
    except KnuckleboomError:
        return {}
    return {name: earlier[path] for name, path in followed_paths(case.machine).items()}


def run(case: Any, words: dict[str, Any], followed: dict[str, Any]) -> dict[str, Any]:
    """Digests of one run of a case."""
    size = SIZES.get(words["coupling"], OTHER)
    kinematic = words["coupling"] == "kinematic"
    inputs = {**case.inputs, **jumps(case.machine, size), **(followed if kinematic else {})}
    try:
        sim = kb.Simulation(
            case.machine, step=size, record=2.0 * size, inputs=inputs, controllers=controllers(case.machine, size),
            **words,
        )  # fmt: skip
    except KnuckleboomError as error:
        return {"ended": str(error)}
    pieces: dict[str, list[Any]] = {}
    ended = ""
    try:
        sim.run_for(STEPS * size)
        add_record(sim, pieces)
        middle = sim.snapshot()
        sim.run_for(STEPS * size)
        sim.restore(middle)
        for _ in range(2):
            sim.step()
        sim.run_for((STEPS - 1.5) * size)
    except KnuckleboomError as error:
        ended = str(error).splitlines()[0]
    add_record(sim, pieces)
    state = {name: digest([np.asarray(value)]) for name, value in sim.snapshot().items()}
    return {"ended": ended, "record": {path: digest(values) for path, values in pieces.items()}, "state": state}


def add_record(sim: Any, pieces: dict[str, list[Any]]) -> None:
    """Add what was recorded so far, quantity by quantity. Writes pieces."""
    if sim.status in ("done", "stopped"):
        results = sim.results()
        for path in results.names.paths:
            pieces.setdefault(path, []).append(np.ravel(results[path].values))


def jumps(machine: Any, size: float) -> dict[str, Any]:
    """An input of the machine that jumps at the end of a step and between two ends; none where it has no inputs."""
    for name, value in inputs_of(machine):
        return {name: kb.steps({0.0: value, 10.0 * size: value + 0.05, 30.3 * size: value - 0.05})}
    return {}


def inputs_of(machine: Any) -> list[tuple[str, float]]:
    """Inputs and their values at rest, in the order of the machine."""
    planned = kb.build(machine)
    return [(signal.path, float(signal.default)) for signal in planned.layout.inputs]


def controllers(machine: Any, size: float) -> list[Any]:
    """Two compiled filters of the first quantity that the machine has, one due between steps, and one of Python's."""
    names = kb.build(machine).names
    path = next(path for path in names.paths if len(names[path].columns) == 1)

    def double(time: float, reads: Any, writes: Any, memory: Any, parameters: Any) -> None:
        memory[0] += 1.0
        writes[0] = 2.0 * reads[0] + memory[0]

    return [
        kb.low_pass("smooth", reads=path, every=2.0 * size, time_constant=8.0 * size),
        kb.low_pass("between", reads=path, every=3.5 * size, time_constant=8.0 * size),
        kb.Controller(double, name="double", reads=path, signals={"out": "1"}, memory=1, every=5.0 * size),
    ]


def digest(arrays: list[Any]) -> str:
    """A digest of the bytes of arrays, of which all patterns that are not a number count as one."""
    whole = hashlib.blake2b(digest_size=8)
    for array in arrays:
        array = np.ascontiguousarray(array)
        if array.dtype.kind == "f":
            array = np.where(np.isnan(array), np.nan, array)
        whole.update(array.tobytes())
    return whole.hexdigest()
