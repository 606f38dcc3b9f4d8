# SPDX-License-Identifier: BSD-3-Clause
"""Cylinders and motors that are left free: where they come to stand on the oil that they have.

    λ(s) = F(s)          for the free rows; at each s the mechanism settles and the oil comes to rest

A row is moved by small steps of Newton's method. With it goes its oil: as long as none flows, V ė = −V̇, so that
e + ln V stays; then the oil comes to rest, which keeps what is trapped and brings what is joined to a source to its
pressure. Tested in tests/analysis/test_floating.py against the closed form of a piston on trapped oil.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from knuckleboom.analysis.mechanism import AnalysisError, Mechanism
from knuckleboom.analysis.resting_oil import Standing
from knuckleboom.analysis.resting_reasons import refusal
from knuckleboom.analysis.resting_search import Rest
from knuckleboom.analysis.settling import Settling
from knuckleboom.errors import MachineError, Problem
from knuckleboom.names import closest

Array = NDArray[np.float64]

ITERATIONS = 100
LONGEST = 0.02  # m or rad in one step
DIFFERENCE = 1e-6  # m or rad: step of the differences
STILL = 1e-12  # m or rad: a step this short is rounding
STIFF = 1e-3  # N/m or N·m/rad: less is no oil spring


class Floating:
    """The free rows of a machine whose other rows with oil are held."""

    def __init__(self, mechanism: Mechanism, nearest: bool, given: Collection[str], free: Sequence[str]) -> None:
        self.mechanism, self.nearest, self.given = mechanism, nearest, given
        rows = mechanism.planned.layout.rows
        self.names = [rows[number].part for number in mechanism.held]
        self.places = self.read(free)

    def read(self, free: Sequence[str]) -> list[int]:
        """Places of the named rows among those that are held."""
        wanted = [free] if isinstance(free, str) else list(free)
        fix = f"There are {', '.join(self.names)}." if self.names else "The machine has none."
        problems = [
            Problem(
                f"free: there is no cylinder or motor '{name}'.",
                part=str(name), fix=fix, closest=tuple(closest(str(name), self.names)),
            )
            for name in wanted if name not in self.names
        ]  # fmt: skip
        if problems:
            raise MachineError(problems, "the free cylinders")
        return [place for place, name in enumerate(self.names) if name in wanted]

    def run(self) -> None:
        """Move the free rows to where their forces are those that are needed; leaves the state in Work."""
        for _ in range(ITERATIONS):
            here = self.lacking()
            start = self.kept()
            J = np.zeros((len(here), len(here)))
            for column in range(len(here)):
                step = np.zeros(len(here))
                step[column] = DIFFERENCE
                self.move(step)
                J[:, column] = (self.lacking() - here) / DIFFERENCE
                self.restore(start)
            self.refuse_without_spring(J)
            newton = np.asarray(np.linalg.lstsq(J, -here, rcond=None)[0])
            longest = float(np.max(np.abs(newton)))
            self.move(newton * min(1.0, LONGEST / max(longest, 1e-300)))
            if longest < STILL:
                return
        names = ", ".join(f"'{self.names[place]}'" for place in self.places)
        raise AnalysisError(f"{names}: no position was found where the oil carries the load.")

    def lacking(self) -> Array:
        """Let the machine settle and the oil come to rest; return by how much the free rows push too strongly."""
        mechanism = self.mechanism
        turning = mechanism.work.state.v[mechanism.running].copy()
        mechanism.work.state.v[:] = 0.0
        mechanism.work.state.v[mechanism.running] = turning
        at = Settling(mechanism, self.nearest).run()
        standing = Standing(mechanism, at.basis, self.given)
        X, rested = standing.relax(standing.start())
        if not rested:
            raise AnalysisError(refusal(standing, Rest(X, X, "restless")))
        standing.residual(X)
        return np.asarray((mechanism.work.rows.force[mechanism.held] - standing.needed)[self.places])

    def move(self, step: Array) -> None:
        """Move the free rows and take their oil along, none of it flowing."""
        mechanism = self.mechanism
        work, nvolume = mechanism.work, mechanism.planned.layout.nvolume
        before = np.array(work.oil.V[:nvolume])
        mechanism.values[self.places] += step
        basis = mechanism.basis()
        closed = mechanism.place(basis, work.state.q.copy(), np.zeros(basis.T.shape[1]))
        if not closed:
            names = ", ".join(f"'{self.names[place]}'" for place in self.places)
            raise AnalysisError(f"The mechanism is at the end of its reach: {names} cannot move on to carry the load.")
        mechanism.forces()
        # what walls give way has its share
        after = work.oil.V[:nvolume]
        work.state.x[:nvolume] -= np.log(after / before) * after / work.oil.room

    def kept(self) -> tuple[Array, Array, Array, Array]:
        """Pose, oil, inputs and values of the held rows."""
        state = self.mechanism.work.state
        return state.q.copy(), state.x.copy(), state.u.copy(), self.mechanism.values.copy()

    def restore(self, kept: tuple[Array, Array, Array, Array]) -> None:
        """Return to what was kept, evaluated."""
        state = self.mechanism.work.state
        state.q[:], state.x[:], state.u[:], self.mechanism.values[:] = kept
        self.mechanism.forces()

    def refuse_without_spring(self, J: Array) -> None:
        """Refuse rows whose force does not depend on where they are."""
        for place, row in zip(self.places, J, strict=True):
            if float(np.max(np.abs(row))) < STIFF:
                rule = f"'{self.names[place]}' is left free, but its force is the same wherever it is"
                fix = "Its oil is not trapped. Hold it: leave it out of free."
                raise AnalysisError(f"{rule}.\n   {fix}")
