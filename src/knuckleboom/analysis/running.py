# SPDX-License-Identifier: BSD-3-Clause
"""Shafts and columns of oil that move on while a machine rests: those that no gear or sum ties to a joint.

    v = R ω,   ω̇ = (Rᵀ J R)⁻¹ Rᵀ T          R: the rates that gears and sums between them leave

Their angles and volumes mean nothing, their rates are what engines, pumps, drag and pressures leave. A shaft that is
tied to a joint stands with it, a drum with its rope. Tested in tests/analysis/test_running.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.mechanism import Mechanism, null_space
from knuckleboom.mechanics.parts import GearStage, HeldSum
from knuckleboom.net import Row
from knuckleboom.plan import Planned

Array = NDArray[np.float64]
COLUMN = 1e-2
"""m³/s: size of the flow of a column of oil; speeds of shafts have the size 1 rad/s."""


class Running:
    """The shafts of a mechanism that turn on, at the state of its last forces."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism, self.places = mechanism, mechanism.running
        ties = mechanism.jacobian()[: mechanism.nloop, self.places]
        self.R = null_space(ties) if ties.any() else np.eye(len(self.places))
        inertia = self.R.T @ mechanism.mass_matrix()[np.ix_(self.places, self.places)] @ self.R
        self.by_torque = np.linalg.solve(inertia, self.R.T)
        # gears and sums tie like to like
        flows = np.array([mechanism.coordinates[v].unit == "m^3" for v in self.places], bool)
        self.sizes = np.where(np.abs(self.R.T) @ flows > 0.0, COLUMN, 1.0)

    def speeds(self) -> Array:
        """ω of the state in Work."""
        return np.asarray(self.R.T @ self.mechanism.work.state.v[self.places])

    def put(self, omega: Array) -> None:
        """Write ω into Work."""
        if len(omega):
            self.mechanism.work.state.v[self.places] = self.R @ omega

    def rates(self) -> Array:
        """ω̇ at the state of the last evaluation."""
        if not len(self.sizes):
            return self.sizes
        system = self.mechanism.work.system
        return np.asarray(self.by_torque @ (system.effort - system.bias)[self.places])


def running_shafts(planned: Planned) -> list[int]:
    """Their velocities."""
    machine, scalars = planned.machine, planned.topology.scalars
    ties = [{stage.a, stage.b} for stage in machine.of(GearStage)] + [set(held.of) for held in machine.of(HeldSum)]
    tied = {name for tie in ties for name in tie if name not in scalars}
    while more := {name for tie in ties if tie & tied for name in tie} - tied:
        tied |= more
    rest = {name for name in scalars if (scalar := machine.parts[name].scalar_inertia()) and scalar.rests}
    return [
        columns.v[0] for name, columns in scalars.items()
        if name not in tied and name not in rest and columns.v[0] not in planned.topology.shared
    ]  # fmt: skip


def turns(row: Row, running: list[int]) -> bool:
    """Whether a row is that of one of them."""
    return row.scalar and row.index[3] in running
