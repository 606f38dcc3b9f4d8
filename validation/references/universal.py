# SPDX-License-Identifier: BSD-3-Clause
"""A body hung from the world by a universal joint: Lagrange's equations, integrated by SciPy.

R = Rz(q₁)·Ry(q₂); the body's centre of mass is at (l, 0, 0), its inertia about the joint's centre is diag(Ix, Iy, Iz).

    ω in body axes = (−sin q₂ q̇₁, q̇₂, cos q₂ q̇₁),   A(q₂) = Ix sin²q₂ + Iz cos²q₂
    A q̈₁ + A′ q̇₁q̇₂ = m g·∂c/∂q₁,   Iy q̈₂ − ½ A′ q̇₁² = m g·∂c/∂q₂,   c = l (cos q₁ cos q₂, sin q₁ cos q₂, −sin q₂)
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp


def solve(
    time: np.ndarray,
    start: tuple[float, float, float, float],
    *,
    mass: float,
    length: float,
    inertia: tuple[float, float, float],
    gravity: tuple[float, float, float],
    method: str = "DOP853",
) -> np.ndarray:
    """States (q₁, q₂, q̇₁, q̇₂) as (4, n) at times [s]."""
    ix, iy, iz = inertia
    g = np.asarray(gravity)

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        q1, q2, v1, v2 = y
        s1, c1, s2, c2 = np.sin(q1), np.cos(q1), np.sin(q2), np.cos(q2)
        a = ix * s2**2 + iz * c2**2
        slope = 2.0 * s2 * c2 * (ix - iz)
        by_q1 = length * np.array([-s1 * c2, c1 * c2, 0.0])
        by_q2 = length * np.array([-c1 * s2, -s1 * s2, -c2])
        f1 = mass * g @ by_q1 - slope * v1 * v2
        f2 = mass * g @ by_q2 + 0.5 * slope * v1**2
        return np.array([v1, v2, f1 / a, f2 / iy])

    return solve_ivp(rates, (time[0], time[-1]), start, method=method, t_eval=time, rtol=1e-12, atol=1e-13).y
