# SPDX-License-Identifier: BSD-3-Clause
"""Run a test file as a program whose kernels are plain Python: a process of its own with NUMBA_DISABLE_JIT=1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import knuckleboom as kb


def answers_of(file: str) -> Any:
    """Return what the file prints as JSON when it is run on its own, without the compiler."""
    paths = [str(Path(kb.__file__).parents[1]), str(Path(__file__).parent)]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
