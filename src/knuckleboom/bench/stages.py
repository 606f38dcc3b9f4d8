# SPDX-License-Identifier: BSD-3-Clause
"""What the stages of a `realtime` step cost, one by one: mechanics, interface, oil and solve.

A clock inside the step would slow it down. So each stage is compiled as a loop of its own that does what one step does
of it, as often as a step does it (once building M and the slopes, once more for each later evaluation), and is timed at
states of the work cycle, after the step from there filled Work. Nothing of a loop feeds its next turn but the matrix,
which is put back. `rest` is what the whole step takes beyond their sum: moving the state from stage to stage, energies,
checks. Rough steps, which are solved once, count as others. A stage on its own finds its numbers nearer to the
processor than in the step, so the sum is a little too small.
Tested in tests/bench/test_stages.py, where every kernel that the step calls has to be in one of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from knuckleboom.engine import linearly_implicit
from knuckleboom.hydraulics import circuits, network
from knuckleboom.interface import coupling, forces, servos
from knuckleboom.kernels import direct, entry_point
from knuckleboom.mechanics import accelerations, dynamics, kinematics, natural, rows, stiffening
from knuckleboom.plan import Planned
from knuckleboom.solvers.vectors import copy, fill

TURNS = 50
"""Turns of a loop that are timed together: a few hundred microseconds."""


def mechanics(plan, work, h, kept, n):  # type: ignore[no-untyped-def]  # compiled, as all stages
    """Poses, velocities, mass matrix, bias forces and loops of n steps. Writes work."""
    motion, system, state = work.motion, work.system, work.state
    for _ in range(n):
        for i in range(plan.tableau.stages[0]):
            if i > 0 and plan.tableau.fresh[i] != 1:
                continue
            kinematics.poses(plan.links, state.q, motion)
            kinematics.velocities(plan.links, state.v, motion)
            accelerations.loop_jacobian(plan.rows, plan.system, motion.S, work.rows.W, system.phi)
            if plan.natural.row.shape[0] > 0:
                natural.jacobian(plan.natural, plan.system, state.q, system.phi)
                natural.rates(plan.natural, plan.system, system.phi, state.v, work.rows)
            if i > 0:
                kinematics.full_accelerations(plan.links.index, work.system.a, motion)
                if plan.natural.row.shape[0] > 0:
                    natural.apply(plan.natural, plan.system, system.phi, work.system.a, work.rows.bias)
            if i > 0 or plan.natural.mass.shape[0] > 0:
                if plan.natural.mass.shape[0] == 0:
                    dynamics.inertias(plan.links.inertia, motion)
                    dynamics.link_forces(plan.links.inertia, motion)
                dynamics.bias_only(plan.links.index, motion, system.bias)
            if plan.natural.mass.shape[0] > 0:
                natural.add_weight(plan.natural, system.bias)
            if i > 0:
                if plan.natural.mass.shape[0] > 0:
                    natural.add_inertia(plan.natural, plan.system, work.system.a, system.bias)
                accelerations.loop_rates(plan.system, work.rows, system.gamma)
                continue
            fill(0.0, system.L)
            if plan.natural.mass.shape[0] > 0:
                natural.put_mass(plan.natural, plan.system, system.L)
            else:
                dynamics.inertias(plan.links.inertia, motion)
                dynamics.link_forces(plan.links.inertia, motion)
                table = plan.system
                dynamics.mass_and_bias(
                    plan.links.index, table.pair_first, table.pair_turning, table.pair_ancestor, table.pair_address,
                    motion, system.L, system.bias,
                )  # fmt: skip
            if plan.stiffened.row.shape[0] > 0:
                stiffening.add_to_mass(plan.stiffened, system.phi, system.L)
            accelerations.loop_system(plan.system, work.rows, system)


def interface(plan, work, h, kept, n):  # type: ignore[no-untyped-def]
    """Rows, their forces and slopes, and what these add to the mass matrix, of n steps. Writes work."""
    motion, state, tangent, tableau, oil = work.motion, work.state, work.tangent, work.tableau, work.oil
    tau = plan.tableau.gamma[0] * h
    for _ in range(n):
        for i in range(plan.tableau.stages[0]):
            if i > 0 and plan.tableau.fresh[i] != 1:
                continue
            rows.positions(plan.rows, state.q, motion, state.angle, work.rows)
            rows.follow_positions(plan.rows, work.rows)
            rows.velocities(plan.rows, state.v, motion, work.rows)
            if i > 0:
                rows.accelerate_gears(plan.rows, work.system.a, work.rows.bias)
            rows.follow_velocities(plan.rows, work.rows)
            forces.forces(plan.forces, state.u, state.x, oil, work.rows, oil.power)
            rows.apply_forces(plan.rows, work.rows, motion.wrench, work.system.effort)
            rows.driver_powers(plan.rows, work.rows, work.system.multiplier, oil.power)
        coupling.row_entries(plan.tangent, motion.S, work.rows.W, tangent.row_entry)
        coupling.suddenness(plan.forces, h, work.rows)
        coupling.row_slopes(plan.tangent, plan.forces, h, work.rows, tangent.row_s, tangent.row_w)
        servos.turning(plan.forces, plan.tangent, work.rows.bias, tableau.rate_q[0], tangent.turn)
        forces.chamber_slopes(plan.forces, work.rows, oil, tangent.chamber_w, tangent.chamber_s)
        coupling.responses(plan.tangent, plan.forces, plan.oil, tau, oil, tangent)
        coupling.add_to_mass(plan.tangent, tangent.row_entry, tangent.row_D, work.system.L)


def oil(plan, work, h, kept, n):  # type: ignore[no-untyped-def]
    """Volumes, pressures, openings, flows, their slopes and the factors of the circuits, of n steps. Writes work."""
    state, tangent, filled = work.state, work.tangent, work.oil
    tau = plan.tableau.gamma[0] * h
    for _ in range(n):
        for i in range(plan.tableau.stages[0]):
            if i > 0 and plan.tableau.fresh[i] != 1:
                continue
            forces.volumes(plan.forces, plan.oil.node_number, work.rows, filled)
            forces.bristle_rates(plan.forces, state.x, work.rows.w, filled.x_dot)
            network.pressures(plan.oil, state.u, state.x, filled)
            network.openings(plan.oil, state.u, state.x, filled.opening, filled.opening_slope)
            network.flows(plan.oil, filled)
            network.rates(plan.oil, state.u, state.x, filled, state.fault)
            network.powers(plan.oil, state.x, filled, filled.power)
        rough = linearly_implicit.is_rough(plan, work, h)
        circuits.conductances(
            plan.oil, h, rough, rough, filled, tangent.ahead, tangent.stiffness, tangent.conductance
        )  # fmt: skip
        if rough:
            circuits.ease_closing(
                plan.oil, h, filled, state.x, tangent.conductance, tangent.openness, tangent.stiffness
            )  # fmt: skip
        circuits.fill_slopes(plan.oil, tau, filled, tangent.conductance, tangent.stiffness, tangent.E)
        circuits.spool_slopes(plan.oil, filled, tangent.spool)
        circuits.add_steering(plan.oil, tau, filled, tangent.spool, tangent.stiffness, tangent.E)
        circuits.factor(plan.oil, tangent.E)


def solve(plan, work, h, kept, n):  # type: ignore[no-untyped-def]
    """One factorisation of the matrix in `kept` and the solution of every stage, of n steps. Writes work."""
    tangent, tableau, system = work.tangent, work.tableau, work.system
    tau = plan.tableau.gamma[0] * h
    for _ in range(n):
        copy(kept, system.L)
        accelerations.factor_sparse(plan.system, system)
        for i in range(plan.tableau.stages[0]):
            linearly_implicit.solve_stage(plan, work, tau, i)
            servos.keep(
                plan.forces, plan.tangent, i, work.state.u, work.state.x, work.rows.w, tangent.row_rate,
                tableau.servo,
            )  # fmt: skip
            if plan.tableau.kept[i] == 1:
                linearly_implicit.keep_momentum(
                    plan, tau, system.multiplier, tableau.u_v[i], tangent, tableau, tableau.momentum[i],
                    tableau.closing[i],
                )


STAGES: dict[str, Callable[..., Any]] = {
    function.__name__: entry_point(function) for function in (mechanics, interface, oil, solve)
}
"""Compiled here, not where kernels are: Numba looks at this file by itself, what they call is in the cache's key."""


