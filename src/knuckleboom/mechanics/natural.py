# SPDX-License-Identifier: BSD-3-Clause
"""Natural coordinates: a point and three vectors of every body; M is constant, and loop rows are quadratic in q.

    Φ = c + Σ g_e q_e + Σ s q_i q_j,   Φ_q = g + Σ s (…),   Φ̇_q q̇ = 2 Σ s q̇_i q̇_j,   ∂(Φ_qᵀ λ)/∂q = Σ λ s (…)

Joints say that points meet and vectors stay at right angles, six more rows a body that its vectors keep their lengths
and angles [Naya 2011, §2; Jalon Bayo 1994]. The products are listed once (plan/natural.py), so that nothing here knows
a joint. There is no gyroscopic force. Outlined, so that other coordinates do not pay for it.
Validated by: tests/mechanics/test_natural.py
"""

import numpy as np

from knuckleboom.kernels import kernel

ROW, ENTRY, OTHER, VELOCITY, PARTNER = 0, 1, 2, 3, 4  # columns of plan_natural.product


@kernel
def jacobian(plan_natural, plan_system, q, phi):
    """Fill Φ_q of the quadratic rows. Writes phi."""
    for n in range(plan_natural.row.shape[0]):
        r = plan_natural.row[n]
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            phi[e] = plan_natural.linear[e]
    product = plan_natural.product
    for n in range(product.shape[0]):
        share = plan_natural.share[n]
        phi[product[n, ENTRY]] += share * q[product[n, PARTNER]]
        phi[product[n, OTHER]] += share * q[product[n, VELOCITY]]


@kernel
def apply(plan_natural, plan_system, phi, u, result):
    """Add Φ_q u of the quadratic rows to what stands there. Writes result."""
    for n in range(plan_natural.row.shape[0]):
        r = plan_natural.row[n]
        for e in range(plan_system.path_first[r], plan_system.path_first[r + 1]):
            result[r] += phi[e] * u[plan_system.path_dof[e]]


@kernel
def rates(plan_natural, plan_system, phi, v, rows):
    """Fill w and the bias Φ̇_q v of the quadratic rows. Writes rows."""
    for n in range(plan_natural.row.shape[0]):
        rows.w[plan_natural.row[n]] = 0.0
        rows.bias[plan_natural.row[n]] = 0.0
    apply(plan_natural, plan_system, phi, v, rows.w)
    product = plan_natural.product
    for n in range(product.shape[0]):
        rows.bias[product[n, ROW]] += 2.0 * plan_natural.share[n] * v[product[n, VELOCITY]] * v[product[n, PARTNER]]


@kernel
def put_mass(plan_natural, plan_system, L):
    """Put M into L. Writes L."""
    for e in range(plan_natural.mass.shape[0]):
        L[plan_system.pair_address[e]] = plan_natural.mass[e]


@kernel
def add_weight(plan_natural, bias):
    """Add what gravity takes to the bias. Writes bias."""
    for j in range(plan_natural.weight.shape[0]):
        bias[j] += plan_natural.weight[j]


@kernel
def add_inertia(plan_natural, plan_system, a, bias):
    """Add M a to the bias. Writes bias."""
    for j in range(a.shape[0]):
        for e in range(np.uintp(plan_system.pair_first[j]), np.uintp(plan_system.pair_first[j + 1])):
            k = plan_system.pair_ancestor[e]
            bias[j] += plan_natural.mass[e] * a[k]
            if k != j:
                bias[k] += plan_natural.mass[e] * a[j]


@kernel
def put_tangent(plan_natural, plan_newton, square, multiplier, J):
    """Newton's matrix of the mechanics: M, and how Φ_qᵀ λ turns, times `square`. Writes J."""
    for e in range(plan_natural.mass.shape[0]):
        J[plan_newton.pair_place[e, 0]] = plan_natural.mass[e]
        J[plan_newton.pair_place[e, 1]] = plan_natural.mass[e]
    product = plan_natural.product
    for n in range(product.shape[0]):
        value = square * multiplier[product[n, ROW]] * plan_natural.share[n]
        J[plan_newton.product_place[n, 0]] += value
        J[plan_newton.product_place[n, 1]] += value
