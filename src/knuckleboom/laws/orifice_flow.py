# SPDX-License-Identifier: BSD-3-Clause
"""Flow through a sharp-edged orifice, smooth through zero pressure drop.

    Q = Cd·A·√(2·Δp/ρ) = kq·√Δp                                    [Merritt 1967, ch. 3; Naya 2011, eq. 4]

Below the transition ``dp_tr`` the root is replaced by the odd cubic that joins it in value and slope, so that
∂Q/∂Δp stays finite at Δp = 0 (our own choice; the flow there is laminar). Above it the root is exact.
Validated by: validation/analytic/test_pressure_decay.py
"""

import math

from knuckleboom.kernels import kernel


@kernel
def orifice_flow(dp, kq, dp_tr):
    """Return Q [m³/s], ∂Q/∂Δp [m³/(s·Pa)] and the secant Q/Δp [m³/(s·Pa)].

    dp [Pa], kq = Cd·A·√(2/ρ) [m³/(s·√Pa)], dp_tr [Pa].
    """
    size = abs(dp)
    if size >= dp_tr:
        root = math.sqrt(size)
        return math.copysign(kq * root, dp), 0.5 * kq / root, kq / root

    # inside the transition: r·(5 − r²)/4 has value 1 and slope 1/2 at r = 1
    r = dp / dp_tr
    secant = kq / math.sqrt(dp_tr) * (5.0 - r * r) / 4.0
    return secant * dp, kq / math.sqrt(dp_tr) * (5.0 - 3.0 * r * r) / 4.0, secant
