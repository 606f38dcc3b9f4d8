# SPDX-License-Identifier: BSD-3-Clause
"""Where the record has speed, torque and setting of an engine. Tested in tests/cabin/test_alarms.py."""

from __future__ import annotations

from typing import NamedTuple

from knuckleboom.interface.parts import EngineDroop
from knuckleboom.plan import Planned


class EngineColumns(NamedTuple):
    """Columns of an engine in the record, and the path of its speed."""

    speed: int
    torque: int
    setting: int
    speed_path: str


def engine_columns(planned: Planned, engine: EngineDroop) -> EngineColumns:
    """Find them among the names of the engine's row and input."""
    own = {path: planned.names[path] for path in planned.names.paths if path.startswith(f"{engine.name}.")}
    speed = next(path for path, one in own.items() if one.unit == "rad/s" and path.endswith("rate"))
    torque = next(path for path, one in own.items() if one.unit == "N*m")
    return EngineColumns(
        own[speed].columns[0], own[torque].columns[0], own[f"{engine.name}.input"].columns[0], speed
    )  # fmt: skip
