# SPDX-License-Identifier: BSD-3-Clause
"""States of elements in implicit steps: each belongs to the rows of its element alone, and is eliminated there.

    δz (1 − τ ∂ż/∂z) = r + τ ∂ż/∂w δw      ⇒      ∂λ/∂w grows by ∂λ/∂z τ ∂ż/∂w/(1 − τ ∂ż/∂z)

`slopes` are rows.single, now or at the start of the step. Own derivation; checked against differences in
tests/engine/test_theta.py
"""

from knuckleboom.kernels import kernel

SINGLE_ROW, SINGLE_STATE = 0, 1  # columns of plan_forces.single
BY_Z, RATE_Z, RATE_W = 0, 1, 2  # columns of rows.single: ∂λ/∂z, ∂ż/∂z, ∂ż/∂w


@kernel
def follow(tau, slopes, b):
    """How far state b follows its row: δz/δw [s]."""
    return tau * slopes[b, RATE_W] / (1.0 - tau * slopes[b, RATE_Z])


@kernel
def soften(plan_forces, plan_tangent, tau, slopes, damping):
    """Add to ∂λ/∂w of the rows with slopes what states do there. Writes damping."""
    for b in range(plan_forces.single.shape[0]):
        k = plan_tangent.stiff[plan_forces.single[b, SINGLE_ROW]]
        damping[k] += slopes[b, BY_Z] * follow(tau, slopes, b)
