# SPDX-License-Identifier: BSD-3-Clause
"""Row space: how chosen rows of the mechanism accelerate, freely and by forces on each other, loops closed.

    Y = A K⁻¹ Aᵀ,   ẇ = Y λ + a,   a = A v̇₀ + Ȧ v           K: mass matrix with the loops, as it stands factored in L

Y is the inverse of the effective mass, [Peiret 2018, eq. 3] with the transposes it lacks, a the effective force over
it [eq. 4]; the inverse of Y is never formed, as a row that is blocked makes it singular. With K = L D Lᵀ each row costs
half a solve along the slots it reaches, z = L⁻¹ Aᵀ, and Y = zᵀ D⁻¹ z; where rows of loops are redundant, and solutions
refined, a whole one. The factor is that of mechanics/accelerations.py, `sparse`; v̇₀ stands in system.v_dot.
Validated by: tests/interface/test_row_space.py
"""

import numpy as np

from knuckleboom.kernels import kernel, shared_kernel
from knuckleboom.layout import OK
from knuckleboom.mechanics import accelerations
from knuckleboom.solvers.vectors import fill


@kernel
def times(plan, k, tangent, values):
    """A values of row k among those with slopes."""
    total = 0.0
    for e in range(plan.tangent.path_first[k], plan.tangent.path_first[k + 1]):
        total += tangent.row_entry[e] * values[plan.tangent.path_dof[e]]
    return total


@kernel
def free_accelerations(plan, work):
    """Fill a from the accelerations in system.v_dot. Writes course.free."""
    for i in range(plan.course.stiff.shape[0]):
        k = plan.course.stiff[i]
        work.course.free[i] = times(plan, k, work.tangent, work.system.v_dot) + work.rows.bias[plan.course.row[i]]


@kernel
def half_solve(plan, i, tangent, L, z):
    """z = L⁻¹ Aᵀ of row i, along the slots that it reaches. Writes z."""
    plan_system, plan_tangent, plan_course, k = plan.system, plan.tangent, plan.course, plan.course.stiff[i]
    for place in range(plan_course.slot_first[i], plan_course.slot_first[i + 1]):
        z[plan_course.slot[place]] = 0.0
    for e in range(plan_tangent.path_first[k], plan_tangent.path_first[k + 1]):
        z[plan_system.velocity_slot[plan_tangent.path_dof[e]]] += tangent.row_entry[e]
    for place in range(plan_course.slot_first[i], plan_course.slot_first[i + 1]):
        slot = plan_course.slot[place]
        s, value = np.uintp(plan_system.slot_start[slot]), z[slot]
        for m in range(np.uintp(plan_system.slot_depth[slot])):
            z[plan_system.slot_ancestor[s + m]] -= L[s + m] * value


@shared_kernel
def fill_by_halves(plan, work):
    """Fill Y from half solves. Writes course."""
    plan_system, plan_course, half, L, Y = plan.system, plan.course, work.course.half, work.system.L, work.course.Y
    for i in range(plan_course.stiff.shape[0]):
        half_solve(plan, i, work.tangent, L, half[i])
        for j in range(i + 1):
            total = 0.0
            for place in range(plan_course.slot_first[i], plan_course.slot_first[i + 1]):
                slot = plan_course.slot[place]
                pivot = L[np.uintp(plan_system.slot_start[slot]) + np.uintp(plan_system.slot_depth[slot])]
                total += half[i, slot] * half[j, slot] / pivot
            Y[i, j] = total
            Y[j, i] = total


@kernel
def answer(plan, work):
    """Accelerations in system.v_dot and multipliers by the efforts in system.effort alone. Return a status. Writes
    work.system, state.fault.
    """
    fill(0.0, work.system.bias)
    fill(0.0, work.system.gamma)
    return accelerations.solve(plan.system, plan.stiffened, work.system, work.state.fault)


@kernel
def fill_by_solves(plan, work):
    """Fill Y from whole solves. Return a status. Writes work.system, work.course."""
    plan_tangent, effort, Y = plan.tangent, work.system.effort, work.course.Y
    for j in range(plan.course.stiff.shape[0]):
        fill(0.0, effort)
        k = plan.course.stiff[j]
        for e in range(plan_tangent.path_first[k], plan_tangent.path_first[k + 1]):
            effort[plan_tangent.path_dof[e]] += work.tangent.row_entry[e]
        status = answer(plan, work)
        if status != OK:
            return status
        for i in range(plan.course.stiff.shape[0]):
            Y[i, j] = times(plan, plan.course.stiff[i], work.tangent, work.system.v_dot)
    return OK


@kernel
def fill_row_space(plan, work):
    """Fill Y. Return a status. Writes work.system, work.course."""
    if plan.system.sweeps[0] > 1:
        return fill_by_solves(plan, work)
    fill_by_halves(plan, work)
    return OK


@kernel
def respond(plan, values, work):
    """Accelerations in system.v_dot and multipliers by forces on these rows alone. Return a status. Writes
    work.system, state.fault.
    """
    plan_tangent, effort = plan.tangent, work.system.effort
    fill(0.0, effort)
    for i in range(plan.course.stiff.shape[0]):
        k = plan.course.stiff[i]
        for e in range(plan_tangent.path_first[k], plan_tangent.path_first[k + 1]):
            effort[plan_tangent.path_dof[e]] += work.tangent.row_entry[e] * values[i]
    return answer(plan, work)
