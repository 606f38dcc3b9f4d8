# SPDX-License-Identifier: BSD-3-Clause
"""Limited state: follows a command that pressures take back, such as a pump's swash with cut-off and load sensing.

    T ẋ = min(u S₁ S₂, product/Δp₂) − x,   S = r²(3 − 2r),   r = (setting − (p_high − p_low))/full, held within 0..1

Nodes       high and low of both limits           States  x, in the unit of u
A limit that is not there has an infinite setting or product. With the product x·Δp₂ ≤ product: so a torque limiter
keeps a pump on its hyperbola (laws/smooth_least.py rounds its corner over ROUND). The curve is our own choice.
Validated by: validation/analytic/test_pumps.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.laws.smooth_least import smooth_least
from knuckleboom.laws.smooth_step import smooth_step

KIND = 0
COLUMNS = ("time", "command", "setting_1", "full_1", "setting_2", "full_2", "product")
ROUND = 0.02  # of the largest setting that the product allows


@kernel
def share(drop, setting, full):
    """Return S and its slope with the pressure difference [1/Pa]; all in Pa."""
    part, slope = smooth_step((setting - drop) / full)
    return part, -slope / full


@kernel
def law(command, drop_1, drop_2, setting_1, full_1, setting_2, full_2, product):
    """Return what the state goes to, in the unit U of the command, and its slopes with the two pressure differences
    [U/Pa]; drops, settings and full in Pa, product in U·Pa.
    """
    one, by_1 = share(drop_1, setting_1, full_1)
    other, by_2 = share(drop_2, setting_2, full_2)
    target, by_1, by_2 = command * one * other, command * by_1 * other, command * one * by_2
    if target * drop_2 <= (1.0 - ROUND) * product:
        return target, by_1, by_2
    most = product / drop_2
    part, by_part, _ = smooth_least(target / most, 1.0, ROUND)
    return most * part, by_part * by_1, by_part * by_2 - (part - by_part * target / most) * most / drop_2
