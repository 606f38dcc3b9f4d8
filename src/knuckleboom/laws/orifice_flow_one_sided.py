# SPDX-License-Identifier: BSD-3-Clause
"""Flow through a sharp-edged orifice that passes one way only, with the bare root.

    Q = kq·√Δp for Δp > 0, else 0                                  [Naya 2011, eq. 29: δ_P, δ_T]

The slope is infinite at Δp = 0⁺; kept to reproduce the paper. Use orifice_flow.py for machines.
Validated by: validation/literature/test_naya_2011_rod.py
"""

import math

from knuckleboom.kernels import kernel


@kernel
def orifice_flow_one_sided(dp, kq):
    """Return Q [m³/s], ∂Q/∂Δp [m³/(s·Pa)] and the secant Q/Δp [m³/(s·Pa)]; dp [Pa], kq [m³/(s·√Pa)]."""
    if dp > 0.0:
        root = math.sqrt(dp)
        return kq * root, 0.5 * kq / root, kq / root
    return 0.0, 0.0, 0.0
