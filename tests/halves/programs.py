# SPDX-License-Identifier: BSD-3-Clause
"""Programs that are the other half of a run: each a process of its own, ended with the test whatever happens."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 120
"""s that a program may take to end by itself."""


@contextlib.contextmanager
def program(text, *words):
    """Run a Python program; yields the process, which has its output as text."""
    paths = [str(ROOT / "src"), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    process = subprocess.Popen(
        [sys.executable, "-c", text, *map(str, words)], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def ended(process):
    """Wait until a program has ended by itself; its exit code and what it printed, errors last."""
    out, err = process.communicate(timeout=LONGEST)
    return process.returncode, out + err
