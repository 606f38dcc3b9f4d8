# SPDX-License-Identifier: BSD-3-Clause
"""A new stage is its file and one line in engine/evaluate.py: tried with a counter, on a copy of the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import knuckleboom

PACKAGE = Path(knuckleboom.__file__).parent
STAGE = '''"""Counts evaluations."""

from knuckleboom.kernels import kernel

count = [0]


@kernel
def position(plan, work):
    """Count one more."""
    count[0] += 1
'''
PLACE = "    mechanics.position(plan, work)\n"
LINE = "    __import__('knuckleboom.mechanics.counted').mechanics.counted.position(plan, work)\n"
PROGRAM = """
import knuckleboom as kb
from knuckleboom.mechanics import counted

m = kb.Machine("pendulum")
rod = m.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
m.revolute("foot", m.ground, rod, axis="y")
sim = kb.Simulation(m, step="1 ms", coupling="explicit")
counted.count[0] = 0
sim.step()
print(counted.count[0])
"""


def test_a_counter_is_one_file_and_one_line(tmp_path):
    """As plain Python, where a stage may count in a list: RK4 evaluates four times, and once more for the outputs."""
    shutil.copytree(PACKAGE, tmp_path / "knuckleboom", ignore=shutil.ignore_patterns("__pycache__", "page"))
    (tmp_path / "knuckleboom" / "mechanics" / "counted.py").write_text(STAGE, encoding="utf-8")
    contents = tmp_path / "knuckleboom" / "engine" / "evaluate.py"
    text = contents.read_text(encoding="utf-8")
    contents.write_text(text.replace(PLACE, PLACE + LINE, 1), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}

    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["5"]
