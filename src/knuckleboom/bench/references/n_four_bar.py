# SPDX-License-Identifier: BSD-3-Clause
"""N four-bar mechanism as one turning pendulum; compared at B0, the first crank's end (`crank_0.B0`).

All cranks turn alike by θ (clockwise from upright) and the couplers only move along: T = ½·(N + (N + 1)/3)·m·l²·θ̇²,
V = (N + (N + 1)/2)·m·g·l·cos θ.
"""

from __future__ import annotations

import cmath

import numpy as np

from knuckleboom.bench.references.one_dof import Array, motion

LENGTH, MASS, G, SPEED = 1.0, 1.0, 9.81, 1.0


def path(times: Array, loops: int = 2) -> Array:
    """Where B0 is, m."""

    def energies(theta: complex) -> tuple[complex, complex]:
        inertia = (loops + (loops + 1) / 3.0) * MASS * LENGTH**2
        return complex(inertia), (loops + (loops + 1) / 2.0) * MASS * G * LENGTH * cmath.cos(theta)

    theta, _ = motion(energies, 0.0, SPEED / LENGTH, times)
    return LENGTH * np.stack([np.sin(theta), np.zeros_like(theta), np.cos(theta)], axis=1)
