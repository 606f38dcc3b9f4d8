# SPDX-License-Identifier: BSD-3-Clause
"""Where a run begins: at the machine's own start, at its equilibrium, or at a state that was found before.

A state is what kb.equilibrium returns: joint coordinates and speeds, states of oil and spools, and the inputs that hold
it there. The run holds these inputs, too, unless it is given others; where valves that are given let nothing rest, it
begins where they would have to be. Bodies on coordinates of their own begin where the joints say. Tested in
tests/simulate/test_start.py.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.methods import Method
from knuckleboom.plan import Planned, assembly, build
from knuckleboom.plan.reference_point import free_links, poses_of, start_angles

Array = NDArray[np.float64]

PLACE = "the start"
EQUILIBRIUM = "equilibrium"
NOT_THERE = "Input '{path}' is given a value at which the load"
MOVES = "does not rest, so that it moves from the start on"
LEAVE_OUT = "leave the input out, or put a valve there that holds the load"


class Start(Protocol):
    """A state to begin at; kb.State is one."""

    machine: str
    snapshot: dict[str, Array]
    moved: dict[str, float]
    moved_for: dict[str, str]
    inputs: dict[str, float]
    creep: dict[str, float]
    notes: tuple[str, ...]


def find_start(
    start: Any, machine: Machine, inputs: Mapping[str, Any] | None, coupling: str
) -> tuple[Start | None, Mapping[str, Any]]:
    """The state that was asked for, None for the machine's own start, and the inputs of the run."""
    given = inputs or {}
    if start is None:
        return None, given
    if coupling == "kinematic":
        rule = "Cylinders that follow given lengths have no oil, so a run of them begins at the machine's own start."
        raise MachineError([Problem(rule, fix="Leave start out, or choose another coupling.")], PLACE)
    if start == EQUILIBRIUM:
        # by the public name: what finds it stands above this room
        found: Start = sys.modules["knuckleboom"].equilibrium(machine, inputs=given, creeping=True)
    elif all(hasattr(start, name) for name in Start.__annotations__):
        found = start
    else:
        fix = f'Write start="{EQUILIBRIUM}", or what kb.equilibrium returned.'
        raise MachineError([Problem(f"start is {start!r}, which is no state of a machine.", fix=fix)], PLACE)
    return found, {**found.inputs, **given}


def describe_start(start: Start | None, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a run says of its start, as plain data; nothing of the machine's own. `given` are the run's own inputs."""
    if start is None:
        return {}
    notes = list(start.notes)
    for path in (path for path in start.moved if path in (given or {})):
        whose = f" of {start.moved_for[path]}" if path in start.moved_for else ""
        notes.append(f"{NOT_THERE.format(path=path)}{whose} {MOVES}: {LEAVE_OUT}.")
    return {"start": {"moved": dict(start.moved), "creep": dict(start.creep), "notes": notes}}


def begin_there(planned: Planned, start: Start) -> None:
    """Put the state into Work."""
    state, given = planned.work.state, start.snapshot
    if planned.method.coordinates == "relative":
        place(planned, given)
    else:
        # poses of all bodies, by a plan in joint coordinates
        relative = build(planned.machine, Method.choose(), dict(zip(drivers(planned), planned.motions, strict=True)))
        place(relative, given)
        topology = free_links(planned.machine, poses_of(relative), vectors=planned.method.coordinates == "natural")
        state.q[:], state.v[:], state.x[:] = topology.q_start, topology.v_start, given["x"]
        state.angle[:] = start_angles(relative, planned.layout)
    assembly.close_once(planned.plan, planned.work)


def drivers(planned: Planned) -> list[str]:
    """Names of the drivers, in the order of their motions."""
    return [row.part for row in planned.layout.loops.driven]


def place(planned: Planned, given: dict[str, Array]) -> None:
    """Copy coordinates, speeds and states of oil, if they are of this machine."""
    for name in ("q", "v", "x", "angle"):
        held = getattr(planned.work.state, name)
        if held.shape != given[name].shape:
            rule = f"The state has {len(given[name])} numbers for {name}, machine '{planned.machine.name}' {len(held)}."
            raise MachineError([Problem(rule, fix="Begin at a state of this very machine.")], PLACE)
        held[:] = given[name]
