# SPDX-License-Identifier: BSD-3-Clause
"""A process of its own that compiles and says how long it took: `python -m knuckleboom.bench.compile_probe [NAME]`.

It plans harvester-30, makes one step and asks for everything else that is compiled, the runs of all couplings among it.
Without an argument it prints as JSON the seconds of each entry point and of each source file. With the name of an entry
point it then compiles that one once more, all kernels under it included, and prints its seconds; started with a filled
cache, nothing of it was compiled before. compile_time.py starts it.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numba
from numba.core import event

from knuckleboom import kernels
from knuckleboom.bench.ours import Ours
from knuckleboom.catalogue.harvester_30 import bare_harvester
from knuckleboom.engine import run
from knuckleboom.simulation import Simulation


class Watch(event.Listener):
    """Seconds that Numba spent on the functions of each module, without what they call."""

    def __init__(self) -> None:
        self.modules: dict[str, float] = {}
        self.open: list[tuple[float, float]] = []

    def on_start(self, happening: Any) -> None:
        self.open.append((time.perf_counter(), 0.0))

    def on_end(self, happening: Any) -> None:
        start, inside = self.open.pop()
        whole = time.perf_counter() - start
        if self.open:
            outer, before = self.open[-1]
            self.open[-1] = (outer, before + whole)
        module = happening.data["dispatcher"].py_func.__module__
        self.modules[module] = self.modules.get(module, 0.0) + whole - inside


def use_everything() -> None:
    """Call every entry point; a machine with loops needs those of assembly too."""
    ours = Ours(bare_harvester().machine)
    ours.step(1, 1e-6)
    ours.evaluate(1)
    ours.planned.mass_matrix()
    # a session compiles its run when it is made
    for coupling in {entry: coupling for coupling, entry in run.RUNS.items()}.values():
        Simulation(ours.planned.machine, coupling=coupling)


def all_together() -> dict[str, Any]:
    """Compile everything as a first run does, and return the seconds by entry point and by module."""
    watch = Watch()
    event.register("numba:compile", watch)
    use_everything()
    event.unregister("numba:compile", watch)
    return {"entry_points": dict(kernels.compile_times), "modules": watch.modules}


def alone(name: str) -> dict[str, Any]:
    """Compile one entry point from nothing, for the types it is called with, and return its seconds."""
    use_everything()
    entry: Any = getattr(run, name)
    fresh: Any = numba.njit(**kernels.OPTIONS)(entry.py_func)
    start = time.perf_counter()
    fresh.compile(entry.signatures[0])
    return {"seconds": time.perf_counter() - start}


def main() -> None:
    """Write the measurement to standard output."""
    kernels.on_compile = lambda name, seconds: None
    measured = alone(sys.argv[1]) if len(sys.argv) > 1 else all_together()
    sys.stdout.write(json.dumps(measured))


if __name__ == "__main__":
    main()
