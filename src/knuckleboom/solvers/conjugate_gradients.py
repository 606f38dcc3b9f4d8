# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients for (M + Φᵀ S Φ) x = b, with the matrix never put together. [Baharudin 2016, §3.2]

The matrix is that of penalty and augmented (eq. 2.36), S = 1/C row by row. Its product with a vector
goes through the pairs of M and the entries of Φ, so memory and time of an iteration grow with these alone. The
preconditioner is block-Jacobi: the Cholesky factors of its diagonal blocks, each of velocities that follow each other,
such as those of a body; blocks of one velocity are Jacobi's. They keep the size of α out of a body's own directions,
not out of the chain: iterations grow with the number of bodies between two ends, where the direct solution of
pattern_ldl.py costs the same for each body. It is here because the papers name it and to compare with.

M stands in L, at the address of each pair of a velocity and an earlier one.

Validated by: tests/solvers/test_conjugate_gradients.py
"""

import numpy as np

from knuckleboom.kernels import kernel

RESIDUAL, STEERED, DIRECTION, PUSHED = 0, 1, 2, 3
VECTORS = 4


@kernel
def multiply(plan_system, L, phi, compliance, x, y):
    """y = (M + Φᵀ C⁻¹ Φ) x. Writes y."""
    pair_first, path_first, path_dof = plan_system.pair_first, plan_system.path_first, plan_system.path_dof
    for j in range(x.shape[0]):
        total = 0.0
        value = x[j]
        for e in range(np.uintp(pair_first[j]), np.uintp(pair_first[j + 1])):
            k, mass = plan_system.pair_ancestor[e], L[plan_system.pair_address[e]]
            total += mass * x[k]
            if k != j:
                y[k] += mass * value
        y[j] = total
    for r in range(compliance.shape[0]):
        first, end = np.uintp(path_first[r]), np.uintp(path_first[r + 1])
        rate = 0.0
        for e in range(first, end):
            rate += phi[e] * x[path_dof[e]]
        rate /= compliance[r]
        for e in range(first, end):
            y[path_dof[e]] += rate * phi[e]


@kernel
def prepare(plan_system, L, phi, compliance, block):
    """Factor the diagonal blocks; block_first[j] is the first velocity of j's block. Return −1 or the first velocity
    without a pivot. Writes block, whose row j has the entries of j with its block's velocities up to itself.
    """
    pair_first, path_first = plan_system.pair_first, plan_system.path_first
    path_dof, block_first = plan_system.path_dof, plan_system.block_first
    for j in range(block_first.shape[0]):
        first = np.uintp(block_first[j])
        for m in range(block.shape[1]):
            block[j, m] = 0.0
        for e in range(np.uintp(pair_first[j]), np.uintp(pair_first[j + 1])):
            k = plan_system.pair_ancestor[e]
            if k >= first:
                block[j, k - first] += L[plan_system.pair_address[e]]
    for r in range(compliance.shape[0]):
        for e in range(np.uintp(path_first[r]), np.uintp(path_first[r + 1])):
            j = path_dof[e]
            first, pull = np.uintp(block_first[j]), phi[e] / compliance[r]
            for other in range(np.uintp(path_first[r]), np.uintp(path_first[r + 1])):
                k = path_dof[other]
                if first <= k and k <= j:
                    block[j, k - first] += pull * phi[other]

    for j in range(block_first.shape[0]):
        first, count = np.uintp(block_first[j]), np.uintp(j - block_first[j])
        pivot = block[j, count]
        for m in range(count):
            total = block[j, m]
            for e in range(m):
                total -= block[j, e] * block[first + m, e]
            total /= block[first + m, m]
            block[j, m] = total
            pivot -= total * total
        if not pivot > 0.0:
            return j
        block[j, count] = np.sqrt(pivot)
    return -1


@kernel
def precondition(block_first, block, z):
    """Solve with the diagonal blocks in place. Writes z."""
    for j in range(z.shape[0]):
        first, count = np.uintp(block_first[j]), np.uintp(j - block_first[j])
        total = z[j]
        for m in range(count):
            total -= block[j, m] * z[first + m]
        z[j] = total / block[j, count]
    for j in range(z.shape[0] - 1, -1, -1):
        first, count = np.uintp(block_first[j]), np.uintp(j - block_first[j])
        value = z[j] / block[j, count]
        z[j] = value
        for m in range(count):
            z[first + m] -= block[j, m] * value


@kernel
def steer(block_first, block, residual, z):
    """z = P⁻¹ r with the preconditioner P. Return rᵀ P⁻¹ r. Writes z."""
    for j in range(z.shape[0]):
        z[j] = residual[j]
    precondition(block_first, block, z)
    total = 0.0
    for j in range(z.shape[0]):
        total += residual[j] * z[j]
    return total


@kernel
def solve(plan_system, L, phi, compliance, block, tolerance, most, b, vectors, x):
    """Improve x until rᵀ P⁻¹ r ≤ tolerance² bᵀ P⁻¹ b with r = b − A x and the blocks P of prepare. Return the
    iterations, or −1 when `most` were not enough or the matrix is not positive definite. Writes vectors, x.
    """
    block_first = plan_system.block_first
    residual, z, direction, pushed = vectors[RESIDUAL], vectors[STEERED], vectors[DIRECTION], vectors[PUSHED]
    limit = tolerance * tolerance * steer(block_first, block, b, z)
    multiply(plan_system, L, phi, compliance, x, residual)
    for j in range(x.shape[0]):
        residual[j] = b[j] - residual[j]
    size = steer(block_first, block, residual, z)
    for j in range(x.shape[0]):
        direction[j] = z[j]

    for iteration in range(most):
        if size <= limit:
            return iteration
        multiply(plan_system, L, phi, compliance, direction, pushed)
        curvature = 0.0
        for j in range(x.shape[0]):
            curvature += direction[j] * pushed[j]
        if not curvature > 0.0:
            return -1
        length = size / curvature
        for j in range(x.shape[0]):
            x[j] += length * direction[j]
            residual[j] -= length * pushed[j]
        before = size
        size = steer(block_first, block, residual, z)
        for j in range(x.shape[0]):
            direction[j] = z[j] + size / before * direction[j]
    return most if size <= limit else -1