class StageClock:
    """The stages of a machine planned for `realtime`, ready to be timed."""

    def __init__(self, planned: Planned, h: float) -> None:
        self.planned, self.h = planned, h
        self.kept = np.empty_like(planned.work.system.L)
        arguments = (planned.plan, planned.work, h, self.kept, 1)
        self.calls = {name: direct(stage, *arguments) for name, stage in STAGES.items()}

    def __call__(self) -> dict[str, float]:
        """Microseconds that each stage takes of a step, at the state that Work is filled with."""
        # one turn of those that fill the matrix, for the one that factors it
        for name in ("mechanics", "oil", "interface"):
            self._take(name, 1)
        self.kept[:] = self.planned.work.system.L
        return {name: 1e-3 * self._take(name, TURNS) / TURNS for name in self.calls}

    def _take(self, name: str, turns: int) -> float:
        began = time.thread_time_ns()
        self.calls[name](self.planned.plan, self.planned.work, self.h, self.kept, turns)
        return float(time.thread_time_ns() - began)


def typical(rounds: Sequence[Sequence[dict[str, float]]]) -> dict[str, float]:
    """Of each stage the smallest over rounds at every state, and of these the median over the states."""
    return {
        name: float(np.median(np.min([[state[name] for state in states] for states in rounds], axis=0)))
        for name in STAGES
    }
