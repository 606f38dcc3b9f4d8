# SPDX-License-Identifier: BSD-3-Clause
"""Flow source: a branch whose flow is given, whatever the pressures.

Ends        a, b (nodes); the flow comes as its opening, in m³/s     Sign: Q > 0 flows from a to b.
States      none                      Power: supplies (p_b − p_a)·Q, of either sign.
Law         Q = opening               Validated by: validation/analytic/test_flow_source.py
"""

from knuckleboom.kernels import kernel

KIND = 4
COLUMNS = ()


@kernel
def law(p_a, p_b, opening):
    """Return Q, its slopes ∂Q/∂p_a, ∂Q/∂p_b, ∂Q/∂opening, and the secant conductance."""
    return opening, 0.0, 0.0, 1.0, 0.0
