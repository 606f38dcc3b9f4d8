# SPDX-License-Identifier: BSD-3-Clause
"""Four-bar over its crank angle: the far pin is where two circles meet; compared at the rocker's end (`rocker.end`).

With pins O(0, 0), P = a·e(θ), Q and D(d, 0): Q lies b from P and c from D, above the line P-D. Velocity ratios follow
from a·e′ + b·φ′·e′ = c·ψ′·e′. Slender uniform bars.
"""

from __future__ import annotations

import cmath

import numpy as np

from knuckleboom.bench.references.one_dof import Array, motion

A, B, C, D = 0.20, 0.55, 0.40, 0.50  # crank, coupler, rocker, ground, m
MASS_A, MASS_B, MASS_C = 2.0, 1.5, 1.2  # kg
G = 9.81  # m/s²


def far_pin(theta: complex) -> tuple[complex, complex]:
    """Q, by the intersection of two circles."""
    px, py = A * cmath.cos(theta), A * cmath.sin(theta)
    ux, uy = D - px, -py
    square = ux * ux + uy * uy
    along = 0.5 * (square + B * B - C * C) / square
    across = cmath.sqrt(B * B / square - along * along)
    return px + along * ux - across * uy, py + along * uy + across * ux


def energies(theta: complex) -> tuple[complex, complex]:
    """J [kg·m²] and V [J]."""
    px, py = A * cmath.cos(theta), A * cmath.sin(theta)
    qx, qy = far_pin(theta)
    bx, by, cx, cy = qx - px, qy - py, qx - D, qy

    # ż of Q from both sides: (−py, px) + φ′·(−by, bx) = ψ′·(−cy, cx)
    area = bx * cy - by * cx
    coupler = (py * cx - px * cy) / area
    rocker = (py * bx - px * by) / area
    middle = (-py - 0.5 * coupler * by, px + 0.5 * coupler * bx)
    inertia = (
        MASS_A * A * A / 3.0
        + MASS_B * (middle[0] ** 2 + middle[1] ** 2)
        + MASS_B * B * B / 12.0 * coupler**2
        + MASS_C * C * C / 3.0 * rocker**2
    )
    return inertia, 0.5 * G * (MASS_A * py + MASS_B * (py + qy) + MASS_C * qy)


def path(times: Array) -> Array:
    """Where the rocker's end is, m."""
    theta, _ = motion(energies, 0.3, 20.0, times)
    points = [far_pin(angle) for angle in theta]
    return np.array([(x.real, 0.0, y.real) for x, y in points])


def crank(times: Array) -> Array:
    """Angle of the crank, rad."""
    return motion(energies, 0.3, 20.0, times)[0]
