# SPDX-License-Identifier: BSD-3-Clause
"""Elements as stiff as servos: steps need how the direction of their row changes, and work that is more than λ·w.

Turning. A servo's force is gain times its speed error: a step that neglects that w changes with the pose, by Ȧv, ends
with a force that is off by gain·h·Ȧv. Linearly implicit steps have it in the direction v of their start:

    ∂λ/∂q u_q  =  ∂λ/∂w·Ȧv·(v·u_q)/(v·v),    of u_q = τ (r_q + u_v) the known part r_q; the matrix stays symmetric

Work. A stiff servo follows a jump of its input far within a step, so that the force at the start hardly acts:

    linearly implicit    h Σ b_i λ̂_i (w_i + ½ Σ_j m_j δ_j − Σ_j A_ij δ_j),    δ_j = A u_vj,    λ̂_i = λ_i + ∂λ u_i
    implicit Euler       h λ₁ (w₁ − ½ δ),    δ = A (v₁ − v₀)

h Σ b_i λ̂_i is the impulse that the step gave; times the mean of both speeds it is the change of ½ m w² to the digit,
with the row's own turning at the stages. Elements that declare `mean_power` have it, in plan_forces.mean. Functions
that need an element's law are compiled for each kind, with its number and its law. Own derivations; tested in
validation/analytic/test_servo.py
"""

from knuckleboom.interface import contract
from knuckleboom.interface.contract import BLOCK, ROW
from knuckleboom.interface.forces import KINDS
from knuckleboom.kernels import kernel

FORCE, SPEED, CHANGE = 0, 1, 2  # columns of tableau.mean

KIND, law_at = 0, contract.law_at
"""In each of the functions below that use them: the number of a kind, and its law for element i."""


def turning_of(plan_forces, plan_tangent, u, x, modes, v, rows, turn):
    """∂λ/∂w·Ȧv/(v·v) of all elements of a kind. Writes turn."""
    for i in range(plan_forces.first[KIND], plan_forces.first[KIND + 1]):
        r, square = plan_forces.index[i, ROW], 0.0
        row = plan_tangent.stiff[r]
        for e in range(plan_tangent.path_first[row], plan_tangent.path_first[row + 1]):
            square += v[plan_tangent.path_dof[e]] * v[plan_tangent.path_dof[e]]
        _, by_w = law_at(plan_forces, i, u, x, modes, rows)
        turn[plan_forces.index[i, BLOCK]] = by_w * rows.bias[r] / square if square > 0.0 else 0.0


def keep_of(plan_forces, plan_tangent, stage, u, x, modes, rows, row_rate, kept):
    """Keep λ̂, w and δ of a stage, of all elements of a kind; row_rate = A u_v. Writes kept."""
    for i in range(plan_forces.first[KIND], plan_forces.first[KIND + 1]):
        r, k = plan_forces.index[i, ROW], plan_forces.index[i, BLOCK]
        change = row_rate[plan_tangent.stiff[r]]
        force, by_w = law_at(plan_forces, i, u, x, modes, rows)
        kept[stage, k, FORCE] += force + by_w * change
        kept[stage, k, SPEED] = rows.w[r]
        kept[stage, k, CHANGE] = change


def euler_work_of(plan_forces, plan_tangent, h, u, x, modes, rows, entry, v0, v, energy):
    """Add −½ h λ₁ δ, which h λ₁ w₁ lacks; entry is A of the rows with slopes at the end of the step. Writes energy."""
    for i in range(plan_forces.first[KIND], plan_forces.first[KIND + 1]):
        row, change = plan_tangent.stiff[plan_forces.index[i, ROW]], 0.0
        for e in range(plan_tangent.path_first[row], plan_tangent.path_first[row + 1]):
            change += entry[e] * (v[plan_tangent.path_dof[e]] - v0[plan_tangent.path_dof[e]])
        force, _ = law_at(plan_forces, i, u, x, modes, rows)
        energy[i] -= 0.5 * h * force * change


turning, keep, add_euler_work = (
    contract.for_each_kind(function, [(kind, one) for kind, one in enumerate(KINDS) if one.ELEMENT.mean_power])
    for function in (turning_of, keep_of, euler_work_of)
)


@kernel
def add_turning(plan_forces, plan_tangent, tau, i, v, rate_q, turn, entry, kept, force):
    """Add τ Aᵀ times what turning does to λ in stage i, which is kept as the first part of λ̂. Writes kept, force."""
    for k in range(plan_forces.mean.shape[0]):
        row, along = plan_tangent.stiff[plan_forces.index[plan_forces.mean[k], ROW]], 0.0
        for e in range(plan_tangent.path_first[row], plan_tangent.path_first[row + 1]):
            along += v[plan_tangent.path_dof[e]] * rate_q[plan_tangent.path_dof[e]]
        turned = tau * turn[k] * along
        for e in range(plan_tangent.path_first[row], plan_tangent.path_first[row + 1]):
            force[plan_tangent.path_dof[e]] += tau * turned * entry[e]
        kept[i, k, FORCE] = turned


@kernel
def mean_powers(plan_forces, plan_tableau, weights, used, rough, kept, power):
    """Make all powers of such an element its mean one over a step of `used` stages with these weights. Writes power."""
    for k in range(plan_forces.mean.shape[0]):
        half, mean = 0.0, 0.0
        for j in range(used):
            half += 0.5 * weights[j] * kept[j, k, CHANGE]
        for i in range(used):
            speed = kept[i, k, SPEED] + half
            for j in range(i):
                speed -= plan_tableau.A[i, j] * kept[j, k, CHANGE]
            b = 1.0 if rough else plan_tableau.b[i]
            mean += b * kept[i, k, FORCE] * speed
        for i in range(plan_tableau.stages[0]):
            power[i, plan_forces.mean[k]] = mean
