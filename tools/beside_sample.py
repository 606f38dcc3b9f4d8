# SPDX-License-Identifier: BSD-3-Clause
"""One sample of tools/beside.py, in a process of its own: measure the knuckleboom on the path and print JSON.

    python tools/beside_sample.py step MACHINES STEP SECONDS     µs of a `realtime` step of each machine
    python tools/beside_sample.py compile COUPLING               s of processor time to compile its entry points
    python tools/beside_sample.py bytes MACHINES ONLY            digests of record and state of every method
    python tools/beside_sample.py bench FILE OPTIONS             what measure(**OPTIONS) of a bench's file returns

FILE may be that of another tree: a bench then runs with this knuckleboom. It only uses what both trees have.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import knuckleboom as kb
from knuckleboom import kernels
from knuckleboom.catalogue import NAMES
from knuckleboom.simulation.whole import WholeRun

REPLAYS = 3


def names(machines: str) -> list[str]:
    """Machines of the catalogue, all of them where none is named; a wrong name ends the process."""
    wanted = machines.split(",") if machines else list(NAMES)
    for name in wanted:
        if name not in NAMES:
            sys.exit(f"There is no machine '{name}' in the catalogue of this tree.")
    return wanted


def step(machines: str, size: str, seconds: str) -> dict[str, float]:
    """Mean of a step over the first seconds of each machine's cycle, µs of processor time: the smallest of three."""
    found = {}
    for name in names(machines):
        case = NAMES[name]()
        length = min(float(seconds), float(case.duration))
        run = WholeRun(case.machine, length, step=float(size), inputs=case.inputs, coupling="realtime")
        took = []
        for _ in range(1 + REPLAYS):
            run.reset()
            began = time.thread_time_ns()
            run.unrecorded()
            took.append(time.thread_time_ns() - began)
        found[name] = 1e-3 * min(took[1:]) / run.steps
    return found


def take_digests(machines: str, only: str) -> dict[str, Any]:
    """Digests by machine and method; a line on stderr for each machine."""
    from beside_bytes import digests

    found = {}
    for name in names(machines):
        found[name] = digests(name, only)
        sys.stderr.write(f"{name}\n")
    return found


def compile_alone(coupling: str) -> dict[str, float]:
    """Processor time that each entry point of a coupling takes to compile, s; the cache folder has to be empty."""
    began: dict[str, float] = {}
    total: dict[str, float] = {}

    def note_seconds(name: str, seconds: float | None) -> None:
        now = time.process_time()
        if seconds is None:
            began[name] = now
        else:
            total[name] = total.get(name, 0.0) + now - began[name]

    kernels.on_compile = note_seconds
    kb.Simulation(NAMES["crane-one-cylinder"]().machine, coupling=coupling)
    return total


def bench(file: str, options: str) -> Any:
    """Run a bench's file with the knuckleboom that is on the path."""
    spec = importlib.util.spec_from_file_location("bench_beside", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.measure(**json.loads(options))


def main() -> None:
    """Print what was asked for, and which knuckleboom it was."""
    what, *words = sys.argv[1:]
    tasks: dict[str, Callable[..., Any]] = {
        "step": step, "compile": compile_alone, "bench": bench, "bytes": take_digests,
    }  # fmt: skip
    found = tasks[what](*words)
    sys.stdout.write(json.dumps({"package": str(Path(kb.__file__).parent), "found": found}))


if __name__ == "__main__":
    main()
