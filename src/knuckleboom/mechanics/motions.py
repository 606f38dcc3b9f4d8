# SPDX-License-Identifier: BSD-3-Clause
"""Motions over time: value, rate and acceleration of what a driver moves.

A motion is asked for many times at once and answers with one line (value, rate, acceleration) for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Motion(Protocol):
    """Anything that can be asked where it is."""

    def at(self, times: Array) -> Array:
        """One line (value, rate, acceleration) for each time, SI."""


@dataclass(frozen=True)
class Harmonic:
    """start + speed·t + amplitude·sin(ω t + phase)."""

    start: float
    speed: float = 0.0
    amplitude: float = 0.0
    omega: float = 0.0
    phase: float = 0.0

    def at(self, times: Array) -> Array:
        """One line (value, rate, acceleration) for each time."""
        angle = self.omega * times + self.phase
        swing, rate = self.amplitude * np.sin(angle), self.amplitude * self.omega * np.cos(angle)
        return np.stack([self.start + self.speed * times + swing, self.speed + rate, -(self.omega**2) * swing], axis=1)


class Spline:
    """The cubic spline through given points: at rest at both ends, and outside them."""

    def __init__(self, times: Sequence[float], values: Sequence[float]) -> None:
        from scipy.interpolate import CubicSpline

        self.first, self.last = times[0], times[-1]
        self.spline = CubicSpline(times, values, bc_type="clamped")

    def at(self, times: Array) -> Array:
        """One line (value, rate, acceleration) for each time."""
        inside = np.clip(times, self.first, self.last)
        lines = np.stack([self.spline(inside, order) for order in range(3)], axis=1)
        lines[inside != times, 1:] = 0.0
        return lines
