# SPDX-License-Identifier: BSD-3-Clause
"""Combustion engine with a governor that droops, on the row of its shaft.

    T = gain·(n_set − n)            kept between the drag −T_d·tanh(n/n_d) and the full-load torque T_full(n)

n_set is the signal `wanted`, kept within idle and most. T_full is a smooth curve through given points that is zero at
and below the stall speed: an engine that is lugged down to it stops. Both corners are rounded over `round`
(laws/smooth_least.py), away from them the lines are exact. T acts at once: no dynamics of injection and charging.
It supplies T·n, and dissipates what drag takes. Validated by: validation/analytic/test_engine.py
"""

import math

from knuckleboom.interface.contract import SUPPLIED, Element
from knuckleboom.kernels import kernel
from knuckleboom.laws.curve import curve
from knuckleboom.laws.smooth_least import smooth_least

ELEMENT = Element(
    gives=("force", "by_w"), columns=("gain", "idle", "most", "drag", "drag_speed", "round"), signals=("wanted",),
    label="engine_", account=SUPPLIED,
)  # fmt: skip


@kernel
def law(w, wanted, gain, idle, most, drag, drag_speed, round_, numbers, start, count):
    """Return λ [N·m] and ∂λ/∂w [N·m·s/rad]."""
    full, full_w = curve(numbers, int(start), int(count), w)
    governed = gain * (min(max(wanted, idle), most) - w)
    upper, by_governed, by_full = smooth_least(governed, full, round_)
    upper_w = -by_governed * gain + by_full * full_w

    # the larger of this and the drag
    shape = math.tanh(w / drag_speed)
    low, low_w = -drag * shape, -drag * (1.0 - shape * shape) / drag_speed
    torque, by_upper, by_low = smooth_least(-upper, -low, round_)
    return -torque, by_upper * upper_w + by_low * low_w


@kernel
def supplied(w, wanted, gain, idle, most, drag, drag_speed, round_, numbers, start, count):
    """Return the power of what is injected [W]: none where the engine drags."""
    torque, _ = law(w, wanted, gain, idle, most, drag, drag_speed, round_, numbers, start, count)
    return max(torque, 0.0) * w
