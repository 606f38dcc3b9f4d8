# SPDX-License-Identifier: BSD-3-Clause
"""Writes the YAML files of catalogue machines that are too large to be typed twice, beside their Python files.

    python tools/catalogue_yaml.py                        writes anew every file that this tool has written before
    python tools/catalogue_yaml.py excavator mine-loader  writes the files of these machines, new ones too

A file of this tool says so in its second line; tests/catalogue/test_written_files.py says when writing is due.
"""

from __future__ import annotations

import sys
from pathlib import Path

from knuckleboom.catalogue import NAMES

FOLDER = Path(__file__).parents[1] / "src" / "knuckleboom" / "catalogue"
MARKER = "# Written by tools/catalogue_yaml.py from "


def path_of(name: str) -> Path:
    """Return the file of a machine."""
    return FOLDER / f"{name.replace('-', '_')}.yaml"


def written() -> list[str]:
    """Return the machines whose files are written by this tool."""
    return [name for name in NAMES if path_of(name).exists() and MARKER in path_of(name).read_text(encoding="utf-8")]


def page(name: str) -> str:
    """Return the file of a machine as it should be."""
    case = NAMES[name]()
    head = (
        "# SPDX-License-Identifier: BSD-3-Clause",
        f"{MARKER}{path_of(name).with_suffix('.py').name}, whose comments say where the numbers come from; SI units.",
        f"# {name}: {case.meaning}.",
    )
    return "\n".join((*head, case.machine.to_yaml()))


if __name__ == "__main__":
    for machine in sys.argv[1:] or written():
        path_of(machine).write_text(page(machine), encoding="utf-8", newline="\n")
