# SPDX-License-Identifier: BSD-3-Clause
"""How long a person waits for `knuckleboom run --no-plots`, a whole process, with an empty and a filled compile cache.

The picture is left out: drawing it is work, not start; it takes another half second or so.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from knuckleboom.kernels import CACHE_VARIABLE

WARM_RUNS = 3


class BenchError(RuntimeError):
    """A measured process failed."""


def start_times(machine: str = "naya-rod") -> tuple[float, float]:
    """Return seconds of the first run, and the median of the following ones."""
    with tempfile.TemporaryDirectory(prefix="knuckleboom-bench-") as folder:
        cold = _run(machine, Path(folder))
        warm = [_run(machine, Path(folder)) for _ in range(WARM_RUNS)]
    return cold, statistics.median(warm)


def environment(cache: Path) -> dict[str, str]:
    """Variables for a process that runs this very code with the given cache folder."""
    here = str(Path(__file__).parents[2])
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, CACHE_VARIABLE: str(cache), "PYTHONPATH": path}


def _run(machine: str, folder: Path) -> float:
    command = [sys.executable, "-m", "knuckleboom", "run", machine, "--no-plots"]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment(folder / "cache"), capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise BenchError(f"'knuckleboom run {machine}' ended with {done.returncode}:\n{done.stderr}")
    return seconds
