# SPDX-License-Identifier: BSD-3-Clause
"""Slider-crank in space over its crank angle; compared at the slider (`slider.position`).

    P = (0, 0.1 − r·sin θ, 0.12 + r·cos θ),   x = √(l² − P_y² − P_z²),   u = (S − P)/l

The cross joint's axes are x̂ on the slider and n on the rod, n perpendicular to x̂ and u: the rod's axes are u,
n = x̂ × u/|x̂ × u| and b = u × n. It turns with ω = u × u′ + u_x·ψ′·u, where ψ is the angle of n about x̂.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from knuckleboom.bench.references.one_dof import Array, motion

CRANK, ROD, CENTRE = 0.08, 0.30, (0.10, 0.12)  # m
CRANK_MASS, ROD_MASS, SLIDER_MASS = 0.12, 0.5, 2.0  # kg
CRANK_INERTIA = 1e-4  # about x at the crank's middle, kg·m²
ROD_INERTIA = (4e-4, 4e-3, 4e-3)  # about u, n, b, kg·m²
G = 9.81  # m/s²


def crank_end(theta: Any) -> tuple[Any, Any]:
    """y and z of P, m, at an angle or at many."""
    return CENTRE[0] - CRANK * np.sin(theta), CENTRE[1] + CRANK * np.cos(theta)


def travel(theta: Any) -> Any:
    """x of the slider, m, at an angle or at many."""
    y, z = crank_end(theta)
    return np.sqrt(ROD**2 - y * y - z * z)


def energies(theta: complex, rod_inertia: tuple[float, float, float] = ROD_INERTIA) -> tuple[complex, complex]:
    """J [kg·m²] and V [J]."""
    y, z = crank_end(theta)
    x = travel(theta)
    dy, dz = -CRANK * np.cos(theta), -CRANK * np.sin(theta)
    dx = -(y * dy + z * dz) / x
    u, du = np.array([x, -y, -z]) / ROD, np.array([dx, -dy, -dz]) / ROD
    square = u[1] ** 2 + u[2] ** 2
    n = np.array([0.0, -u[2], u[1]]) / np.sqrt(square)
    omega = np.cross(u, du) + u[0] * (u[1] * du[2] - u[2] * du[1]) / square * u
    middle = 0.5 * np.array([dx, dy, dz])
    turning = sum(part * (omega @ axis) ** 2 for part, axis in zip(rod_inertia, (u, n, np.cross(u, n)), strict=True))
    inertia = CRANK_INERTIA + CRANK_MASS * (0.5 * CRANK) ** 2 + ROD_MASS * (middle @ middle) + turning
    height = CRANK_MASS * 0.5 * (CENTRE[1] + z) + ROD_MASS * 0.5 * z
    return complex(inertia + SLIDER_MASS * dx * dx), complex(G * height)


def crank(times: Array, rod_inertia: tuple[float, float, float] = ROD_INERTIA) -> Array:
    """Angle of the crank, rad."""
    return motion(lambda theta: energies(theta, rod_inertia), 0.0, 6.0, times)[0]


def path(times: Array) -> Array:
    """Where the slider is, m."""
    x = travel(crank(times))
    return np.stack([x, np.zeros_like(x), np.zeros_like(x)], axis=1)
