# SPDX-License-Identifier: BSD-3-Clause
"""Terrains as a user gives them: heights as an array, a function or a file, and in YAML again. What is wrong is in
tests/errors/terrains.
"""

import numpy as np
import pytest

import knuckleboom as kb
from knuckleboom.errors import MachineError

ROWS = ((0.0, 0.1, 0.25), (0.5, 0.0, -1e-3))


def grid_of(machine, name="field"):
    return machine.parts[name].grid()


def test_heights_are_an_array_or_rows():
    m = kb.Machine("m")
    m.terrain("field", heights=np.array(ROWS), spacing="25 cm")
    m.terrain("rows", heights=[[np.float64(one) for one in row] for row in ROWS], spacing=0.25)

    assert grid_of(m) == ROWS
    assert grid_of(m, "rows") == ROWS
    assert kb.Machine.from_yaml(m.to_yaml()) == m


def test_heights_are_those_of_a_function():
    m = kb.Machine("m")
    m.terrain("field", heights=lambda x, y: 10.0 * x + y, spacing="1 m", size=("2 m", 1), at=(5, 3, 2))

    assert grid_of(m) == ((51.0, 52.0), (61.0, 62.0), (71.0, 72.0))
    assert kb.Machine.from_yaml(m.to_yaml()) == m


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"spacing": 1.0}, "heights is a function, which needs spacing and size."),
        ({"spacing": 1.0, "size": (2.0, 0.5)}, "each of size must be at least the spacing"),
        ({"spacing": 1e-4, "size": (2.0, 2.0)}, "make 400040001 heights"),
        ({"spacing": 1.0, "size": (2.0, 2.0), "heights": lambda x, y: float("nan")}, "no number in 9 places"),
        ({"spacing": 1.0, "size": (2.0, 2.0), "heights": lambda x: x}, "its function fails at x = 0 m, y = 0 m: TypeE"),
        ({"spacing": 1.0, "size": (2.0, 2.0), "heights": lambda x, y: 1.0 / (x - 1.0)}, "at x = 1 m, y = 0 m: ZeroDiv"),
    ],
)
def test_a_function_is_sampled_over_a_size(settings, said):
    with pytest.raises(MachineError, match=said):
        kb.Machine("m").terrain("field", **({"heights": lambda x, y: 0.0} | settings))


@pytest.mark.parametrize("mark", [",", "; ", "\t", " "])
def test_a_file_lies_beside_that_of_the_machine(tmp_path, mark):
    lines = [mark.join(map(str, row)) for row in ROWS]
    (tmp_path / "heights.csv").write_text("# by hand\n" + "\n".join(lines), encoding="utf-8")
    text = "knuckleboom: 1\nmachine: m\nterrains:\n  field: {csv: heights.csv, spacing: 25 cm}\n"
    (tmp_path / "machine.yaml").write_text(text, encoding="utf-8")

    m = kb.read(tmp_path / "machine.yaml")
    assert grid_of(m) == ROWS
    kb.write(m, tmp_path / "again.yaml")
    assert "csv: heights.csv" in (tmp_path / "again.yaml").read_text(encoding="utf-8")
    assert kb.read(tmp_path / "again.yaml") == m
