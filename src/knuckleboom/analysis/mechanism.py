# SPDX-License-Identifier: BSD-3-Clause
"""A planned machine as analysis sees it: poses with closed loops in independent coordinates, forces, one record line.

At a pose the velocities that satisfy the loops are v = T η (and what drivers add), where η are the independent
velocities themselves: Φ_q is split by pivoting into columns of dependent (d) and independent (i) velocities, T_i = 1
and T_d = −Φ_d⁺ Φ_i. Pivots prefer as dependent what has no start value of its own, so that the coordinates a user
named stay independent. Rows of cylinders and motors can be held at their values (`hold`), and shafts left to turn on
at speeds of their own (`running`): each then counts as a loop.
Derivation: docs/theory/linearisation.md. Tested in tests/analysis/test_mechanism.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from knuckleboom.analysis.coordinates import Coordinate, coordinates
from knuckleboom.engine import run
from knuckleboom.errors import KnuckleboomError, MachineError, Problem
from knuckleboom.layout import EMPTY, OK, schedule_family
from knuckleboom.machine import Machine
from knuckleboom.mechanics.payload import STATE
from knuckleboom.mechanics.rows.contract import PATH
from knuckleboom.mechanics.rows.description import declared, is_coordinate
from knuckleboom.methods import Method
from knuckleboom.plan import Planned, assembly, build
from knuckleboom.plan.system import row_entries
from knuckleboom.simulation.inputs import InputFault, read_inputs
from knuckleboom.simulation.motions import read_motions

Array = NDArray[np.float64]

PREFERENCE = 0.1  # weight of a column whose coordinate has a start: it becomes dependent only when others are far worse
RANK = 1e-8  # of the largest pivot; the square root of rounding, as in assembly
CLOSED = 1e-13  # m or rad; the chord iteration goes on to what rounding allows
CHORDS = 15  # most iterations with one Jacobian


class AnalysisError(KnuckleboomError):
    """An analysis that has no answer; the text says why and what to change."""


@dataclass(frozen=True)
class Basis:
    """Independent and dependent velocities at a pose, T with v = T η, and Φ_d⁺ that closes the loops."""

    independent: NDArray[np.intp]
    dependent: NDArray[np.intp]
    T: Array
    closing: Array


class Mechanism:
    """Plan and Work of a machine, with the functions of pose, speed and oil that analysis asks for."""

    def __init__(self, machine: Machine, inputs: Mapping[str, Any] | None = None) -> None:
        # without stabilisation: accelerations are those of exactly closed loops
        motions = read_motions(machine, inputs or {})
        method = replace(Method.choose(), stabilisation=0.0)
        self.planned: Planned = build(machine, method, motions)
        self.plan, self.work = self.planned.plan, self.planned.work
        self.coordinates: list[Coordinate] = coordinates(self.planned)
        self.nloop = len(self.plan.system.loop_slot)
        links, listed = self.planned.topology.links, list(enumerate(self.planned.layout.rows))
        with_wrench = [(r, row) for r, row in listed[self.nloop :] if declared(row).entries == PATH]
        paths = [(r, entry) for r, row in with_wrench for entry in row_entries(links, row)]
        self._path = np.array([(r, one.velocity, one.screw) for r, one in paths], np.intp).reshape(-1, 3)
        self._sign = np.array([one.sign for _, one in paths])
        self._record = np.full((1, self.planned.work_size["nrecord"]), np.nan)
        self.held, self.values = np.zeros(0, np.intp), np.zeros(0)
        self.running = np.zeros(0, np.intp)
        self._hold(inputs)

    @property
    def nv(self) -> int:
        """Number of velocities of the tree."""
        return self.planned.topology.nv

    # loops

    def hold(self, rows_held: list[int], running: list[int]) -> None:
        """From now on these rows keep the values that they have at the pose in Work, as rigid links would, and shafts
        with these velocities are no part of the pose.
        """
        assembly.close_once(self.plan, self.work)
        self.held, self.running = np.array(rows_held, np.intp), np.array(running, np.intp)
        self.values = np.array(self.work.rows.s[self.held])

    def open_by(self) -> Array:
        """How far loops are open and held rows off their values, at the pose of the last close_once or evaluation."""
        s = self.work.rows.s
        return np.concatenate([s[: self.nloop], s[self.held] - self.values, np.zeros(len(self.running))])

    def jacobian(self) -> Array:
        """Φ_q of loops, A of held rows and of running shafts, at the pose of the last close_once or evaluation."""
        loops = assembly.jacobian(self.plan, self.work)
        if not len(self.held) and not len(self.running):
            return loops
        return np.vstack([loops, self.row_jacobian()[self.held], np.eye(self.nv)[self.running]])

    def basis(self) -> Basis:
        """Split the velocities at the pose in Work."""
        assembly.close_once(self.plan, self.work)
        J = self.jacobian()
        if not len(J):
            return Basis(np.arange(self.nv), np.zeros(0, np.intp), np.eye(self.nv), np.zeros((0, 0)))
        weight = np.where(self.planned.topology.given_q, PREFERENCE, 1.0)
        R, pivot = scipy.linalg.qr(J * weight, mode="r", pivoting=True)
        size = np.abs(np.diag(R))
        rank = int(np.sum(size > RANK * size[0]))
        return self.complete(J, np.sort(pivot[rank:]), np.sort(pivot[:rank]))

    def complete(self, J: Array, independent: NDArray[np.intp], dependent: NDArray[np.intp]) -> Basis:
        """The basis of a given split."""
        closing: Array = np.asarray(np.linalg.pinv(J[:, dependent], rcond=RANK), np.float64)
        T = np.zeros((self.nv, len(independent)))
        T[independent, np.arange(len(independent))] = 1.0
        T[dependent] = -closing @ J[:, independent]
        return Basis(independent, dependent, T, closing)

    def at_same_split(self, basis: Basis) -> Basis:
        """The basis at the pose in Work (after closing) with the same independent velocities."""
        J = self.jacobian()
        return self.complete(J, basis.independent, basis.dependent) if len(J) else basis

    def velocities(self, basis: Basis, eta: Array, held_rates: Array | None = None) -> Array:
        """v with these independent velocities at the pose in Work, where drivers also move, and held rows if told."""
        v = basis.T @ eta
        held = np.zeros(len(self.held)) if held_rates is None else held_rates
        rates = np.concatenate([assembly.driven_rates(self.plan, self.work), held, np.zeros(len(self.running))])
        v[basis.dependent] += basis.closing @ rates
        return np.asarray(v)

    def place(self, basis: Basis, q: Array, xi: Array) -> bool:
        """Put the pose q ⊕ T ξ, loops closed by the dependent coordinates, into Work; False if they do not close."""
        state = self.work.state
        run.advance_once(self.plan.links.index, q, basis.T @ xi, state.q)
        u, last = np.zeros(self.nv), np.inf
        for _ in range(CHORDS):
            assembly.close_once(self.plan, self.work)
            phi = self.open_by()
            worst = float(np.max(np.abs(phi), initial=0.0))
            if worst < CLOSED or not worst < 0.5 * last:
                break
            u[basis.dependent] = -basis.closing @ phi
            run.advance_once(self.plan.links.index, state.q.copy(), u, state.q)
            last = worst
        return bool(min(worst, last) < assembly.GOOD and np.isfinite(state.q).all())

    def row_jacobian(self) -> Array:
        """A of all rows with w = A v, at the pose of the last close_once or evaluation."""
        A = np.zeros((len(self.planned.layout.rows), self.nv))
        r, v, screw = self._path.T
        along = np.einsum("ek,ek->e", self.work.motion.S[screw], self.work.rows.W[r])
        np.add.at(A, (r, v), self._sign * along)
        for number, row in enumerate(self.planned.layout.rows):
            if is_coordinate(row):
                A[number, row.index[3]] = 1.0
        A[: self.nloop] = assembly.jacobian(self.plan, self.work)
        return A

    # one evaluation

    def line(self) -> Array:
        """Evaluate the state in Work and return its line of the record; raises AnalysisError when it cannot be."""
        u = np.tile(self.work.state.u, (1, 2, 1))
        times, no_steps, first = self.work.state.time.copy(), np.zeros(0), np.zeros(1, np.int64)
        aims = self.work.rows.target[None].copy()
        none = np.zeros(1, np.int64)
        schedule = schedule_family(times, no_steps, u, aims, none, first, self._record)
        status, _ = run.run_explicit(self.plan, self.work, schedule, 0)
        self._refuse(status)
        return np.array(self._record[0])

    def _refuse(self, status: int) -> None:
        """Raise when an evaluation failed, with the reason."""
        if status == OK:
            return
        reason = "its mass matrix is singular: a joint moves nothing that has mass"
        if status == EMPTY:
            port = self.planned.layout.nodes[int(self.work.state.fault[0])].port
            reason = f"no oil is left at '{port}': the pose is beyond its cylinder's stroke"
        raise AnalysisError(f"machine '{self.planned.machine.name}' cannot be evaluated here, {reason}.")

    def forces(self) -> Array:
        """Generalised applied and inertial forces at the state in Work: M v̇ + Φ_qᵀ λ equals them."""
        status = run.system_once(self.plan, self.work)
        self._refuse(status)
        return np.asarray(self.work.system.effort - self.work.system.bias)

    def force_scale(self) -> Array:
        """Sizes of the forces that add up to the last `forces`: each row's, and gravity's."""
        each = self.row_jacobian() * self.work.rows.force[:, None]
        each = each[self.nloop :]
        rest = self.work.system.effort - self.work.system.bias - each.sum(axis=0)
        return np.asarray(np.abs(each).sum(axis=0) + np.abs(rest))

    def mass_matrix(self) -> Array:
        """M at the state of the last `forces`; the tree's matrix without loops."""
        return assembly.mass_matrix(self.plan, self.work)

    def _hold(self, inputs: Mapping[str, Any] | None) -> None:
        """Put given inputs (their value at the start of a run) into Work, defaults for the others."""
        for column, source in enumerate(read_inputs(self.planned, inputs)):
            try:
                self.work.state.u[column] = source.sample(np.zeros(1), 0.0)[0]
            except InputFault as fault:
                raise MachineError([Problem(str(fault), part=fault.name)], "the inputs") from fault
        self.masses_follow()

    def masses_follow(self) -> None:
        """Put the masses of payloads where their inputs want them, so that none changes."""
        layout, state = self.planned.layout, self.work.state
        # columns of oil follow their rows
        for load, index in zip(layout.network.loads, self.plan.payload.index, strict=False):
            wanted = next(n for n, signal in enumerate(layout.inputs) if signal is load.mass.follows)
            state.x[index[STATE]] = load.mass.kept(float(state.u[wanted]))


def null_space(J: Array) -> Array:
    """Orthonormal vectors that J maps to zero."""
    _, sizes, V = np.linalg.svd(J)
    rank = int(np.sum(sizes > RANK * sizes.max(initial=0.0)))
    return np.asarray(V[rank:].T)
