# SPDX-License-Identifier: BSD-3-Clause
"""Plane double pendulum of two rigid links: Lagrange's equations, integrated by SciPy.

Angles φ₁, φ₂ from hanging, both absolute. l₁ is the distance between the two pins, c_i the distance from link i's pin
to its centre of mass, J_i the moment of inertia about that centre.

    (J₁ + m₁c₁² + m₂l₁²) φ̈₁ + m₂l₁c₂ cos(φ₁−φ₂) φ̈₂ + m₂l₁c₂ sin(φ₁−φ₂) φ̇₂² + (m₁c₁ + m₂l₁) g sin φ₁ = 0
    (J₂ + m₂c₂²) φ̈₂ + m₂l₁c₂ cos(φ₁−φ₂) φ̈₁ − m₂l₁c₂ sin(φ₁−φ₂) φ̇₁² + m₂c₂ g sin φ₂ = 0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp


@dataclass(frozen=True)
class DoublePendulum:
    """Masses [kg], lengths [m], moments of inertia [kg·m²] of the two links."""

    m1: float = 3.0
    m2: float = 2.0
    l1: float = 0.8
    c1: float = 0.35
    c2: float = 0.3
    j1: float = 0.2
    j2: float = 0.09
    g: float = 9.81

    def rates(self, _: float, y: np.ndarray) -> np.ndarray:
        """State derivative of (φ₁, φ₂, φ̇₁, φ̇₂)."""
        a, b, da, db = y
        coupling = self.m2 * self.l1 * self.c2
        m11 = self.j1 + self.m1 * self.c1**2 + self.m2 * self.l1**2
        m22 = self.j2 + self.m2 * self.c2**2
        m12 = coupling * np.cos(a - b)
        f1 = -coupling * np.sin(a - b) * db**2 - (self.m1 * self.c1 + self.m2 * self.l1) * self.g * np.sin(a)
        f2 = coupling * np.sin(a - b) * da**2 - self.m2 * self.c2 * self.g * np.sin(b)
        det = m11 * m22 - m12 * m12
        return np.array([da, db, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det])

    def energy(self, y: np.ndarray) -> np.ndarray:
        """Total energy [J] of states (4, n)."""
        a, b, da, db = y
        kinetic = (
            0.5 * (self.j1 + self.m1 * self.c1**2 + self.m2 * self.l1**2) * da**2
            + 0.5 * (self.j2 + self.m2 * self.c2**2) * db**2
            + self.m2 * self.l1 * self.c2 * np.cos(a - b) * da * db
        )
        height = -(self.m1 * self.c1 + self.m2 * self.l1) * np.cos(a) - self.m2 * self.c2 * np.cos(b)
        return kinetic + self.g * height

    def solve(self, time: np.ndarray, start: tuple[float, float, float, float], method: str = "DOP853") -> np.ndarray:
        """States (4, n) at times [s]."""
        done = solve_ivp(self.rates, (time[0], time[-1]), start, method=method, t_eval=time, rtol=1e-12, atol=1e-13)
        return done.y
