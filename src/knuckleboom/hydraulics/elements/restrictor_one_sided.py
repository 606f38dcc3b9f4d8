# SPDX-License-Identifier: BSD-3-Clause
"""One-sided restrictor: an orifice with the bare root that passes flow from a to b only.

Ends        a, b (nodes)                     Sign: Q ≥ 0 flows from a to b.
States      none                             Power: dissipates (p_a − p_b)·Q ≥ 0.
Law         laws/orifice_flow_one_sided.py   Validated by: validation/literature/test_naya_2011_rod.py
Limits      its slope is infinite at Δp = 0⁺: for reproducing [Naya 2011, eq. 29]; machines use restrictor.py.
"""

from knuckleboom.kernels import kernel
from knuckleboom.laws.orifice_flow_one_sided import orifice_flow_one_sided

KIND = 1
COLUMNS = ("kq",)


@kernel
def law(p_a, p_b, opening, kq):
    """Return Q, its slopes ∂Q/∂p_a, ∂Q/∂p_b, ∂Q/∂opening, and the secant conductance."""
    q, dq, secant = orifice_flow_one_sided(p_a - p_b, kq)
    return opening * q, opening * dq, -opening * dq, q, opening * secant
