# SPDX-License-Identifier: BSD-3-Clause
"""The longest step that an explicit integrator can take at a state, from the slopes there, and what limits it.

    d/dt (u, v, x) = (v, v̇(u, v, x), ẋ(u, v, x)),      J its slopes by differences,      h = limit/max |eigenvalue of J|

with u the movement from the state in velocity space, v the velocities and x the states of oil and spools. The limit is
2.78 for RK4, whose region of stability holds that half disc, and 2 for semi-implicit Euler, which may need less where
oil oscillates with little damping. Large machines get the eigenvalue by Arnoldi's iteration instead of all slopes.
Explicit steps near the limit are stable but wrong, so that they are reported as well. Tested in
tests/simulate/test_stable_step.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knuckleboom.engine.run import advance_once
from knuckleboom.plan import Planned
from knuckleboom.simulation.owners import owner_of_velocity

Array = NDArray[np.float64]

LIMITS = {"rk4": 2.78, "semi-implicit-euler": 2.0}
MOVED, STRAINED = 1e-6, 1e-7
"""Steps of the differences: m or rad and per s; strain of oil (150 Pa) and spools."""
SEEN = (1e-3, 1e-4)
"""A movement (m or rad) and a strain of oil (1.5 bar) of about the same importance, to see what limits the step."""
LARGE, VECTORS = 200, 60
"""States from which on the largest eigenvalue is iterated for, and with how many vectors."""
LOOKS = 10
"""How often slopes are looked at in a run."""


class StableStep(NamedTuple):
    """The longest stable step, s, when that was, s, and whose motion or pressure limits it."""

    step: float
    time: float
    owner: str


def stable_step(planned: Planned, evaluate: Callable[[], int]) -> StableStep | None:
    """What limits explicit steps at the present state, which `evaluate` fills the rates of; None if nothing does."""
    at, before = Place(planned, evaluate), planned.snapshot()
    try:
        found = at.fastest()
    finally:
        planned.restore(before)
    if found is None or not abs(found[0]) > 0.0:
        return None
    limit = LIMITS[planned.method.integrator] / abs(found[0])
    return StableStep(float(limit), float(planned.work.state.time[0]), at.owner(*found))


class Place:
    """A state, and rates near it."""

    def __init__(self, planned: Planned, evaluate: Callable[[], int]) -> None:
        self.planned, self.evaluate = planned, evaluate
        state = planned.work.state
        self.q, self.v, self.x = state.q.copy(), state.v.copy(), state.x.copy()
        self.nv = len(self.v)
        self.size = 2 * self.nv + len(self.x)
        self.small = np.repeat([MOVED, STRAINED], [2 * self.nv, len(self.x)])

    def displace(self, by: Array) -> None:
        """Put the state beside where it was."""
        state, nv = self.planned.work.state, self.nv
        state.v[:], state.x[:] = self.v + by[nv : 2 * nv], self.x + by[2 * nv :]
        if by[:nv].any():
            advance_once(self.planned.plan.links.index, self.q, by[:nv], state.q)
        else:
            state.q[:] = self.q

    def rates(self, by: Array) -> Array:
        """Rates beside the state; not a number where they cannot be evaluated."""
        self.displace(by)
        work = self.planned.work
        if self.evaluate():
            return np.full(self.size, np.nan)
        return np.concatenate([work.state.v, work.system.v_dot, work.oil.x_dot])

    def fastest(self) -> tuple[complex, Any] | None:
        """The eigenvalue of the largest size, 1/s, and its vector; None without states or rates."""
        here = self.rates(np.zeros(self.size))
        if self.size == 0 or not np.all(np.isfinite(here)):
            return None

        def slope(direction: Array) -> Array:
            part = float(np.max(np.abs(direction) / self.small)) or 1.0
            return (self.rates(direction / part) - here) * part

        if self.size <= LARGE:
            slopes = np.array([slope(column) for column in np.eye(self.size)]).T
            if not np.all(np.isfinite(slopes)):
                return None
            values, vectors = np.linalg.eig(slopes)
        else:
            from scipy.sparse.linalg import ArpackError, LinearOperator, eigs

            # in units in which all states are of one size: rounding then spares none
            scaled = LinearOperator(
                (self.size, self.size), lambda given: slope(np.ravel(given) * self.small) / self.small, dtype=float
            )
            try:
                values, vectors = eigs(scaled, k=1, which="LM", tol=1e-3, ncv=VECTORS, v0=np.ones(self.size))
            except ArpackError:
                return None
            vectors = vectors * self.small[:, None]
        place = int(np.argmax(np.abs(values)))
        return complex(values[place]), vectors[:, place]

    def owner(self, value: complex, vector: Any) -> str:
        """Whose motion, pressure or spool has most of an eigenvector."""
        layout, nv = self.planned.layout, self.nv
        speeds = np.abs(vector[nv : 2 * nv]) / (SEEN[0] * max(1.0, abs(value)))
        states = np.abs(vector[2 * nv :]) / SEEN[1]
        if speeds.max(initial=0.0) > states.max(initial=0.0):
            return f"the motion of {owner_of_velocity(self.planned, int(np.argmax(speeds)))}"
        place = int(np.argmax(states))
        if place < layout.nvolume:
            return f"the pressure at '{layout.nodes[place].port}'"
        lag = layout.lags[place - layout.nvolume]
        return f"{lag.name} of '{lag.part}'"


class Slopes:
    """Looks at the slopes of an explicit run at its start and some times later; `found` is the shortest stable step."""

    def __init__(self, planned: Planned) -> None:
        self._planned = planned
        self.found: StableStep | None = None
        self._next = -math.inf

    def look(self, span: float, step: float, evaluate: Callable[[], int]) -> int:
        """Look, if it is time to, in a run of so many seconds; return the number of steps until the next time."""
        time = float(self._planned.work.state.time[0])
        if time >= self._next - 0.5 * step:
            self._next = time + span / LOOKS
            found = stable_step(self._planned, evaluate)
            if found is not None and (self.found is None or found.step < self.found.step):
                self.found = found
        return max(1, round((self._next - time) / step))
