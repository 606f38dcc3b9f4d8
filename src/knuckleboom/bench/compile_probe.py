# SPDX-License-Identifier: BSD-3-Clause
"""A process of its own that compiles and says how long it took: `python -m knuckleboom.bench.compile_probe [NAME]`.

Without an argument it plans naya-rod, makes one step and calls every other entry point, and prints as JSON the seconds
of each entry point and of each source file. With the name of an entry point it compiles that one alone, all kernels
under it included; a filled cache is then used for planning. compile_time.py starts it.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numba
import numpy as np
from numba.core import event

from knuckleboom import kernels
from knuckleboom.catalogue import NAMES
from knuckleboom.engine import run
from knuckleboom.plan import Planned, build


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


def arguments(planned: Planned) -> dict[str, tuple[Any, ...]]:
    """What each entry point is called with, for one step or one evaluation."""
    plan, work = planned.plan, planned.work
    times, lines, record = np.array([0.0, 1e-6]), np.full(2, -1), np.empty((1, 1))
    inputs = np.array([[signal.default for signal in planned.layout.inputs]])
    return {
        "run_explicit": (plan, work, times, np.array([1e-6]), inputs, lines, record, 1),
        "evaluate_many": (plan, work, 1),
        "system_once": (plan, work),
        "close_once": (plan, work),
    }


def all_together() -> dict[str, Any]:
    """Compile everything as a first run does, and return the seconds by entry point and by module."""
    watch = Watch()
    event.register("numba:compile", watch)
    planned = build(NAMES["naya-rod"]().machine)
    for name, values in arguments(planned).items():
        getattr(run, name)(*values)
    event.unregister("numba:compile", watch)
    return {"entry_points": dict(kernels.compile_times), "modules": watch.modules}


def alone(name: str) -> dict[str, Any]:
    """Compile one entry point from nothing and return its seconds."""
    values = arguments(build(NAMES["naya-rod"]().machine))[name]
    function = numba.njit(error_model="numpy", nogil=True)(getattr(run, name).py_func)
    start = time.perf_counter()
    function(*values)
    return {"seconds": time.perf_counter() - start}


def main() -> None:
    """Write the measurement to standard output."""
    kernels.on_compile = lambda name, seconds: None
    measured = alone(sys.argv[1]) if len(sys.argv) > 1 else all_together()
    sys.stdout.write(json.dumps(measured))


if __name__ == "__main__":
    main()
