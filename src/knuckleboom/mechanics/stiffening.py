# SPDX-License-Identifier: BSD-3-Clause
"""Loop rows added to the mass matrix, so that every velocity has a mass to be eliminated with. It changes nothing.

    (M + σ Φ_rᵀ Φ_r) v̇ + Φ_qᵀ λ = F + σ Φ_rᵀ γ_r,   Φ_q v̇ = γ

is solved by the v̇ and λ of the same equations without σ, as Φ_r v̇ = γ_r. Needed where M alone has a pivot that is not
positive, though the motion has a mass: a thin rod has no inertia about its own axis, which joints hold, and M of
natural coordinates means nothing in what the rows of a body forbid. Rows and σ are chosen in plan/stiffening.py; in
joint coordinates there are none. Validated by: tests/mechanics/test_stiffening.py
"""

from knuckleboom.kernels import kernel

FIRST, SECOND, ADDRESS = 0, 1, 2  # columns of table.square


@kernel
def add_to_mass(table, phi, L):
    """Add σ Φ_rᵀ Φ_r to M in L; table is plan.stiffened. Writes L."""
    square = table.square
    for n in range(square.shape[0]):
        L[square[n, ADDRESS]] += table.share[n] * phi[square[n, FIRST]] * phi[square[n, SECOND]]


@kernel
def add_to_tangent(table, place, phi, J):
    """The same in Newton's matrix, where the products stand at `place`. Writes J."""
    square = table.square
    for n in range(square.shape[0]):
        value = table.share[n] * phi[square[n, FIRST]] * phi[square[n, SECOND]]
        J[place[n, 0]] += value
        if place[n, 1] != place[n, 0]:
            J[place[n, 1]] += value


@kernel
def add_to_force(table, system, phi, gamma, weight, force):
    """Add weight·σ Φ_rᵀ γ to the velocities' forces; system is plan.system. Writes force."""
    for n in range(table.row.shape[0]):
        r = table.row[n]
        push = weight * table.sigma[n] * gamma[r]
        for e in range(system.path_first[r], system.path_first[r + 1]):
            force[system.path_dof[e]] += push * phi[e]
