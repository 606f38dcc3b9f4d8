# SPDX-License-Identifier: BSD-3-Clause
"""Dry and viscous friction on a row: λ = −(F_c + F_b exp(−(w/w_b)²)) tanh(w/w_s) − c w.

F_b is what breaking away takes beyond F_c [Stribeck 1902, as Armstrong-Hélouvry 1994]. The smoothed law creeps at
speeds below w_s under load; it never holds. Dissipates |λ w| ≥ 0.
Validated by: validation/analytic/test_joint_friction.py
"""

import math

from knuckleboom.interface.contract import Element
from knuckleboom.kernels import kernel

ELEMENT = Element(
    gives=("force", "by_w"), columns=("coulomb", "viscous", "speed", "extra", "stribeck"), label="friction_"
)


@kernel
def law(w, coulomb, viscous, speed, extra, stribeck):
    """Return λ [N] and its slope ∂λ/∂w [N·s/m] (or N·m and rad for a turning row)."""
    t = math.tanh(w / speed)
    r = w / stribeck
    bump = extra * math.exp(-r * r)
    dry = coulomb + bump
    return -dry * t - viscous * w, -dry / speed * (1.0 - t * t) + 2.0 * bump * r / stribeck * t - viscous
