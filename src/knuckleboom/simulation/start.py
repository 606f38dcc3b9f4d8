# SPDX-License-Identifier: BSD-3-Clause
"""Where a run begins: at the machine's own start, at its equilibrium, or at a state that was found before.

A state is what kb.equilibrium returns: joint coordinates and speeds, states of oil and spools, and the inputs that hold
it there. The run holds these inputs, too, unless it is given others: levers that are held where nothing rests act from
the equilibrium on that the machine has without them. Bodies on coordinates of their own begin where the joints say.
Tested in tests/simulate/test_start.py.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import MachineError, Problem
from knuckleboom.machine import Machine
from knuckleboom.methods import EQUILIBRIUM, OWN_START, Method
from knuckleboom.plan import Planned, assembly, build
from knuckleboom.plan.reference_point import free_links, poses_of, start_angles

Array = NDArray[np.float64]

PLACE = "the start"
HELD_AT_REST = "Input '{path}' is held at its rest position of"


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
    if start is None or (isinstance(start, str) and start == OWN_START):
        return None, given
    if coupling == "kinematic":
        rule = "Cylinders that follow given lengths have no oil, so a run of them begins at the machine's own start."
        fix = f'Write start="{OWN_START}" (--start {OWN_START}), or choose another coupling.'
        raise MachineError([Problem(rule, fix=fix)], PLACE)
    if isinstance(start, str) and start == EQUILIBRIUM:
        # by the public name: what finds it stands above this room
        found: Start = sys.modules["knuckleboom"].equilibrium(machine, inputs=given, creeping=True)
    elif all(hasattr(start, name) for name in Start.__annotations__):
        found = start
    else:
        fix = f'Write start="{EQUILIBRIUM}", start="{OWN_START}" for its own start, or what kb.equilibrium returned.'
        raise MachineError([Problem(f"start is {start!r}, which is no state of a machine.", fix=fix)], PLACE)
    return found, {**found.inputs, **given}


def describe_start(start: Start | None, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a run says of its start, as plain data; nothing of the machine's own. `given` are the run's own inputs."""
    if start is None:
        return {}
    notes = list(start.notes)
    said = " ".join(notes)
    for path in (path for path in start.moved if path in (given or {}) and f"Input '{path}' is held" not in said):
        whose = f" of {start.moved_for[path]}" if path in start.moved_for else ""
        rests = f"the load{whose} rests with '{path}' at {start.inputs[path]:.4g}"
        notes.append(f"Input '{path}' is given: the run begins where {rests}, and from there the input acts.")
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
