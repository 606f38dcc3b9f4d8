# SPDX-License-Identifier: BSD-3-Clause
"""A uniform rod that slides down a wall and along the floor, with friction at both ends, until it leaves the wall.

φ is the angle of the rod to the wall, its end A at the wall at (0, L cos φ), B on the floor at (L sin φ, 0). While both
ends touch, the normal forces N_A (away from the wall), N_B (up) and φ̈ follow from three equations that are linear:

    m ẍ = N_A − μ N_B,   m ÿ = N_B + μ N_A − m g,   (m L²/12) φ̈ = moments of these forces about the centre

It leaves the wall where N_A = 0; without friction that is at cos φ = ⅔ cos φ₀. The contacts do not jam and forces are
finite throughout (no case of Painlevé), since a rod that slides with both ends only gains speed.
Checked in ``validation/analytic/test_nonsmooth_references.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp


@dataclass(frozen=True)
class SlidingRod:
    """Mass [kg], length [m], friction, start angle [rad] at rest."""

    mass: float = 2.0
    length: float = 1.0
    friction: float = 0.2
    start: float = 0.6
    g: float = 9.81

    def forces(self, angle: float, rate: float) -> tuple[float, float, float]:
        """φ̈ [rad/s²], N_A and N_B [N]."""
        half, m, mu = 0.5 * self.length, self.mass, self.friction
        s, c = np.sin(angle), np.cos(angle)
        matrix = np.array(
            [
                [m * half * c, -1.0, mu],
                [-m * half * s, -mu, -1.0],
                [m * self.length**2 / 12.0, half * (c + mu * s), -half * (s - mu * c)],
            ]
        )
        right = np.array([m * half * s * rate**2, m * half * c * rate**2 - m * self.g, 0.0])
        turn, wall, floor = np.linalg.solve(matrix, right)
        return float(turn), float(wall), float(floor)

    def solve(self, time: np.ndarray) -> tuple[np.ndarray, float]:
        """Angle and its rate (n, 2) at the times until it leaves the wall, NaN after, and the time [s] of that."""
        time = np.asarray(time, float)

        def leaves(_: float, y: np.ndarray) -> float:
            return self.forces(y[0], y[1])[1]

        leaves.terminal = True  # type: ignore[attr-defined]
        done = solve_ivp(
            lambda _, y: [y[1], self.forces(y[0], y[1])[0]], (0.0, time[-1]), [self.start, 0.0], method="DOP853",
            events=leaves, rtol=1e-11, atol=1e-12, dense_output=True,
        )  # fmt: skip
        left = float(done.t[-1]) if done.t_events[0].size else np.inf
        result = done.sol(np.minimum(time, done.t[-1])).T
        result[time > left + 1e-9] = np.nan  # the event is found to less than that
        return np.asarray(result), left

    def energy(self, angle: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Kinetic and potential energy [J]."""
        return self.mass * self.length**2 / 6.0 * rate**2 + 0.5 * self.mass * self.g * self.length * np.cos(angle)

    def loss(self, angle: float, rate: float) -> float:
        """Power [W] that friction takes at both ends."""
        _, wall, floor = self.forces(angle, rate)
        return self.friction * self.length * rate * (wall * np.sin(angle) + floor * np.cos(angle))
