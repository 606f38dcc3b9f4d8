# SPDX-License-Identifier: BSD-3-Clause
"""Laminar restrictor: a branch whose flow is proportional to the pressure drop (leakage past a seal).

Ends        a, b (nodes)              Sign: Q > 0 flows from a to b.
States      none                      Power: dissipates (p_a − p_b)·Q ≥ 0.
Law         Q = G (p_a − p_b)         Validated by: validation/analytic/test_leakage.py
"""

from knuckleboom.kernels import kernel

KIND = 3
COLUMNS = ("conductance",)


@kernel
def law(p_a, p_b, conductance):
    """Return Q, its slopes ∂Q/∂p_a, ∂Q/∂p_b, and the secant conductance."""
    return conductance * (p_a - p_b), conductance, -conductance, conductance
