# SPDX-License-Identifier: BSD-3-Clause
"""Bricard's mechanism in closed form; compared at P3 (`rod_3.P3`).

With six equal rods and six right angles alternate hinges turn alike, by θ and φ, and the loop closes when

    cos θ + cos φ + cos θ·cos φ = 0,   that is   cos(θ/2)·cos(φ/2) = ½                       [Baker 1980]

which is Pythagoras on a sphere: θ/2, φ/2 are legs of a right-angled triangle with hypotenuse 60°. Its angle ψ
describes the whole motion without a branch:

    sin(θ/2) = sin 60°·sin ψ,   tan(φ/2) = tan 60°·cos ψ

At the start θ = φ = 90°. Positions follow from the first hinge outwards; `gap` says how far the last hinge is off,
which checks the closed form.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knuckleboom.bench.references.one_dof import Array, motion

LENGTH, MASS, SECTION, G = 1.0, 1.0, 0.1, 9.81
RODS = np.array([(1, 0, 0), (0, 0, -1), (0, -1, 0), (-1, 0, 0), (0, 0, 1)], dtype=float)  # at the start
AXES = np.array([(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, 1), (0, 1, 0)], dtype=float)  # hinges P0 … P4 at the start
LAST = np.array([0.0, -1.0, 0.0])  # P5
SIGNS = (-1.0, 1.0, -1.0, -1.0, 1.0)  # sense in which each hinge turns as its angle grows
SINE, TANGENT = np.sqrt(0.75), np.sqrt(3.0)  # of 60°
START = float(np.arcsin(np.sqrt(2.0 / 3.0)))  # ψ where both angles are 90°

Vector = NDArray[np.complex128]


def hinge_angles(psi: complex) -> tuple[list[complex], list[complex]]:
    """Turn of the hinges P0 … P4 from the start, and its derivative by ψ."""
    half_theta, half_phi = np.arcsin(SINE * np.sin(psi)), np.arctan(TANGENT * np.cos(psi))
    d_theta = 2.0 * SINE * np.cos(psi) / np.cos(half_theta)
    d_phi = -2.0 * TANGENT * np.sin(psi) * np.cos(half_phi) ** 2
    pair = ((2.0 * half_theta - 0.5 * np.pi, d_theta), (2.0 * half_phi - 0.5 * np.pi, d_phi))
    turns = [(sign * pair[k % 2][0], sign * pair[k % 2][1]) for k, sign in enumerate(SIGNS)]
    return [angle for angle, _ in turns], [rate for _, rate in turns]


def rotation(axis: Array, angle: complex) -> Vector:
    """Rodrigues' formula."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K))


def corners(psi: complex) -> tuple[list[Vector], list[Vector]]:
    """P0 … P5 and the orientations of the rods."""
    R, place = np.eye(3, dtype=complex), np.zeros(3, dtype=complex)
    points, turned = [place], []
    for rod, axis, angle in zip(RODS, AXES, hinge_angles(psi)[0], strict=True):
        R = R @ rotation(axis, angle)
        place = place + LENGTH * (R @ rod)
        points.append(place)
        turned.append(R)
    return points, turned


def gap(psi: float) -> float:
    """Distance of P5 from the ground's hinge, plus the error of its axis' direction (x): zero when the loop closes."""
    points, turned = corners(complex(psi))
    axis = turned[-1] @ np.array([1.0, 0.0, 0.0])
    return float(np.abs(points[-1] - LAST).max() + np.abs(axis - np.array([1.0, 0.0, 0.0])).max())


def energies(psi: complex) -> tuple[complex, complex]:
    """J [kg·m²] and V [J]."""
    points, turned = corners(psi)
    rates = hinge_angles(psi)[1]
    inertia, height = 0.0 + 0.0j, 0.0 + 0.0j
    across, along = MASS * (LENGTH**2 + SECTION**2) / 12.0, MASS * SECTION**2 / 6.0
    omega, speed, before = np.zeros(3, dtype=complex), np.zeros(3, dtype=complex), np.eye(3, dtype=complex)
    for k, rod in enumerate(RODS):
        omega = omega + rates[k] * (before @ AXES[k])
        direction = turned[k] @ rod
        middle = speed + 0.5 * LENGTH * np.cross(omega, direction)
        spin = omega @ direction
        inertia += MASS * (middle @ middle) + across * (omega @ omega - spin * spin) + along * spin * spin
        height += 0.5 * (points[k][2] + points[k + 1][2])
        speed, before = speed + LENGTH * np.cross(omega, direction), turned[k]
    return complex(inertia), complex(MASS * G * height)


def path(times: Array) -> Array:
    """Where P3 is, m."""
    psi, _ = motion(energies, START, 0.0, times)
    return np.array([corners(complex(angle))[0][3].real for angle in psi])
