# SPDX-License-Identifier: BSD-3-Clause
"""End stops on a row: beyond lower or upper a spring with a loss pushes back, and never pulls.

    λ = ± k d (1 + c ḋ),  at least 0 in magnitude;  d the penetration          [Hunt Crossley 1975]

Stores ½ k d²; what the factor 1 + c ḋ adds is dissipated. A stop at ±∞ is none.
Validated by: validation/analytic/test_joint_stop.py
"""

from knuckleboom.kernels import kernel

KIND = 2
COLUMNS = ("lower", "upper", "stiffness", "damping")


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
def stored(s, lower, upper, stiffness):
    """Return the elastic energy [J]."""
    d = max(lower - s, s - upper, 0.0)
    return 0.5 * stiffness * d * d
