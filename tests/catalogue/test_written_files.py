# SPDX-License-Identifier: BSD-3-Clause
"""YAML files that tools/catalogue_yaml.py writes are those of today's machines; if not, run it."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import knuckleboom as kb
from cli.command_line import environment
from knuckleboom import catalogue
from knuckleboom.bench.machines import complete
from knuckleboom.catalogue import NAMES

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def _tool():
    spec = importlib.util.spec_from_file_location("catalogue_yaml", ROOT / "tools" / "catalogue_yaml.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


TOOL = _tool()


def test_every_complete_machine_has_one():
    assert set(complete()) <= set(TOOL.written())


@pytest.mark.parametrize("name", TOOL.written())
class TestWrittenFile:
    def test_is_up_to_date(self, name):
        """Words alike; numbers to 1e-9, since another computer's sine may differ in the last bit."""
        file, now = TOOL.path_of(name).read_text(encoding="utf-8"), TOOL.page(name)
        assert NUMBER.split(file) == NUMBER.split(now), "run: python tools/catalogue_yaml.py"
        numbers = [[float(one) for one in NUMBER.findall(text)] for text in (file, now)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-9, abs=1e-12), "run: python tools/catalogue_yaml.py"

    def test_is_a_machine_without_fault(self, name):
        machine = kb.read(TOOL.path_of(name))
        assert machine.check() == []
        assert list(machine.parts) and set(machine.parts) == set(NAMES[name]().machine.parts)


READ_ALL = """
import sys
from pathlib import Path
from knuckleboom.machine import read
for file in sorted(Path(sys.argv[1]).glob("*.yaml")):
    assert read(file).check() == [], file
    print(file.stem)
assert "knuckleboom.catalogue" not in sys.modules
"""


def test_every_file_is_read_by_a_process_that_has_not_imported_the_catalogue():
    folder = Path(catalogue.__file__).parent
    words = [sys.executable, "-c", READ_ALL, str(folder)]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == sorted(file.stem for file in folder.glob("*.yaml"))
