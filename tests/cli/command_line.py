# SPDX-License-Identifier: BSD-3-Clause
"""The command as a user's shell runs it: another process, its exit code, stdout and stderr."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "knuckleboom"]


def environment(**more: str) -> dict[str, str]:
    """Return this process's surroundings, with the package found where the tests found it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100", **more}


def knuckleboom(*words: str, folder: Path | None = None, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run `knuckleboom` with these words and return how it ended."""
    return subprocess.run(
        [*COMMAND, *words], cwd=folder, env=environment(), capture_output=True, text=True, timeout=300, **more
    )


def document(*words: str, folder: Path | None = None, code: int = 0) -> Any:
    """Run `knuckleboom … --json`, check its exit code and that stdout is one document, and return it."""
    done = knuckleboom(*words, "--json", folder=folder)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)
