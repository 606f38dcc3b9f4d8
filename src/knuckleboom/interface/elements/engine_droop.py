# SPDX-License-Identifier: BSD-3-Clause
"""Combustion engine with a governor that droops, on the row of its shaft.

    T = P(min(gain·(n_set − n), T_full(n)) + d) − d,   d = T_d·tanh(n/n_d) the drag,   P(x) = x where x > 0, else 0

n_set is the signal `wanted`, kept within idle and most. T_full is a smooth curve through given points that is −T_d at
and below the stall speed: an engine that is lugged down to it stops. Both corners are rounded over `round`
(laws/smooth_least.py, laws/smooth_positive.py), away from them the lines are exact; with nothing injected there is drag
only. T acts at once: no dynamics of injection and charging.
It supplies T·n where T > 0; below it supplies nothing, and what it takes is dissipated.
Validated by: validation/analytic/test_engine.py
"""

import math

from knuckleboom.interface.contract import SUPPLIED, Element
from knuckleboom.kernels import kernel
from knuckleboom.laws.curve import curve
from knuckleboom.laws.smooth_least import smooth_least
from knuckleboom.laws.smooth_positive import smooth_positive

ELEMENT = Element(
    gives=("force", "by_w"), columns=("gain", "idle", "most", "drag", "drag_speed", "round"), signals=("wanted",),
    label="engine_", account=SUPPLIED,
)  # fmt: skip


@kernel
def law(w, wanted, gain, idle, most, drag, drag_speed, round_, numbers, start, count):
    """Return λ [N·m] and ∂λ/∂w [N·m·s/rad]; w, wanted, idle, most and drag_speed in rad/s, gain in N·m·s/rad, drag and
    round_ in N·m, the curve in rad/s and N·m.
    """
    full, full_w = curve(numbers, int(start), int(count), w)
    governed = gain * (min(max(wanted, idle), most) - w)
    upper, by_governed, by_full = smooth_least(governed, full, round_)
    upper_w = -by_governed * gain + by_full * full_w

    # what is injected cannot be less than nothing
    shape = math.tanh(w / drag_speed)
    dragged, dragged_w = drag * shape, drag * (1.0 - shape * shape) / drag_speed
    fired, by_fired = smooth_positive(upper + dragged, round_)
    return fired - dragged, by_fired * (upper_w + dragged_w) - dragged_w


@kernel
def supplied(w, wanted, gain, idle, most, drag, drag_speed, round_, numbers, start, count):
    """Return the power that it supplies [W], none where it drags, either way round; arguments as in law."""
    torque, _ = law(w, wanted, gain, idle, most, drag, drag_speed, round_, numbers, start, count)
    return max(torque * w, 0.0)
