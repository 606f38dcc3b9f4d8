# SPDX-License-Identifier: BSD-3-Clause
"""Andrews' mechanism over its crank angle β: three pairs of circles close the loops; compared at the pin E (`K2.E`).

For any β the pin E is where the circle of K2 about F meets that of K3 about B; then G and H are where K4 and K5, and K6
and K7, meet. Nothing has to be iterated, and none of the test set's equations of motion is used: the kinetic energy is
that of seven bodies, Σ ½·m·|ċ|² + ½·I·φ̇². The names of lengths are the test set's [Mazzia 2008].
"""

from __future__ import annotations

import cmath
import math
from typing import NamedTuple

import numpy as np

from knuckleboom.bench.references.one_dof import Array, motion

A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)  # m
RR, D, SS, E, ZT, ZF, U = 0.007, 0.028, 0.035, 0.02, 0.04, 0.02, 0.04  # pin to pin: K1 … K5 are rr, d, ss, e, zt, m
RA, DA, EA, FA, SC, SD = 0.00092, 0.0115, 0.01421, 0.01421, 0.018, 0.02
SA, SB, TA, TB, UA, UB = 0.01874, 0.01043, 0.02308, 0.00916, 0.01228, 0.00449
M1, M2, M3, M4, M5, M6, M7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498  # kg
I1, I2, I3, I4, I5, I6, I7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5  # kg·m²
C0, L0, TORQUE = 4530.0, 0.07785, 0.033  # N/m, m, N·m
START = -0.0617138900142764496358948458001  # β, rad

Point = tuple[complex, complex]


class Pins(NamedTuple):
    """Where the moving pins are."""

    F: Point
    E: Point
    G: Point
    H: Point


def pins(beta: complex) -> Pins:
    """Close the loops; the sides are those of the start pose, and no loop ever lies flat."""
    F = (RR * cmath.cos(beta), RR * cmath.sin(beta))
    end = meet(F, D, B, SS, +1.0)
    return Pins(F, end, meet(A, ZT, end, E, +1.0), meet(A, U, end, ZF, -1.0))


def meet(one: Point, radius_one: float, other: Point, radius_other: float, side: float) -> Point:
    """Where two circles meet, on the left (side +1) or on the right (−1) of the line from one centre to the other."""
    ux, uy = minus(other, one)
    square = ux * ux + uy * uy
    along = 0.5 * (square + radius_one**2 - radius_other**2) / square
    across = side * cmath.sqrt(radius_one**2 / square - along * along)
    return one[0] + along * ux - across * uy, one[1] + along * uy + across * ux


def turning(v: Point, b: Point, c: Point) -> tuple[complex, complex]:
    """Turning rates of two bars b, c that end in one pin: b's other end moves with v, c's stands still."""
    area = b[0] * c[1] - b[1] * c[0]
    return -(v[0] * c[0] + v[1] * c[1]) / area, -(v[0] * b[0] + v[1] * b[1]) / area


def energies(beta: complex) -> tuple[complex, complex]:
    """J [kg·m²] and V [J], the work of the torque taken off V."""
    at = pins(beta)
    F_rate = turn(at.F)
    w2, w3 = turning(F_rate, minus(at.E, at.F), minus(at.E, B))
    E_rate = turn(minus(at.E, B), w3)
    w4, w5 = turning(E_rate, minus(at.G, at.E), minus(at.G, A))
    w6, w7 = turning(E_rate, minus(at.H, at.E), minus(at.H, A))
    inertia = (
        (M1 * RA**2 + I1)
        + (M2 * square(between(F_rate, E_rate, DA / D)) + I2 * w2**2)
        + (M3 * (SA**2 + SB**2) + I3) * w3**2
        + (M4 * square(between(turn(minus(at.G, A), w5), E_rate, 1.0 - EA / E)) + I4 * w4**2)
        + (M5 * (TA**2 + TB**2) + I5) * w5**2
        + (M6 * square(between(turn(minus(at.H, A), w7), E_rate, 1.0 - FA / ZF)) + I6 * w6**2)
        + (M7 * (UA**2 + UB**2) + I7) * w7**2
    )

    # the spring's end: sc along B → E, sd across
    n = ((at.E[0] - B[0]) / SS, (at.E[1] - B[1]) / SS)
    end = (B[0] + SC * n[0] - SD * n[1], B[1] + SC * n[1] + SD * n[0])
    length = cmath.sqrt(square(minus(end, C)))
    return inertia, 0.5 * C0 * (length - L0) ** 2 - TORQUE * beta


def angles(times: Array) -> dict[str, Array]:
    """The seven angles in the test set's definition, rad; K1 turns fully, all others stay within half a turn."""
    beta, _ = motion(energies, START, 0.0, times)
    found: dict[str, list[float]] = {}
    for value in beta:
        at = pins(complex(value))
        delta, epsilon = heading(minus(at.G, A)), across(minus(at.H, A))
        for name, angle in (
            ("beta", value), ("theta", heading(minus(at.F, at.E)) - value), ("gamma", across(minus(at.E, B))),
            ("phi", across(minus(at.E, at.G)) - delta), ("delta", delta),
            ("omega", heading(minus(at.E, at.H)) - epsilon), ("epsilon", epsilon),
        ):  # fmt: skip
            found.setdefault(name, []).append(float(angle))
    return {name: np.array(values) for name, values in found.items()}


def path(times: Array) -> Array:
    """Where the pin E is, m."""
    beta, _ = motion(energies, START, 0.0, times)
    ends = [pins(complex(value)).E for value in beta]
    return np.array([(x.real, 0.0, y.real) for x, y in ends])


def minus(one: Point, other: Point) -> Point:
    """From one point to another."""
    return one[0] - other[0], one[1] - other[1]


def between(one: Point, other: Point, part: float) -> Point:
    """A part of the way from one to the other."""
    return one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])


def turn(arm: Point, rate: complex = 1.0) -> Point:
    """Velocity of the end of an arm that turns at a rate."""
    return -rate * arm[1], rate * arm[0]


def square(v: Point) -> complex:
    """Analytic square of the length."""
    return v[0] * v[0] + v[1] * v[1]


def heading(v: Point) -> float:
    """x of v = |v|·(cos x, sin x)."""
    return math.atan2(v[1].real, v[0].real)


def across(v: Point) -> float:
    """x of v = |v|·(sin x, −cos x)."""
    return math.atan2(v[0].real, -v[1].real)
