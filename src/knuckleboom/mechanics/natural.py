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

ROW, ENTRY, OTHER, VELOCITY, PARTNER = 0, 1, 2, 3, 4  # columns of table.product


@kernel
def jacobian(table, system, q, phi):
    """Fill Φ_q of the quadratic rows; table is plan.natural, system plan.system. Writes phi."""
    for n in range(table.row.shape[0]):
        r = table.row[n]
        for e in range(system.path_first[r], system.path_first[r + 1]):
            phi[e] = table.linear[e]
    product = table.product
    for n in range(product.shape[0]):
        share = table.share[n]
        phi[product[n, ENTRY]] += share * q[product[n, PARTNER]]
        phi[product[n, OTHER]] += share * q[product[n, VELOCITY]]


@kernel
def apply(table, system, phi, u, result):
    """Add Φ_q u of the quadratic rows to what stands there. Writes result."""
    for n in range(table.row.shape[0]):
        r = table.row[n]
        for e in range(system.path_first[r], system.path_first[r + 1]):
            result[r] += phi[e] * u[system.path_dof[e]]


@kernel
def rates(table, system, phi, v, rows):
    """Fill w and the bias Φ̇_q v of the quadratic rows. Writes rows."""
    for n in range(table.row.shape[0]):
        rows.w[table.row[n]] = 0.0
        rows.bias[table.row[n]] = 0.0
    apply(table, system, phi, v, rows.w)
    product = table.product
    for n in range(product.shape[0]):
        rows.bias[product[n, ROW]] += 2.0 * table.share[n] * v[product[n, VELOCITY]] * v[product[n, PARTNER]]


@kernel
def put_mass(table, system, L):
    """Put M into L. Writes L."""
    for e in range(table.mass.shape[0]):
        L[system.pair_address[e]] = table.mass[e]


@kernel
def add_weight(table, bias):
    """Add what gravity takes to the bias. Writes bias."""
    for j in range(table.weight.shape[0]):
        bias[j] += table.weight[j]


@kernel
def add_inertia(table, system, a, bias):
    """Add M a to the bias. Writes bias."""
    for j in range(a.shape[0]):
        for e in range(np.uintp(system.pair_first[j]), np.uintp(system.pair_first[j + 1])):
            k = system.pair_ancestor[e]
            bias[j] += table.mass[e] * a[k]
            if k != j:
                bias[k] += table.mass[e] * a[j]


@kernel
def put_tangent(table, newton, square, multiplier, J):
    """Newton's matrix of the mechanics: M, and how Φ_qᵀ λ turns, times `square`; newton is plan.newton. Writes J."""
    for e in range(table.mass.shape[0]):
        J[newton.pair_place[e, 0]] = table.mass[e]
        J[newton.pair_place[e, 1]] = table.mass[e]
    product = table.product
    for n in range(product.shape[0]):
        value = square * multiplier[product[n, ROW]] * table.share[n]
        J[newton.product_place[n, 0]] += value
        J[newton.product_place[n, 1]] += value
