# SPDX-License-Identifier: BSD-3-Clause
"""Dry and viscous friction on a row: λ = −F_c tanh(w/w_s) − c w.

The smoothed Coulomb law creeps at speeds below w_s under load; it never holds. Dissipates |λ w| ≥ 0.
Validated by: validation/analytic/test_joint_friction.py
"""

import math

from knuckleboom.kernels import kernel

KIND = 1
COLUMNS = ("coulomb", "viscous", "speed")


@kernel
def law(w, coulomb, viscous, speed):
    """Return λ [N] and its slope ∂λ/∂w [N·s/m] (or N·m and rad for a turning row)."""
    t = math.tanh(w / speed)
    return -coulomb * t - viscous * w, -coulomb / speed * (1.0 - t * t) - viscous
