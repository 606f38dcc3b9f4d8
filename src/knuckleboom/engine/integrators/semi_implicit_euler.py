# SPDX-License-Identifier: BSD-3-Clause
"""Semi-implicit (symplectic) Euler method: order 1, one evaluation.            [Hairer Lubich Wanner 2006, I.1.2]

    v₁ = v₀ + h v̇(q₀, v₀, x₀),   q₁ = q₀ ⊕ h v₁,   x₁ = x₀ + h ẋ(q₀, v₀, x₀)

Energy of a conservative mechanism stays bounded; stable for h ω < 2. The oil is advanced by forward Euler. Inputs are
taken in the middle of the step: a ramp is not late.
Order measured in validation/analytic/test_integrator_order.py
"""

from knuckleboom.kernels import kernel
from knuckleboom.mechanics.kinematics import advance
from knuckleboom.solvers.vectors import add_scaled, scale

KIND = 1
ORDER = 1
STAGES = 1


@kernel
def after_stage(h, index, v_dot, x_dot, power, state, stage):
    """Use the rates at the start of the step to move to its end. Writes state, stage."""
    add_scaled(stage.v0, h, v_dot, state.v)
    scale(h, state.v, stage.u_q)
    advance(index, stage.q0, stage.u_q, state.q)
    add_scaled(stage.x0, h, x_dot, state.x)
    add_scaled(state.energy, h, power, state.energy)
