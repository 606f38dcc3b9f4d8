# SPDX-License-Identifier: BSD-3-Clause
"""Oil with pressure-dependent bulk modulus, orifices, and what follows from them in closed form or by quadrature.

β(p) = (1 + a p + b p²)/(a + 2 b p)   [Naya 2011, eq. 3]   so that ∫dp/β = ln(1 + a p + b p²) is the strain e
Q = Cd·A·√(2Δp/ρ)                     [Naya 2011, eq. 4]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq


@dataclass(frozen=True)
class NayaOil:
    """Constants a [1/Pa], b [1/Pa²] and density [kg/m³]; the defaults are those of later papers of Naya's group."""

    a: float = 6.53e-10
    b: float = -1.19e-18
    density: float = 850.0

    def strain(self, p: np.ndarray) -> np.ndarray:
        """e(p) = ln(1 + a p + b p²)."""
        return np.log1p(self.a * p + self.b * p * p)

    def pressure(self, e: np.ndarray) -> np.ndarray:
        """The root of e(p) = e that goes through the origin, written without cancellation."""
        rise = np.expm1(e)
        return 2.0 * rise / (self.a + np.sqrt(self.a**2 + 4.0 * self.b * rise))

    def bulk(self, p: np.ndarray) -> np.ndarray:
        """β(p) [Pa]."""
        return (1.0 + self.a * p + self.b * p * p) / (self.a + 2.0 * self.b * p)


def orifice_constant(area: float, density: float, cd: float = 0.67) -> float:
    """k in Q = k √Δp, m³/(s·√Pa)."""
    return cd * area * np.sqrt(2.0 / density)


def discharge_time(p: float, start: float, outside: float, volume: float, k: float, oil: NayaOil) -> float:
    """Time [s] for a rigid volume to fall from ``start`` to ``p`` [Pa] through an orifice to ``outside``.

    V ė = −k √(p − p_out), de = dp/β. With u = √(p − p_out): t = (2V/k) ∫ du/β(p_out + u²), smooth down to u = 0.
    """
    low, high = np.sqrt(p - outside), np.sqrt(start - outside)
    return float(
        2.0 * volume / k * quad(lambda u: 1.0 / oil.bulk(outside + u * u), low, high, epsabs=0, epsrel=1e-13)[0]
    )


@dataclass(frozen=True)
class LockedPiston:
    """A mass on a piston between two closed chambers: a conservative, slightly non-linear oscillator.

    No flow, so e_i + ln V_i is constant and the pressures are functions of the displacement x alone (x > 0 extends,
    V_a grows).
    """

    mass: float
    area_a: float
    area_b: float
    volume_a: float
    volume_b: float
    pressure_a: float
    pressure_b: float
    force: float  # every other force on the piston, + extends; cancels the pressures at x = 0
    oil: NayaOil

    def pressures(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Chamber pressures [Pa] at displacement x [m]."""
        e_a = self.oil.strain(self.pressure_a) - np.log1p(self.area_a * x / self.volume_a)
        e_b = self.oil.strain(self.pressure_b) - np.log1p(-self.area_b * x / self.volume_b)
        return self.oil.pressure(e_a), self.oil.pressure(e_b)

    def net_force(self, x: np.ndarray) -> np.ndarray:
        """Sum of forces [N] on the mass at displacement x."""
        p_a, p_b = self.pressures(x)
        return p_a * self.area_a - p_b * self.area_b + self.force

    def small_frequency(self) -> float:
        """ω [rad/s] of small motion: ω² = (β_a A_a²/V_a + β_b A_b²/V_b)/m."""
        stiff = self.oil.bulk(self.pressure_a) * self.area_a**2 / self.volume_a
        stiff += self.oil.bulk(self.pressure_b) * self.area_b**2 / self.volume_b
        return float(np.sqrt(stiff / self.mass))

    def period(self, speed: float) -> float:
        """Period [s] of the motion through x = 0 at a speed [m/s], by quadrature of dx/ẋ between the turning points.

        With x = middle + half·sin φ the end singularities vanish.
        """

        def energy(x: float) -> float:
            return -quad(lambda y: float(self.net_force(np.asarray(y))), 0.0, x, epsabs=0, epsrel=1e-13)[0]

        total = 0.5 * self.mass * speed**2
        guess = speed / self.small_frequency()
        right = brentq(lambda x: energy(x) - total, 0.5 * guess, 2.0 * guess, xtol=1e-18, rtol=1e-15)
        left = brentq(lambda x: energy(x) - total, -2.0 * guess, -0.5 * guess, xtol=1e-18, rtol=1e-15)
        middle, half = 0.5 * (right + left), 0.5 * (right - left)
        nodes, weights = np.polynomial.legendre.leggauss(24)
        phi = 0.5 * np.pi * nodes
        x = middle + half * np.sin(phi)
        speeds = np.sqrt(2.0 / self.mass * (total - np.array([energy(v) for v in x])))
        return float(2.0 * 0.5 * np.pi * np.sum(weights * half * np.cos(phi) / speeds))
