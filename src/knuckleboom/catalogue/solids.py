# SPDX-License-Identifier: BSD-3-Clause
"""Inertias of uniform bodies about their centre, in body axes: (xx, yy, zz), kg·m²."""

from dataclasses import dataclass

Diagonal = tuple[float, float, float]


@dataclass(frozen=True)
class Solid:
    """A body: mass, kg, where its centre is and how large a box of its inertia would be, m."""

    mass: float
    com: tuple[float, float, float]
    size: tuple[float, float, float]


def box(mass: float, size: Diagonal) -> Diagonal:
    """Uniform box: m/12·(b² + c²), …"""
    x, y, z = (mass / 12.0 * side * side for side in size)
    return y + z, x + z, x + y


def slender(mass: float, length: float) -> Diagonal:
    """Uniform bar along x without thickness: 0, m·l²/12, m·l²/12."""
    return box(mass, (length, 0.0, 0.0))


def lamina(about_y: float) -> Diagonal:
    """Plate in the x-z plane of which only the inertia about y is known and matters: I_xx + I_zz = I_yy."""
    return 0.5 * about_y, about_y, 0.5 * about_y


def wheel(mass: float, radius: float, width: float) -> Diagonal:
    """Uniform disc that turns about y: m·r²/2 about its axle, m·(3r² + w²)/12 across."""
    across = mass / 12.0 * (3.0 * radius**2 + width**2)
    return across, 0.5 * mass * radius**2, across
