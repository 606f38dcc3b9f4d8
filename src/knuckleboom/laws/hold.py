# SPDX-License-Identifier: BSD-3-Clause
"""How much bristles slip while they bend: not at all below nine tenths of their limit at low speed.

    hold = 1 − f (1 − S),   S = smooth step of r from 0.9 to 1,   f = 1/(1 + (w/v₁)⁴)

A factor of the slip in laws/bristle.py; r = σ₀|z|/g is how far the bristles are bent. LuGre is hold = 1: a little of
every bend slips, and what slips on the way to is not what slips on the way back. So it walks under a load that swings,
however little. That bristles are elastic up to a part of their limit is of [Dupont 2002], whose factor is also 0 where
w and z differ in sign: in steps of finite size that gives back overshoot as energy. To fade with speed instead is our
own choice: above v₁ it is LuGre. At r = 1, so when it breaks away or slides steadily, hold = 1 at any speed.

v₁ = 0 is LuGre as published. In steps of h the largest bend should be at least 4 h v₁.
Validated by: tests/laws/test_hold.py, validation/analytic/test_bristle_hold.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.laws.smooth_step import smooth_step

ELASTIC = 0.9  # of the limit


@kernel
def hold(r, w, speed):
    """Return the factor [1] and its slopes by r [1] and by w [s/m]; r ≥ 0 [1], w [m/s], speed v₁ [m/s]."""
    if speed <= 0.0:
        return 1.0, 0.0, 0.0
    ratio = w / speed
    square = ratio * ratio
    still = 1.0 / (1.0 + square * square)
    still_w = -4.0 * square * ratio / speed * still * still  # of the fourth power
    slips, slips_r = smooth_step((r - ELASTIC) / (1.0 - ELASTIC))
    return 1.0 - still * (1.0 - slips), still * slips_r / (1.0 - ELASTIC), -still_w * (1.0 - slips)
