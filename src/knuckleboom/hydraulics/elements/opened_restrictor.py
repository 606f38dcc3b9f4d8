# SPDX-License-Identifier: BSD-3-Clause
"""Pressure-opened restrictor: an orifice whose opening grows with a pilot pressure difference p_c − p_d.

    opening = r²(3 − 2r),   r = (p_c − p_d − cracking)/full, held within 0..1     (our own choice: smooth at both ends)

Ends        a, b (nodes); pilots c, d       Sign: Q > 0 flows from a to b. A check valve has c = a, d = b.
States      none                            Power: dissipates (p_a − p_b)·Q ≥ 0.
Law         laws/orifice_flow.py            Validated by: validation/analytic/test_check_valve.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.laws.orifice_flow import orifice_flow

KIND = 2
COLUMNS = ("kq", "transition", "cracking", "full")


@kernel
def law(p_a, p_b, p_c, p_d, kq, transition, cracking, full):
    """Return Q, its slopes ∂Q/∂p_a, ∂Q/∂p_b at fixed opening, ∂Q/∂(p_c − p_d), and the secant conductance."""
    r = (p_c - p_d - cracking) / full
    if r <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    q, dq, secant = orifice_flow(p_a - p_b, kq, transition)
    if r >= 1.0:
        return q, dq, -dq, 0.0, secant
    opening = r * r * (3.0 - 2.0 * r)  # the cubic with level ends
    return opening * q, opening * dq, -opening * dq, q * 6.0 * r * (1.0 - r) / full, opening * secant


@kernel
def steepest(drop, pilot, ahead, secant, kq, transition, cracking, full):
    """Conductance for a linearly implicit step: the slope where it is half open, if it opens or closes between the
    pilot pressure differences now and one step ahead, else the secant.

    With less, a check or relief valve on a small volume rings or settles at a wrong pressure: measured in
    docs/decisions/realtime_slopes.md.
    """
    if max(pilot, ahead) <= cracking or min(pilot, ahead) >= cracking + full:
        return secant
    # half open, the slope of r²(3 − 2r) is at its largest, 3/2
    q, dq, _ = orifice_flow(drop + cracking + 0.5 * full - pilot, kq, transition)
    return max(secant, 0.5 * dq + 1.5 * abs(q) / full)
