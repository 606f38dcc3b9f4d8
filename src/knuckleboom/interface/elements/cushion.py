# SPDX-License-Identifier: BSD-3-Clause
"""Cushion at the end of a stroke: oil leaves through a throttle, so that the force grows with the square of speed.

    λ = −side·gain·S(r)·w²  while moving into it, else 0;   r = depth/length held within 0..1,   S = r²(3 − 2r)

Side +1 is the upper end, −1 the lower. With an orifice Q = k √Δp behind an area A the gain is A³/k²; the oil shut in is
taken as incompressible, and back out it flows freely past a check valve. Dissipates |λ w| ≥ 0.
Validated by: validation/analytic/test_cushion.py
"""

from knuckleboom.interface.contract import Element
from knuckleboom.kernels import kernel
from knuckleboom.laws.smooth_step import smooth_step

ELEMENT = Element(gives=("force", "by_s", "by_w"), columns=("at", "length", "gain", "side"), label="cushion_")


@kernel
def law(s, w, at, length, gain, side):
    """Return λ [N] and its slopes ∂λ/∂s [N/m], ∂λ/∂w [N·s/m]."""
    if side * w <= 0.0:
        return 0.0, 0.0, 0.0
    share, slope = smooth_step(1.0 - side * (at - s) / length)
    # side·side = 1 in the slope with s
    return -side * gain * share * w * w, -gain * slope / length * w * w, -2.0 * side * gain * share * w
