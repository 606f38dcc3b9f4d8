# SPDX-License-Identifier: BSD-3-Clause
"""Readings taken from sampled motion: crossings, periods, rotation matrices, observed order.

Crossings use the cubic Hermite polynomial through values and rates, so their error is of fourth order in the sampling
interval and does not spoil the comparison with a fourth-order integrator.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicHermiteSpline


def crossings(time: np.ndarray, value: np.ndarray, rate: np.ndarray, level: float = 0.0) -> np.ndarray:
    """Times [s] at which a signal with known rate passes a level, rising or falling."""
    curve = CubicHermiteSpline(time, value - level, rate)
    roots = np.asarray(curve.roots(extrapolate=False), dtype=float)
    return np.unique(roots[(roots >= time[0]) & (roots <= time[-1])])


def rising(time: np.ndarray, value: np.ndarray, rate: np.ndarray, level: float = 0.0) -> np.ndarray:
    """Times [s] at which a signal passes a level upwards."""
    curve = CubicHermiteSpline(time, value - level, rate)
    roots = crossings(time, value, rate, level)
    return roots[curve(roots, 1) > 0.0]


def rotation(quaternion: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4) given as w x y z."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, dtype=float), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def plane_angle(quaternion: np.ndarray) -> np.ndarray:
    """Angle [rad] of the x-axis in the x-y plane, continuous over full turns, of bodies that turn about z only."""
    turn = rotation(quaternion)
    return np.unwrap(np.arctan2(turn[:, 1, 0], turn[:, 0, 0]))


def observed_order(coarse: np.ndarray, middle: np.ndarray, fine: np.ndarray) -> float:
    """Order p from three results at steps h, h/2, h/4: (y_h − y_h/2) / (y_h/2 − y_h/4) = 2^p."""
    first = np.linalg.norm(np.ravel(coarse) - np.ravel(middle))
    second = np.linalg.norm(np.ravel(middle) - np.ravel(fine))
    return float(np.log2(first / second))


def rk4_error(rate: float, step: float, duration: float) -> float:
    """Phase error [rad] of the classical Runge-Kutta method on an oscillation of a rate [rad/s] after a time [s].

    Its amplification differs from e^{iz} by (iz)⁵/120 per step, z = rate·step: in sum duration·rate·(rate·step)⁴/120.
    Validations take their tolerance from this with a stated factor for the non-linearity (higher harmonics, growth).
    """
    return duration * rate * (rate * step) ** 4 / 120.0
