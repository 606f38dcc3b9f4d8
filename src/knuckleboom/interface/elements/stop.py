# SPDX-License-Identifier: BSD-3-Clause
"""End stops on a row: beyond lower or upper a spring with a loss pushes back, and never pulls.

    λ = ± k d (1 + c ḋ),  at least 0 in magnitude;  d the penetration          [Hunt Crossley 1975]

Stores ½ k d²; what the factor 1 + c ḋ adds is dissipated. A stop at ±∞ is none. Coming at v it sends a mass back at
e v, whatever k and m, where c v (1 + e) = ln((1 + c v)/(1 − c e v)): c v = 0.17, 0.63, 1.43, 3.1, 10 for e = 0.9, 0.7,
0.5, 0.3, 0.1.

A linearly implicit step of h that begins before the touch or ends after it has a corner inside. In its matrix is then,
beside the slopes of `law`, what `ahead` returns: k (1 + c ḋ) where it will touch, as k alone lets a damped stop throw
back faster than it was hit, and the slopes once more where it will leave. A step that is sudden there (`suddenness`) is
made in four parts, unless a volume shrinks by more than 1 % in it. With FW2 and h √(k/m) up to 0.5 the rebound is that
of the law to 1 % (for e < 0.05 to 1.5 % of the speed before), and at any step none is above 1.05 v.
Validated by: validation/analytic/test_joint_stop.py and test_rebound.py; docs/decisions/realtime_slopes.md
"""

import math

from knuckleboom.interface.contract import Element
from knuckleboom.kernels import kernel

ELEMENT = Element(
    gives=("force", "by_s", "by_w"), columns=("lower", "upper", "stiffness", "damping"), label="stop_"
)


@kernel
def law(s, w, lower, upper, stiffness, damping):
    """Return λ [N] and its slopes ∂λ/∂s [N/m], ∂λ/∂w [N·s/m] (or N·m and rad for a turning row)."""
    if s < lower:
        d, rate, sign = lower - s, -w, 1.0
    elif s > upper:
        d, rate, sign = s - upper, w, -1.0
    else:
        return 0.0, 0.0, 0.0
    gain = 1.0 + damping * rate
    if gain <= 0.0:
        return 0.0, 0.0, 0.0
    return sign * stiffness * d * gain, -stiffness * gain, -stiffness * d * damping


@kernel
def ahead(s, w, h, lower, upper, stiffness, damping):
    """Return what a linearly implicit step of h [s] adds to ∂λ/∂s [N/m] and ∂λ/∂w [N·s/m] of `law`."""
    after = s + h * w
    if lower <= s <= upper:
        reached = after < lower or after > upper
        return -stiffness * (1.0 + damping * abs(w)) if reached else 0.0, 0.0
    if lower <= after <= upper:
        _, by_s, by_w = law(s, w, lower, upper, stiffness, damping)
        return by_s, by_w
    return 0.0, 0.0


@kernel
def suddenness(s, w, h, lower, upper):
    """How far a step of h [s] moves, over the depth at which it begins: ∞ for one that touches, 0 for one that does
    not. Above some tenths, smaller steps have the rebound more exactly.
    """
    depth = max(lower - s, s - upper)
    if depth <= 0.0:
        return math.inf if s + h * w < lower or s + h * w > upper else 0.0
    return abs(h * w) / depth


@kernel
def stored(s, lower, upper, stiffness):
    """Return the elastic energy [J]."""
    d = max(lower - s, s - upper, 0.0)
    return 0.5 * stiffness * d * d
