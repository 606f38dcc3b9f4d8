# SPDX-License-Identifier: BSD-3-Clause
"""Servos in implicit steps: stiff as they are, they need how their rows turn, and work that is more than λ·w.

Turning. A servo's force is gain times its speed error: a step that neglects that w changes with the pose,
by Ȧv, ends with a force that is off by gain·h·Ȧv. Linearly implicit steps have it in the direction v of their start:

    ∂λ/∂q u_q  =  −gain·Ȧv·(v·u_q)/(v·v),    of u_q = τ (r_q + u_v) the known part r_q; the matrix stays symmetric

Work. A stiff servo follows a jump of its input far within a step, so that the force at the start hardly acts:

    linearly implicit    h Σ b_i λ̂_i (w_i + ½ Σ_j m_j δ_j − Σ_j A_ij δ_j),    δ_j = A u_vj,    λ̂_i = λ_i + ∂λ u_i
    implicit Euler       h λ₁ (w₁ − ½ δ),    δ = A (v₁ − v₀)

h Σ b_i λ̂_i is the impulse that the step gave; times the mean of both speeds it is the change of ½ m w² to the digit,
with the row's own turning at the stages. Own derivations; tested in validation/analytic/test_servo.py
"""

from knuckleboom.interface.elements import servo
from knuckleboom.interface.forces import FORCE_ROW, FORCE_SIGNAL
from knuckleboom.kernels import kernel
from knuckleboom.layout import signal_value

FORCE, SPEED, CHANGE = 0, 1, 2  # columns of tableau.servo


@kernel
def turning(plan_forces, plan_tangent, bias, v, turn):
    """−gain·Ȧv/(v·v) of all servos, from the biases Ȧv of the rows. Writes turn."""
    first = plan_forces.first[servo.KIND]
    for k in range(first, plan_forces.first[servo.KIND + 1]):
        r, square = plan_forces.index[k, FORCE_ROW], 0.0
        row = plan_tangent.stiff[r]
        for e in range(plan_tangent.path_first[row], plan_tangent.path_first[row + 1]):
            square += v[plan_tangent.path_dof[e]] * v[plan_tangent.path_dof[e]]
        turn[k - first] = -plan_forces.number[k, 0] * bias[r] / square if square > 0.0 else 0.0


@kernel
def add_turning(plan_forces, plan_tangent, tau, i, v, rate_q, turn, entry, kept, force):
    """Add τ Aᵀ times what turning does to λ in stage i, which is kept as the first part of λ̂. Writes kept, force."""
    first = plan_forces.first[servo.KIND]
    for k in range(first, plan_forces.first[servo.KIND + 1]):
        row, along = plan_tangent.stiff[plan_forces.index[k, FORCE_ROW]], 0.0
        for e in range(plan_tangent.path_first[row], plan_tangent.path_first[row + 1]):
            along += v[plan_tangent.path_dof[e]] * rate_q[plan_tangent.path_dof[e]]
        turned = tau * turn[k - first] * along
        for e in range(plan_tangent.path_first[row], plan_tangent.path_first[row + 1]):
            force[plan_tangent.path_dof[e]] += tau * turned * entry[e]
        kept[i, k - first, FORCE] = turned


@kernel
def keep(plan_forces, plan_tangent, i, u, x, w, row_rate, kept):
    """Keep λ̂, w and δ of stage i, from the rates w of the rows and row_rate = A u_v. Writes kept."""
    first = plan_forces.first[servo.KIND]
    for k in range(first, plan_forces.first[servo.KIND + 1]):
        r = plan_forces.index[k, FORCE_ROW]
        change = row_rate[plan_tangent.stiff[r]]
        force, dw = servo.law(w[r], signal_value(u, x, plan_forces.index[k, FORCE_SIGNAL]), plan_forces.number[k, 0])
        kept[i, k - first, FORCE] += force + dw * change
        kept[i, k - first, SPEED] = w[r]
        kept[i, k - first, CHANGE] = change


@kernel
def mean_powers(plan_forces, plan_tableau, weights, used, rough, kept, power):
    """Make all powers of a servo its mean one over the step, of `used` stages with these weights. Writes power."""
    first = plan_forces.first[servo.KIND]
    for k in range(first, plan_forces.first[servo.KIND + 1]):
        half, mean = 0.0, 0.0
        for j in range(used):
            half += 0.5 * weights[j] * kept[j, k - first, CHANGE]
        for i in range(used):
            speed = kept[i, k - first, SPEED] + half
            for j in range(i):
                speed -= plan_tableau.A[i, j] * kept[j, k - first, CHANGE]
            b = 1.0 if rough else plan_tableau.b[i]
            mean += b * kept[i, k - first, FORCE] * speed
        for i in range(plan_tableau.stages[0]):
            power[i, k] = mean


@kernel
def add_euler_work(plan_forces, plan_tangent, h, u, x, w, entry, v0, v, energy):
    """Add −½ h λ₁ δ, which h λ₁ w₁ lacks; entry is A of the rows with slopes at the end of the step. Writes energy."""
    for k in range(plan_forces.first[servo.KIND], plan_forces.first[servo.KIND + 1]):
        r = plan_forces.index[k, FORCE_ROW]
        row, change = plan_tangent.stiff[r], 0.0
        for e in range(plan_tangent.path_first[row], plan_tangent.path_first[row + 1]):
            change += entry[e] * (v[plan_tangent.path_dof[e]] - v0[plan_tangent.path_dof[e]])
        force, _ = servo.law(w[r], signal_value(u, x, plan_forces.index[k, FORCE_SIGNAL]), plan_forces.number[k, 0])
        energy[k] -= 0.5 * h * force * change
