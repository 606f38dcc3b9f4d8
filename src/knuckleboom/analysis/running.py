# SPDX-License-Identifier: BSD-3-Clause
"""Shafts that turn on while a machine rests: those that no gear ties to a joint of the mechanism.

Their angles mean nothing, their speeds are what engines, pumps and drag on them leave. A shaft that a gear ties to a
joint stands with it. Tested in tests/analysis/test_running.py.
"""

from __future__ import annotations

from knuckleboom.mechanics.parts import GearStage, Shaft
from knuckleboom.net import Row
from knuckleboom.plan import Planned


def running_shafts(planned: Planned) -> list[int]:
    """Their velocities."""
    machine = planned.machine
    stages = machine.of(GearStage)
    tied = {end for stage in stages for end in (stage.a, stage.b) if not isinstance(machine.parts[end], Shaft)}
    while more := {end for stage in stages if {stage.a, stage.b} & tied for end in (stage.a, stage.b)} - tied:
        tied |= more
    return [planned.topology.scalars[shaft.name].v[0] for shaft in machine.of(Shaft) if shaft.name not in tied]


def turns(row: Row, running: list[int]) -> bool:
    """Whether a row is that of such a shaft."""
    return row.scalar and row.index[3] in running
