# SPDX-License-Identifier: BSD-3-Clause
"""Torque-free rotation of an asymmetric body: Euler's equations, closed form and by SciPy.

    I₁ω̇₁ = (I₂ − I₃) ω₂ω₃ and cyclic,   I₁ < I₂ < I₃                              [Landau 1976, §37]

``from_middle_axis`` starts at (0, w₂, w₃) with small w₃ > 0: a turn about the intermediate axis, slightly disturbed;
this is the elliptic solution for M² > 2 E I₂ entered at its quarter period, where sn = 1 and cn = 0.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk


def from_middle_axis(time: np.ndarray, inertia: tuple[float, float, float], w2: float, w3: float) -> np.ndarray:
    """Body-fixed angular velocity (n, 3) [rad/s] after a start at (0, w2, w3)."""
    i1, i2, i3 = inertia
    twice_energy = i2 * w2**2 + i3 * w3**2
    momentum2 = (i2 * w2) ** 2 + (i3 * w3) ** 2
    rate = np.sqrt((i3 - i2) * (momentum2 - twice_energy * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (twice_energy * i3 - momentum2) / ((i3 - i2) * (momentum2 - twice_energy * i1))
    sn, cn, dn, _ = ellipj(ellipk(m) + rate * np.asarray(time), m)
    first = np.sqrt((twice_energy * i3 - momentum2) / (i1 * (i3 - i1))) * cn
    second = np.sqrt((twice_energy * i3 - momentum2) / (i2 * (i3 - i2))) * sn
    third = np.sqrt((momentum2 - twice_energy * i1) / (i3 * (i3 - i1))) * dn
    return np.stack([first, second, third], axis=-1)


def half_turn_time(inertia: tuple[float, float, float], w2: float, w3: float) -> float:
    """Time [s] from (0, w2, w3) to (0, −w2, w3): half a period of the tumbling."""
    i1, i2, i3 = inertia
    twice_energy = i2 * w2**2 + i3 * w3**2
    momentum2 = (i2 * w2) ** 2 + (i3 * w3) ** 2
    rate = np.sqrt((i3 - i2) * (momentum2 - twice_energy * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (twice_energy * i3 - momentum2) / ((i3 - i2) * (momentum2 - twice_energy * i1))
    return float(2.0 * ellipk(m) / rate)


def by_scipy(
    time: np.ndarray, inertia: tuple[float, float, float], omega: np.ndarray, method: str = "DOP853"
) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity (n, 3) in body axes and orientation quaternion (n, 4, w x y z), started from no turn."""
    i1, i2, i3 = inertia

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        p, q, r, e0, e1, e2, e3 = y
        return np.array(
            [
                (i2 - i3) / i1 * q * r,
                (i3 - i1) / i2 * r * p,
                (i1 - i2) / i3 * p * q,
                0.5 * (-e1 * p - e2 * q - e3 * r),
                0.5 * (e0 * p + e2 * r - e3 * q),
                0.5 * (e0 * q + e3 * p - e1 * r),
                0.5 * (e0 * r + e1 * q - e2 * p),
            ]
        )

    start = np.concatenate([omega, [1.0, 0.0, 0.0, 0.0]])
    done = solve_ivp(rates, (time[0], time[-1]), start, method=method, t_eval=time, rtol=1e-12, atol=1e-13)
    return done.y[:3].T, done.y[3:].T
