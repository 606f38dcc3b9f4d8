# SPDX-License-Identifier: BSD-3-Clause
"""Where in a line of the record everything is: a name for each column, and the seven columns of each body's pose.

Tested in tests/cabin/test_facts.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knuckleboom.names import Names, component_labels


def pose_columns(names: Names, body: str) -> tuple[int, ...]:
    """Columns of the pose of a body, x y z and qw qx qy qz; none for the ground."""
    if f"{body}.position" not in names:
        return ()
    return (*names[f"{body}.position"].columns, *names[f"{body}.orientation"].columns)


def signal_facts(names: Names) -> list[dict[str, Any]]:
    """{path, unit, meaning, column} of every column; a vector has one for each component."""
    return [
        {"path": path, "unit": signal.unit, "meaning": signal.meaning, "column": column}
        for signal in names
        for path, column in zip(component_labels(signal), signal.columns, strict=True)
    ]


def body_facts(names: Names, bodies: Iterable[str]) -> list[dict[str, Any]]:
    """{name, columns} of these bodies."""
    return [{"name": name, "columns": list(pose_columns(names, name))} for name in bodies]
