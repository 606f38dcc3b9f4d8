# SPDX-License-Identifier: BSD-3-Clause
"""Plane pendulum released from rest: θ(t) by Jacobi's elliptic functions.

    θ̈ = −ω₀² sin θ,  k = sin(θ₀/2):   T = 4 K(k²)/ω₀,   θ(t) = 2 asin(k · cd(ω₀ t | k²))    [Landau 1976, §11]

θ is measured from hanging; cd = cn/dn starts at 1.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ellipj, ellipk


def period(amplitude: float, omega: float) -> float:
    """Period [s] at an amplitude [rad] and small-swing frequency omega [rad/s]."""
    return float(4.0 * ellipk(np.sin(amplitude / 2.0) ** 2) / omega)


def angle(time: np.ndarray, amplitude: float, omega: float) -> np.ndarray:
    """Angle [rad] at times [s] after release from rest at the amplitude [rad]."""
    m = np.sin(amplitude / 2.0) ** 2
    _, cn, dn, _ = ellipj(omega * np.asarray(time), m)
    return 2.0 * np.arcsin(np.sin(amplitude / 2.0) * cn / dn)
