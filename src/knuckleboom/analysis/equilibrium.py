# SPDX-License-Identifier: BSD-3-Clause
"""kb.equilibrium: where a machine comes to rest, mechanism and oil.

Oil holds what it moves: each cylinder and motor stands where the machine starts, as a rigid link would, and what else
can move settles (settling.py). The links' forces are what the oil must give: pressures, spools, pump controls, static
friction and, where nothing else can, valve inputs are found so that all rates vanish (resting_oil.py). Shafts turn on,
as fast as what is on them leaves (running.py). A machine without oil simply settles. Dry friction of joints does not
act at rest: of all poses that it would hold, this is the one without it. That of contacts, tires and brakes of wheels
holds what it can (holding.py). What is moved, left open or impossible is said by name (resting_reasons.py). Tested in
tests/analysis/test_equilibrium.py and test_standing.py, validated by: validation/analytic/test_equilibrium.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.coordinates import read_coordinates
from knuckleboom.analysis.floating import Floating
from knuckleboom.analysis.mechanism import AnalysisError, Mechanism
from knuckleboom.analysis.released import Release
from knuckleboom.analysis.resting_oil import Standing
from knuckleboom.analysis.resting_reasons import creep_speeds, moved_for, moved_inputs, notes, refusal, static_friction
from knuckleboom.analysis.resting_search import Rest, find_rest
from knuckleboom.analysis.running import running_shafts, turns
from knuckleboom.analysis.settling import Settled, Settling
from knuckleboom.analysis.state import State
from knuckleboom.analysis.tipping import loads
from knuckleboom.errors import MachineError, Problem
from knuckleboom.interface.states import RATE_Z, STATE, STATES, slopes_at
from knuckleboom.kernels import plain
from knuckleboom.machine import Machine
from knuckleboom.plan import assembly
from knuckleboom.plan.checks import beyond_stroke

Array = NDArray[np.float64]
NEWTON_STEPS = 3
"""For states of elements, which are linear at rest, or nearly so."""


def equilibrium(
    machine: Machine,
    *,
    inputs: Mapping[str, Any] | None = None,
    start: State | Mapping[str, Any] | None = None,
    nearest: bool = False,
    free: Sequence[str] = (),
    creeping: bool = False,
) -> State:
    """Find where a machine comes to rest, from its start or from other joint coordinates by name.

    `inputs` and drivers are held at their value at time 0; inputs of valves that are not given move if the load cannot
    rest otherwise. Cylinders and motors stand where they start, but for those named in `free`: these go to where the
    oil that they have carries their load. With `nearest` it goes to the equilibrium closest to the start, stable or
    not. With `creeping`, as for the start of a run, levers that are given off their rest position are let go where they
    let nothing rest (released.py), and cylinders that the given inputs cannot hold may move slowly. Raises
    AnalysisError, naming what runs away or what force lacks, when there is none.
    """
    mechanism = Mechanism(machine, inputs)
    begin_at(mechanism, start)
    mechanism.hold(rows_with_oil(mechanism), running_shafts(mechanism.planned))
    if free:
        Floating(mechanism, nearest, inputs or {}, free).run()
    settling = Settling(mechanism, nearest)
    at = settling.run()
    release = Release(mechanism, at.basis, inputs or {}, lambda: spools_follow(mechanism))
    standing = Standing(mechanism, at.basis, inputs or {})
    rest, levers = find_rest(standing), dict[str, str]()
    if creeping and rest.ending != "rests":
        standing, rest, levers = release.find(standing, rest)
    if rest.ending != "rests" and not (creeping and rest.ending == "creeps"):
        raise AnalysisError(refusal(standing, rest))
    return describe(settling, at, standing, rest, levers)


def rows_with_oil(mechanism: Mechanism) -> list[int]:
    """Rows of cylinders and motors, but for those of shafts that turn on."""
    running = running_shafts(mechanism.planned)
    with_oil = {id(one.row) for one in mechanism.planned.layout.chambers if not turns(one.row, running)}
    return [number for number, row in enumerate(mechanism.planned.layout.rows) if id(row) in with_oil]


def begin_at(mechanism: Mechanism, start: State | Mapping[str, Any] | None) -> None:
    """Put the start into Work: at rest, drivers held, spools where their inputs want them."""
    planned, state = mechanism.planned, mechanism.work.state
    mechanism.work.rows.target[:, 1:] = 0.0
    if isinstance(start, State):
        state.q[:], state.x[:] = start.snapshot["q"], start.snapshot["x"]
    elif start is not None:
        given = read_coordinates(planned, start, "start")
        kept = np.zeros(mechanism.nv, bool)
        for coordinate, value in given.items():
            state.q[coordinate.q], kept[coordinate.v] = value, True
        assembly.close_loops(planned.plan, planned.work, kept, driven=True)
    assembly.close_once(planned.plan, planned.work)
    worst = float(np.max(np.abs(assembly.residual(planned.plan, planned.work)), initial=0.0))
    if worst > assembly.GOOD:
        names = ", ".join(sorted({row.part for row in planned.layout.loops.kept}))
        rule = f"With this start the loops closed by {names} stay open by {worst:.2g}."
        raise MachineError([Problem(rule, fix="Give start values nearer to a closed pose.")], "the start")
    if beyond := beyond_stroke(planned.layout, planned.work):
        raise MachineError(beyond, "the start")
    running = running_shafts(planned)
    speeds = (start.snapshot["v"] if isinstance(start, State) else state.v)[running].copy()
    state.v[:] = 0.0
    state.v[running] = speeds
    spools_follow(mechanism)
    states_rest(mechanism)


def states_rest(mechanism: Mechanism) -> None:
    """Put states of elements where they stay while nothing moves, if there is one such place: currents have one,
    bristles have many and keep theirs.
    """
    forces, work = mechanism.plan.forces, mechanism.work
    x, rates = work.state.x, work.oil.x_dot
    for _ in range(NEWTON_STEPS if len(forces.block) + len(forces.single) else 0):
        mechanism.forces()
        for (_, state), slopes in zip(forces.single, work.rows.single, strict=True):
            if slopes[RATE_Z] != 0.0:
                x[state] -= rates[state] / slopes[RATE_Z]
        for number, block in enumerate(forces.block):
            count, first = int(block[STATES]), int(block[STATE])
            at = plain(slopes_at)(forces, number)[3]
            slopes = work.rows.block[at : at + count * count].reshape(count, count)
            if count and np.linalg.matrix_rank(slopes) == count:
                x[first : first + count] -= np.linalg.solve(slopes, rates[first : first + count])


def spools_follow(mechanism: Mechanism) -> None:
    """Put spools where their inputs want them."""
    planned, state = mechanism.planned, mechanism.work.state
    values = {id(signal): state.u[number] for number, signal in enumerate(planned.layout.inputs)}
    for number, lag in enumerate(planned.layout.lags, start=planned.layout.nvolume):
        if lag.follows is not None:
            state.x[number] = lag.kept(values[id(lag.follows)])
        values[id(lag)] = state.x[number]


def describe(settling: Settling, at: Settled, standing: Standing, rest: Rest, levers: dict[str, str]) -> State:
    """Stability and everything by name at the state found; `levers` has what is said of those that were let go."""
    mechanism = settling.mechanism
    planned = mechanism.planned
    stability, g = settling.stability(at)
    mechanism.work.state.q[:] = at.q
    said = [*levers.values(), *notes(standing, rest, levers)]
    standing.put(rest.X)
    f, J = mechanism.forces(), mechanism.jacobian()
    multipliers = np.linalg.lstsq(J.T, f, rcond=None)[0][: mechanism.nloop] if len(J) else np.zeros(0)
    line, carried = mechanism.line(), loads(mechanism)
    owners: dict[str, list[float]] = {}
    for row, value in zip(planned.layout.loops.kept, multipliers, strict=True):
        owners.setdefault(row.part, []).append(float(value))
    known, signals = mechanism.coordinates, planned.layout.inputs
    return State(
        machine=planned.machine.name,
        names=planned.names,
        line=line,
        snapshot=planned.snapshot(),
        coordinates={c.path: float(mechanism.work.state.q[c.q]) for c in known if c.q >= 0},
        coordinate_units={c.path: c.unit for c in known if c.q >= 0},
        residual={known[i].path: float(value) for i, value in zip(at.basis.independent, g, strict=True)},
        multipliers={part: np.array(values) for part, values in owners.items()},
        stability=stability.word,
        stiffness=stability.stiffness,
        softest=stability.softest,
        iterations=at.iterations,
        inputs={signal.path: float(one) for signal, one in zip(signals, mechanism.work.state.u, strict=True)},
        moved=moved_inputs(standing, rest),
        moved_for=moved_for(standing, rest),
        friction=static_friction(standing, rest),
        creep=creep_speeds(standing, rest),
        notes=(*said, *lifted(carried)),
        loads=carried,
    )


def lifted(carried: dict[str, float]) -> list[str]:
    """A sentence about what does not touch the ground, where something else does."""
    off = [name for name, load in carried.items() if load == 0.0]
    if not off or len(off) == len(carried):
        return []
    return [f"Not on the ground: {', '.join(repr(name) for name in off)}."]
