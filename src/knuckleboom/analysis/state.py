# SPDX-License-Identifier: BSD-3-Clause
"""A state of a machine with everything that can be asked for by name: what kb.equilibrium hands back.

`state["foot.angle"]` is any quantity that a run would record, in SI. A run begins there with
kb.simulate(…, start=state), a linearisation with kb.linearise(m, state); `state.snapshot` is what Planned.restore
takes. Tested in tests/analysis/test_equilibrium.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from knuckleboom import units
from knuckleboom.names import Names

Array = NDArray[np.float64]


@dataclass(frozen=True)
class State:
    """A state in static equilibrium, what holds it there, and whether it returns when it is pushed.

    `residual` is the force left along each independent coordinate, `multipliers` the forces of the loops. `stability`
    is "stable", "indifferent" or "unstable", by `stiffness`: the smallest eigenvalue of M⁻¹K in 1/s², the square of the
    lowest natural frequency without damping; along its direction the joint `softest` moves most. Cylinders and motors
    count as standing there.

    `inputs` are the values of all inputs, `moved` by how much those of valves had to move so that the load rests,
    `moved_for` whose load that is, `friction` the static friction, N or N·m, that cylinders and motors need to stand,
    and `creep` the speeds, m/s or rad/s, of those that do not. `notes` says this in sentences, and what had more than
    one answer.
    """

    machine: str
    names: Names = field(repr=False)
    line: Array = field(repr=False)
    snapshot: dict[str, Array] = field(repr=False)
    coordinates: dict[str, float]
    coordinate_units: dict[str, str] = field(repr=False)
    residual: dict[str, float]
    multipliers: dict[str, Array]
    stability: str
    stiffness: float
    softest: str
    iterations: int
    inputs: dict[str, float]
    moved: dict[str, float]
    moved_for: dict[str, str]
    friction: dict[str, float]
    creep: dict[str, float]
    notes: tuple[str, ...]
    loads: dict[str, float] = field(default_factory=dict)

    def __getitem__(self, path: str) -> float | Array:
        """A quantity in SI: a number, or an array for one with components."""
        signal = self.names[path]
        values = self.line[list(signal.columns)]
        return float(values[0]) if signal.dim is None else values

    def __contains__(self, path: object) -> bool:
        return path in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names.paths)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def q(self) -> dict[str, float]:
        """Coordinates of the joints of the tree by name, in SI."""
        return self.coordinates

    def __str__(self) -> str:
        head = f"{self.machine}: {self.stability} equilibrium"
        if self.creep:
            head = f"{self.machine}: slow steady motion, not at rest"
        elif self.softest:
            head += f" (softest in '{self.softest}', {self.stiffness:.4g} 1/s²)"
        lines = [head]
        width = max((len(path) for path in self.coordinates), default=0)
        for path, value in self.coordinates.items():
            unit, size = units.HUMAN.get(self.coordinate_units[path], (self.coordinate_units[path], 1.0))
            lines.append(f"  {path:<{width}}  {value / size:.6g} {unit}")
        worst = max(self.residual.items(), key=lambda item: abs(item[1]), default=("", 0.0))
        if worst[0]:
            lines.append(f"  largest force left over: {abs(worst[1]):.2g} in '{worst[0]}'")
        return "\n".join(lines + [f"  {note}" for note in self.notes])
