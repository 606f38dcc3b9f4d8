# SPDX-License-Identifier: BSD-3-Clause
"""Friction of a cylinder by its efficiency: a part of the force of its oil, with a curve over the speed.

    λ = −loss·f(w)·|F|,   F = Σ A (p − p_ambient),   loss = 1 − η             [Baharudin 2016, eq. 2.54]

f is odd, a smooth curve through given points, 1 at the speed where η was measured. The paper leaves out |·|, with which
it never drives; |F| is rounded below `round`: √(F² + round²) − round. Dissipates |λ w| ≥ 0.
Validated by: validation/analytic/test_cylinder_friction.py
"""

import math

from knuckleboom.interface.contract import Element
from knuckleboom.kernels import kernel
from knuckleboom.laws.curve import curve

ELEMENT = Element(gives=("force", "by_w", "by_oil"), columns=("loss", "round"), label="efficiency_")


@kernel
def law(w, oil_force, loss, round_, numbers, start, count):
    """Return λ [N] and its slopes ∂λ/∂w [N·s/m] and ∂λ/∂F [1]."""
    f, df = curve(numbers, int(start), int(count), abs(w))
    sign = math.copysign(1.0, w)
    root = math.sqrt(oil_force * oil_force + round_ * round_)
    size = root - round_
    return -loss * sign * f * size, -loss * df * size, -loss * sign * f * oil_force / root
