# SPDX-License-Identifier: BSD-3-Clause
"""Bristles in implicit steps: each is a state of one row alone, and is eliminated there.

    δz (1 − τ ∂ż/∂z) = r + τ ∂ż/∂w δw      ⇒      ∂λ/∂w grows by ∂λ/∂z τ ∂ż/∂w/(1 − τ ∂ż/∂z)

Own derivation; checked against differences in tests/engine/test_theta.py
"""

from knuckleboom.interface.elements import bristle
from knuckleboom.interface.forces import FORCE_ROW
from knuckleboom.kernels import kernel


@kernel
def follow(tau, slopes, b):
    """How far bristle b follows its row: δz/δw [s]."""
    return tau * slopes[b, bristle.RATE_W] / (1.0 - tau * slopes[b, bristle.RATE_Z])


@kernel
def soften(plan_forces, plan_tangent, tau, slopes, damping):
    """Add to ∂λ/∂w of the rows with slopes what their bristles do. Writes damping."""
    first = plan_forces.first[bristle.KIND]
    for i in range(first, plan_forces.first[bristle.KIND + 1]):
        k = plan_tangent.stiff[plan_forces.index[i, FORCE_ROW]]
        damping[k] += slopes[i - first, bristle.FORCE_Z] * follow(tau, slopes, i - first)
