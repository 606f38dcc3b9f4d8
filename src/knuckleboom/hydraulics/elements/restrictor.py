# SPDX-License-Identifier: BSD-3-Clause
"""Restrictor: a branch whose flow follows an orifice law with a given opening.

Ends        a, b (nodes)              Sign: Q > 0 flows from a to b.
States      none                      Power: dissipates (p_a − p_b)·Q ≥ 0.
Law         laws/orifice_flow.py      Validated by: validation/analytic/test_pressure_decay.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.laws.orifice_flow import orifice_flow

KIND = 0
COLUMNS = ("kq", "transition")


@kernel
def law(p_a, p_b, opening, kq, transition):
    """Return Q, its slopes ∂Q/∂p_a, ∂Q/∂p_b, ∂Q/∂opening, and the secant conductance."""
    q, dq, secant = orifice_flow(p_a - p_b, kq, transition)
    return opening * q, opening * dq, -opening * dq, q, opening * secant
