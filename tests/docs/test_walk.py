# SPDX-License-Identifier: BSD-3-Clause
"""tools/walk.py follows a pressure from a machine's file to the results; docs/decisions/walk_of_a_pressure.md."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_walk_goes_from_the_file_to_the_results():
    places = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": places}
    command = [sys.executable, str(ROOT / "tools" / "walk.py")]

    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True).stdout

    lines = [line.removeprefix("again").split() for line in told[told.index("\n}\n") + 3 :].splitlines()]
    files = [line[0] for line in lines if line[0].endswith(".py")]
    wanted = [
        "machine/yaml_tree.py", "machine/reader.py", "interface/parts/cylinder.py", "machine/expansion.py",
        "plan/network.py", "laws/oil_cavitating.py", "hydraulics/oil_laws.py", "simulation/stepper.py",
        "engine/observe.py", "results/results.py",
    ]  # fmt: skip
    assert [name for name in files if name in wanted] == wanted
    assert len(files) == len(set(files))
    assert ["simulation", "to", "engine:"] in [line[:3] for line in lines]


@pytest.mark.slow
def test_compiled_functions_are_refused():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "tools" / "walk.py")]

    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)

    assert ended.returncode == 1 and "NUMBA_DISABLE_JIT=1" in ended.stderr
