# SPDX-License-Identifier: BSD-3-Clause
"""Rope from a drum to a hook: it pulls while it is stretched, and is slack else.

    d = taut + (s_hook − rest_hook) − (s_drum − rest_drum),   T = k d (1 + c ḋ) ≥ 0,   λ_hook = −T,   λ_drum = T

s_hook is how far the hook is from where the rope leaves, s_drum how much rope is paid out, both at the hook; `taut` is
how far the rope is stretched at the start. Stores ½ k d²; what the factor adds is dissipated, as at a stop (stop.py).
A step in which it comes taut is sudden: a linearly implicit one is made in four parts.
Validated by: validation/analytic/test_winch.py
"""

import math

from knuckleboom.interface.contract import Element
from knuckleboom.kernels import kernel

ELEMENT = Element(
    gives=("force", "by_s", "by_w"), columns=("stiffness", "damping", "taut", "rest_hook", "rest_drum"),
    rows=("hook", "drum"), label="rope_",
)  # fmt: skip


@kernel
def law(s_hook, s_drum, w_hook, w_drum, stiffness, damping, taut, rest_hook, rest_drum):
    """Return λ [N], ∂λ/∂s [N/m] and ∂λ/∂w [N·s/m] of both rows, matrices row by row."""
    d = stretched(s_hook, s_drum, taut, rest_hook, rest_drum)
    gain = 1.0 + damping * (w_hook - w_drum)
    if d <= 0.0 or gain <= 0.0:
        return (0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
    tension, by_s, by_w = stiffness * d * gain, stiffness * gain, stiffness * d * damping
    return (-tension, tension), (-by_s, by_s, by_s, -by_s), (-by_w, by_w, by_w, -by_w)


@kernel
def suddenness(s_hook, s_drum, w_hook, w_drum, h, taut, rest_hook, rest_drum):
    """Return ∞ for a step of h [s] that begins slack and ends taut, else 0."""
    d = stretched(s_hook, s_drum, taut, rest_hook, rest_drum)
    return math.inf if d <= 0.0 < d + h * (w_hook - w_drum) else 0.0


@kernel
def stored(s_hook, s_drum, stiffness, taut, rest_hook, rest_drum):
    """Return the elastic energy [J]."""
    d = max(stretched(s_hook, s_drum, taut, rest_hook, rest_drum), 0.0)
    return 0.5 * stiffness * d * d


@kernel
def stretched(s_hook, s_drum, taut, rest_hook, rest_drum):
    """Return by how much the rope is stretched [m]; negative: by how much it is slack."""
    return taut + (s_hook - rest_hook) - (s_drum - rest_drum)
