# SPDX-License-Identifier: BSD-3-Clause
"""Pressure-opened restrictor: an orifice that pressures open or close.

    opening = r²(3 − 2r),   r = (w_a p_a + w_b p_b + w_c p_c + w_d p_d − setting)/full, held within 0..1

Ends        a, b (nodes); pilots c, d              Sign: Q > 0 flows from a to b.
States      none                                   Power: dissipates (p_a − p_b)·Q ≥ 0.
Law         laws/orifice_flow.py                   Validated by: validation/analytic/test_check_valve.py
A check valve has w = (1, −1, 0, 0); a reducing valve (0, −1, 1, 0) with a negative setting, c its drain. The curve of
the opening is our own choice: smooth at both ends.
"""

from knuckleboom.kernels import kernel
from knuckleboom.laws.orifice_flow import orifice_flow
from knuckleboom.laws.smooth_step import smooth_step

KIND = 2
COLUMNS = ("kq", "transition", "setting", "full", "by_a", "by_b", "by_c", "by_d")


@kernel
def law(p_a, p_b, pilot, kq, transition, setting, full):
    """Return Q, its slopes ∂Q/∂p_a, ∂Q/∂p_b at fixed opening, ∂Q/∂pilot, and the secant conductance; the pilot is the
    weighted sum of the pressures.
    """
    r = (pilot - setting) / full
    if r <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    q, dq, secant = orifice_flow(p_a - p_b, kq, transition)
    opening, slope = smooth_step(r)
    return opening * q, opening * dq, -opening * dq, q * slope / full, opening * secant


@kernel
def steepest(drop, pilot, ahead, kq, transition, setting, full):
    """For a linearly implicit step: ∂Q/∂Δp and |∂Q/∂pilot| where it is half open, if it opens or closes between the
    pilot now and one step ahead, else 0.

    With less, a check or relief valve on a small volume oscillates or settles at a wrong pressure: measured in
    docs/decisions/realtime_slopes.md.
    """
    if max(pilot, ahead) <= setting or min(pilot, ahead) >= setting + full:
        return 0.0, 0.0
    # half open, the slope of r²(3 − 2r) is at its largest, 3/2; what its own ends open moves the drop as well
    q, dq, _ = orifice_flow(drop + setting + 0.5 * full - pilot, kq, transition)
    return 0.5 * dq, 1.5 * abs(q) / full


@kernel
def way(pilot, ahead, setting, full):
    """The part of the way from the pilot now to one step ahead that leads to where it opens or closes; 0 if it is there
    already or does not come there.
    """
    beyond = max(setting - pilot, pilot - setting - full, 0.0)
    if beyond == 0.0 or max(pilot, ahead) <= setting or min(pilot, ahead) >= setting + full:
        return 0.0
    return beyond / abs(ahead - pilot)
